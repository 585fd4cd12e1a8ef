"""Thousands of small jobs of which one in twenty is hostile, and what they leave behind.

Started by scripts/soak.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

import drawing
from library import Broken, Library, expect
from processes import Sampler

# Of each hundred jobs.
HOSTILE = 5
# Of so many jobs one is hit by a signal from outside, and of so many the zygote is killed.
JOBS_A_SIGNAL = 100
JOBS_A_ZYGOTE = 2000
SIGNALS = [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT, signal.SIGBUS, signal.SIGSTOP]

# Kind to what may become of it.
KINDS = {
    "cut": {"failed(truncated)", "failed(unreadable)"},
    "garbage": {"failed(unsupportedType)", "failed(unreadable)", "failed(truncated)"},
    "begins as a picture": {"failed(unreadable)", "failed(truncated)", "failed(unsupportedType)"},
    "flipped bits": {"failed(unreadable)", "failed(truncated)", "rendered"},
    "empty": {"failed(unreadable)"},
    "missing": {"failed(unreadable)", "failed(invalidJob)"},
    "bomb": {"failed(limitExceeded)"},
    "slow": {"timedOut", "quarantined"},
    "broken record": {"failed(invalidAdjustment)", "failed(invalidJob)"},
    "pipe": {"failed(unreadable)", "failed(invalidJob)"},
}
# What the processes that are hit may end as, whatever they worked on.
HIT = {"failed(crashed)", "failed(memory)", "timedOut", "quarantined"}


def draw(folder, source):
    """Good pictures and one maker for each kind of hostile ones."""
    whole = [drawing.gradient(64, 48, seed) for seed in range(100)]
    (folder / "slow.png").write_bytes(drawing.bilevel(15000, 16000))
    huge = drawing.png(65500, 65500, [bytes(8)], bits=1, colour=0)
    (folder / "bomb.png").write_bytes(huge)
    (folder / "empty.png").write_bytes(b"")
    os.mkfifo(folder / "pipe.png")

    def flipped(data):
        data = bytearray(data)
        for _ in range(8):
            data[source.randrange(40, len(data) - 12)] ^= 1 << source.randrange(8)
        return bytes(data)

    makers = {
        "cut": lambda data: data[:source.randrange(60, len(data) - 16)],
        "garbage": lambda data: source.randbytes(len(data)),
        "begins as a picture": lambda data: data[:33] + source.randbytes(len(data)),
        "flipped bits": flipped,
    }
    return whole, makers


def jobs(folder, count, source):
    """The manifest's jobs, and the kind of each hostile one by its id."""
    whole, makers = draw(folder, source)
    kinds, listed = {}, []
    hostile = set(source.sample(range(count), count * HOSTILE // 100))
    for index in range(count):
        job = {"id": f"j{index}", "asset": f"good{index}.png"}
        if index not in hostile:
            # No two have the same bytes: what becomes of one is not to be laid at another's door.
            data = drawing.labelled(whole[index % len(whole)], job["id"])
            (folder / job["asset"]).write_bytes(data)
        else:
            kind = list(KINDS)[len(kinds) % len(KINDS)]
            kinds[job["id"]] = kind
            name = f"h{index}.png"
            if kind in makers:
                (folder / name).write_bytes(makers[kind](source.choice(whole)))
            elif kind == "broken record":
                (folder / name).write_bytes(whole[0])
                (folder / f"{name}.minilab.json").write_bytes(b'{"formatIdentifier": 7')
                job["adjustment"] = "sidecar"
            elif kind == "slow":
                job["deadline"] = "50ms"
            job["asset"] = {"slow": "slow.png", "bomb": "bomb.png", "empty": "empty.png",
                            "pipe": "pipe.png"}.get(kind, name)
        listed.append(job)
    return listed, kinds


def outcome(report):
    state, code = report["outcome"]["state"], report["outcome"].get("code")
    return f"{state}({code})" if code else state


def watch(library, process, source):
    """Samples until the run has ended, and hits processes on the way."""
    sampler = Sampler(
        process.pid, lambda: (library.output / ".minilab").glob("runs/*/staging/*"))
    hits = collections.Counter()
    done = 0
    next_zygote, next_signal = JOBS_A_ZYGOTE // 2, JOBS_A_SIGNAL // 2
    while process.poll() is None:
        now = time.monotonic()
        journals = list((library.output / ".minilab").glob("runs/*/journal.jsonl"))
        # About two kilobytes and a half a job: near enough for when to hit.
        done = sum(path.stat().st_size for path in journals) // 2500
        if done:
            sampler.sample(now)
        if done >= next_signal and sampler.hit(number := source.choice(SIGNALS), source):
            hits[signal.Signals(number).name] += 1
            next_signal += JOBS_A_SIGNAL
        if done >= next_zygote and sampler.hit_zygote():
            hits["the zygote"] += 1
            next_zygote += JOBS_A_ZYGOTE
        time.sleep(0.05 if done >= next_signal else 0.2)
    return sampler, hits


def check_reports(library, kinds, hits):
    """Every job has one report that fits its kind; gives the outcomes of each kind."""
    reports = library.last_reports()
    expect(len(reports) == library.jobs, f"{len(reports)} of {library.jobs} jobs have a report")
    table = collections.defaultdict(collections.Counter)
    stray = 0
    for job, report in reports.items():
        kind, result = kinds.get(job, "good"), outcome(report)
        table[kind][result] += 1
        if result in KINDS.get(kind, {"rendered"}):
            continue
        stray += 1
        expect(result in HIT, f"{job}, {kind}: {result}, {report['outcome'].get('detail')}")
    # One signal can end one job at most; a job whose process crashed is tried once more.
    expect(stray <= hits.total(), f"{stray} jobs failed by {hits.total()} hits")
    return table


def flat(sampler):
    """Rows of the table, and what is not flat."""
    first, last = sampler.tenth(0), sampler.tenth(9)
    rows, rising = [], []
    for index, name in enumerate(Sampler.NAMES):
        if first[index] is None or last[index] is None:
            rising.append(f"{name}: no samples")
            continue
        (before, _), (after, most) = first[index], last[index]
        peak = max(values[index] or 0 for _, values in sampler.samples)
        is_memory = name.endswith("memory")
        # What the run knows of its jobs grows with them: two kilobytes a job are no leak of buffers,
        # and descriptors and files swing with what is on its way.
        allowed = before + (24 << 20 if is_memory else 12)
        if after > allowed:
            rising.append(f"{name}: {before:.0f} at first, {after:.0f} at last")
        text = (lambda value: f"{value / (1 << 20):.1f} MiB") if is_memory else (
            lambda value: f"{value:.0f}")
        rows.append([name, text(before), text(after), text(most), text(peak)])
    return rows, rising


def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(value) for value in row) + " |")
    print()


def soak(options, scratch):
    source = random.Random(options.seed)
    library = Library(scratch, options.programs, scratch / "out")
    listed, kinds = jobs(scratch / "library", options.jobs, source)
    library.write(listed)
    flags = ["--workers", str(options.workers), "--deadline", "3s", "--invalid", "fail-job"]
    started = time.monotonic()
    process = library.start(*flags)
    try:
        sampler, hits = watch(library, process, source)
        end = library.end(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    elapsed = time.monotonic() - started
    expect(end.status == 3, f"it ended with {end.status}: {end.errors}")
    library.check_accounts(end)
    table = check_reports(library, kinds, hits)
    expect(not sampler.left(), f"processes are left: {sampler.left()}")
    expect(not library.temporaries(), f"left behind: {library.temporaries()}")

    print(f"{options.jobs} jobs, {len(kinds)} hostile, in {elapsed:.0f} s with {options.workers} "
          f"workers; seed {options.seed}\n")
    print_table(
        ["what became of", "jobs", "outcomes"],
        [[kind, results.total(), ", ".join(f"{name} {n}" for name, n in sorted(results.items()))]
         for kind, results in sorted(table.items())])
    print("Hit from outside: " + ", ".join(f"{name} {n}" for name, n in sorted(hits.items())) + "\n")
    rows, rising = flat(sampler)
    print_table(["held", "median, first tenth", "median, last tenth", "most, last tenth", "most"], rows)
    expect(not rising, "not flat: " + "; ".join(rising))

    rendered = sum(results["rendered"] for results in table.values())
    again = library.render(*flags)
    library.check_accounts(again)
    fresh = again.summary["totals"]["fresh"]
    expect(fresh == rendered, f"{rendered} were rendered, and {fresh} are up to date")
    print(f"Again: {json.dumps({k: v for k, v in again.summary['totals'].items() if v})}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="minilab-soak-"))
    try:
        soak(options, scratch)
    except Broken as reason:
        print(f"BROKEN: {reason}")
        return 1
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
