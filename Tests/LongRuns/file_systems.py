"""File systems that go wrong in the middle of a run, each a small disk made from a file.

Started by scripts/file-systems.
"""

import argparse
import contextlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from library import Broken, Library, expect

OLD = b"the old render"


class Impossible(Exception):
    """What this machine cannot do."""


def run(*words):
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Impossible(f"{words[0]}: {(result.stderr or result.stdout).strip().splitlines()[-1]}")
    return result.stdout


class Disk:
    """A file system in a file, mounted while the value is used."""

    def __init__(self, folder, kind="ext4", megabytes=64, make=(), options=""):
        self.place = folder / "disk"
        self.image = folder / "disk.img"
        self.kind = kind
        self.options = options
        self.place.mkdir(parents=True)
        with self.image.open("wb") as file:
            file.truncate(megabytes << 20)
        run(f"mkfs.{kind}", "-q", *make, str(self.image))

    def __enter__(self):
        self.mount()
        return self

    def __exit__(self, *_):
        while subprocess.run(
                ["umount", "-l", str(self.place)], capture_output=True, check=False).returncode == 0:
            pass

    def mount(self):
        options = ",".join(filter(None, ["loop", self.options]))
        run("mount", "-t", self.kind, "-o", options, str(self.image), str(self.place))

    def unmount(self):
        run("umount", str(self.place))

    def device(self):
        return pathlib.Path(
            run("findmnt", "-no", "SOURCE", str(self.place)).strip().splitlines()[0])


def begin(library):
    """Starts a run and waits until it has published something new."""
    process = library.start("--workers", "2")
    limit = time.monotonic() + 60
    while not any(path.read_bytes() != OLD for path in library.outputs()):
        if process.poll() is not None:
            end = library.end(process)
            raise Broken(f"it ended before its first output, with {end.status}: {end.errors}")
        expect(time.monotonic() < limit, "no output within a minute")
        time.sleep(0.005)
    return process


def put_old(library, count):
    library.output.mkdir(parents=True, exist_ok=True)
    for job in range(0, count, 3):
        (library.output / f"j{job}.png").write_bytes(OLD)


def check_stopped(library, end, *words):
    expect(end.status == 73, f"it ended with {end.status}, not 73: {end.errors}")
    said = end.errors + str(end.summary)
    expect(any(word in said for word in words), f"no reason is given in: {said}")
    if end.summary is not None:
        library.check_accounts(end)


# --- The cases


def quota(folder, programs, apart):
    """Btrfs limits a subvolume by a quota group: writes end with EDQUOT while the disk has room."""
    if not shutil.which("mkfs.btrfs"):
        raise Impossible("btrfs-progs are not installed")
    with Disk(folder, "btrfs", megabytes=256) as disk:
        output = disk.place / "out"
        run("btrfs", "subvolume", "create", str(output))
        run("btrfs", "quota", "enable", str(disk.place))
        run("btrfs", "qgroup", "limit", "4M", str(output))
        library = Library(folder, programs, output, folder / "state" if apart else None)
        library.fill(24, side=300)
        put_old(library, 24)
        end = library.render("--workers", "2")
        check_stopped(library, end, "disk is full", "no space is left", "quota exceeded")
        library.check_whole(OLD)
        run("btrfs", "qgroup", "limit", "none", str(output))
        library.check_finished()


def project_quota(folder, programs):
    """Ext4 with project quota, where the kernel was built for it."""
    if not shutil.which("setquota"):
        raise Impossible("the package quota is not installed")
    with Disk(folder, make=("-O", "quota,project"), options="prjquota") as disk:
        output = disk.place / "out"
        output.mkdir()
        run("chattr", "+P", "-p", "7", str(output))
        run("setquota", "-P", "7", "0", "4096", "0", "0", str(disk.place))
        library = Library(folder, programs, output)
        library.fill(24, side=300)
        put_old(library, 24)
        end = library.render("--workers", "2")
        check_stopped(library, end, "disk is full", "no space is left", "quota exceeded")
        library.check_whole(OLD)
        run("setquota", "-P", "7", "0", "0", "0", "0", str(disk.place))
        library.check_finished()


def inodes(folder, programs):
    """No room for another file, with megabytes free."""
    with Disk(folder, megabytes=16, make=("-N", "48")) as disk:
        library = Library(folder, programs, disk.place)
        library.fill(60, side=32)
        end = library.render("--workers", "2")
        check_stopped(library, end, "disk is full", "no space is left", "No space left")
        library.check_whole(OLD)
        expect(len(library.outputs()) < 60, "there were inodes for all of them")
        # The rest goes where there is room; what was done comes along.
        roomy = folder / "roomy"
        shutil.copytree(disk.place, roomy, symlinks=True)
        library.output = roomy
        library.check_finished()


def error(folder, programs, where):
    """The kernel turns the disk read-only after an error, whoever is writing."""
    with Disk(folder, options="errors=remount-ro") as disk:
        on_disk, beside = disk.place / "data", folder / "beside"
        output = beside if where == "state" else on_disk
        state = {"both": None, "state": on_disk, "output": beside}[where]
        library = Library(folder, programs, output, state)
        library.fill(200, side=100)
        put_old(library, 200)
        process = begin(library)
        trigger = pathlib.Path("/sys/fs/ext4") / disk.device().name / "trigger_fs_error"
        if not trigger.exists():
            process.kill()
            process.wait()
            raise Impossible("the kernel has no trigger for errors of ext4")
        trigger.write_text("1\n")
        end = library.end(process)
        check_stopped(library, end, "Read-only", "Input/output error", "readonly", "read-only")
        library.check_whole(OLD)
        again = library.render()
        expect(again.status == 73, f"on the read-only disk: {again.status}, {again.errors}")
        expect("ead-only" in again.errors or "readonly" in again.errors, again.errors)
        disk.unmount()
        subprocess.run(["e2fsck", "-fy", str(disk.image)], capture_output=True, check=False)
        disk.mount()
        library.check_whole(OLD)
        library.check_finished()


def remount(folder, programs):
    """Remounted read-only between two writes; the kernel refuses while a file is open for writing."""
    with Disk(folder) as disk:
        library = Library(folder, programs, disk.place / "out", folder / "state")
        library.fill(300, side=100)
        put_old(library, 300)
        process = begin(library)
        while subprocess.run(
                ["mount", "-o", "remount,ro", str(disk.place)], capture_output=True,
                check=False).returncode != 0:
            if process.poll() is not None:
                raise Impossible("the disk was never without a file open for writing")
        end = library.end(process)
        check_stopped(library, end, "Read-only")
        library.check_whole(OLD)
        run("mount", "-o", "remount,rw", str(disk.place))
        library.check_finished()


def unmount(folder, programs, apart):
    """Unmounted lazily: whoever has it open still writes to it, and nobody else finds it."""
    with Disk(folder) as disk:
        library = Library(
            folder, programs, disk.place / "out", folder / "state" if apart else None)
        library.fill(300, side=100)
        put_old(library, 300)
        process = begin(library)
        expect(
            subprocess.run(
                ["umount", str(disk.place)], capture_output=True, check=False).returncode != 0,
            "a disk in use could be unmounted")
        run("umount", "-l", str(disk.place))
        end = library.end(process)
        check_stopped(library, end, "it was unmounted, moved or deleted")
        expect(not list(disk.place.iterdir()), "something was written beneath the mount point")
        disk.mount()
        library.check_whole(OLD)
        library.check_finished()


def from_the_start(folder, programs):
    """A disk that is mounted read-only refuses the run, and nothing on it is touched."""
    with Disk(folder) as disk:
        library = Library(folder, programs, disk.place / "out")
        library.fill(6, side=50)
        run("mount", "-o", "remount,ro", str(disk.place))
        end = library.render()
        expect(end.status == 73 and "Read-only" in end.errors, f"{end.status}: {end.errors}")
        run("mount", "-o", "remount,rw", str(disk.place))
        library.check_finished()
        run("mount", "-o", "remount,ro", str(disk.place))
        end = library.render()
        expect(end.status == 73 and "Read-only" in end.errors, f"{end.status}: {end.errors}")


CASES = {
    "quota, btrfs": lambda *place: quota(*place, apart=False),
    "quota, btrfs, state apart": lambda *place: quota(*place, apart=True),
    "quota, ext4": project_quota,
    "no inodes": inodes,
    "read-only after an error": lambda *place: error(*place, where="both"),
    "read-only after an error, outputs": lambda *place: error(*place, where="output"),
    "read-only after an error, state": lambda *place: error(*place, where="state"),
    "remounted read-only": remount,
    "read-only from the start": from_the_start,
    "unmounted": lambda *place: unmount(*place, apart=False),
    "unmounted, state apart": lambda *place: unmount(*place, apart=True),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--only", action="append", choices=list(CASES))
    options = parser.parse_args()
    broken = done = 0
    reasons = []
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="minilab-disks-")))
        for number, name in enumerate(options.only or CASES):
            folder = scratch / str(number)
            folder.mkdir()
            started = time.monotonic()
            try:
                CASES[name](folder, options.programs)
                answer = "kept"
                done += 1
            except Impossible as reason:
                answer = f"not done here: {reason}"
                reasons.append(str(reason))
            except Broken as reason:
                answer = f"BROKEN: {reason}"
                broken += 1
            print(f"{name:36} {time.monotonic() - started:6.1f} s  {answer}", flush=True)
    if broken:
        return 1
    if not done:
        print(f"SKIPPED: {reasons[-1] if reasons else 'nothing was asked for'}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
