"""Colours before and after the tone filters: writes tone.json beside this file.

An implementation of the formulas in docs/filters.md on its own, in double precision, with NumPy,
SciPy and colour-science. Colours are linear RGB with Rec. 2020 primaries and the white of D65.

Make the JSON again:
    python3 -m venv venv && venv/bin/pip install numpy scipy colour-science
    venv/bin/python Tests/Reference/tone.py
"""

import json
import pathlib
import warnings

import numpy as np
from scipy.interpolate import CubicHermiteSpline

warnings.filterwarnings("ignore")
import colour  # noqa: E402

D65 = np.array([0.3127, 0.3290])


def to_xyz(name):
    space = colour.RGB_COLOURSPACES[name]
    return colour.normalised_primary_matrix(space.primaries, D65)


WORKING = to_xyz("ITU-R BT.2020")
SRGB = to_xyz("sRGB")
TO_SRGB = np.linalg.inv(SRGB) @ WORKING
FROM_SRGB = np.linalg.inv(WORKING) @ SRGB
FROM_P3 = np.linalg.inv(WORKING) @ to_xyz("Display P3")


def encode(x):
    return np.sign(x) * colour.models.eotf_inverse_sRGB(np.abs(x))


def decode(e):
    return np.sign(e) * colour.models.eotf_sRGB(np.abs(e))


# --- the filters, on linear light with sRGB primaries unless said otherwise


def encoded(colours, function):
    """A function of the values of each channel, encoded."""
    return decode(np.stack([function(encode(colours[:, c]), c) for c in range(3)], axis=1))


def exposure(colours, ev):
    return colours * 2.0**ev


def contrast(colours, amount, pivot=0.5):
    return encoded(colours, lambda e, c: (e - pivot) * amount + pivot)


def brightness(colours, amount):
    return encoded(colours, lambda e, c: e + amount)


def gamma(colours, power):
    size = np.abs(colours)
    line = size * 2.0 ** (14 - 14 * power)
    return np.sign(colours) * np.where(size < 2.0**-14, line, size**power)


def five(e, black=0, white=1, gamma=1, outputBlack=0, outputWhite=1, clamp=True):
    if (black, white, gamma, outputBlack, outputWhite) == (0, 1, 1, 0, 1):
        return e
    t = (e - black) / (white - black)
    if clamp:
        t = np.clip(t, 0, 1)
    if gamma != 1:
        low, size = 2.0**-12, np.abs(t)
        t = np.sign(t) * np.where(size < low, size / low * low ** (1 / gamma), size ** (1 / gamma))
    return outputBlack + (outputWhite - outputBlack) * t


def levels(colours, red=(), green=(), blue=(), version=2, clamp=False, **all_channels):
    own, clamp = [red, green, blue], clamp or version == 1
    return encoded(
        colours, lambda e, c: five(five(e, clamp=clamp, **all_channels), *own[c], clamp=clamp))


def whitesBlacks(colours, whites=0, blacks=0):
    def weight(t):
        return np.where(t <= 0, 0, np.where(t < 1, t**3, 3 * t - 2))

    return encoded(colours, lambda e, c: e + (whites * weight(e) + blacks * weight(1 - e)) / 4)


def fritsch_carlson(points, version):
    """The monotone cubic of the paper's second method: slopes from three-point averages, then limited."""
    x, y = np.array(points, float).T
    secants = np.diff(y) / np.diff(x)
    slopes = np.concatenate([secants[:1], (secants[1:] + secants[:-1]) / 2, secants[-1:]])
    slopes[1:-1][secants[1:] * secants[:-1] <= 0] = 0
    for k, secant in enumerate(secants):
        if secant == 0:
            slopes[k] = slopes[k + 1] = 0
            continue
        alpha, beta = slopes[k] / secant, slopes[k + 1] / secant
        if alpha**2 + beta**2 > 9:
            tau = 3 / np.hypot(alpha, beta)
            slopes[k], slopes[k + 1] = tau * alpha * secant, tau * beta * secant
    spline = CubicHermiteSpline(x, y, slopes)
    # From version 2 on an end in a corner of the unit square is the beginning of a straight line.
    first = slopes[0] if version > 1 and points[0] in ([0, 0], [0, 1]) else 0
    last = slopes[-1] if version > 1 and points[-1] in ([1, 0], [1, 1]) else 0

    def curve(e):
        inside = np.clip(e, x[0], x[-1])
        beyond = np.where(e < inside, first, last) * (e - inside)
        return spline(inside) + beyond

    return curve


def toneCurve(colours, points=None, red=None, green=None, blue=None, luminance=None, version=2):
    def curve(points):
        return fritsch_carlson(points, version) if points else lambda e: e

    every, own = curve(points), [curve(red), curve(green), curve(blue)]
    if points or red or green or blue:
        colours = encoded(colours, lambda e, c: own[c](every(e)))
    if luminance:
        curve = fritsch_carlson(luminance, version)
        light = lambda y: decode(curve(encode(y)))  # noqa: E731
        # The luminance of sRGB's own primaries is the same as that of any other.
        y = np.clip(colours @ SRGB[1], 2.0**-24, 64)
        lift = light(np.array([0.0]))
        colours = colours * ((light(y) - lift) / y)[:, None] + lift
    return colours


FILTERS = [exposure, contrast, brightness, gamma, levels, whitesBlacks, toneCurve]
BY_NAME = {f.__name__: f for f in FILTERS}


def run(filters, working):
    colours = working.astype(np.float64) @ TO_SRGB.T
    for step in filters:
        parameters = {k: v for k, v in step.items() if k != "filter"}
        colours = BY_NAME[step["filter"]](colours, **parameters)
    return colours @ FROM_SRGB.T


# --- what goes in


def grid(steps):
    return np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3)


def inputs():
    random = np.random.default_rng(3)
    cube = decode(grid(np.linspace(0, 1, 17))) @ FROM_SRGB.T
    wide = decode(grid(np.linspace(0, 1, 5))) @ FROM_P3.T
    gamut = grid(np.linspace(0, 1, 4))
    greys = np.repeat(decode(np.linspace(0, 1, 129))[:, None], 3, 1)
    dark = np.repeat(2.0 ** np.linspace(-20, -6, 57)[:, None], 3, 1)
    bright = np.repeat(np.linspace(1, 8, 29)[:, None], 3, 1)
    below = -greys[::16]
    beyond = random.uniform(-0.5, 2, (150, 3))
    mixed = np.concatenate([greys, dark, bright, below, wide, gamut, beyond])
    return {"cube": cube.astype(np.float32), "mixed": mixed.astype(np.float32)}


S_CURVE = [[0, 0], [0.25, 0.19], [0.5, 0.52], [0.75, 0.83], [1, 1]]
MANY = [[round(i / 20, 3), round(0.5 + 0.5 * np.sin(1.7 * i) * np.exp(-i / 15), 4)] for i in range(21)]

CUBE = [
    ("exposure", {"ev": 0.7}),
    ("contrast", {"amount": 1.3}),
    ("brightness", {"amount": 0.08}),
    ("gamma", {"power": 1.8}),
    ("levels", {"black": 0.05, "white": 0.9, "gamma": 1.4, "red": [0.02, 0.95, 0.8, 0.05, 1]}),
    ("whitesBlacks", {"whites": 0.6, "blacks": -0.5}),
    ("toneCurve", {"points": S_CURVE, "blue": [[0, 0.05], [1, 0.92]]}),
    ("toneCurve", {"luminance": S_CURVE}),
]
MIXED = [
    ("exposure", {"ev": -3.3}),
    ("exposure", {"ev": 4}),
    ("contrast", {"amount": 0.2, "pivot": 0.1}),
    ("contrast", {"amount": 0}),
    ("contrast", {"amount": 4}),
    ("brightness", {"amount": -0.4}),
    ("brightness", {"amount": 1}),
    ("gamma", {"power": 0.25}),
    ("gamma", {"power": 0.45}),
    ("gamma", {"power": 2.2}),
    ("gamma", {"power": 4}),
    ("levels", {"gamma": 0.3}),
    ("levels", {"gamma": 3}),
    ("levels", {"black": 0.4, "white": 0.41}),
    ("levels", {"black": 0.07, "white": 0.1, "gamma": 1.7}),
    ("levels", {"outputBlack": 0.9, "outputWhite": 0.2, "gamma": 2}),
    ("levels", {"black": 0.1, "green": [0.1, 0.8, 1.2, 0.1, 0.7], "blue": [0, 1, 0.6, 0, 1]}),
    ("levels", {"black": 0.07, "white": 0.1, "gamma": 1.7, "clamp": True}),
    ("levels", {"black": 0.1, "green": [0.1, 0.8, 1.2, 0.1, 0.7], "clamp": True}),
    ("levels", {"version": 1, "gamma": 3}),
    ("levels", {"version": 1, "black": 0.4, "white": 0.41}),
    ("levels", {"version": 1, "black": 0.07, "white": 0.1, "gamma": 1.7}),
    ("levels", {"version": 1, "outputBlack": 0.9, "outputWhite": 0.2, "gamma": 2}),
    ("levels", {"version": 1, "black": 0.1, "green": [0.1, 0.8, 1.2, 0.1, 0.7], "blue": [0, 1, 0.6, 0, 1]}),
    ("whitesBlacks", {"whites": -1, "blacks": 1}),
    ("whitesBlacks", {"whites": 1, "blacks": 0.3}),
    ("toneCurve", {"points": MANY}),
    ("toneCurve", {"points": [[0.1, 0], [0.11, 1]]}),
    ("toneCurve", {"points": [[0.37, 0.8], [0.6, 0.2]], "red": [[0.3, 0], [0.5, 0.7], [0.52, 1]]}),
    ("toneCurve", {"green": S_CURVE}),
    ("toneCurve", {"luminance": [[0, 0.2], [0.5, 0.6], [1, 0.9]]}),
    ("toneCurve", {"luminance": [[0, 1], [1, 0]]}),
    ("toneCurve", {"luminance": [[0.2, 0], [0.7, 0.6], [0.9, 1]]}),
    ("toneCurve", {"points": S_CURVE, "red": [[0, 0], [1, 0.9]], "luminance": S_CURVE}),
    ("toneCurve", {"points": S_CURVE}),
    ("toneCurve", {"points": [[0, 1], [0.4, 0.5], [1, 0]]}),
    ("toneCurve", {"points": [[0, 0], [0.1, 0], [0.9, 1], [1, 1]], "green": [[0, 0.1], [1, 1]]}),
    ("toneCurve", {"luminance": [[0, 0], [0.5, 0.6], [1, 1]]}),
    ("toneCurve", {"version": 1, "points": S_CURVE}),
    ("toneCurve", {"version": 1, "points": S_CURVE, "red": [[0, 0], [1, 0.9]], "luminance": S_CURVE}),
    ("toneCurve", {"version": 1, "luminance": [[0, 1], [1, 0]]}),
]
LISTS = [
    [("exposure", {"ev": 0.4}), ("contrast", {"amount": 1.2}), ("levels", {"black": 0.03, "gamma": 1.1}),
     ("toneCurve", {"points": S_CURVE}), ("brightness", {"amount": 0.02})],
    [("levels", {"black": 0.2, "white": 0.7}), ("levels", {"black": 0.3, "white": 0.6, "gamma": 0.7})],
    [("toneCurve", {"points": S_CURVE}), ("toneCurve", {"points": [[0.23, 0.1], [0.777, 1]]}),
     ("gamma", {"power": 1.3}), ("whitesBlacks", {"whites": 0.4, "blacks": 0.4})],
]



def shortest(value):
    """The shortest decimal that a float reads back as the same."""
    return float(np.format_float_scientific(value, unique=True))


def main():
    colours = inputs()
    cases = []
    chosen = [("cube", [c]) for c in CUBE] + [("mixed", [c]) for c in MIXED]
    chosen += [("mixed", steps) for steps in LISTS]
    for name, steps in chosen:
        filters = [{"filter": step} | parameters for step, parameters in steps]
        text = ", ".join(f"{step} {json.dumps(parameters)}" for step, parameters in steps)
        output = [[round(float(v), 5) for v in c] for c in run(filters, colours[name])]
        cases.append({"name": text, "filters": filters, "input": name, "output": output})
    data = {
        "inputs": {n: [[shortest(v) for v in c] for c in a] for n, a in colours.items()},
        "cases": cases,
    }
    path = pathlib.Path(__file__).with_suffix(".json")
    text = json.dumps(data, separators=(",", ":"))
    path.write_text(text.replace('{"name"', '\n{"name"') + "\n")


if __name__ == "__main__":
    main()
