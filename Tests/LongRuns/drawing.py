"""Small pictures drawn with nothing but the standard library, whole and hostile."""

import random
import struct
import zlib


def chunk(name, data):
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(width, height, rows, level=1, bits=8, colour=2):
    """A PNG of rows of bytes, each without its filter byte."""
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), level)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def noise(width, height, seed):
    """What no encoder makes smaller."""
    source = random.Random(seed)
    return png(width, height, [source.randbytes(3 * width) for _ in range(height)], level=0)


def gradient(width, height, seed):
    rows = []
    for y in range(height):
        row = bytearray()
        for x in range(width):
            row += bytes(((x * 9 + seed * 31) & 255, (y * 13 + seed * 17) & 255, seed & 255))
        rows.append(bytes(row))
    return png(width, height, rows)


def bilevel(width, height):
    """A few kilobytes that become many megapixels."""
    return png(width, height, [bytes(width // 8)] * height, level=9, bits=1, colour=0)


def labelled(data, label):
    """The same picture in other bytes."""
    end = chunk(b"IEND", b"")
    return data.removesuffix(end) + chunk(b"tEXt", b"Comment\0" + label.encode()) + end


def is_whole_png(data):
    return data.endswith(b"IEND\xaeB`\x82")
