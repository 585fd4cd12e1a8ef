#!/usr/bin/env python3
"""Golden values of the colour filters and the looks: writes colours.json beside itself.

    python3 -m venv venv && venv/bin/pip install numpy colour-science
    venv/bin/python Tests/Reference/colours.py

Every filter is written here from its published formula (docs/filters.md), in double precision and
one after the other, apart from the engine. Where colour-science has the step (Oklab, sRGB's curve,
RGB primaries, Bradford), that is used. All colours are linear RGB on Rec. 2020 primaries, D65.

colours.json: {"inputs": {NAME: [[r, g, b], ...]}, "cases": [{"name", "filters", "input",
"samples", "output"}]}. "filters" is the list of a record; "samples" are places in the input.

Not named colour.py, so that it does not hide the module colour from its neighbours.
"""
import json
import os

import colour
import numpy as np

D65 = np.array([0.3127, 0.3290])


def primaries(xy):
    return colour.normalised_primary_matrix(np.array(xy), D65)


REC2020 = primaries([[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]])
SRGB = primaries([[0.640, 0.330], [0.300, 0.600], [0.150, 0.060]])
TO_SRGB = np.linalg.inv(SRGB) @ REC2020
FROM_SRGB = np.linalg.inv(TO_SRGB)
Y709 = np.array([0.2126, 0.7152, 0.0722])


def encode(x):
    m = np.abs(x)
    return np.sign(x) * np.where(m <= 0.0031308, 12.92 * m,
                                 1.055 * np.maximum(m, 1e-12) ** (1 / 2.4) - 0.055)


def decode(e):
    m = np.abs(e)
    return np.sign(e) * np.where(m <= 0.04045, m / 12.92, ((m + 0.055) / 1.055) ** 2.4)


def linearly(function):
    """On linear light with sRGB primaries."""
    return lambda c: function(c @ TO_SRGB.T) @ FROM_SRGB.T


def encodedly(function):
    return linearly(lambda c: decode(function(encode(c))))


# Oklab: the author's code for linear sRGB.
M1 = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
               [0.2119034982, 0.6806995451, 0.1073969566],
               [0.0883024619, 0.2817188376, 0.6299787005]])
M2 = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
               [1.9779984951, -2.4285922050, 0.4505937099],
               [0.0259040371, 0.7827717662, -0.8086757660]])


def to_oklab(c):
    return np.cbrt(c @ M1.T) @ M2.T


def from_oklab(lab):
    return (lab @ np.linalg.inv(M2).T) ** 3 @ np.linalg.inv(M1).T


# An outside check of the numbers above.
_probe = np.array([[0.2, 0.5, 0.7], [1.0, 0.0, 0.0]])
assert np.allclose(to_oklab(_probe), colour.XYZ_to_Oklab(_probe @ SRGB.T), atol=2e-4)


def in_oklch(function):
    def apply(c):
        lab = to_oklab(c)
        L, C, h = lab[:, 0], np.hypot(lab[:, 1], lab[:, 2]), np.arctan2(lab[:, 2], lab[:, 1])
        L, C, h = function(L, C, h)
        return from_oklab(np.stack([L, C * np.cos(h), C * np.sin(h)], -1))
    return linearly(apply)


def pure(hue):
    """HSL(hue, 100 %, 50 %), as the sample code of CSS Color 4."""
    def f(n):
        k = (n + hue / 30) % 12
        return 0.5 - 0.5 * max(-1, min(k - 3, 9 - k, 1))
    return np.array([f(0), f(8), f(4)])


def without_luma(hue):
    p = pure(hue)
    return p - Y709 @ p


BANDS = {"red": 0, "orange": 30, "yellow": 60, "green": 120, "aqua": 180, "blue": 240,
         "purple": 270, "magenta": 300}


def centre(hue):
    lab = to_oklab(decode(pure(hue))[None])[0]
    return np.degrees(np.arctan2(lab[2], lab[1])) % 360


CENTRES = [centre(h) for h in BANDS.values()]


def band_weights(h):
    """Eight weights for each hue in radians."""
    h = np.degrees(h) % 360
    w = np.zeros((8, len(h)))
    for i in range(8):
        low, high = CENTRES[i], CENTRES[(i + 1) % 8]
        t = ((h - low) % 360) / ((high - low) % 360)
        inside = t < 1
        w[i][inside] += 0.5 + 0.5 * np.cos(np.pi * t[inside])
        w[(i + 1) % 8][inside] += 0.5 - 0.5 * np.cos(np.pi * t[inside])
    assert np.allclose(w.sum(0), 1)
    return w


def f_hsl(p):
    shifts = np.array([p.get(name, [0, 0, 0]) for name in BANDS])

    def apply(c):
        lab = to_oklab(c)
        C, h = np.hypot(lab[:, 1], lab[:, 2]), np.arctan2(lab[:, 2], lab[:, 1])
        hue, saturation, luminance = shifts.T @ band_weights(h)
        g = 1 + 0.5 * luminance
        C2, h2 = g * (1 + saturation) * C, h + np.radians(30) * hue
        shifted = np.stack([g * lab[:, 0], C2 * np.cos(h2), C2 * np.sin(h2)], -1)
        q = np.minimum(1, (C / 0.1) ** 2)
        k = (q * (2 - q))[:, None]
        return from_oklab((1 - k) * lab + k * shifted)
    return linearly(apply)


def f_vibrance(p):
    v = p["amount"]
    return in_oklch(lambda L, C, h: (
        L, C * np.maximum(0, 1 + v * (1 - np.minimum(1, C / 0.4) ** abs(v))), h))


def f_saturation(p):
    def apply(c):
        y = (c @ Y709)[:, None]
        return y + p["amount"] * (c - y)
    return linearly(apply)


def f_hue(p):
    a = np.radians(p["degrees"])
    m = (np.array([[0.213, 0.715, 0.072]] * 3)
         + np.cos(a) * np.array([[0.787, -0.715, -0.072], [-0.213, 0.285, -0.072],
                                 [-0.213, -0.715, 0.928]])
         + np.sin(a) * np.array([[-0.213, -0.715, 0.928], [0.143, 0.140, -0.283],
                                 [-0.787, 0.715, 0.072]]))
    return linearly(lambda c: c @ m.T)


def rows(p):
    return np.array([p.get("red", [1, 0, 0]), p.get("green", [0, 1, 0]), p.get("blue", [0, 0, 1])])


def f_channelMixer(p):
    return linearly(lambda c: c @ rows(p).T + np.array(p.get("constant", [0, 0, 0])))


def f_colourMatrix(p):
    where = encodedly if p.get("encoding", "linear") == "encoded" else linearly
    return where(lambda c: c @ rows(p).T + np.array(p.get("bias", [0, 0, 0])))


def f_monochrome(p):
    w = np.array([p.get("red", 0.2126), p.get("green", 0.7152), p.get("blue", 0.0722)])
    if p.get("normalised", True) and abs(w.sum()) >= 0.01:
        w = w / w.sum()
    return linearly(lambda c: np.repeat((c @ w)[:, None], 3, 1))


def f_sepia(p):
    a = 1 - p.get("amount", 1)
    m = np.array([[0.393 + 0.607 * a, 0.769 - 0.769 * a, 0.189 - 0.189 * a],
                  [0.349 - 0.349 * a, 0.686 + 0.314 * a, 0.168 - 0.168 * a],
                  [0.272 - 0.272 * a, 0.534 - 0.534 * a, 0.131 + 0.869 * a]])
    return encodedly(lambda e: e @ m.T)


def f_colourGrade(p):
    slope = np.array(p.get("slope", [1, 1, 1]))
    offset = np.array(p.get("offset", [0, 0, 0]))
    power = np.array(p.get("power", [1, 1, 1]))
    s = p.get("saturation", 1)

    def wheel(name):
        return (p.get(name + "Amount", 0) * without_luma(p.get(name + "Hue", 0))
                + p.get(name + "Luminance", 0)) / 4

    def apply(e):
        x = e * slope + offset
        x = np.where(x > 0, np.maximum(x, 1e-300) ** power, x)
        y = (x @ Y709)[:, None]
        z = y + s * (x - y)
        t = np.clip((z @ Y709)[:, None], 0, 1)
        return (z + (1 - t) ** 2 * wheel("shadow") + 2 * t * (1 - t) * wheel("midtone")
                + t ** 2 * wheel("highlight"))
    return encodedly(apply)


def f_splitTone(p):
    low = p.get("shadowSaturation", 0) * without_luma(p.get("shadowHue", 0))
    high = p.get("highlightSaturation", 0) * without_luma(p.get("highlightHue", 0))

    def apply(e):
        t = np.clip((e @ Y709)[:, None], 0, 1)
        w = t / (t + (1 - t) * 4.0 ** -p.get("balance", 0))
        return e + t * (1 - t) * ((1 - w) * low + w * high)
    return encodedly(apply)


def f_tint(p):
    c = np.array(p.get("colour", [0.6, 0.45, 0.3]))

    def apply(e):
        y = (e @ Y709)[:, None]
        tone = np.where(y < 0.5, 2 * y * c, 1 - 2 * (1 - y) * (1 - c))
        return e + p.get("amount", 1) * (tone - e)
    return encodedly(apply)


def f_posterize(p):
    n = p["levels"] - 1
    return encodedly(lambda e: np.round(e * n) / n)


def f_invert(p):
    a = p.get("amount", 1)
    return encodedly(lambda e: e * (1 - 2 * a) + a)


def f_clamp(p):
    return encodedly(lambda e: np.minimum(np.maximum(e, p.get("min", 0)), p.get("max", 1)))


BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367],
                     [0.0389, -0.0685, 1.0296]])


def daylight(t):
    x = (0.244063 + 0.09911e3 / t + 2.9678e6 / t ** 2 - 4.6070e9 / t ** 3 if t <= 7000
         else 0.237040 + 0.24748e3 / t + 1.9018e6 / t ** 2 - 2.0064e9 / t ** 3)
    y = -3 * x * x + 2.87 * x - 0.275
    return np.array([x / y, 1, (1 - x - y) / y])


def f_temperatureTint(p):
    """Daylight only, tint 0."""
    gain = BRADFORD @ daylight(6500) / (BRADFORD @ daylight(p["temperature"]))
    m = np.linalg.inv(BRADFORD) @ np.diag(gain) @ BRADFORD
    m = np.linalg.inv(REC2020) @ m @ REC2020
    return lambda c: c @ m.T


def tone(points, version):
    """Fritsch and Carlson 1980: slopes from the mean of the secants, then into the circle of 3.

    From version 2 on an end in a corner of the unit square goes on straight.
    """
    x, y = np.array(points, float).T
    d = np.diff(y) / np.diff(x)
    m = np.concatenate([[d[0]], np.where(d[:-1] * d[1:] > 0, (d[:-1] + d[1:]) / 2, 0), [d[-1]]])
    for k in range(len(d)):
        if d[k] == 0:
            m[k] = m[k + 1] = 0
            continue
        r = np.hypot(m[k], m[k + 1]) / abs(d[k])
        if r > 3:
            m[k], m[k + 1] = m[k] * 3 / r, m[k + 1] * 3 / r

    def apply(e):
        v = np.clip(e, x[0], x[-1])
        k = np.clip(np.searchsorted(x, v, side="right") - 1, 0, len(d) - 1)
        h = x[k + 1] - x[k]
        t = (v - x[k]) / h
        inside = ((1 + 2 * t) * (1 - t) ** 2 * y[k] + t * t * (3 - 2 * t) * y[k + 1]
                  + h * (t * (1 - t) ** 2 * m[k] + t * t * (t - 1) * m[k + 1]))
        if version > 1 and x[0] == 0 and y[0] in (0, 1):
            inside = np.where(e < 0, y[0] + m[0] * e, inside)
        if version > 1 and x[-1] == 1 and y[-1] in (0, 1):
            inside = np.where(e > 1, y[-1] + m[-1] * (e - 1), inside)
        return inside
    return apply


X5 = [0, 0.25, 0.5, 0.75, 1]
LOOKS = {
    "mono": [("saturation", {"amount": 0})],
    "tonal": [("grey", [0.2126, 0.7152, 0.0722]), ("curves", [[0.06, 0.29, 0.53, 0.76, 0.97]])],
    "noir": [("grey", [0.45, 0.45, 0.1]), ("curves", [[0, 0.12, 0.48, 0.86, 1]])],
    "fade": [("luma", 0.7), ("curves", [[0.1, 0.31, 0.54, 0.76, 0.94]])],
    "chrome": [("luma", 1.25), ("curves", [[0, 0.21, 0.51, 0.81, 1]])],
    "process": [("luma", 0.95), ("curves", [[0, 0.19, 0.48, 0.79, 0.98],
                                            [0.02, 0.25, 0.54, 0.81, 1],
                                            [0.1, 0.29, 0.5, 0.72, 0.92]])],
    "transfer": [("luma", 0.85), ("curves", [[0.08, 0.31, 0.57, 0.8, 1],
                                             [0.05, 0.27, 0.52, 0.76, 0.97],
                                             [0.05, 0.24, 0.46, 0.69, 0.9]])],
    "instant": [("luma", 0.8), ("curves", [[0.06, 0.28, 0.56, 0.82, 0.99],
                                           [0.07, 0.28, 0.54, 0.79, 0.97],
                                           [0.13, 0.32, 0.52, 0.71, 0.87]])],
    "warm": [("temperatureTint", {"temperature": 7800}), ("luma", 1.08)],
    "cool": [("temperatureTint", {"temperature": 5500}), ("luma", 0.95)],
}


def look(name):
    def step(kind, value, version):
        if kind == "grey":
            return encodedly(lambda e: np.repeat((e @ np.array(value))[:, None], 3, 1))
        if kind == "luma":
            def apply(e):
                y = (e @ Y709)[:, None]
                return y + value * (e - y)
            return encodedly(apply)
        if kind == "curves":
            curves = [tone(list(zip(X5, ys)), version) for ys in (value * 3)[:3]]
            return encodedly(lambda e: np.stack([curves[i](e[:, i]) for i in range(3)], -1))
        return globals()["f_" + kind](value)

    def make(p):
        def apply(c):
            result = c
            for kind, value in LOOKS[name]:
                result = step(kind, value, p.get("version", 2))(result)
            return c + p.get("amount", 1) * (result - c)
        return apply
    return make


def apply(filters, c):
    for entry in filters:
        name = entry["filter"]
        make = look(name) if name in LOOKS else globals()["f_" + name]
        c = make(entry)(c)
    return c


def inputs():
    rng = np.random.default_rng(20)
    axis = np.linspace(0, 1, 17)
    cube = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1).reshape(-1, 3)
    # The cube in encoded values of sRGB, then the working space's own, in light.
    cube_srgb = decode(cube) @ FROM_SRGB.T
    ramp = np.repeat(decode(np.linspace(0, 1.25, 161))[:, None], 3, 1)
    wide = rng.random((200, 3)) ** 2.2
    pure_wide = np.concatenate([np.eye(3) * s for s in (0.01, 0.1, 0.5, 1, 2)]
                               + [(1 - np.eye(3)) * s for s in (0.01, 0.1, 0.5, 1, 2)])
    outside = np.concatenate([rng.uniform(-0.3, 1.8, (200, 3)), rng.uniform(-2, 16, (60, 3)),
                              rng.uniform(0, 64, (40, 3))])
    beyond = np.concatenate([ramp, wide, pure_wide, outside])
    return {"cube": cube_srgb.round(7), "beyond": beyond.round(7)}


def case_list():
    def one(filter, **p):
        return [{"filter": filter, **p}]
    lists = [one("saturation", amount=a) for a in (0, 0.4, 1.7, 4)]
    lists += [one("vibrance", amount=a) for a in (-1, -0.6, -0.1, 0.05, 0.35, 0.7, 1)]
    lists += [one("hue", degrees=a) for a in (-360, -170, -40, 15, 90, 180)]
    bands = list(BANDS)
    lists += [one("hsl", **{b: s}) for b, s in zip(bands, [
        [1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0.5, 0], [0, -1, -1], [0.5, 0.5, 0.5], [-0.3, 1, 0.2],
        [1, -1, 1]])]
    lists += [one("hsl", **{b: s for b, s in zip(bands, np.array(t).tolist())}) for t in (
        [[1, 1, 1]] * 8, [[-1, -0.5, -1]] * 8, [[0, -1, 0]] * 8, [[0, 0, 0.4]] * 8,
        [[(-1) ** i, (-1) ** i, -(-1) ** i] for i in range(8)],
        [[0.1 * i - 0.3, 0.2 - 0.1 * i, 0.05 * i] for i in range(8)])]
    lists += [
        one("channelMixer", red=[0.8, 0.3, -0.1], green=[0.1, 0.7, 0.2], blue=[0, -0.4, 1.4]),
        one("channelMixer", red=[0, 0, 1], blue=[1, 0, 0], constant=[0.05, -0.1, 0.2]),
        one("channelMixer", constant=[-0.5, 0, 1]),
        one("colourMatrix", red=[1.2, -0.1, 0], green=[0.3, 0.4, 0.5], blue=[-1, 2, 0.25]),
        one("colourMatrix", red=[-0.5, 0.2, 0.1], bias=[0.9, 0.1, 0]),
        one("colourMatrix", red=[1.2, -0.1, 0], green=[0.3, 0.4, 0.5], blue=[-1, 2, 0.25],
            bias=[0.1, -0.2, 0.05], encoding="encoded"),
        one("colourMatrix", bias=[0.1, -0.2, 0.3], encoding="encoded"),
        one("monochrome"), one("monochrome", red=1, green=0.5, blue=-0.2),
        one("monochrome", red=0.4, green=0.4, blue=0.4, normalised=False),
        one("monochrome", red=1, green=-1, blue=0),
        one("sepia"), one("sepia", amount=0.35)]
    lists += [one("colourGrade", **p) for p in (
        {"slope": [1.2, 1, 0.8]}, {"offset": [0.05, 0, -0.1], "slope": [0, 4, 1]},
        {"power": [0.8, 1, 1.25]}, {"power": [4, 2.2, 0.5], "slope": [0.9, 1.1, 1]},
        {"slope": [1.1, 0.95, 1.3], "offset": [0.02, 0.01, 0.03], "power": [0.9, 1.1, 1.7],
         "saturation": 1.4}, {"saturation": 0}, {"saturation": 4},
        {"shadowHue": 230, "shadowAmount": 0.6, "shadowLuminance": -0.2},
        {"midtoneHue": 100, "midtoneAmount": 1, "midtoneLuminance": 0.5},
        {"highlightHue": 45, "highlightAmount": 0.8, "highlightLuminance": 1},
        {"shadowHue": 200, "shadowAmount": 0.5, "highlightHue": 30, "highlightAmount": 0.5,
         "midtoneLuminance": -1, "saturation": 1.2, "slope": [1.05, 1, 0.97]})]
    lists += [one("splitTone", **p) for p in (
        {"shadowHue": 220, "shadowSaturation": 0.6, "highlightHue": 45, "highlightSaturation": 0.4},
        {"shadowHue": 0, "shadowSaturation": 1, "highlightHue": 180, "highlightSaturation": 1,
         "balance": 1}, {"highlightHue": 359, "highlightSaturation": 1, "balance": -0.7})]
    lists += [one("tint"), one("tint", colour=[0, 0.5, 1], amount=0.4), one("tint", colour=[1, 1, 0]),
              one("invert"), one("invert", amount=0.3), one("invert", amount=0.5),
              one("clamp"), one("clamp", min=0.1, max=0.8), one("clamp", min=-0.2, max=1.7),
              one("clamp", min=0.7, max=0.2)]
    lists += [one("posterize", levels=n) for n in (2, 3, 6, 20, 256)]
    lists += [one(name) for name in LOOKS]
    lists += [one(name, amount=0.45) for name in ("mono", "noir", "chrome", "instant", "warm")]
    lists += [
        one("hsl", red=[0.4, 0.3, -0.2], blue=[-0.5, 0.2, -0.3]) + one("vibrance", amount=0.5),
        one("vibrance", amount=-0.5) + one("hsl", green=[0.6, -0.3, 0.2], orange=[0, 0.4, 0.1])
        + one("vibrance", amount=0.3),
        one("sepia", amount=0.5) + one("hue", degrees=40) + one("splitTone", shadowHue=250,
                                                                shadowSaturation=0.5),
        one("colourGrade", power=[1.2, 1, 0.9]) + one("tint", amount=0.3) + one("fade", amount=0.5)]
    lists += [one(name, version=1) for name in ("noir", "chrome", "process", "transfer")]
    lists += [one("chrome", version=1, amount=0.45)]
    return lists


def away_from_steps(filters, c, places):
    """Leaves out colours for which a hair's breadth in the input is more in the output.

    Posterize has steps, Oklab's cube roots and powers below 1 are infinitely steep at zero; there
    no float arithmetic can follow, for the rounding of its input alone decides.
    """
    at = c[places]
    before = apply(filters, at)
    worst = np.zeros(len(at))
    for d in (1, -1):
        for channel in range(3):
            shifted = at.copy()
            shifted[:, channel] += d * 3e-6 * np.maximum(0.2, np.abs(at).max(1))
            change = np.abs(apply(filters, shifted) - before).max(1)
            worst = np.maximum(worst, change / np.maximum(1, np.abs(before).max(1)))
    return places[worst < 1e-3]


def number(value):
    text = float(f"{value:.7g}")
    return int(text) if text == int(text) else text


def main():
    given = inputs()
    rng = np.random.default_rng(3)
    cases = []
    for filters in case_list():
        name = ", ".join(
            " ".join([f["filter"]] + [f"{k} {v}" for k, v in f.items() if k != "filter"])
            for f in filters)
        for key, colours in given.items():
            count = len(colours)
            places = (np.sort(rng.choice(count, 120, replace=False)) if key == "cube"
                      else np.sort(rng.choice(count, 150, replace=False)))
            if key == "beyond":  # always some greys
                places = np.union1d(places, np.arange(0, 161, 8))
            places = away_from_steps(filters, colours, places)
            assert len(places) > 60, (name, key, len(places))
            output = apply(filters, colours[places])
            assert np.isfinite(output).all(), name
            cases.append({"name": f"{name}; {key}", "filters": filters, "input": key,
                          "samples": places.tolist(),
                          "output": [[number(v) for v in row] for row in output]})
    document = {"inputs": {k: [[number(v) for v in row] for row in c] for k, c in given.items()},
                "cases": cases}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "colours.json")
    with open(path, "w") as file:
        file.write('{"inputs": {\n')
        file.write(",\n".join(f'{json.dumps(k)}: {json.dumps(v, separators=(",", ":"))}'
                              for k, v in document["inputs"].items()))
        file.write('\n},\n"cases": [\n')
        file.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in document["cases"]))
        file.write("\n]}\n")
    print(len(cases), "cases,", os.path.getsize(path), "bytes")


if __name__ == "__main__":
    main()
