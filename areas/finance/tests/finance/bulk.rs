//! Bulk changes of funds and budgets.

use serde_json::{Value, json};

use crate::office::Office;

const PATH: &str = "/finance/finance-data";

async fn row(office: &Office, fund: &str) -> Value {
    let query = format!("fundId=={fund} and fiscalYearId=={}", office.year);
    let found = office.client.query(PATH, &query).await.expect(200).json();
    found["fyFinanceData"][0].clone()
}

fn rows(kind: &str, rows: &[Value]) -> Value {
    json!({"fyFinanceData": rows, "updateType": kind, "totalRecords": rows.len(),
           "worksheetName": "Spring"})
}

#[tokio::test]
async fn rows_are_previewed_and_committed() {
    let office = Office::new().await;
    let client = &office.client;
    let (hist, budget) = office.funded("HIST", 100.0).await;
    let (law, of_law) = office.funded("LAW", 100.0).await;
    let bare = office.fund("BARE").await;
    let mut first = row(&office, &hist).await;
    assert_eq!(first["budgetCurrentAllocation"], json!(100.0));
    first["budgetAllocationChange"] = json!(25.5);
    first["budgetAllowableEncumbrance"] = json!(90);
    first["fundDescription"] = json!("Old books");
    first["transactionDescription"] = json!("Spring");
    let mut second = row(&office, &law).await;
    second["budgetAllocationChange"] = json!(-40);
    let mut third = row(&office, &bare).await;
    assert_eq!(third["budgetId"], Value::Null);
    third["budgetAllocationChange"] = json!(10);
    third["budgetStatus"] = json!("Frozen");
    let all = [first, second, third];
    let shown = client
        .put(PATH, &rows("Preview", &all))
        .await
        .expect(200)
        .json();
    assert_eq!(
        shown["fyFinanceData"][0]["budgetAfterAllocation"],
        json!(125.5)
    );
    let flags = |row: &Value| (row["isFundChanged"].clone(), row["isBudgetChanged"].clone());
    let shown = &shown["fyFinanceData"];
    assert_eq!(flags(&shown[0]), (json!(true), json!(true)));
    assert_eq!(flags(&shown[1]), (json!(false), json!(true)));
    assert_eq!(office.amounts(&budget, "allocated").await, "100.0");
    let _ = client.put(PATH, &rows("Commit", &all)).await.expect(204);
    let sums = "initialAllocation allocationTo allocationFrom allowableEncumbrance";
    assert_eq!(office.amounts(&budget, sums).await, "100.0 25.5 0.0 90.0");
    assert_eq!(
        office.amounts(&of_law, "allocated allocationFrom").await,
        "60.0 40.0"
    );
    assert_eq!(
        office.stored("funds", &hist).await["description"],
        "Old books"
    );
    let query = format!("fundId=={bare}");
    let made = client
        .query("/finance-storage/budgets", &query)
        .await
        .expect(200)
        .json();
    assert_eq!(made["budgets"][0]["name"], "BARE-FY2026");
    assert_eq!(made["budgets"][0]["budgetStatus"], "Frozen");
    assert_eq!(made["budgets"][0]["initialAllocation"], json!(10.0));
    let logs = client
        .get("/finance/fund-update-logs")
        .await
        .expect(200)
        .json();
    let log = &logs["fundUpdateLogs"][0];
    assert_eq!(
        (&log["status"], &log["jobName"]),
        (&json!("COMPLETED"), &json!("Spring"))
    );
    assert_eq!(
        (&log["jobNumber"], &log["recordsCount"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(
        log["jobDetails"]["fyFinanceData"][0]["isFundChanged"],
        json!(true)
    );
    octavo_server_testkit::assert_in_order(&office.library).await;
    // Without a name it is called after year, ledger and day; nothing at all is no change.
    let mut again = row(&office, &hist).await;
    again["budgetAllocationChange"] = json!(1);
    let mut body = rows("Commit", &[again]);
    body["worksheetName"] = Value::Null;
    let _ = client.put(PATH, &body).await.expect(204);
    let _ = client.put(PATH, &rows("Commit", &[])).await.expect(204);
    let query = "cql.allRecords=1 sortby jobNumber/sort.descending";
    let logs = client.query("/finance/fund-update-logs", query).await;
    let logs = logs.expect(200).json();
    assert_eq!(logs["totalRecords"], 2);
    let name = logs["fundUpdateLogs"][0]["jobName"]
        .as_str()
        .expect("a name");
    assert!(name.starts_with("FY2026-") && name.len() > 16, "{name}");
}

#[tokio::test]
async fn wrong_rows_change_nothing() {
    let office = Office::new().await;
    let client = &office.client;
    let (hist, budget) = office.funded("HIST", 100.0).await;
    let fine = row(&office, &hist).await;
    let mut wrong = fine.clone();
    wrong["fundCode"] = json!("LAW");
    wrong["budgetAllocationChange"] = json!(-100.5);
    wrong["budgetStatus"] = json!("Red");
    let refused = client
        .put(PATH, &rows("Commit", &[wrong]))
        .await
        .expect(422)
        .json();
    let errors = refused["errors"].as_array().expect("errors");
    let keys: Vec<&str> = errors
        .iter()
        .filter_map(|one| one["parameters"][0]["key"].as_str())
        .collect();
    assert_eq!(
        keys,
        [
            "financeData[0].fundCode",
            "financeData[0].budgetStatus",
            "financeData[0].budgetAllocationChange"
        ]
    );
    assert_eq!(errors[1]["code"], "budgetStatusIncorrect");
    let mut frozen = fine.clone();
    frozen["budgetStatus"] = json!("Frozen");
    frozen["budgetAllocationChange"] = json!(5);
    let refused = client
        .put(PATH, &rows("Commit", &[frozen]))
        .await
        .expect(500)
        .json();
    assert_eq!(refused["errors"][0]["code"], "failedToCreateAllocations");
    assert_eq!(
        office.stored("budgets", &budget).await["budgetStatus"],
        "Active"
    );
    let logs = client
        .get("/finance/fund-update-logs")
        .await
        .expect(200)
        .json();
    assert_eq!(logs["fundUpdateLogs"][0]["status"], "ERROR");
    let number = "/finance-storage/job-number?type=FundUpdateLogs";
    let next = client.get(number).await.expect(200).json();
    assert_eq!(next["sequenceNumber"], "2");
    let _ = client
        .get("/finance-storage/job-number?type=Other")
        .await
        .expect(400);
}
