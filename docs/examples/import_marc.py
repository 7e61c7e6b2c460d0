#!/usr/bin/env python3
"""Imports a file of MARC records by FOLIO's API, chunk by chunk, and prints the log.

    import_marc.py http://localhost:9130 diku diku_admin FILE.mrc

The password is read from the environment variable FOLIO_PASSWORD. Nothing but Python's own library is
needed.
"""

import json
import os
import sys
import time
import urllib.request
import uuid

PROFILE = "e34d7b92-9b83-11eb-a8b3-0242ac130003"  # Default - Create instance and SRS MARC Bib
CHUNK = 100


def main():
    url, tenant, username, path = sys.argv[1:5]
    headers = {"x-okapi-tenant": tenant, "content-type": "application/json"}

    def ask(method, where, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url + where, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request) as answer:
            token = answer.headers.get("x-okapi-token")
            if token:
                headers["x-okapi-token"] = token
            text = answer.read()
            return json.loads(text) if text else None

    password = os.environ["FOLIO_PASSWORD"]
    ask("POST", "/authn/login", {"username": username, "password": password})
    user = ask("GET", f"/users?query=username=={username}")["users"][0]["id"]
    job = ask("POST", "/change-manager/jobExecutions", {
        "sourceType": "ONLINE", "files": [], "userId": user,
        "jobProfileInfo": {"id": PROFILE, "name": "Default", "dataType": "MARC"},
    })["parentJobExecutionId"]
    ask("PUT", f"/change-manager/jobExecutions/{job}/jobProfile", {"id": PROFILE, "dataType": "MARC"})

    with open(path, "rb") as file:
        records = [one + b"\x1d" for one in file.read().split(b"\x1d") if one.strip()]
    total = len(records)
    for begin in range(0, total + 1, CHUNK):
        part = records[begin:begin + CHUNK]
        ask("POST", f"/change-manager/jobExecutions/{job}/records", {
            "id": str(uuid.uuid4()),
            "initialRecords": [{"record": one.decode("utf-8", "replace"), "order": begin + at}
                               for at, one in enumerate(part)],
            "recordsMetadata": {"last": begin + CHUNK > total, "counter": begin + len(part),
                                "total": total, "contentType": "MARC_RAW"},
        })

    while True:
        state = ask("GET", f"/change-manager/jobExecutions/{job}")
        print(state["status"], state["progress"]["current"], "of", state["progress"]["total"])
        if state["status"] in ("COMMITTED", "ERROR", "CANCELLED"):
            break
        time.sleep(1)
    errors = ask("GET", f"/metadata-provider/jobLogEntries/{job}?errorsOnly=true&limit=1000")
    for line in errors["entries"]:
        print(line["sourceRecordOrder"], line.get("sourceRecordTitle"), line.get("error"))
    print(json.dumps(ask("GET", f"/metadata-provider/jobSummary/{job}"), indent=2))


if __name__ == "__main__":
    main()
