//! The events of circulation and fees, with FOLIO's payloads.

use octavo_server_testkit::stock::{CIRC_DESK_1, Stock, check_out};
use octavo_server_testkit::until;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{CALLBACK, HISTORY, Plugged, SUBSCRIBER};

const KINDS: [&str; 9] = [
    "ITEM_CHECKED_OUT",
    "ITEM_CHECKED_IN",
    "ITEM_DECLARED_LOST",
    "ITEM_AGED_TO_LOST",
    "ITEM_CLAIMED_RETURNED",
    "LOAN_DUE_DATE_CHANGED",
    "LOAN_CLOSED",
    "FEE_FINE_BALANCE_CHANGED",
    "LOAN_RELATED_FEE_FINE_CLOSED",
];

pub(super) async fn subscribed() -> (Plugged, Stock) {
    subscribed_to(&KINDS).await
}

/// A library whose events of these types the example takes.
pub(super) async fn subscribed_to(kinds: &[&str]) -> (Plugged, Stock) {
    let plugged = Plugged::new().await;
    let all: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({"eventType": kind, "callbackAddress": CALLBACK}))
        .collect();
    let body = json!({"moduleId": plugged.module.id(), "subscriptionDefinitions": all});
    let _ = plugged.client.post(SUBSCRIBER, &body).await.expect(201);
    // This process listens from now on.
    plugged.look().await;
    let stock = Stock::new(plugged.client.clone()).await;
    (plugged, stock)
}

/// The payloads after so many events.
pub(super) async fn after(plugged: &Plugged, many: usize) -> Vec<Value> {
    until(async || plugged.taken().await.len() >= many).await;
    let taken = plugged.taken().await;
    assert_eq!(taken.len(), many, "{taken:?}");
    taken
}

/// An instant as events have it.
pub(super) fn told(at: &Value) -> Value {
    let text = at.as_str().expect("an instant");
    let at: jiff::Timestamp = text.parse().expect("an instant");
    json!(at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
}

#[tokio::test]
async fn a_loan_is_told_from_its_beginning_to_its_end() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let _ = stock.item("a-1").await;
    let patron = stock.patron("p-1").await;
    let out = "/circulation/check-out-by-barcode";
    let loan = client.post(out, &check_out("a-1", "p-1")).await;
    let loan = loan.expect(201).json();
    let id = loan["id"].clone();
    let taken = after(&plugged, 1).await;
    assert_eq!(
        taken[0],
        json!({"userId": patron, "loanId": id, "dueDate": told(&loan["dueDate"]),
               "gracePeriod": {"duration": 7, "intervalId": "Days"}})
    );
    let path = format!(
        "/circulation/loans/{}/change-due-date",
        id.as_str().expect("an id")
    );
    let later = json!({"dueDate": "2031-05-06T21:59:59.000Z"});
    let _ = client.post(&path, &later).await.expect(204);
    let taken = after(&plugged, 2).await;
    assert_eq!(
        taken[1],
        json!({"userId": patron, "loanId": id, "dueDate": "2031-05-06T21:59:59.000Z",
               "dueDateChangedByRecall": false})
    );
    let back = json!({"itemBarcode": "a-1", "servicePointId": CIRC_DESK_1,
                      "checkInDate": "2026-03-01T10:00:00Z"});
    for _ in 0..2 {
        let _ = client
            .post("/circulation/check-in-by-barcode", &back)
            .await
            .expect(200);
    }
    // The second check-in ends no loan.
    let taken = after(&plugged, 3).await;
    assert_eq!(
        taken[2],
        json!({"userId": patron, "loanId": id, "returnDate": "2026-03-01T10:00:00.000Z"})
    );
    // An act that is refused tells nothing.
    let refused = client.post(out, &check_out("a-1", "nobody")).await;
    assert_eq!(refused.status, 422);
    let history = client
        .get(&format!("{HISTORY}&eventType=ITEM_CHECKED_OUT"))
        .await;
    let history = history.expect(200).json();
    let published = history["auditMessages"][0]["publishedBy"].as_str();
    assert_eq!(published, Some("mod-circulation-24.4.18"));
    until(async || {
        let path = format!("{HISTORY}&eventType=ITEM_CHECKED_IN");
        client.get(&path).await.json()["totalRecords"] == 4
    })
    .await;
}

#[tokio::test]
async fn a_claim_and_a_fee_are_told() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let _ = stock.item("b-1").await;
    let patron = stock.patron("p-1").await;
    let loan = client
        .post(
            "/circulation/check-out-by-barcode",
            &check_out("b-1", "p-1"),
        )
        .await
        .expect(201)
        .json();
    let id = loan["id"].as_str().expect("an id");
    let claim = json!({"itemClaimedReturnedDateTime": "2026-03-01T10:00:00Z"});
    let path = format!("/circulation/loans/{id}/claim-item-returned");
    let _ = client.post(&path, &claim).await.expect(204);
    let taken = after(&plugged, 2).await;
    assert_eq!(taken[1], json!({"userId": patron, "loanId": id}));
    let owner = json!({"owner": "Main", "servicePointOwner": []});
    let owner = client.post("/owners", &owner).await.expect(201).json();
    let fee = json!({"feeFineType": "Damage", "ownerId": owner["id"], "automatic": false});
    let fee = client.post("/feefines", &fee).await.expect(201).json();
    let account = json!({"id": Uuid::new_v4(), "amount": 12.5, "remaining": 12.5,
                         "userId": patron, "loanId": id,
                         "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
                         "feeFineId": fee["id"], "ownerId": owner["id"],
                         "feeFineType": "Damage", "feeFineOwner": "Main"});
    let account = client.post("/accounts", &account).await.expect(201).json();
    let taken = after(&plugged, 3).await;
    assert_eq!(
        taken[2],
        json!({"userId": patron, "loanId": id, "feeFineId": account["id"],
               "feeFineTypeId": fee["id"], "balance": 12.5})
    );
    let account = account["id"].as_str().expect("an id");
    let _ = client
        .delete(&format!("/accounts/{account}"))
        .await
        .expect(204);
    let taken = after(&plugged, 4).await;
    assert_eq!(taken[3]["feeFineId"], account);
    assert_eq!(taken[3]["balance"].as_f64(), Some(0.0), "{:?}", taken[3]);
}
