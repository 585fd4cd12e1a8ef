"""What filters that look around make of real photos, for the suite "Real photos" of the Swift tests.

The photos are those that the package scikit-image brings with it, all free of rights: astronaut
(NASA, public domain), chelsea (Stéfan van der Walt, CC0), coffee (Rachel Michetti, CC0), rocket
(SpaceX, CC0) and retina (Mikael Häggström, CC0). None of them is kept in the project: what this
writes goes into a folder outside of it.

    python3 -m venv venv && venv/bin/pip install -r Tests/Reference/requirements.txt
    venv/bin/python Tests/Reference/photos.py FOLDER

FOLDER/photos.json lists the pictures and cases; NAME.codes holds sRGB codes of 8 bits, red green blue
by turns, row by row; N.codes what case N gives, in codes of 16 bits, the lower byte first.
"""

import json
import pathlib
import sys

import numpy as np
import skimage.data

import detail
import local

PHOTOS = ["astronaut", "chelsea", "coffee", "rocket", "retina"]

# Guided filters, unsharp masks, Gaussians in strips and by averages, and the guided filter of noise.
CASES = [
    ("highlightsShadows", {"highlights": -0.8, "shadows": 0.7}),
    ("highlightsShadows", {"highlights": 0.6, "shadows": -0.9}),
    ("localContrast", {"amount": 0.8, "radius": 0.03}),
    ("localContrast", {"amount": -1, "radius": 0.1}),
    ("dehaze", {"amount": 0.6}),
    ("sharpen", {"amount": 1.5, "radius": 2, "threshold": 0}),
    ("sharpen", {"amount": 0.8, "radius": 20, "threshold": 0}),
    ("blur", {"radius": 1.3}),
    ("blur", {"radius": 9}),
    ("blur", {"radius": 40}),
    ("noiseReduction", {"luminance": 0.6, "colour": 0.8, "radius": 3}),
]
DETAIL = {
    "sharpen": detail.sharpen, "blur": detail.blur, "noiseReduction": detail.noise_reduction,
}


def after(name, parameters, codes):
    """Codes of 16 bits, not rounded."""
    if name in DETAIL:
        working = DETAIL[name](detail.light(codes), **parameters)
    else:
        alpha = np.ones(codes.shape[:2])
        working = local.FILTERS[name](local.linear(codes), alpha, 1024, **parameters)
    return detail.codes(working) / 255 * 65535


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    pictures, cases = [], []
    for photo in PHOTOS:
        codes = getattr(skimage.data, photo)()
        assert codes.dtype == np.uint8 and codes.shape[2] == 3
        (folder / f"{photo}.codes").write_bytes(codes.tobytes())
        height, width = codes.shape[:2]
        pictures.append({"name": photo, "width": width, "height": height})
        for name, parameters in CASES:
            result = np.rint(after(name, parameters, codes.astype(float))).astype("<u2")
            (folder / f"{len(cases)}.codes").write_bytes(result.tobytes())
            cases.append({"picture": photo, "filter": name, "parameters": parameters})
    text = json.dumps({"pictures": pictures, "cases": cases}, indent=1)
    (folder / "photos.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
