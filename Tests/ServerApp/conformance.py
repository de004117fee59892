"""Runs the scenarios of OpenFeature's provider conformance that apply to a server, by its own client for Python.

    conformance.py URL REPORT

URL is an edge server with the canonical flags in Conformance/flags.json. A canonical flag is a feature there, and its
value the feature's variable `value`. A scenario whose capability is not declared is skipped with its reason. REPORT gets
a line of JSON for each scenario; the exit status is 1 if one failed, or if none passed.
"""

import json
import pathlib
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

DECLARED = {"object", "variants", "targeting", "disabled-flags", "string-typing", "large-integers"}
WITHHELD = {
    "numeric-coercion": "the client for Python refuses an integer for a float; the server sends what was declared",
    "fully-typed-values": "the client for Python takes a Boolean for an integer, as the language does",
    "standard-reasons": "the protocol has no DEFAULT, and STATIC is kept for forced and previewed variations",
    "flag-metadata": "a Convert config has no metadata of a flag; answers name the experience, variation and revision",
    "events": "the protocol leaves events to clients",
    "lifecycle": "the protocol leaves the lifecycle to clients",
    "reinitialization": "the protocol leaves the lifecycle to clients",
    "stale": "the protocol leaves the lifecycle to clients",
    "configuration-change": "the client for Python does not read the stream of changes",
    "unavailable": "the client for Python does not ask the server when it is initialized",
    "caching": "reserved by the specification",
}
ASK = {
    "boolean": "get_boolean_details",
    "string": "get_string_details",
    "integer": "get_integer_details",
    "float": "get_float_details",
    "object": "get_object_details",
}


def differences(scenario, client, number):
    """What came out otherwise than the scenario says."""
    key = scenario.get("targetingKey", f"conformance-{number}")
    context = EvaluationContext(key, scenario.get("context", {}))
    details = getattr(client, ASK[scenario["type"]])(scenario["flag"] + ".value", scenario["default"], context)
    wanted = {"value": (details.value, scenario["value"]), "error": (details.error_code, scenario.get("error"))}
    if "reason" in scenario:
        wanted["reason"] = (details.reason, scenario["reason"])
    if "variant" in scenario:
        wanted["variant"] = (details.variant, scenario["variant"])
    found = [f"{name} {got!r}, not {want!r}" for name, (got, want) in wanted.items() if got != want]
    if type(details.value) is not type(scenario["value"]):
        found.append(f"a {type(details.value).__name__}, not a {type(scenario['value']).__name__}")
    return found


api.set_provider(OFREPProvider(sys.argv[1]))
client = api.get_client()
counts = {"passed": 0, "failed": 0, "skipped": 0}
with open(sys.argv[2], "w") as report:
    scenarios = json.loads((pathlib.Path(__file__).parent / "Conformance/scenarios.json").read_text())
    for number, scenario in enumerate(scenarios):
        line = {"scenario": scenario["name"], "flag": scenario.get("flag"), "type": scenario.get("type")}
        missing = [name for name in scenario.get("capabilities", []) if name not in DECLARED]
        if missing:
            line |= {"result": "skipped", "capability": missing[0], "reason": WITHHELD[missing[0]]}
        else:
            found = differences(scenario, client, number)
            line |= {"result": "failed", "reason": "; ".join(found)} if found else {"result": "passed"}
        counts[line["result"]] += 1
        print(json.dumps(line), file=report)
        if line["result"] == "failed":
            print(json.dumps(line))
print(", ".join(f"{count} {result}" for result, count in counts.items()))
sys.exit(counts["failed"] > 0 or counts["passed"] == 0)
