"""Expected pixels of the geometry filters, from scikit-image, NumPy and the published formulas.

geometry.json holds small pictures as 16-bit sRGB codes, row by row, and what filters make of them, as
sRGB codes 0...1 clipped to that range. Written without a look at Minilab's sources: homographies and turns
come from skimage.transform, kernels from their papers.

    python3 -m venv venv && venv/bin/pip install numpy scikit-image
    venv/bin/python Tests/Reference/geometry.py        # writes Tests/Reference/geometry.json
"""

import json
import pathlib

import numpy as np
from skimage.transform import EuclideanTransform, ProjectiveTransform

TOP = 65535


def decode(code):
    """IEC 61966-2-1."""
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def encode(light):
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def catmull_rom(x):
    """Catmull & Rom 1974; the cubic convolution of Keys 1981 with a = -1/2."""
    t = np.abs(x)
    near = 1.5 * t**3 - 2.5 * t**2 + 1
    far = -0.5 * t**3 + 2.5 * t**2 - 4 * t + 2
    return np.where(t < 1, near, np.where(t < 2, far, 0))


def lanczos3(x):
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


def noise(rng, width, height, bands=3):
    """Codes with much detail, soft enough that a cubic seldom leaves the range."""
    return rng.integers(6000, 60000, (height, width, bands))


def look(picture, x, y, spread_x=1.0, spread_y=1.0):
    """One value between the pixels: positions count in pixel centres, the edge goes on."""
    height, width, _ = picture.shape
    columns = np.arange(np.ceil(x - 2 * spread_x), np.floor(x + 2 * spread_x) + 1).astype(int)
    rows = np.arange(np.ceil(y - 2 * spread_y), np.floor(y + 2 * spread_y) + 1).astype(int)
    across = catmull_rom((columns - x) / spread_x)
    down = catmull_rom((rows - y) / spread_y)
    part = picture[np.clip(rows, 0, height - 1)][:, np.clip(columns, 0, width - 1)]
    return np.einsum("v,u,vuc->c", down / down.sum(), across / across.sum(), part)


def perspective(codes, corners):
    height, width, _ = codes.shape
    light = decode(codes / TOP)
    points = np.array(corners) * [width, height]
    side = lambda a, b: np.hypot(*(points[a] - points[b]))
    w = int(np.floor((side(0, 1) + side(3, 2)) / 2 + 0.5))
    h = int(np.floor((side(0, 3) + side(1, 2)) / 2 + 0.5))
    transform = ProjectiveTransform.from_estimate(
        np.array([[0, 0], [w, 0], [w, h], [0, h]], float), points)
    result = np.empty((h, w, 3))
    step = 1e-4
    for v in range(h):
        for u in range(w):
            at = np.array([u + 0.5, v + 0.5])
            (x, y), = transform(at[None])
            # The gradients of both coordinates, by central differences.
            du = (transform(at[None] + [step, 0]) - transform(at[None] - [step, 0]))[0] / (2 * step)
            dv = (transform(at[None] + [0, step]) - transform(at[None] - [0, step]))[0] / (2 * step)
            spread = np.maximum(1, np.hypot(du, dv))
            result[v, u] = look(light, x - 0.5, y - 0.5, *spread)
    return encode(result)


def straighten(codes, degrees):
    height, width, _ = codes.shape
    light = decode(codes / TOP)
    theta, k = np.radians(abs(degrees)), height / width
    fit = min(width / (np.cos(theta) + k * np.sin(theta)),
              height / (np.sin(theta) + k * np.cos(theta)))
    w, h = int(np.floor(fit + 1e-6)), int(np.floor(fit * k + 1e-6))
    # y points down, so a positive rotation is clockwise; it takes the picture to the result.
    turn = EuclideanTransform(rotation=np.radians(degrees))
    result = np.empty((h, w, 3))
    for v in range(h):
        for u in range(w):
            (x, y), = turn.inverse(np.array([[u + 0.5 - w / 2, v + 0.5 - h / 2]]))
            result[v, u] = look(light, x + width / 2 - 0.5, y + height / 2 - 0.5)
    return encode(result)


def axis(length, size):
    """A matrix of one axis of a resampling; outer edges coincide, the edge goes on."""
    scale = length / size
    stretch = max(1, scale)
    kernel, reach = (lanczos3, 3) if scale > 1 else (catmull_rom, 2)
    matrix = np.zeros((size, length))
    for index in range(size):
        centre = (index + 0.5) * scale - 0.5
        span = np.arange(np.ceil(centre - reach * stretch), np.floor(centre + reach * stretch) + 1)
        weights = kernel((span - centre) / stretch)
        np.add.at(matrix[index], np.clip(span, 0, length - 1).astype(int), weights / weights.sum())
    return matrix


def overlay(codes, above, anchor, x, y, scale, opacity):
    """Porter & Duff's over, premultiplied, in linear light; the picture below is opaque."""
    height, width, _ = codes.shape
    h2, w2, _ = above.shape
    w = max(1, int(np.floor(scale * width + 0.5)))
    h = max(1, int(np.floor(scale * width * h2 / w2 + 0.5)))
    alpha = above[..., 3:] / TOP
    source = np.concatenate([decode(above[..., :3] / TOP) * alpha, alpha], axis=2)
    source = np.einsum("vy,ux,yxc->vuc", axis(h2, h), axis(w2, w), source)
    light = decode(codes / TOP)
    short = min(width, height)
    left = int(np.floor((width - w) * anchor[0] + x * short + 0.5))
    top = int(np.floor((height - h) * anchor[1] + y * short + 0.5))
    for v in range(h):
        for u in range(w):
            if 0 <= left + u < width and 0 <= top + v < height:
                cover = np.clip(source[v, u, 3], 0, 1) * opacity
                colour = source[v, u, :3] if cover > 0 else np.zeros(3)
                below = light[top + v, left + u]
                light[top + v, left + u] = opacity * colour + (1 - cover) * below
    return encode(light)


def listed(picture):
    return {"width": picture.shape[1], "height": picture.shape[0],
            "samples": [round(float(value), 6) for value in picture.reshape(-1)]}


def codes(picture):
    return {"width": picture.shape[1], "height": picture.shape[0],
            "samples": picture.reshape(-1).tolist()}


def smooth(x, y):
    """The light of a picture that is known everywhere, not only at its pixels."""
    return 0.5 + 0.22 * np.sin(2 * np.pi * x / 83) + 0.2 * np.cos(2 * np.pi * y / 67)


def analytic():
    """Where scikit-image's homography looks, whatever the interpolation."""
    size = np.array([300, 200])
    corners = [[0.12, 0.08], [0.9, 0.15], [0.97, 0.93], [0.05, 0.85]]
    points = np.array(corners) * size
    side = lambda a, b: np.hypot(*(points[a] - points[b]))
    w = int(np.floor((side(0, 1) + side(3, 2)) / 2 + 0.5))
    h = int(np.floor((side(0, 3) + side(1, 2)) / 2 + 0.5))
    transform = ProjectiveTransform.from_estimate(
        np.array([[0, 0], [w, 0], [w, h], [0, h]], float), points)
    places = [(u, v) for v in range(3, h, 23) for u in range(2, w, 19)]
    found = transform(np.array(places) + 0.5)
    return {"corners": corners, "width": w, "height": h,
            "places": [[u, v] for u, v in places],
            "light": [round(float(smooth(x, y)), 6) for x, y in found]}


def main():
    rng = np.random.default_rng(3)
    wide = noise(rng, 26, 18)
    tall = noise(rng, 15, 22)
    mark = noise(rng, 16, 12, 4)
    mark[..., 3] = rng.choice([0, 20000, 45000, TOP], (12, 16))
    quads = [
        ("plain trapezoid", wide, [[0.2, 0.05], [0.8, 0.05], [1, 1], [0, 1]]),
        ("steep trapezoid", wide, [[0.4, 0.1], [0.6, 0.1], [1, 0.93], [0, 0.93]]),
        ("crooked", tall, [[0.1, 0.2], [0.85, 0], [1, 0.9], [0.15, 0.8]]),
        ("beyond the edge", tall, [[-0.1, -0.2], [1.1, 0.1], [1.25, 1.1], [-0.2, 1]]),
        ("turned", wide, [[0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5]]),
    ]
    overlays = [
        ("smaller", "bottomRight", [1, 1], -0.06, -0.1, 0.3, 1),
        ("larger, half", "center", [0.5, 0.5], 0, 0, 0.8, 0.5),
        ("over the edge", "topLeft", [0, 0], -0.2, 0.3, 0.45, 0.8),
        ("as it is", "right", [1, 0.5], 0, -0.3, 16 / 26, 1),
    ]
    result = {
        "wide": codes(wide), "tall": codes(tall), "mark": codes(mark),
        "perspective": [
            {"name": name, "picture": "wide" if picture is wide else "tall", "corners": corners,
             "result": listed(perspective(picture, corners))}
            for name, picture, corners in quads],
        "straighten": [
            {"name": f"{degrees}", "picture": "wide" if picture is wide else "tall",
             "degrees": degrees, "result": listed(straighten(picture, degrees))}
            for picture, degrees in [(wide, 7.5), (wide, -20), (tall, 45), (tall, -1.25)]],
        "overlay": [
            {"name": name, "anchor": anchor, "x": x, "y": y, "scale": scale, "opacity": opacity,
             "result": listed(overlay(wide, mark, place, x, y, scale, opacity))}
            for name, anchor, place, x, y, scale, opacity in overlays],
        "smooth": analytic(),
    }
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(result, separators=(",", ":")).replace('],"', '],\n"') + "\n")


main()
