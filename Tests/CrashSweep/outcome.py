"""What came of the cases: broken promises at once on the terminal, and a table at the end."""

import time


class Case:
    """One thing that was done to one run."""

    def __init__(self, sweep, beginning, index, what=""):
        self.sweep, self.beginning, self.index, self.what = sweep, beginning, index, what
        self.call = None
        self.broken = []
        self.status = None
        self.seconds = 0.0

    @property
    def name(self):
        words = (self.sweep, self.beginning, str(self.index), self.what)
        return " ".join(word for word in words if word)


class Table:
    def __init__(self, is_talkative=False):
        self.is_talkative = is_talkative
        self.rows = {}  # (sweep, beginning) -> cases
        self.controls = []  # (name, caught, words)
        self.notes = []
        self.last_word = time.monotonic()

    @property
    def is_broken(self):
        return any(case.broken for cases in self.rows.values() for case in cases) or any(
            not caught for _, caught, _ in self.controls)

    def add(self, case):
        self.rows.setdefault((case.sweep, case.beginning), []).append(case)
        for promise, words in case.broken:
            print(f"BROKEN {promise} [{case.name}] at {case.call}: {words}", flush=True)
        if self.is_talkative:
            print(f"[{case.name}] at {case.call}: status {case.status}", flush=True)
        if time.monotonic() - self.last_word > 60:
            self.last_word = time.monotonic()
            count = sum(len(cases) for cases in self.rows.values())
            print(f"… {count} cases, now at {case.name}", flush=True)

    def control(self, name, caught, words):
        self.controls.append((name, caught, words))
        print(f"control {name}: {'caught' if caught else 'NOT CAUGHT'} ({words})", flush=True)

    def text(self, seconds):
        lines = [
            "| Sweep | Beginning | Cases | publishing | journal | ledger | folders "
            "| broken | left over | seconds |",
            "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        ]
        for (sweep, beginning), cases in sorted(self.rows.items()):
            parts = [c.call.part for c in cases if c.call is not None]
            counts = [parts.count(p) for p in ("publishing", "journal", "ledger", "folders")]
            broken = sum(any(p != "P7" for p, _ in c.broken) for c in cases)
            left = sum(any(p == "P7" for p, _ in c.broken) for c in cases)
            took = sum(c.seconds for c in cases)
            figures = [len(cases), *counts, broken, left, round(took)]
            lines.append(f"| {sweep} | {beginning} | " + " | ".join(map(str, figures)) + " |")
        count = sum(len(cases) for cases in self.rows.values())
        lines.append("")
        lines += self._statuses()
        for name, caught, words in self.controls:
            lines.append(f"- control {name}: {'caught' if caught else 'NOT CAUGHT'}, {words}")
        lines += [f"- {note}" for note in self.notes]
        lines.append(f"{count} cases in {seconds:.0f} s")
        return "\n".join(lines)

    def _statuses(self):
        """How runs ended whose calls were refused."""
        found = {}
        for (sweep, _), cases in self.rows.items():
            if sweep not in ("errno", "full"):
                continue
            for case in cases:
                if case.call is not None:
                    key = (case.what or "ENOSPC from then on", case.status)
                    found[key] = found.get(key, 0) + 1
        if not found:
            return []
        statuses = sorted({status for _, status in found}, key=str)
        lines = [
            "| Refused with | " + " | ".join(f"exit {status}" for status in statuses) + " |",
            "|---" + "|--:" * len(statuses) + "|",
        ]
        for error in sorted({error for error, _ in found}):
            counts = [str(found.get((error, status), 0)) for status in statuses]
            lines.append(f"| {error} | " + " | ".join(counts) + " |")
        return [*lines, ""]
