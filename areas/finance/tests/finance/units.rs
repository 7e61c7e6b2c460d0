//! Acquisitions units: what a user sees, and may do with a fund.

use octavo_server_testkit::staff;
use serde_json::json;

use crate::office::{Office, new_id};

#[tokio::test]
async fn a_unit_protects_its_funds() {
    let office = Office::new().await;
    let admin = &office.client;
    let rights = [
        "finance.all",
        "finance.funds.all",
        "finance.budgets.all",
        "finance.transactions.all",
    ];
    let (member, member_id) = staff(&office.library, admin, "member", &rights).await;
    let (stranger, _) = staff(&office.library, admin, "stranger", &rights).await;
    let unit = new_id();
    let document = json!({"id": unit, "name": "Rare books", "protectRead": true,
        "protectCreate": true, "protectUpdate": true, "protectDelete": true});
    let _ = admin
        .post("/acquisitions-units/units", &document)
        .await
        .expect(201);
    let membership = json!({"userId": member_id, "acquisitionsUnitId": unit});
    let _ = admin
        .post("/acquisitions-units/memberships", &membership)
        .await
        .expect(201);
    let fund = json!({"fund": {"code": "RARE", "name": "Rare", "ledgerId": office.ledger,
        "fundStatus": "Active", "acqUnitIds": [unit]}});
    let refused = stranger
        .post("/finance/funds", &fund)
        .await
        .expect(403)
        .json();
    assert_eq!(refused["errors"][0]["code"], "userHasNoPermission");
    let made = member
        .post("/finance/funds", &fund)
        .await
        .expect(201)
        .json();
    let id = made["fund"]["id"].as_str().expect("an id").to_owned();
    let budget = json!({"name": "RARE-FY2026", "fundId": id, "fiscalYearId": office.year,
        "budgetStatus": "Active", "allocated": 10});
    let _ = member.post("/finance/budgets", &budget).await.expect(201);
    for (list, of_member) in [("funds", 1), ("budgets", 1), ("transactions", 1)] {
        let path = format!("/finance/{list}");
        let seen = member.get(&path).await.expect(200).json();
        assert_eq!(seen["totalRecords"], of_member, "{list}");
        let seen = stranger.get(&path).await.expect(200).json();
        assert_eq!(seen["totalRecords"], 0, "{list}");
    }
    let path = format!("/finance/funds/{id}");
    let _ = stranger.get(&path).await.expect(403);
    let _ = stranger.put(&path, &made).await.expect(403);
    let _ = stranger.delete(&path).await.expect(403);
    let read = member.get(&path).await.expect(200).json();
    let mut strange = read.clone();
    strange["fund"]["acqUnitIds"] = json!([unit, new_id()]);
    let refused = member.put(&path, &strange).await.expect(422).json();
    assert_eq!(refused["errors"][0]["code"], "fundAcqUnitsNotFound");
    let _ = member.put(&path, &read).await.expect(204);
}
