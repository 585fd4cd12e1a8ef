"""What validators of deploy/ let pass: rules that hold between a file's parts and Minilab's own table.

usage: check.py REPOSITORY   (prints each fault; status 1 when there is one)
"""

import pathlib
import re
import sys

import yaml

REPOSITORY = pathlib.Path(sys.argv[1])
FAULTS = []


def expect(holds, place, words):
    if not holds:
        FAULTS.append(f"{place}: {words}")


def seconds(text):
    amount, unit = re.fullmatch(r"(\d+)(s|min|m|h)?", str(text)).groups()
    return int(amount) * {"s": 1, "m": 60, "min": 60, "h": 3600}[unit or "s"]


def exit_statuses():
    """Name to number, from the one table in the sources."""
    text = (REPOSITORY / "Sources/RenderModel/Outcome.swift").read_text()
    table = text[text.index("enum ExitStatus") :]
    return {name: int(number) for name, number in re.findall(r"case (\w+) = (\d+)", table)}


def environment_variables():
    return set(re.findall(r"MINILAB_[A-Z_]+", (REPOSITORY / "docs/cli.md").read_text()))


STATUS = exit_statuses()
HOPELESS = {
    STATUS[name]
    for name in (
        "internalError", "someFailed", "usage", "manifestInvalid", "sandboxUnavailable",
        "configuration",
    )
}


def check_environment(place, names):
    known = environment_variables() | {"MINILAB_MANIFEST"}
    for name in names:
        expect(name in known, place, f"{name} is no variable of docs/cli.md")


def check_kubernetes(path):
    for document in yaml.safe_load_all(path.read_text()):
        place = f"{path.name} {document['kind']}"
        spec = document["spec"]
        if document["kind"] == "CronJob":
            expect(spec.get("concurrencyPolicy") == "Forbid", place, "two runs could meet")
            expect(spec.get("startingDeadlineSeconds", 0) >= 600, place, "no starting deadline")
            expect("timeZone" in spec, place, "no time zone")
            spec = spec["jobTemplate"]["spec"]
        rules = spec["podFailurePolicy"]["rules"]
        expect("onPodConditions" in rules[0], place, "disruption must be looked at first")
        final = set()
        again = set()
        for rule in rules:
            values = set(rule.get("onExitCodes", {}).get("values", []))
            unknown = values - set(STATUS.values())
            expect(not unknown, place, f"exit statuses that Minilab has not: {unknown}")
            (again if rule["action"] == "Ignore" else final).update(values)
        expect(final == HOPELESS, place, f"given up for {sorted(final)}, not {sorted(HOPELESS)}")
        expect(again == {STATUS["interrupted"]}, place, "75 must be continued, and nothing else")
        check_pod(place, spec["template"]["spec"])


def check_pod(place, pod):
    expect(pod["restartPolicy"] == "Never", place, "pods must not start again by themselves")
    expect(pod.get("automountServiceAccountToken") is False, place, "a service token is mounted")
    expect(pod["securityContext"].get("runAsNonRoot") is True, place, "runs as root")
    expect(pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault", place, "no seccomp")
    for container in pod["containers"]:
        security = container["securityContext"]
        expect(security["readOnlyRootFilesystem"] is True, place, "the root can be written to")
        expect(security["allowPrivilegeEscalation"] is False, place, "privileges can be gained")
        expect(security["capabilities"] == {"drop": ["ALL"]}, place, "capabilities are kept")
        limits = container["resources"]["limits"]
        expect({"cpu", "memory"} <= set(limits), place, "the pool is sized by limits: give both")
        variables = {item["name"]: item.get("value") for item in container["env"]}
        check_environment(place, variables)
        drain = seconds(variables.get("MINILAB_DRAIN", "10s"))
        grace = pod["terminationGracePeriodSeconds"]
        expect(grace >= drain + 10, place, f"{grace} s of grace for {drain} s of draining")
        mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
        expect(mounts["photos"].get("readOnly") is True, place, "photos can be written to")


def check_compose(path):
    for name, service in yaml.safe_load(path.read_text())["services"].items():
        place = f"{path.name} {name}"
        expect(service["read_only"] is True, place, "the root can be written to")
        expect(service["cap_drop"] == ["ALL"], place, "capabilities are kept")
        expect(service["restart"] == "no", place, "a run that ended must not start again")
        expect({"cpus", "mem_limit"} <= set(service), place, "the pool is sized by limits")
        check_environment(place, service["environment"])
        drain = seconds(service["environment"].get("MINILAB_DRAIN", "10s"))
        grace = seconds(service["stop_grace_period"])
        expect(grace >= drain + 10, place, f"{grace} s of grace for {drain} s of draining")


def unit(path):
    """Key to the values that a unit gives it; a dictionary for all sections."""
    values = {}
    for line in path.read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            values.setdefault(key, []).append(value)
    return values


def check_systemd(folder):
    service = unit(folder / "minilab.service")
    place = "minilab.service"
    kept = {int(word) for word in service["RestartPreventExitStatus"][0].split()}
    expect(kept == HOPELESS, place, f"not tried again: {sorted(kept)}, not {sorted(HOPELESS)}")
    expect(service["Type"] == ["oneshot"], place, "a run is no daemon")
    expect(service["KillMode"] == ["mixed"], place, "SIGTERM must reach the coordinator alone")
    words = " ".join(service["Environment"]).split()
    variables = dict(word.split("=", 1) for word in words)
    check_environment(place, variables)
    drain = seconds(variables.get("MINILAB_DRAIN", "10s"))
    stop = seconds(service["TimeoutStopSec"][0])
    expect(stop >= drain + 10, place, f"{stop} s to stop for {drain} s of draining")
    timer = unit(folder / "minilab.timer")
    expect(timer["Persistent"] == ["true"], "minilab.timer", "a missed night is lost")
    expect(timer["Unit"] == ["minilab.service"], "minilab.timer", "starts something else")


def main():
    for path in sorted((REPOSITORY / "deploy/kubernetes").glob("*.yaml")):
        check_kubernetes(path)
    for path in sorted((REPOSITORY / "deploy/compose").glob("*.yaml")):
        check_compose(path)
    check_systemd(REPOSITORY / "deploy/systemd")
    for fault in FAULTS:
        print(fault)
    sys.exit(bool(FAULTS))


main()
