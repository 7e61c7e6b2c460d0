#!/usr/bin/env python3
"""Compares what has arrived at Kafka with the outbox: count.py OUTBOX ARRIVED TOPICS NOTE. Prints a table; the
status is 1 where something is missing, was never committed, or overtook another event of its key."""

import csv
import sys
from collections import defaultdict

outbox_file, arrived_file, topics_file, note = sys.argv[1:5]
csv.field_size_limit(1 << 24)


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        yield from csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


known = {}
for row in list(rows(topics_file))[1:]:
    known[row[0]] = {"family": row[1], "types": row[7].split()}

# What was committed and is to be published, by id: position, topic, key.
wanted = {}
skipped = 0
for position, event_id, topic, key, kind in rows(outbox_file):
    entry = known.get(topic, {"family": "domain", "types": []})
    if entry["family"] == "none" or (entry["types"] and kind not in entry["types"]):
        skipped += 1
        continue
    wanted[event_id] = (int(position), topic, key)

arrivals = defaultdict(int)
strange = 0
# By topic of the outbox, partition and key: the positions in the order of arrival.
order = defaultdict(list)
messages = 0
for topic, partition, offset, key, headers in rows(arrived_file):
    messages += 1
    ids = [pair.split("=", 1)[1] for pair in headers.split(",") if pair.startswith("octavo.event-id=")]
    event = wanted.get(ids[0]) if ids else None
    if event is None:
        strange += 1
        continue
    arrivals[ids[0]] += 1
    position, outbox_topic, event_key = event
    order[(outbox_topic, event_key)].append((int(offset), position))

missing = [event_id for event_id in wanted if event_id not in arrivals]
overtaken = 0
for of_key in order.values():
    seen, highest = set(), 0
    for _, position in sorted(of_key):
        if position in seen:
            continue
        if position < highest:
            overtaken += 1
        seen.add(position)
        highest = max(highest, position)

print(f"| {'measure':45} | {'count':>9} |\n|{'-' * 47}|{'-' * 10}:|")
for what, count in [
    ("committed events to be published", len(wanted)),
    ("committed events that FOLIO publishes nowhere", skipped),
    ("messages that arrived", messages),
    ("events that arrived more than once", sum(1 for count in arrivals.values() if count > 1)),
    ("keys with more than one event", sum(1 for of_key in order.values() if len({p for _, p in of_key}) > 1)),
    ("missing", len(missing)),
    ("never committed", strange),
    ("overtaken within their key", overtaken),
]:
    print(f"| {what:45} | {count:9,} |")
print(f"\n{note}")
sys.exit(1 if missing or strange or overtaken else 0)
