//! A scan in one request: questions before anything is changed, outcomes as FOLIO's routes answer them,
//! refusals with the item; and a patron's card.

use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::people::staff;
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, Stock};
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::support::wait;
use super::{IN, stocked};

pub const SCAN_OUT: &str = "/_/octavo/desk/check-out";
pub const SCAN_IN: &str = "/_/octavo/desk/check-in";

fn scan_in(item: &str) -> Value {
    json!({"itemBarcode": item, "servicePointId": CIRC_DESK_1})
}

fn scan_out(item: &str, patron: &str) -> Value {
    json!({"itemBarcode": item, "userBarcode": patron, "servicePointId": CIRC_DESK_1})
}

/// An item of two discs with a note for either act.
async fn with_questions(stock: &Stock, barcode: &str) -> String {
    let id = stock.item(barcode).await;
    let path = format!("/item-storage/items/{id}");
    let mut item = stock.client.get(&path).await.expect(200).json();
    for (name, value) in [
        ("numberOfPieces", json!("2 discs")),
        ("descriptionOfPieces", json!("score and disc")),
        ("numberOfMissingPieces", json!("1")),
        (
            "circulationNotes",
            json!([{"noteType": "Check out", "note": "Count the discs"},
                   {"noteType": "Check in", "note": "Look for the booklet"}]),
        ),
    ] {
        item[name] = value;
    }
    let _ = stock.client.put(&path, &item).await.expect(204);
    id
}

async fn count(library: &Library, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM tenant_diku.{table}");
    super::support::sql(library, &sql).await[0]
}

#[tokio::test]
async fn staff_answer_before_anything_is_changed() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = with_questions(&stock, "i-1").await;
    let _ = stock.patron("p-1").await;
    let pieces = json!({"kind": "pieces", "count": "2 discs", "description": "score and disc", "missing": "1"});
    for (path, mut body, note) in [
        (SCAN_OUT, scan_out("i-1", "p-1"), "Count the discs"),
        (SCAN_IN, scan_in("i-1"), "Look for the booklet"),
    ] {
        let before = (
            count(&library, "outbox").await,
            count(&library, "loan").await,
        );
        let asked = client.post(path, &body).await.expect(200).json();
        let notes = json!({"kind": "notes", "notes": [note]});
        assert_eq!(asked["questions"], json!([pieces, notes]), "{path}");
        assert_eq!(asked["item"]["title"], "Middlemarch");
        assert!(asked.get("outcome").is_none());
        body["answers"] = json!({"confirmed": ["pieces"]});
        let asked = client.post(path, &body).await.expect(200).json();
        assert_eq!(asked["questions"], json!([notes]), "{path}");
        let after = (
            count(&library, "outbox").await,
            count(&library, "loan").await,
        );
        assert_eq!(before, after, "{path}");
        body["answers"] = json!({"confirmed": ["pieces", "notes"]});
        let done = client.post(path, &body).await.expect(200).json();
        assert!(done["outcome"]["id"].is_string() || done["outcome"]["loan"]["id"].is_string());
        assert!(done.get("questions").is_none());
    }
    assert_eq!(count(&library, "loan").await, 1);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn an_outcome_is_what_folios_routes_answer() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.item("i-1").await;
    let _ = stock.patron("p-1").await;
    let lent = client.post(SCAN_OUT, &scan_out("i-1", "p-1")).await;
    let lent = lent.expect(200).json();
    let path = format!(
        "/circulation/loans/{}",
        lent["outcome"]["id"].as_str().unwrap_or_default()
    );
    let mut loan = client.get(&path).await.expect(200).json();
    let mut outcome = lent["outcome"].clone();
    for one in [&mut loan, &mut outcome] {
        // The view of a single loan has the record's times as stored.
        let _ = one
            .as_object_mut()
            .and_then(|one| one.shift_remove("metadata"));
    }
    assert_eq!(outcome["item"], loan["item"]);
    assert_eq!(outcome["dueDate"], loan["dueDate"]);
    let back = client
        .post(SCAN_IN, &scan_in("i-1"))
        .await
        .expect(200)
        .json();
    assert_eq!(back["owed"], 0.0);
    let names = |answer: &Value| -> Vec<String> {
        answer
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    let mut again = super::check_in("i-1", CIRC_DESK_1);
    again["sessionId"] = json!(Uuid::new_v4());
    let published = client.post(IN, &again).await.expect(200).json();
    assert_eq!(names(&back["outcome"])[1..], names(&published));
    assert_eq!(
        back["outcome"]["staffSlipContext"]["item"]["title"],
        "Middlemarch"
    );
}

#[tokio::test]
async fn a_repeated_scan_finds_its_loan_and_does_not_ask_again() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = with_questions(&stock, "i-1").await;
    let _ = stock.patron("p-1").await;
    let mut body = scan_out("i-1", "p-1");
    body["id"] = json!(Uuid::new_v4());
    body["answers"] = json!({"confirmed": ["pieces", "notes"]});
    let first = client.post(SCAN_OUT, &body).await.expect(200).json();
    body["answers"] = json!({});
    let second = client.post(SCAN_OUT, &body).await.expect(200).json();
    assert_eq!(first["outcome"]["id"], second["outcome"]["id"]);
    // Also when the loan has ended, and somebody else has the item.
    let mut back = scan_in("i-1");
    back["answers"] = json!({"confirmed": ["pieces", "notes"]});
    let _ = client.post(SCAN_IN, &back).await.expect(200);
    let _ = stock.patron("p-2").await;
    let mut other = scan_out("i-1", "p-2");
    other["answers"] = back["answers"].clone();
    let _ = client.post(SCAN_OUT, &other).await.expect(200);
    let third = client.post(SCAN_OUT, &body).await.expect(200).json();
    assert_eq!(first["outcome"]["id"], third["outcome"]["id"]);
    assert_eq!(third["outcome"]["status"]["name"], "Closed");
    assert_eq!(count(&library, "loan").await, 2);
    // The id of another loan is a mistake.
    other["id"] = body["id"].clone();
    let _ = client.post(SCAN_OUT, &other).await.expect(400);
}

#[tokio::test]
async fn a_refusal_comes_before_questions_and_has_the_item() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = with_questions(&stock, "i-1").await;
    let _ = stock.patron_with("p-1", json!({"active": false})).await;
    let answer = client.post(SCAN_OUT, &scan_out("i-1", "p-1")).await;
    let body = answer.expect(422).json();
    assert_eq!(
        body["errors"][0]["message"],
        "Cannot check out to inactive user"
    );
    assert_eq!(body["total_records"], 1);
    assert_eq!(body["item"]["title"], "Middlemarch");
    let _ = stock.patron("p-2").await;
    for (path, body) in [
        (SCAN_OUT, scan_out("unheard-of", "p-2")),
        (SCAN_IN, scan_in("unheard-of")),
    ] {
        let body = client.post(path, &body).await.expect(422).json();
        let message = body["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(
            message.starts_with("No item with barcode unheard-of"),
            "{message}"
        );
        assert!(body.get("item").is_none());
    }
    for (body, status) in [
        (json!({"servicePointId": CIRC_DESK_1}), 422),
        (
            json!({"itemBarcode": "i-1", "servicePointId": CIRC_DESK_1, "checkInDate": "soon"}),
            422,
        ),
        (
            json!({"itemBarcode": "i-1", "servicePointId": CIRC_DESK_1, "answers": {"confirmed": ["all"]}}),
            400,
        ),
        (
            json!({"itemBarcode": "i-1", "servicePointId": CIRC_DESK_1, "amnesty": "yes"}),
            400,
        ),
    ] {
        let _ = client.post(SCAN_IN, &body).await.expect(status);
    }
}

#[tokio::test]
async fn an_unusual_status_is_asked_for_once() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    for status in [
        "Missing",
        "Withdrawn",
        "Unknown",
        "Long missing",
        "Restricted",
        "Unavailable",
    ] {
        let barcode = format!("i-{status}");
        let _ = stock
            .item_of(&barcode, octavo_server_testkit::stock::DVD, status)
            .await;
        let mut body = scan_in(&barcode);
        let asked = client.post(SCAN_IN, &body).await.expect(200).json();
        let question = json!({"kind": "status", "status": status, "suppressed": false});
        assert_eq!(asked["questions"], json!([question]));
        body["answers"] = json!({"confirmed": ["status"]});
        let done = client.post(SCAN_IN, &body).await.expect(200).json();
        assert_eq!(done["outcome"]["item"]["status"]["name"], "Available");
    }
}

#[tokio::test]
async fn modifiers_of_the_desk() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let _ = stock.patron("p-1").await;
    let asking = stock.patron("p-2").await;
    let mut body = scan_in("i-1");
    body["inHouseUse"] = json!(true);
    let used = client.post(SCAN_IN, &body).await.expect(200).json();
    assert_eq!(used["outcome"]["inHouseUse"], true);
    let _ = client
        .post(SCAN_OUT, &scan_out("i-1", "p-1"))
        .await
        .expect(200);
    let refused = client.post(SCAN_IN, &body).await.expect(422).json();
    assert_eq!(refused["errors"][0]["code"], "ITEM_NOT_FOR_IN_HOUSE_USE");
    let held = wait(&stock, "Hold", &item, &asking, json!({"position": 1})).await;
    let mut body = scan_in("i-1");
    body["ignoreHolds"] = json!(true);
    let back = client.post(SCAN_IN, &body).await.expect(200).json();
    assert_eq!(back["outcome"]["item"]["status"]["name"], "Available");
    let path = format!("/request-storage/requests/{held}");
    let request = client.get(&path).await.expect(200).json();
    assert_eq!(request["status"], "Open - Not yet filled");
    // Without the modifier the next scan serves the request; from then on it is served whatever is set.
    let back = client
        .post(SCAN_IN, &scan_in("i-1"))
        .await
        .expect(200)
        .json();
    assert_eq!(back["outcome"]["item"]["status"]["name"], "Awaiting pickup");
    let back = client.post(SCAN_IN, &body).await.expect(200).json();
    assert_eq!(back["outcome"]["item"]["status"]["name"], "Awaiting pickup");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_desks_one_lends_and_the_other_is_refused() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    for round in 0..8 {
        let item = format!("i-{round}");
        let _ = stock.item(&item).await;
        let patrons = [format!("p-{round}-a"), format!("p-{round}-b")];
        for patron in &patrons {
            let _ = stock.patron(patron).await;
        }
        let [one, other] = [scan_out(&item, &patrons[0]), scan_out(&item, &patrons[1])];
        let (one, other) =
            futures_util::future::join(client.post(SCAN_OUT, &one), client.post(SCAN_OUT, &other))
                .await;
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422]);
    }
    assert_in_order(&library).await;
}

async fn clerk(library: &Library, client: &Client, permissions: &[&str]) -> Client {
    staff(library, client, "clerk", permissions).await.0
}

#[tokio::test]
async fn amnesty_takes_the_permission_to_waive() {
    let (library, stock) = stocked().await;
    let _ = stock.item("i-1").await;
    let clerk = clerk(
        &library,
        &stock.client,
        &["circulation.check-in-by-barcode.post"],
    )
    .await;
    let mut body = scan_in("i-1");
    let _ = clerk.post(SCAN_IN, &body).await.expect(200);
    body["amnesty"] = json!(true);
    let refused = clerk.post(SCAN_IN, &body).await.expect(403);
    assert!(
        refused.text.contains("feesfines.accounts.waive.post"),
        "{}",
        refused.text
    );
    let _ = clerk
        .post(SCAN_OUT, &scan_out("i-1", "p-1"))
        .await
        .expect(403);
}

#[tokio::test]
async fn a_card_has_what_the_desk_needs_and_the_caller_may_read() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock
        .patron_with("p-1", json!({"externalSystemId": "EXT-7"}))
        .await;
    let sponsor = stock.patron("p-2").await;
    for number in 0..3 {
        let barcode = format!("i-{number}");
        let _ = stock.item(&barcode).await;
        let _ = client
            .post(SCAN_OUT, &scan_out(&barcode, "p-1"))
            .await
            .expect(200);
    }
    let _ = client.post(SCAN_IN, &scan_in("i-0")).await.expect(200);
    let item = stock.item("i-9").await;
    let _ = wait(&stock, "Hold", &item, &patron, json!({"position": 1})).await;
    let _ = client.post(SCAN_IN, &scan_in("i-9")).await.expect(200);
    let account = json!({"id": Uuid::new_v4(), "ownerId": Uuid::new_v4(), "feeFineId": Uuid::new_v4(), "amount": 2.5, "remaining": 2.5,
        "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"}, "userId": patron,
        "feeFineType": "Card", "feeFineOwner": "Town"});
    let _ = client.post("/accounts", &account).await.expect(201);
    let block = json!({"type": "Manual", "desc": "Talk to us", "borrowing": true, "renewals": false, "requests": false, "userId": patron});
    let _ = client.post("/manualblocks", &block).await.expect(201);
    let over = json!({"type": "Manual", "desc": "Long ago", "borrowing": true, "renewals": false, "requests": false,
        "userId": patron, "expirationDate": "2020-01-01T00:00:00Z"});
    let _ = client.post("/manualblocks", &over).await.expect(201);
    let proxy = json!({"userId": sponsor, "proxyUserId": patron, "status": "Active", "requestForSponsor": "Yes", "accrueTo": "Sponsor", "notificationsTo": "Sponsor"});
    let _ = client.post("/proxiesfor", &proxy).await.expect(201);
    let card = |identifier: &str, point: &str| {
        format!("/_/octavo/desk/patron?identifier={identifier}&servicePointId={point}")
    };
    for identifier in ["p-1", "EXT-7", "user-p-1", &patron] {
        let found = client
            .get(&card(identifier, CIRC_DESK_1))
            .await
            .expect(200)
            .json();
        assert_eq!(found["user"]["id"], json!(patron), "{identifier}");
        assert_eq!(found["group"], "undergrad");
        assert_eq!(found["openLoans"], 2);
        assert_eq!(found["owed"].as_f64(), Some(2.5));
        assert_eq!(found["openRequests"], 1);
        assert_eq!(found["waiting"][0]["title"], "Middlemarch");
        assert_eq!(found["waiting"][0]["barcode"], "i-9");
        assert_eq!(found["blocks"], json!(["Talk to us"]));
        assert_eq!(found["sponsors"][0]["barcode"], "p-2");
        assert_eq!(found["sponsors"][0]["name"], "Dorothea Brooke");
    }
    let elsewhere = client
        .get(&card("p-1", CIRC_DESK_2))
        .await
        .expect(200)
        .json();
    assert!(elsewhere.get("waiting").is_none());
    let _ = client.get(&card("nobody", CIRC_DESK_1)).await.expect(404);
    let _ = client.get("/_/octavo/desk/patron").await.expect(400);
    let clerk = clerk(
        &library,
        client,
        &["users.collection.get", "circulation.loans.collection.get"],
    )
    .await;
    let little = clerk
        .get(&card("p-1", CIRC_DESK_1))
        .await
        .expect(200)
        .json();
    let names: Vec<&str> = little
        .as_object()
        .expect("a card")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(names, ["openLoans", "user", "blocks"]);
    assert_eq!(little["blocks"], json!([]));
}

#[tokio::test]
async fn a_repeated_check_in_changes_nothing() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let _ = stock.patron("p-1").await;
    let asking = stock.patron("p-2").await;
    let _ = client
        .post(SCAN_OUT, &scan_out("i-1", "p-1"))
        .await
        .expect(200);
    let _ = wait(&stock, "Hold", &item, &asking, json!({"position": 1})).await;
    let mut body = scan_in("i-1");
    body["id"] = json!(Uuid::new_v4());
    let first = client.post(SCAN_IN, &body).await.expect(200).json();
    let before = count(&library, "outbox").await;
    let second = client.post(SCAN_IN, &body).await.expect(200).json();
    assert_eq!(first["outcome"]["item"], second["outcome"]["item"]);
    assert_eq!(
        first["outcome"]["staffSlipContext"]["requester"],
        second["outcome"]["staffSlipContext"]["requester"]
    );
    assert_eq!(count(&library, "check_in").await, 1);
    assert_eq!(count(&library, "outbox").await, before);
    // The id of a check-in of another item is a conflict, not a repetition.
    let _ = stock.item("i-2").await;
    body["itemBarcode"] = json!("i-2");
    let _ = client.post(SCAN_IN, &body).await.expect(400);
    assert_eq!(count(&library, "check_in").await, 1);
    assert_in_order(&library).await;
}
