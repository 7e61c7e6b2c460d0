//! Orders over HTTP: the storage's records and their side effects, and the acts of the business layer.

mod cases;
mod changed_pieces;
mod custom_fields;
mod following;
mod house;
mod imports;
mod invoiced;
mod line_refusals;
mod opening;
mod order_refusals;
mod orders;
mod piece_refusals;
mod plans;
mod receiving;
mod rolled;
mod storage;
mod together;
mod trips;
mod units;
mod views;
mod worked;

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

/// No record follows it.
const NAME_TYPE: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const METHOD: &str = "df26d81b-9d63-4ff8-bf41-49bf75cfa70e";

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn new_id() -> String {
    Uuid::new_v4().to_string()
}

/// A line as the storage takes it.
fn stored_line(order_id: &str, number: &str) -> Value {
    json!({"purchaseOrderId": order_id, "poLineNumber": number, "source": "User",
           "orderFormat": "Physical Resource", "titleOrPackage": "A field guide to river mills",
           "acquisitionMethod": METHOD, "paymentStatus": "Pending", "receiptStatus": "Pending",
           "contributors": [{"contributor": "Vale, A.", "contributorNameTypeId": NAME_TYPE}],
           "cost": {"currency": "USD", "listUnitPrice": 10, "quantityPhysical": 1}})
}

/// Creates a record; returns it as it is answered.
async fn made(client: &Client, path: &str, body: &Value) -> Value {
    client.post(path, body).await.expect(201).json()
}

/// The records that a query finds, under the key of the list.
async fn found(client: &Client, path: &str, query: &str, key: &str) -> Vec<Value> {
    let page = client.query(path, query).await.expect(200).json();
    page[key].as_array().expect("a list").clone()
}
