//! Subscribers that answer with an error, not at all, or not as HTTP demands; and a module that is away.

use octavo_server_testkit::until;
use octavo_testkit::{Client, RemoteModule, RemoteOptions};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{CALLBACK, PUBLISH, Plugged, event, id, plug_in, publisher, states, subscribe};

/// Publishes an event and waits for its first refusal; gives the message.
async fn refused(client: &Client, sent: &Value) -> String {
    let _ = client.post(PUBLISH, sent).await.expect(204);
    until(async || states(client, id(sent)).await.0.contains_key("REJECTED")).await;
    let (found, message) = states(client, id(sent)).await;
    assert!(!found.contains_key("DELIVERED"), "{found:?}");
    message
}

#[tokio::test]
async fn each_failure_is_in_the_history() {
    let plugged = Plugged::new().await;
    let client = &plugged.client;
    let module = plugged.module.id();
    publisher(client, "mod-a-1.0.0", &["ONE"]).await;
    for (callback, end) in [
        (
            "/reading-lists/faults/status?code=500",
            "failed: status 500",
        ),
        (
            "/reading-lists/faults/status?code=404",
            "failed: status 404",
        ),
        (
            "/reading-lists/faults/status?code=302",
            "failed: status 302",
        ),
        (
            "/reading-lists/faults/never",
            "failed: no answer within 2 s",
        ),
    ] {
        subscribe(client, &module, "ONE", callback).await;
        let sent = event("ONE", "mod-a-1.0.0", &json!({}));
        let message = refused(client, &sent).await;
        assert_eq!(message, format!("Delivery to {module} {callback} {end}"));
    }
    subscribe(client, &module, "ONE", "/reading-lists/faults/garbage").await;
    let sent = event("ONE", "mod-a-1.0.0", &json!({}));
    let message = refused(client, &sent).await;
    assert!(message.contains("proxyClient failure"), "{message}");
    subscribe(client, "mod-nowhere-1.0.0", "ONE", "/nowhere").await;
    let sent = event("ONE", "mod-a-1.0.0", &json!({}));
    let _ = client.post(PUBLISH, &sent).await.expect(204);
    let is_told = async || {
        states(client, id(&sent))
            .await
            .1
            .contains("no remote module")
    };
    until(is_told).await;
}

#[tokio::test]
async fn an_event_is_tried_six_times_and_given_up() {
    let plugged = Plugged::new().await;
    let client = &plugged.client;
    publisher(client, "mod-a-1.0.0", &["ONE"]).await;
    let broken = "/reading-lists/faults/status?code=503";
    subscribe(client, &plugged.module.id(), "ONE", broken).await;
    let sent = event("ONE", "mod-a-1.0.0", &json!({}));
    let _ = client.post(PUBLISH, &sent).await.expect(204);
    let tenant = plugged.library.tenant();
    let database = &plugged.library.platform.store.database;
    let sql = format!("SELECT FROM {}.octavo_job", tenant.schema());
    until(async || {
        plugged.look().await;
        database.query(&sql, &[]).await.expect("SQL").is_empty()
    })
    .await;
    let (found, _) = states(client, id(&sent)).await;
    assert_eq!(found.get("REJECTED"), Some(&6), "{found:?}");
    assert_eq!(found.get("DELIVERED"), None);
}

#[tokio::test]
async fn a_module_that_was_away_gets_its_events_when_it_is_back() {
    let plugged = Plugged::new().await;
    let client = &plugged.client;
    publisher(client, "mod-a-1.0.0", &["ONE"]).await;
    subscribe(client, &plugged.module.id(), "ONE", CALLBACK).await;
    let address = plugged.module.address();
    plugged.module.stop();
    let mut sent = Vec::new();
    for number in 0..5 {
        let one = event("ONE", "mod-a-1.0.0", &json!({"number": number}));
        let _ = client.post(PUBLISH, &one).await.expect(204);
        sent.push(one);
    }
    until(async || {
        states(client, id(&sent[0]))
            .await
            .0
            .contains_key("REJECTED")
    })
    .await;
    let _back = RemoteModule::start_at(address, RemoteOptions::default()).await;
    until(async || {
        plugged.look().await;
        plugged.taken().await.len() >= 5
    })
    .await;
    let numbers: Vec<Value> = (0..5).map(|number| json!({"number": number})).collect();
    assert_eq!(plugged.taken().await, numbers);
}

/// A module that says it sends more than it does.
async fn liar() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 4096];
            let _ = stream.read(&mut head).await;
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort";
            let _ = stream.write_all(answer).await;
        }
    });
    format!("http://{address}")
}

#[tokio::test]
async fn who_lies_about_the_length_has_taken_nothing_and_holds_up_nobody() {
    let plugged = Plugged::new().await;
    let client = &plugged.client;
    let descriptor = json!({"id": "mod-liar-1.0.0", "requires": [], "provides": [
        {"id": "liar", "version": "1.0", "handlers": [
            {"methods": ["POST"], "pathPattern": "/liar/event", "permissionsRequired": []}]}]});
    plug_in(client, &descriptor, &liar().await).await;
    publisher(client, "mod-a-1.0.0", &["ONE"]).await;
    subscribe(client, "mod-liar-1.0.0", "ONE", "/liar/event").await;
    subscribe(client, &plugged.module.id(), "ONE", CALLBACK).await;
    let sent = event("ONE", "mod-a-1.0.0", &json!({"a": 1}));
    let _ = client.post(PUBLISH, &sent).await.expect(204);
    until(async || {
        let (found, _) = states(client, id(&sent)).await;
        found.contains_key("REJECTED") && found.contains_key("DELIVERED")
    })
    .await;
    let (_, message) = states(client, id(&sent)).await;
    assert!(message.contains("its answer broke off"), "{message}");
    assert_eq!(plugged.taken().await, [json!({"a": 1})]);
}
