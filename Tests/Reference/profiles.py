"""ICC profiles of every kind, drawn from the specification (ICC.1): writes profiles.json beside this file.

Their colours are made up: smooth, of moderate gamut, and not those of any real device.
"""

import base64
import json
import pathlib
import struct

import numpy as np

D50 = np.array([0.9642, 1.0, 0.8249])
SRGB_TO_D50 = np.array([
    [0.4360747, 0.3850649, 0.1430804],
    [0.2225045, 0.7168786, 0.0606169],
    [0.0139322, 0.0971045, 0.7141733],
])


def fixed(value):
    return struct.pack(">i", int(round(value * 65536)))


def kind(name):
    return name.encode() + bytes(4)


def xyz(values):
    return kind("XYZ ") + b"".join(fixed(v) for v in values)


def text(value):
    return kind("desc") + struct.pack(">I", len(value) + 1) + value.encode() + b"\0" + bytes(78)


def curve(values):
    numbers = [int(round(min(max(v, 0), 1) * 65535)) for v in values]
    return kind("curv") + struct.pack(">I", len(numbers)) + struct.pack(f">{len(numbers)}H", *numbers)


def parametric(function, values):
    return kind("para") + struct.pack(">HH", function, 0) + b"".join(fixed(v) for v in values)


def profile(version, device, model, connection, tags):
    table, body = struct.pack(">I", len(tags)), b""
    start = 132 + 12 * len(tags)
    for name, data in tags:
        table += name.encode() + struct.pack(">II", start + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    size = start + len(body)
    header = struct.pack(">II", size, 0) + bytes([version, 0x30 if version == 4 else 0x10, 0, 0])
    header += device.encode() + model.encode() + connection.encode()
    header += struct.pack(">6H", 2024, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    header += b"".join(fixed(v) for v in D50)
    return header + bytes(128 - len(header)) + table + body


def f(t):
    d = 6 / 29
    return np.where(t > d**3, np.cbrt(t), t / (3 * d * d) + 4 / 29)


def lab(xyz_values):
    x, y, z = np.moveaxis(f(np.asarray(xyz_values) / D50), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def to_xyz(lab_values):
    def back(t):
        d = 6 / 29
        return np.where(t > d, t**3, 3 * d * d * (t - 4 / 29))

    l, a, b = np.moveaxis(np.asarray(lab_values), -1, 0)
    y = (l + 16) / 116
    return np.stack([back(y + a / 500), back(y), back(y - b / 200)], -1) * D50


def rgb_device(rgb):
    """Light of a made-up display: crosstalk and a gamma of its own."""
    light = np.asarray(rgb) ** np.array([1.9, 2.1, 2.0])
    mixed = light @ np.array([[0.9, 0.06, 0.02], [0.07, 0.88, 0.08], [0.03, 0.06, 0.9]])
    return lab((0.01 + 0.97 * mixed) @ SRGB_TO_D50.T)


def cmyk_device(cmyk):
    """Light of made-up inks on made-up paper (Demichel's areas without dot gain)."""
    inks = np.array([[0.05, 0.3, 0.6], [0.5, 0.04, 0.2], [0.85, 0.7, 0.05], [0.03, 0.03, 0.03]])
    paper = np.array([0.92, 0.91, 0.86])
    cmyk = np.asarray(cmyk)[..., None]
    return lab((paper * np.prod(1 - cmyk + cmyk * inks, -2)) @ SRGB_TO_D50.T)


def grid(channels, points):
    axes = [np.linspace(0, 1, points)] * channels
    return np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, channels)


def lut16(lab_of, channels, points, outputs=3):
    values = lab_of(grid(channels, points)) if outputs == 3 else None
    l, a, b = np.moveaxis(values, -1, 0)
    codes = np.stack([l / 100 * 65280, (a + 128) * 256, (b + 128) * 256], -1)
    return lut16_table(codes, channels, 3, points)


def lut16_table(codes, inputs, outputs, points):
    codes = np.clip(np.rint(codes), 0, 65535).astype(">u2")
    line = struct.pack(">2H", 0, 65535)
    matrix = b"".join(fixed(v) for v in np.eye(3).ravel())
    return (
        kind("mft2") + bytes([inputs, outputs, points, 0]) + matrix + struct.pack(">HH", 2, 2)
        + line * inputs + codes.tobytes() + line * outputs
    )


def lut8(lab_of, channels, points):
    l, a, b = np.moveaxis(lab_of(grid(channels, points)), -1, 0)
    codes = np.stack([l / 100 * 255, a + 128, b + 128], -1)
    codes = np.clip(np.rint(codes), 0, 255).astype(np.uint8)
    line = bytes(range(256))
    matrix = b"".join(fixed(v) for v in np.eye(3).ravel())
    return (
        kind("mft1") + bytes([channels, 3, points, 0]) + matrix + line * channels + codes.tobytes()
        + line * 3
    )


def padded(data):
    return data + bytes(-len(data) % 4)


def lut_a_to_b(lab_of, channels, points):
    """lutAtoBType with all its parts: A curves, table, M curves, matrix, B curves."""
    l, a, b = np.moveaxis(lab_of(grid(channels, points)), -1, 0)
    codes = np.stack([l / 100, (a + 128) / 255, (b + 128) / 255], -1)
    codes = np.clip(np.rint(codes * 65535), 0, 65535).astype(">u2")
    line = padded(parametric(0, [1]))
    clut = padded(bytes([points] * channels + [0] * (16 - channels)) + bytes([2, 0, 0, 0]) + codes.tobytes())
    matrix = b"".join(fixed(v) for v in [*np.eye(3).ravel(), 0, 0, 0])
    b_at = 32
    matrix_at = b_at + 3 * len(line)
    m_at = matrix_at + len(matrix)
    clut_at = m_at + 3 * len(line)
    a_at = clut_at + len(clut)
    head = kind("mAB ") + bytes([channels, 3, 0, 0])
    head += struct.pack(">5I", b_at, matrix_at, m_at, clut_at, a_at)
    return head + line * 3 + matrix + line * 3 + clut + line * channels


def b_to_a(device_of, outputs, points):
    """From the 16-bit Lab of version 2."""
    g = grid(3, points) * 65535
    labs = np.stack([g[:, 0] / 652.80, g[:, 1] / 256 - 128, g[:, 2] / 256 - 128], -1)
    return lut16_table(device_of(labs) * 65535, 3, outputs, points)


def rgb_of_lab(labs):
    light = to_xyz(labs) @ np.linalg.inv(SRGB_TO_D50).T
    return np.clip(light, 0, 1) ** (1 / 2.0)


def cmyk_of_lab(labs):
    light = np.clip(to_xyz(labs) @ np.linalg.inv(SRGB_TO_D50).T / np.array([0.92, 0.91, 0.86]), 0, 1)
    cmy = 1 - light ** 0.6
    black = 0.5 * cmy.min(-1, keepdims=True) ** 2
    return np.concatenate([np.clip((cmy - black) / (1 - black + 1e-9), 0, 1), black], -1)


def main():
    name = [("desc", text("drawn")), ("cprt", kind("text") + b"none\0\0\0\0"), ("wtpt", xyz(D50))]
    x = np.linspace(0, 1, 257)
    colourants = [
        ("rXYZ", xyz([0.60974, 0.31111, 0.01947])), ("gXYZ", xyz([0.20528, 0.62567, 0.06087])),
        ("bXYZ", xyz([0.14919, 0.06322, 0.74457])),
    ]

    def matrix(version, *curves):
        tags = list(zip(["rTRC", "gTRC", "bTRC"], curves if len(curves) == 3 else curves * 3))
        return profile(version, "mntr", "RGB ", "XYZ ", name + colourants + tags)

    drawn = {
        "matrix-v2-gamma": matrix(2, kind("curv") + struct.pack(">IH", 1, 0x0233) + bytes(2)),
        "matrix-v2-table": matrix(2, curve(x**2.2)),
        "matrix-v2-three-tables": matrix(2, curve(x**1.8), curve(x**2.2), curve(x**2.4)),
        "matrix-v4-para0": matrix(4, parametric(0, [1.8])),
        "matrix-v4-para1": matrix(4, parametric(1, [2.2, 0.95, 0.05])),
        "matrix-v4-para2": matrix(4, parametric(2, [2.2, 0.94, 0.05, 0.005])),
        "matrix-v4-para3": matrix(4, parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])),
        "matrix-v4-para4": matrix(4, parametric(4, [2.4, 0.94, 0.06, 0.08, 0.04, 0.001, 0.001])),
        "grey-v2-gamma": profile(2, "mntr", "GRAY", "XYZ ", name + [("kTRC", kind("curv") + struct.pack(">IH", 1, 0x0200) + bytes(2))]),
        "grey-v4-table": profile(4, "mntr", "GRAY", "XYZ ", name + [("kTRC", curve(x**1.7))]),
        "grey-v2-lab": profile(2, "prtr", "GRAY", "Lab ", name + [("kTRC", curve(x**0.9))]),
        "rgb-v2-lut16": profile(2, "prtr", "RGB ", "Lab ", name + [
            ("A2B0", lut16(rgb_device, 3, 9)), ("B2A0", b_to_a(rgb_of_lab, 3, 9))]),
        "rgb-v2-lut8": profile(2, "scnr", "RGB ", "Lab ", name + [("A2B0", lut8(rgb_device, 3, 9))]),
        "rgb-v4-mab": profile(4, "scnr", "RGB ", "Lab ", name + [("A2B0", lut_a_to_b(rgb_device, 3, 9))]),
        "cmyk-v2-lut16": profile(2, "prtr", "CMYK", "Lab ", name + [
            ("A2B0", lut16(cmyk_device, 4, 6)), ("A2B1", lut16(cmyk_device, 4, 6)),
            ("B2A0", b_to_a(cmyk_of_lab, 4, 9)), ("B2A1", b_to_a(cmyk_of_lab, 4, 9))]),
        "cmyk-v4-mab": profile(4, "prtr", "CMYK", "Lab ", name + [("A2B0", lut_a_to_b(cmyk_device, 4, 6))]),
    }
    useless = {
        "link": profile(2, "link", "RGB ", "RGB ", name + [("A2B0", lut16(rgb_device, 3, 3))]),
        "abstract": profile(2, "abst", "Lab ", "Lab ", name + [("A2B0", lut16(rgb_device, 3, 3))]),
        "named": profile(2, "nmcl", "RGB ", "Lab ", name),
        "no-table": profile(2, "prtr", "RGB ", "Lab ", name),
        "cut-off": profile(2, "prtr", "RGB ", "Lab ", name + [("A2B0", lut16(rgb_device, 3, 9))])[:700],
    }
    path = pathlib.Path(__file__).with_suffix(".json")
    data = {
        group: {n: base64.b64encode(b).decode() for n, b in items.items()}
        for group, items in [("usable", drawn), ("useless", useless)]
    }
    path.write_text(json.dumps(data, indent=0) + "\n")


main()
