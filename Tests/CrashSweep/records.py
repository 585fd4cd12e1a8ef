"""What a state folder says: its journals and its ledger, read without the program's own code."""

import hashlib
import json
import os
import shutil
import sqlite3


def _table():
    result = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ 0x82F63B78 if value & 1 else value >> 1
        result.append(value)
    return result


_CRC = _table()
_known_lines = {}


def castagnoli(data):
    """CRC-32C."""
    value = 0xFFFFFFFF
    for byte in data:
        value = _CRC[(value ^ byte) & 255] ^ value >> 8
    return value ^ 0xFFFFFFFF


def sealed(value):
    """The line of a journal for a value, as the program writes it."""
    body = json.dumps(value, separators=(",", ":")).encode()[:-1]
    return body + b',"checksum":"%08x"}\n' % castagnoli(body)


def decoded(line):
    """The value of a journal's line without its newline; None when it cannot be believed."""
    if line not in _known_lines:
        body, _, rest = line.rpartition(b',"checksum":"')
        fits = rest[:8] == b"%08x" % castagnoli(body) and rest[8:] == b'"}'
        _known_lines[line] = json.loads(line) if fits else None
    return _known_lines[line]


def digest(path):
    """SHA-256 of a file; None when it is not there."""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except FileNotFoundError:
        return None


class Journal:
    def __init__(self, run, path):
        self.run = run
        self.lines = []
        self.corrupt = 0
        self.corrupt_at = None
        try:
            with open(path, "rb") as file:
                text = file.read()
        except FileNotFoundError:
            text = b""
        self.length = len(text)
        *whole, rest = text.split(b"\n")
        self.torn = len(rest)
        position = 0
        for line in whole:
            value = decoded(line)
            if value is None:
                self.corrupt += 1
                self.corrupt_at = position if self.corrupt_at is None else self.corrupt_at
            else:
                self.lines.append((position + len(line) + 1, value))
            position += len(line) + 1

    def of_kind(self, kind):
        return [value for _, value in self.lines if value["kind"] == kind]

    @property
    def is_closed(self):
        return bool(self.lines) and self.lines[-1][1]["kind"] == "end" and self.torn == 0


class State:
    """All journals of a state folder, oldest first."""

    def __init__(self, folder):
        self.folder = folder
        runs = f"{folder}/runs"
        names = sorted(os.listdir(runs)) if os.path.isdir(runs) else []
        self.journals = [Journal(name, f"{runs}/{name}/journal.jsonl") for name in names]

    def last_words(self):
        """Of each job, the last line about it."""
        result = {}
        for journal in self.journals:
            for _, value in journal.lines:
                if value["kind"] == "report":
                    result[value["job"]] = value
                elif value["kind"] == "intent":
                    result[value["report"]["job"]] = value
        return result

    def intents(self):
        """Of each name, the digests that were announced for it."""
        result = {}
        for journal in self.journals:
            for value in journal.of_kind("intent"):
                for name in value["names"]:
                    result.setdefault(name["path"], set()).add(name["sha256"])
        return result

    def ledger_flaws(self, scratch, exact):
        """What is wrong with the ledger's file; looked at in a copy, so that it stays as it is."""
        source = f"{self.folder}/ledger.sqlite"
        if not os.path.exists(source):
            return []
        shutil.rmtree(scratch, ignore_errors=True)
        os.mkdir(scratch)
        for end in ("", "-wal", "-journal"):
            if os.path.exists(source + end):
                shutil.copyfile(source + end, f"{scratch}/ledger.sqlite{end}")
        flaws = []
        lengths = {journal.run: journal.length - journal.torn for journal in self.journals}
        connection = sqlite3.connect(f"{scratch}/ledger.sqlite")
        try:
            answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if answer != "ok":
                flaws.append(f"the ledger is damaged: {answer}")
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
            rows = connection.execute("SELECT run, bytes FROM absorbed") if tables else []
            absorbed = {run.decode(): length for run, length in rows}
            for run, length in absorbed.items():
                if length > lengths.get(run, 0):
                    flaws.append(f"the ledger knows more of run {run} than its journal")
            if exact:
                behind = [run for run, length in lengths.items() if absorbed.get(run, 0) != length]
                flaws += [f"the ledger lags behind run {run}" for run in behind]
        except sqlite3.DatabaseError as error:
            flaws.append(f"the ledger cannot be read: {error}")
        finally:
            connection.close()
        return flaws
