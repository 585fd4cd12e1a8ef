"""The sweeps: what is done at each moment, and what must hold afterwards."""

import errno
import os
import tempfile
import time

import beginnings
import ground
import scene
import tracer
from outcome import Case

ERRORS = ("ENOSPC", "EIO", "EMFILE", "EINTR", "EDQUOT")
# Calls that make room or need none, so that a full disk does not refuse them.
_NEED_NO_ROOM = ("close", "unlink", "unlinkat", "rmdir", "ftruncate", "flock")
_FULL_WORDS = ("full", "no space", "quota")
_LEDGER_WORDS = ("disk i/o error", "unable to open database file")
_OPENING = ("open", "openat", "openat2")


def cases(sweep, ways, only=None):
    """Every case of a sweep as (beginning, number of the call, what is done)."""
    result = []
    for beginning in only or beginnings.NAMES:
        if sweep == "kill":
            count = len(ways.calls(beginning, beginnings.changing))
            result += [(beginning, index, "") for index in range(1, count + 1)]
        elif sweep == "torn":
            count = len(ways.calls(beginning, beginnings.writing))
            result += [(beginning, index, "") for index in range(1, count + 1)]
        elif sweep == "errno":
            for index, call in enumerate(ways.calls(beginning, beginnings.every), 1):
                result += [(beginning, index, error) for error in ERRORS if can_meet(call, error)]
        elif sweep == "full":
            for index, call in enumerate(ways.calls(beginning, beginnings.every), 1):
                if can_meet(call, "ENOSPC") and call.name not in _NEED_NO_ROOM:
                    result.append((beginning, index, ""))
        else:
            count = len(ways.calls(beginning, beginnings.changing)) + 1
            for index in range(1, count + 1):
                result += [(beginning, index, str(kind)) for kind in ground.CUTS]
    return result


def can_meet(call, error):
    """Whether some file system may answer this call so."""
    if error == "EMFILE":
        return call.name in _OPENING
    if error in ("ENOSPC", "EDQUOT"):
        return call.changes
    return True


def carry_out(sweep, wanted, ways, table, end=None):
    done = 0
    for beginning, index, what in wanted:
        if end is not None and time.monotonic() > end:
            table.notes.append(f"{sweep}: stopped by the clock after {done} of {len(wanted)} cases")
            return
        table.add(carry_out_case(sweep, beginning, index, what, ways))
        done += 1


def single(name, folder, disk, table):
    sweep, beginning, index, *what = name.split()
    ways = disk if sweep == "power" else folder
    table.add(carry_out_case(sweep, beginning, int(index), what[0] if what else "", ways))


def carry_out_case(sweep, beginning, index, what, ways):
    case = Case(sweep, beginning, index, what)
    started = time.monotonic()
    ways.restore(beginning)
    if sweep in ("kill", "torn"):
        _kill(case, ways)
    elif sweep == "power":
        cut(case, ways)
    else:
        _refuse(case, ways)
    case.seconds = time.monotonic() - started
    return case


def at(index, counts, verdict):
    """Does something to the so many-th call that counts."""
    seen = 0

    def decide(call):
        nonlocal seen
        seen += counts(call)
        return verdict(call) if seen == index and counts(call) else tracer.GO_ON

    return decide


class Witness:
    """What was made durable while a run was looked at, by what the kernel answered."""

    def __init__(self, ways, beginning):
        self.state = ways.checks[beginning].state
        self.lengths = {}

    def __call__(self, call, result):
        is_journal = call.place == "journal" and call.name in ("fsync", "fdatasync")
        if is_journal and result == 0:
            run = call.path.split("/")[2]
            try:
                self.lengths[run] = os.path.getsize(f"{self.state}/runs/{run}/journal.jsonl")
            except OSError:
                pass  # the disk is gone already


def _follow(case, ways):
    """The next start, the one after it, and the ledger made anew."""
    checks = ways.checks[case.beginning]
    case.broken += checks.after_restart(ways.run(case.beginning))
    case.broken += checks.after_fresh_run(ways.run(case.beginning))
    case.broken += checks.ledger_agrees()


def _told(case, run):
    if run.left:
        case.broken.append(("P7", f"{len(run.left)} processes outlived the program"))
    case.call, case.status = run.hit, run.status


def _kill(case, ways):
    checks = ways.checks[case.beginning]
    if case.sweep == "kill":
        decide = at(case.index, beginnings.changing, lambda call: tracer.kill())
    else:
        decide = at(case.index, beginnings.writing, lambda call: tracer.kill_after_half())
    run = ways.trace(case.beginning, decide)
    _told(case, run)
    if run.hit is None and run.status != 0:
        case.broken.append(("P8", f"a run that nothing was done to ended with {run.status}"))
    case.broken += checks.after_crash()
    _follow(case, ways)


def cut(case, ways, fake=None):
    """Cuts the power at a call. `fake(call)` says which calls are answered without being made, for controls."""
    checks = ways.checks[case.beginning]
    kind = int(case.what)
    witness = Witness(ways, case.beginning)
    is_cut = False

    def verdict(call):
        nonlocal is_cut
        is_cut = True
        ways.ground.cut(kind)
        return tracer.kill()

    decide = at(case.index, beginnings.changing, verdict)

    def faking(call):
        decision = decide(call)
        if decision is tracer.GO_ON and fake is not None and fake(call):
            return tracer.answer(0)
        return decision

    def done(call, result):
        if not is_cut:
            witness(call, result)

    run = ways.trace(case.beginning, faking, done)
    case.status = run.status
    _told(case, run)
    if not is_cut:
        # It ended as it should: what it said is durable.
        ways.ground.cut(kind)
    ways.ground.power_on()
    case.broken += checks.after_crash(lengths=witness.lengths)
    if fake is None:
        _follow(case, ways)


def _refuse(case, ways):
    checks = ways.checks[case.beginning]
    number = getattr(errno, case.what or "ENOSPC")
    is_over = False

    def verdict(call):
        nonlocal is_over
        is_over = True
        # A descriptor is closed whatever close answers.
        if call.name == "close":
            return tracer.answer_after(-number)
        return tracer.answer(-number)

    first = at(case.index, beginnings.every, verdict)

    def decide(call):
        if case.sweep == "full" and is_over:
            is_refused = call.changes and call.name not in _NEED_NO_ROOM
            return verdict(call) if is_refused else tracer.GO_ON
        return first(call)

    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as words:
        run = ways.trace(case.beginning, decide, stdout=output, stderr=words)
        _told(case, run)
        output.seek(0)
        words.seek(0)
        result = scene.Result(run.status, output.read(), words.read())
    case.broken += _ending(case, result)
    case.broken += checks.after_crash()
    if result.status == 0:
        words = [w for p, w in checks.in_order() if "lags" not in w and p != "P7"]
        case.broken += [("P10", f"it ended with 0, but {w}") for w in words]
    _follow(case, ways)


def _ending(case, result):
    """Whether the run said what was wrong, and with the right status."""
    error = case.what or "ENOSPC"
    words = result.words.lower()
    is_ledger = case.call is not None and case.call.place == "ledger"
    if result.status < 0:
        return [("P10", f"it died with signal {-result.status}")]
    broken = []
    if error == "EINTR" and (result.status != 0 or "interrupted" in words):
        broken.append(("P10", f"an interrupted call was not repeated ({result.status}): {words}"))
    elif result.status not in (0, 73, 69 if is_ledger else 73):
        broken.append(("P10", f"it ended with {result.status}: {words}"))
    elif result.status != 0 and error in ("ENOSPC", "EDQUOT"):
        if not any(w in words for w in _FULL_WORDS):
            broken.append(("P10", f"a full disk is not named: {words}"))
    elif result.status != 0:
        reason = os.strerror(getattr(errno, error)).lower()
        if reason not in words and not (is_ledger and any(w in words for w in _LEDGER_WORDS)):
            broken.append(("P10", f"{error} is not named: {words}"))
    if result.summary is not None and not result.summary["balanced"]:
        broken.append(("P8", f"the accounts do not balance: {result.summary['totals']}"))
    return broken
