//! Operations on many accounts at once.

use serde_json::json;
use uuid::Uuid;

use super::{DESK, all_by, charge, history, in_order, standing};
use octavo_server_testkit::library;

#[tokio::test]
async fn an_amount_is_spread_over_accounts() {
    let library = library().await;
    let client = library.client().await;
    let (first, second, third) = (
        charge(&client, 10.0).await,
        charge(&client, 2.0).await,
        charge(&client, 10.0).await,
    );
    let ids = [first.as_str(), second.as_str(), third.as_str()];
    let check = json!({"accountIds": ids, "amount": "15"});
    let answer = client
        .post("/accounts-bulk/check-pay", &check)
        .await
        .expect(200)
        .json();
    assert_eq!(
        answer,
        json!({"accountIds": ids, "amount": "15", "allowed": true, "remainingAmount": "7.00"})
    );
    let answer = client.post("/accounts-bulk/pay", &all_by(&ids, "15")).await;
    let answer = answer.expect(201).json();
    assert_eq!(
        (&answer["accountIds"], &answer["amount"]),
        (&json!(ids), &json!("15.00"))
    );
    assert_eq!(answer["feefineactions"].as_array().map(Vec::len), Some(3));
    assert_eq!(standing(&client, &first).await, "3.5 Open Paid partially");
    assert_eq!(standing(&client, &second).await, "0.0 Closed Paid fully");
    assert_eq!(standing(&client, &third).await, "3.5 Open Paid partially");
    // One of them is closed now.
    let answer = client
        .post("/accounts-bulk/waive", &all_by(&ids, "1"))
        .await;
    let closed = "Fee/fine is already closed";
    let meant = json!({"accountIds": ids, "amount": "1", "errorMessage": closed});
    assert_eq!(answer.expect(422).json(), meant);
    let open = [first.as_str(), third.as_str()];
    let _ = client
        .post("/accounts-bulk/transfer", &all_by(&open, "7"))
        .await
        .expect(201);
    assert_eq!(
        standing(&client, &third).await,
        "0.0 Closed Transferred fully"
    );
    let check = json!({"accountIds": ids, "amount": "22"});
    let answer = client
        .post("/accounts-bulk/check-refund", &check)
        .await
        .expect(200)
        .json();
    assert_eq!(answer["remainingAmount"], "0.00");
    let _ = client
        .post("/accounts-bulk/refund", &all_by(&ids, "22"))
        .await
        .expect(201);
    for (id, amount) in [(&first, "10.0"), (&second, "2.0"), (&third, "10.0")] {
        assert_eq!(
            standing(&client, id).await,
            format!("{amount} Open Refunded fully")
        );
    }
    in_order(&library).await;
}

#[tokio::test]
async fn nothing_is_done_when_not_all_can_be_done() {
    let library = library().await;
    let client = library.client().await;
    let first = charge(&client, 10.0).await;
    let nobody = Uuid::new_v4().to_string();
    for kind in ["pay", "waive", "transfer", "refund"] {
        let body = all_by(&[&first, &nobody], "5");
        let answer = client
            .post(&format!("/accounts-bulk/{kind}"), &body)
            .await
            .expect(404);
        assert_eq!(answer.text, format!("Fee/fine ID {nobody} not found"));
    }
    let check = json!({"accountIds": [first], "amount": "10.01"});
    let answer = client
        .post("/accounts-bulk/check-waive", &check)
        .await
        .expect(422)
        .json();
    let message = "Requested amount exceeds remaining amount";
    assert_eq!(
        answer,
        json!({"accountIds": [first], "amount": "10.01", "allowed": false, "errorMessage": message})
    );
    let answer = client
        .post("/accounts-bulk/pay", &all_by(&[], "1"))
        .await
        .expect(422)
        .json();
    assert_eq!(answer["errorMessage"], message);
    let many: Vec<String> = (0..1_001).map(|_| Uuid::new_v4().to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let answer = client
        .post("/accounts-bulk/pay", &all_by(&many, "1"))
        .await
        .expect(422)
        .json();
    assert_eq!(answer["errors"][0]["parameters"][0]["key"], "accountIds");
    assert_eq!(standing(&client, &first).await, "10.0 Open Outstanding");
    assert_eq!(history(&client, &first).await, [] as [&str; 0]);
}

#[tokio::test]
async fn accounts_are_cancelled_together() {
    let library = library().await;
    let client = library.client().await;
    let (first, second) = (charge(&client, 10.0).await, charge(&client, 2.0).await);
    let _ = super::act(&client, &first, "pay", &super::by("4"))
        .await
        .expect(201);
    let body = json!({"accountIds": [first, second, first], "notifyPatron": true,
                      "servicePointId": DESK, "userName": "Desk, Jane", "comments": "STAFF : oops"});
    let answer = client
        .post("/accounts-bulk/cancel", &body)
        .await
        .expect(201)
        .json();
    assert_eq!(answer.get("amount"), None);
    let actions = answer["feefineactions"].as_array().expect("actions");
    assert_eq!(actions.len(), 2);
    assert!(actions.iter().all(|one| one.get("notify").is_none()));
    for id in [&first, &second] {
        assert_eq!(standing(&client, id).await, "0.0 Closed Cancelled as error");
    }
    assert_eq!(
        history(&client, &first).await[1],
        "Cancelled as error 10.0 0.0"
    );
    let answer = client
        .post("/accounts-bulk/cancel", &body)
        .await
        .expect(422)
        .json();
    assert_eq!(answer["errorMessage"], "Fee/fine is already closed");
    assert_eq!(answer.get("amount"), None);
    in_order(&library).await;
}
