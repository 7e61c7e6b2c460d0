//! Refunds of payments and transfers.

use super::{act, by, charge, history, in_order, standing};
use octavo_server_testkit::library;

#[tokio::test]
async fn what_was_paid_goes_back_and_is_owed_again() {
    let library = library().await;
    let client = library.client().await;
    let id = charge(&client, 10.0).await;
    let _ = act(&client, &id, "pay", &by("4")).await.expect(201);
    let mut bursar = by("6");
    bursar["paymentMethod"] = "Bursar".into();
    let _ = act(&client, &id, "transfer", &bursar).await.expect(201);
    assert_eq!(standing(&client, &id).await, "0.0 Closed Transferred fully");
    let answer = act(&client, &id, "refund", &by("5"))
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&answer["amount"], &answer["remainingAmount"]),
        (&"5.00".into(), &"5.00".into())
    );
    let actions = answer["feefineactions"].as_array().expect("actions");
    let described: Vec<String> = actions
        .iter()
        .map(|one| {
            let part = |name: &str| super::text(&one[name]);
            assert_eq!(part("paymentMethod"), "Cash");
            format!(
                "{} {} {} {}",
                part("typeAction"),
                one["amountAction"],
                one["balance"],
                part("transactionInformation")
            )
        })
        .collect();
    assert_eq!(
        described,
        [
            "Credited fully 4.0 0.0 Refund to patron",
            "Credited partially 1.0 0.0 Refund to Bursar",
            "Refunded fully 4.0 4.0 Refunded to patron",
            "Refunded partially 1.0 5.0 Refunded to Bursar",
        ]
    );
    assert_eq!(standing(&client, &id).await, "5.0 Open Refunded partially");
    // The other half; nothing is given back twice.
    let _ = act(&client, &id, "refund", &by("5.01")).await.expect(422);
    let answer = act(&client, &id, "refund", &by("5"))
        .await
        .expect(201)
        .json();
    assert_eq!(answer["remainingAmount"], "10.00");
    let actions = answer["feefineactions"].as_array().expect("actions");
    assert!(
        actions
            .iter()
            .all(|one| super::text(&one["transactionInformation"]).ends_with("Bursar"))
    );
    let _ = act(&client, &id, "refund", &by("0.01")).await.expect(422);
    // It can be paid again.
    let _ = act(&client, &id, "pay", &by("10")).await.expect(201);
    assert_eq!(standing(&client, &id).await, "0.0 Closed Paid fully");
    assert_eq!(history(&client, &id).await.len(), 9);
    in_order(&library).await;
}

#[tokio::test]
async fn a_cancelled_account_gives_back_what_was_paid() {
    let library = library().await;
    let client = library.client().await;
    let id = charge(&client, 10.0).await;
    let _ = act(&client, &id, "pay", &by("4")).await.expect(201);
    let cancel = serde_json::json!({"notifyPatron": false, "servicePointId": super::DESK,
        "userName": "Desk, Jane", "cancellationReason": "Cancelled item returned"});
    let answer = act(&client, &id, "cancel", &cancel)
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&answer["remainingAmount"], answer.get("amount")),
        (&"0.00".into(), None)
    );
    assert_eq!(
        standing(&client, &id).await,
        "0.0 Closed Cancelled item returned"
    );
    in_order(&library).await;
    let _ = act(&client, &id, "refund", &by("4")).await.expect(201);
    assert_eq!(standing(&client, &id).await, "4.0 Open Refunded fully");
    in_order(&library).await;
}
