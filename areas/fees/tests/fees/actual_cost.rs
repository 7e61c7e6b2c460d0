//! Actual costs of lost items, billed or cancelled by staff.

use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{DESK, act, by, history, in_order, lending_library, standing, text};
use octavo_server_testkit::stock::{Stock, check_out};

const RECORDS: &str = "/actual-cost-record-storage/actual-cost-records";

/// A lost item whose cost is to be found out: the record of it.
async fn lost() -> (Library, Stock, Value) {
    let (library, stock) = lending_library().await;
    let client = &stock.client;
    let _ = stock.item("i-1").await;
    let _ = stock.patron("p-1").await;
    let out = "/circulation/check-out-by-barcode";
    let loan = client
        .post(out, &check_out("i-1", "p-1"))
        .await
        .expect(201)
        .json();
    let path = format!("/circulation/loans/{}/declare-item-lost", text(&loan["id"]));
    let body = json!({"declaredLostDateTime": "2026-03-01T10:00:00Z", "servicePointId": DESK});
    let _ = client.post(&path, &body).await.expect(204);
    let record = client.get(RECORDS).await.expect(200).json()["actualCostRecords"][0].clone();
    (library, stock, record)
}

async fn item_status(client: &Client, record: &Value) -> String {
    let path = format!("/item-storage/items/{}", text(&record["item"]["id"]));
    text(&client.get(&path).await.expect(200).json()["status"]["name"])
}

#[tokio::test]
async fn a_cost_is_billed_and_paid_and_the_loan_ends() {
    let (library, stock, record) = lost().await;
    let client = &stock.client;
    let bill = json!({"actualCostRecordId": record["id"], "amount": 12.5, "servicePointId": DESK,
                      "additionalInfoForStaff": "asked the shop",
                      "additionalInfoForPatron": "list price"});
    let billed = client
        .post("/actual-cost-fee-fine/bill", &bill)
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&billed["status"], &billed["feeFine"]["billedAmount"]),
        (&json!("Billed"), &json!(12.5))
    );
    let id = text(&billed["feeFine"]["accountId"]);
    let stored = client
        .get(&format!("{RECORDS}/{}", text(&record["id"])))
        .await
        .expect(200)
        .json();
    assert_eq!(stored["feeFine"], billed["feeFine"]);
    assert_eq!(stored["additionalInfoForPatron"], "list price");
    let account = super::stored(client, &id).await;
    for (name, value) in [
        ("amount", json!(12.5)),
        ("feeFineType", json!("Lost item fee (actual cost)")),
        ("feeFineOwner", json!("Main library")),
        ("loanId", record["loan"]["id"].clone()),
        ("userId", record["user"]["id"].clone()),
        ("barcode", json!("i-1")),
        ("instanceId", json!(stock.instance)),
    ] {
        assert_eq!(account[name], value, "{name}");
    }
    assert_eq!(standing(client, &id).await, "12.5 Open Outstanding");
    assert_eq!(
        history(client, &id).await,
        ["Lost item fee (actual cost) 12.5 12.5"]
    );
    let query = format!("accountId=={id}");
    let action = client
        .query("/feefineactions", &query)
        .await
        .expect(200)
        .json();
    let action = &action["feefineactions"][0];
    assert_eq!(
        action["comments"],
        "STAFF : asked the shop \n PATRON : list price"
    );
    assert_eq!(action["transactionInformation"], "-");
    assert!(action["source"].is_string());
    let again = client
        .post("/actual-cost-fee-fine/bill", &bill)
        .await
        .expect(422);
    let message = format!(
        "Actual cost record {} is already Billed",
        text(&record["id"])
    );
    assert_eq!(again.text, message);
    assert_eq!(item_status(client, &record).await, "Declared lost");
    let _ = act(client, &id, "pay", &by("12.50")).await.expect(201);
    assert_eq!(item_status(client, &record).await, "Lost and paid");
    in_order(&library).await;
}

#[tokio::test]
async fn a_cost_that_is_not_billed_ends_the_loan() {
    let (library, stock, record) = lost().await;
    let client = &stock.client;
    let path = "/actual-cost-fee-fine/cancel";
    let cancel = json!({"actualCostRecordId": record["id"], "additionalInfoForStaff": "a gift"});
    let cancelled = client.post(path, &cancel).await.expect(201).json();
    assert_eq!(cancelled["status"], "Cancelled");
    assert_eq!(cancelled["additionalInfoForStaff"], "a gift");
    assert_eq!(item_status(client, &record).await, "Lost and paid");
    let again = client.post(path, &cancel).await.expect(422);
    assert!(
        again.text.ends_with(" is already Cancelled"),
        "{}",
        again.text
    );
    in_order(&library).await;
}

#[tokio::test]
async fn what_cannot_be_billed() {
    let (_library, stock, record) = lost().await;
    let client = &stock.client;
    let path = "/actual-cost-fee-fine/bill";
    let nobody = Uuid::new_v4();
    let bill = |id: Value, amount: Value| json!({"actualCostRecordId": id, "amount": amount});
    let answer = client
        .post(path, &bill(json!(nobody), json!(1)))
        .await
        .expect(422);
    assert_eq!(
        answer.text,
        format!("ActualCostRecord {nobody} was not found")
    );
    for amount in [json!(0), json!(-3)] {
        let answer = client
            .post(path, &bill(record["id"].clone(), amount))
            .await
            .expect(422);
        assert_eq!(answer.text, "Amount must be positive");
    }
    let answer = client
        .post(path, &bill(record["id"].clone(), json!(1e14)))
        .await
        .expect(422);
    assert!(
        answer.text.starts_with("Amount is too large"),
        "{}",
        answer.text
    );
    let answer = client
        .post(path, &json!({"amount": 1}))
        .await
        .expect(422)
        .json();
    assert_eq!(
        answer["errors"][0]["parameters"][0]["key"],
        "actualCostRecordId"
    );
    assert_eq!(item_status(client, &record).await, "Declared lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_bill_a_cost_one_does() {
    let (library, stock, record) = lost().await;
    let client = &stock.client;
    let bill = json!({"actualCostRecordId": record["id"], "amount": 5});
    let path = "/actual-cost-fee-fine/bill";
    let answers = futures_util::future::join_all((0..6).map(|_| client.post(path, &bill))).await;
    let billed = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(billed, 1);
    assert!(
        answers
            .iter()
            .all(|answer| matches!(answer.status, 201 | 422))
    );
    let accounts = client.get("/accounts").await.expect(200).json();
    assert_eq!(accounts["totalRecords"], 1);
    in_order(&library).await;
}
