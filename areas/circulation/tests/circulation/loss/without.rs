//! What is missing where items are lost: records of fee types, loans.

use serde_json::json;

use super::super::support::{refused, sql};
use super::*;

/// A library that was set up without the reference data has no such type; clients cannot delete it.
async fn forget_type(library: &Library, name: &str) {
    let database = &library.platform.store.database;
    let sql = "DELETE FROM tenant_diku.feefines WHERE jsonb->>'feeFineType' = $1";
    let _ = database.execute(sql, &[&name]).await.expect("it goes");
}

#[tokio::test]
async fn a_fee_that_has_no_type_is_not_charged_and_said() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    forget_type(&library, "Lost item processing fee").await;
    // Actual costs are found out meanwhile; paid, they end the loan, and cancelled too.
    let mut policy = actual_cost();
    policy["lostItemProcessingFee"] = json!(5.0);
    policy["chargeAmountItemSystem"] = json!(true);
    policy["chargeAmountItemPatron"] = json!(true);
    policy["itemAgedLostOverdue"] = minute();
    charge(client, policy).await;
    let (paid, declared) = (lend(&stock, "1").await, lend(&stock, "2").await);
    let body = json!({"servicePointId": CIRC_DESK_1});
    refused(
        declared.act(client, "declare-item-lost", body).await,
        "Expected automated fee of type Lost item processing fee",
        "feeFineType",
        "Lost item processing fee",
    );
    assert_eq!(declared.item_status(client).await, "Checked out");
    run(&library.platform, AGE).await;
    run(&library.platform, BILL).await;
    run(&library.platform, BILL).await;
    for lent in [&paid, &declared] {
        assert_eq!(lent.item_status(client).await, "Aged to lost");
        assert_eq!(lent.actual_costs(&library).await, ["Open, Aged to lost"]);
        assert_eq!(lent.owed(client).await, Vec::<String>::new());
    }
    let _ = paid
        .owe(client, "Lost item fee (actual cost)", "Closed")
        .await;
    paid.tell_of_closed_fee(client).await;
    let records = "/actual-cost-record-storage/actual-cost-records";
    let query = format!("loan.id=={}", declared.loan);
    let found = client.query(records, &query).await.expect(200).json();
    let mut record = found["actualCostRecords"][0].clone();
    record["status"] = json!("Cancelled");
    let path = format!("{records}/{}", id(&record));
    let _ = client.put(&path, &record).await.expect(204);
    declared.tell_of_closed_fee(client).await;
    for lent in [&paid, &declared] {
        assert_eq!(lent.item_status(client).await, "Lost and paid");
    }
}

#[tokio::test]
async fn a_lost_item_without_a_loan_that_lost_it_is_taken_in_and_the_desk_is_told() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let never = stock
        .item_of(
            "i-never",
            octavo_server_testkit::stock::DVD,
            "Lost and paid",
        )
        .await;
    refused(
        client.post(IN, &check_in("i-never", CIRC_DESK_1)).await,
        "Item is lost however there is no aged to lost nor declared lost loan found",
        "itemId",
        &never,
    );
    let lent = lend(&stock, "1").await;
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    let mut item = lent.item(client).await;
    item["status"]["name"] = json!("Lost and paid");
    let path = format!("/item-storage/items/{}", lent.item);
    let _ = client.put(&path, &item).await.expect(204);
    refused(
        client.post(IN, &check_in("i-1", CIRC_DESK_1)).await,
        "Last loan for lost item is neither aged to lost nor declared lost",
        "loanId",
        &lent.loan,
    );
    for barcode in ["i-never", "i-1"] {
        let back = check_in(barcode, CIRC_DESK_1);
        let answer = client.post(IN, &back).await.expect(200).json();
        assert_eq!(answer["item"]["status"]["name"], "Available");
    }
}

#[tokio::test]
async fn an_actual_cost_has_the_librarys_own_type_or_the_loss_waits_for_one() {
    const NAME: &str = "Lost item fee (actual cost)";
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    forget_type(&library, NAME).await;
    let mut policy = actual_cost();
    policy["itemAgedLostOverdue"] = minute();
    charge(client, policy).await;
    let (aged, declared) = (lend(&stock, "1").await, lend(&stock, "2").await);
    let body = json!({"servicePointId": CIRC_DESK_1});
    refused(
        declared
            .act(client, "declare-item-lost", body.clone())
            .await,
        "Expected automated fee of type Lost item fee (actual cost)",
        "feeFineType",
        NAME,
    );
    assert_eq!(declared.item_status(client).await, "Checked out");
    let own = json!({"feeFineType": NAME, "automatic": true});
    let path = "/feefines";
    let forgotten = "SELECT count(*) FROM tenant_diku.actual_cost_record";
    run(&library.platform, AGE).await;
    run(&library.platform, BILL).await;
    assert_eq!(sql(&library, forgotten).await, [0]);
    let own = client.post(path, &own).await.expect(201).json();
    // Both have aged to lost; the one is declared lost now, and the other waits no longer.
    let _ = declared
        .act(client, "declare-item-lost", body)
        .await
        .expect(204);
    run(&library.platform, BILL).await;
    assert_eq!(aged.actual_costs(&library).await, ["Open, Aged to lost"]);
    let declared = declared.actual_costs(&library).await;
    assert_eq!(declared, ["Open, Declared lost"]);
    let path = "/actual-cost-record-storage/actual-cost-records";
    let records = client.get(path).await.expect(200).json();
    for record in records["actualCostRecords"].as_array().expect("a list") {
        let fee = &record["feeFine"];
        assert_eq!((&fee["typeId"], &fee["type"]), (&own["id"], &json!(NAME)));
    }
}

#[tokio::test]
async fn a_loss_is_declared_at_a_date_and_never_at_a_number() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = lend(&stock, "1").await;
    for (sent, shown) in [
        (json!(1_700_000_000_000_i64), "1700000000000"),
        (json!(true), "true"),
        (json!("soon"), "soon"),
    ] {
        let body = json!({"declaredLostDateTime": sent, "servicePointId": CIRC_DESK_1});
        refused(
            lent.act(client, "declare-item-lost", body).await,
            &format!("Text '{shown}' could not be parsed as a date and time"),
            "declaredLostDateTime",
            shown,
        );
    }
    assert_eq!(lent.item_status(client).await, "Checked out");
    // Nor does any other act at the desk take one.
    let number = json!(1_700_000_000_000_i64);
    for (act, name) in [
        ("claim-item-returned", "itemClaimedReturnedDateTime"),
        ("change-due-date", "dueDate"),
    ] {
        let answer = lent.act(client, act, json!({name: number})).await;
        assert_eq!(answer.status, 422, "{act}: {}", answer.text);
    }
    let _ = stock.item("i-2").await;
    let mut lending = check_out("i-2", "p-1");
    lending["loanDate"] = number.clone();
    let answer = client.post(OUT, &lending).await;
    assert!((400..=422).contains(&answer.status), "{}", answer.text);
    let mut back = check_in("i-1", CIRC_DESK_1);
    back["checkInDate"] = number.clone();
    let answer = client.post(IN, &back).await;
    assert_eq!(answer.status, 422, "{}", answer.text);
    let renewal = json!({"itemBarcode": "i-1", "userBarcode": "p-1", "overrideBlocks": {
        "comment": "x", "renewalDueDateRequiredBlock": {"dueDate": number}}});
    let answer = client.post("/circulation/renew-by-barcode", &renewal).await;
    assert!((400..=422).contains(&answer.status), "{}", answer.text);
    assert_eq!(lent.item_status(client).await, "Checked out");
}
