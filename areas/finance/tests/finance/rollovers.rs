//! Rollovers of ledgers: what budgets and encumbrances become, what is told of it.

use futures_util::future::join_all;
use octavo_server_testkit::assert_in_order;
use octavo_testkit::Client;
use serde_json::{Value, json};

use crate::office::{Office, ledger, new_id};

const ROLLOVERS: &str = "/finance/ledger-rollovers";

pub fn body(office: &Office, kind: &str, budgets: &Value, encumbrances: &Value) -> Value {
    json!({"ledgerId": office.ledger, "fromFiscalYearId": office.year,
        "toFiscalYearId": office.next_year, "rolloverType": kind, "restrictEncumbrance": true,
        "restrictExpenditures": true, "budgetsRollover": budgets,
        "encumbrancesRollover": encumbrances})
}

async fn progress(client: &Client, rollover: &str) -> Value {
    let query = format!("ledgerRolloverId=={rollover}");
    let found = client
        .query("/finance/ledger-rollovers-progress", &query)
        .await;
    found.expect(200).json()["ledgerFiscalYearRolloverProgresses"][0].clone()
}

/// Waits for the end of a rollover: on a busy machine for longer than a page would.
async fn ended(client: &Client, rollover: &str) {
    const POLLS: usize = 5_000;
    for _ in 0..POLLS {
        let progress = progress(client, rollover).await;
        if ["Success", "Error"]
            .iter()
            .any(|end| progress["overallRolloverStatus"] == *end)
        {
            return;
        }
    }
    panic!("the rollover did not end");
}

/// Begins a rollover and waits for its end; gives its id and `overall financial orders closing`.
pub async fn run(client: &Client, body: &Value) -> (String, String) {
    let made = client.post(ROLLOVERS, body).await.expect(201).json();
    let id = made["id"].as_str().expect("an id").to_owned();
    ended(client, &id).await;
    let progress = progress(client, &id).await;
    let statuses = ["overall", "financial", "orders", "budgetsClosing"].map(|part| {
        progress[format!("{part}RolloverStatus")]
            .as_str()
            .expect("a status")
            .to_owned()
    });
    (id, statuses.join(" "))
}

pub async fn next_budget(office: &Office, fund: &str) -> Value {
    let query = format!("fundId=={fund} and fiscalYearId=={}", office.next_year);
    let found = office
        .client
        .query("/finance-storage/budgets", &query)
        .await
        .expect(200)
        .json();
    found["budgets"][0].clone()
}

pub async fn errors(office: &Office, rollover: &str) -> Vec<Value> {
    let query = format!("ledgerRolloverId=={rollover}");
    let path = "/finance/ledger-rollovers-errors?limit=100";
    let found = office.client.query(path, &query).await.expect(200).json();
    found["ledgerFiscalYearRolloverErrors"]
        .as_array()
        .expect("a list")
        .clone()
}

/// Encumbrances of one order line, on these funds.
pub async fn order(office: &Office, shares: &[(&str, f64)]) -> String {
    let (order, line) = (new_id(), new_id());
    let made: Vec<Value> = shares
        .iter()
        .map(|(fund, amount)| {
            let mut one = office.encumbrance(*amount, fund);
            one["encumbrance"]["sourcePurchaseOrderId"] = json!(order);
            one["encumbrance"]["sourcePoLineId"] = json!(line);
            one
        })
        .collect();
    office.create(&made).await;
    order
}

pub async fn renewed(office: &Office, order: &str) -> Vec<String> {
    let query = format!(
        "encumbrance.sourcePurchaseOrderId=={order} and fiscalYearId=={}",
        office.next_year
    );
    let found = office
        .client
        .query("/finance/transactions", &query)
        .await
        .expect(200)
        .json();
    let list = found["transactions"].as_array().expect("a list");
    let mut shown: Vec<String> = list
        .iter()
        .map(|one| format!("{} {}", one["amount"], one["encumbrance"]["status"]))
        .collect();
    shown.sort();
    shown
}

pub fn initial() -> Value {
    json!([{"orderType": "One-time", "basedOn": "InitialAmount", "increaseBy": 0}])
}

#[tokio::test]
async fn a_ledger_is_previewed_and_rolled_over() {
    let office = Office::new().await;
    let client = &office.client;
    let (hist, budget) = office.funded("HIST", 1_000.0).await;
    let (gone, of_gone) = office.funded("GONE", 50.0).await;
    let path = format!("/finance-storage/funds/{gone}");
    let mut inactive = client.get(&path).await.expect(200).json();
    inactive["fundStatus"] = json!("Inactive");
    let _ = client.put(&path, &inactive).await.expect(204);
    let classes = client
        .get("/finance/expense-classes")
        .await
        .expect(200)
        .json();
    let class = &classes["expenseClasses"][0]["id"];
    let link = json!({"budgetId": budget, "expenseClassId": class});
    let _ = client
        .post("/finance-storage/budget-expense-classes", &link)
        .await
        .expect(201);
    let group = json!({"id": new_id(), "name": "G", "code": "G", "status": "Active"});
    let _ = client.post("/finance/groups", &group).await.expect(201);
    let place = json!({"groupId": group["id"], "fundId": hist, "fiscalYearId": office.year});
    let _ = client
        .post("/finance/group-fund-fiscal-years", &place)
        .await
        .expect(201);
    let first = order(&office, &[(&hist, 20.0), (&hist, 30.0)]).await;
    let budgets = json!([{"rolloverAllocation": true, "adjustAllocation": -10,
        "rolloverBudgetValue": "Available", "addAvailableTo": "Available"}]);
    let (preview, statuses) = run(client, &body(&office, "Preview", &budgets, &initial())).await;
    assert_eq!(statuses, "Success Success Success Success");
    assert_eq!(next_budget(&office, &hist).await, Value::Null);
    let query = format!("ledgerRolloverId=={preview}");
    let shown = client
        .query("/finance/ledger-rollovers-budgets", &query)
        .await
        .expect(200)
        .json();
    let shown = &shown["ledgerFiscalYearRolloverBudgets"][0];
    for (name, amount) in [
        ("initialAllocation", 900.0),
        ("netTransfers", 950.0),
        ("encumbered", 50.0),
        ("available", 1_800.0),
    ] {
        assert_eq!(shown[name], json!(amount), "{name}");
    }
    assert_eq!(shown["fundDetails"]["code"], "HIST");
    assert_eq!(shown["budgetId"], Value::Null);
    let commit = body(&office, "Commit", &budgets, &initial());
    let (done, statuses) = run(client, &commit).await;
    assert_eq!(statuses, "Success Success Success Success");
    let new = next_budget(&office, &hist).await;
    assert_eq!(new["name"], "HIST-FY2151");
    assert_eq!(new["budgetStatus"], "Active");
    let sums = "initialAllocation netTransfers encumbered available";
    let id = new["id"].as_str().expect("an id");
    assert_eq!(office.amounts(id, sums).await, "900.0 950.0 50.0 1800.0");
    assert_eq!(
        renewed(&office, &first).await,
        ["20.0 \"Unreleased\"", "30.0 \"Unreleased\""]
    );
    let query = format!("toFundId=={hist} and fiscalYearId=={}", office.next_year);
    let moves = client
        .query("/finance/transactions", &query)
        .await
        .expect(200)
        .json();
    let mut moves: Vec<String> = moves["transactions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| format!("{} {}", one["transactionType"], one["amount"]))
        .collect();
    moves.sort();
    assert_eq!(
        moves,
        ["\"Allocation\" 900.0", "\"Rollover transfer\" 950.0"]
    );
    for closed in [&budget, &of_gone] {
        assert_eq!(
            office.stored("budgets", closed).await["budgetStatus"],
            "Closed"
        );
    }
    assert_eq!(next_budget(&office, &gone).await, Value::Null);
    let query = format!("fiscalYearId=={} and budgetId=={id}", office.next_year);
    let places = client
        .query("/finance/group-fund-fiscal-years", &query)
        .await
        .expect(200)
        .json();
    assert_eq!(places["totalRecords"], 1);
    let shared = client
        .get(&format!("/finance/budgets/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(shared["statusExpenseClasses"][0]["expenseClassId"], *class);
    let refused = client.post(ROLLOVERS, &commit).await.expect(409);
    assert_eq!(
        refused.text,
        "Not unique pair ledgerId and fromFiscalYearId"
    );
    let log = client
        .get(&format!("/finance/ledger-rollovers-logs/{done}"))
        .await;
    let log = log.expect(200).json();
    assert_eq!(
        (&log["rolloverStatus"], &log["ledgerRolloverType"]),
        (&json!("Success"), &json!("Commit"))
    );
    assert_in_order(&office.library).await;
    let _ = client
        .delete(&format!("/finance-storage/ledger-rollovers/{preview}"))
        .await
        .expect(204);
    let logs = client
        .get("/finance/ledger-rollovers-logs")
        .await
        .expect(200)
        .json();
    assert_eq!(logs["totalRecords"], 1);
}

#[tokio::test]
async fn an_order_without_money_is_told_and_left() {
    let office = Office::new().await;
    let client = &office.client;
    let (a, _) = office.funded("A", 1_000.0).await;
    let (c, _) = office.funded("C", 33.0).await;
    let planned = json!({"name": "C-FY2151", "fundId": c, "fiscalYearId": office.next_year,
        "budgetStatus": "Planned", "allowableEncumbrance": 90});
    let planned = client
        .post("/finance-storage/budgets", &planned)
        .await
        .expect(201)
        .json();
    let poor = order(&office, &[(&a, 10.0), (&c, 30.25)]).await;
    let fine = order(&office, &[(&a, 10.0)]).await;
    let budgets = json!([{"rolloverAllocation": true}]);
    let (rollover, statuses) = run(client, &body(&office, "Commit", &budgets, &initial())).await;
    assert_eq!(statuses, "Error Error Success Success");
    let errors = errors(&office, &rollover).await;
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["errorType"], "Order");
    assert_eq!(errors[0]["errorMessage"], "Insufficient funds");
    assert_eq!(errors[0]["details"]["fundId"], c.as_str());
    assert_eq!(errors[0]["details"]["amount"], json!(30.25));
    assert!(renewed(&office, &poor).await.is_empty());
    assert_eq!(renewed(&office, &fine).await.len(), 1);
    let id = planned["id"].as_str().expect("an id");
    assert_eq!(office.stored("budgets", id).await["budgetStatus"], "Active");
    let sums = "initialAllocation allocationTo encumbered";
    assert_eq!(office.amounts(id, sums).await, "0.0 33.0 0.0");
    assert_in_order(&office.library).await;
}

#[tokio::test]
async fn an_order_of_two_ledgers_waits_for_the_last() {
    let mut office = Office::new().await;
    let first = office.ledger.clone();
    let (a, _) = office.funded("A", 100.0).await;
    office.ledger = ledger(&office.client, "SECOND", &office.year, false).await;
    let (b, _) = office.funded("B", 100.0).await;
    let both = order(&office, &[(&a, 20.0), (&b, 30.0)]).await;
    let budgets = json!([{"rolloverAllocation": true}]);
    let second = std::mem::replace(&mut office.ledger, first);
    let asked = body(&office, "Commit", &budgets, &initial());
    let (rollover, statuses) = run(&office.client, &asked).await;
    assert_eq!(statuses, "Error Error Success Success");
    let errors = errors(&office, &rollover).await;
    assert_eq!(errors.len(), 1);
    let message = errors[0]["errorMessage"].as_str().expect("a message");
    assert!(message.starts_with("[WARNING]"), "{message}");
    assert!(renewed(&office, &both).await.is_empty());
    office.ledger = second;
    let asked = body(&office, "Commit", &budgets, &initial());
    let (_, statuses) = run(&office.client, &asked).await;
    assert_eq!(statuses, "Success Success Success Success");
    assert_eq!(
        renewed(&office, &both).await,
        ["20.0 \"Unreleased\"", "30.0 \"Unreleased\""]
    );
    assert_in_order(&office.library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_ledger_is_rolled_over_once() {
    let office = Office::new().await;
    let (hist, _) = office.funded("HIST", 1_000.0).await;
    let orders = join_all((0..30).map(|_| async { order(&office, &[(&hist, 1.0)]).await })).await;
    let budgets = json!([{"rolloverAllocation": true}]);
    let asked = body(&office, "Commit", &budgets, &initial());
    let tries = (0..8).map(|_| {
        let (client, asked) = (office.client.clone(), asked.clone());
        tokio::spawn(async move { client.post(ROLLOVERS, &asked).await })
    });
    let mut begun = Vec::new();
    for answer in join_all(tries).await {
        let answer = answer.expect("it ends");
        match answer.status {
            201 => begun.push(answer.json()["id"].as_str().expect("an id").to_owned()),
            _ => assert_eq!(answer.status, 409),
        }
    }
    assert_eq!(begun.len(), 1);
    ended(&office.client, &begun[0]).await;
    let new = next_budget(&office, &hist).await;
    assert_eq!(new["encumbered"], json!(30.0));
    for order in orders {
        assert_eq!(renewed(&office, &order).await.len(), 1);
    }
    assert_in_order(&office.library).await;
}

#[tokio::test]
async fn books_that_cannot_be_written_are_left_as_they_were() {
    let office = Office::new().await;
    let client = &office.client;
    let (hist, budget) = office.funded("HIST", 100.0).await;
    // Another fund's budget has the name that the new one is to have.
    let other = office.fund("OTHER").await;
    let taken = json!({"name": "HIST-FY2151", "fundId": other, "fiscalYearId": office.next_year,
        "budgetStatus": "Active"});
    let _ = client
        .post("/finance-storage/budgets", &taken)
        .await
        .expect(201);
    let one = order(&office, &[(&hist, 10.0)]).await;
    let asked = body(
        &office,
        "Commit",
        &json!([{"rolloverAllocation": true}]),
        &initial(),
    );
    let (rollover, statuses) = run(client, &asked).await;
    assert_eq!(statuses, "Error Error Success Success");
    let errors = errors(&office, &rollover).await;
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["errorType"], "Other");
    assert_eq!(
        office.stored("budgets", &budget).await["budgetStatus"],
        "Active"
    );
    assert_eq!(next_budget(&office, &hist).await, Value::Null);
    assert!(renewed(&office, &one).await.is_empty());
    assert_in_order(&office.library).await;
}
