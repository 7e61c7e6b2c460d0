//! Late renewals.

use super::*;

const RENEW: &str = "/circulation/renew-by-barcode";

#[tokio::test]
async fn a_late_renewal_is_fined_unless_it_is_forgiven() {
    let (library, stock, policy) = fining_library().await;
    let client = &stock.client;
    let from_now = json!({"renewalsPolicy": {"renewFromId": "SYSTEM_DATE"}});
    policy.say(client, &from_now).await;
    let fine = |forgiven: bool| {
        json!({"overdueFine": rate(0.25, "day"), "maxOverdueFine": 7.5,
               "forgiveOverdueFine": forgiven})
    };
    for (name, forgiven, expected) in [("1", true, None), ("2", false, Some(7.5))] {
        fining(client, fine(forgiven)).await;
        let lent = Lent::new(&stock, name, LENT).await;
        let renewed = client.post(RENEW, &lent.renewal()).await.expect(200).json();
        assert_eq!(fined(client, &lent.loan).await, expected);
        let owed = expected.unwrap_or(0.0);
        assert_eq!(
            renewed["feesAndFines"]["amountRemainingToPay"]
                .as_f64()
                .unwrap_or(0.0),
            owed
        );
        // In time now: renewed again and returned, it costs nothing more.
        let _ = client.post(RENEW, &lent.renewal()).await;
        let today = jiff::Timestamp::now().to_string();
        let _ = client.post(IN, &back_at(&lent, &today)).await.expect(200);
        assert_eq!(fined(client, &lent.loan).await, expected);
    }
    let found = client
        .query("/accounts", "feeFineType==\"Overdue fine\"")
        .await;
    let account = found.expect(200).json()["accounts"][0].clone();
    assert_eq!(account["dueDate"], "2024-03-02T10:00:00.000+00:00");
    assert!(account.get("returnedDate").is_none());
    let id = account["id"].as_str().expect("an id");
    let actions = client
        .query("/feefineactions", &format!("accountId=={id}"))
        .await;
    let action = actions.expect(200).json()["feefineactions"][0].clone();
    assert!(action["source"].is_string() && action.get("createdAt").is_none());
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_renewal_in_time_costs_nothing() {
    let (_library, stock, _policy) = fining_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", "2125-11-01T10:00:00Z").await;
    let _ = client.post(RENEW, &lent.renewal()).await.expect(200);
    assert_eq!(fined(client, &lent.loan).await, None);
}
