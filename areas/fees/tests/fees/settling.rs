//! One account paid, waived or transferred.

use serde_json::json;

use super::{DESK, PATRON, act, by, charge, events_of, history, in_order, standing};
use octavo_server_testkit::library;

#[tokio::test]
async fn an_account_is_paid_until_nothing_remains() {
    let library = library().await;
    let client = library.client().await;
    let id = charge(&client, 10.0).await;
    let answer = act(&client, &id, "pay", &by("4.10"))
        .await
        .expect(201)
        .json();
    assert_eq!(answer["accountId"], json!(id));
    assert_eq!(answer["amount"], "4.10");
    assert_eq!(answer["remainingAmount"], "5.90");
    let action = &answer["feefineactions"][0];
    assert_eq!(answer["feefineactions"].as_array().map(Vec::len), Some(1));
    let path = format!("/feefineactions/{}", action["id"].as_str().expect("an id"));
    let stored = client.get(&path).await.expect(200).json();
    assert_eq!(&stored, action);
    let mut rest = stored.as_object().cloned().expect("an object");
    let date = rest.remove("dateAction").expect("a date");
    assert!(
        date.as_str().is_some_and(|date| date.ends_with("+00:00")),
        "{date}"
    );
    let _ = rest.remove("id");
    assert_eq!(
        json!(rest),
        json!({"typeAction": "Paid partially", "comments": "STAFF : seen", "notify": true,
               "amountAction": 4.1, "balance": 5.9, "transactionInformation": "cheque 12",
               "createdAt": DESK, "source": "Desk, Jane", "paymentMethod": "Cash",
               "accountId": id, "userId": PATRON})
    );
    assert_eq!(standing(&client, &id).await, "5.9 Open Paid partially");
    let answer = act(&client, &id, "waive", &by("5.4"))
        .await
        .expect(201)
        .json();
    assert_eq!(answer["remainingAmount"], "0.50");
    let answer = act(&client, &id, "transfer", &by("0.5"))
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&answer["amount"], &answer["remainingAmount"]),
        (&json!("0.50"), &json!("0.00"))
    );
    assert_eq!(standing(&client, &id).await, "0.0 Closed Transferred fully");
    assert_eq!(
        history(&client, &id).await,
        [
            "Paid partially 4.1 5.9",
            "Waived partially 5.4 0.5",
            "Transferred fully 0.5 0.0"
        ]
    );
    // Each change writes an event, the charge too.
    let events = events_of(&library, "FEE_FINE_BALANCE_CHANGED").await;
    let balances: Vec<String> = events
        .iter()
        .map(|one| one["balance"].to_string())
        .collect();
    assert_eq!(balances, ["10.0", "5.9", "0.5", "0.0"]);
    assert!(
        events
            .iter()
            .all(|one| one["feeFineId"] == json!(id) && one["userId"] == PATRON)
    );
    in_order(&library).await;
}

#[tokio::test]
async fn cents_are_counted_exactly() {
    let library = library().await;
    let client = library.client().await;
    // In binary fractions 0.1 ten times is not 1.
    let id = charge(&client, 1.0).await;
    for _ in 0..9 {
        let _ = act(&client, &id, "pay", &by("0.1")).await.expect(201);
    }
    assert_eq!(standing(&client, &id).await, "0.1 Open Paid partially");
    let _ = act(&client, &id, "pay", &by("0.1")).await.expect(201);
    assert_eq!(standing(&client, &id).await, "0.0 Closed Paid fully");
    // The largest amount there is, and what is rounded half to even.
    let id = charge(&client, 9_999_999_999_999.99).await;
    let answer = act(&client, &id, "pay", &by("0.015"))
        .await
        .expect(201)
        .json();
    assert_eq!(answer["amount"], "0.02");
    assert_eq!(answer["remainingAmount"], "9999999999999.97");
    assert_eq!(
        standing(&client, &id).await,
        "9999999999999.97 Open Paid partially"
    );
    in_order(&library).await;
}

#[tokio::test]
async fn a_check_says_what_would_be_and_changes_nothing() {
    let library = library().await;
    let client = library.client().await;
    let id = charge(&client, 10.0).await;
    for kind in ["check-pay", "check-waive", "check-transfer"] {
        let answer = act(&client, &id, kind, &json!({"amount": "4"}))
            .await
            .expect(200)
            .json();
        assert_eq!(
            answer,
            json!({"accountId": id, "amount": "4.00", "allowed": true, "remainingAmount": "6.00"})
        );
    }
    let _ = act(&client, &id, "pay", &by("7")).await.expect(201);
    let answer = act(&client, &id, "check-refund", &json!({"amount": "5"})).await;
    assert_eq!(
        answer.expect(200).json(),
        json!({"accountId": id, "amount": "5.00", "allowed": true, "remainingAmount": "2.00"})
    );
    assert_eq!(standing(&client, &id).await, "3.0 Open Paid partially");
    assert_eq!(history(&client, &id).await.len(), 1);
}

#[tokio::test]
async fn the_log_has_acts_on_accounts() {
    let library = library().await;
    let client = library.client().await;
    let id = charge(&client, 10.0).await;
    let note = json!({"accountId": id, "userId": PATRON, "typeAction": "Staff info only",
                      "comments": "STAFF : torn cover", "notify": false});
    let _ = client.post("/feefineactions", &note).await.expect(201);
    let first = json!({"accountId": id, "userId": PATRON, "typeAction": "Damage",
                       "amountAction": 10, "balance": 10, "source": "Desk, Jane"});
    let _ = client.post("/feefineactions", &first).await.expect(201);
    let _ = act(&client, &id, "pay", &by("4")).await.expect(201);
    let path = "/audit-data/circulation/logs?limit=100";
    let logs = client
        .query(path, "object==\"Fee/fine\"")
        .await
        .expect(200)
        .json();
    let lines = logs["logRecords"].as_array().expect("lines");
    let mut logged: Vec<String> = lines
        .iter()
        .map(|line| {
            assert_eq!(line["linkToIds"]["feeFineId"], json!(id));
            assert_eq!(line["linkToIds"]["userId"], PATRON);
            format!(
                "{}: {}",
                super::text(&line["action"]),
                super::text(&line["description"])
            )
        })
        .collect();
    logged.sort();
    assert_eq!(
        logged,
        [
            "Billed: Fee/Fine type: Damage. Fee/Fine owner: Main library. Amount: 10.00. manual. \
             Additional information to staff: ",
            "Paid partially: Fee/Fine type: Damage. Amount: 4.00. Balance: 6.00. Payment method: \
             Cash. Additional information to staff: seen. Additional information to patron: .",
            "Staff information only added: torn cover",
        ]
    );
}
