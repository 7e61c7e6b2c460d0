//! Rollovers of ledgers, as far as orders go: what lines become, which orders lack encumbrances afterwards,
//! and one order encumbered again.

use serde_json::{Value, json};

use super::house::{House, ORDERS};
use super::{made, new_id, text};

async fn year(house: &House, code: &str, start: &str, end: &str) -> String {
    let year = json!({"name": code, "code": code, "series": "FY", "currency": "USD",
                      "periodStart": start, "periodEnd": end});
    text(&made(&house.client, "/finance-storage/fiscal-years", &year).await["id"])
}

/// Rolls a ledger over and waits for the end; gives the overall status.
async fn roll(house: &House, ledger: &str, years: (&str, &str), encumbrances: &Value) -> String {
    let body = json!({"ledgerId": ledger, "fromFiscalYearId": years.0, "toFiscalYearId": years.1,
        "rolloverType": "Commit", "restrictEncumbrance": true, "restrictExpenditures": true,
        "budgetsRollover": [{"rolloverAllocation": false}], "encumbrancesRollover": encumbrances});
    let made = made(&house.client, "/finance/ledger-rollovers", &body).await;
    let query = format!("ledgerRolloverId=={}", text(&made["id"]));
    const POLLS: usize = 5_000;
    for _ in 0..POLLS {
        let path = "/finance/ledger-rollovers-progress";
        let page = house.client.query(path, &query).await.expect(200).json();
        let progress = &page["ledgerFiscalYearRolloverProgresses"][0];
        match progress["overallRolloverStatus"].as_str() {
            Some(end @ ("Success" | "Error")) => return end.to_owned(),
            _ => tokio::task::yield_now().await,
        }
    }
    panic!("the rollover did not end");
}

/// The encumbrances of an order in a year as `amount/initial status`, with their ids.
async fn encumbered(house: &House, order: &Value, year: &str) -> Vec<(String, String)> {
    let id = text(&order["id"]);
    let query = format!("encumbrance.sourcePurchaseOrderId=={id} and fiscalYearId=={year}");
    let path = "/finance-storage/transactions";
    let found = house.found(path, &query, "transactions").await;
    let shown = |one: &Value| {
        let part = &one["encumbrance"];
        let (initial, status) = (&part["initialAmountEncumbered"], text(&part["status"]));
        (
            format!("{}/{initial} {status}", one["amount"]),
            text(&one["id"]),
        )
    };
    found.iter().map(shown).collect()
}

/// H7 and H8, and H14: with settings for all, for other types of orders, and without any.
#[tokio::test]
async fn lines_follow_the_settings_of_a_rollover() {
    let of =
        |kind: &str| json!([{"orderType": kind, "basedOn": "InitialAmount", "increaseBy": 10}]);
    for (settings, made, price, fyro, is_linked) in [
        (
            of("One-time"),
            "110.0/110.0 Unreleased",
            110.0,
            json!(10.0),
            true,
        ),
        // The encumbrance commits nothing, and the line keeps its price and its old link.
        (
            of("Ongoing"),
            "0.0/0.0 Unreleased",
            100.0,
            Value::Null,
            false,
        ),
        // As in FOLIO no setting is one for all: the encumbrance is released, and the line follows it.
        (json!([]), "0.0/0.0 Released", 0.0, json!(-100.0), true),
    ] {
        let house = House::new().await;
        let next = year(&house, "FY2151", "2151-01-01", "2151-12-31").await;
        let mut body = house.order("Open", &[house.line(1, 100.0)]);
        body["reEncumber"] = json!(true);
        let open = super::made(&house.client, ORDERS, &body).await;
        let closed = house.ordered("Open", &[house.line(1, 5.0)]).await;
        let _ = house.turn(&closed, "Closed").await.expect(204);
        let budget = json!({"name": "HIST-FY2151", "budgetStatus": "Planned", "fundId": house.fund,
                            "fiscalYearId": next});
        let _ = super::made(&house.client, "/finance-storage/budgets", &budget).await;
        let allocation = json!({"id": new_id(), "amount": 1000, "currency": "USD",
                                "fiscalYearId": next, "source": "User",
                                "transactionType": "Allocation", "toFundId": house.fund});
        let path = "/finance-storage/transactions/batch-all-or-nothing";
        let batch = json!({"transactionsToCreate": [allocation]});
        let _ = house.client.post(path, &batch).await.expect(204);
        let status = roll(&house, &house.ledger, (&house.year, &next), &settings).await;
        assert_eq!(status, "Success", "{settings}");
        let new = encumbered(&house, &open, &next).await;
        assert_eq!(new.len(), 1, "{settings}");
        assert_eq!(new[0].0, made, "{settings}");
        let line = house.stored(&open).await["compositePoLines"][0].clone();
        assert_eq!(line["cost"]["poLineEstimatedPrice"], price, "{settings}");
        let adjusted = line["cost"]["fyroAdjustmentAmount"].clone();
        assert_eq!(adjusted, fyro, "{settings}");
        let link = text(&line["fundDistribution"][0]["encumbrance"]);
        assert_eq!(link == new[0].1, is_linked, "{settings}");
        assert!(encumbered(&house, &closed, &next).await.is_empty());
        let line = house.stored(&closed).await["compositePoLines"][0].clone();
        let has_link = line["fundDistribution"][0].get("encumbrance").is_some();
        // Orders of other types are not looked at, open or closed.
        assert_eq!(has_link, !is_linked, "{settings}");
        house.in_order().await;
    }
}

/// §3.1: ledgers that are rolled over in part, funds that are in no ledger.
#[tokio::test]
async fn an_order_tells_that_it_lacks_encumbrances() {
    let house = House::new().await;
    let ledger = json!({"name": "Second", "code": "SEC", "fiscalYearOneId": house.year,
                        "ledgerStatus": "Active"});
    let ledger = made(&house.client, "/finance-storage/ledgers", &ledger).await;
    let (law, _) = house
        .funded("LAW", &json!({"ledgerId": ledger["id"]}))
        .await;
    let mut line = house.line(1, 100.0);
    let half = |fund: &str| json!({"fundId": fund, "distributionType": "percentage", "value": 50});
    line["fundDistribution"] = json!([half(&house.fund), half(&law)]);
    let order = house.ordered("Open", &[line.clone()]).await;
    let needs = async |order: &Value| house.stored(order).await["needReEncumber"].clone();
    assert_eq!(needs(&order).await, false);
    let past = year(&house, "FY1999", "1990-01-01", "1999-12-31").await;
    let years = (past.as_str(), house.year.as_str());
    let again = format!("{ORDERS}/{}/re-encumber", text(&order["id"]));
    // No ledger is rolled over: there is nothing to do.
    let nothing = "encumbrancesForReEncumberNotFound: The encumbrances were correctly created during the \
                   rollover or have already been updated.";
    let answer = house.client.post(&again, &json!({})).await.expect(409);
    assert_eq!(answer.errors(), [nothing]);
    assert_eq!(
        roll(&house, &house.ledger, years, &json!([])).await,
        "Success"
    );
    assert_eq!(needs(&order).await, true);
    let answer = house.client.post(&again, &json!({})).await.expect(400);
    let second = text(&ledger["id"]);
    let wanted = format!(
        "rolloverNotCompleted: Rollover has not been completed for some ledgers related to this order \
         {{ledgerIds={second}}}"
    );
    assert_eq!(answer.errors(), [wanted]);
    assert_eq!(roll(&house, &second, years, &json!([])).await, "Success");
    assert_eq!(needs(&order).await, false);
    let answer = house.client.post(&again, &json!({})).await.expect(409);
    assert_eq!(answer.errors(), [nothing]);
    line["fundDistribution"] = json!([half(&house.fund), half(&new_id())]);
    let lost = house.ordered("Pending", &[line.clone()]).await;
    assert_eq!(needs(&lost).await, true);
    line["fundDistribution"] = json!([]);
    let bare = house.ordered("Pending", &[line]).await;
    assert_eq!(needs(&bare).await, false);
    house.in_order().await;
}

/// An order that a rollover left out for want of money is encumbered when there is some.
#[tokio::test]
async fn one_order_is_encumbered_again() {
    let house = House::with(true).await;
    let past = year(&house, "FY1999", "1990-01-01", "1999-12-31").await;
    let budget = json!({"name": "HIST-FY1999", "budgetStatus": "Active", "fundId": house.fund,
                        "fiscalYearId": past});
    let _ = made(&house.client, "/finance-storage/budgets", &budget).await;
    let mut body = house.order("Pending", &[house.line(1, 100.0)]);
    body["reEncumber"] = json!(true);
    let order = made(&house.client, ORDERS, &body).await;
    let path = format!("/orders-storage/purchase-orders/{}", text(&order["id"]));
    let mut stored = house.get(&path).await;
    stored["workflowStatus"] = json!("Open");
    let _ = house.client.put(&path, &stored).await.expect(204);
    let old = |kind: &str, part: Value| {
        json!({"id": new_id(), "amount": 100, "currency": "USD", "fiscalYearId": past,
               "source": "User", "transactionType": kind, "encumbrance": part})
    };
    let mut allocation = old("Allocation", Value::Null);
    allocation["toFundId"] = json!(house.fund);
    let mut encumbrance = old(
        "Encumbrance",
        json!({"initialAmountEncumbered": 100, "status": "Unreleased", "orderType": "One-Time",
               "orderStatus": "Open", "subscription": false, "reEncumber": true,
               "sourcePurchaseOrderId": order["id"],
               "sourcePoLineId": order["compositePoLines"][0]["id"]}),
    );
    encumbrance["source"] = json!("PoLine");
    encumbrance["fromFundId"] = json!(house.fund);
    for one in [allocation, encumbrance] {
        let path = "/finance-storage/transactions/batch-all-or-nothing";
        let batch = json!({"transactionsToCreate": [one]});
        let _ = house.client.post(path, &batch).await.expect(204);
    }
    // All but 50 is spoken for.
    let greedy = house.ordered("Open", &[house.line(1, 950.0)]).await;
    let settings = json!([{"orderType": "One-time", "basedOn": "InitialAmount", "increaseBy": 10}]);
    let years = (past.as_str(), house.year.as_str());
    assert_eq!(roll(&house, &house.ledger, years, &settings).await, "Error");
    assert_eq!(house.stored(&order).await["needReEncumber"], true);
    let again = format!("{ORDERS}/{}/re-encumber", text(&order["id"]));
    let answer = house.client.post(&again, &json!({})).await.expect(422);
    let wanted = "fundCannotBePaid: Fund cannot be paid due to restrictions {funds=[HIST]}";
    assert_eq!(answer.errors(), [wanted]);
    assert!(encumbered(&house, &order, &house.year).await.is_empty());
    let _ = house.turn(&greedy, "Closed").await.expect(204);
    let _ = house.client.post(&again, &json!({})).await.expect(204);
    let new = encumbered(&house, &order, &house.year).await;
    assert_eq!(new.len(), 1);
    assert_eq!(new[0].0, "110.0/110.0 Unreleased");
    let stored = house.stored(&order).await;
    let line = &stored["compositePoLines"][0];
    assert_eq!(line["cost"]["poLineEstimatedPrice"], 110.0);
    assert_eq!(line["cost"]["fyroAdjustmentAmount"], 10.0);
    assert_eq!(text(&line["fundDistribution"][0]["encumbrance"]), new[0].1);
    assert_eq!(stored["needReEncumber"], false);
    assert_eq!(house.budget().await, "110, 0, 0, 0");
    house.in_order().await;
}
