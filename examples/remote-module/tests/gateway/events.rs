//! Events that mod-pubsub delivers to the module as a process of its own: one that fails, is slow, lies about the
//! length of its answers, or was killed.

use std::collections::BTreeMap;
use std::time::Duration;

use octavo_platform::{Handler, system_call};
use octavo_testkit::{Client, Library, TENANT};
use serde_json::{Value, json};

use crate::{Module, library};

const CALLBACK: &str = "/reading-lists/handlers/event";
const PUBLISHER: &str = "mod-a-1.0.0";
/// A failing subscriber is tried so often.
const ATTEMPTS: usize = 6;

/// A library with the module as a subscriber to the events `ONE`.
struct Subscribed {
    library: Library,
    client: Client,
    module: Module,
    /// Made once: each would listen to the database for itself.
    pubsub: Vec<octavo_platform::Module>,
}

impl Subscribed {
    async fn at(callback: &str) -> Subscribed {
        let library = library().await;
        let client = library.client().await;
        let module = Module::start(&[]);
        module.plug_in(&client).await;
        let kind = json!({"eventType": "ONE", "description": "something happened", "eventTTL": 1,
                          "signed": false});
        let _ = client.post("/pubsub/event-types", &kind).await.expect(201);
        let publisher = json!({"moduleId": PUBLISHER, "eventDescriptors": [kind]});
        let path = "/pubsub/event-types/declare/publisher";
        let _ = client.post(path, &publisher).await.expect(201);
        let subscribed = Subscribed {
            library,
            client,
            module,
            pubsub: octavo_pubsub::modules(),
        };
        subscribed.subscribe(callback).await;
        subscribed
    }

    async fn subscribe(&self, callback: &str) {
        let subscriber = json!({"moduleId": self.module.id(), "subscriptionDefinitions": [
            {"eventType": "ONE", "callbackAddress": callback}]});
        let path = "/pubsub/event-types/declare/subscriber";
        let _ = self.client.post(path, &subscriber).await.expect(201);
    }

    /// Publishes an event; gives its id.
    async fn publish(&self, payload: &Value) -> String {
        let id = uuid::Uuid::new_v4().to_string();
        let event = json!({"id": id, "eventType": "ONE", "eventPayload": payload.to_string(),
            "eventMetadata": {"tenantId": TENANT, "eventTTL": 1, "publishedBy": PUBLISHER}});
        let _ = self
            .client
            .post("/pubsub/publish", &event)
            .await
            .expect(204);
        id
    }

    /// How often each state is in an event's history, and the last reason of a refusal.
    async fn history(&self, event: &str) -> (BTreeMap<String, usize>, String) {
        let path =
            format!("/pubsub/history?startDate=2000-01-01&endDate=2100-01-01&eventId={event}");
        let page = self.client.get(&path).await.expect(200).json();
        let (mut states, mut reason) = (BTreeMap::new(), String::new());
        for row in page["auditMessages"].as_array().expect("rows") {
            let state = row["state"].as_str().expect("a state").to_owned();
            *states.entry(state).or_insert(0) += 1;
            if let Some(text) = row["errorMessage"].as_str() {
                text.clone_into(&mut reason);
            }
        }
        (states, reason)
    }

    /// The payloads that the process has got.
    async fn taken(&self) -> Vec<Value> {
        let calls = self.client.get("/reading-lists/faults/calls").await;
        let calls = calls.expect(200).json();
        let calls = calls["calls"].as_array().expect("calls").iter();
        let events = calls.filter(|call| call["interface"] == "event");
        events.map(|call| call["said"].clone()).collect()
    }

    /// Lets the timer look, as the scheduler does, and pauses between attempts be over.
    async fn look(&self) {
        let platform = &self.library.platform;
        let tenant = self.library.tenant();
        let sql = format!(
            "UPDATE {}.octavo_job_attempt SET not_before = NULL",
            tenant.schema()
        );
        let _ = platform.store.database.query(&sql, &[]).await.expect("SQL");
        let view = platform.registry.known(tenant.id()).expect("a tenant");
        let Handler::Call(handler) = &self.pubsub[0].timers[0].handler else {
            panic!("a timer that is a function");
        };
        let answer = handler(system_call(platform, &view)).await;
        assert!(answer.expect("it is carried out").status().is_success());
    }

    /// Looks until an event has come to an end: delivered, or refused for the last time.
    async fn ended(&self, event: &str) -> (BTreeMap<String, usize>, String) {
        let ends = tokio::time::Instant::now() + Duration::from_secs(60);
        loop {
            self.look().await;
            let (states, reason) = self.history(event).await;
            let refused = states.get("REJECTED").copied().unwrap_or_default();
            if states.contains_key("DELIVERED") || refused >= ATTEMPTS {
                return (states, reason);
            }
            assert!(tokio::time::Instant::now() < ends, "{states:?} {reason}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn a_subscriber_that_fails_is_tried_six_times_and_the_next_event_is_its_own() {
    for (callback, why) in [
        (
            "/reading-lists/faults/status?code=500",
            "failed: status 500",
        ),
        (
            "/reading-lists/faults/never",
            "failed: no answer within 2 s",
        ),
        (
            "/reading-lists/faults/early?bytes=100000",
            "its answer broke off",
        ),
    ] {
        let subscribed = Subscribed::at(callback).await;
        let sent = subscribed.publish(&json!({"lost": true})).await;
        let (states, reason) = subscribed.ended(&sent).await;
        assert_eq!(states.get("REJECTED"), Some(&ATTEMPTS), "{callback}");
        assert_eq!(states.get("DELIVERED"), None, "{callback}");
        assert!(reason.contains(why), "{callback}: {reason}");
        // What was given up holds up nothing.
        subscribed.subscribe(CALLBACK).await;
        let next = subscribed.publish(&json!({"next": true})).await;
        let (states, _) = subscribed.ended(&next).await;
        assert_eq!(states.get("DELIVERED"), Some(&1), "{callback}");
        assert_eq!(subscribed.taken().await, [json!({"next": true})]);
    }
}

#[tokio::test]
async fn a_subscriber_that_was_killed_gets_its_events_in_order_when_it_is_back() {
    let mut subscribed = Subscribed::at(CALLBACK).await;
    let first = subscribed.publish(&json!({"number": 0})).await;
    let _ = subscribed.ended(&first).await;
    assert_eq!(subscribed.taken().await, [json!({"number": 0})]);
    subscribed.module.kill();
    let mut sent = Vec::new();
    for number in 1..5 {
        sent.push(subscribed.publish(&json!({"number": number})).await);
    }
    let ends = tokio::time::Instant::now() + Duration::from_secs(30);
    while !subscribed
        .history(&sent[0])
        .await
        .0
        .contains_key("REJECTED")
    {
        assert!(tokio::time::Instant::now() < ends, "it was not tried");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // The same module at another address.
    subscribed.module = Module::start(&[]);
    let path = format!("/_/discovery/modules/{}/one", subscribed.module.id());
    let _ = subscribed.client.delete(&path).await.expect(204);
    let instance = json!({"srvcId": subscribed.module.id(), "instId": "one",
                          "url": subscribed.module.url});
    let path = "/_/discovery/modules";
    let _ = subscribed.client.post(path, &instance).await.expect(201);
    for event in &sent {
        let (states, reason) = subscribed.ended(event).await;
        assert_eq!(states.get("DELIVERED"), Some(&1), "{states:?} {reason}");
    }
    let numbers: Vec<Value> = (1..5).map(|number| json!({"number": number})).collect();
    assert_eq!(subscribed.taken().await, numbers);
}
