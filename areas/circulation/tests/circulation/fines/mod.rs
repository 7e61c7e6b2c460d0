//! Fines for loans that come back late, or are renewed late.

mod at_once;
mod renewed;
mod returned;

use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

use super::lent::{Lent, OwnPolicy};
use super::{IN, stocked};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock};

/// The overdue fine policy that the default rules name.
const POLICY: &str = "cd3f6cac-fa17-4079-9fae-2fb28e521412";
/// A loan of thirty days made now is due on Saturday, 2 March 2024, at ten.
const LENT: &str = "2024-02-01T10:00:00Z";

fn rate(quantity: f64, interval: &str) -> Value {
    json!({"quantity": quantity, "intervalId": interval})
}

/// Makes the overdue fine policy say this.
async fn fining(client: &Client, changes: Value) {
    let mut policy = json!({"id": POLICY, "name": "Overdue fine policy", "countClosed": true,
        "maxOverdueFine": 0, "maxOverdueRecallFine": 0, "gracePeriodRecall": false,
        "forgiveOverdueFine": false});
    for (key, value) in changes.as_object().expect("changes") {
        policy[key] = value.clone();
    }
    let path = format!("/overdue-fines-policies/{POLICY}");
    let _ = client.put(&path, &policy).await.expect(204);
}

async fn owner(client: &Client) -> String {
    let owner = json!({"owner": "Town library", "servicePointOwner": [
        {"value": CIRC_DESK_1, "label": "Circ Desk 1"}]});
    let owner = client.post("/owners", &owner).await.expect(201).json();
    owner["id"].as_str().expect("an id").to_owned()
}

/// A library that fines a quarter a day, with somebody to owe it to and a loan policy of its own.
async fn fining_library() -> (Library, Stock, OwnPolicy) {
    let (library, stock) = stocked().await;
    let policy = OwnPolicy::new(&stock).await;
    fining(&stock.client, json!({"overdueFine": rate(0.25, "day")})).await;
    let _ = owner(&stock.client).await;
    (library, stock, policy)
}

/// The body of a check-in at a date.
fn back_at(lent: &Lent, date: &str) -> Value {
    json!({"itemBarcode": lent.item_barcode, "servicePointId": CIRC_DESK_1, "checkInDate": date})
}

async fn accounts(client: &Client, loan: &str) -> Vec<Value> {
    let query = format!("loanId=={loan}");
    let found = client.query("/accounts", &query).await.expect(200).json();
    found["accounts"].as_array().expect("a list").clone()
}

/// What a loan was fined; nothing if it was not.
async fn fined(client: &Client, loan: &str) -> Option<f64> {
    let accounts = accounts(client, loan).await;
    assert!(accounts.len() < 2, "{accounts:?}");
    let account = accounts.first()?;
    assert_eq!(account["feeFineType"], "Overdue fine");
    assert_eq!(account["amount"], account["remaining"]);
    account["amount"].as_f64()
}
