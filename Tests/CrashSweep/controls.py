"""Faults that are there on purpose: a sweep that does not find them proves nothing."""

import itertools
import os
import random
import shutil
import sqlite3
import sys

import beginnings
import calls
import ground
import records
import sweeps
import tracer
import writer
from outcome import Case

JOB = "a0"


def carry_out(folder, disk, table, is_full):
    """In full at all moments; else a wrong way is left as soon as it is found out."""
    _writers(folder, table, is_full)
    _planted(folder, table)
    if disk is None:
        return
    _unsynced_writer(disk, table, is_full)
    _faked(disk, table, is_full)


# --- Small writers that publish wrongly, killed at each of their calls


def _writers(ways, table, is_full):
    for way in (writer.RIGHT, *writer.WRONG):
        moments, broken = _all_moments(ways, way, None, is_full)
        if way == writer.RIGHT:
            words = f"{moments} moments, {len(broken)} broken"
            table.control("a writer that does it right, killed, breaks nothing", not broken, words)
        else:
            table.control(f"a writer that {writer.WRONG[way]}, killed", bool(broken),
                          _words(moments, broken))


def _unsynced_writer(ways, table, is_full):
    for way in (writer.RIGHT, writer.UNSYNCED):
        moments, broken = 0, []
        for kind in (1, 2):
            count, found = _all_moments(ways, way, kind, is_full)
            moments += count
            broken += found
        if way == writer.RIGHT:
            words = f"{moments} moments, {len(broken)} broken"
            table.control("a writer that does it right, cut off, breaks nothing", not broken, words)
        else:
            table.control("a writer that does not sync its files, cut off", bool(broken),
                          _words(moments, broken))


def _all_moments(ways, way, kind, is_full):
    """Moments, and those at which something was broken; `kind` is of the power cut, if one is."""
    broken = []
    tried = 0
    # What is done right is looked at here and there, when there is little time.
    step = 1 if is_full or way != writer.RIGHT else 4
    for index in itertools.count(1, step):
        tried += 1
        ways.restore("older")
        checks = ways.checks["older"]
        witness = sweeps.Witness(ways, "older")

        def verdict(call):
            if kind is not None:
                ways.ground.cut(kind)
            return tracer.kill()

        run = tracer.trace(
            [sys.executable, writer.__file__, way, ways.ground.output, ways.new_folder, JOB,
             *[n for n in ways.scene.names(JOB) if n in checks.new]],
            {ways.ground.output: ""}, sweeps.at(index, beginnings.changing, verdict), witness)
        if kind is not None:
            if run.hit is None:
                ways.ground.cut(kind)
            ways.ground.power_on()
        found = checks.after_crash(lengths=None if kind is None else witness.lengths)
        if found:
            broken.append((run.hit, found))
        if run.hit is None:
            wanted_status(run, way)
            return tried, broken
        if broken and not is_full:
            return tried, broken


def wanted_status(run, way):
    if run.status != 0:
        raise RuntimeError(f"the writer '{way}' ended with {run.status}")


def _words(moments, broken):
    if not broken:
        return f"nothing found at {moments} moments"
    call, found = broken[0]
    return f"at {len(broken)} of {moments} moments, first {found[0][0]}: {found[0][1]}"


# --- The real program with syncs that are answered without being made, and the power cut


FAKES = {
    "no sync is made": ("older", lambda call: call.name in calls.SYNCING),
    "the outputs are not synced": (
        "older", lambda call: call.name in calls.SYNCING and call.place in ("staged", "staging")),
    "the journal is not synced": (
        "older", lambda call: call.name in calls.SYNCING and call.place == "journal"),
    "folders are not synced": (
        "apart", lambda call: call.name == "fsync" and call.is_directory),
}


def _faked(ways, table, is_full):
    for title, (beginning, fake) in FAKES.items():
        count = len(ways.calls(beginning, beginnings.changing))
        moments = random.Random(1).sample(range(count // 3, count), 20)
        moments.insert(0, count + 1)  # after the end
        broken, tried = [], 0
        for index, kind in itertools.product(moments, (1, 2)):
            case = Case("power", beginning, index, str(kind))
            ways.restore(beginning)
            sweeps.cut(case, ways, fake)
            tried += 1
            promises = [found for found in case.broken if found[0] == "P4"]
            if promises:
                broken.append((case.call, promises))
                if not is_full:
                    break
        table.control(f"the program where {title}, cut off", bool(broken), _words(tried, broken))


# --- Faults that are planted into a folder that is in order


def _planted(ways, table):
    beginning = "older"
    ways.restore(beginning)
    beginnings.wanted(ways.run(beginning))
    ways.ground.save("whole")
    checks = ways.checks[beginning]
    if checks.in_order():
        raise RuntimeError(f"a folder in order is not in order: {checks.in_order()}")
    state = checks.state
    run = records.State(state).journals[-1].run
    journal = f"{state}/runs/{run}/journal.jsonl"

    def cut_short():
        os.truncate(f"{checks.output}/{ways.scene.names('b0')[0]}", 100)

    def leave_temporary():
        os.makedirs(f"{state}/runs/{run}/staging")
        with open(f"{state}/runs/{run}/staging/1-0", "w"):
            pass

    def remove_output():
        os.remove(f"{checks.output}/{ways.scene.names('b1')[1]}")

    def report_twice():
        with open(journal, "rb") as file:
            lines = file.read().splitlines(keepends=True)
        reports = [line for line in lines if records.decoded(line[:-1])["kind"] == "report"]
        with open(journal, "wb") as file:
            file.writelines([*lines[:-1], reports[0], lines[-1]])

    def forget_end():
        with open(journal, "rb") as file:
            lines = file.read().splitlines(keepends=True)
        with open(journal, "wb") as file:
            file.writelines(lines[:-1])

    def turn_a_bit():
        with open(journal, "r+b") as file:
            file.seek(300)
            byte = file.read(1)[0]
            file.seek(300)
            file.write(bytes([byte ^ 1]))

    def swap_outputs():
        first, second = (f"{checks.output}/{ways.scene.names(j)[0]}" for j in ("b0", "b1"))
        shutil.copyfile(first, second)

    def let_ledger_lag():
        connection = sqlite3.connect(f"{state}/ledger.sqlite")
        connection.execute("UPDATE absorbed SET bytes = bytes - 1")
        connection.commit()
        connection.close()

    def tear_ledger():
        with open(f"{state}/ledger.sqlite", "r+b") as file:
            file.seek(4096)
            file.write(bytes(4096))

    found = []
    plants = (cut_short, leave_temporary, remove_output, report_twice, forget_end, turn_a_bit,
              swap_outputs, let_ledger_lag, tear_ledger)
    for plant in plants:
        ways.restore("whole")
        plant()
        found.append(bool(checks.in_order()))
    ways.restore("whole")
    _forge_entry(state)
    found.append(bool(checks.ledger_agrees()))
    missed = [plant.__name__ for plant, caught in zip(plants, found) if not caught]
    words = f"{sum(found)} of {len(found)}" + (f", not {', '.join(missed)}" if missed else "")
    table.control("faults planted into a folder in order", all(found), words)


def _forge_entry(state):
    """One job's entry becomes that of another, whose checksum fits."""
    connection = sqlite3.connect(f"{state}/ledger.sqlite")
    rows = connection.execute("SELECT job, packed FROM entry ORDER BY job").fetchall()
    connection.execute("DELETE FROM entry WHERE job = ?", (rows[0][0],))
    connection.commit()
    connection.close()
