"""Compares two reference files: the same members, and numbers that agree to 2e-6 (1e-5 of large ones).

    python3 compare.py CHECKED_IN MADE_AGAIN

Status 1 and the first difference when they disagree.
"""

import json
import sys


def difference(one, other, place):
    """Where two values disagree; None when they do not."""
    if isinstance(one, bool) or isinstance(other, bool) or not (
        isinstance(one, (int, float)) and isinstance(other, (int, float))
    ):
        if type(one) is not type(other):
            return f"{place}: {type(one).__name__} against {type(other).__name__}"
        if isinstance(one, dict):
            if one.keys() != other.keys():
                return f"{place}: other members"
            return next(filter(None, (difference(one[k], other[k], f"{place}.{k}") for k in one)), None)
        if isinstance(one, list):
            if len(one) != len(other):
                return f"{place}: {len(one)} against {len(other)} elements"
            pairs = enumerate(zip(one, other))
            return next(filter(None, (difference(a, b, f"{place}[{i}]") for i, (a, b) in pairs)), None)
        return None if one == other else f"{place}: {str(one)[:60]!r} against {str(other)[:60]!r}"
    return None if abs(one - other) <= 2e-6 + 1e-5 * abs(one) else f"{place}: {one} against {other}"


def main():
    with open(sys.argv[1]) as one, open(sys.argv[2]) as other:
        found = difference(json.load(one), json.load(other), "")
    if found:
        print(f"{sys.argv[1]}: {found}")
        sys.exit(1)


main()
