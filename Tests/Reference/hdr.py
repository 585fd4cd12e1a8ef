"""Codes of PQ and HLG pictures and the light they are shown as: writes hdr.json beside this file.

On its own, from ITU-R BT.2100 (by colour-science), the EETF of Report ITU-R BT.2390 (5.4.1), and the
white of 203 cd/m² of Report ITU-R BT.2408. Light is linear RGB with Rec. 2020 primaries, 1 is white.
"""

import json
import pathlib
import warnings

import numpy as np

warnings.filterwarnings("ignore")
import colour  # noqa: E402

WHITE = 203.0
D65 = np.array([0.3127, 0.3290])


def matrix(name):
    space = colour.RGB_COLOURSPACES[name]
    return colour.normalised_primary_matrix(space.primaries, D65)


TO_REC2020 = {
    9: np.eye(3),
    12: np.linalg.inv(matrix("ITU-R BT.2020")) @ matrix("Display P3"),
}


def eetf(light, peak):
    """BT.2390: black is 0 on both sides."""
    top = colour.models.eotf_inverse_ST2084(peak)
    limit = colour.models.eotf_inverse_ST2084(WHITE) / top
    e1 = min(colour.models.eotf_inverse_ST2084(light) / top, 1.0)
    ks = 1.5 * limit - 0.5
    if ks >= 1:
        e2 = min(e1, limit)
    elif e1 < ks:
        e2 = e1
    else:
        t = (e1 - ks) / (1 - ks)
        e2 = (
            (2 * t**3 - 3 * t**2 + 1) * ks
            + (t**3 - 2 * t**2 + t) * (1 - ks)
            + (-2 * t**3 + 3 * t**2) * limit
        )
    return colour.models.eotf_ST2084(e2 * top)


def shown(code, primaries, transfer, peak):
    code = np.array(code, dtype=float)
    if transfer == 16:
        light = TO_REC2020[primaries] @ colour.models.eotf_ST2084(code)
    else:
        peak = 1000.0
        scene = TO_REC2020[primaries] @ colour.models.oetf_inverse_BT2100_HLG(code)
        luminance = np.dot(matrix("ITU-R BT.2020")[1], scene)
        light = peak * luminance**0.2 * scene if luminance > 0 else scene * 0
    brightest = light.max()
    if brightest <= 0:
        return light / WHITE
    return light * eetf(brightest, peak) / brightest / WHITE


def main():
    random = np.random.default_rng(7)
    codes = [[v, v, v] for v in np.linspace(0, 1, 33)]
    codes += random.uniform(0, 1, (60, 3)).tolist()
    cases = []
    for primaries, transfer, peak in [
        (9, 16, None), (9, 16, 4000), (12, 16, 600), (9, 16, 100), (9, 18, None), (12, 18, None),
    ]:
        codes_here = [[round(float(v), 4) for v in code] for code in codes]
        light = [shown(c, primaries, transfer, max(peak or 1000.0, WHITE)) for c in codes_here]
        cases.append({
            "name": f"{primaries}/{transfer} up to {peak}", "primaries": primaries,
            "transfer": transfer, "peak": peak or 0, "input": codes_here,
            "output": [[round(float(v), 6) for v in c] for c in light],
        })
    path = pathlib.Path(__file__).with_suffix(".json")
    text = json.dumps({"cases": cases}, separators=(",", ":"))
    path.write_text(text.replace('{"name"', '\n{"name"') + "\n")


main()
