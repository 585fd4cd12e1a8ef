"""Golden weights of masks, from the published definitions (docs/filters.md).

Writes masks.json beside itself:

    python3 -m venv VENV && VENV/bin/pip install numpy scipy colour-science
    VENV/bin/python Tests/Reference/masks.py

`inputs` are colours in linear Rec. 2020. A case has a `mask` as a record has it, `toPicture` (from a
pixel's position, middle at column + 1/2 and row + 1/2, to fractions of the whole displayed picture,
row by row of a projective 3 x 3 matrix), a grid of `columns` and `rows`, and the `weights` there, row
by row. With `input` the pixels have these colours, else all are the grey `grey`. `bitmaps` are what the
masks' paths name: `width`, `height` and either `weights` or a `disc` [x, y, radius] of ones, a pixel
being one where the distance of its middle is at most the radius. `tolerance` is 1e-4 where not given.
"""

import json
import pathlib

import colour
import numpy as np
from scipy import ndimage

GREY = 0.18
HERE = pathlib.Path(__file__).resolve().parent


def smoothstep(t):
    t = np.clip(t, 0, 1)
    return t * t * (3 - 2 * t)


def primaries(red, green, blue, white=(0.3127, 0.3290)):
    xyz = np.array([[x / y, 1, (1 - x - y) / y] for x, y in (red, green, blue)]).T
    target = np.array([white[0] / white[1], 1, (1 - white[0] - white[1]) / white[1]])
    return xyz * np.linalg.solve(xyz, target)


REC2020 = primaries((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
SRGB = primaries((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))


def encode(x):
    m = np.abs(x)
    return np.sign(x) * np.where(m <= 0.0031308, 12.92 * m, 1.055 * m ** (1 / 2.4) - 0.055)


def decode(e):
    m = np.abs(e)
    return np.sign(e) * np.where(m <= 0.04045, m / 12.92, ((m + 0.055) / 1.055) ** 2.4)


def oklab_of_srgb(light):
    """Linear sRGB to Oklab with the numbers of Ottosson's article."""
    m1 = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
          [0.0883024619, 0.2817188376, 0.6299787005]]
    m2 = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
          [0.0259040371, 0.7827717662, -0.8086757660]]
    return np.cbrt(light @ np.array(m1).T) @ np.array(m2).T


def oklab(working):
    xyz = working @ REC2020.T
    result = oklab_of_srgb(xyz @ np.linalg.inv(SRGB).T)
    # colour-science goes another way, from XYZ, with numbers rounded elsewhere.
    bright = np.all((working >= 0) & (working <= 1), axis=-1)
    assert np.max(np.abs(result - colour.XYZ_to_Oklab(xyz))[bright]) < 2e-3
    return result


class View:
    """Pixels of a part of a picture, and where they lie in the whole."""

    def __init__(self, matrix, columns, rows):
        self.matrix = np.asarray(matrix, float)
        self.columns, self.rows = columns, rows
        x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
        self.fractions = self.project(np.stack([x, y], -1))
        # Width and height of the displayed picture in pixels, at its middle, by differences.
        inverse = np.linalg.inv(self.matrix)
        middle = inverse @ [0.5, 0.5, 1]
        middle = middle[:2] / middle[2]
        h = 1e-4
        right = (self.project(middle + [h, 0]) - self.project(middle - [h, 0])) / (2 * h)
        down = (self.project(middle + [0, h]) - self.project(middle - [0, h])) / (2 * h)
        self.size = 1 / np.hypot(right, down)
        self.pixels = self.fractions * self.size

    def project(self, points):
        image = np.concatenate([points, np.ones(points.shape[:-1] + (1,))], -1) @ self.matrix.T
        return image[..., :2] / image[..., 2:]


def linear_gradient(mask, view, _):
    start, end = np.array(mask["from"]) * view.size, np.array(mask["to"]) * view.size
    along = end - start
    return smoothstep((view.pixels - start) @ along / (along @ along))


def radial(mask, view, _):
    unit = view.size if mask.get("unit", "sides") == "sides" else min(view.size)
    radius = np.array(mask["radius"]) * unit
    turn = np.radians(mask.get("rotation", 0))
    x, y = np.moveaxis(view.pixels - np.array(mask.get("center", [0.5, 0.5])) * view.size, -1, 0)
    u = x * np.cos(turn) + y * np.sin(turn)
    v = y * np.cos(turn) - x * np.sin(turn)
    d = np.hypot(u / radius[0], v / radius[1])
    feather = mask.get("feather", 0.5)
    return smoothstep((1 - d) / feather) if feather else (d < 1).astype(float)


def luminance_range(mask, _, colours):
    e = encode(colours @ REC2020[1])
    low, high = mask.get("from", 0), mask.get("to", 1)
    feather = mask.get("feather", 0.1)
    result = np.ones(e.shape)
    if low > 0:
        result *= smoothstep((e - low) / feather + 1) if feather else e >= low
    if high < 1:
        result *= smoothstep((high - e) / feather + 1) if feather else e <= high
    return result


def colour_range(mask, _, colours):
    centre = oklab_of_srgb(decode(np.array(mask["colour"], float)))
    d = np.linalg.norm(oklab(colours) - centre, axis=-1)
    return smoothstep((mask.get("tolerance", 0.1) - d) / mask.get("feather", 0.1) + 1)


def hue_range(mask, _, colours):
    _, a, b = np.moveaxis(oklab(colours), -1, 0)
    difference = np.abs((np.degrees(np.arctan2(b, a)) - mask["hue"] + 180) % 360 - 180)

    def chord(degrees):
        return 2 * np.sin(np.radians(np.minimum(degrees, 180)) / 2)

    tolerance = mask.get("tolerance", 30)
    end = chord(tolerance + mask.get("feather", 15))
    t = (end - chord(difference)) / (end - chord(tolerance))
    return smoothstep(t) * smoothstep(np.hypot(a, b) / mask.get("chroma", 0.04))


def bitmap(mask, view, _):
    b = BITMAPS[mask["path"]]
    height, width = b.shape
    sigma = mask.get("feather", 0) * min(view.size)
    down, across = sigma / view.size[1] * height, sigma / view.size[0] * width
    if sigma:
        b = ndimage.gaussian_filter(b, (down, across), mode="nearest", truncate=3)
    x, y = np.moveaxis(view.fractions, -1, 0)
    return ndimage.map_coordinates(b, [y * height - 0.5, x * width - 0.5], order=1, mode="nearest")


def combine(mask, view, colours):
    parts = [weights(part, view, colours) for part in mask["masks"]]
    operation = mask.get("operation", "union")
    if operation == "union":
        return np.max(parts, axis=0)
    if operation == "intersect":
        return np.min(parts, axis=0)
    return np.min([parts[0]] + [1 - part for part in parts[1:]], axis=0)


KINDS = {"linearGradient": linear_gradient, "radial": radial, "luminanceRange": luminance_range,
         "colourRange": colour_range, "hueRange": hue_range, "bitmap": bitmap, "combine": combine}


def weights(mask, view, colours):
    w = KINDS[mask["mask"]](mask, view, colours)
    return 1 - w if mask.get("invert") else w


# What is given.

rng = np.random.default_rng(20240)
axis = np.linspace(0, 1, 9)
CUBE = np.array(np.meshgrid(axis, axis, axis, indexing="ij")).reshape(3, -1).T
INPUTS = {
    "cube": np.round(CUBE, 6),
    "ramp": np.round(np.repeat(np.concatenate(
        [[0, 1e-5, 1e-4, 0.001, 0.0031308, 0.004], np.linspace(0.01, 1.2, 121), [2, 16, 64]]
    )[:, None], 3, axis=1), 6),
    "wild": np.round(np.concatenate(
        [rng.uniform(-0.3, 1.4, (150, 3)), rng.uniform(-4, 4, (60, 3)),
         rng.uniform(-64, 64, (40, 3))]), 6),
}

y, x = np.mgrid[0:150, 0:200]
DISC = [70.0, 60.0, 40.0]
BITMAPS = {
    "noise.png": np.round(rng.uniform(0, 1, (8, 12)), 6),
    "line.png": np.round(np.linspace(1, 0, 5) ** 2, 6)[None, :],
    "soft.png": np.round(rng.uniform(0, 1, (32, 40)), 6),
    "disc.png": (np.hypot(x + 0.5 - DISC[0], y + 0.5 - DISC[1]) <= DISC[2]).astype(float),
}


def scale(x, y):
    return np.diag([x, y, 1.0])


def shift(x, y):
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def turned(degrees):
    a = np.radians(degrees)
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])


QUARTER = np.array([[0, -1, 1], [1, 0, 0], [0, 0, 1.0]])
VIEWS = {
    "whole": View(scale(1 / 30, 1 / 20), 30, 20),
    "tall": View(scale(1 / 14, 1 / 25), 14, 25),
    "cropped": View(scale(1 / 90, 1 / 60) @ shift(31, 17), 29, 21),
    "quarter turn": View(QUARTER @ scale(1 / 20, 1 / 30), 20, 30),
    "straightened": View(
        scale(1 / 30, 1 / 20) @ shift(15, 10) @ turned(-12) @ shift(-12.5, -8.5), 25, 17),
    "keystone": View(np.array([[1 / 30, 0.003, 0.02], [-0.001, 1 / 22, 0.01], [0.004, 0.007, 1]]),
                     26, 19),
}

PLACED = [
    ("a gradient across", {"mask": "linearGradient", "from": [0.2, 0.5], "to": [0.8, 0.5]}),
    ("a gradient from outside", {"mask": "linearGradient", "from": [-0.5, -0.2], "to": [1.4, 0.9]}),
    ("a short gradient", {"mask": "linearGradient", "from": [0.61, 0.4], "to": [0.55, 0.47]}),
    ("an ellipse", {"mask": "radial", "radius": [0.4, 0.3], "feather": 0.7}),
    ("a turned ellipse", {"mask": "radial", "center": [0.4, 0.55], "radius": [0.35, 0.2],
                          "rotation": 33, "feather": 1}),
    ("a circle", {"mask": "radial", "center": [0.6, 0.4], "radius": [0.45, 0.45],
                  "unit": "shortSide", "rotation": -70}),
    ("a bitmap", {"mask": "bitmap", "path": "noise.png"}),
    ("a feathered bitmap", {"mask": "bitmap", "path": "soft.png", "feather": 0.04}),
]
SPECIAL = [
    ("a sharp ellipse", {"mask": "radial", "radius": [0.41, 0.33], "feather": 0}, "whole"),
    ("a bitmap of one row", {"mask": "bitmap", "path": "line.png", "invert": True}, "tall"),
    ("a bitmap with wide feather", {"mask": "bitmap", "path": "disc.png", "feather": 0.1}, "whole"),
    ("a union", {"mask": "combine", "masks": [PLACED[3][1], PLACED[0][1]]}, "cropped"),
    ("an intersection", {"mask": "combine", "operation": "intersect", "masks": [
        PLACED[3][1], dict(PLACED[0][1], invert=True), PLACED[6][1]]}, "whole"),
    ("a difference", {"mask": "combine", "operation": "subtract", "invert": True, "masks": [
        PLACED[4][1], PLACED[5][1], PLACED[1][1]]}, "straightened"),
    ("a combination of combinations", {"mask": "combine", "operation": "intersect", "masks": [
        {"mask": "combine", "operation": "subtract", "masks": [PLACED[4][1], PLACED[0][1]]},
        {"mask": "combine", "invert": True, "masks": [PLACED[2][1], PLACED[6][1]]}]}, "keystone"),
]
COLOURED = [
    ("the shadows", {"mask": "luminanceRange", "to": 0.3, "feather": 0.2}),
    ("the middle", {"mask": "luminanceRange", "from": 0.4, "to": 0.6, "feather": 0.15}),
    ("the lights", {"mask": "luminanceRange", "from": 0.7, "feather": 0.25, "invert": True}),
    ("a sharp range", {"mask": "luminanceRange", "from": 0.333, "to": 0.717, "feather": 0}),
    ("near a blue", {"mask": "colourRange", "colour": [0.2, 0.4, 0.9]}),
    ("near a skin tone", {"mask": "colourRange", "colour": [0.88, 0.67, 0.55], "tolerance": 0.05,
                          "feather": 0.3}),
    ("near black", {"mask": "colourRange", "colour": [0, 0, 0], "tolerance": 0.2, "feather": 0.2}),
    ("greens", {"mask": "hueRange", "hue": 142}),
    ("reds round the end", {"mask": "hueRange", "hue": 355, "tolerance": 20, "feather": 40,
                            "chroma": 0.1}),
    ("nearly all hues", {"mask": "hueRange", "hue": 100, "tolerance": 120, "feather": 100}),
    ("light blues", {"mask": "combine", "operation": "intersect", "masks": [
        {"mask": "hueRange", "hue": 260}, {"mask": "luminanceRange", "from": 0.5}]}),
]


def case(name, mask, view, colours=None, source=None):
    grey = np.full((view.rows, view.columns, 3), GREY)
    w = weights(mask, view, grey if colours is None else colours[None])
    result = {"name": name, "mask": mask, "toPicture": np.round(view.matrix, 12).ravel().tolist(),
              "columns": view.columns, "rows": view.rows,
              "weights": [round(float(v), 6) + 0.0 for v in np.broadcast_to(
                  w, (view.rows, view.columns)).ravel()]}
    if source:
        result["input"] = source
    if "wide" in name:
        result["tolerance"] = 0.004
    return result


cases = [case(f"{name}, {place}", mask, view)
         for name, mask in PLACED for place, view in VIEWS.items()]
cases += [case(name, mask, VIEWS[place]) for name, mask, place in SPECIAL]
for name, mask in COLOURED:
    for source, colours in INPUTS.items():
        view = View(scale(1 / len(colours), 1), len(colours), 1)
        cases.append(case(f"{name}, {source}", mask, view, colours, source))

bitmaps = {name: {"width": b.shape[1], "height": b.shape[0], "weights": b.ravel().tolist()}
           for name, b in BITMAPS.items()}
bitmaps["disc.png"] = {"width": 200, "height": 150, "disc": DISC}
document = {"grey": GREY, "inputs": {name: c.tolist() for name, c in INPUTS.items()},
            "bitmaps": bitmaps, "cases": cases}
(HERE / "masks.json").write_text(json.dumps(document, separators=(",", ":")) + "\n")
print(len(cases), "cases")
