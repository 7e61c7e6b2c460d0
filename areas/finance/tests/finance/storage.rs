//! Records of the storage interface: keys, references, versions, statuses that reach budgets, views.

use serde_json::json;

use crate::office::{Office, fiscal_year, new_id};

#[tokio::test]
async fn keys_are_unique_and_references_hold() {
    let office = Office::new().await;
    let client = &office.client;
    let (fund, budget) = office.funded("HIST", 10.0).await;
    let again = json!({"code": "hist", "name": "Another", "ledgerId": office.ledger,
                       "fundStatus": "Active"});
    let refused = client
        .post("/finance-storage/funds", &again)
        .await
        .expect(422)
        .json();
    let message = refused["errors"][0]["message"].as_str().expect("a message");
    assert!(
        message.contains("value already exists in table fund: hist"),
        "{message}"
    );
    let second = json!({"name": "Second", "fundId": fund, "fiscalYearId": office.year,
                        "budgetStatus": "Active"});
    let _ = client
        .post("/finance-storage/budgets", &second)
        .await
        .expect(422);
    let colon = json!({"code": "A:B", "name": "Colon", "ledgerId": office.ledger,
                       "fundStatus": "Active"});
    let _ = client
        .post("/finance-storage/funds", &colon)
        .await
        .expect(422);
    for (path, document, code) in [
        (
            "expense-classes",
            json!({"name": "Print", "code": "X"}),
            "uniqueFieldExpenseClassNameError",
        ),
        (
            "expense-classes",
            json!({"name": "X", "code": "prn"}),
            "uniqueFieldExpenseClassCodeError",
        ),
    ] {
        let refused = client
            .post(&format!("/finance-storage/{path}"), &document)
            .await;
        assert_eq!(refused.expect(400).json()["errors"][0]["code"], code);
    }
    let group = json!({"name": "Group", "code": "G", "status": "Active"});
    let _ = client
        .post("/finance-storage/groups", &group)
        .await
        .expect(201);
    let refused = client
        .post("/finance-storage/groups", &group)
        .await
        .expect(400)
        .json();
    assert_eq!(
        refused["errors"][0]["code"]
            .as_str()
            .map(|code| &code[..16]),
        Some("uniqueFieldGroup")
    );
    let _ = client
        .delete(&format!("/finance-storage/ledgers/{}", office.ledger))
        .await
        .expect(400);
    let _ = client
        .delete(&format!("/finance-storage/funds/{fund}"))
        .await
        .expect(400);
    let path = format!("/finance-storage/budgets/{budget}");
    let mut stored = client.get(&path).await.expect(200).json();
    stored["allowableExpenditure"] = json!(110);
    let _ = client.put(&path, &stored).await.expect(204);
    let _ = client.put(&path, &stored).await.expect(409);
}

#[tokio::test]
async fn a_budget_computes_what_it_stores() {
    let office = Office::new().await;
    let fund = office.fund("HIST").await;
    let sums = json!({"initialAllocation": 800, "allocationTo": 120, "allocationFrom": 20,
        "netTransfers": -100, "encumbered": 150, "awaitingPayment": 90, "expenditures": 260,
        "credits": 15, "available": 7, "allocated": 7});
    let budget = office.budget(&fund, "HIST", &sums).await;
    let computed = "allocated totalFunding unavailable available cashBalance overExpended \
                    overEncumbrance";
    assert_eq!(
        office.amounts(&budget, computed).await,
        "900.0 800.0 485.0 315.0 555.0 0.0 0.0"
    );
    let found = office
        .client
        .query("/finance-storage/budgets", "available==315.0")
        .await;
    assert_eq!(found.expect(200).json()["totalRecords"], 1);
}

#[tokio::test]
async fn a_status_reaches_the_budgets_of_this_year() {
    let office = Office::new().await;
    let client = &office.client;
    let past = fiscal_year(client, "FY1990", "1990-01-01", "1990-12-31").await;
    let (fund, budget) = office.funded("HIST", 0.0).await;
    let of_past = json!({"name": "HIST-FY1990", "fundId": fund, "fiscalYearId": past,
                         "budgetStatus": "Active"});
    let of_past = client
        .post("/finance-storage/budgets", &of_past)
        .await
        .expect(201)
        .json();
    let of_past = of_past["id"].as_str().expect("an id").to_owned();
    let (other, of_other) = office.funded("LAW", 0.0).await;
    let path = format!("/finance-storage/funds/{fund}");
    let mut stored = client.get(&path).await.expect(200).json();
    stored["fundStatus"] = json!("Frozen");
    let _ = client.put(&path, &stored).await.expect(204);
    assert_eq!(
        office.stored("budgets", &budget).await["budgetStatus"],
        "Frozen"
    );
    assert_eq!(
        office.stored("budgets", &of_past).await["budgetStatus"],
        "Active"
    );
    // The fund that is frozen already has its budget left alone.
    let mut thawed = office.stored("budgets", &budget).await;
    thawed["budgetStatus"] = json!("Active");
    let _ = client
        .put(&format!("/finance-storage/budgets/{budget}"), &thawed)
        .await
        .expect(204);
    let path = format!("/finance-storage/ledgers/{}", office.ledger);
    let mut ledger = client.get(&path).await.expect(200).json();
    ledger["ledgerStatus"] = json!("Frozen");
    let _ = client.put(&path, &ledger).await.expect(204);
    assert_eq!(office.stored("funds", &other).await["fundStatus"], "Frozen");
    assert_eq!(
        office.stored("budgets", &of_other).await["budgetStatus"],
        "Frozen"
    );
    assert_eq!(
        office.stored("budgets", &budget).await["budgetStatus"],
        "Active"
    );
    let _ = client
        .put(&format!("/finance-storage/ledgers/{}", new_id()), &ledger)
        .await
        .expect(404);
}

#[tokio::test]
async fn a_budget_goes_with_one_sided_allocations_only() {
    let office = Office::new().await;
    let client = &office.client;
    let (fund, budget) = office.funded("HIST", 100.0).await;
    let (other, of_other) = office.funded("LAW", 100.0).await;
    office
        .create(&[office.allocation(5.0, None, Some(&fund))])
        .await;
    let path = |id: &str| format!("/finance-storage/budgets/{id}");
    let moved = office.allocation(5.0, Some(&fund), Some(&other));
    office.create(std::slice::from_ref(&moved)).await;
    let refused = client.delete(&path(&budget)).await.expect(400).json();
    assert_eq!(
        refused["errors"][0]["code"],
        "transactionIsPresentBudgetDeleteError"
    );
    let _ = office
        .batch(&json!({"idsOfTransactionsToDelete": [moved["id"]]}))
        .await
        .expect(204);
    let group = json!({"id": new_id(), "name": "Group", "code": "G", "status": "Active"});
    let _ = client
        .post("/finance-storage/groups", &group)
        .await
        .expect(201);
    let place = json!({"id": new_id(), "groupId": group["id"], "fundId": fund,
                       "fiscalYearId": office.year, "budgetId": budget});
    let _ = client
        .post("/finance-storage/group-fund-fiscal-years", &place)
        .await
        .expect(201);
    let query = format!("groupId=={}", group["id"].as_str().expect("an id"));
    let found = client
        .query("/finance-storage/group-budgets", &query)
        .await
        .expect(200)
        .json();
    assert_eq!(found["budgets"][0]["id"], budget.as_str());
    let query = format!("groupFundFY.{query}");
    for list in ["budgets", "funds", "ledgers"] {
        let found = client
            .query(&format!("/finance-storage/{list}"), &query)
            .await;
        assert_eq!(found.expect(200).json()["totalRecords"], 1, "{list}");
    }
    let _ = client.delete(&path(&budget)).await.expect(204);
    let id = place["id"].as_str().expect("an id");
    assert_eq!(
        office.stored("group-fund-fiscal-years", id).await["budgetId"],
        json!(null)
    );
    let class = client
        .get("/finance-storage/expense-classes")
        .await
        .expect(200)
        .json();
    let link = json!({"budgetId": of_other, "expenseClassId": class["expenseClasses"][0]["id"]});
    let _ = client
        .post("/finance-storage/budget-expense-classes", &link)
        .await
        .expect(201);
    let refused = client.delete(&path(&of_other)).await.expect(400).json();
    assert_eq!(
        refused["errors"][0]["code"],
        "budgetExpenseClassReferenceError"
    );
}

#[tokio::test]
async fn totals_leave_out_the_first_allocation() {
    let office = Office::new().await;
    let (fund, _) = office.funded("HIST", 100.0).await;
    let (other, _) = office.funded("LAW", 100.0).await;
    for amount in [20.0, 30.0] {
        office
            .create(&[office.allocation(amount, None, Some(&fund))])
            .await;
    }
    office
        .create(&[office.allocation(7.0, Some(&fund), Some(&other))])
        .await;
    let path = "/finance-storage/transaction-totals";
    let query = format!("fiscalYearId=={} and toFundId=={fund}", office.year);
    let found = office.client.query(path, &query).await.expect(200).json();
    assert_eq!(found["totalRecords"], 1, "{found}");
    assert_eq!(found["transactionTotals"][0]["amount"], json!(50.0));
    let found = office
        .client
        .query(path, &format!("fromFundId=={fund}"))
        .await
        .expect(200)
        .json();
    assert_eq!(found["transactionTotals"][0]["amount"], json!(7.0));
    let path = "/finance-storage/finance-data?limit=100";
    let query = format!("fiscalYearId=={} and fundId=={fund}", office.year);
    let found = office.client.query(path, &query).await.expect(200).json();
    assert_eq!(
        found["fyFinanceData"][0]["budgetInitialAllocation"],
        json!(100.0),
        "{found}"
    );
    let next = office
        .client
        .query(path, &format!("fiscalYearId=={}", office.next_year))
        .await;
    assert_eq!(next.expect(200).json()["totalRecords"], 2);
}
