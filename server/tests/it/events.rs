//! The stream of events, the page of the relay and the figures, over HTTP.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use octavo_platform::Handler;
use octavo_records::Tenant;
use octavo_relay::memory::Memory;
use octavo_relay::naming::Naming;
use octavo_relay::topics::known;
use octavo_relay::{LeaseTimes, Parts, Relay, Subscriber};
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock, check_out};
use octavo_server_testkit::{operated, reader, staff, until};
use octavo_testkit::Client;
use reqwest::Method;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(30);

/// An open stream.
struct Stream {
    response: reqwest::Response,
    text: String,
    last_id: String,
}

impl Stream {
    async fn open(client: &Client, query: &str, last_id: Option<&str>) -> Stream {
        let request = client.request(Method::GET, &format!("/_/octavo/events{query}"));
        let mut request = request.header("Accept", "text/event-stream");
        if let Some(id) = last_id {
            request = request.header("Last-Event-ID", id);
        }
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut stream = Stream {
            response,
            text: String::new(),
            last_id: String::new(),
        };
        // Once its first bytes are here, everything that is committed from now on will be told.
        while stream.last_id.is_empty() {
            stream.read().await;
            stream.parse();
        }
        stream
    }

    async fn read(&mut self) {
        let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await;
        let chunk = chunk.expect("something in time").expect("a stream");
        let chunk = chunk.expect("it goes on");
        self.text
            .push_str(std::str::from_utf8(&chunk).expect("UTF-8"));
    }

    /// The first whole block, if it is an event: topic and data.
    fn parse(&mut self) -> Option<(String, Value)> {
        loop {
            let (block, rest) = self.text.split_once("\n\n")?;
            let (mut topic, mut data) = (None, None);
            for line in block.lines() {
                match line.split_once(": ") {
                    Some(("id", id)) => self.last_id = id.to_owned(),
                    Some(("event", name)) => topic = Some(name.to_owned()),
                    Some(("data", json)) => data = serde_json::from_str(json).ok(),
                    _ => {}
                }
            }
            self.text = rest.to_owned();
            if let Some(found) = topic.zip(data) {
                return Some(found);
            }
        }
    }

    async fn next(&mut self) -> (String, Value) {
        loop {
            if let Some(event) = self.parse() {
                return event;
            }
            self.read().await;
        }
    }
}

fn group(name: &str) -> Value {
    json!({"group": name, "desc": name})
}

#[tokio::test]
async fn a_stream_tells_what_is_committed_and_goes_on_where_it_ended() {
    let library = operated().await;
    let client = library.client().await;
    let mut stream = Stream::open(&client, "?topic=users.userGroup,inventory.item", None).await;
    let made = client
        .post("/groups", &group("first"))
        .await
        .expect(201)
        .json();
    let (topic, told) = stream.next().await;
    assert_eq!(topic, "users.userGroup");
    assert_eq!(told["type"], "CREATED");
    assert_eq!(told["tenant"], "diku");
    assert_eq!(told["data"]["new"]["id"], made["id"]);
    // Of another topic, which was not asked for.
    let user = json!({"username": "someone", "active": true, "personal": {"lastName": "x"}});
    let _ = client.post("/users", &user).await.expect(201);
    let path = format!("/groups/{}", made["id"].as_str().expect("an id"));
    let _ = client.put(&path, &group("changed")).await.expect(204);
    let (_, told) = stream.next().await;
    assert_eq!(told["data"]["old"]["group"], "first");
    assert_eq!(told["data"]["new"]["group"], "changed");
    let last_id = stream.last_id.clone();
    drop(stream);
    let _ = client.delete(&path).await.expect(204);
    let mut again = Stream::open(&client, "?topic=users.userGroup", Some(&last_id)).await;
    assert_eq!(again.next().await.1["type"], "DELETED");
    // Without following: what is there, and an end.
    let path = "/_/octavo/events?topic=users.userGroup&from=beginning";
    let text = client.get(path).await.expect(200).text;
    assert!(
        text.trim_end()
            .lines()
            .last()
            .is_some_and(|line| line.contains("\"DELETED\"")),
        "{text}"
    );
    let mut all = Stream::open(&client, "?topic=users.userGroup&from=beginning", None).await;
    loop {
        let (_, told) = all.next().await;
        if told["type"] == "DELETED" {
            assert_eq!(told["data"]["old"]["group"], "changed");
            break;
        }
    }
}

#[tokio::test]
async fn a_stream_needs_its_permission_and_refuses_what_it_cannot_read() {
    let library = operated().await;
    let client = library.client().await;
    let (stranger, _) = reader(&library, &client).await;
    for path in ["/_/octavo/events", "/_/octavo/relay", "/_/octavo/metrics"] {
        let _ = stranger.get(path).await.expect(403);
        let _ = library.stranger().get(path).await.expect(401);
    }
    let (permitted, _) = staff(&library, &client, "follower", &["octavo.events.get"]).await;
    let _ = Stream::open(&permitted, "", None).await;
    for query in [
        "?from=yesterday",
        "?from=1:1:%2F1",
        "?topic=inventory.nothing",
    ] {
        let refused = permitted.get(&format!("/_/octavo/events{query}")).await;
        assert!(refused.expect(400).text.contains("parameter"), "{query}");
    }
    // Who reads everything is in the audit log.
    let log = client.get("/_/octavo/audit?kind=patron-data").await;
    assert!(
        log.text.contains("/_/octavo/events") || log.text.contains("auditEntries"),
        "{}",
        log.text
    );
}

#[tokio::test]
async fn the_page_of_the_relay_tells_how_far_it_is() {
    let library = operated().await;
    let client = library.client().await;
    let page = async || client.get("/_/octavo/relay").await.expect(200).json();
    assert_eq!(page().await, json!({"configured": false}));
    let sink = Arc::new(Memory::default());
    let naming = Naming::new("folio", None).expect("names");
    let parts = Parts::new(
        library.platform.store.clone(),
        Arc::clone(&sink) as _,
        naming,
    );
    let of = |id: &str| Subscriber {
        tenant: Tenant::new(id).expect("an id"),
        modules: vec!["mod-users".to_owned()],
    };
    let relay = Relay::begin(
        parts,
        Arc::new(move || vec![of("diku")]),
        LeaseTimes::default(),
    );
    let _ = client.post("/groups", &group("told")).await.expect(201);
    let ends = tokio::time::Instant::now() + PATIENCE;
    loop {
        let now = page().await;
        let sent = now["eventsSent"].as_i64().unwrap_or_default();
        if sent > 0 && now["eventsUnsent"] == 0 {
            assert_eq!(now["running"], true);
            assert_eq!(now["totalParked"], 0);
            break;
        }
        assert!(tokio::time::Instant::now() < ends, "{now}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    relay.stop().await;
    assert_eq!(page().await["running"], false);
    let told = sink
        .messages()
        .iter()
        .any(|message| &*message.topic == "folio.diku.users.userGroup");
    assert!(told);
}

#[tokio::test]
async fn acts_at_the_desk_are_messages_with_the_payloads_of_mod_circulation() {
    let library = operated().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let item = stock.item("a-1").await;
    let patron = stock.patron("p-1").await;
    let store = &library.platform.store;
    let sink = Arc::new(Memory::default());
    let naming = Naming::new("folio", None).expect("names");
    let module = ("mod-circulation", "mod-circulation-24.4.18".to_owned());
    let parts = Parts {
        modules: Arc::new([module].into()),
        ..Parts::new(store.clone(), Arc::clone(&sink) as _, naming)
    };
    let of = || Subscriber {
        tenant: Tenant::new("diku").expect("an id"),
        modules: vec!["mod-circulation".to_owned()],
    };
    let relay = Relay::begin(parts, Arc::new(move || vec![of()]), LeaseTimes::default());
    // LOG_RECORD is told from the first time on that a relay passes on what there is.
    until(async || {
        let state = store
            .database
            .query("SELECT FROM tenant_diku.octavo_relay", &[]);
        !state.await.expect("the relay's state").is_empty()
    })
    .await;
    let out = "/circulation/check-out-by-barcode";
    let loan = client.post(out, &check_out("a-1", "p-1")).await;
    let loan = loan.expect(201).json();
    let back = json!({"itemBarcode": "a-1", "servicePointId": CIRC_DESK_1,
                      "checkInDate": "2026-03-01T10:00:00Z"});
    for _ in 0..2 {
        let _ = client
            .post("/circulation/check-in-by-barcode", &back)
            .await
            .expect(200);
    }
    let told = |kind: &str| -> Vec<Value> {
        let topic = format!("folio.pub-sub.diku.{kind}.mod-pubsub-2.16.3");
        let messages = sink.messages();
        let of_kind = messages.iter().filter(|message| *message.topic == *topic);
        of_kind
            .map(|message| {
                assert_eq!(message.key, None);
                let event: Value = serde_json::from_slice(&message.value).expect("JSON");
                assert_eq!(event["eventType"], kind);
                assert_eq!(
                    event["eventMetadata"],
                    json!({"tenantId": "diku", "eventTTL": 1,
                           "publishedBy": "mod-circulation-24.4.18"})
                );
                let payload = event["eventPayload"].as_str().expect("a text");
                serde_json::from_str(payload).expect("JSON in the text")
            })
            .collect()
    };
    until(async || told("LOG_RECORD").len() >= 3).await;
    relay.stop().await;
    let z = |at: &Value| at.as_str().map(|at| at.replace("+00:00", "Z"));
    assert_eq!(
        told("ITEM_CHECKED_OUT"),
        [
            json!({"userId": patron, "loanId": loan["id"], "dueDate": z(&loan["dueDate"]),
                "gracePeriod": {"duration": 7, "intervalId": "Days"}})
        ]
    );
    // The second check-in ends no loan.
    assert_eq!(
        told("ITEM_CHECKED_IN"),
        [json!({"userId": patron, "loanId": loan["id"], "returnDate": "2026-03-01T10:00:00.000Z"})]
    );
    let records = told("LOG_RECORD");
    let kinds: Vec<&Value> = records.iter().map(|one| &one["logEventType"]).collect();
    assert_eq!(
        kinds,
        ["CHECK_OUT_EVENT", "CHECK_IN_EVENT", "CHECK_IN_EVENT"]
    );
    assert!(records.iter().all(|one| one["itemId"] == item));
    assert_eq!(records[0]["payload"]["loanId"], loan["id"]);
    assert_eq!(records[1]["isLoanClosed"], true);
    assert_eq!(records[2].get("loanId"), None);
}

#[tokio::test]
async fn figures_are_by_route_template_and_have_nothing_that_clients_sent() {
    let library = operated().await;
    let client = library.client().await;
    for number in 0..5 {
        let _ = client
            .get(&format!("/no-route/{number}?secret=4711"))
            .await
            .expect(404);
        let path = "/users/00000000-0000-4000-8000-000000000000";
        let _ = client.get(path).await.expect(404);
    }
    let text = client.get("/_/octavo/metrics").await.expect(200).text;
    for line in [
        "octavo_http_requests_total{route=\"/users/{id}\",method=\"GET\",status=\"4xx\"} 5",
        "octavo_http_requests_total{route=\"none\",method=\"GET\",status=\"4xx\"} 5",
        "octavo_http_request_seconds_count{route=\"/users/{id}\",method=\"GET\"} 5",
        "octavo_database_up 1",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
    for hidden in ["4711", "no-route", "00000000-0000", "diku"] {
        assert!(!text.contains(hidden), "{hidden}\n{text}");
    }
    let names: HashSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let heads = text
        .lines()
        .filter(|line| line.starts_with("# TYPE "))
        .count();
    assert_eq!(names.len(), heads, "a family is told once");
}

/// Every topic that an area declares is in the relay's table, so that its events are not taken for those of a
/// topic that a client has named.
#[test]
fn every_declared_topic_is_known_to_the_relay() {
    let modules = octavo_server_testkit::composition().modules;
    let collections = modules.iter().flat_map(|module| &module.collections);
    let unknown: Vec<&str> = collections
        .filter_map(|collection| collection.topic.as_deref())
        .filter(|topic| known(topic).is_none())
        .collect();
    assert!(
        unknown.is_empty(),
        "add to server/relay/src/topics.tsv: {unknown:?}"
    );
    let routes = modules.iter().flat_map(|module| &module.interfaces);
    let mut routes = routes.flat_map(|interface| &interface.routes);
    assert!(routes.any(|route| {
        route.pattern == "/_/octavo/events" && matches!(route.handler, Handler::Call(_))
    }));
}
