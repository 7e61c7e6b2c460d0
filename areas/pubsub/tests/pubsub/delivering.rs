//! Events arrive at a remote module, in order and each for itself.

use octavo_server_testkit::until;
use serde_json::{Value, json};

use super::{CALLBACK, PUBLISH, Plugged, event, id, publisher, states, subscribe};

#[tokio::test]
async fn a_subscriber_gets_the_payload_and_nothing_else() {
    let plugged = Plugged::new().await;
    let client = &plugged.client;
    publisher(client, "mod-a-1.0.0", &["ONE"]).await;
    let early = event("ONE", "mod-a-1.0.0", &json!({"early": true}));
    let _ = client.post(PUBLISH, &early).await.expect(204);
    subscribe(client, &plugged.module.id(), "ONE", CALLBACK).await;
    let payload = json!({"loanId": "7", "nested": {"list": [1, 2.50, "ü"]}});
    let sent = event("ONE", "mod-a-1.0.0", &payload);
    let _ = client.post(PUBLISH, &sent).await.expect(204);
    until(async || !plugged.taken().await.is_empty()).await;
    assert_eq!(plugged.taken().await, [payload]);
    until(async || states(client, id(&sent)).await.0.contains_key("DELIVERED")).await;
    let (found, _) = states(client, id(&sent)).await;
    let expected = ["CREATED", "DELIVERED", "PUBLISHED", "RECEIVED"];
    assert_eq!(found, expected.map(|state| (state.to_owned(), 1)).into());
}

#[tokio::test]
async fn events_of_a_subscriber_arrive_in_their_order() {
    let plugged = Plugged::new().await;
    let client = &plugged.client;
    publisher(client, "mod-a-1.0.0", &["ONE"]).await;
    subscribe(client, &plugged.module.id(), "ONE", CALLBACK).await;
    for number in 0..20 {
        let sent = event("ONE", "mod-a-1.0.0", &json!({"number": number}));
        let _ = client.post(PUBLISH, &sent).await.expect(204);
    }
    until(async || plugged.taken().await.len() >= 20).await;
    let numbers: Vec<Value> = (0..20).map(|number| json!({"number": number})).collect();
    assert_eq!(plugged.taken().await, numbers);
}

#[tokio::test]
async fn who_is_gone_gets_nothing_more() {
    let plugged = Plugged::new().await;
    let client = &plugged.client;
    publisher(client, "mod-a-1.0.0", &["ONE"]).await;
    let never = "/reading-lists/faults/status?code=500";
    subscribe(client, &plugged.module.id(), "ONE", never).await;
    let sent = event("ONE", "mod-a-1.0.0", &json!({}));
    let _ = client.post(PUBLISH, &sent).await.expect(204);
    until(async || states(client, id(&sent)).await.0.contains_key("REJECTED")).await;
    // It declares itself anew: the callback is another, and what was for the old one is over.
    subscribe(client, &plugged.module.id(), "ONE", CALLBACK).await;
    plugged.look().await;
    let next = event("ONE", "mod-a-1.0.0", &json!({"next": true}));
    let _ = client.post(PUBLISH, &next).await.expect(204);
    until(async || !plugged.taken().await.is_empty()).await;
    assert_eq!(plugged.taken().await, [json!({"next": true})]);
}
