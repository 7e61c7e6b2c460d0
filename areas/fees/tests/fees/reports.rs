//! Reports: which actions they include, their rows, and their sums.

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{DESK, OWNER, PATRON, account, act, by, charge, text};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::Stock;

const DRAWER: &str = "/feefine-reports/cash-drawer-reconciliation";
const FINANCIAL: &str = "/feefine-reports/financial-transactions-detail";
const REFUNDS: &str = "/feefine-reports/refund";

/// An action as it was written at another time.
async fn acted(client: &Client, account: &str, name: &str, amount: f64, more: Value) {
    let mut body = json!({"accountId": account, "userId": PATRON, "typeAction": name,
        "amountAction": amount, "balance": 0, "createdAt": DESK, "source": "Desk, Jane",
        "paymentMethod": "Cash", "dateAction": "2026-03-01T15:30:00Z"});
    for (property, value) in more.as_object().expect("properties") {
        body[property] = value.clone();
    }
    let _ = client.post("/feefineactions", &body).await.expect(201);
}

async fn report(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.expect(200).json()
}

/// One property of all rows.
fn column(report: &Value, name: &str) -> Vec<String> {
    let rows = report["reportData"].as_array().expect("rows");
    rows.iter().map(|row| text(&row[name])).collect()
}

/// The sums of one way of grouping as `name amount count`.
fn sums(report: &Value, group: &str) -> Vec<String> {
    let entries = report["reportStats"][group].as_array().expect("sums");
    let line = |one: &Value| {
        let part = |name: &str| text(&one[name]);
        format!(
            "{} {} {}",
            part("name"),
            part("totalAmount"),
            part("totalCount")
        )
    };
    entries.iter().map(line).collect()
}

#[tokio::test]
async fn a_cash_drawer_lists_payments_and_their_cashiers() {
    let library = library().await;
    let client = library.client().await;
    let body = json!({"locale": "en-US", "currency": "USD", "timezone": "America/New_York"});
    let _ = client.put("/locale", &body).await.expect(201);
    let first = charge(&client, 100.0).await;
    let mut other = account(100.0);
    other["feeFineOwner"] = json!("Annex");
    other["feeFineType"] = json!("Late");
    let second = text(&client.post("/accounts", &other).await.expect(201).json()["id"]);
    let john = json!({"source": "Desk, John", "paymentMethod": "Card"});
    acted(
        &client,
        &first,
        "Paid partially",
        10.1,
        json!({"comments": "STAFF : seen \n PATRON : hi",
        "transactionInformation": "cheque 12"}),
    )
    .await;
    acted(&client, &first, "Paid fully", 0.2, john.clone()).await;
    acted(&client, &second, "Paid partially", 3.0, john).await;
    // Another act, another place, and the days around in the library's time zone.
    acted(&client, &first, "Waived partially", 1.0, json!({})).await;
    acted(
        &client,
        &first,
        "Paid partially",
        1.0,
        json!({"createdAt": Uuid::new_v4()}),
    )
    .await;
    for (date, counts) in [
        ("2026-03-01T04:59:59.999Z", false),
        ("2026-03-01T05:00:00Z", true),
        ("2026-03-02T04:59:59.999Z", true),
        ("2026-03-02T05:00:00Z", false),
    ] {
        let amount = if counts { 0.01 } else { 500.0 };
        acted(
            &client,
            &first,
            "Paid partially",
            amount,
            json!({"dateAction": date}),
        )
        .await;
    }
    let day = json!({"startDate": "2026-03-01", "endDate": "2026-03-01", "createdAt": DESK});
    let answer = report(&client, DRAWER, day.clone()).await;
    assert_eq!(
        column(&answer, "feeFineOwner"),
        [
            "Annex",
            "Main library",
            "Main library",
            "Main library",
            "Main library"
        ]
    );
    assert_eq!(
        column(&answer, "paidAmount"),
        ["3.00", "0.01", "10.10", "0.01", "0.20"]
    );
    assert_eq!(
        answer["reportData"][2],
        json!({"source": "Desk, Jane", "paymentMethod": "Cash", "paidAmount": "10.10",
               "feeFineOwner": "Main library", "feeFineType": "Damage",
               "paymentDate": "3/1/26 10:30 AM", "paymentStatus": "Paid partially",
               "transactionInfo": "cheque 12", "additionalStaffInfo": "seen",
               "additionalPatronInfo": "hi", "patronId": PATRON, "feeFineId": first})
    );
    assert_eq!(column(&answer, "paymentDate")[1], "3/1/26 12:00 AM");
    assert_eq!(
        sums(&answer, "bySource"),
        [
            "Desk, John 3.20 2",
            "Desk, Jane 10.12 3",
            "Source totals 13.32 5"
        ]
    );
    assert_eq!(
        sums(&answer, "byPaymentMethod"),
        [
            "Card 3.20 2",
            "Cash 10.12 3",
            "Payment method totals 13.32 5"
        ]
    );
    assert_eq!(sums(&answer, "byFeeFineType")[1], "Damage 10.32 4");
    assert_eq!(sums(&answer, "byFeeFineOwner")[0], "Annex 3.00 1");
    let mut by_john = day;
    by_john["sources"] = json!(["Desk, John"]);
    let answer = report(&client, DRAWER, by_john).await;
    assert_eq!(column(&answer, "paidAmount"), ["3.00", "0.20"]);
    let sources = format!("{DRAWER}/sources");
    let answer = report(&client, &sources, json!({"createdAt": DESK})).await;
    assert_eq!(answer, json!({"sources": ["Desk, Jane", "Desk, John"]}));
    let answer = report(&client, &sources, json!({"createdAt": Uuid::new_v4()})).await;
    assert_eq!(answer, json!({"sources": []}));
    // Nobody paid on that day: no rows, and sums of nothing.
    let none = json!({"startDate": "2020-01-01", "endDate": "2020-01-02", "createdAt": DESK});
    let answer = report(&client, DRAWER, none).await;
    assert_eq!(answer["reportData"], json!([]));
    assert_eq!(sums(&answer, "bySource"), ["Source totals 0.00 0"]);
}

#[tokio::test]
async fn all_transactions_of_an_owner_are_listed_with_their_accounts() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let patron = stock.patron("p-1").await;
    let mut body = account(20.0);
    body["itemId"] = json!(item);
    body["userId"] = json!(patron);
    let id = text(&client.post("/accounts", &body).await.expect(201).json()["id"]);
    let first = json!({"paymentMethod": null, "dateAction": "2026-03-01T08:00:00Z"});
    acted(client, &id, "Damage", 20.0, first).await;
    acted(client, &id, "Paid partially", 5.0, json!({})).await;
    let why = json!({"paymentMethod": "Goodwill", "dateAction": "2026-03-01T16:00:00Z"});
    acted(client, &id, "Waived partially", 2.0, why).await;
    let credit = json!({"dateAction": "2026-03-01T17:00:00Z"});
    acted(client, &id, "Credited fully", 5.0, credit).await;
    let others = charge(client, 1.0).await;
    let path = format!("/accounts/{others}");
    let mut changed = super::stored(client, &others).await;
    changed["ownerId"] = json!(Uuid::new_v4());
    let _ = client.put(&path, &changed).await.expect(204);
    acted(client, &others, "Paid fully", 1.0, json!({})).await;
    let wanted = json!({"startDate": "2026-03-01", "endDate": "2026-03-01", "feeFineOwner": OWNER,
                        "createdAt": [DESK]});
    let answer = report(client, FINANCIAL, wanted.clone()).await;
    assert_eq!(column(&answer, "action"), ["Payment", "Waive"]);
    let row = &answer["reportData"][0];
    for (name, value) in [
        ("actionAmount", json!("5.00")),
        ("actionDate", json!("3/1/26 3:30 PM")),
        ("actionCreatedAt", json!("Circ Desk 1")),
        ("actionSource", json!("Desk, Jane")),
        ("actionStatus", json!("Paid partially")),
        ("paymentMethod", json!("Cash")),
        ("waiveReason", json!("")),
        ("billedAmount", json!("20.00")),
        ("dateBilled", json!("3/1/26 8:00 AM")),
        ("feeFineCreatedAt", json!("Circ Desk 1")),
        ("feeFineId", json!(id)),
        ("patronId", json!(patron)),
        ("patronBarcode", json!("p-1")),
        ("itemBarcode", json!("i-1")),
        ("itemId", json!(item)),
        ("instanceId", json!(stock.instance)),
        ("holdingsRecordId", json!(stock.holdings)),
        ("dueDate", json!("")),
    ] {
        assert_eq!(row[name], value, "{name}");
    }
    assert!(row["patronName"].is_string() && row["instance"].is_string());
    assert_eq!(row.get("loanId"), None);
    assert_eq!(answer["reportData"][1]["waiveReason"], "Goodwill");
    assert_eq!(
        sums(&answer, "byAction"),
        ["Payment 5.00 1", "Waive 2.00 1", "Action totals 7.00 2"]
    );
    assert_eq!(
        sums(&answer, "byPaymentMethod"),
        ["Cash 5.00 1", "Payment method totals 5.00 1"]
    );
    assert_eq!(
        sums(&answer, "byRefundReason"),
        ["Refund reason totals 0.00 0"]
    );
    let mut elsewhere = wanted;
    elsewhere["createdAt"] = json!([Uuid::new_v4()]);
    assert_eq!(
        report(client, FINANCIAL, elsewhere).await["reportData"],
        json!([])
    );
}

#[tokio::test]
async fn refunds_are_listed_with_earlier_payments() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let mut body = account(10.0);
    body["itemId"] = json!(item);
    let id = text(&client.post("/accounts", &body).await.expect(201).json()["id"]);
    let _ = act(client, &id, "pay", &by("4")).await.expect(201);
    let mut card = by("2");
    card["paymentMethod"] = json!("Card");
    let _ = act(client, &id, "pay", &card).await.expect(201);
    let mut bursar = by("4");
    bursar["paymentMethod"] = json!("Bursar");
    let _ = act(client, &id, "transfer", &bursar).await.expect(201);
    let mut why = by("8");
    why["paymentMethod"] = json!("Mistake");
    why["comments"] = json!("STAFF : oops \n PATRON : sorry");
    let _ = act(client, &id, "refund", &why).await.expect(201);
    let answer = report(client, REFUNDS, json!({})).await;
    assert_eq!(answer.get("reportStats"), None);
    let mut rows = answer["reportData"].as_array().cloned().expect("rows");
    rows.sort_by_key(|row| text(&row["refundAmount"]));
    let [to_bursar, to_patron] = rows.as_slice() else {
        panic!("two rows: {answer}")
    };
    for (row, name, value) in [
        (to_patron, "refundAmount", "6.00"),
        (to_patron, "paidAmount", "6.00"),
        (to_patron, "paymentMethod", "Multiple"),
        (to_patron, "transactionInfo", "cheque 12"),
        (to_patron, "refundReason", "Mistake"),
        (to_patron, "refundAction", "Refunded fully"),
        (to_patron, "staffInfo", "oops"),
        (to_patron, "patronInfo", "sorry"),
        (to_patron, "billedAmount", "10.00"),
        (to_patron, "itemBarcode", "i-1"),
        (to_patron, "feeFineOwner", "Main library"),
        (to_bursar, "refundAmount", "2.00"),
        (to_bursar, "transferredAmount", "4.00"),
        (to_bursar, "transferAccount", "Bursar"),
    ] {
        assert_eq!(row[name], value, "{name}");
    }
    assert_eq!(
        (
            to_patron.get("transferAccount"),
            to_bursar.get("paidAmount")
        ),
        (None, None)
    );
    let other = json!({"feeFineOwners": [Uuid::new_v4()]});
    assert_eq!(
        report(client, REFUNDS, other).await["reportData"],
        json!([])
    );
    let own = json!({"feeFineOwners": [OWNER], "startDate": "2020-01-01"});
    assert_eq!(
        column(&report(client, REFUNDS, own).await, "feeFineId").len(),
        2
    );
}

#[tokio::test]
async fn what_is_no_report() {
    let library = library().await;
    let client = library.client().await;
    let invalid = "Invalid startDate or endDate parameter";
    let table = [
        (
            REFUNDS,
            json!({"endDate": "2026-01-01"}),
            "Start date should not be empty when end date is specified",
        ),
        (REFUNDS, json!({"startDate": "yesterday"}), invalid),
        (
            DRAWER,
            json!({"startDate": "2026-01-01", "endDate": "2026-02-30", "createdAt": DESK}),
            invalid,
        ),
        (
            FINANCIAL,
            json!({"startDate": "01/02/2026", "feeFineOwner": OWNER}),
            invalid,
        ),
    ];
    for (path, body, message) in table {
        assert_eq!(
            client.post(path, &body).await.expect(422).text,
            message,
            "{path} {body}"
        );
    }
    for (path, body, key) in [
        (DRAWER, json!({"startDate": "2026-01-01"}), "createdAt"),
        (DRAWER, json!({"createdAt": DESK}), "startDate"),
        (
            FINANCIAL,
            json!({"startDate": "2026-01-01"}),
            "feeFineOwner",
        ),
        (REFUNDS, json!({"owner": "x"}), ""),
    ] {
        let answer = client.post(path, &body).await.expect(422).json();
        assert_eq!(
            answer["errors"][0]["parameters"][0]["key"], key,
            "{path} {body}"
        );
    }
}
