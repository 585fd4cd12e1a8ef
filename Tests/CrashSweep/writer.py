"""Publishes one job's pictures as the program does, or in a way that is known to be wrong.

usage: writer.py WAY OUTPUT NEW JOB NAME...     (NEW holds the bytes of the new pictures)
"""

import os
import sys

import records

RUN = "20990101T000000Z-00000000"
WRONG = {
    "in-place": "writes into the final names",
    "early": "reports before the names are in place",
    "unannounced": "puts names in place before the intent",
}
UNSYNCED = "unsynced"
RIGHT = "right"


def write(folder, name, data, flags):
    """Two writes, as for a file that is larger than one can take."""
    file = os.open(name, os.O_WRONLY | os.O_CREAT | flags, 0o666, dir_fd=folder)
    os.write(file, data[: len(data) // 2])
    os.write(file, data[len(data) // 2 :])
    return file


def main(way, output, new, job, *names):
    out = os.open(output, os.O_RDONLY)
    run = f"{output}/.minilab/runs/{RUN}"
    os.makedirs(f"{run}/staging")
    staging = os.open(f"{run}/staging", os.O_RDONLY)
    journal = os.open(f"{run}/journal.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    entries = []
    for name in names:
        with open(f"{new}/{name}", "rb") as file:
            data = file.read()
        entries.append((name, data, records.digest(f"{new}/{name}")))

    report = {
        "kind": "report", "job": job, "run": RUN, "outcome": {"state": "rendered"},
        "renditions": [{"path": name, "sha256": sha256} for name, _, sha256 in entries],
    }
    intent = {
        "kind": "intent", "run": RUN, "report": report,
        "names": [{"path": name, "sha256": sha256} for name, _, sha256 in entries],
    }

    def tell(value):
        os.write(journal, records.sealed(value))
        os.fdatasync(journal)

    def stage():
        for name, data, _ in entries:
            file = write(staging, os.path.basename(name), data, os.O_EXCL)
            if way != UNSYNCED:
                os.fsync(file)
            os.close(file)

    def rename():
        for name, _, _ in entries:
            os.rename(os.path.basename(name), name, src_dir_fd=staging, dst_dir_fd=out)
        os.fsync(out)

    if way == "in-place":
        tell(intent)
        for name, data, _ in entries:
            file = write(out, name, data, os.O_TRUNC)
            os.fsync(file)
            os.close(file)
        tell(report)
    elif way == "unannounced":
        stage()
        rename()
        tell(intent)
        tell(report)
    else:
        stage()
        tell(intent)
        if way == "early":
            tell(report)
        rename()
        if way != "early":
            tell(report)


if __name__ == "__main__":
    main(*sys.argv[1:])
