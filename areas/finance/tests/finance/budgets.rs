//! Budgets of the business interface: first allocations, allowances, expense classes, recalculation.

use serde_json::{Value, json};

use crate::office::{Office, new_id};

fn code(answer: &Value) -> &str {
    answer["errors"][0]["code"].as_str().expect("a code")
}

async fn classes(office: &Office) -> Vec<String> {
    let found = office
        .client
        .get("/finance/expense-classes")
        .await
        .expect(200)
        .json();
    let list = found["expenseClasses"].as_array().expect("a list");
    list.iter()
        .map(|one| one["id"].as_str().expect("an id").to_owned())
        .collect()
}

#[tokio::test]
async fn what_is_allocated_at_first_is_a_transaction() {
    let office = Office::new().await;
    let fund = office.fund("HIST").await;
    let mut body = json!({"name": "HIST-FY2026", "fundId": fund, "fiscalYearId": office.year,
        "budgetStatus": "Frozen", "allocated": 1_000.5, "encumbered": 3, "netTransfers": 7,
        "available": 99, "statusExpenseClasses": [{"expenseClassId": classes(&office).await[0]}]});
    let made = office
        .client
        .post("/finance/budgets", &body)
        .await
        .expect(201);
    let made = made.json();
    assert_eq!(made["budgetStatus"], "Frozen");
    for (name, amount) in [
        ("initialAllocation", 1_000.5),
        ("allocated", 1_000.5),
        ("netTransfers", 7.0),
        ("encumbered", 3.0),
        ("available", 1_004.5),
    ] {
        assert_eq!(made[name], json!(amount), "{name}");
    }
    assert_eq!(made["statusExpenseClasses"][0]["status"], "Active");
    let query = format!("toFundId=={fund} and transactionType==Allocation");
    let found = office
        .client
        .query("/finance/transactions", &query)
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 1);
    assert_eq!(found["transactions"][0]["amount"], json!(1_000.5));
    assert_eq!(found["transactions"][0]["currency"], "USD");
    body["fundId"] = json!(office.fund("LAW").await);
    body["name"] = json!("LAW-FY2026");
    body["allocated"] = json!(-1);
    let refused = office
        .client
        .post("/finance/budgets", &body)
        .await
        .expect(422)
        .json();
    assert_eq!(code(&refused), "negativeBudgetAllocation");
    // Nothing stays of a budget that cannot be stored.
    body["allocated"] = json!(5);
    body["name"] = json!("HIST-FY2026");
    let _ = office
        .client
        .post("/finance/budgets", &body)
        .await
        .expect(422);
    let found = office
        .client
        .get("/finance/transactions")
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 1);
}

#[tokio::test]
async fn allowances_are_not_below_what_is_used() {
    let office = Office::new().await;
    let (fund, budget) = office.funded("HIST", 240.0).await;
    office.create(&[office.encumbrance(150.0, &fund)]).await;
    let invoice = new_id();
    office
        .create(&[office.of_invoice("Pending payment", 45.0, &fund, &invoice)])
        .await;
    let path = format!("/finance/budgets/{budget}");
    for (encumbrance, expenditure, codes) in [
        (
            json!(81),
            json!(18),
            "allowableEncumbranceLimitExceeded allowableExpenditureLimitExceeded",
        ),
        (json!(81.25), json!(18), "allowableExpenditureLimitExceeded"),
        (json!(81), json!(18.75), "allowableEncumbranceLimitExceeded"),
    ] {
        let mut body = office.client.get(&path).await.expect(200).json();
        body["allowableEncumbrance"] = encumbrance;
        body["allowableExpenditure"] = expenditure;
        let refused = office.client.put(&path, &body).await.expect(422).json();
        let errors = refused["errors"].as_array().expect("errors");
        let seen: Vec<&str> = errors
            .iter()
            .filter_map(|one| one["code"].as_str())
            .collect();
        assert_eq!(seen.join(" "), codes);
    }
    let mut body = office.client.get(&path).await.expect(200).json();
    body["allowableEncumbrance"] = json!(81.25);
    body["allowableExpenditure"] = json!(18.75);
    // Sums are the server's.
    body["encumbered"] = json!(0);
    body["initialAllocation"] = json!(9_999);
    let _ = office.client.put(&path, &body).await.expect(204);
    let sums = "initialAllocation encumbered awaitingPayment available";
    assert_eq!(office.amounts(&budget, sums).await, "240.0 150.0 45.0 45.0");
    let _ = office.client.put(&path, &body).await.expect(409);
    body["id"] = json!(new_id());
    let refused = office.client.put(&path, &body).await.expect(422).json();
    assert_eq!(code(&refused), "idMismatch");
}

#[tokio::test]
async fn expense_classes_come_and_go_with_the_budget() {
    let office = Office::new().await;
    let classes = classes(&office).await;
    let (fund, budget) = office.funded("HIST", 1_000.0).await;
    let path = format!("/finance/budgets/{budget}");
    let mut body = office.client.get(&path).await.expect(200).json();
    assert_eq!(body["statusExpenseClasses"], json!([]));
    let link = |class: &str, status: &str| json!({"expenseClassId": class, "status": status});
    body["statusExpenseClasses"] =
        json!([link(&classes[0], "Active"), link(&classes[1], "Inactive")]);
    let _ = office.client.put(&path, &body).await.expect(204);
    let mut used = office.encumbrance(100.0, &fund);
    used["expenseClassId"] = json!(classes[0]);
    office.create(&[used]).await;
    let invoice = new_id();
    for (class, amount) in [(0, 30.0), (1, 10.0)] {
        let mut paid = office.of_invoice("Payment", amount, &fund, &invoice);
        paid["expenseClassId"] = json!(classes[class]);
        office.create(&[paid]).await;
    }
    let totals = format!("{path}/expense-classes-totals");
    let totals = office.client.get(&totals).await.expect(200).json();
    let rows = totals["budgetExpenseClassTotals"].as_array().expect("rows");
    let of = |class: &str| {
        rows.iter()
            .find(|row| row["id"] == class)
            .expect("the class")
    };
    let first = of(&classes[0]);
    assert_eq!(first["encumbered"], json!(100.0));
    assert_eq!(first["percentageExpended"], json!(75.0));
    assert_eq!(first["percentageCredited"], json!(null));
    assert_eq!(of(&classes[1])["expenseClassStatus"], "Inactive");
    let codes = office
        .client
        .get("/finance/fund-codes-expense-classes")
        .await
        .expect(200)
        .json();
    let row = &codes["fundCodeVsExpClassesTypes"][0];
    assert_eq!(row["fundCode"], "HIST");
    let listed = |name: &str| row[name].as_array().map_or(0, Vec::len);
    assert_eq!(listed("activeFundCodeVsExpClasses"), 1);
    assert_eq!(listed("inactiveFundCodeVsExpClasses"), 1);
    let of_fund = format!("/finance/funds/{fund}/expense-classes?status=Active");
    let of_fund = office.client.get(&of_fund).await.expect(200).json();
    assert_eq!(of_fund["expenseClasses"][0]["id"], classes[0].as_str());
    let mut body = office.client.get(&path).await.expect(200).json();
    body["statusExpenseClasses"] = json!([]);
    let refused = office.client.put(&path, &body).await.expect(400).json();
    assert_eq!(
        code(&refused),
        "transactionIsPresentBudgetExpenseClassDeleteError"
    );
    // A planned budget takes the classes of the current one.
    let planned = json!({"name": "HIST-FY2151", "fundId": fund, "fiscalYearId": office.next_year,
                         "budgetStatus": "Planned", "allocated": 0});
    let planned = office
        .client
        .post("/finance/budgets", &planned)
        .await
        .expect(201)
        .json();
    assert_eq!(
        planned["statusExpenseClasses"].as_array().map(Vec::len),
        Some(2)
    );
    let of_year = |status: &str| format!("/finance/funds/{fund}/budget?status={status}");
    let found = office
        .client
        .get(&of_year("Planned"))
        .await
        .expect(200)
        .json();
    assert_eq!(found["id"], planned["id"]);
    let found = office
        .client
        .get(&of_year("Current"))
        .await
        .expect(200)
        .json();
    assert_eq!(found["id"], budget.as_str());
    let bare = office.fund("BARE").await;
    let refused = office
        .client
        .get(&format!("/finance/funds/{bare}/budget"))
        .await
        .expect(404);
    assert_eq!(code(&refused.json()), "currentBudgetNotFound");
}

#[tokio::test]
async fn a_budget_is_recalculated_from_its_transactions() {
    let office = Office::new().await;
    let (fund, budget) = office.funded("HIST", 1_000.0).await;
    office
        .create(&[office.allocation(250.0, None, Some(&fund))])
        .await;
    office.create(&[office.encumbrance(100.0, &fund)]).await;
    let path = format!("/finance-storage/budgets/{budget}");
    let mut spoiled = office.client.get(&path).await.expect(200).json();
    spoiled["encumbered"] = json!(1);
    spoiled["initialAllocation"] = json!(1);
    let _ = office.client.put(&path, &spoiled).await.expect(204);
    let recalculate = format!("/finance/budgets/{budget}/recalculate");
    let _ = office
        .client
        .post(&recalculate, &json!({}))
        .await
        .expect(204);
    let names = "initialAllocation allocationTo encumbered available";
    assert_eq!(
        office.amounts(&budget, names).await,
        "1000.0 250.0 100.0 1150.0"
    );
    let unknown = format!("/finance/budgets/{}/recalculate", new_id());
    let _ = office.client.post(&unknown, &json!({})).await.expect(404);
}
