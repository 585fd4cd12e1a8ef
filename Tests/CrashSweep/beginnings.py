"""The states that a run may begin from, each made once and then brought back for every case."""

import os
import shutil

import calls
import records
import scene as scenes
import tracer
from checks import Checks

SAID = {
    "empty": "nothing is there",
    "older": "an earlier run's outputs, one of them replaced by hand",
    "dead": "the same, and a run that died while it replaced them",
    "apart": "as older, with the state folder on another disk",
    "done": "all outputs are up to date already",
}
NAMES = tuple(SAID)


def wanted(result):
    """Stops everything when a run failed that nothing was done to."""
    if result.status != 0:
        raise RuntimeError(f"a run that nothing was done to failed: {result.words}")


class Beginnings:
    def __init__(self, scene, ground):
        self.scene, self.ground = scene, ground
        self.checks = {}
        self.moments = {}  # (beginning, filter's name) -> calls of an untouched run
        self.new_folder = f"{ground.work}/new"
        new = self._new_bytes()
        for name in NAMES:
            ground.format()
            self._make(name)
            old = {n: records.digest(f"{ground.output}/{n}") for n in scene.all_names()}
            runs = {journal.run for journal in records.State(self._state(name)).journals}
            ground.save(name)
            scratch = f"{ground.work}/scratch"
            self.checks[name] = Checks(
                scene, ground.output, self._state(name), scratch,
                {n: digest for n, digest in old.items() if digest}, runs, new)

    def _new_bytes(self):
        self.ground.format()
        wanted(self.scene.run(self.ground.output))
        names = [n for n in self.scene.all_names() if not n.endswith(".json")]
        shutil.copytree(self.ground.output, self.new_folder)
        return {n: records.digest(f"{self.ground.output}/{n}") for n in names}

    def _make(self, name):
        if name == "empty":
            return
        wanted(self.scene.run(self.ground.output, 1, self._flags(name)))
        path = f"{self.ground.output}/{self.scene.names('a1')[0]}"
        with open(path, "wb") as file:
            file.write(scenes.OLD_BYTES)
        os.sync()
        if name == "dead":
            renamed = 0

            def decide(call):
                nonlocal renamed
                renamed += call.name.startswith("rename") and call.place == "output"
                return tracer.kill() if renamed == 4 else tracer.GO_ON

            self.trace(name, decide)
        if name == "done":
            wanted(self.run(name))

    def _flags(self, name):
        return ["--state", self.ground.state] if name == "apart" else []

    def _state(self, name):
        return self.ground.state if name == "apart" else f"{self.ground.output}/.minilab"

    def restore(self, name):
        self.ground.restore(name)

    def run(self, name):
        return self.scene.run(self.ground.output, 2, self._flags(name))

    def trace(self, name, decide, done=None, stdout=None, stderr=None):
        """The run that something is done to."""
        roots = {self.ground.output: ""}
        if name == "apart":
            roots[self.ground.state] = ".minilab"
        return tracer.trace(
            self.scene.command(self.ground.output, 2, self._flags(name)),
            roots, decide, done, stdout=stdout, stderr=stderr)

    def calls(self, name, counts):
        """The calls of an untouched run that count."""
        key = (name, counts)
        if key not in self.moments:
            self.restore(name)
            found = []

            def decide(call):
                if counts(call):
                    found.append(call)
                return tracer.GO_ON

            run = self.trace(name, decide)
            if run.status != 0:
                raise RuntimeError(f"a run that was only looked at ended with {run.status}")
            self.moments[key] = found
        return self.moments[key]


def changing(call):
    return call.changes


def writing(call):
    return call.name in calls.WRITING and call.bytes > 1


def every(call):
    return True
