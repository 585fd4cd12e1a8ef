"""Golden values of the local filters, from their published formulas alone.

local.json holds small drawn pictures as hexadecimal sRGB codes (8 bits, red green blue by turns, row
by row), and for each case the linear Rec. 2020 values at some pixels after the filter. `longest` is
the long side that the picture is averaged down to.

To make it again: python3 -m venv v && v/bin/pip install numpy scipy colour-science
                  v/bin/python Tests/Reference/local.py

Real photos go through the same formulas in photos.py.
"""

import json
import pathlib

import colour
import numpy as np
from scipy import ndimage

TO_WORKING = colour.matrix_RGB_to_RGB(
    colour.RGB_COLOURSPACES["sRGB"], colour.RGB_COLOURSPACES["ITU-R BT.2020"],
    chromatic_adaptation_transform=None)
LUMINANCE = colour.RGB_COLOURSPACES["ITU-R BT.2020"].matrix_RGB_to_XYZ[1]


def linear(codes):
    return colour.models.eotf_sRGB(codes / 255.0) @ TO_WORKING.T


def shares(length, count):
    """How much of each pixel lies under each of `count` equal parts of the side, as a matrix."""
    edges = np.arange(count + 1) * length / count
    pixels = np.arange(length)
    low = np.maximum(edges[:-1, None], pixels[None, :])
    high = np.minimum(edges[1:, None], pixels[None, :] + 1)
    return np.maximum(high - low, 0)


def reduce(picture, alpha, longest):
    height, width = alpha.shape
    long = max(width, height)
    if long > longest:
        sides = [max(1, int(np.floor(side * longest / long + 0.5))) for side in (width, height)]
    else:
        sides = [width, height]
    across, down = shares(width, sides[0]), shares(height, sides[1])
    cover = down @ alpha @ across.T
    area = down.sum(1)[:, None] * across.sum(1)[None, :]
    small = np.stack(
        [down @ (picture[..., band] * alpha) @ across.T for band in range(3)], axis=-1)
    safe = np.where(cover > 0, cover, 1)
    return np.where(cover[..., None] > 0, small / safe[..., None], 0), cover / area


def box(plane, half):
    """Integrals over squares, by differences of the plane's integral between pixels."""
    def along(values):
        total = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
        count = values.shape[0]
        middles = np.arange(count) + 0.5
        places = np.arange(count + 1.0)
        result = np.empty_like(values)
        for line in range(values.shape[1]):
            integral = total[:, line]
            result[:, line] = np.interp(middles + half, places, integral) - np.interp(
                middles - half, places, integral)
        return result
    return along(along(plane).T).T


def guided(guide, target, alpha, radius, epsilon):
    half = max(0.5, radius * min(guide.shape))
    weight = box(alpha, half)

    def mean(values):
        return np.where(weight > 1e-9, box(values * alpha, half) / np.maximum(weight, 1e-9), 0)

    mean_guide, mean_target = mean(guide), mean(target)
    # Centred twice, so that nothing is lost by subtracting large numbers.
    centre = guide.mean()
    g = guide - centre
    variance = mean(g * g) - mean(g) ** 2
    covariance = mean(g * target) - mean(g) * mean_target
    a = covariance / (variance + epsilon)
    b = mean_target - a * mean_guide
    return mean(a), mean(b)


def enlarge(plane, height, width):
    rows = (np.arange(height) + 0.5) / height * plane.shape[0] - 0.5
    columns = (np.arange(width) + 0.5) / width * plane.shape[1] - 0.5
    return ndimage.map_coordinates(
        plane, np.meshgrid(rows, columns, indexing="ij"), order=1, mode="nearest")


def step(x):
    x = np.clip(x, 0, 1)
    return x * x * (3 - 2 * x)


def stops(picture):
    return np.log2(np.maximum(picture @ LUMINANCE, 0) + 1 / 1024)


def base(picture, alpha, radius, longest):
    small, cover = reduce(picture, alpha, longest)
    a, b = guided(stops(small), stops(small), cover, radius, 0.25)
    height, width = alpha.shape
    own = stops(picture)
    return own, enlarge(a, height, width) * own + enlarge(b, height, width)


def highlights_shadows(picture, alpha, longest, highlights, shadows):
    _, b = base(picture, alpha, 0.025, longest)
    gain = 1.5 * highlights * step(b / 4 + 1) + 2 * shadows * (1 - step((b + 8) / 6))
    return picture * np.exp2(gain)[..., None]


def local_contrast(picture, alpha, longest, amount, radius):
    own, b = base(picture, alpha, radius, longest)
    d = own - b
    kept = d**3 * 1.5**2 / ((d**2 + 0.06**2) * (d**2 + 1.5**2))
    weight = step((b + 9) / 5) * (1 - step(b / 2 + 1))
    return picture * np.exp2(0.75 * amount * weight * kept)[..., None]


def dehaze(picture, alpha, longest, amount):
    small, cover = reduce(picture, alpha, longest)
    there = cover > 0
    patch = 2 * int(np.floor(0.0175 * min(cover.shape) + 0.5)) + 1

    def dark(values):
        least = np.where(there, np.maximum(values.min(-1), 0), np.inf)
        return ndimage.minimum_filter(least, size=patch, mode="constant", cval=np.inf)

    darkness = dark(small)
    ordered = np.sort(darkness[there])[::-1]
    chosen = there & (darkness >= ordered[max(1, len(ordered) // 1000) - 1])
    air = (small[chosen] * cover[chosen][:, None]).sum(0) / cover[chosen].sum()
    air = np.maximum(air, 0.25)
    haze = dark(np.minimum(small / air, 1))
    haze = np.where(np.isfinite(haze), haze, 0)
    guide = np.sqrt(np.clip(small @ LUMINANCE, 0, 1))
    a, b = guided(guide, haze, cover, 0.06, 0.001)
    height, width = alpha.shape
    own = np.sqrt(np.clip(picture @ LUMINANCE, 0, 1))
    h = np.clip(enlarge(a, height, width) * own + enlarge(b, height, width), 0, 1)
    if amount < 0:
        share = 1 + 0.5 * amount * (0.25 + 0.75 * h)
    else:
        share = 1 / (1 - 0.8 * amount * np.minimum(h, np.maximum((picture / air).min(-1), 0)))
    return air + (picture - air) * share[..., None]


FILTERS = {
    "highlightsShadows": highlights_shadows,
    "localContrast": local_contrast,
    "dehaze": dehaze,
}


def scene(width, height, seed, dark):
    """Shapes of light and shade with soft and hard edges, texture of several sizes, and noise."""
    random = np.random.default_rng(seed)
    row, column = np.mgrid[0:height, 0:width] / min(width, height)
    light = np.full((height, width), 0.15 if dark else 0.45)
    for _ in range(9):
        y, x, size, level = random.uniform([0, 0, 0.08, 0.02], [1, width / height, 0.35, 0.98])
        inside = (size - np.hypot(row - y, column - x)) / random.choice([0.01, 0.1])
        light += (level - light) * np.clip(inside, 0, 1)
    for sigma, strength in [(1, 0.05), (4, 0.15), (15, 0.4)]:
        grain = ndimage.gaussian_filter(random.normal(0, 1, (height, width)), sigma, mode="wrap")
        light *= 1 + strength * grain / grain.std()
    hues = [ndimage.gaussian_filter(random.normal(0, 1, light.shape), 12, mode="wrap")
            for _ in range(3)]
    bands = [light * (1 + 0.25 * hue / hue.std()) for hue in hues]
    codes = 255 * np.stack(bands, -1) + random.normal(0, 2, (height, width, 3))
    return np.clip(np.round(codes), 0, 255).astype(np.uint8)


def pictures_drawn():
    hazy = scene(150, 100, 3, dark=False).astype(float)
    depth = np.linspace(0.75, 0.1, hazy.shape[0])[:, None, None]
    yield "day", scene(180, 120, 1, dark=False)
    yield "night", scene(160, 107, 2, dark=True)
    yield "hazy", np.round(hazy * (1 - depth) + depth * [200, 208, 220]).astype(np.uint8)
    row, column = np.mgrid[0:90, 0:64]
    steps = np.where(column < 30, 20, 215) + (row * 5 + column * 3) % 11 + row // 4
    yield "edges", np.stack([steps, steps * 9 // 10, steps * 3 // 4], -1).astype(np.uint8)


# Name, longest side of the reduced picture, parameters.
CASES = [
    ("highlightsShadows", 1024, {"highlights": -1, "shadows": 1}),
    ("highlightsShadows", 75, {"highlights": -0.7, "shadows": 0.6}),
    ("highlightsShadows", 75, {"highlights": 0.5, "shadows": -0.8}),
    ("localContrast", 1024, {"amount": 1, "radius": 0.03}),
    ("localContrast", 75, {"amount": 0.6, "radius": 0.1}),
    ("localContrast", 75, {"amount": -1, "radius": 0.05}),
    ("dehaze", 1024, {"amount": 1}),
    ("dehaze", 75, {"amount": 0.5}),
    ("dehaze", 75, {"amount": -0.8}),
]


def main():
    pictures, cases = [], []
    random = np.random.default_rng(5)
    for name, codes in pictures_drawn():
        height, width = codes.shape[:2]
        pictures.append(
            {"name": name, "width": width, "height": height, "codes": codes.tobytes().hex()})
        picture = linear(codes.astype(float))
        for filter_name, longest, parameters in CASES:
            # The middle of the last case's picture is a hole with soft edges.
            holes = [False, True] if longest == 75 and name in ("day", "hazy") else [False]
            for hole in holes:
                alpha = np.ones((height, width))
                if hole:
                    row, column = np.mgrid[0:height, 0:width]
                    distance = np.maximum(abs(row - height // 2), abs(column - width // 2))
                    alpha = np.clip((distance - 20) * 16, 0, 255) / 255.0
                result = FILTERS[filter_name](picture, alpha, longest, **parameters)
                places = np.sort(random.choice(height * width, 200, replace=False))
                values = result.reshape(-1, 3)[places]
                cases.append({
                    "picture": name, "filter": filter_name, "longest": longest, "hole": hole,
                    "parameters": parameters, "places": places.tolist(),
                    "values": [float(f"{v:.6g}") for v in values.ravel()],
                })
    path = pathlib.Path(__file__).with_name("local.json")
    path.write_text(json.dumps({"pictures": pictures, "cases": cases}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
