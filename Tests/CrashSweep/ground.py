"""Where an output folder lies: in a plain folder, or on a small disk whose power can be cut."""

import ctypes
import fcntl
import os
import shutil
import struct
import subprocess
import time

CUTS = {0: "all flushed", 1: "journal only", 2: "nothing flushed"}
_SHUTDOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN
_libc = ctypes.CDLL(None, use_errno=True)


def _copy(source, target):
    subprocess.run(["cp", "-a", "--sparse=always", source, target], check=True)


class Folder:
    """`now` holds the output folder and the state folder of the case at hand."""

    def __init__(self, work):
        self.work = work
        self.now = f"{work}/now"
        self.output = f"{self.now}/out"
        self.state = f"{self.now}/state"
        os.makedirs(f"{work}/saved", exist_ok=True)
        self.format()

    def format(self):
        shutil.rmtree(self.now, ignore_errors=True)
        os.mkdir(self.now)

    def save(self, name):
        _copy(self.now, f"{self.work}/saved/{name}")

    def restore(self, name):
        shutil.rmtree(self.now, ignore_errors=True)
        _copy(f"{self.work}/saved/{name}", self.now)

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)


class Disk(Folder):
    """The output folder lies on an ext4 of its own, in a file; a state folder apart does not.

    Mounted without ext4's habit of writing out files that replace others, and with a journal that
    is not written by itself: what was not synced is not there.
    """

    OPTIONS = "loop,noauto_da_alloc,commit=900"

    def __init__(self, work):
        os.makedirs(work, exist_ok=True)
        self.image = f"{work}/image"
        self.mount_point = f"{work}/disk"
        self.mounted = False
        os.makedirs(self.mount_point, exist_ok=True)
        super().__init__(work)
        self.output = f"{self.mount_point}/out"

    def format(self):
        self._unmount()
        super().format()
        with open(self.image, "wb") as file:
            file.truncate(24 << 20)
        subprocess.run(
            ["mkfs.ext4", "-q", "-F", "-J", "size=4", "-E", "lazy_itable_init=0", self.image],
            check=True,
            capture_output=True,
        )
        self._mount()

    def save(self, name):
        self._unmount()
        _copy(self.image, f"{self.work}/saved/{name}.image")
        super().save(name)
        self._mount()

    def restore(self, name):
        self._unmount()
        _copy(f"{self.work}/saved/{name}.image", self.image)
        super().restore(name)
        self._mount()

    def cut(self, kind):
        """The disk takes nothing more from now on; the kind says what of before it has."""
        folder = os.open(self.mount_point, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, _SHUTDOWN, struct.pack("I", kind))
        finally:
            os.close(folder)

    def power_on(self):
        self._unmount()
        self._mount()

    def close(self):
        self._unmount()
        super().close()

    def _mount(self):
        end = subprocess.run(
            ["mount", "-t", "ext4", "-o", self.OPTIONS, self.image, self.mount_point],
            capture_output=True,
            check=False,
        )
        if end.returncode != 0:
            raise OSError(end.stderr.decode(errors="replace").strip())
        self.mounted = True

    def _unmount(self):
        while self.mounted:
            if _libc.umount2(os.fsencode(self.mount_point), 0) == 0:
                self.mounted = False
            else:
                time.sleep(0.005)


def _mount_for_ourselves():
    """Mounts are seen by this process and its children alone, and go with them.

    Another process that took a copy of all mounts would else keep a disk alive that was cut off.
    """
    new_namespace, recursively, privately = 0x20000, 0x4000, 0x40000
    if _libc.unshare(new_namespace) != 0 or (
        _libc.mount(b"none", b"/", None, recursively | privately, None) != 0
    ):
        raise OSError(ctypes.get_errno(), "no mounts of its own")


def why_no_disk(work):
    """Why no power can be cut here; None when it can."""
    if os.geteuid() != 0:
        return "cutting the power of a disk needs root"
    if shutil.which("mkfs.ext4") is None:
        return "mkfs.ext4 is not installed"
    try:
        _mount_for_ourselves()
        disk = Disk(work)
    except (OSError, subprocess.CalledProcessError) as error:
        return f"a disk in a file cannot be mounted here: {error}"
    try:
        disk.cut(0)
        disk.power_on()
    except OSError as error:
        return f"the power of a disk cannot be cut here: {error}"
    finally:
        disk.close()
    return None
