//! Events LOG_RECORD of other programs: `POST /audit/handlers/log-record`.

use octavo_server_testkit::stock::{CIRC_DESK_1, Stock, check_out};
use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::stocked;
use super::support::sql;

const HANDLER: &str = "/audit/handlers/log-record";
const LOGS: &str = "/audit-data/circulation/logs";

async fn publish(client: &Client, event: &Value) {
    assert_eq!(client.post(HANDLER, event).await.status, 204, "{event}");
}

async fn lines(client: &Client, query: &str) -> Vec<Value> {
    let query = format!("({query}) sortby date");
    let path = format!("{LOGS}?limit=100");
    let page = client.query(&path, &query).await.expect(200).json();
    page["logRecords"].as_array().expect("a list").clone()
}

/// An event of each kind, about one item and one patron.
fn events(stock: &Stock, item: &str, patron: &str, staff: &str) -> Vec<(Value, Vec<&'static str>)> {
    let stamp = json!({"updatedDate": "2025-03-04T09:30:00.000+00:00", "updatedByUserId": staff});
    let request = |more: Value| {
        let mut request = json!({"id": "9e865b59-f283-579a-b8fe-ce05280626e9", "itemId": item,
            "requestType": "Hold", "requesterId": patron, "status": "Open - Not yet filled",
            "pickupServicePointId": CIRC_DESK_1, "metadata": stamp});
        for (name, value) in more.as_object().expect("an object") {
            request[name] = value.clone();
        }
        request
    };
    let of_requests = |kind: &str, requests: Value| json!({"logEventType": kind, "payload": {"requests": requests}});
    let changed = |more: Value| json!({"original": request(json!({})), "updated": request(more)});
    let flat = |kind: &str| {
        json!({"logEventType": kind, "servicePointId": CIRC_DESK_1, "itemId": item,
            "itemBarcode": "told-1", "instanceId": stock.instance,
            "holdingsRecordId": stock.holdings, "userId": patron, "userBarcode": "told-p",
            "loanId": "47edc963-84d1-5739-9af0-2747b24e71f4", "itemStatusName": "Available",
            "isLoanClosed": kind == "CHECK_IN_EVENT", "source": "Stream, Mona",
            "systemReturnDate": "2025-03-04T09:31:12.480Z",
            "returnDate": "2025-03-04T09:31:00.000Z"})
    };
    let block = |kind: &str| {
        json!({"logEventType": kind, "payload": {"desc": "Card left", "borrowing": true,
            "renewals": false, "requests": false, "userId": patron, "metadata": stamp}})
    };
    vec![
        (flat("CHECK_IN_EVENT"), vec!["Checked in", "Closed loan"]),
        (flat("CHECK_OUT_EVENT"), vec!["Checked out"]),
        (
            flat("CHECK_OUT_THROUGH_OVERRIDE_EVENT"),
            vec!["Checked out through override"],
        ),
        (
            json!({"logEventType": "LOAN", "payload": {"action": "Renewed", "userId": patron,
                "date": "2025-03-04T09:30:00.000Z", "itemId": item, "itemBarcode": "told-1",
                "userBarcode": "told-p", "updatedByUserId": staff, "description": "Later"}}),
            vec!["Renewed"],
        ),
        (
            json!({"logEventType": "FEE_FINE", "payload": {"action": "Billed", "amount": 12.5,
                "date": "2025-03-04T09:30:00.000Z", "userId": patron, "itemId": item,
                "feeFineOwner": "Weir House", "type": "Damage fee", "source": "Stream, Mona"}}),
            vec!["Billed"],
        ),
        (
            json!({"logEventType": "NOTICE", "payload": {"userBarcode": "told-p", "items": [
                {"itemId": item, "itemBarcode": "told-1", "triggeringEvent": "Due date"}]}}),
            vec!["Send"],
        ),
        (
            json!({"logEventType": "NOTICE_ERROR", "payload": {"userId": patron,
                "errorMessage": "no address", "items": [{"itemId": item}]}}),
            vec!["Send error"],
        ),
        (block("MANUAL_BLOCK_CREATED_EVENT"), vec!["Created"]),
        (block("MANUAL_BLOCK_MODIFIED_EVENT"), vec!["Modified"]),
        (block("MANUAL_BLOCK_DELETED_EVENT"), vec!["Deleted"]),
        (
            of_requests(
                "REQUEST_CREATED_EVENT",
                json!({"created": request(json!({}))}),
            ),
            vec!["Created"],
        ),
        (
            of_requests(
                "REQUEST_CREATED_THROUGH_OVERRIDE_EVENT",
                json!({"created": request(json!({}))}),
            ),
            vec!["Created through override"],
        ),
        (
            of_requests(
                "REQUEST_UPDATED_EVENT",
                changed(json!({"requestType": "Recall"})),
            ),
            vec!["Edited"],
        ),
        (
            of_requests(
                "REQUEST_UPDATED_EVENT",
                changed(json!({"status": "Closed - Cancelled"})),
            ),
            vec!["Cancelled"],
        ),
        (
            of_requests("REQUEST_MOVED_EVENT", changed(json!({}))),
            vec!["Moved"],
        ),
        (
            of_requests(
                "REQUEST_REORDERED_EVENT",
                json!({"reordered": [request(json!({"position": 2})), request(json!({"position": 1}))]}),
            ),
            vec!["Queue position reordered", "Queue position reordered"],
        ),
        (
            of_requests(
                "REQUEST_EXPIRED_EVENT",
                changed(json!({"status": "Closed - Pickup expired"})),
            ),
            vec!["Pickup expired"],
        ),
    ]
}

#[tokio::test]
async fn each_kind_of_event_makes_its_lines_once() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("told-1").await;
    let patron = stock.patron("told-p").await;
    let staff = stock.patron("told-s").await;
    let all = events(&stock, &item, &patron, &staff);
    for (event, _) in &all {
        publish(client, event).await;
    }
    // Published again, at once and later, nothing is added.
    for (event, _) in &all {
        publish(client, event).await;
    }
    let mut expected: Vec<&str> = all.iter().flat_map(|(_, lines)| lines.clone()).collect();
    expected.sort_unstable();
    let found = lines(client, "cql.allRecords=1").await;
    let mut actions: Vec<&str> = found
        .iter()
        .map(|line| line["action"].as_str().expect("an action"))
        .collect();
    actions.sort_unstable();
    assert_eq!(actions, expected);
    for line in &found {
        assert_eq!(line["userBarcode"], "told-p", "{line}");
        assert_eq!(line["linkToIds"]["userId"], patron, "{line}");
        assert!(
            line["eventId"].is_string() && line["source"].is_string(),
            "{line}"
        );
        let is_block = line["object"] == "Manual Block";
        if !is_block && line["action"] != "Send error" {
            assert_eq!(line["items"][0]["itemBarcode"], "told-1", "{line}");
        }
    }
    let by = |action: &str| {
        found
            .iter()
            .find(|line| line["action"] == action)
            .expect("a line")
    };
    assert_eq!(by("Renewed")["source"], "Brooke, Dorothea");
    assert_eq!(by("Moved")["items"][0]["instanceId"], stock.instance);
    assert_eq!(by("Billed")["date"], "2025-03-04T09:30:00.000+00:00");
    // They are not published again as if they had happened here.
    let outbox = "SELECT count(*) FROM tenant_diku.outbox WHERE topic LIKE '%.LOG_RECORD'";
    assert_eq!(sql(&library, outbox).await, [0]);
}

#[tokio::test]
async fn an_event_without_a_time_is_another_one_some_minutes_later() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let event = json!({"logEventType": "CHECK_IN_EVENT", "itemId": stock.item("told-2").await,
        "itemBarcode": "told-2", "itemStatusName": "Available", "source": "Stream, Mona"});
    publish(client, &event).await;
    publish(client, &event).await;
    assert_eq!(lines(client, "items=\"told-2\"").await.len(), 1);
    // As if it had come before the last spans of time.
    let id = Uuid::new_v4();
    let moved = format!(
        "UPDATE tenant_diku.circulation_logs SET id = '{id}', jsonb = jsonb || '{{\"id\": \"{id}\"}}'"
    );
    sql(&library, &moved).await;
    publish(client, &event).await;
    assert_eq!(lines(client, "items=\"told-2\"").await.len(), 2);
}

#[tokio::test]
async fn what_makes_no_line_is_passed_over() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    for event in [
        json!({}),
        json!({"logEventType": "LOAN", "payload": {"action": "Burnt"}}),
        json!({"logEventType": "UNHEARD_OF"}),
    ] {
        publish(client, &event).await;
    }
    let request = client.request(reqwest::Method::POST, HANDLER);
    let request = request.header("content-type", "application/json");
    assert_eq!(client.send(request.body("no JSON")).await.status, 204);
    assert!(lines(client, "cql.allRecords=1").await.is_empty());
}

#[tokio::test]
async fn an_anonymized_loan_is_forgotten_in_its_lines() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("told-3").await;
    let patron = stock.patron("told-q").await;
    let loan = client
        .post(
            "/circulation/check-out-by-barcode",
            &check_out("told-3", "told-q"),
        )
        .await
        .expect(201)
        .json();
    let other = stock.item("told-4").await;
    let _ = client
        .post(
            "/circulation/check-out-by-barcode",
            &check_out("told-4", "told-q"),
        )
        .await
        .expect(201);
    assert_eq!(lines(client, "userBarcode==\"told-q\"").await.len(), 2);
    let event = json!({"logEventType": "LOAN", "payload": {"action": "Anonymize", "userId": patron,
        "itemId": item, "itemBarcode": "told-3", "loanId": loan["id"],
        "date": "2025-03-04T09:30:00.000Z"}});
    publish(client, &event).await;
    let of_loan = lines(client, "items=\"told-3\"").await;
    assert_eq!(of_loan.len(), 2);
    for line in &of_loan {
        assert_eq!(line["userBarcode"], "-", "{line}");
        assert!(line["linkToIds"].get("userId").is_none(), "{line}");
    }
    let of_other = lines(client, "items=\"told-4\"").await;
    assert_eq!(of_other[0]["userBarcode"], "told-q");
    assert_eq!(of_other[0]["items"][0]["itemId"], other);
}
