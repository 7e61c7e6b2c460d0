#!/usr/bin/env python3
"""A subscriber that needs a fixed time for each event, and a desk that makes events at a pace:
subscriber.py URL TENANT USER PASSWORD PORT ACTS. Prints how long the subscriber took itself on average, in ms."""

import json
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

url, tenant, user, password = sys.argv[1:5]
port, acts = int(sys.argv[5]), int(sys.argv[6])
MODULE = "mod-bench-subscriber-1.0.0"
CALLBACK = "/bench-subscriber/event"
OWN_TIME = 0.020
# Between two check-outs: the subscriber keeps up easily, so that nothing waits for the event before.
PAUSE = 0.1

took: list[float] = []


class Subscriber(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        began = time.perf_counter()
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == CALLBACK:
            time.sleep(OWN_TIME)
        self.send_response(204)
        self.end_headers()
        if self.path == CALLBACK:
            took.append(time.perf_counter() - began)

    def log_message(self, *_):
        pass


token = None


def call(method, path, body=None):
    headers = {"X-Okapi-Tenant": tenant, "Content-Type": "application/json"}
    if token:
        headers["X-Okapi-Token"] = token
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return answer.headers, json.loads(text) if text.strip() else None


def plug_in():
    handler = {"methods": ["POST"], "pathPattern": CALLBACK, "permissionsRequired": []}
    provides = [
        {"id": "_bench-subscriber", "version": "1.0", "interfaceType": "system", "handlers": [handler]}
    ]
    descriptor = {"id": MODULE, "name": "Subscriber of the bench", "provides": provides}
    instance = {"srvcId": MODULE, "instId": MODULE, "url": f"http://127.0.0.1:{port}"}
    wanted = [{"id": MODULE, "action": "enable"}]
    for path, body in [
        ("/_/proxy/modules", descriptor),
        ("/_/discovery/modules", instance),
        (f"/_/proxy/tenants/{tenant}/install", wanted),
    ]:
        try:
            call("POST", path, body)
        except urllib.error.HTTPError as error:
            # Of an earlier run on the same data.
            if error.code != 400:
                raise
    subscribed = [{"eventType": "ITEM_CHECKED_OUT", "callbackAddress": CALLBACK}]
    body = {"moduleId": MODULE, "subscriptionDefinitions": subscribed}
    call("POST", "/pubsub/event-types/declare/subscriber", body)


server = ThreadingHTTPServer(("127.0.0.1", port), Subscriber)
threading.Thread(target=server.serve_forever, daemon=True).start()
headers, _ = call("POST", "/authn/login", {"username": user, "password": password})
token = headers["x-okapi-token"]
plug_in()
_, items = call("GET", f"/item-storage/items?limit={acts}&query=status.name==Available")
_, patrons = call("GET", "/users?limit=500&query=active==true%20and%20barcode=%22%22")
_, points = call("GET", "/service-points?limit=1")
patrons = [one["barcode"] for one in patrons["users"] if "patronGroup" in one]
point = points["servicepoints"][0]["id"]
lent = []
for number, item in enumerate(items["items"]):
    body = {
        "itemBarcode": item["barcode"],
        "userBarcode": patrons[number % len(patrons)],
        "servicePointId": point,
    }
    call("POST", "/circulation/check-out-by-barcode", body)
    lent.append(item["barcode"])
    time.sleep(PAUSE)
ends = time.monotonic() + 30
while len(took) < len(lent) and time.monotonic() < ends:
    time.sleep(0.1)
if len(took) < len(lent):
    sys.exit(f"{len(took)} of {len(lent)} events have arrived")
call("DELETE", f"/pubsub/messaging-modules?moduleId={MODULE}&moduleRole=SUBSCRIBER")
at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
for barcode in lent:
    body = {"itemBarcode": barcode, "servicePointId": point, "checkInDate": at}
    call("POST", "/circulation/check-in-by-barcode", body)
print(f"{sum(took) / len(took) * 1000:.2f}")
