//! Accounts: paid, waived, transferred, refunded and cancelled; their events; and the blocks that arise
//! from debts and loans.

mod actual_cost;
mod blocks;
mod bulk;
mod lost;
mod records;
mod refunds;
mod refusals;
mod reports;
mod settling;
mod summary;
mod together;

use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::examine;
use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::library;
use octavo_server_testkit::stock::Stock;

/// Where everything is done.
const DESK: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
/// Whose debts there are. No record follows it.
const PATRON: &str = "0b3dc2a5-5dca-4b0d-8d0a-3a6ad9a1a3f1";
const OWNER: &str = "5abfff3f-50eb-432a-9a43-21f8f7a70194";

/// A library whose lost items cost what staff find out: a loan that costs nothing would end at once.
async fn lending_library() -> (Library, Stock) {
    const POLICY: &str = "/lost-item-fees-policies/ed892c0e-52e0-4cd9-8133-c0ef07b4a709";
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = &stock.client;
    let mut policy = client.get(POLICY).await.expect(200).json();
    policy["chargeAmountItem"] = json!({"chargeType": "actualCost", "amount": 0});
    let _ = client.put(POLICY, &policy).await.expect(204);
    let owner = json!({"owner": "Main library", "servicePointOwner": [{"value": DESK}]});
    let _ = client.post("/owners", &owner).await.expect(201);
    (library, stock)
}

/// An account as a client writes it.
fn account(amount: f64) -> Value {
    json!({"id": Uuid::new_v4(), "amount": amount, "remaining": amount,
           "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
           "feeFineType": "Damage", "feeFineOwner": "Main library", "userId": PATRON,
           "feeFineId": "7aa1d1b1-6e3f-44d5-8f35-5b2f8b0a4a11", "ownerId": OWNER})
}

/// Charges so much; returns the account's id.
async fn charge(client: &Client, amount: f64) -> String {
    let account = client.post("/accounts", &account(amount)).await;
    text(&account.expect(201).json()["id"])
}

/// The body of an act.
fn by(amount: &str) -> Value {
    json!({"amount": amount, "notifyPatron": true, "servicePointId": DESK,
           "userName": "Desk, Jane", "paymentMethod": "Cash", "comments": "STAFF : seen",
           "transactionInfo": "cheque 12"})
}

/// The same for many accounts.
fn all_by(ids: &[&str], amount: &str) -> Value {
    let mut body = by(amount);
    body["accountIds"] = json!(ids);
    body
}

async fn act(client: &Client, id: &str, act: &str, body: &Value) -> Answer {
    client.post(&format!("/accounts/{id}/{act}"), body).await
}

async fn stored(client: &Client, id: &str) -> Value {
    client
        .get(&format!("/accounts/{id}"))
        .await
        .expect(200)
        .json()
}

/// What remains of an account, and the names of its statuses.
async fn standing(client: &Client, id: &str) -> String {
    let account = stored(client, id).await;
    let name = |property: &str| text(&account[property]["name"]);
    format!(
        "{} {} {}",
        account["remaining"],
        name("status"),
        name("paymentStatus")
    )
}

/// The actions of an account as `name amount balance`, in the order of their time.
async fn history(client: &Client, id: &str) -> Vec<String> {
    let query = format!("accountId=={id} sortby dateAction");
    let path = "/feefineactions?limit=1000";
    let found = client.query(path, &query).await.expect(200).json();
    let actions = found["feefineactions"].as_array().expect("a list");
    let line = |one: &Value| {
        format!(
            "{} {} {}",
            text(&one["typeAction"]),
            one["amountAction"],
            one["balance"]
        )
    };
    actions.iter().map(line).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The payloads of the events of a topic, in their order.
async fn events_of(library: &Library, topic: &str) -> Vec<Value> {
    let sql =
        "SELECT new FROM tenant_diku.outbox WHERE topic = 'feesfines.' || $1 ORDER BY position";
    let database = &library.platform.store.database;
    let rows = database
        .query(sql, &[&topic])
        .await
        .expect("it can be read");
    rows.iter().map(|row| row.get(0)).collect()
}

/// Nothing that must hold is broken.
async fn in_order(library: &Library) {
    let store = &library.platform.store;
    let tenant = library.tenant();
    let tables = Tables {
        tenant: &tenant,
        catalog: &store.catalog,
    };
    let findings = examine(&store.database, tables, |_| ()).await;
    let findings = findings.expect("the tenant can be examined");
    assert!(
        findings
            .iter()
            .any(|one| one.rule.contains("agrees with its actions"))
    );
    for finding in findings {
        assert_eq!(finding.faults, 0, "{finding:?}");
    }
}
