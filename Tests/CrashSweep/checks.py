"""What must hold after a crash, after the start that follows, and once more after that.

Each check gives the promises that are broken, as (promise, words). The promises are those of
docs/reliability.md.
"""

import json
import os

import records

KEPT_IN_STATE = {"lock", "ledger.sqlite", "output", "compacted-size"}
KEPT_IN_RUN = {"journal.jsonl", "summary.json"}


def files(folder):
    """All files and empty folders beneath a folder, by their paths from there."""
    result = []
    for path, folders, names in os.walk(folder):
        inner = os.path.relpath(path, folder)
        here = "" if inner == "." else inner + "/"
        result += [here + name for name in names]
        if not folders and not names and here:
            result.append(here)
    return sorted(result)


class Checks:
    """Of one beginning: what every name may hold, and where the state is."""

    def __init__(self, scene, output, state, scratch, old, old_runs, new):
        self.scene, self.output, self.state, self.scratch = scene, output, state, scratch
        self.old = old  # name -> digest, before the run
        self.old_runs = old_runs  # of which a report need not be true any more
        self.new = new  # name -> digest of the picture that the run makes

    def there(self, name):
        return records.digest(f"{self.output}/{name}")

    # --- Right after the crash

    def after_crash(self, lengths=None):
        """`lengths`: how much of each run's journal was made durable, where more may be lost."""
        state = records.State(self.state)
        broken = self._names(state)
        broken += self._last_words(state)
        broken += self._journals(state, lengths)
        broken += [("P8", words) for words in state.ledger_flaws(self.scratch, exact=False)]
        return broken

    def _names(self, state):
        """Old bytes, new bytes or nothing, and new ones only where a journal announces them."""
        broken = []
        announced = state.intents()
        for name in self.scene.all_names():
            there = self.there(name)
            if there == self.old.get(name):
                continue
            is_new = there in announced.get(name, ())
            if name in self.new:
                is_new = is_new and there == self.new[name]
            if there is None:
                broken.append(("P4", f"{name} had its old bytes and is gone"))
            elif not is_new:
                size = os.path.getsize(f"{self.output}/{name}")
                broken.append(("P4", f"{name} has other bytes than old or announced ({size})"))
        known = set(self.scene.all_names())
        for name in files(self.output):
            if not name.startswith(".minilab/") and not name.endswith("/") and name not in known:
                broken.append(("P7", f"{name} is not an output"))
        return broken

    def _last_words(self, state):
        """A report that is a job's last word describes the bytes under its names."""
        broken = []
        announced = {}
        for journal in state.journals:
            for intent in journal.of_kind("intent"):
                for name in intent["names"]:
                    announced[intent["report"]["run"], name["path"]] = name["sha256"]
        for job, word in state.last_words().items():
            if word["kind"] != "report":
                continue
            wanted = {entry["path"]: entry["sha256"] for entry in word.get("renditions", ())}
            if "reportFile" in word:
                path = word["reportFile"]["path"]
                wanted[path] = announced.get((word["run"], path))
            for name, digest in wanted.items():
                there = self.there(name)
                is_old = word["run"] in self.old_runs and there == self.old.get(name)
                if there != digest and not is_old:
                    broken.append(("P4", f"{name} is not as the report of {job} says"))
            if word["run"] not in self.old_runs:
                for name in self.scene.names(job):
                    if name not in wanted and self.there(name) != self.old.get(name):
                        broken.append(("P4", f"{name} is new, and the report of {job} denies it"))
        return broken

    def _journals(self, state, lengths):
        broken = []
        gone = set(lengths or ()) - {journal.run for journal in state.journals}
        broken += [("P4", f"the journal of {run} was durable and is gone") for run in sorted(gone)]
        for journal in state.journals:
            durable = None if lengths is None else lengths.get(journal.run, 0)
            if durable is not None and journal.length < durable:
                broken.append(("P4", f"the journal of {journal.run} is shorter than was durable"))
            if journal.corrupt and (durable is None or journal.corrupt_at < durable):
                broken.append(("P4", f"the journal of {journal.run} has damaged lines"))
        return broken

    # --- After the next start

    def after_restart(self, result):
        """`result` is that of the run that followed the crash."""
        broken = []
        summary = result.summary
        if result.status != 0 or summary is None:
            return [("P8", f"the next run ended with {result.status}: {result.words}")]
        totals = summary["totals"]
        if not summary["balanced"] or totals["rendered"] + totals["fresh"] != totals["planned"]:
            broken.append(("P8", f"the accounts of the next run: {totals}"))
        if "damaged" in result.words:
            broken.append(("P8", f"the next run found damage: {result.words}"))
        broken += self.in_order()
        return broken

    def in_order(self):
        """Every job is done, reported and known, and nothing else is there."""
        state = records.State(self.state)
        broken = self._temporaries()
        words = state.last_words()
        for job in self.scene.jobs:
            word = words.get(job)
            if word is None or word["kind"] != "report" or word["outcome"]["state"] != "rendered":
                broken.append(("P8", f"{job} did not reach its final state"))
        broken += self._last_words(state)
        for name in self.scene.all_names():
            there = self.there(name)
            if there is None or there != self.new.get(name, there):
                broken.append(("P4", f"{name} has not its new bytes after the next run"))
        for job in self.scene.jobs:
            broken += self._report_file(job)
        for journal in state.journals:
            jobs = [report["job"] for report in journal.of_kind("report")]
            if len(jobs) != len(set(jobs)):
                broken.append(("P8", f"run {journal.run} reports a job twice"))
            if journal.lines and not journal.is_closed:
                broken.append(("P7", f"the journal of {journal.run} has no end"))
            if journal.corrupt:
                broken.append(("P4", f"the journal of {journal.run} has damaged lines"))
        broken += [("P8", flaw) for flaw in state.ledger_flaws(self.scratch, exact=True)]
        return broken

    def _temporaries(self):
        broken = []
        for name in files(self.state):
            parts = name.split("/")
            is_kept = parts[0] in KEPT_IN_STATE if len(parts) == 1 else (
                parts[0] == "runs" and len(parts) == 3 and parts[2] in KEPT_IN_RUN
            )
            if not is_kept:
                broken.append(("P7", f"{name} is left in the state folder"))
        if self.state != f"{self.output}/.minilab":
            for name in files(f"{self.output}/.minilab"):
                if name != "runs/":
                    broken.append(("P7", f"{name} is left beside the outputs"))
        return broken

    def _report_file(self, job):
        """The report file describes the renders beside it."""
        names = [name for name in self.scene.names(job) if name.endswith(".json")]
        for name in names:
            try:
                with open(f"{self.output}/{name}") as file:
                    told = json.load(file)
            except (OSError, ValueError) as error:
                return [("P4", f"{name} cannot be read: {error}")]
            for entry in told["renditions"]:
                if self.there(entry["path"]) != entry["sha256"]:
                    return [("P4", f"{name} does not describe {entry['path']}")]
        return []

    # --- And once more

    def after_fresh_run(self, result):
        totals = (result.summary or {}).get("totals", {})
        if result.status != 0 or totals.get("fresh") != len(self.scene.jobs):
            return [("P8", f"run once more, it ends with {result.status}: {totals} {result.words}")]
        return self._temporaries()

    def ledger_agrees(self):
        """The ledger says the same after it was made anew from the journals."""
        before = self.ask("ledger", "show", "--format", "json")
        rebuilt = self.ask("ledger", "rebuild")
        after = self.ask("ledger", "show", "--format", "json")
        if rebuilt.status != 0:
            return [("P8", f"the ledger cannot be made anew: {rebuilt.words}")]
        if not before.text or before.text != after.text:
            return [("P8", "the ledger says other than the journals")]
        return []

    def ask(self, *words):
        flags = [] if self.state == f"{self.output}/.minilab" else ["--state", self.state]
        return self.scene.ask(self.output, *words, *flags)
