"""A library, a manifest and an output folder, and what the runs on them left."""

import hashlib
import json
import pathlib
import subprocess

import drawing


class Broken(Exception):
    """A promise that was not kept."""


def expect(condition, words):
    if not condition:
        raise Broken(words)


class Library:
    """`output` and `state` are where the case wants them; `state` None: beneath the output."""

    def __init__(self, folder, programs, output, state=None):
        self.folder = pathlib.Path(folder)
        self.program = pathlib.Path(programs).resolve() / "minilab"
        self.output = pathlib.Path(output)
        self.state_option = pathlib.Path(state) if state else None
        (self.folder / "library").mkdir(parents=True)
        self.jobs = 0

    @property
    def state(self):
        return self.state_option or self.output / ".minilab"

    def write(self, jobs):
        """Jobs as dictionaries; each makes one PNG named by its id unless it says otherwise."""
        defaults = {
            "adjustment": "none", "output": "{job}.{extension}",
            "renditions": [{"name": "full", "type": "public.png"}]}
        lines = [json.dumps({"minilab": 1, "library": "library", "defaults": defaults})]
        lines += [json.dumps(job) for job in jobs]
        (self.folder / "manifest.jsonl").write_text("\n".join(lines) + "\n")
        self.jobs = len(jobs)

    def fill(self, count, side):
        """So many jobs of a few square pictures of noise."""
        for seed in range(min(count, 4)):
            (self.folder / "library" / f"{seed}.png").write_bytes(drawing.noise(side, side, seed))
        self.write([{"id": f"j{job}", "asset": f"{job % 4}.png"} for job in range(count)])

    def command(self, *flags):
        state = ["--state", str(self.state_option)] if self.state_option else []
        return [
            str(self.program), "render", str(self.folder / "manifest.jsonl"), "--output",
            str(self.output), "--progress", "none", "--format", "json", *state, *flags]

    def start(self, *flags):
        """Into files: nobody reads a pipe while the processes are watched."""
        with self.said("out").open("wb") as output, self.said("errors").open("wb") as errors:
            return subprocess.Popen(self.command(*flags), stdout=output, stderr=errors)

    def said(self, name):
        return self.folder / f"said.{name}"

    def end(self, process, seconds=120):
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            words = self.said("errors").read_text()
            raise Broken(f"still running after {seconds} s; it said: {words}") from None
        return End(
            process.returncode, self.said("out").read_text(), self.said("errors").read_text())

    def render(self, *flags):
        return self.end(self.start(*flags))

    def outputs(self):
        """All files beneath the output but the state."""
        return sorted(
            path for path in self.output.rglob("*")
            if path.is_file() and ".minilab" not in path.relative_to(self.output).parts
            and "lost+found" not in path.parts)

    def last_reports(self):
        """The last report of each job over all runs, by the order of their names."""
        reports = {}
        for journal in sorted((self.state / "runs").glob("*/journal.jsonl")):
            for line in journal.read_bytes().split(b"\n")[:-1]:
                try:
                    report = json.loads(line.decode())
                except ValueError:
                    # What a failed write left has no checksum that fits: nobody believes it.
                    continue
                if report["kind"] == "report":
                    reports[report["job"]] = report
        return reports

    def temporaries(self):
        kept = {"journal.jsonl", "summary.json", "ledger.sqlite", "ledger.sqlite-wal", "lock", "output", "compacted-size"}
        roots = {self.state, self.output / ".minilab"}
        return [
            str(path) for root in roots if root.is_dir() for path in root.rglob("*")
            if path.is_file() and path.name not in kept]

    def check_accounts(self, end):
        """The summary on standard output tells of every job, once."""
        expect(end.summary is not None, f"no summary; it said: {end.errors}")
        totals = dict(end.summary["totals"])
        planned = totals.pop("planned")
        expect(planned == self.jobs, f"{planned} jobs were planned, not {self.jobs}")
        expect(sum(totals.values()) == planned, f"the totals do not add up: {end.summary['totals']}")
        expect(end.summary["balanced"], "the run says that its accounts are out of balance")

    def check_whole(self, old=b""):
        """Each name has the old bytes or all of the new ones."""
        for path in self.outputs():
            data = path.read_bytes()
            expect(data == old or drawing.is_whole_png(data), f"{path} is torn, {len(data)} bytes")

    def check_finished(self):
        """One more run does the rest, and then there is nothing left to do."""
        end = self.render()
        expect(end.status == 0, f"the next run ended with {end.status}: {end.errors}")
        self.check_accounts(end)
        reports = self.last_reports()
        expect(len(reports) == self.jobs, f"{len(reports)} of {self.jobs} jobs have a report")
        for report in reports.values():
            expect(report["outcome"]["state"] == "rendered", f"{report['job']}: {report['outcome']}")
            for rendition in report["renditions"]:
                data = (self.output / rendition["path"]).read_bytes()
                expect(
                    hashlib.sha256(data).hexdigest() == rendition["sha256"],
                    f"{rendition['path']} has other bytes than its report says")
        expect(len(self.outputs()) == self.jobs, f"{len(self.outputs())} outputs are there")
        expect(not self.temporaries(), f"left behind: {self.temporaries()}")
        end = self.render()
        expect(end.status == 0, f"a run with nothing to do ended with {end.status}: {end.errors}")
        fresh = end.summary["totals"]["fresh"]
        expect(fresh == self.jobs, f"only {fresh} of {self.jobs} jobs are up to date")


class End:
    """How a run ended, and what it said."""

    def __init__(self, status, output, errors):
        self.status = status
        self.errors = errors.strip()
        self.summary = json.loads(output) if output.strip() else None
