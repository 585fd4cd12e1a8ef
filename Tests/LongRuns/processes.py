"""What the processes of one run hold, as /proc tells it."""

import os
import pathlib
import signal
import statistics


def status(pid):
    """Name, parent and state of a process; None when it is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    rest = text[text.rindex(")") + 2:].split()
    return {"state": rest[0], "parent": int(rest[1]), "start": int(rest[19])}


def children(pid):
    """Those of its first thread and of all others."""
    found = []
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in path.read_text().split()]
        except OSError:
            continue
    return found


def descriptors(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return None


def resident(pid):
    """Bytes in memory that are its own; pages of files do not count."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return None


class Sampler:
    """Takes a sample now and then, and hits job processes with signals on the way."""

    NAMES = [
        "coordinator descriptors", "coordinator memory", "zygote descriptors", "zygote memory",
        "processes", "zombies", "staged files"]

    def __init__(self, coordinator, staging):
        self.coordinator = coordinator
        self.staging = staging
        self.samples = []
        self.seen = {}

    def zygote(self):
        found = children(self.coordinator)
        return found[0] if found else None

    def sample(self, when):
        zygote = self.zygote()
        jobs = children(zygote) if zygote else []
        states = {pid: status(pid) for pid in [zygote, *jobs] if pid}
        self.seen.update({pid: known["start"] for pid, known in states.items() if known})
        values = [
            descriptors(self.coordinator), resident(self.coordinator),
            descriptors(zygote) if zygote else None, resident(zygote) if zygote else None,
            len(jobs), sum(1 for known in states.values() if known and known["state"] == "Z"),
            sum(1 for path in self.staging() if path.is_file())]
        self.samples.append((when, values))

    def hit(self, number, source):
        """Sends a signal to one of the job processes; whether there was one."""
        zygote = self.zygote()
        jobs = children(zygote) if zygote else []
        return bool(jobs) and self.send(source.choice(jobs), number, zygote)

    def hit_zygote(self):
        zygote = self.zygote()
        return bool(zygote) and self.send(zygote, signal.SIGKILL, self.coordinator)

    @staticmethod
    def send(pid, number, parent):
        """Through a descriptor, so that a number that was given again is never hit."""
        try:
            descriptor = os.pidfd_open(pid)
        except OSError:
            return False
        try:
            known = status(pid)
            if not known or known["parent"] != parent or known["state"] == "Z":
                return False
            signal.pidfd_send_signal(descriptor, number)
            return True
        except OSError:
            return False
        finally:
            os.close(descriptor)

    def left(self):
        """Processes of the run that still live."""
        known = {pid: status(pid) for pid in self.seen}
        return [pid for pid, now in known.items() if now and now["start"] == self.seen[pid]]

    def tenth(self, which):
        """For each name the median and the most in that tenth of the time, 0 to 9."""
        times = [when for when, _ in self.samples]
        begin, length = times[0], (times[-1] - times[0]) / 10
        rows = [
            values for when, values in self.samples
            if begin + which * length <= when <= begin + (which + 1) * length]
        columns = [[value for value in column if value is not None] for column in zip(*rows)]
        return [(statistics.median(column), max(column)) if column else None for column in columns]
