//! LOG_RECORD: the circulation log as events, in the forms of mod-circulation.

use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, Stock, check_out};
use serde_json::{Value, json};

use super::own_events::{after, subscribed_to, told};
use super::{HISTORY, Plugged};

const OUT: &str = "/circulation/check-out-by-barcode";
const IN: &str = "/circulation/check-in-by-barcode";
const REQUESTS: &str = "/circulation/requests";

pub(super) async fn subscribed() -> (Plugged, Stock) {
    subscribed_to(&["LOG_RECORD"]).await
}

/// What an event has under these names; that it has no others.
#[track_caller]
pub(super) fn assert_told(event: &Value, expected: Value) {
    assert_eq!(event, &expected, "\n{event:#}\n{expected:#}");
}

fn asked(stock: &Stock, kind: &str, item: &str, requester: &str, point: &str) -> Value {
    json!({"requestLevel": "Item", "requestType": kind, "requestDate": "2026-02-02T10:00:00Z",
           "requesterId": requester, "instanceId": stock.instance,
           "holdingsRecordId": stock.holdings, "itemId": item,
           "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": point})
}

/// The name of the user who acts, as the log has it.
async fn operator(plugged: &Plugged) -> (Value, String) {
    let own = plugged
        .client
        .get("/bl-users/_self")
        .await
        .expect(200)
        .json();
    let user = &own["user"];
    let part = |name: &str| user["personal"][name].as_str().unwrap_or_default().trim();
    let name = match (part("lastName"), part("firstName")) {
        ("", _) | (_, "") => user["username"].as_str().expect("a name").to_owned(),
        (last, first) => format!("{last}, {first}"),
    };
    (user["id"].clone(), name)
}

async fn point_name(plugged: &Plugged, id: &str) -> Value {
    let path = format!("/service-points/{id}");
    plugged.client.get(&path).await.expect(200).json()["name"].clone()
}

#[tokio::test]
async fn a_loan_with_a_request_is_told_from_its_beginning_to_its_end() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let (_, source) = operator(&plugged).await;
    let item = stock.item("a-1").await;
    let (patron, other) = (stock.patron("p-1").await, stock.patron("p-2").await);
    let loan = client.post(OUT, &check_out("a-1", "p-1")).await;
    let loan = loan.expect(201).json();
    let of_loan = json!({"servicePointId": CIRC_DESK_1, "loanId": loan["id"],
        "isLoanClosed": false, "dueDate": told(&loan["dueDate"]), "zoneId": "UTC",
        "userId": patron, "userBarcode": "p-1", "itemId": item, "itemBarcode": "a-1",
        "itemStatusName": "Checked out", "holdingsRecordId": stock.holdings,
        "instanceId": stock.instance, "source": source});
    let mut expected = of_loan.clone();
    expected["logEventType"] = json!("CHECK_OUT_EVENT");
    expected["payload"] = of_loan;
    assert_told(&after(&plugged, 1).await[0], expected);

    let hold = asked(&stock, "Hold", &item, &other, CIRC_DESK_2);
    let hold = client.post(REQUESTS, &hold).await.expect(201).json();
    let taken = after(&plugged, 2).await;
    let created = &taken[1]["payload"]["requests"]["created"];
    for name in [
        "id",
        "status",
        "position",
        "requesterId",
        "requestType",
        "pickupServicePointId",
    ] {
        assert_eq!(created[name], hold[name], "{name}");
    }
    assert_eq!(
        created["metadata"]["updatedByUserId"],
        hold["metadata"]["updatedByUserId"]
    );
    assert_told(
        &taken[1],
        json!({"logEventType": "REQUEST_CREATED_EVENT", "payload": {"itemId": item,
               "itemBarcode": "a-1", "itemStatusName": "Checked out", "source": "folio",
               "requests": {"created": created}}}),
    );

    let back = json!({"itemBarcode": "a-1", "servicePointId": CIRC_DESK_1,
                      "checkInDate": "2026-03-01T10:00:00Z"});
    let _ = client.post(IN, &back).await.expect(200);
    let taken = after(&plugged, 3).await;
    let pickup = point_name(&plugged, CIRC_DESK_2).await;
    assert_told(
        &taken[2],
        json!({"logEventType": "CHECK_IN_EVENT", "servicePointId": CIRC_DESK_1,
               "loanId": loan["id"], "isLoanClosed": true, "returnDate": "2026-03-01T10:00:00.000Z",
               "systemReturnDate": taken[2]["systemReturnDate"], "zoneId": "UTC",
               "dueDate": told(&loan["dueDate"]), "userId": patron, "userBarcode": "p-1",
               "itemId": item, "itemBarcode": "a-1", "itemStatusName": "In transit",
               "holdingsRecordId": stock.holdings, "instanceId": stock.instance,
               "destinationServicePoint": pickup, "source": source,
               "requests": [{"id": hold["id"], "oldRequestStatus": "Open - Not yet filled",
                             "newRequestStatus": "Open - In transit", "requestType": "Hold",
                             "pickUpServicePoint": pickup}]}),
    );
    assert!(
        taken[2]["systemReturnDate"]
            .as_str()
            .is_some_and(|at| at.ends_with('Z'))
    );

    // Without a loan; on the shelf; lent to who waits.
    let back = json!({"itemBarcode": "a-1", "servicePointId": CIRC_DESK_2,
                      "checkInDate": "2026-03-02T10:00:00Z"});
    let _ = client.post(IN, &back).await.expect(200);
    let mut out = check_out("a-1", "p-2");
    out["servicePointId"] = json!(CIRC_DESK_2);
    let _ = client.post(OUT, &out).await.expect(201);
    let taken = after(&plugged, 5).await;
    for name in ["loanId", "userId", "userBarcode", "isLoanClosed", "zoneId"] {
        assert_eq!(taken[3].get(name), None, "{name}");
    }
    assert_eq!(taken[3]["itemStatusName"], "Awaiting pickup");
    assert_eq!(
        taken[4]["requests"],
        json!([{"id": hold["id"], "oldRequestStatus": "Open - Awaiting pickup",
                "newRequestStatus": "Closed - Filled", "requestType": "Hold",
                "pickUpServicePoint": pickup}])
    );
    assert_eq!(taken[4]["payload"].get("requests"), None);
    let history = client.get(&format!("{HISTORY}&eventType=LOG_RECORD")).await;
    let published = history.expect(200).json()["auditMessages"][0]["publishedBy"].clone();
    assert_eq!(published, "mod-circulation-24.4.18");
}

#[tokio::test]
async fn acts_on_a_loan_are_told_as_the_log_has_them() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let (operator, _) = operator(&plugged).await;
    let item = stock.item("a-1").await;
    let patron = stock.patron("p-1").await;
    let loan = client.post(OUT, &check_out("a-1", "p-1")).await;
    let loan = loan.expect(201).json();
    let id = loan["id"].as_str().expect("an id");
    let renewal = json!({"itemBarcode": "a-1", "userBarcode": "p-1",
                         "servicePointId": CIRC_DESK_1});
    let path = "/circulation/renew-by-barcode";
    let _ = client.post(path, &renewal).await.expect(200);
    let note = json!({"action": "patronInfoAdded", "actionComment": "Please bring it back"});
    let path = format!("/circulation/loans/{id}/add-info");
    let _ = client.post(&path, &note).await.expect(204);
    let claim = json!({"itemClaimedReturnedDateTime": "2026-03-01T10:00:00Z",
                       "comment": "Left in the box"});
    let path = format!("/circulation/loans/{id}/claim-item-returned");
    let _ = client.post(&path, &claim).await.expect(204);
    let taken = after(&plugged, 5).await;
    let expected = |event: &Value, action: &str, comment: Option<&str>, description: &Value| {
        let mut payload = json!({"userBarcode": "p-1", "userId": patron, "itemBarcode": "a-1",
            "itemId": item, "instanceId": stock.instance, "holdingsRecordId": stock.holdings,
            "action": action, "date": event["payload"]["date"], "servicePointId": CIRC_DESK_1,
            "updatedByUserId": operator, "description": description, "loanId": id});
        if let Some(comment) = comment {
            payload["actionComment"] = json!(comment);
        }
        json!({"logEventType": "LOAN", "payload": payload})
    };
    for (event, action) in [(&taken[1], "Changed due date"), (&taken[2], "Renewed")] {
        let description = &event["payload"]["description"];
        let begins = description.as_str().expect("a description");
        assert!(begins.starts_with("New due date: "), "{begins}");
        assert_told(event, expected(event, action, None, description));
    }
    let note = "Please bring it back";
    let added = expected(&taken[3], "Patron info added", Some(note), &json!(note));
    assert_told(&taken[3], added);
    let claimed = expected(
        &taken[4],
        "Claimed returned",
        Some("Left in the box"),
        &json!("Additional information: Left in the box"),
    );
    assert_told(&taken[4], claimed);
    let date = taken[4]["payload"]["date"].as_str().expect("a date");
    assert!(date.ends_with('Z'), "{date}");
}

#[tokio::test]
async fn changes_of_requests_are_told_before_and_after() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let (operator, _) = operator(&plugged).await;
    let item = stock.item("a-1").await;
    let _ = stock.patron("p-0").await;
    let _ = client.post(OUT, &check_out("a-1", "p-0")).await.expect(201);
    let mut queue = Vec::new();
    for barcode in ["p-1", "p-2"] {
        let requester = stock.patron(barcode).await;
        let hold = asked(&stock, "Hold", &item, &requester, CIRC_DESK_1);
        queue.push(client.post(REQUESTS, &hold).await.expect(201).json());
    }
    let places = json!({"reorderedQueue": [{"id": queue[0]["id"], "newPosition": 2},
                                           {"id": queue[1]["id"], "newPosition": 1}]});
    let path = format!("{REQUESTS}/queue/item/{item}/reorder");
    let _ = client.post(&path, &places).await.expect(200);
    let path = format!("{REQUESTS}/{}", queue[0]["id"].as_str().expect("an id"));
    let mut edited = client.get(&path).await.expect(200).json();
    edited["pickupServicePointId"] = json!(CIRC_DESK_2);
    let _ = client.put(&path, &edited).await.expect(204);
    let mut cancelled = client.get(&path).await.expect(200).json();
    cancelled["status"] = json!("Closed - Cancelled");
    cancelled["cancelledByUserId"] = operator.clone();
    cancelled["cancellationReasonId"] = json!("75187e8d-e25a-47a7-89ad-23ba612338de");
    cancelled["cancelledDate"] = json!("2026-02-03T10:00:00.000+00:00");
    let _ = client.put(&path, &cancelled).await.expect(204);
    // The check-out and the two requests come before.
    let taken = after(&plugged, 6).await;
    let reordered = &taken[3]["payload"]["requests"]["reordered"];
    assert_eq!(taken[3]["logEventType"], "REQUEST_REORDERED_EVENT");
    let mut places: Vec<(&Value, &Value, &Value)> = reordered
        .as_array()
        .expect("requests")
        .iter()
        .map(|one| (&one["id"], &one["position"], &one["previousPosition"]))
        .collect();
    places.sort_by_key(|place| place.1.as_i64());
    assert_eq!(
        places,
        [
            (&queue[1]["id"], &json!(1), &json!(2)),
            (&queue[0]["id"], &json!(2), &json!(1))
        ]
    );
    for (event, name, from, to) in [
        (
            &taken[4],
            "pickupServicePointId",
            json!(CIRC_DESK_1),
            json!(CIRC_DESK_2),
        ),
        (
            &taken[5],
            "status",
            json!("Open - Not yet filled"),
            json!("Closed - Cancelled"),
        ),
    ] {
        assert_eq!(event["logEventType"], "REQUEST_UPDATED_EVENT");
        let payload = &event["payload"];
        assert_eq!(
            (
                &payload["itemId"],
                &payload["itemBarcode"],
                &payload["itemStatusName"]
            ),
            (&json!(item), &json!("a-1"), &json!("Checked out"))
        );
        let (before, now) = (
            &payload["requests"]["original"],
            &payload["requests"]["updated"],
        );
        assert_eq!((&before[name], &now[name]), (&from, &to));
        assert_eq!(now["metadata"]["updatedByUserId"], operator);
    }
    assert_eq!(
        taken[5]["payload"]["requests"]["updated"]["cancellationReasonId"],
        "75187e8d-e25a-47a7-89ad-23ba612338de"
    );
}

#[tokio::test]
async fn nothing_is_written_for_nobody() {
    let (plugged, stock) = subscribed_to(&["ITEM_CHECKED_OUT"]).await;
    let _ = stock.item("a-1").await;
    let patron = stock.patron("p-1").await;
    let client = &plugged.client;
    let block = json!({"desc": "Card left", "userId": patron});
    let _ = client.post("/manualblocks", &block).await.expect(201);
    let _ = client.post(OUT, &check_out("a-1", "p-1")).await.expect(201);
    let _ = after(&plugged, 1).await;
    let database = &plugged.library.platform.store.database;
    let sql = "SELECT FROM tenant_diku.outbox WHERE topic LIKE '%.LOG_RECORD'";
    assert!(database.query(sql, &[]).await.expect("rows").is_empty());
    let logs = client
        .get("/audit-data/circulation/logs")
        .await
        .expect(200)
        .json();
    let line = &logs["logRecords"][0];
    assert_eq!(line["action"], "Checked out");
    assert_eq!(line.get("logRecord"), None);
}
