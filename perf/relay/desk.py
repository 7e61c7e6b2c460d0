#!/usr/bin/env python3
"""Desk work for the fault run: lends and takes back, changes items, and goes on whatever fails.
desk.py PORT PORT SECONDS; prints a line with what was answered."""

import json
import random
import sys
import threading
import time
import urllib.error
import urllib.request

ports, seconds = [int(port) for port in sys.argv[1:3]], float(sys.argv[3])
ends = time.monotonic() + seconds
counts: dict[str, int] = {}
lock = threading.Lock()


def call(port, path, token=None, body=None, method=None):
    headers = {"X-Okapi-Tenant": "diku", "Content-Type": "application/json"}
    if token:
        headers["X-Okapi-Token"] = token
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        text = answer.read()
        return answer.headers, json.loads(text) if text.strip() else None


def note(what):
    with lock:
        counts[what] = counts.get(what, 0) + 1


def log_in():
    while time.monotonic() < ends:
        for port in ports:
            try:
                headers, _ = call(port, "/authn/login", body={"username": "diku_admin", "password": "admin"})
                return headers["x-okapi-token"]
            except (OSError, ValueError):
                time.sleep(0.3)
    return None


def work(number, items, desk, patron):
    token = log_in()
    chance = random.Random(number)
    while time.monotonic() < ends and token:
        port, item = chance.choice(ports), chance.choice(items)
        try:
            kind = chance.random()
            if kind < 0.4:
                body = {"itemBarcode": item["barcode"], "userBarcode": patron, "servicePointId": desk}
                call(port, "/circulation/check-out-by-barcode", token, body)
            elif kind < 0.8:
                at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                body = {"itemBarcode": item["barcode"], "servicePointId": desk, "checkInDate": at}
                call(port, "/circulation/check-in-by-barcode", token, body)
            else:
                _, record = call(port, f"/item-storage/items/{item['id']}", token)
                record["administrativeNotes"] = [f"{number} {chance.random()}"]
                call(port, f"/item-storage/items/{item['id']}", token, record, "PUT")
            note("done")
        except urllib.error.HTTPError as error:
            note(f"{error.code}")
            if error.code == 401:
                token = log_in()
        except (OSError, ValueError):
            note("no answer")
            time.sleep(0.1)
        time.sleep(0.02)


token = log_in()
_, found = call(ports[0], "/item-storage/items?limit=60&query=status.name==Available", token)
_, desks = call(ports[0], "/service-points?query=code==cd1", token)
threads = [
    threading.Thread(target=work, args=(number, found["items"], desks["servicepoints"][0]["id"], "21184000000015"))
    for number in range(6)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("requests: " + ", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
