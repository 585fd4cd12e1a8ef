"""Lossless JPEG 2000 of drawn pictures that Pillow does not write, by opj_compress, for CodedJPEG2000.swift."""

import base64
import pathlib
import subprocess
import tempfile

import numpy as np

height, width = 20, 32
y, x = np.mgrid[0:height, 0:width]


def coded(planes, shape, *options, signed=False):
    with tempfile.TemporaryDirectory() as folder:
        raw, file = pathlib.Path(folder, "p.raw"), pathlib.Path(folder, "p.jp2")
        raw.write_bytes(b"".join(plane.astype(np.uint8).tobytes() for plane in planes))
        form = f"{width},{height},{len(planes)},{shape}"
        subprocess.run(
            ["opj_compress", "-i", raw, "-o", file, "-F", form, "-n", "2", "-mct", "0", *options],
            check=True, capture_output=True,
        )
        return file.read_bytes()


def grey(bits):
    return coded([x % (1 << bits)], f"{bits},u")


pictures = {
    # Luma at every pixel, differences at every second of a row, or of two rows.
    "halved": coded([60 + 4 * x, (60 + 6 * y)[:, ::2], (200 - 2 * x)[:, ::2]], "8,u@1x1:2x1:2x1"),
    "quartered": coded(
        [60 + 4 * x, (60 + 6 * y)[::2, ::2], (200 - 2 * x)[::2, ::2]], "8,u@1x1:2x2:2x2"),
    "offset": coded([60 + 4 * x, 60 + 6 * y, 0 * x + 128], "8,u@1x1:1x1:1x1", "-d", "7,5"),
    "oneBit": grey(1),
    "twoBits": grey(2),
    "fourBits": grey(4),
    "signed": coded([4 * x - 60], "8,s"),
}
for name, bytes_ in pictures.items():
    text = base64.b64encode(bytes_).decode()
    print(f'  static let {name} = bytes(\n    """')
    for start in range(0, len(text), 88):
        print("    " + text[start : start + 88])
    print('    """)\n')
