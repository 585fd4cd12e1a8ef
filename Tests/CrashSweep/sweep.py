"""Reads the words, carries out the sweeps that they name, and tells what came of them."""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time

import beginnings
import controls
import ground
import scene
import sweeps
import tracer
from outcome import Table

SAMPLE = {"kill": 26, "torn": 6, "errno": 26, "full": 6, "power": 20}


def main():
    options = read_options()
    reason = tracer.usable()
    if reason:
        print(f"SKIPPED: {reason}")
        return 77
    # Ended from outside, it unmounts and removes what it made.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    work = tempfile.mkdtemp(prefix="crash-sweep-")
    try:
        return carry_out(options, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def read_options():
    parser = argparse.ArgumentParser(prog="scripts/crash-sweep", allow_abbrev=False)
    add = parser.add_argument
    add("--short", action="store_true", help="a sample of moments, which is the default")
    add("--full", action="store_true", help="every moment")
    add("--sweep", action="append", choices=[*SAMPLE, "controls"], help="only this, or these")
    add("--beginning", action="append", choices=beginnings.NAMES,
        help="only from this: " + "; ".join(f"{n}: {w}" for n, w in beginnings.SAID.items()))
    add("--case", action="append", help='a single case, such as "kill older 17"')
    add("--seed", type=int, default=1, help="of the sample")
    add("--times", type=int, default=1, metavar="N", help="so many times the usual sample")
    add("--seconds", type=float, default=100, help="after which no new case of a sample is begun")
    add("--table", metavar="FILE", help="where the result is written, too")
    add("--programs", metavar="DIR", required=True, help="where minilab and its worker are")
    return parser.parse_args()


def carry_out(options, work):
    started = time.monotonic()
    source = scene.Scene(f"{work}/source", os.path.abspath(options.programs))
    no_disk = ground.why_no_disk(f"{work}/trial")
    grounds = [ground.Folder(f"{work}/folder")]
    table = Table(is_talkative=bool(options.case))
    try:
        folder, disk = beginnings.Beginnings(source, grounds[0]), None
        if no_disk:
            print(f"Power cuts SKIPPED: {no_disk}", flush=True)
        else:
            grounds.append(ground.Disk(f"{work}/ext4"))
            disk = beginnings.Beginnings(source, grounds[1])
        wanted = options.sweep or [*SAMPLE, "controls"]
        if options.case:
            for name in options.case:
                sweeps.single(name, folder, disk, table)
            wanted = []
        if "controls" in wanted:
            controls.carry_out(folder, disk, table, is_full=options.full)
        end = None if options.full else started + options.seconds
        carry_out_cases(find_cases(options, wanted, folder, disk), table, end)
    finally:
        for place in grounds:
            place.close()
    text = table.text(time.monotonic() - started)
    print(text)
    if options.table:
        with open(options.table, "w") as file:
            file.write(text + "\n")
    return 1 if table.is_broken else 0


def find_cases(options, wanted, folder, disk):
    """All cases in their order, or a sample in none, so that the clock cuts off no sweep alone."""
    result = []
    chance = random.Random(options.seed)
    for name, count in SAMPLE.items():
        ways = disk if name == "power" else folder
        if name not in wanted or ways is None:
            continue
        cases = sweeps.cases(name, ways, options.beginning)
        if not options.full:
            cases = chance.sample(cases, min(len(cases), count * options.times))
        result += [(name, *case, ways) for case in cases]
    if not options.full:
        chance.shuffle(result)
    return result


def carry_out_cases(cases, table, end):
    for done, (name, beginning, index, what, ways) in enumerate(cases):
        if end is not None and time.monotonic() > end:
            table.notes.append(f"stopped by the clock after {done} of {len(cases)} cases")
            return
        table.add(sweeps.carry_out_case(name, beginning, index, what, ways))


if __name__ == "__main__":
    sys.exit(main())
