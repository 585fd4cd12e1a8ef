"""Codes of pictures in wide colour spaces before and after filters: writes wide.json beside itself.

16-bit codes of a picture with a matrix profile go to linear RGB with Rec. 2020 primaries and the white
of D65 as ICC.1 says, through the filters of tone.py and colours.py, and back to codes of the same space.

Make the JSON again:
    python3 -m venv venv && venv/bin/pip install numpy scipy colour-science
    venv/bin/python Tests/Reference/wide.py
"""

import json
import pathlib

import numpy as np

import colours
import tone
from tone import colour


def fixed(values):
    """As the numbers of a profile are kept: s15Fixed16."""
    return np.round(np.array(values, float) * 65536) / 65536


# The tags rXYZ, gXYZ and bXYZ under D50, and the curve of all channels as function 3 of the type para:
# (a x + b) ^ g from d on, c x below.
PROFILES = {
    # ISO 22028-2, ROMM RGB; colourants as published by Bruce Lindbloom.
    "ProPhoto RGB": {
        "colourants": [[0.7976749, 0.2880402, 0.0], [0.1351917, 0.7118741, 0.0],
                       [0.0313534, 0.0000857, 0.8252100]],
        "curve": [1.8, 1, 0, 1 / 16, 1 / 32],
    },
    # The colourants of Apple's profile and the curve of IEC 61966-2-1.
    "Display P3": {
        "colourants": [[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189],
                       [0.15710, 0.06657, 0.78407]],
        "curve": [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045],
    },
}


class Space:
    def __init__(self, name, profile):
        self.g, self.a, self.b, self.c, self.d = fixed(profile["curve"])
        matrix = fixed(profile["colourants"]).T
        d65 = colour.xy_to_XYZ([0.3127, 0.3290])
        adaptation = colour.adaptation.matrix_chromatic_adaptation_VonKries(
            fixed([0.9642, 1, 0.8249]), d65, transform="Bradford")
        matrix = np.linalg.inv(tone.WORKING) @ adaptation @ matrix
        # White is white: what the digits of a profile leave of colour in it is not meant.
        self.matrix = np.diag(1 / (matrix @ [1, 1, 1])) @ matrix
        if name == "Display P3":
            # Nor are the digits of a space whose primaries are known.
            assert np.abs(self.matrix - tone.FROM_P3).max() < 1e-4
            self.matrix = tone.FROM_P3

    def light(self, codes):
        x = codes / 65535
        light = np.where(x >= self.d, np.abs(self.a * x + self.b) ** self.g, self.c * x)
        return light @ self.matrix.T

    def codes(self, working):
        light = np.clip(working @ np.linalg.inv(self.matrix).T, 0, 1)
        x = np.where(light < self.c * self.d, light / self.c,
                     (light ** (1 / self.g) - self.b) / self.a)
        return 65535 * np.clip(x, 0, 1)


S_CURVE = [[0, 0], [0.25, 0.2], [0.75, 0.82], [1, 1]]
FILTERS = [
    [],
    [("exposure", {"ev": -0.5})],
    [("contrast", {"amount": 0.85})],
    [("brightness", {"amount": -0.04})],
    [("gamma", {"power": 1.2})],
    [("levels", {"black": 0.04, "white": 0.97, "gamma": 1.2})],
    [("whitesBlacks", {"whites": -0.3, "blacks": 0.3})],
    [("toneCurve", {"points": S_CURVE})],
    [("toneCurve", {"luminance": S_CURVE})],
    [("saturation", {"amount": 0.85})],
    [("temperatureTint", {"temperature": 5600})],
    [("channelMixer", {"red": [0.9, 0.1, 0], "green": [0.05, 0.9, 0.05], "blue": [0, 0.1, 0.9]})],
    [("colourGrade", {"slope": [0.95, 0.9, 0.9], "shadowHue": 220, "shadowAmount": 0.1})],
    [("chrome", {"amount": 0.6})],
    [("exposure", {"ev": -0.4}), ("levels", {"black": 0.02, "white": 0.98}),
     ("toneCurve", {"points": S_CURVE}), ("saturation", {"amount": 0.9})],
]


def run(steps, working):
    for name, parameters in steps:
        entry = {"filter": name} | parameters
        if name in tone.BY_NAME:
            working = tone.run([entry], working)
        else:
            working = colours.apply([entry], working)
    return working


def main():
    cube = tone.grid(np.round(np.linspace(0, 65535, 7)))
    greys = np.repeat(np.round(np.linspace(0, 65535, 65))[:, None], 3, 1)
    given = np.concatenate([cube, greys]).astype(int)
    cases = []
    for space, profile in PROFILES.items():
        for steps in FILTERS:
            filters = [{"filter": name} | parameters for name, parameters in steps]
            converter = Space(space, profile)
            codes = converter.codes(run(steps, converter.light(given)))
            cases.append({"space": space, "filters": filters,
                          "output": [[round(float(v), 1) for v in row] for row in codes]})
    document = {"profiles": PROFILES, "input": given.tolist(), "cases": cases}
    text = json.dumps(document, separators=(",", ":"))
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(text.replace('{"space"', '\n{"space"') + "\n")


if __name__ == "__main__":
    main()
