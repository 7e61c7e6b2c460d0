//! What the business interface of finance refuses: statuses, codes, messages and parameters.

use octavo_server_testkit::assert_in_order;
use serde_json::{Value, json};

use crate::office::{Office, fiscal_year, ledger, new_id};
use crate::rollovers::{body, initial, run};

#[tokio::test]
async fn years_ledgers_and_groups_say_what_is_wrong() {
    let office = Office::new().await;
    let client = &office.client;
    let year = |code: &str, end: &str| {
        json!({"name": code, "code": code, "periodStart": "2030-01-01T00:00:00.000+00:00",
               "periodEnd": end})
    };
    for (year, wanted) in [
        (
            year("XY2030", "2029-12-31T00:00:00.000+00:00"),
            "fiscalYearInvalidPeriod: Fiscal year period end date is earlier than start date",
        ),
        (
            year("XY30", "2030-12-31T00:00:00.000+00:00"),
            "invalidFiscalYearCode: Fiscal year code must be in proper format",
        ),
    ] {
        let answer = client.post("/finance/fiscal-years", &year).await;
        assert_eq!(answer.expect(422).errors(), [wanted]);
    }
    let unknown = format!("/finance/ledgers?fiscalYear={}", new_id());
    let answer = client.get(&unknown).await.expect(400);
    let wanted = "fiscalYearNotFound: Fiscal year not found for the specified fiscalYearId";
    assert_eq!(answer.errors(), [wanted]);
    let past = fiscal_year(client, "OLD1990", "1990-01-01", "1990-12-31").await;
    let old = ledger(client, "OLD", &past, false).await;
    let path = format!("/finance/ledgers/{old}/current-fiscal-year");
    let answer = client.get(&path).await.expect(404);
    let wanted = "currentFiscalYearNotFound: Current fiscal year doesn't exist";
    assert_eq!(answer.errors(), [wanted]);
    let bare = office.fund("BARE").await;
    let path = format!("/finance/funds/{bare}/budget");
    let answer = client.get(&path).await.expect(404);
    let wanted = "currentBudgetNotFound: Current budget doesn't exist";
    assert_eq!(answer.errors(), [wanted]);
    let path = format!("/finance/groups/{}/expense-classes-totals", new_id());
    let answer = client.get(&path).await.expect(400);
    let wanted = "missingFiscalYearId: fiscalYearId must not be null";
    assert_eq!(answer.errors(), [wanted]);
    let stranger = new_id();
    let fund = json!({"fund": {"code": "NEW", "name": "New", "ledgerId": office.ledger,
                               "fundStatus": "Active"}, "groupIds": [stranger]});
    let answer = client.post("/finance/funds", &fund).await.expect(422);
    let wanted = format!("groupNotFound: Cannot find group {{groupIds={stranger}}}");
    assert_eq!(answer.errors(), [wanted]);
    for (path, status, wanted) in [
        (
            "/finance/exchange-rate?from=EUR&to=USD",
            404,
            "genericError: No exchange rate is known for these currencies {from=EUR, to=USD}",
        ),
        (
            "/finance/exchange-rate?from=euro&to=USD",
            400,
            "genericError: A currency is three capital letters {currency=euro}",
        ),
    ] {
        let answer = client.get(path).await.expect(status);
        assert_eq!(answer.errors(), [wanted]);
    }
    assert_in_order(&office.library).await;
}

#[tokio::test]
async fn budgets_say_what_is_wrong() {
    let mut office = Office::new().await;
    office.ledger = ledger(&office.client, "STRICT", &office.year, true).await;
    let client = &office.client;
    let fund = office.fund("HIST").await;
    let budget = |changes: Value| {
        let mut budget = json!({"name": "HIST-FY2026", "fundId": fund, "allocated": 100,
            "fiscalYearId": office.year, "budgetStatus": "Active", "allowableEncumbrance": 100});
        for (name, value) in changes.as_object().expect("an object") {
            budget[name] = value.clone();
        }
        budget
    };
    let negative = budget(json!({"allocated": -0.01}));
    let answer = client.post("/finance/budgets", &negative).await;
    let wanted = "negativeBudgetAllocation: A negative budget allocation is not allowed";
    assert_eq!(answer.expect(422).errors(), [wanted]);
    // The ledger restricts encumbrances, and more is encumbered already than is allocated.
    let over = budget(json!({"encumbered": 100.01}));
    let answer = client.post("/finance/budgets", &over).await.expect(500);
    let wanted =
        "failedAllocationTransaction: Failed to create allocation transaction for a budget";
    assert_eq!(answer.errors(), [wanted]);
    let found = client.get("/finance/budgets").await.expect(200).json();
    assert_eq!(found["totalRecords"], 0);
    let exact = budget(json!({"encumbered": 100}));
    let made = client.post("/finance/budgets", &exact).await.expect(201);
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    let path = format!("/finance/budgets/{id}");
    let mut body = client.get(&path).await.expect(200).json();
    body["allowableEncumbrance"] = json!(99);
    body["allowableExpenditure"] = json!(0);
    let answer = client.put(&path, &body).await.expect(422);
    assert_eq!(
        answer.errors(),
        ["allowableEncumbranceLimitExceeded: Allowable encumbrance limit exceeded"]
    );
}

#[tokio::test]
async fn transactions_say_what_is_wrong() {
    let office = Office::new().await;
    let client = &office.client;
    let (hist, budget) = office.funded("HIST", 100.0).await;
    let order = office.encumbrance(10.0, &hist);
    let id = order["id"].as_str().expect("an id").to_owned();
    office.create(&[order]).await;
    let mut pending = office.of_invoice("Pending payment", 5.0, &hist, &new_id());
    pending["awaitingPayment"] = json!({"encumbranceId": id});
    office.create(&[pending.clone()]).await;
    let path = "/finance/transactions/batch-all-or-nothing";
    let answer = client
        .post(path, &json!({"idsOfTransactionsToDelete": [id]}))
        .await
        .expect(422);
    let wanted = format!(
        "deleteConnectedToInvoice: Cannot delete an encumbrance connected to an invoice {{id={id}}}"
    );
    assert_eq!(answer.errors(), [wanted]);
    let other = pending["id"].as_str().expect("an id");
    for act in ["release", "unrelease"] {
        let path = format!("/finance/{act}-encumbrance/{other}");
        let answer = client.post(&path, &json!({})).await.expect(422);
        assert_eq!(
            answer.errors(),
            ["invalidTransactionType: Invalid transaction type"]
        );
    }
    let nowhere = office.allocation(1.0, None, None);
    let answer = client.post("/finance/allocations", &nowhere).await;
    let wanted = "missingFundId: Missing to/from fund id";
    assert_eq!(answer.expect(422).errors(), [wanted]);
    let (law, _) = office.funded("LAW", 100.0).await;
    let path = format!("/finance-storage/funds/{hist}");
    let mut fund = client.get(&path).await.expect(200).json();
    fund["allocatedToIds"] = json!([new_id()]);
    let _ = client.put(&path, &fund).await.expect(204);
    let moved = office.allocation(1.0, Some(&hist), Some(&law));
    let answer = client.post("/finance/allocations", &moved).await;
    let wanted = "allowableAllocationIdsMismatch: Allowable allocation ids mismatch";
    assert_eq!(answer.expect(422).errors(), [wanted]);
    let sums = "allocated encumbered awaitingPayment";
    assert_eq!(office.amounts(&budget, sums).await, "100.0 5.0 5.0");
    assert_in_order(&office.library).await;
}

#[tokio::test]
async fn bulk_changes_say_what_is_wrong() {
    let office = Office::new().await;
    let client = &office.client;
    let (hist, budget) = office.funded("HIST", 100.0).await;
    let bare = office.fund("BARE").await;
    let path = "/finance/finance-data";
    let row = async |fund: &str| {
        let query = format!("fundId=={fund} and fiscalYearId=={}", office.year);
        let found = client.query(path, &query).await.expect(200).json();
        found["fyFinanceData"][0].clone()
    };
    let sent = |row: &Value| {
        json!({"fyFinanceData": [row], "updateType": "Commit", "totalRecords": 1,
               "worksheetName": "Spring"})
    };
    let mut wrong = row(&hist).await;
    wrong["fundStatus"] = json!("Red");
    let answer = client.put(path, &sent(&wrong)).await.expect(422);
    let wanted = answer.errors();
    assert_eq!(wanted.len(), 1, "{wanted:?}");
    assert!(wanted[0].starts_with("fundStatusIncorrect: "), "{wanted:?}");
    assert!(
        wanted[0].ends_with("{financeData[0].fundStatus=Red}"),
        "{wanted:?}"
    );
    // The name of the new budget is taken.
    let mut taken = row(&bare).await;
    taken["budgetAllocationChange"] = json!(5);
    taken["budgetName"] = json!("HIST-FY2026");
    let answer = client.put(path, &sent(&taken)).await.expect(500);
    assert_eq!(
        answer.errors(),
        ["failedToUpdateBudgets: Failed to update budgets"]
    );
    let mut frozen = row(&hist).await;
    frozen["budgetStatus"] = json!("Frozen");
    frozen["budgetAllocationChange"] = json!(5);
    let answer = client.put(path, &sent(&frozen)).await.expect(500);
    assert_eq!(
        answer.errors(),
        ["failedToCreateAllocations: Failed to create allocations"]
    );
    assert_eq!(office.amounts(&budget, "allocated").await, "100.0");
    assert_in_order(&office.library).await;
}

#[tokio::test]
async fn a_rollover_that_goes_on_is_not_deleted() {
    let office = Office::new().await;
    let client = &office.client;
    let _ = office.funded("HIST", 100.0).await;
    let budgets = json!([{"rolloverAllocation": true}]);
    let (id, _) = run(client, &body(&office, "Commit", &budgets, &initial())).await;
    let list = "/finance-storage/ledger-rollovers-progress";
    let query = format!("ledgerRolloverId=={id}");
    let found = client.query(list, &query).await.expect(200).json();
    let mut progress = found["ledgerFiscalYearRolloverProgresses"][0].clone();
    let one = format!("{list}/{}", progress["id"].as_str().expect("an id"));
    let rollover = format!("/finance-storage/ledger-rollovers/{id}");
    for (status, deleted) in [("In Progress", 422), ("Success", 204)] {
        progress["ordersRolloverStatus"] = json!(status);
        let _ = client.put(&one, &progress).await.expect(204);
        let answer = client.delete(&rollover).await.expect(deleted);
        if deleted == 422 {
            assert_eq!(answer.text, "Can't delete in progress rollover");
        }
    }
    let found = client.query(list, &query).await.expect(200).json();
    assert_eq!(found["totalRecords"], 0);
}
