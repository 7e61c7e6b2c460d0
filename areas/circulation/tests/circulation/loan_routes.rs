//! Loans written whole by their ids, and whether a loan could be made.

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::lent::{Lent, parameters};
use super::{OUT, messages, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, EXAMPLE_LOAN_POLICY, check_out};

const LOANS: &str = "/circulation/loans";
const DRY_RUN: &str = "/circulation/check-out-by-barcode-dry-run";

async fn item_status(client: &Client, id: &str) -> String {
    let path = format!("/item-storage/items/{id}");
    let item = client.get(&path).await.expect(200).json();
    item["status"]["name"]
        .as_str()
        .expect("a status")
        .to_owned()
}

async fn loans(client: &Client) -> Value {
    let all = client.get("/loan-storage/loans").await.expect(200).json();
    all["totalRecords"].clone()
}

#[tokio::test]
async fn a_loan_is_made_by_ids_once() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let (item, patron) = (stock.item("i-1").await, stock.patron("p-1").await);
    let id = Uuid::new_v4();
    let body = json!({"id": id, "userId": patron, "itemId": item, "action": "checkedout",
        "loanDate": "2026-03-01T10:00:00Z", "dueDate": "2026-03-20T10:00:00Z",
        "checkoutServicePointId": CIRC_DESK_1, "status": {"name": "Open"}});
    let made = client.post(LOANS, &body).await.expect(201);
    assert_eq!(
        made.header("location"),
        Some(format!("{LOANS}/{id}").as_str())
    );
    let made = made.json();
    assert_eq!(made["id"], json!(id));
    assert_eq!(made["dueDate"], "2026-03-20T10:00:00.000+00:00");
    assert_eq!(made["loanPolicyId"], EXAMPLE_LOAN_POLICY);
    assert_eq!(made["borrower"]["barcode"], "p-1");
    assert_eq!(made["checkoutServicePoint"]["name"], "Circ Desk 1");
    assert_eq!(made["patronGroupAtCheckout"]["name"], "undergrad");
    assert_eq!(made["item"]["status"]["name"], "Checked out");
    let again = client.post(LOANS, &body).await.expect(201).json();
    assert_eq!(again, made);
    assert_eq!(loans(client).await, 1);
    let mut other = body.clone();
    other["dueDate"] = json!("2026-04-20T10:00:00Z");
    let answer = client.post(LOANS, &other).await.expect(422).json();
    assert_eq!(messages(&answer), ["Item is already checked out"]);
    assert_eq!(loans(client).await, 1);
    // Without a status a loan is open; one that is closed leaves its item alone.
    let second = stock.item("i-2").await;
    let body = json!({"userId": patron, "itemId": second, "loanDate": "2026-03-01T10:00:00Z"});
    let made = client.post(LOANS, &body).await.expect(201).json();
    assert_eq!(made["status"]["name"], "Open");
    assert_eq!(made["action"], "checkedout");
    let third = stock.item("i-3").await;
    let body = json!({"userId": patron, "itemId": third, "loanDate": "2026-03-01T10:00:00Z",
        "status": {"name": "Closed"}, "action": "checkedin"});
    let made = client.post(LOANS, &body).await.expect(201).json();
    assert_eq!(made["item"]["status"]["name"], "Available");
}

#[tokio::test]
async fn what_stands_against_a_loan_made_by_ids() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-4").await;
    let proxy = stock.patron("p-5").await;
    let item = stock.item("i-4").await;
    let missing = stock
        .item_of("i-5", octavo_server_testkit::stock::DVD, "Missing")
        .await;
    let lent = Lent::new(&stock, "6", "2026-03-01T10:00:00Z").await;
    let asked = Lent {
        item: stock.item("i-7").await,
        ..lent.clone()
    };
    let _ = asked.requested(&stock, "Hold", "p-holds").await;
    let nothing = Uuid::new_v4();
    let loan = |more: Value| {
        let mut body = json!({"userId": patron, "itemId": item, "action": "checkedout",
            "loanDate": "2026-03-01T10:00:00Z", "status": {"name": "Open"}});
        if let (Some(body), Some(more)) = (body.as_object_mut(), more.as_object()) {
            body.extend(more.clone());
        }
        body
    };
    let mut nobody = loan(json!({}));
    let _ = nobody.as_object_mut().expect("an object").remove("userId");
    let count = loans(client).await;
    let no_item = format!("No item with ID {nothing} could be found");
    for (body, message, key, value) in [
        (
            loan(json!({"status": {"name": "Odd"}})),
            "Loan status must be \"Open\" or \"Closed\"",
            "status",
            json!("Odd"),
        ),
        (
            nobody,
            "Open loan must have a user ID",
            "userId",
            Value::Null,
        ),
        (
            loan(json!({"checkinServicePointId": nothing})),
            "Check In Service Point does not exist",
            "checkinServicePointId",
            json!(nothing),
        ),
        (
            loan(json!({"checkoutServicePointId": nothing})),
            "Check Out Service Point does not exist",
            "checkoutServicePointId",
            json!(nothing),
        ),
        (
            loan(json!({"itemId": nothing})),
            no_item.as_str(),
            "itemId",
            json!(nothing),
        ),
        (
            loan(json!({"itemId": lent.item})),
            "Item is already checked out",
            "itemId",
            json!(lent.item),
        ),
        (
            loan(json!({"itemId": missing})),
            "Middlemarch (dvd) (Barcode: i-5) has the item status Missing, loan cannot be created",
            "itemId",
            json!(missing),
        ),
        (
            loan(json!({"proxyUserId": patron})),
            "User cannot be proxy for themselves",
            "proxyUserId",
            json!(patron),
        ),
        (
            loan(json!({"proxyUserId": proxy})),
            "proxyUserId is not valid",
            "proxyUserId",
            json!(proxy),
        ),
        (
            loan(json!({"userId": nothing})),
            "user is not found",
            "userId",
            json!(nothing),
        ),
        (
            loan(json!({"itemId": asked.item})),
            "Middlemarch (Barcode: i-7) cannot be checked out to user Brooke, Dorothea because it \
             has been requested by another patron",
            "userId",
            json!(patron),
        ),
    ] {
        let answer = client.post(LOANS, &body).await.expect(422).json();
        assert_eq!(messages(&answer), [message]);
        let expected = (key.to_owned(), value);
        assert_eq!(parameters(&answer["errors"][0]), [expected], "{message}");
    }
    assert_eq!(loans(client).await, count);
    assert_eq!(item_status(client, &item).await, "Available");
    let _ = client
        .post(LOANS, &json!({"itemId": "no-id"}))
        .await
        .expect(422);
}

#[tokio::test]
async fn a_loan_is_changed_and_closed_by_its_id() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "8", "2026-03-01T10:00:00Z").await;
    lent.with(
        client,
        json!({"agedToLostDelayedBilling": {"lostItemHasBeenBilled": false}}),
    )
    .await;
    let path = format!("{LOANS}/{}", lent.loan);
    // A view is sent back as it came.
    let mut loan = client.get(&path).await.expect(200).json();
    loan["dueDate"] = json!("2026-05-01T10:00:00Z");
    let _ = client.put(&path, &loan).await.expect(204);
    let stored = lent.loan(client).await;
    assert_eq!(stored["dueDate"], "2026-05-01T10:00:00.000+00:00");
    assert!(stored.get("borrower").is_none());
    assert_eq!(
        stored["agedToLostDelayedBilling"]["lostItemHasBeenBilled"],
        false
    );
    assert!(stored["patronGroupIdAtCheckout"].is_string());

    let before = lent.records(client).await;
    let mut nobody = loan.clone();
    let _ = nobody.as_object_mut().expect("an object").remove("userId");
    let mut closed = loan.clone();
    closed["status"] = json!({"name": "Closed"});
    closed["action"] = json!("checkedin");
    for (body, message, key) in [
        (nobody, "Open loan must have a user ID", "userId"),
        (
            closed.clone(),
            "A Closed loan must have a Checkin Service Point",
            "checkinServicePointId",
        ),
    ] {
        let answer = client.put(&path, &body).await.expect(422).json();
        assert_eq!(messages(&answer), [message]);
        let expected = (key.to_owned(), Value::Null);
        assert_eq!(parameters(&answer["errors"][0]), [expected]);
    }
    assert_eq!(lent.records(client).await, before);
    let elsewhere = format!("{LOANS}/{}", Uuid::new_v4());
    let _ = client.put(&elsewhere, &loan).await.expect(404);

    // Lost items keep their due date; all else may change, and the item stays what it is.
    lent.status(client, "Declared lost").await;
    let mut later = loan.clone();
    later["dueDate"] = json!("2026-06-01T10:00:00Z");
    let answer = client.put(&path, &later).await.expect(422).json();
    assert_eq!(messages(&answer), ["item is Declared lost"]);
    loan["actionComment"] = json!("Looked for");
    let _ = client.put(&path, &loan).await.expect(204);
    assert_eq!(item_status(client, &lent.item).await, "Declared lost");
    lent.status(client, "Checked out").await;

    let _ = lent.requested(&stock, "Hold", "p-holds").await;
    closed["checkinServicePointId"] = json!(CIRC_DESK_2);
    closed["returnDate"] = json!("2026-04-01T10:00:00Z");
    let _ = client.put(&path, &closed).await.expect(204);
    let (stored, item) = lent.records(client).await;
    assert_eq!(stored["status"]["name"], "Closed");
    assert_eq!(stored["itemStatus"], "In transit");
    assert_eq!(item["status"]["name"], "In transit");
    assert_eq!(item["inTransitDestinationServicePointId"], CIRC_DESK_1);
    // Closed again, it leaves the item to whom it belongs by now.
    lent.status(client, "Awaiting pickup").await;
    let _ = client.put(&path, &closed).await.expect(204);
    assert_eq!(item_status(client, &lent.item).await, "Awaiting pickup");

    let other = Lent::new(&stock, "9", "2026-03-01T10:00:00Z").await;
    let path = format!("{LOANS}/{}", other.loan);
    let mut closed = client.get(&path).await.expect(200).json();
    closed["status"] = json!({"name": "Closed"});
    closed["checkinServicePointId"] = json!(CIRC_DESK_1);
    let _ = client.put(&path, &closed).await.expect(204);
    assert_eq!(item_status(client, &other.item).await, "Available");
    let _ = client.delete(&path).await.expect(204);
    let _ = client.get(&path).await.expect(404);
    let _ = client.delete(&path).await.expect(404);
    let _ = client.delete(LOANS).await.expect(204);
    assert_eq!(loans(client).await, 0);
}

#[tokio::test]
async fn a_dry_run_names_the_policies_and_stores_nothing() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-10").await;
    let _ = stock.patron("p-10").await;
    let body = json!({"itemBarcode": "i-10", "userBarcode": "p-10"});
    let answer = client.post(DRY_RUN, &body).await.expect(201).json();
    assert_eq!(answer["loanPolicyId"], EXAMPLE_LOAN_POLICY);
    for policy in [
        "overdueFinePolicyId",
        "lostItemPolicyId",
        "patronNoticePolicyId",
    ] {
        let id = answer[policy].as_str().expect(policy);
        assert!(Uuid::try_parse(id).is_ok(), "{policy}");
    }
    assert_eq!(loans(client).await, 0);
    assert_eq!(item_status(client, &item).await, "Available");
    let _ = client
        .post(OUT, &check_out("i-10", "p-10"))
        .await
        .expect(201);
    let answer = client.post(DRY_RUN, &body).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        [
            "Item is already checked out",
            "Cannot check out item that already has an open loan"
        ]
    );
}

#[tokio::test]
async fn a_loan_whose_item_is_gone_tells_of_no_item() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-gone").await;
    let patron = stock.patron("p-gone").await;
    let body = json!({"userId": patron, "itemId": item, "loanDate": "2026-03-01T10:00:00Z"});
    let loan = client
        .post("/circulation/loans", &body)
        .await
        .expect(201)
        .json();
    assert_eq!(loan["isDcb"], false);
    assert_eq!(loan["item"]["barcode"], "i-gone");
    let path = format!("/item-storage/items/{item}");
    let _ = client.delete(&path).await.expect(204);
    let path = format!("/circulation/loans/{}", loan["id"].as_str().expect("an id"));
    let shown = client.get(&path).await.expect(200).json();
    assert!(shown.get("item").is_none());
    assert_eq!(shown["itemId"], json!(item));
}
