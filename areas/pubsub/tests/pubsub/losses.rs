//! The events of lost, aged and recalled loans and of settled fees, with FOLIO's payloads.

use octavo_platform::{Handler, system_call};
use octavo_server_testkit::stock::{CIRC_DESK_1, EXAMPLE_LOAN_POLICY, Stock, check_out};
use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Plugged;
use super::own_events::{after, subscribed, told};

/// The lost item fee policy that the default rules name.
const POLICY: &str = "ed892c0e-52e0-4cd9-8133-c0ef07b4a709";

/// Lends an item since long ago; gives the loan and its patron.
async fn lend(stock: &Stock, name: &str) -> (Value, String) {
    let (item, patron) = (format!("i-{name}"), format!("p-{name}"));
    let _ = stock.item(&item).await;
    let user = stock.patron(&patron).await;
    let mut body = check_out(&item, &patron);
    body["loanDate"] = json!("2025-02-01T10:00:00Z");
    let path = "/circulation/check-out-by-barcode";
    let loan = stock.client.post(path, &body).await.expect(201).json();
    (loan["id"].clone(), user)
}

async fn lose(client: &Client, loan: &Value) {
    let loan = loan.as_str().expect("an id");
    let path = format!("/circulation/loans/{loan}/declare-item-lost");
    let body = json!({"declaredLostDateTime": "2026-03-01T10:00:00Z", "comment": "gone",
                      "servicePointId": CIRC_DESK_1});
    let _ = client.post(&path, &body).await.expect(204);
}

async fn change_policy(client: &Client, changes: Value) {
    let mut policy = json!({"id": POLICY, "name": "Lost items",
                            "chargeAmountItem": {"chargeType": "anotherCost", "amount": 0.0}});
    for (key, value) in changes.as_object().expect("changes") {
        policy[key] = value.clone();
    }
    let path = format!("/lost-item-fees-policies/{POLICY}");
    let _ = client.put(&path, &policy).await.expect(204);
}

/// Runs a timer of mod-circulation, as the scheduler does.
async fn run(plugged: &Plugged, path: &str) {
    let platform = &plugged.library.platform;
    let view = platform.registry.known("diku").expect("a tenant");
    let modules = octavo_circulation::modules();
    let mut timers = modules.iter().flat_map(|module| &module.timers);
    let timer = timers.find(|timer| timer.path == path).expect("a timer");
    let Handler::Call(handler) = &timer.handler else {
        panic!("{path} is no function");
    };
    let answer = handler(system_call(platform, &view)).await;
    assert!(answer.expect("it is carried out").status().is_success());
}

#[tokio::test]
async fn a_loss_is_told_and_the_end_of_a_loan_that_costs_nothing() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let cost = json!({"chargeAmountItem": {"chargeType": "actualCost"},
                      "lostItemChargeFeeFine": {"duration": 2, "intervalId": "Days"}});
    change_policy(client, cost).await;
    let owner = json!({"owner": "Main", "servicePointOwner": [
        {"value": CIRC_DESK_1, "label": "Circ Desk 1"}]});
    let _ = client.post("/owners", &owner).await.expect(201);
    let (dear, first) = lend(&stock, "1").await;
    // Events of different types arrive independently.
    let _ = after(&plugged, 1).await;
    lose(client, &dear).await;
    let taken = after(&plugged, 2).await;
    assert_eq!(taken[1], json!({"userId": first, "loanId": dear}));
    change_policy(client, json!({})).await;
    let (free, second) = lend(&stock, "2").await;
    let _ = after(&plugged, 3).await;
    lose(client, &free).await;
    let taken = after(&plugged, 4).await;
    assert_eq!(taken[3], json!({"userId": second, "loanId": free}));
    for (kind, loan) in [("ITEM_DECLARED_LOST", &dear), ("LOAN_CLOSED", &free)] {
        let sql = "SELECT new->>'loanId' AS loan FROM tenant_diku.outbox WHERE topic = $1";
        let topic = format!("circulation.{kind}");
        let database = &plugged.library.platform.store.database;
        let rows = database.query(sql, &[&topic]).await.expect("the outbox");
        let loans: Vec<Value> = rows
            .iter()
            .map(|row| json!(row.get::<_, String>("loan")))
            .collect();
        assert_eq!(&loans, std::slice::from_ref(loan), "{kind}");
    }
}

#[tokio::test]
async fn a_loan_that_ages_to_lost_is_told_by_the_timer() {
    let (plugged, stock) = subscribed().await;
    let minute = json!({"itemAgedLostOverdue": {"duration": 1, "intervalId": "Minutes"}});
    change_policy(&plugged.client, minute).await;
    let (loan, patron) = lend(&stock, "1").await;
    let _ = after(&plugged, 1).await;
    run(&plugged, "/circulation/scheduled-age-to-lost").await;
    let taken = after(&plugged, 2).await;
    assert_eq!(taken[1], json!({"userId": patron, "loanId": loan}));
}

#[tokio::test]
async fn a_recall_tells_the_due_date_and_why_it_has_changed() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let path = format!("/loan-policy-storage/loan-policies/{EXAMPLE_LOAN_POLICY}");
    let mut policy = client.get(&path).await.expect(200).json();
    policy["requestManagement"]["recalls"] =
        json!({"recallReturnInterval": {"duration": 1, "intervalId": "Days"}});
    let _ = client.put(&path, &policy).await.expect(204);
    let item = stock.item("a-1").await;
    let (patron, other) = (stock.patron("p-1").await, stock.patron("p-2").await);
    let path = "/circulation/check-out-by-barcode";
    let loan = client.post(path, &check_out("a-1", "p-1")).await;
    let loan = loan.expect(201).json();
    let _ = after(&plugged, 1).await;
    let recall = json!({"requestLevel": "Item", "requestType": "Recall",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": other,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK_1});
    let _ = client
        .post("/circulation/requests", &recall)
        .await
        .expect(201);
    let taken = after(&plugged, 2).await;
    let path = format!(
        "/loan-storage/loans/{}",
        loan["id"].as_str().expect("an id")
    );
    let recalled = client.get(&path).await.expect(200).json();
    assert_ne!(recalled["dueDate"], loan["dueDate"]);
    assert_eq!(
        taken[1],
        json!({"userId": patron, "loanId": loan["id"], "dueDate": told(&recalled["dueDate"]),
               "dueDateChangedByRecall": true})
    );
}

#[tokio::test]
async fn a_settled_fee_of_a_loan_is_told_with_its_balance_and_its_end() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let (loan, patron) = lend(&stock, "1").await;
    let _ = after(&plugged, 1).await;
    let owner = json!({"owner": "Main", "servicePointOwner": []});
    let owner = client.post("/owners", &owner).await.expect(201).json();
    let fee = json!({"feeFineType": "Damage", "ownerId": owner["id"], "automatic": false});
    let fee = client.post("/feefines", &fee).await.expect(201).json();
    let account = json!({"id": Uuid::new_v4(), "amount": 12.5, "remaining": 12.5,
                         "userId": patron, "loanId": loan, "status": {"name": "Open"},
                         "paymentStatus": {"name": "Outstanding"}, "feeFineId": fee["id"],
                         "ownerId": owner["id"], "feeFineType": "Damage", "feeFineOwner": "Main"});
    let account = client.post("/accounts", &account).await.expect(201).json();
    let path = format!("/accounts/{}/pay", account["id"].as_str().expect("an id"));
    for amount in ["2.50", "10.00"] {
        let payment = json!({"amount": amount, "notifyPatron": false, "paymentMethod": "Cash",
                             "servicePointId": CIRC_DESK_1, "userName": "Desk, Jane"});
        let _ = client.post(&path, &payment).await.expect(201);
    }
    // Check-out, three balances, and the end.
    let taken = after(&plugged, 5).await;
    let of_fee = json!({"userId": patron, "loanId": loan, "feeFineId": account["id"],
                        "feeFineTypeId": fee["id"]});
    let mut balances = Vec::new();
    for event in &taken[1..] {
        let mut event = event.clone();
        match event
            .as_object_mut()
            .and_then(|event| event.remove("balance"))
        {
            Some(balance) => {
                assert_eq!(event, of_fee);
                balances.push(balance.as_f64().expect("a number"));
            }
            None => assert_eq!(event, json!({"loanId": loan})),
        }
    }
    assert_eq!(balances, [12.5, 10.0, 0.0], "{taken:?}");
}
