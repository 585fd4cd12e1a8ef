"""Lossless JPEG 2000 of drawn pictures, by OpenJPEG through Pillow, for CodedJPEG2000.swift."""

import base64
import io

import numpy as np
from PIL import Image

height, width = 20, 32
y, x = np.mgrid[0:height, 0:width]
colour = np.stack([60 + 4 * x, 60 + 6 * y, np.full_like(x, 128)], -1).astype(np.uint8)
alpha = np.where(x < 16, 0, 255).astype(np.uint8)
pictures = {
    "colour": (Image.fromarray(colour), {}),
    "codestream": (Image.fromarray(colour), {"no_jp2": True}),
    "opacity": (Image.fromarray(np.dstack([colour, alpha])), {}),
    "deepGrey": (Image.fromarray((x * 2000).astype(np.uint16)), {}),
    "tiles": (Image.fromarray(colour), {"tile_size": (16, 16)}),
}
for name, (picture, options) in pictures.items():
    file = io.BytesIO()
    picture.save(file, "JPEG2000", irreversible=False, **options)
    text = base64.b64encode(file.getvalue()).decode()
    print(f'  static let {name} = bytes(\n    """')
    for start in range(0, len(text), 88):
        print("    " + text[start : start + 88])
    print('    """)\n')
