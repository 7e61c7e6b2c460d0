//! The batch of transactions: what is stored, and what is refused with which words.

use octavo_testkit::Answer;
use serde_json::{Value, json};

use crate::office::{Office, new_id};

const SUMS: &str = "initialAllocation allocationTo allocationFrom netTransfers encumbered \
                    awaitingPayment expenditures credits";

fn creating(transactions: &[&Value]) -> Value {
    json!({"transactionsToCreate": transactions})
}

fn updating(transaction: &Value) -> Value {
    json!({"transactionsToUpdate": [transaction]})
}

/// The code and the parameters of the only error.
fn coded(answer: Answer, status: u16) -> (String, Value) {
    let body = answer.expect(status).json();
    assert_eq!(body["total_records"], 1, "{body}");
    let error = &body["errors"][0];
    let code = error["code"].as_str().expect("a code").to_owned();
    (code, error["parameters"].clone())
}

fn parameter(parameters: &Value, key: &str) -> String {
    let parameters = parameters.as_array().expect("a list");
    let found = parameters.iter().find(|one| one["key"] == key);
    found.map_or(String::new(), |one| {
        one["value"].as_str().unwrap_or_default().to_owned()
    })
}

#[tokio::test]
async fn a_budget_follows_its_transactions() {
    let office = Office::new().await;
    let (hist, budget) = office.funded("HIST", 1_000.0).await;
    let (law, of_law) = office.funded("LAW", 0.0).await;
    office
        .create(&[office.allocation(250.0, None, Some(&hist))])
        .await;
    office
        .create(&[office.allocation(100.0, Some(&hist), Some(&law))])
        .await;
    let order = office.encumbrance(400.0, &hist);
    let order_id = order["id"].as_str().expect("an id").to_owned();
    office.create(&[order]).await;
    let invoice = new_id();
    let mut pending = office.of_invoice("Pending payment", 150.0, &hist, &invoice);
    pending["awaitingPayment"] = json!({"encumbranceId": order_id, "releaseEncumbrance": false});
    office.create(&[pending.clone()]).await;
    assert_eq!(
        office.amounts(&budget, SUMS).await,
        "1000.0 250.0 100.0 0.0 250.0 150.0 0.0 0.0"
    );
    let mut paid = office.of_invoice("Payment", 150.0, &hist, &invoice);
    paid["paymentEncumbranceId"] = json!(order_id);
    office.create(&[paid.clone()]).await;
    assert_eq!(
        office.amounts(&budget, SUMS).await,
        "1000.0 250.0 100.0 0.0 250.0 0.0 150.0 0.0"
    );
    let gone = format!(
        "/finance-storage/transactions/{}",
        pending["id"].as_str().expect("it")
    );
    let _ = office.client.get(&gone).await.expect(404);
    let computed = "allocated totalFunding unavailable available cashBalance overExpended \
                    overEncumbrance";
    assert_eq!(
        office.amounts(&budget, computed).await,
        "1150.0 1150.0 400.0 750.0 1000.0 0.0 0.0"
    );
    assert_eq!(
        office.amounts(&of_law, SUMS).await,
        "0.0 100.0 0.0 0.0 0.0 0.0 0.0 0.0"
    );
    let encumbrance = office.stored("transactions", &order_id).await;
    assert_eq!(encumbrance["amount"].to_string(), "250.0");
    assert_eq!(
        encumbrance["encumbrance"]["amountExpended"].to_string(),
        "150.0"
    );
    assert_eq!(encumbrance["_version"], 3);
    let mut stored = office
        .stored("transactions", paid["id"].as_str().expect("it"))
        .await;
    stored["invoiceCancelled"] = json!(true);
    let _ = office.batch(&updating(&stored)).await.expect(204);
    assert_eq!(
        office.amounts(&budget, SUMS).await,
        "1000.0 250.0 100.0 0.0 400.0 0.0 0.0 0.0"
    );
    let voided = office
        .stored("transactions", paid["id"].as_str().expect("it"))
        .await;
    assert_eq!(
        (&voided["amount"], &voided["voidedAmount"]),
        (&json!(0.0), &json!(150.0))
    );
    // A search finds what is computed.
    let found = office
        .client
        .query("/finance-storage/budgets", "fund.code==HIST")
        .await;
    assert_eq!(found.expect(200).json()["totalRecords"], 1);
}

#[tokio::test]
async fn what_a_batch_is_refused_for() {
    let office = Office::new().await;
    let (hist, budget) = office.funded("HIST", 1_000.0).await;
    let bare = office.fund("BARE").await;
    let before = office.stored("budgets", &budget).await;
    let text = |answer: Answer, status| answer.expect(status).text;
    // N19: before the shape and all else.
    let order = office.encumbrance(10.0, &hist);
    office.create(std::slice::from_ref(&order)).await;
    let order_id = order["id"].as_str().expect("an id").to_owned();
    let refused = text(office.batch(&updating(&order)).await, 500);
    assert_eq!(
        refused,
        format!("At least one transaction to update does not have metadata, id={order_id}")
    );
    let refused = text(office.batch(&json!({})).await, 400);
    assert_eq!(
        refused,
        "At least one of the batch operations needs to be used."
    );
    let mut without = office.encumbrance(1.0, &hist);
    without.as_object_mut().expect("it").shift_remove("id");
    let (code, _) = coded(office.batch(&creating(&[&without])).await, 400);
    assert_eq!(code, "idIsRequiredInTransactions");
    let one = office.encumbrance(1.0, &hist);
    let refused = text(office.batch(&creating(&[&one, &one])).await, 400);
    let id = one["id"].as_str().expect("an id");
    assert!(
        refused.ends_with(&format!("to create, duplicates: [{id}]")),
        "{refused}"
    );
    for amount in [0.0, -5.0] {
        let one = office.allocation(amount, None, Some(&hist));
        let (code, parameters) = coded(office.batch(&creating(&[&one])).await, 400);
        assert_eq!(code, "allocationMustBePositive");
        assert_eq!(parameter(&parameters, "fieldName"), "amount");
    }
    let one = office.allocation(5.0, None, None);
    let (code, _) = coded(office.batch(&creating(&[&one])).await, 400);
    assert_eq!(code, "missingFundId");
    let mut one = office.transaction("Transfer", 5.0);
    one["fromFundId"] = json!(hist);
    let refused = text(office.batch(&creating(&[&one])).await, 400);
    assert!(refused.ends_with("has a null toFundId"), "{refused}");
    let one = office.of_invoice("Payment", -1.0, &hist, &new_id());
    let (code, parameters) = coded(office.batch(&creating(&[&one])).await, 422);
    assert_eq!(code, "paymentOrCreditHasNegativeAmount");
    assert_eq!(
        parameter(&parameters, "id"),
        one["id"].as_str().expect("an id")
    );
    let refused = text(
        office
            .batch(&json!({"idsOfTransactionsToDelete": [new_id()]}))
            .await,
        400,
    );
    assert_eq!(refused, "One or more transaction to delete was not found");
    let refused = text(office.batch(&creating(&[&order])).await, 400);
    assert_eq!(
        refused,
        format!("A transaction to create already exists: {order_id}")
    );
    let mut one = office.of_invoice("Pending payment", 1.0, &hist, &new_id());
    let unknown = new_id();
    one["awaitingPayment"] = json!({"encumbranceId": unknown});
    let (code, parameters) = coded(office.batch(&creating(&[&one])).await, 400);
    assert_eq!(code, "linkedEncumbrancesNotFound");
    assert_eq!(parameter(&parameters, "ids"), format!("[{unknown}]"));
    let one = office.allocation(1.0, None, Some(&bare));
    let (code, _) = coded(office.batch(&creating(&[&one])).await, 500);
    assert_eq!(code, "genericError");
    let refused = text(
        office
            .batch(&json!({"transactionPatches": [{"id": new_id(), "any": 1}]}))
            .await,
        500,
    );
    assert_eq!(refused, "transactionPatches: not implemented");
    let mut strange = office.encumbrance(1.0, &hist);
    strange["colour"] = json!("red");
    let _ = office.batch(&creating(&[&strange])).await.expect(422);
    // Only the encumbrance was stored.
    let after = office.stored("budgets", &budget).await;
    assert_eq!(after["encumbered"], json!(10.0));
    assert_eq!(after["allocated"], before["allocated"]);
    let found = office
        .client
        .get("/finance-storage/transactions")
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 2);
}

#[tokio::test]
async fn updates_are_of_what_is_stored() {
    let office = Office::new().await;
    let (hist, budget) = office.funded("HIST", 100.0).await;
    let order = office.encumbrance(10.0, &hist);
    let id = order["id"].as_str().expect("an id").to_owned();
    office.create(&[order]).await;
    let read = office.stored("transactions", &id).await;
    let mut first = read.clone();
    first["amount"] = json!(20.0);
    let _ = office.batch(&updating(&first)).await.expect(204);
    let (code, _) = coded(office.batch(&updating(&first)).await, 409);
    assert_eq!(code, "conflict");
    assert_eq!(office.amounts(&budget, "encumbered").await, "20.0");
    let found = office.client.query(
        "/finance-storage/transactions",
        "transactionType==Allocation",
    );
    let allocation = found.await.expect(200).json()["transactions"][0].clone();
    let refused = office.batch(&updating(&allocation)).await.expect(400).text;
    assert_eq!(refused, "Allocation updates are not implemented.");
    // A deletion changes no budget.
    let _ = office
        .batch(&json!({"idsOfTransactionsToDelete": [id]}))
        .await
        .expect(204);
    assert_eq!(office.amounts(&budget, "encumbered").await, "20.0");
}

#[tokio::test]
async fn restrictions_and_statuses_of_budgets() {
    let mut office = Office::new().await;
    office.ledger = crate::office::ledger(&office.client, "STRICT", &office.year, true).await;
    let fund = office.fund("HIST").await;
    let allowances = json!({"allowableEncumbrance": 95, "allowableExpenditure": 90});
    let budget = office.budget(&fund, "HIST", &allowances).await;
    office
        .create(&[office.allocation(240.0, None, Some(&fund))])
        .await;
    let over = office.encumbrance(228.01, &fund);
    let (code, parameters) = coded(office.batch(&creating(&[&over])).await, 422);
    assert_eq!(code, "budgetRestrictedEncumbranceError");
    for (key, value) in [
        ("fundCode", "HIST"),
        ("budgetId", budget.as_str()),
        ("remaining", "-0.01"),
        ("allowableEncumbered", "0.95"),
        ("allocated", "240"),
        ("encumbered", "228.01"),
    ] {
        assert_eq!(parameter(&parameters, key), value, "{key}");
    }
    assert_eq!(office.amounts(&budget, "encumbered").await, "0.0");
    let pending = office.of_invoice("Pending payment", 216.01, &fund, &new_id());
    let (code, parameters) = coded(office.batch(&creating(&[&pending])).await, 422);
    assert_eq!(code, "budgetRestrictedExpendituresError");
    assert_eq!(parameter(&parameters, "allowableExpenditure"), "0.9");
    let (first, second) = (
        office.encumbrance(200.0, &fund),
        office.encumbrance(28.0, &fund),
    );
    let third = office.encumbrance(0.5, &fund);
    let three = office.batch(&creating(&[&first, &second, &third])).await;
    assert_eq!(coded(three, 422).0, "budgetRestrictedEncumbranceError");
    let found = office.client.query(
        "/finance-storage/transactions",
        "transactionType==Encumbrance",
    );
    assert_eq!(found.await.expect(200).json()["totalRecords"], 0);
    let _ = office
        .batch(&creating(&[&first, &second]))
        .await
        .expect(204);
    for status in ["Frozen", "Inactive", "Closed"] {
        let mut stored = office.stored("budgets", &budget).await;
        stored["budgetStatus"] = json!(status);
        let path = format!("/finance-storage/budgets/{budget}");
        let _ = office.client.put(&path, &stored).await.expect(204);
        let (code, parameters) = coded(office.batch(&creating(&[&third])).await, 400);
        assert_eq!(code, "budgetIsNotActiveOrPlanned");
        assert_eq!(parameter(&parameters, "fundCode"), "HIST");
    }
}
