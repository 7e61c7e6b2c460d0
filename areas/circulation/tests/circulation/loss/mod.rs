//! Lost and claimed items: what staff say of them, what the timers do, and how loans end.

mod actual_cost;
mod aged_to_lost;
mod at_once;
mod charged;
mod claims;
mod declare_lost;
mod fees_at_once;
mod given_back;
mod refusals;
mod without;

use std::sync::Arc;

use octavo_platform::system_call;
use octavo_platform::{Handler, Platform};
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

use super::{IN, OUT, check_in, stocked};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock, check_out};

/// The lost item fee policy that the default rules name.
const POLICY: &str = "ed892c0e-52e0-4cd9-8133-c0ef07b4a709";

/// A loan with its item.
struct Lent {
    loan: String,
    item: String,
}

/// Lends an item to a patron; both get their barcodes from the name. The item is long overdue.
async fn lend(stock: &Stock, name: &str) -> Lent {
    let (item, patron) = (format!("i-{name}"), format!("p-{name}"));
    let id = stock.item(&item).await;
    let _ = stock.patron(&patron).await;
    let mut body = check_out(&item, &patron);
    body["loanDate"] = json!("2025-02-01T10:00:00Z");
    let loan = stock.client.post(OUT, &body).await.expect(201).json();
    Lent {
        loan: loan["id"].as_str().expect("an id").to_owned(),
        item: id,
    }
}

impl Lent {
    async fn act(&self, client: &Client, act: &str, body: Value) -> octavo_testkit::Answer {
        let path = format!("/circulation/loans/{}/{act}", self.loan);
        client.post(&path, &body).await
    }

    async fn declare_lost(&self, client: &Client) {
        let body = json!({"declaredLostDateTime": "2026-03-01T10:00:00Z", "comment": "gone",
                          "servicePointId": CIRC_DESK_1});
        let _ = self
            .act(client, "declare-item-lost", body)
            .await
            .expect(204);
    }

    async fn claim(&self, client: &Client) {
        let body = json!({"itemClaimedReturnedDateTime": "2026-03-01T10:00:00Z"});
        let _ = self
            .act(client, "claim-item-returned", body)
            .await
            .expect(204);
    }

    /// Tells circulation that a fee for the loan was closed, as FOLIO's fees do by an event.
    async fn tell_of_closed_fee(&self, client: &Client) {
        let event = json!({"loanId": self.loan});
        let handler = "/circulation/handlers/loan-related-fee-fine-closed";
        let _ = client.post(handler, &event).await.expect(204);
    }

    /// The stored loan.
    async fn loan(&self, client: &Client) -> Value {
        let path = format!("/loan-storage/loans/{}", self.loan);
        client.get(&path).await.expect(200).json()
    }

    /// The stored item.
    async fn item(&self, client: &Client) -> Value {
        let path = format!("/item-storage/items/{}", self.item);
        client.get(&path).await.expect(200).json()
    }

    async fn item_status(&self, client: &Client) -> String {
        let item = self.item(client).await;
        item["status"]["name"]
            .as_str()
            .expect("a status")
            .to_owned()
    }

    /// Action and item status of the loan after each change.
    async fn history(&self, library: &Library) -> Vec<String> {
        let sql = "SELECT (jsonb->'loan'->>'action') || ', ' || (jsonb->'loan'->>'itemStatus')
                   FROM tenant_diku.audit_loan WHERE jsonb->'loan'->>'id' = $1
                   ORDER BY jsonb->>'createdDate', ctid";
        texts(library, sql, &[&self.loan]).await
    }

    /// Status, kind and remark of the records of actual costs.
    async fn actual_costs(&self, library: &Library) -> Vec<String> {
        let sql = "SELECT concat_ws(', ', jsonb->>'status', jsonb->>'lossType',
                     jsonb->>'additionalInfoForStaff')
                   FROM tenant_diku.actual_cost_record WHERE jsonb->'loan'->>'id' = $1
                   ORDER BY jsonb->'metadata'->>'createdDate', jsonb->>'lossType'";
        texts(library, sql, &[&self.loan]).await
    }

    /// The accounts of the loan.
    async fn accounts(&self, client: &Client) -> Vec<Value> {
        let query = format!("loanId=={}", self.loan);
        let found = client.query("/accounts", &query).await.expect(200).json();
        found["accounts"].as_array().expect("a list").clone()
    }

    /// What is owed for the loan: kinds of fees, what remains of how much, what was done last.
    async fn owed(&self, client: &Client) -> Vec<String> {
        let accounts = self.accounts(client).await;
        let line = |one: &Value| {
            let (kind, status) = (&one["feeFineType"], &one["paymentStatus"]["name"]);
            let (kind, status) = (kind.as_str(), status.as_str());
            let (kind, status) = (kind.expect("a type"), status.expect("a status"));
            format!("{kind} {} of {} {status}", one["remaining"], one["amount"])
        };
        let mut lines: Vec<String> = accounts.iter().map(line).collect();
        lines.sort_unstable();
        lines
    }

    /// Adds a fee for the loss.
    async fn owe(&self, client: &Client, kind: &str, status: &str) -> Value {
        let loan = self.loan(client).await;
        let account = json!({
            "id": uuid::Uuid::new_v4(),
            "amount": 10.0, "remaining": 10.0, "status": {"name": status},
            "paymentStatus": {"name": "Outstanding"}, "feeFineType": kind, "loanId": self.loan,
            "userId": loan["userId"], "feeFineId": "cf238f9f-7018-47b7-b815-bb2db798e19f",
            "ownerId": "5abfff3f-50eb-432a-9a43-21f8f7a70194", "itemId": self.item});
        client.post("/accounts", &account).await.expect(201).json()
    }
}

/// The actions of an account, the first one first; those of one instant in the order of their writing.
async fn actions(client: &Client, account: &str) -> Vec<Value> {
    let query = format!("accountId=={account}");
    let found = client.query("/feefineactions?limit=100", &query).await;
    let found = found.expect(200).json();
    let mut actions = found["feefineactions"].as_array().expect("a list").clone();
    let place = |one: &Value| {
        let name = one["typeAction"].as_str().unwrap_or_default();
        let refunds = ["Credited", "Refunded"]
            .iter()
            .position(|word| name.starts_with(word));
        let to_patron = one["transactionInformation"]
            .as_str()
            .is_some_and(|text| text.ends_with("patron"));
        let date = one["dateAction"].as_str().unwrap_or_default().to_owned();
        (date, refunds, !to_patron)
    };
    actions.sort_by_key(place);
    actions
}

fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

fn settlement(amount: &str, method: &str) -> Value {
    json!({"amount": amount, "notifyPatron": false, "servicePointId": CIRC_DESK_1,
           "userName": "Desk, Jane", "paymentMethod": method})
}

/// Pays, waives or transfers so much of an account.
async fn settle(client: &Client, account: &str, how: &str, amount: &str, method: &str) {
    let path = format!("/accounts/{account}/{how}");
    let _ = client
        .post(&path, &settlement(amount, method))
        .await
        .expect(201);
}

async fn pay(client: &Client, account: &str, amount: &str) {
    settle(client, account, "pay", amount, "Cash").await;
}

async fn texts(
    library: &Library,
    sql: &str,
    values: &[&(dyn octavo_postgres::ToSql + Sync)],
) -> Vec<String> {
    let database = &library.platform.store.database;
    let rows = database.query(sql, values).await.expect("it can be read");
    rows.iter().map(|row| row.get(0)).collect()
}

/// The loans of a topic's events, in their order.
async fn told(library: &Library, topic: &str) -> Vec<String> {
    let sql = "SELECT new->>'loanId' FROM tenant_diku.outbox WHERE topic = 'circulation.' || $1
               ORDER BY position";
    texts(library, sql, &[&topic]).await
}

/// The lines of the log about loans.
async fn logged(library: &Library) -> Vec<String> {
    let sql = "SELECT concat_ws(', ', jsonb->>'object', jsonb->>'action', jsonb->>'userBarcode',
                 jsonb->'items'->0->>'itemBarcode', jsonb->>'description')
               FROM tenant_diku.circulation_logs WHERE jsonb->>'action' NOT LIKE 'Checked %'
               ORDER BY jsonb->>'date', ctid";
    texts(library, sql, &[]).await
}

/// Changes the policy that new and existing loans are under.
async fn charge(client: &Client, changes: Value) {
    let mut policy = json!({"id": POLICY, "name": "Lost items",
                            "chargeAmountItem": {"chargeType": "anotherCost", "amount": 0.0}});
    for (key, value) in changes.as_object().expect("changes") {
        policy[key] = value.clone();
    }
    let path = format!("/lost-item-fees-policies/{POLICY}");
    let _ = client.put(&path, &policy).await.expect(204);
}

fn actual_cost() -> Value {
    json!({"chargeAmountItem": {"chargeType": "actualCost"},
           "lostItemChargeFeeFine": {"duration": 2, "intervalId": "Days"}})
}

fn minute() -> Value {
    json!({"duration": 1, "intervalId": "Minutes"})
}

/// Makes somebody whom fees are owed to.
async fn owner(client: &Client) -> String {
    let owner = json!({"owner": "Town library", "servicePointOwner": [
        {"value": CIRC_DESK_1, "label": "Circ Desk 1"}]});
    let owner = client.post("/owners", &owner).await.expect(201).json();
    owner["id"].as_str().expect("an id").to_owned()
}

const AGE: &str = "/circulation/scheduled-age-to-lost";
const BILL: &str = "/circulation/scheduled-age-to-lost-fee-charging";
const EXPIRE: &str = "/circulation/actual-cost-expiration-by-timeout";

/// Runs a timer of mod-circulation, as the process does by itself.
async fn run(platform: &Arc<Platform>, path: &str) {
    let view = platform
        .registry
        .known("diku")
        .expect("the tenant was asked for");
    let timers = octavo_circulation::modules();
    let timer = timers.iter().flat_map(|module| &module.timers);
    let timer = timer
        .into_iter()
        .find(|timer| timer.path == path)
        .expect("it is declared");
    let Handler::Call(handler) = &timer.handler else {
        panic!("{path} is served by a generic operation");
    };
    let answer = handler(system_call(platform, &view)).await;
    assert_eq!(answer.expect("it is carried out").status(), 204, "{path}");
}
