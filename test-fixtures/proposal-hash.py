"""The SHA-256 of a proposal, out of the JSON of GET /v1/proposals/{id} alone: a second program, which shares no code.

    python3 proposal-hash.py proposal.json

RFC 8785: members in the order of their names by code units of UTF-16, no space, numbers as ECMAScript writes them.
"""
import hashlib
import json
import math
import sys


def number(value):
    """ECMA-262, Number::toString: the shortest digits that are read back as the same double."""
    if isinstance(value, int):
        value = float(value)
    if not math.isfinite(value):
        raise ValueError("no number of JSON")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    digits, exponent = "%r" % abs(value), 0
    if "e" in digits:
        digits, power = digits.split("e")
        exponent = int(power)
    whole, _, fraction = digits.partition(".")
    point = len(whole) + exponent
    digits = whole + fraction
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = point - 1
    tail = "e" + ("+" if power > 0 else "-") + str(abs(power))
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + tail


def canonical(value):
    if value is None or value is True or value is False:
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"


MEMBERS = ("request", "offer_ids", "nota", "created_at", "answer", "pagina", "sal")

with open(sys.argv[1], encoding="utf-8") as file:
    proposal = json.load(file)
kept = {name: proposal[name] for name in MEMBERS}
print(hashlib.sha256(canonical(kept).encode("utf-8")).hexdigest())
