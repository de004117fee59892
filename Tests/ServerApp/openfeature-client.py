"""Asks an edge server by OpenFeature's own client for Python, and checks what comes out.

    openfeature-client.py URL KEY CONFIG          types, variants, reasons and errors, and a change of the config in CONFIG
    openfeature-client.py --limited URL           a server that admits one request a second
    openfeature-client.py --empty URL             a server without a config
    openfeature-client.py --single URL            a server whose experience 'single' gives all visitors one variation

The client does not see the reason STATIC, which needs a forced or previewed variation that the edge server does not
have, nor the status 500, which only an answer for all flags can have and the client does not ask for.
"""

import json
import sys
import time

import requests
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason
from openfeature.hook import Hook

from streams import change

count = 0


def check(is_true, what):
    global count
    count += 1
    if not is_true:
        sys.exit(f"FAILED: {what}")


def client(url, key=None):
    headers = (lambda: {"Authorization": f"Bearer {key}"}) if key else None
    api.set_provider(OFREPProvider(url, headers_factory=headers))
    return api.get_client()


SHOPPER = EvaluationContext(
    "visitor-4", {"orders": 2, "customer_id": "c-1", "location": {"path": "/checkout"}}
)


def check_types(flags):
    form = flags.get_boolean_details("checkout-form", False, SHOPPER)
    check(form.value is True and form.variant == "one-page", f"a Boolean: {form}")
    check(form.flag_metadata["experienceKey"] == "one-page-checkout", "metadata")
    check(len(form.flag_metadata["configRevision"]) == 8, "the config's revision")
    check(flags.get_boolean_value("checkout-form.enabled", False, SHOPPER) is True, "a Boolean variable")
    check(flags.get_string_value("one-page-checkout", "", SHOPPER) == "one-page", "a variation")
    check(flags.get_string_value("checkout-form.headline", "", SHOPPER) == "Almost there", "a text variable")
    check(flags.get_integer_value("checkout-form.max_items", 0, SHOPPER) == 12, "an integer")
    check(flags.get_float_value("checkout-form.discount", 0.0, SHOPPER) == 7.5, "a float")
    layout = {"columns": 2, "summary": "right"}
    check(flags.get_object_value("checkout-form.layout", {}, SHOPPER) == layout, "an object")
    variables = flags.get_object_value("checkout-form.*", {}, SHOPPER)
    check(variables["layout"] == layout and variables["max_items"] == 12, "all variables")


def check_reasons(flags):
    split = flags.get_string_details("new-navigation", "", EvaluationContext("visitor-5"))
    check(split.reason == Reason.SPLIT and split.error_code is None, f"a share of traffic: {split}")
    again = flags.get_string_details("new-navigation", "", EvaluationContext("visitor-5"))
    check(again.value == split.value and again.flag_metadata.get("source") == "stored", f"stored: {again}")
    banner = flags.get_string_details("free-shipping-banner", "none", SHOPPER)
    check(banner.value == "none" and banner.reason == Reason.UNKNOWN, f"not eligible: {banner}")
    check(banner.error_code is None, "not being eligible is no error")
    archived = flags.get_string_details("christmas-2023", "none", SHOPPER)
    check(archived.value == "none" and archived.reason == Reason.DISABLED, f"archived: {archived}")
    off = flags.get_boolean_details("checkout-form", True, EvaluationContext("visitor-6"))
    check(off.value is False and off.error_code is None, f"a feature that is off: {off}")


def check_errors(flags, url, key):
    unknown = flags.get_boolean_details("no-such-flag", True, SHOPPER)
    check(unknown.value is True and unknown.error_code == ErrorCode.FLAG_NOT_FOUND, f"an unknown flag: {unknown}")
    # Not a Boolean flag: Python counts True as an integer.
    for flag in ("checkout-form.discount", "checkout-form.headline"):
        wrong = flags.get_integer_details(flag, 3, SHOPPER)
        check(wrong.value == 3 and wrong.error_code == ErrorCode.TYPE_MISMATCH, f"a wrong type: {wrong}")
    anonymous = flags.get_boolean_details("checkout-form", True, EvaluationContext())
    check(anonymous.error_code == ErrorCode.TARGETING_KEY_MISSING, f"no targeting key: {anonymous}")
    invalid = flags.get_boolean_details("checkout-form", True, EvaluationContext("v", {"location": "/checkout"}))
    check(invalid.error_code == ErrorCode.INVALID_CONTEXT, f"an invalid context: {invalid}")
    stranger = client(url, "wrong").get_boolean_details("checkout-form", True, SHOPPER)
    check(stranger.value is True and stranger.error_code == ErrorCode.GENERAL, f"a wrong key: {stranger}")
    check("unauthorized" in stranger.error_message, stranger.error_message)
    client(url, key)


class Recorder(Hook):
    def __init__(self):
        self.calls = []

    def before(self, hook_context, hints):
        self.calls.append("before")

    def after(self, hook_context, details, hints):
        self.calls.append(f"after {details.variant}")

    def error(self, hook_context, exception, hints):
        self.calls.append("error")


def check_hooks(flags):
    recorder = Recorder()
    flags.add_hooks([recorder])
    flags.get_string_value("one-page-checkout", "", SHOPPER)
    flags.get_string_value("no-such-flag", "", SHOPPER)
    check(recorder.calls == ["before", "after one-page", "before", "error"], f"hooks: {recorder.calls}")


def check_change(url, key, config):
    """A change of the config is seen by polling with ETag, and told by the stream that the bulk answer names."""
    bulk = f"{url}/ofrep/v1/evaluate/flags"
    headers = {"X-API-Key": key}
    body = {"context": {"targetingKey": "visitor-4", "location": {"path": "/checkout"}}}
    first = requests.post(bulk, json=body, headers=headers, timeout=10)
    check(first.status_code == 200 and first.headers["ETag"], "all flags")
    headers["If-None-Match"] = first.headers["ETag"]
    check(requests.post(bulk, json=body, headers=headers, timeout=10).status_code == 304, "an unchanged answer")
    target = first.json()["eventStreams"][0]["endpoint"]["requestUri"]
    with requests.get(url + target, headers={"X-API-Key": key}, stream=True, timeout=30) as stream:
        lines = stream.iter_lines(decode_unicode=True, chunk_size=1)
        check(next(lines).strip() == ":", "the stream's beginning")
        change(config)
        line = next(line for line in lines if line.startswith("data:"))
        event = json.loads(line.removeprefix("data: "))
        check(event["type"] == "refetchEvaluation" and event["etag"], f"the event: {event}")
    response = requests.post(bulk, json=body, headers=headers, timeout=10)
    check(response.status_code == 200 and response.headers["ETag"] != first.headers["ETag"], "the changed answer")
    check(response.json()["metadata"]["configRevision"] == event["etag"], "the revision")


def check_limited(url):
    flags = client(url)
    paused = None
    for _ in range(20):
        details = flags.get_boolean_details("checkout-form", True, SHOPPER)
        if details.error_code is not None:
            paused = details
            break
    check(paused is not None and paused.error_code == ErrorCode.GENERAL, "a limit")
    check("Rate limited, retry after: 1" in paused.error_message, paused.error_message)
    again = flags.get_boolean_details("checkout-form", True, SHOPPER)
    check("paused due to TooManyRequests" in again.error_message, "the client keeps Retry-After")
    time.sleep(2.1)
    check(flags.get_boolean_details("checkout-form", True, SHOPPER).error_code is None, "after Retry-After")


def check_single(url):
    single = client(url).get_string_details("single", "", SHOPPER)
    check(single.value == "all" and single.reason == Reason.TARGETING_MATCH, f"one variation for all: {single}")


def check_empty(url):
    details = client(url).get_boolean_details("checkout-form", True, SHOPPER)
    check(details.value is True and details.error_code == ErrorCode.GENERAL, f"no config: {details}")
    ready = requests.get(f"{url}/ready", timeout=10)
    check(ready.status_code == 503 and ready.json()["ready"] is False, "ready without a config")
    check(requests.get(f"{url}/health", timeout=10).status_code == 200, "alive without a config")


if sys.argv[1] == "--limited":
    check_limited(sys.argv[2])
elif sys.argv[1] == "--empty":
    check_empty(sys.argv[2])
elif sys.argv[1] == "--single":
    check_single(sys.argv[2])
else:
    url, key, config = sys.argv[1:]
    flags = client(url, key)
    check_types(flags)
    check_reasons(flags)
    check_errors(flags, url, key)
    check_hooks(flags)
    check_change(url, key, config)
print(f"{count} checks of OpenFeature's Python client hold")
