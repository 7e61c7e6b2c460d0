//! Loans of which nobody is reminded any more.

use super::*;
use crate::{IN, check_in};

/// The only line of the log about a notice.
async fn reason(library: &Library) -> String {
    let log = logged(library).await;
    assert_eq!(log.len(), 1, "{log:?}");
    assert_eq!(log[0]["action"], "Send error");
    let said = log[0]["description"].as_str().expect("a sentence");
    said.split_once("Error message: ")
        .expect("a reason")
        .1
        .to_owned()
}

#[tokio::test]
async fn what_came_back_is_not_billed() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let (never, once) = (
        Lent::new(&stock, "1", LENT).await,
        Lent::new(&stock, "2", LENT).await,
    );
    let back = |lent: &Lent| check_in(&lent.item_barcode, CIRC_DESK_1);
    let _ = client.post(IN, &back(&never)).await.expect(200);
    let both = Reminded {
        dropped: 1,
        ..billed()
    };
    assert_eq!(run(&library, "2024-03-04T10:00:00Z").await, both);
    assert_eq!(accounts(client, &never.loan).await.len(), 0);
    assert_eq!(notices(client, &never.loan).await.len(), 0);
    let _ = client.post(IN, &back(&once)).await.expect(200);
    // On a closed day, too.
    assert_eq!(run(&library, "2024-03-09T10:00:00Z").await, dropped());
    assert_eq!(accounts(client, &once.loan).await.len(), 1);
    let loan = once.loan(client).await;
    assert_eq!(loan["action"], "checkedin");
    assert_in_order(&library).await;
}

#[tokio::test]
async fn claims_and_losses_end_them_but_not_what_aged_to_lost() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let (claimed, lost) = (
        Lent::new(&stock, "1", LENT).await,
        Lent::new(&stock, "2", LENT).await,
    );
    let aged = Lent::new(&stock, "3", LENT).await;
    let act = async |lent: &Lent, act: &str, body: Value| {
        let path = format!("/circulation/loans/{}/{act}", lent.loan);
        let _ = client.post(&path, &body).await.expect(204);
    };
    let body = json!({"itemClaimedReturnedDateTime": "2024-03-01T10:00:00Z"});
    act(&claimed, "claim-item-returned", body).await;
    let charges = json!({"id": "ed892c0e-52e0-4cd9-8133-c0ef07b4a709", "name": "Lost items",
        "chargeAmountItem": {"chargeType": "actualCost"}});
    let path = "/lost-item-fees-policies/ed892c0e-52e0-4cd9-8133-c0ef07b4a709";
    let _ = client.put(path, &charges).await.expect(204);
    let body = json!({"servicePointId": CIRC_DESK_1});
    act(&lost, "declare-item-lost", body).await;
    aged.status(client, "Aged to lost").await;
    aged.with(client, json!({"itemStatus": "Aged to lost"}))
        .await;
    // The acts themselves leave the notices alone.
    for lent in [&claimed, &lost, &aged] {
        assert_eq!(notices(client, &lent.loan).await.len(), 1);
    }
    let expected = Reminded {
        dropped: 2,
        ..billed()
    };
    assert_eq!(run(&library, "2024-03-04T10:00:00Z").await, expected);
    assert_eq!(number(&aged, client).await, 1);
    assert_eq!(number(&claimed, client).await, Value::Null);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_loan_that_is_gone_and_one_without_reminders_are_told_of() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    let path = format!("/loan-storage/loans/{}", lent.loan);
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(run(&library, "2024-03-04T10:00:00Z").await, dropped());
    let expected = format!("loan record with ID \"{}\" cannot be found", lent.loan);
    assert_eq!(reason(&library).await, expected);
    assert_eq!(notices(client, &lent.loan).await.len(), 0);
}

#[tokio::test]
async fn a_schedule_that_was_cut_short_has_no_next_reminder() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    reminding(client, Value::Null).await;
    assert_eq!(run(&library, "2024-03-04T10:00:00Z").await, dropped());
    let expected = format!(
        "next scheduled reminder record with ID \"reminder-for-loan-{}\" cannot be found",
        lent.loan
    );
    assert_eq!(reason(&library).await, expected);
    assert_eq!(accounts(client, &lent.loan).await.len(), 0);
    assert_in_order(&library).await;
}
