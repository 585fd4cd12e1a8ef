"""A small library of drawn pictures, two manifests over it, and the programs that are driven."""

import json
import os
import struct
import subprocess
import zlib

OLD_BYTES = b"an older render that no journal speaks of"


def draw(path, seed, width=96, height=64):
    """A PNG of soft colours; another seed gives other pixels."""
    rows = b"".join(
        b"\0"
        + bytes(
            (x * 2 + seed * 40, y * 3 + seed * 17, (x + y + seed * 29))[c] & 255
            for x in range(width)
            for c in range(3)
        )
        for y in range(height)
    )

    def chunk(kind, data):
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b"")
        )


class Scene:
    """Sources in one folder; output folders are given to each call."""

    # Jobs of the first manifest have a report file; those of the second have folders.
    FIRST = [f"a{i}" for i in range(3)]
    SECOND = ["b0", "b1"]

    def __init__(self, folder, programs):
        self.folder = folder
        self.programs = programs
        os.makedirs(f"{folder}/library", exist_ok=True)
        for index, name in enumerate(self.FIRST + self.SECOND):
            draw(f"{folder}/library/{name}.png", index)
        for version in (1, 2):
            self._write(version)

    @property
    def jobs(self):
        return self.FIRST + self.SECOND

    def names(self, job):
        """The outputs of a job beneath the output folder."""
        if job in self.FIRST:
            return [f"{job}.full.png", f"{job}.small.jpg", f"{job}.report.json"]
        return [f"deep/{job}/full.jpg", f"deep/{job}/small.png"]

    def all_names(self):
        return [name for job in self.jobs for name in self.names(job)]

    def _write(self, version):
        exposure = {"filters": [{"filter": "exposure", "ev": 0.2 * version}]}
        record = {
            "formatIdentifier": "org.minilab.adjustments",
            "formatVersion": "1.0",
            "data": exposure,
        }
        common = {"adjustment": record, "deadline": "30s"}
        first = {
            "minilab": 1,
            "library": "library",
            "defaults": dict(
                common,
                renditions=[
                    {"name": "full", "type": "public.png"},
                    {"name": "small", "type": "public.jpeg", "targetSize": [40, 40]},
                ],
                output="{job}.{rendition}.{extension}",
                report="{job}.report.json",
            ),
            "jobs": [{"id": job, "asset": f"{job}.png"} for job in self.FIRST],
        }
        second = {
            "minilab": 1,
            "library": "library",
            "defaults": dict(
                common,
                renditions=[
                    {"name": "full", "type": "public.jpeg"},
                    {"name": "small", "type": "public.png", "targetSize": [30, 30]},
                ],
                output="deep/{job}/{rendition}.{extension}",
            ),
            "jobs": [{"id": job, "asset": f"{job}.png"} for job in self.SECOND],
        }
        for name, value in (("first", first), ("second", second)):
            with open(f"{self.folder}/{name}-{version}.json", "w") as file:
                json.dump(value, file)

    def command(self, output, version=2, flags=()):
        return [
            self.programs + "/minilab",
            "render",
            f"{self.folder}/first-{version}.json",
            f"{self.folder}/second-{version}.json",
            "--output",
            output,
            "--progress",
            "none",
            "--format",
            "json",
            "--workers",
            "2",
            *flags,
        ]

    def run(self, output, version=2, flags=()):
        """Renders untouched; gives exit status, summary (None without one) and words."""
        end = subprocess.run(
            self.command(output, version, flags), capture_output=True, timeout=120, check=False
        )
        return Result(end.returncode, end.stdout, end.stderr)

    def ask(self, output, *words):
        """Runs another command of the program and gives what it printed."""
        end = subprocess.run(
            [self.programs + "/minilab", *words, "--output", output],
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Result(end.returncode, end.stdout, end.stderr)


class Result:
    def __init__(self, status, output, words):
        self.status = status
        self.text = output
        self.words = words.decode(errors="replace").strip()
        try:
            self.summary = json.loads(output)
        except ValueError:
            self.summary = None
