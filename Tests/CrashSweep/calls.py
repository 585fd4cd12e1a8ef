"""Which system calls count, what they are called, and which file they are about."""

import os

# x86-64. `at`: a folder's descriptor and a name; `fd`: a descriptor; `path`: a name alone.
_SHAPES = {
    0: ("read", "fd"), 1: ("write", "fd"), 2: ("open", "path"), 3: ("close", "fd"),
    17: ("pread64", "fd"), 18: ("pwrite64", "fd"), 40: ("sendfile", "fd"),
    73: ("flock", "fd"), 74: ("fsync", "fd"), 75: ("fdatasync", "fd"),
    76: ("truncate", "path"), 77: ("ftruncate", "fd"), 82: ("rename", "path"),
    83: ("mkdir", "path"), 84: ("rmdir", "path"), 87: ("unlink", "path"),
    217: ("getdents64", "fd"), 257: ("openat", "at"), 258: ("mkdirat", "at"),
    263: ("unlinkat", "at"), 264: ("renameat", "at2"), 265: ("linkat", "at2"),
    285: ("fallocate", "fd"), 306: ("syncfs", "fd"), 316: ("renameat2", "at2"),
    326: ("copy_file_range", "fd3"), 437: ("openat2", "at"),
}
NUMBERS = frozenset(_SHAPES)

READING = frozenset(("read", "pread64", "getdents64", "flock"))
SYNCING = frozenset(("fsync", "fdatasync", "syncfs"))
WRITING = frozenset(("write", "pwrite64", "sendfile", "copy_file_range"))

O_WRONLY, O_RDWR, O_CREAT, O_PATH = 0x1, 0x2, 0x40, 0x200000


class Call:
    """One call about one file beneath the roots."""

    __slots__ = ("index", "tid", "name", "path", "place", "flags", "bytes", "fd", "is_directory")

    @property
    def changes(self):
        """Whether what is on disk can be other after it than before it."""
        if self.name in READING:
            return False
        if self.name in ("open", "openat", "openat2"):
            return bool(self.flags & O_CREAT)
        return True

    @property
    def part(self):
        """Which part of the program it serves."""
        if self.place in ("journal", "ledger"):
            return self.place
        return "publishing" if self.place in ("output", "staged", "staging") else "folders"

    def __str__(self):
        return f"{self.index}: {self.name} {self.place} {self.path}"


def place(path):
    """What the file beneath the output folder is."""
    parts = path.split("/")
    if parts[0] != ".minilab":
        return "output"
    name = parts[-1]
    if len(parts) == 1:
        return "state"
    if parts[1] == "lock":
        return "lock"
    if parts[1].startswith("ledger"):
        return "ledger"
    if parts[1] == "runs" and len(parts) > 3:
        if parts[3] == "staging":
            return "staged" if len(parts) > 4 else "staging"
        if name == "journal.jsonl":
            return "journal"
        return "summary"
    return "runs"


class Reader:
    """Turns a thread's registers into a call; None when it is about no file beneath the roots.

    `roots` maps each folder to what stands for it in the paths of calls.
    """

    def __init__(self, pid, roots):
        self.pid = pid
        self.roots = [(os.fsencode(path), name) for path, name in roots.items()]
        self.memory = None

    def close(self):
        if self.memory is not None:
            os.close(self.memory)

    def call(self, tid, number, arguments):
        shape = _SHAPES.get(number)
        if shape is None:
            return None
        name, kind = shape
        call = Call()
        call.index, call.tid, call.name = 0, tid, name
        call.flags, call.bytes, call.fd = 0, 0, None
        if kind in ("fd", "fd3"):
            call.fd = arguments[2] if kind == "fd3" else arguments[0]
            path = self._link(call.fd)
            if name in ("write", "pwrite64"):
                call.bytes = arguments[2]
            elif name == "sendfile":
                call.bytes = arguments[3]
        elif kind == "path":
            path = self._absolute(self._text(arguments[0]), None)
            if name == "open":
                call.flags = arguments[1]
            elif name == "rename":
                path = self._absolute(self._text(arguments[1]), None)
        elif kind == "at":
            path = self._absolute(self._text(arguments[1]), arguments[0])
            if name == "openat":
                call.flags = arguments[2]
            elif name == "openat2":
                call.flags = int.from_bytes(self._bytes(arguments[2], 8), "little")
        else:
            path = self._absolute(self._text(arguments[3]), arguments[2])
        if path is None:
            return None
        if name == "close" and not self._is_for_writing(call.fd):
            # Nothing happens on disk when what was only looked at is closed; it happens often.
            return None
        for root, prefix in self.roots:
            if path == root or path.startswith(root + b"/"):
                call.path = os.path.join(prefix, os.fsdecode(path[len(root) + 1 :])).rstrip("/")
                break
        else:
            return None
        call.place = place(call.path)
        call.is_directory = name in SYNCING and os.path.isdir(f"/proc/{self.pid}/fd/{call.fd}")
        return call

    def _link(self, fd):
        try:
            path = os.readlink(f"/proc/{self.pid}/fd/{fd}".encode())
        except OSError:
            return None
        return path.removesuffix(b" (deleted)")

    def _is_for_writing(self, fd):
        try:
            with open(f"/proc/{self.pid}/fdinfo/{fd}") as file:
                flags = next(line for line in file if line.startswith("flags:"))
        except OSError:
            return False
        return bool(int(flags.split()[1], 8) & (O_WRONLY | O_RDWR))

    def _absolute(self, text, folder):
        if text.startswith(b"/"):
            return os.path.normpath(text)
        if folder is None or folder & 0xFFFFFFFF == 0xFFFFFF9C:
            base = os.readlink(f"/proc/{self.pid}/cwd".encode())
        else:
            base = self._link(folder & 0xFFFFFFFF)
        return None if base is None else os.path.normpath(os.path.join(base, text))

    def _bytes(self, address, count):
        if self.memory is None:
            self.memory = os.open(f"/proc/{self.pid}/mem", os.O_RDONLY)
        return os.pread(self.memory, count, address)

    def _text(self, address):
        result = b""
        while b"\0" not in result and len(result) < 8192:
            piece = self._bytes(address + len(result), 4096 - (address + len(result)) % 4096)
            if not piece:
                break
            result += piece
        return result.partition(b"\0")[0]
