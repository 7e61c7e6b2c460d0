//! Accounts about lost items: when the last one is closed, the loan ends with it.

use futures_util::future::{join, join_all};
use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{DESK, account, act, all_by, by, events_of, in_order, lending_library, text};
use octavo_server_testkit::stock::{Stock, check_out};

const OUT: &str = "/circulation/check-out-by-barcode";
const IN: &str = "/circulation/check-in-by-barcode";

struct Lost {
    loan: String,
    item: String,
    user: Value,
}

/// An item that was lent and declared lost. There is no record of its actual cost any more.
async fn lose(stock: &Stock, name: &str) -> Lost {
    let client = &stock.client;
    let (item, patron) = (format!("i-{name}"), format!("p-{name}"));
    let id = stock.item(&item).await;
    let _ = stock.patron(&patron).await;
    let loan = client
        .post(OUT, &check_out(&item, &patron))
        .await
        .expect(201)
        .json();
    let lost = Lost {
        loan: text(&loan["id"]),
        item: id,
        user: loan["userId"].clone(),
    };
    let body = json!({"declaredLostDateTime": "2026-03-01T10:00:00Z", "servicePointId": DESK});
    let path = format!("/circulation/loans/{}/declare-item-lost", lost.loan);
    let _ = client.post(&path, &body).await.expect(204);
    let records = "/actual-cost-record-storage/actual-cost-records";
    let query = format!("loan.id=={}", lost.loan);
    let found = client.query(records, &query).await.expect(200).json();
    for record in found["actualCostRecords"].as_array().expect("records") {
        let _ = client
            .delete(&format!("{records}/{}", text(&record["id"])))
            .await
            .expect(204);
    }
    lost
}

impl Lost {
    async fn owe(&self, client: &Client, kind: &str) -> String {
        let mut body = account(10.0);
        body["feeFineType"] = json!(kind);
        body["loanId"] = json!(self.loan);
        body["itemId"] = json!(self.item);
        body["userId"] = self.user.clone();
        text(&client.post("/accounts", &body).await.expect(201).json()["id"])
    }

    async fn standing(&self, client: &Client) -> String {
        let item = client
            .get(&format!("/item-storage/items/{}", self.item))
            .await;
        let loan = client
            .get(&format!("/loan-storage/loans/{}", self.loan))
            .await;
        let item = text(&item.expect(200).json()["status"]["name"]);
        let loan = text(&loan.expect(200).json()["status"]["name"]);
        format!("{item}, {loan}")
    }
}

#[tokio::test]
async fn the_last_account_that_is_closed_ends_the_loan() {
    let (library, stock) = lending_library().await;
    let client = &stock.client;
    let lost = lose(&stock, "1").await;
    let fee = lost.owe(client, "Lost item fee").await;
    let processing = lost.owe(client, "Lost item processing fee").await;
    let _ = act(client, &fee, "pay", &by("9.99")).await.expect(201);
    let _ = act(client, &processing, "waive", &by("10"))
        .await
        .expect(201);
    assert_eq!(lost.standing(client).await, "Declared lost, Open");
    let _ = act(client, &fee, "pay", &by("0.01")).await.expect(201);
    assert_eq!(lost.standing(client).await, "Lost and paid, Closed");
    let ended = events_of(&library, "LOAN_RELATED_FEE_FINE_CLOSED").await;
    assert_eq!(
        ended,
        [json!({"loanId": lost.loan}), json!({"loanId": lost.loan})]
    );
    in_order(&library).await;
}

#[tokio::test]
async fn many_accounts_end_many_loans_and_so_does_a_record_written_whole() {
    let (library, stock) = lending_library().await;
    let client = &stock.client;
    let (first, second, third) = (
        lose(&stock, "1").await,
        lose(&stock, "2").await,
        lose(&stock, "3").await,
    );
    let one = first.owe(client, "Lost item fee").await;
    let two = second.owe(client, "Lost item fee").await;
    let three = third.owe(client, "Lost item fee").await;
    let _ = client
        .post("/accounts-bulk/pay", &all_by(&[&one, &two], "20"))
        .await
        .expect(201);
    for lost in [&first, &second] {
        assert_eq!(lost.standing(client).await, "Lost and paid, Closed");
    }
    let path = format!("/accounts/{three}");
    let mut written = client.get(&path).await.expect(200).json();
    written["remaining"] = json!(0);
    written["status"]["name"] = json!("Closed");
    let _ = client.put(&path, &written).await.expect(204);
    assert_eq!(third.standing(client).await, "Lost and paid, Closed");
    in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_payment_and_the_item_come_at_once() {
    let (library, stock) = lending_library().await;
    let client = &stock.client;
    for round in 0..12 {
        let lost = lose(&stock, &format!("r{round}")).await;
        let fee = lost.owe(client, "Lost item fee").await;
        let body = by("10");
        let back = json!({"itemBarcode": format!("i-r{round}"), "servicePointId": DESK,
                          "checkInDate": "2026-04-01T10:00:00Z"});
        let (paid, returned) = join(act(client, &fee, "pay", &body), client.post(IN, &back)).await;
        let _ = (paid.expect(201), returned.expect(200));
        // Either the item came first and the payment found nothing to end, or the reverse.
        assert!(lost.standing(client).await.ends_with(", Closed"));
    }
    in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_accounts_of_one_loan_closed_at_once_end_it_once() {
    let (library, stock) = lending_library().await;
    let client = &stock.client;
    for round in 0..8 {
        let lost = lose(&stock, &format!("t{round}")).await;
        let fee = lost.owe(client, "Lost item fee").await;
        let processing = lost.owe(client, "Lost item processing fee").await;
        let body = by("10");
        let acts = [&fee, &processing].map(|id| act(client, id, "pay", &body));
        for answer in join_all(acts).await {
            let _ = answer.expect(201);
        }
        assert_eq!(lost.standing(client).await, "Lost and paid, Closed");
    }
    let sql = "SELECT count(*) FROM tenant_diku.outbox WHERE topic = 'circulation.LOAN_CLOSED'";
    let rows = library
        .platform
        .store
        .database
        .query(sql, &[])
        .await
        .expect("rows");
    assert_eq!(rows[0].get::<_, i64>(0), 8);
    in_order(&library).await;
}
