//! Event types, publishers and subscribers, and the delivery of events, over HTTP on a real PostgreSQL. The
//! subscriber is the example of a remote module.

mod delivering;
mod event_types;
mod faults;
mod log_of_fees;
mod log_records;
mod losses;
mod own_events;
mod publishing;

use std::collections::BTreeMap;

use octavo_platform::{Handler, system_call};
use octavo_server_testkit::operated;
use octavo_testkit::{Client, Library, RemoteModule, RemoteOptions};
use serde_json::{Value, json};
use uuid::Uuid;

const TYPES: &str = "/pubsub/event-types";
const PUBLISHER: &str = "/pubsub/event-types/declare/publisher";
const SUBSCRIBER: &str = "/pubsub/event-types/declare/subscriber";
const PUBLISH: &str = "/pubsub/publish";
const HISTORY: &str = "/pubsub/history?startDate=2000-01-01&endDate=2100-01-01";

/// The callback of the example.
const CALLBACK: &str = "/reading-lists/handlers/event";

fn described(name: &str) -> Value {
    json!({"eventType": name, "description": "something happened", "eventTTL": 1, "signed": false})
}

fn event(kind: &str, publisher: &str, payload: &Value) -> Value {
    json!({"id": Uuid::new_v4(), "eventType": kind, "eventPayload": payload.to_string(),
           "eventMetadata": {"tenantId": "diku", "eventTTL": 1, "publishedBy": publisher,
                             "correlationId": "c-1", "createdBy": "somebody"}})
}

/// Describes types and declares a module that publishes them.
async fn publisher(client: &Client, module: &str, types: &[&str]) {
    let descriptors: Vec<Value> = types.iter().map(|name| described(name)).collect();
    for descriptor in &descriptors {
        let _ = client.post(TYPES, descriptor).await.expect(201);
    }
    let body = json!({"moduleId": module, "eventDescriptors": descriptors});
    let _ = client.post(PUBLISHER, &body).await.expect(201);
}

async fn subscribe(client: &Client, module: &str, kind: &str, callback: &str) {
    let body = json!({"moduleId": module, "subscriptionDefinitions": [
        {"eventType": kind, "callbackAddress": callback}]});
    let _ = client.post(SUBSCRIBER, &body).await.expect(201);
}

/// What became of an event: how often each state, and the last message of a refusal.
async fn states(client: &Client, event: &str) -> (BTreeMap<String, usize>, String) {
    let path = format!("{HISTORY}&eventId={event}");
    let page = client.get(&path).await.expect(200).json();
    let mut states = BTreeMap::new();
    let mut message = String::new();
    for row in page["auditMessages"].as_array().expect("rows") {
        let state = row["state"].as_str().expect("a state").to_owned();
        *states.entry(state).or_insert(0) += 1;
        if let Some(text) = row["errorMessage"].as_str() {
            text.clone_into(&mut message);
        }
    }
    (states, message)
}

fn id(event: &Value) -> &str {
    event["id"].as_str().expect("an id")
}

/// A library with the example plugged in.
struct Plugged {
    library: Library,
    client: Client,
    module: RemoteModule,
}

impl Plugged {
    async fn new() -> Plugged {
        let library = operated().await;
        let client = library.client().await;
        let module = RemoteModule::start(RemoteOptions::default()).await;
        let plugged = Plugged {
            library,
            client,
            module,
        };
        let descriptor = plugged.module.descriptor();
        plug_in(&plugged.client, &descriptor, &plugged.module.url()).await;
        plugged
    }

    /// The payloads that the example has got.
    async fn taken(&self) -> Vec<Value> {
        let calls = self.client.get("/reading-lists/faults/calls").await;
        let calls = calls.expect(200).json();
        let calls = calls["calls"].as_array().expect("calls").iter();
        let events = calls.filter(|call| call["interface"] == "event");
        events.map(|call| call["said"].clone()).collect()
    }

    /// Lets the timer look, as the scheduler does, and pauses be over.
    async fn look(&self) {
        let platform = &self.library.platform;
        let tenant = self.library.tenant();
        let sql = format!(
            "UPDATE {}.octavo_job_attempt SET not_before = NULL",
            tenant.schema()
        );
        let _ = platform.store.database.query(&sql, &[]).await.expect("SQL");
        let view = platform.registry.known(tenant.id()).expect("a tenant");
        let modules = octavo_pubsub::modules();
        let timer = &modules[0].timers[0];
        let Handler::Call(handler) = &timer.handler else {
            panic!("a timer that is a function");
        };
        let answer = handler(system_call(platform, &view)).await;
        assert!(answer.expect("it is carried out").status().is_success());
    }
}

/// Registers a module and enables it.
async fn plug_in(admin: &Client, descriptor: &Value, url: &str) {
    let id = descriptor["id"].as_str().expect("an id");
    let _ = admin.post("/_/proxy/modules", descriptor).await.expect(201);
    let instance = json!({"srvcId": id, "instId": id, "url": url});
    let _ = admin
        .post("/_/discovery/modules", &instance)
        .await
        .expect(201);
    let wanted = json!([{"id": id, "action": "enable"}]);
    let _ = admin
        .post("/_/proxy/tenants/diku/install", &wanted)
        .await
        .expect(200);
}
