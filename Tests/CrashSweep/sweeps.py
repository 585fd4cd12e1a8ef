"""The sweeps: what is done at each moment, and what must hold afterwards."""

import errno
import os
import tempfile
import time

import beginnings
import ground
import records
import scene
import tracer
from outcome import Case

ERRORS = ("ENOSPC", "EIO", "EMFILE", "EINTR", "EDQUOT")
# Calls that make room or need none, so that a full disk does not refuse them.
_NEED_NO_ROOM = ("close", "unlink", "unlinkat", "rmdir", "ftruncate", "flock")
_FULL_WORDS = ("full", "no space", "quota")
# SQLite keeps the kernel's reason to itself. Where other files are refused beside it as well, as
# on a disk that stays full, the program finds it out; after a single refusal it cannot.
_LEDGER_WORDS = ("disk i/o error", "readonly database", "unable to open database file")
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
    """Cuts the power at a call.

    `fake(call)` says, for controls, which calls are answered without being made.
    """
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

    witness = Witness(ways, case.beginning)
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as words:
        run = ways.trace(case.beginning, decide, witness, output, words)
        _told(case, run)
        output.seek(0)
        words.seek(0)
        result = scene.Result(run.status, output.read(), words.read())
    case.broken += _ending(case, result)
    case.broken += _accounts(case, result, checks, witness)
    case.broken += checks.after_crash()
    if result.status == 0:
        words = [w for p, w in checks.in_order() if "lags" not in w and p != "P7"]
        case.broken += [("P10", f"it ended with 0, but {w}") for w in words]
    _follow(case, ways)
    if case.what == "EIO" and case.call and case.call.place == "ledger":
        # A ledger that cannot be read is set aside, which is said, and made anew.
        case.broken = [b for b in case.broken if not b[1].startswith("ledger-damaged-")]


def _accounts(case, result, checks, witness):
    """Whether only what is durable is counted as rendered."""
    if result.summary is None:
        return []
    totals = result.summary["totals"]
    run = result.summary["run"]
    count = sum(
        end <= witness.lengths.get(run, 0)
        for journal in records.State(checks.state).journals
        if journal.run == run
        for end, line in journal.lines
        if line["kind"] == "report" and line["outcome"]["state"] == "rendered"
    )
    if totals["rendered"] > count:
        return [("P4", f"{totals['rendered']} counted as rendered, {count} of them durably")]
    if not result.summary["balanced"]:
        return [("P8", f"the accounts do not balance: {totals}")]
    return []


def _ending(case, result):
    """Whether the run said what was wrong, and with the right status."""
    error = case.what or "ENOSPC"
    words = result.words.lower()
    is_ledger = case.call is not None and case.call.place == "ledger"
    if result.status < 0:
        return [("P10", f"it died with signal {-result.status}")]
    broken = []
    if error == "EINTR" and is_ledger:
        # SQLite does not repeat every interrupted call, and no disk of this machine interrupts.
        if result.status not in (0, 69):
            broken.append(("P10", f"it ended with {result.status}: {words}"))
    elif error == "EINTR" and (result.status != 0 or "interrupted system call" in words):
        broken.append(("P10", f"an interrupted call was not repeated ({result.status}): {words}"))
    elif result.status not in _statuses(case):
        broken.append(("P10", f"it ended with {result.status}: {words}"))
    elif result.status != 0 and error in ("ENOSPC", "EDQUOT"):
        named = _FULL_WORDS + (_LEDGER_WORDS if is_ledger and case.what else ())
        if not any(w in words for w in named):
            broken.append(("P10", f"a full disk is not named: {words}"))
    elif result.status != 0:
        reason = os.strerror(getattr(errno, error)).lower()
        named = (reason, "malformed", *_LEDGER_WORDS) if is_ledger else (reason,)
        if not any(w in words for w in named):
            broken.append(("P10", f"{error} is not named: {words}"))
    return broken


def _statuses(case):
    """With which statuses a run may end one of whose calls was refused."""
    if case.call is not None and case.call.place == "ledger":
        # 69: there is no ledger to be had. 75: it was damaged in the middle; the next run goes on.
        return (0, 69, 73, 75) if case.what == "EIO" else (0, 69, 73)
    if case.call is not None and case.call.place == "journal" and not case.call.changes:
        return (0, 69, 73)
    return (0, 73)
