//! Totals of ledgers, groups and fiscal years; fiscal years; funds with groups.

use serde_json::{Value, json};

use crate::office::{Office, fiscal_year, ledger, new_id};

const NAMES: [&str; 7] = [
    "initialAllocation",
    "allocationTo",
    "allocationFrom",
    "netTransfers",
    "totalFunding",
    "unavailable",
    "available",
];

fn amounts(of: &Value) -> String {
    let amounts = NAMES.map(|name| {
        of[name]
            .as_f64()
            .map_or("-".to_owned(), |it| it.to_string())
    });
    amounts.join(" ")
}

#[tokio::test]
async fn inner_movements_vanish_in_totals() {
    let mut office = Office::new().await;
    let general = office.ledger.clone();
    let (a, budget_a) = office.funded("A", 500.0).await;
    let (b, budget_b) = office.funded("B", 300.0).await;
    office.ledger = ledger(&office.client, "OTHER", &office.year, false).await;
    let (x, _) = office.funded("X", 100.0).await;
    office
        .create(&[office.allocation(20.0, None, Some(&a))])
        .await;
    office
        .create(&[office.allocation(50.0, Some(&a), Some(&b))])
        .await;
    let mut transfer = office.transaction("Transfer", 40.0);
    transfer["fromFundId"] = json!(x);
    transfer["toFundId"] = json!(b);
    office.create(&[transfer]).await;
    office
        .create(&[office.of_invoice("Pending payment", 100.0, &b, &new_id())])
        .await;
    office.create(&[office.encumbrance(60.0, &b)]).await;
    let client = &office.client;
    assert_eq!(
        amounts(&office.stored("budgets", &budget_a).await),
        "500 20 50 0 470 0 470"
    );
    assert_eq!(
        amounts(&office.stored("budgets", &budget_b).await),
        "300 50 0 40 390 160 230"
    );
    let path = format!("/finance/ledgers/{general}?fiscalYear={}", office.year);
    let found = client.get(&path).await.expect(200).json();
    assert_eq!(amounts(&found), "800 20 0 40 860 160 700", "O3");
    let list = format!(
        "/finance/ledgers?query=code==GEN&fiscalYear={}",
        office.year
    );
    let found = client.get(&list).await.expect(200).json();
    assert_eq!(amounts(&found["ledgers"][0]), "800 20 0 40 860 160 700");
    let bare = client
        .get(&format!("/finance/ledgers/{general}"))
        .await
        .expect(200)
        .json();
    assert_eq!(bare["totalFunding"], json!(null));
    let refused = client
        .get(&format!(
            "/finance/ledgers/{general}?fiscalYear={}",
            new_id()
        ))
        .await;
    assert_eq!(
        refused.expect(400).json()["errors"][0]["code"],
        "fiscalYearNotFound"
    );
    let group = new_id();
    let document = json!({"id": group, "name": "G", "code": "G", "status": "Active"});
    let _ = client.post("/finance/groups", &document).await.expect(201);
    let place = json!({"groupId": group, "fundId": a, "fiscalYearId": office.year});
    let place = client
        .post("/finance/group-fund-fiscal-years", &place)
        .await
        .expect(201)
        .json();
    assert_eq!(place["budgetId"], budget_a.as_str());
    let query = format!("groupId=={group}");
    let found = client
        .query("/finance/group-fiscal-year-summaries", &query)
        .await;
    let found = found.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
    assert_eq!(
        amounts(&found["groupFiscalYearSummaries"][0]),
        "500 20 50 0 470 0 470",
        "O4"
    );
    let path = format!(
        "/finance/fiscal-years/{}?withFinancialSummary=true",
        office.year
    );
    let found = client.get(&path).await.expect(200).json();
    let summary = &found["financialSummary"];
    assert_eq!(summary["allocationTo"], json!(70.0));
    assert_eq!(summary["allocationFrom"], json!(50.0));
    // X gave 40 of its 100 to B.
    assert_eq!(summary["totalFunding"], json!(920.0));
}

#[tokio::test]
async fn fiscal_years_have_a_series_and_the_currency() {
    let office = Office::new().await;
    let client = &office.client;
    let year = |code: &str, end: &str| {
        json!({"name": code, "code": code, "currency": "XYZ",
               "periodStart": "2030-01-01T00:00:00Z", "periodEnd": end})
    };
    let made = client
        .post(
            "/finance/fiscal-years",
            &year("LAB2030", "2030-12-31T00:00:00Z"),
        )
        .await;
    let made = made.expect(201).json();
    assert_eq!(
        (&made["series"], &made["currency"]),
        (&json!("LAB"), &json!("USD"))
    );
    for (body, code) in [
        (
            year("LAB30", "2030-12-31T00:00:00Z"),
            "invalidFiscalYearCode",
        ),
        (
            year("LAB2031", "2029-12-31T00:00:00Z"),
            "fiscalYearInvalidPeriod",
        ),
    ] {
        let refused = client
            .post("/finance/fiscal-years", &body)
            .await
            .expect(422)
            .json();
        assert_eq!(refused["errors"][0]["code"], code);
    }
    let current = format!("/finance/ledgers/{}/current-fiscal-year", office.ledger);
    let found = client.get(&current).await.expect(200).json();
    assert_eq!(found["id"], office.year.as_str());
    let past = fiscal_year(client, "OLD1990", "1990-01-01", "1990-12-31").await;
    let old = ledger(client, "OLD", &past, false).await;
    let refused = client
        .get(&format!("/finance/ledgers/{old}/current-fiscal-year"))
        .await;
    assert_eq!(
        refused.expect(404).json()["errors"][0]["code"],
        "currentFiscalYearNotFound"
    );
}

#[tokio::test]
async fn a_fund_joins_groups_of_the_current_year() {
    let office = Office::new().await;
    let client = &office.client;
    let mut groups = Vec::new();
    for code in ["G", "H"] {
        let id = new_id();
        let group = json!({"id": id, "name": code, "code": code, "status": "Active"});
        let _ = client.post("/finance/groups", &group).await.expect(201);
        groups.push(id);
    }
    let fund = |ledger: &str, code: &str| json!({"code": code, "name": code, "ledgerId": ledger, "fundStatus": "Active"});
    let body = json!({"fund": fund(&office.ledger, "HIST"), "groupIds": [groups[0]]});
    let mut made = client
        .post("/finance/funds", &body)
        .await
        .expect(201)
        .json();
    let id = made["fund"]["id"].as_str().expect("an id").to_owned();
    let path = format!("/finance/funds/{id}");
    let budget = json!({"name": "HIST-FY2026", "fundId": id, "fiscalYearId": office.year,
                        "budgetStatus": "Active", "allocated": 0});
    let budget = client
        .post("/finance/budgets", &budget)
        .await
        .expect(201)
        .json();
    let places = format!("fundId=={id}");
    let found = client
        .query("/finance/group-fund-fiscal-years", &places)
        .await
        .expect(200)
        .json();
    assert_eq!(found["groupFundFiscalYears"][0]["budgetId"], budget["id"]);
    made["groupIds"] = json!([groups[1]]);
    let _ = client.put(&path, &made).await.expect(204);
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["groupIds"], json!([groups[1]]));
    let mut strange = read.clone();
    strange["groupIds"] = json!([new_id()]);
    let refused = client.put(&path, &strange).await.expect(422).json();
    assert_eq!(refused["errors"][0]["code"], "groupNotFound");
    let past = fiscal_year(client, "OLD1990", "1990-01-01", "1990-12-31").await;
    let old = ledger(client, "OLD", &past, false).await;
    let body = json!({"fund": fund(&old, "OLD"), "groupIds": [groups[0]]});
    let refused = client
        .post("/finance/funds", &body)
        .await
        .expect(422)
        .json();
    assert_eq!(refused["errors"][0]["code"], "fiscalYearsNotFound");
    let body = json!({"fund": fund(&old, "OLD")});
    let made = client
        .post("/finance/funds", &body)
        .await
        .expect(201)
        .json();
    let path = format!(
        "/finance/funds/{}",
        made["fund"]["id"].as_str().expect("an id")
    );
    let _ = client.delete(&path).await.expect(204);
    let _ = client.delete(&path).await.expect(404);
}
