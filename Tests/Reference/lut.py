"""Golden colours for the filter lut3d, written to lut.json beside this script.

The definition, as published in the catalogue: linear working RGB (Rec. 2020 primaries, D65) goes to
the primaries of `colorSpace` and through its curve to e; T(e) is the table's answer, with e moved to
the nearest value of the table's domain, 3D tables interpolated in tetrahedra, 1D tables linearly;
e' = e + strength (T(e) - e) goes back the same way. Files are read and cubes interpolated by
colour-science, which knows nothing of Minilab.

Make it again with:
    python3 -m venv venv && venv/bin/pip install numpy colour-science scipy
    venv/bin/python Tests/Reference/lut.py

lut.json: `files` maps names to the text of .cube files, `halds` names to {level, codes} (codes of 16
bits, red green blue by turns), `inputs` names to lists of numbers (linear working RGB by turns), and
`cases` are {name, table, strength, colorSpace, inputs, outputs}, the outputs in the order of the
inputs.
"""

import json
import os
import tempfile

import colour
import numpy as np
from colour.algebra import table_interpolation_tetrahedral

D65 = np.array([0.3127, 0.3290])
D50 = np.array([0.3457, 0.3585])
REC2020 = [[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]]


def to_xyz(primaries, white):
    return colour.normalised_primary_matrix(np.array(primaries), white)


def signed(function):
    return lambda x: np.sign(x) * function(np.abs(x))


def srgb_encode(x):
    return np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055)


def srgb_decode(e):
    return np.where(e <= 0.04045, e / 12.92, ((e + 0.055) / 1.055) ** 2.4)


ALPHA, BETA = 1.09929682680944, 0.018053968510807


def video_encode(x):
    return np.where(x < BETA, 4.5 * x, ALPHA * x**0.45 - (ALPHA - 1))


def video_decode(e):
    return np.where(e < 4.5 * BETA, e / 4.5, ((e + ALPHA - 1) / ALPHA) ** (1 / 0.45))


def romm_encode(x):
    return np.where(x < 1 / 512, 16 * x, x ** (1 / 1.8))


def romm_decode(e):
    return np.where(e < 1 / 32, e / 16, e**1.8)


def same(x):
    return x


REC709 = [[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]]
P3 = [[0.680, 0.320], [0.265, 0.690], [0.150, 0.060]]
ADOBE = [[0.64, 0.33], [0.21, 0.71], [0.15, 0.06]]
ROMM = [[0.7347, 0.2653], [0.1596, 0.8404], [0.0366, 0.0001]]
GAMMA = 563 / 256
SPACES = {
    "sRGB": (REC709, D65, srgb_encode, srgb_decode),
    "displayP3": (P3, D65, srgb_encode, srgb_decode),
    "adobeRGB": (ADOBE, D65, lambda x: x ** (1 / GAMMA), lambda e: e**GAMMA),
    "rec709": (REC709, D65, video_encode, video_decode),
    "rec2020": (REC2020, D65, video_encode, video_decode),
    "proPhotoRGB": (ROMM, D50, romm_encode, romm_decode),
    "linearSRGB": (REC709, D65, same, same),
    "linearRec2020": (REC2020, D65, same, same),
}


def matrices(space):
    primaries, white, _, _ = SPACES[space]
    xyz = to_xyz(primaries, white)
    if white is D50:
        adapt = colour.adaptation.matrix_chromatic_adaptation_VonKries(
            colour.xy_to_XYZ(D50), colour.xy_to_XYZ(D65), transform="Bradford"
        )
        xyz = adapt @ xyz
    to_working = np.linalg.inv(to_xyz(REC2020, D65)) @ xyz
    return to_working, np.linalg.inv(to_working)


def clamp(e, domain):
    return np.clip(e, domain[0], domain[1])


def look_up(lut, e):
    if isinstance(lut, colour.LUTSequence):
        for part in lut:
            e = look_up(part, e)
        return e
    domain = np.asarray(lut.domain, dtype=float)
    if isinstance(lut, colour.LUT1D):
        domain = np.repeat(domain[:, None], 3, axis=1)
        table = np.repeat(np.asarray(lut.table)[:, None], 3, axis=1)
    else:
        table = np.asarray(lut.table)
    position = (clamp(e, domain) - domain[0]) / (domain[1] - domain[0])
    if table.ndim == 4:
        return table_interpolation_tetrahedral(position, table)
    steps = np.linspace(0, 1, len(table))
    return np.stack([np.interp(position[:, c], steps, table[:, c]) for c in range(3)], axis=1)


def read(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.cube")
        with open(path, "w") as file:
            file.write(text)
        if "INPUT_RANGE" in text:
            return colour.io.read_LUT_ResolveCube(path)
        return colour.io.read_LUT_IridasCube(path)


def apply(lut, e_linear, space, strength):
    to_working, from_working = matrices(space)
    _, _, encode, decode = SPACES[space]
    e = signed(encode)(e_linear @ from_working.T)
    mixed = e + strength * (look_up(lut, e) - e)
    return signed(decode)(mixed) @ to_working.T


def film(r, g, b):
    """A look with crossed channels, a curve, and values outside 0...1."""
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    out = []
    for c, lift, slope in ((r, 0.05, 1.05), (g, 0.0, 1.0), (b, 0.08, 0.85)):
        v = y + 1.3 * (c - y)
        s = v - 0.12 * np.sin(2 * np.pi * v)
        out.append(lift + slope * s + 0.05 * np.sin(5 * (r - b)))
    return out


def rows(size, lowest=(0, 0, 0), highest=(1, 1, 1), function=film):
    lines = []
    axes = [np.linspace(lowest[c], highest[c], size) for c in range(3)]
    for b in axes[2]:
        for g in axes[1]:
            for r in axes[0]:
                lines.append(" ".join(f"{v:.6f}" for v in function(r, g, b)))
    return "\n".join(lines) + "\n"


def curve_rows(size, lowest, highest):
    lines = []
    for i in range(size):
        x = [lowest[c] + (highest[c] - lowest[c]) * i / (size - 1) for c in range(3)]
        lines.append(" ".join(f"{np.tanh(1.5 * v) + 0.02 * c:.7e}" for c, v in enumerate(x)))
    return "\n".join(lines) + "\n"


def files():
    low, high = (-0.1, -0.05, 0.0), (1.5, 2.0, 1.2)
    text = lambda values: " ".join(str(v) for v in values)
    domain = f"DOMAIN_MIN {text(low)}\nDOMAIN_MAX {text(high)}\n"
    return {
        "film17": 'TITLE "film"\nLUT_3D_SIZE 17\n' + rows(17),
        "film5": "LUT_3D_SIZE 5\n" + rows(5),
        "domain6": "LUT_3D_SIZE 6\n" + domain + rows(6, low, high),
        "curves33": "LUT_1D_SIZE 33\n" + domain + curve_rows(33, low, high),
        "resolveCurves": "LUT_1D_SIZE 65\nLUT_1D_INPUT_RANGE -0.5 2.5\n"
        + curve_rows(65, (-0.5,) * 3, (2.5,) * 3),
        "resolveBoth": "LUT_1D_SIZE 40\nLUT_1D_INPUT_RANGE -0.25 3.0\n"
        + "LUT_3D_SIZE 7\nLUT_3D_INPUT_RANGE -0.2 1.1\n"
        + curve_rows(40, (-0.25,) * 3, (3.0,) * 3)
        + rows(7, (-0.2,) * 3, (1.1,) * 3),
    }


def halds():
    result = {}
    for name, level, depth in (("hald8", 3, 255), ("hald16", 2, 65535)):
        size = level * level
        codes = []
        for i in range(size**3):
            r, g, b = i % size, i // size % size, i // size**2
            v = film(*(np.array([r, g, b]) / (size - 1)))
            codes += [int(round(np.clip(c, 0, 1) * depth)) * (65535 // depth) for c in v]
        result[name] = {"level": level, "codes": codes}
    return result


def hald_lut(hald):
    size = hald["level"] ** 2
    table = np.array(hald["codes"]).reshape(size, size, size, 3) / 65535
    return colour.LUT3D(np.transpose(table, (2, 1, 0, 3)), "hald")


def inputs():
    def cube(size):
        # Encoded steps on sRGB primaries, so that dark colours are there as well.
        steps = srgb_decode(np.linspace(0, 1, size))
        grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1)
        return grid.reshape(-1, 3) @ matrices("sRGB")[0].T

    random = np.random.default_rng(7)
    ramp = np.repeat(srgb_decode(np.linspace(0, 1, 65))[:, None], 3, axis=1)
    beyond = np.concatenate(
        [
            random.uniform(-0.5, 3, (40, 3)),
            np.array([[64, 64, 64], [-64, -64, -64], [64, -64, 0], [0, 64, -64], [-64, 0, 64]]),
            # The corners of the working space itself: wide gamut.
            np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1]]),
        ]
    )
    return {
        "cube17": cube(17),
        "cube5": np.concatenate([cube(5), ramp, beyond]),
    }


def main():
    texts, pictures, colours = files(), halds(), inputs()
    # Both sides get the same rounded numbers.
    colours = {name: np.round(value, 7) for name, value in colours.items()}
    luts = {name: read(text) for name, text in texts.items()}
    luts |= {name: hald_lut(hald) for name, hald in pictures.items()}
    cases = [("film17", 1, "sRGB", "cube17"), ("film17", 0.4, "sRGB", "cube5")]
    cases += [(name, 1, "sRGB", "cube5") for name in luts]
    cases += [("film5", 0.75, space, "cube5") for space in SPACES]
    cases += [("curves33", 0.3, "rec2020", "cube5"), ("hald8", 0.5, "adobeRGB", "cube5")]
    written = []
    for table, strength, space, name in cases:
        outputs = apply(luts[table], colours[name], space, strength)
        written.append(
            {
                "name": f"{table}, strength {strength}, {space}",
                "table": table,
                "strength": strength,
                "colorSpace": space,
                "inputs": name,
                "outputs": [float(f"{v:.6f}") for v in outputs.ravel()],
            }
        )
    data = {
        "files": texts,
        "halds": pictures,
        "inputs": {name: value.ravel().tolist() for name, value in colours.items()},
        "cases": written,
    }
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lut.json")
    with open(path, "w") as file:
        json.dump(data, file, separators=(",", ":"))
        file.write("\n")
    print(f"{len(written)} cases, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
