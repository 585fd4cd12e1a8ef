"""Golden values for the detail and place filters, from their published formulas alone.

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python Tests/Reference/detail.py

writes detail.json beside this file: pictures as sRGB codes or linear working light, and for each case
what comes out. Nothing here reads the program's own source.
"""

import json
import pathlib

import numpy as np
from scipy import ndimage

# Linear sRGB to linear Rec. 2020, ITU-R BT.2087.
TO_WORKING = np.array(
    [
        [0.627403895934699, 0.329283038377884, 0.043313065687417],
        [0.069097289358232, 0.919540395075459, 0.011362315566309],
        [0.016391438875150, 0.088013307877226, 0.895595253247624],
    ]
)
FROM_WORKING = np.linalg.inv(TO_WORKING)
LUMINANCE = np.array([0.2627002120112671, 0.6779980715188708, 0.0593017164698620])


def decode(e):
    return np.where(e <= 0.04045, e / 12.92, ((np.maximum(e, 0) + 0.055) / 1.055) ** 2.4)


def encode(x):
    return np.where(x <= 0.0031308, x * 12.92, 1.055 * np.maximum(x, 1e-9) ** (1 / 2.4) - 0.055)


def light(codes):
    return decode(codes / 255.0) @ TO_WORKING.T


def codes(working):
    return 255 * encode(np.clip(working @ FROM_WORKING.T, 0, 1))


def gaussian(plane, sigma):
    return ndimage.gaussian_filter(plane, sigma, mode="nearest", truncate=3)


def each(function, picture):
    return np.stack([function(picture[..., c]) for c in range(picture.shape[-1])], axis=-1)


# --- neighbourhood filters, on linear working light, premultiplied where there is alpha


def blur(picture, radius):
    return each(lambda plane: gaussian(plane, radius), picture)


def sharpen(picture, amount, radius, threshold):
    y = picture @ LUMINANCE
    own = encode(np.maximum(y, 0))
    difference = own - gaussian(own, radius)
    after = np.where(np.abs(difference) >= threshold, own + amount * difference, own)
    gain = decode(np.maximum(after, 0)) / np.maximum(y, 1e-12)
    return picture * np.where(y > 1e-7, gain, 1)[..., None]


def root(x):
    return np.sign(x) * (np.sqrt(np.abs(x) + 1 / 1024) - 1 / 32)


def unroot(s):
    return np.sign(s) * ((np.abs(s) + 1 / 32) ** 2 - 1 / 1024)


def noise_reduction(picture, luminance, colour, radius, alpha=None):
    # The picture is carried on before anything else, so that both windows see the same surroundings.
    pad = 2 * radius
    weight = np.ones(picture.shape[:2]) if alpha is None else alpha
    full = np.pad(picture, ((pad, pad), (pad, pad), (0, 0)), mode="edge")
    weight = np.pad(weight, pad, mode="edge")
    s = root(full)
    y = s @ LUMINANCE
    planes = [y, s[..., 2] - y, s[..., 0] - y]

    def mean(plane):
        box = ndimage.uniform_filter(plane * weight, 2 * radius + 1, mode="constant")
        whole = ndimage.uniform_filter(weight, 2 * radius + 1, mode="constant")
        return np.where(whole > 1e-9, box / np.maximum(whole, 1e-12), 0)

    out = []
    for plane, epsilon in zip(planes, [(luminance / 10) ** 2] + [(colour / 5) ** 2] * 2):
        if epsilon == 0:
            out.append(plane)
            continue
        m = mean(plane)
        variance = np.maximum(mean(plane * plane) - m * m, 0)
        a = variance / (variance + epsilon)
        out.append(mean(a) * plane + mean((1 - a) * m))
    y, u, v = [plane[pad:-pad, pad:-pad] for plane in out]
    red, blue = y + v, y + u
    green = (y - LUMINANCE[0] * red - LUMINANCE[2] * blue) / LUMINANCE[1]
    return unroot(np.stack([red, green, blue], axis=-1))


# --- place filters, on linear working light


def positions(size, extent, origin=(0, 0), step=1):
    """Middles of pixels in pixels of the full resolution, from the extent's top left."""
    x = origin[0] + (np.arange(size[0]) + 0.5) * step
    y = origin[1] + (np.arange(size[1]) + 0.5) * step
    return np.meshgrid(x, y)


def vignette(extent, x, y, amount, radius, feather, roundness):
    half = np.hypot(*extent) / 2
    u, v = np.abs(x - extent[0] / 2) / half, np.abs(y - extent[1] / 2) / half
    p = 2 / roundness
    r = (u**p + v**p) ** (1 / p)
    t = np.clip((r - radius + feather / 2) / max(feather, 1e-3), 0, 1)
    return 1 + amount * t * t * (3 - 2 * t)


M = np.uint64(0xFFFFFFFF)


def times(a, b):
    return (np.asarray(a, np.uint64) * np.uint64(b)) & M


def hashed(key):
    key = key ^ (key >> np.uint64(16))
    key = times(key, 0x7FEB352D)
    key = key ^ (key >> np.uint64(15))
    key = times(key, 0x846CA68B)
    key = key ^ (key >> np.uint64(16))
    return key.astype(np.uint32).view(np.int32).astype(float) / 2**31


def lattice(column, row, layer, seed):
    mixed = times((seed + layer * 0x9E3779B9) & 0xFFFFFFFF, 0xC2B2AE3D)
    c = column.astype(np.int64).astype(np.uint64) & M
    r = row.astype(np.int64).astype(np.uint64) & M
    return hashed(times(c, 0x9E3779B1) ^ times(r, 0x85EBCA77) ^ mixed)


def field(x, y, layer, seed):
    c, r = np.floor(x), np.floor(y)
    s, t = x - c, y - r
    s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)
    top = lattice(c, r, layer, seed) * (1 - s) + lattice(c + 1, r, layer, seed) * s
    below = lattice(c, r + 1, layer, seed) * (1 - s) + lattice(c + 1, r + 1, layer, seed) * s
    return top * (1 - t) + below * t


def grain(picture, extent, x, y, area, amount, size, roughness, seed):
    cell = size / 1000 * max(extent)
    q = (26 / 35) ** 2

    def k(i):
        return np.sqrt(3 / q) / np.sqrt(1 + q * 4**i * area / cell**2)

    n = k(0) * field(x / cell, y / cell, 0, seed)
    n = n + roughness * k(1) * field(2 * x / cell, 2 * y / cell, 1, seed)
    n = n / np.sqrt(1 + roughness**2)
    e = np.sqrt(np.clip(picture @ LUMINANCE, 0, 1))
    return picture * (np.maximum(0, 1 + 0.4 * amount * n * (1 - e)) ** 2)[..., None]


# --- the cases


def photo(width, height, bands=3):
    """Edges, ramps and texture with noise; the codes are given to the program as they are."""
    random = np.random.default_rng(20)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    base = 90 + 60 * np.sin(x / 9) * np.cos(y / 14) + 70 * (x > width * 0.6)
    base[int(height * 0.7) :, : width // 3] = 3
    base[: height // 5, -width // 5 :] = 250
    picture = np.stack([base, base * 0.8 + 20, 255 - base * 0.6], axis=-1)
    picture += random.normal(0, 9, picture.shape)
    picture = np.clip(np.rint(picture), 0, 255)
    if bands == 4:
        alpha = np.clip(np.rint(300 * np.sin((x + 2 * y) / 25)), 0, 255)
        picture = np.dstack([picture, alpha])
    return picture


def sampled(values, count, random):
    """Positions and values of so many pixels, those of the corners among them."""
    height, width = values.shape[:2]
    ys = np.concatenate([[0, 0, height - 1, height - 1], random.integers(0, height, count)])
    xs = np.concatenate([[0, width - 1, 0, width - 1], random.integers(0, width, count)])
    return [
        [int(x), int(y)] + [round(float(v), 3) for v in values[y, x]] for x, y in zip(xs, ys)
    ]


def main():
    random = np.random.default_rng(5)
    colour, covered = photo(150, 110), photo(90, 70, bands=4)
    pictures = {"colour": colour, "covered": covered}
    cases = []

    def add(picture, name, result, **parameters):
        cases.append(
            {
                "picture": picture,
                "filter": name,
                "parameters": parameters,
                "samples": sampled(result, 260, random),
            }
        )

    working = light(colour)
    for radius in [0.1, 0.4, 1, 2, 2.1, 5.3, 15.9, 16, 24, 41, 120, 250]:
        add("colour", "blur", codes(blur(working, radius)), radius=radius)
    for amount, radius, threshold in [(0.5, 1, 0), (2, 2.5, 0), (1, 0.6, 0), (0.8, 20, 0), (5, 3, 0)]:
        result = codes(sharpen(working, amount, radius, threshold))
        add("colour", "sharpen", result, amount=amount, radius=radius, threshold=threshold)
    for luminance, c, radius in [(0.3, 0.5, 3), (1, 0, 2), (0, 1, 4), (0.05, 0.1, 1), (1, 1, 16)]:
        result = codes(noise_reduction(working, luminance, c, radius))
        add("colour", "noiseReduction", result, luminance=luminance, colour=c, radius=radius)

    alpha = covered[..., 3] / 255
    inside = light(covered[..., :3])
    premultiplied = np.dstack([inside * alpha[..., None], alpha])

    def straight(result):
        a = result[..., 3:]
        return np.dstack([codes(result[..., :3] / np.maximum(a, 1e-12)), 255 * a])

    for radius in [1.5, 4, 18]:
        add("covered", "blur", straight(blur(premultiplied, radius)), radius=radius)
    result = noise_reduction(inside, 0.5, 0.7, 3, alpha)
    add(
        "covered",
        "noiseReduction",
        np.dstack([codes(result), 255 * alpha]),
        luminance=0.5,
        colour=0.7,
        radius=3,
    )

    # Colours of a cube, from dark to far out of range, at places all over the picture.
    axis = np.array([-0.1, 0, 0.002, 0.05, 0.2, 0.6, 1, 1.8])
    cube = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(16, 32, 3)
    placed = []
    for extent, origin, step in [((32, 16), (0, 0), 1), ((6000, 4000), (5100, 3300), 1)] + [
        ((4000, 6000), (16, 40), 8)
    ]:
        x, y = positions((32, 16), extent, origin, step)
        for amount, radius, feather, roundness in [
            (-1, 0.75, 0.5, 1),
            (0.7, 0.3, 1.2, 0.5),
            (-0.4, 0.6, 0, 0.1),
        ]:
            gain = vignette(extent, x, y, amount, radius, feather, roundness)
            placed.append(("vignette", extent, origin, step, cube * gain[..., None]))
            placed[-1] += (
                dict(amount=amount, radius=radius, feather=feather, roundness=roundness),
            )
        for amount, size, roughness, seed in [
            (0.3, 0.5, 0.5, 7),
            (1, 0.1, 1, 4294967295),
            (0.6, 3, 0, 0),
        ]:
            result = grain(cube, extent, x, y, step * step, amount, size, roughness, seed)
            placed.append(("grain", extent, origin, step, result))
            placed[-1] += (dict(amount=amount, size=size, roughness=roughness, seed=seed),)
    document = {
        "pictures": {
            name: {
                "width": picture.shape[1],
                "height": picture.shape[0],
                "bands": picture.shape[2],
                "codes": [int(v) for v in picture.ravel()],
            }
            for name, picture in pictures.items()
        },
        "cases": cases,
        "cube": [round(float(v), 6) for v in cube.ravel()],
        "placed": [
            {
                "filter": name,
                "extent": list(extent),
                "origin": list(origin),
                "step": step,
                "width": 32,
                "parameters": parameters,
                "output": [round(float(v), 6) for v in result.ravel()],
            }
            for name, extent, origin, step, result, parameters in placed
        ],
    }
    target = pathlib.Path(__file__).with_name("detail.json")
    target.write_text(json.dumps(document, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
