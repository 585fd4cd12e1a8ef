"""Runs one program under ptrace and does something to it at a chosen system call.

strace counts calls for each thread by itself, so that a call of one thread hides the same call of
another. This counts over the whole process, in the order in which things happen.
"""

import ctypes
import os
import signal
import time

import calls

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

TRACEME, POKEUSER, SYSCALL, DETACH, SETOPTIONS = 0, 6, 24, 17, 0x4200
GETEVENTMSG, GET_SYSCALL_INFO = 0x4201, 0x420E
OPTIONS = 0x1 | 0x8 | 0x100000  # TRACESYSGOOD, TRACECLONE, EXITKILL
WALL = 0x40000000
# Places in struct user of x86-64.
ORIG_RAX, RAX, RDX = 15 * 8, 10 * 8, 12 * 8
COUNT_ARGUMENT = {"write": RDX, "pwrite64": RDX, "sendfile": 7 * 8}
NO_CALL = (1 << 64) - 1


class _Info(ctypes.Structure):
    _fields_ = [
        ("op", ctypes.c_uint8),
        ("pad", ctypes.c_uint8 * 3),
        ("arch", ctypes.c_uint32),
        ("ip", ctypes.c_uint64),
        ("sp", ctypes.c_uint64),
        ("words", ctypes.c_uint64 * 8),
    ]


def _ptrace(request, pid, address=0, data=0):
    result = _libc.ptrace(request, pid, address, data)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"ptrace {request}: {os.strerror(number)}")
    return result


class Verdict:
    """What is to happen to a call; see the functions below."""

    def __init__(self, kind, value=0):
        self.kind, self.value = kind, value


GO_ON = Verdict("go")


def kill():
    """The process dies instead of making the call."""
    return Verdict("kill")


def kill_after_half():
    """Half of the bytes are written, and then the process dies."""
    return Verdict("half-kill")


def half():
    """Only half of the bytes are written, as the kernel may do."""
    return Verdict("half")


def answer(value):
    """The call is not made and answers this."""
    return Verdict("answer", value)


def answer_after(value):
    """The call is made, and answers this all the same."""
    return Verdict("late", value)


class Run:
    """How a traced program ended."""

    def __init__(self):
        self.status = None  # exit status, or minus the signal
        self.calls = 0  # calls that were looked at
        self.hit = None  # the call that something was done to first
        self.left = []  # processes that outlived it


def usable():
    """Why no program can be traced here; None when it can."""
    if os.uname().machine != "x86_64":
        return "system calls are looked at on x86-64 only"
    try:
        run = trace(["/bin/true"], {}, lambda call: GO_ON)
    except OSError as error:
        return f"programs may not be traced here ({error})"
    return None if run.status == 0 else "a traced program does not end as it should"


def trace(words, roots, decide, done=None, environment=None, stdout=None, stderr=None, limit=60):
    """Runs the words; `decide(call)` says what happens to each call beneath the roots.

    `done(call, result)` is told what the kernel answered. The program's own children run untraced.
    """
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            null = os.open("/dev/null", os.O_RDWR)
            os.dup2(null, 0)
            for number, target in ((1, stdout), (2, stderr)):
                os.dup2(target.fileno() if target else null, number)
            _ptrace(TRACEME, 0)
            os.execve(words[0], words, environment or dict(os.environ))
        finally:
            os._exit(127)
    tracing = _Tracing(pid, roots, decide, done, limit)
    try:
        return tracing.loop()
    except BaseException:
        # Whoever interrupts this wants its disk back.
        tracing.abandon()
        raise


class _Tracing:
    def __init__(self, pid, roots, decide, done, limit):
        self.pid, self.decide, self.done = pid, decide, done
        self.end = time.monotonic() + limit
        self.run = Run()
        self.reader = calls.Reader(pid, roots)
        self.pending = {}  # thread -> (call, verdict) between entry and exit
        self.family = set()
        self.started = False

    def loop(self):
        while True:
            tid, status = os.waitpid(-1, WALL)
            if os.WIFSTOPPED(status):
                self.stopped(tid, status)
            elif tid == self.pid:
                self.run.status = os.waitstatus_to_exitcode(status)
                self.reader.close()
                self.run.left = wait_for_end(self.family)
                return self.run

    def stopped(self, tid, status):
        number = os.WSTOPSIG(status)
        deliver = 0
        if number == signal.SIGTRAP | 0x80:
            self.syscall(tid)
        elif status >> 16:
            pass  # a thread was made; it stops by itself
        elif not self.started:
            self.started = True
            _ptrace(SETOPTIONS, tid, 0, OPTIONS)
        elif number not in (signal.SIGSTOP, signal.SIGTRAP):
            deliver = number
        if time.monotonic() > self.end:
            self.die()
        try:
            _ptrace(SYSCALL, tid, 0, deliver)
        except ProcessLookupError:
            pass  # killed meanwhile

    def syscall(self, tid):
        info = _Info()
        try:
            _ptrace(GET_SYSCALL_INFO, tid, ctypes.sizeof(info), ctypes.addressof(info))
        except ProcessLookupError:
            return
        if info.op == 1:
            self.entered(tid, info.words[0], info.words[1:7])
        elif info.op == 2 and tid in self.pending:
            self.left(tid, ctypes.c_int64(info.words[0]).value)

    def entered(self, tid, number, arguments):
        call = self.reader.call(tid, number, arguments)
        if call is None:
            return
        self.run.calls += 1
        call.index = self.run.calls
        verdict = self.decide(call)
        if verdict.kind != "go" and self.run.hit is None:
            self.run.hit = call
        self.pending[tid] = (call, verdict)
        if verdict.kind == "kill":
            self.die()
        elif verdict.kind == "answer":
            _ptrace(POKEUSER, tid, ORIG_RAX, NO_CALL)
        elif verdict.kind in ("half", "half-kill"):
            _ptrace(POKEUSER, tid, COUNT_ARGUMENT[call.name], call.bytes // 2)

    def left(self, tid, result):
        call, verdict = self.pending.pop(tid)
        if verdict.kind in ("answer", "late"):
            result = verdict.value
            _ptrace(POKEUSER, tid, RAX, result & NO_CALL)
        elif verdict.kind == "half-kill":
            self.die()
        if self.done:
            self.done(call, result)

    def abandon(self):
        """Ends the process and all its threads."""
        try:
            self.die()
            while True:
                os.waitpid(-1, WALL)
        except (ChildProcessError, ProcessLookupError):
            pass

    def die(self):
        self.family |= descendants(self.pid)
        os.kill(self.pid, signal.SIGKILL)


def descendants(pid):
    """All processes below this one, each with its start time."""
    found = set()
    try:
        for tid in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{tid}/children") as file:
                for child in map(int, file.read().split()):
                    found.add((child, _start_time(child)))
                    found |= descendants(child)
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found


def _start_time(pid):
    """None when it is gone or only waits to be reaped."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else fields[19]


def wait_for_end(family, seconds=5):
    """Those of the processes that are still there after so long."""
    end = time.monotonic() + seconds
    while True:
        left = [pid for pid, start in family if start and _start_time(pid) == start]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.002)
