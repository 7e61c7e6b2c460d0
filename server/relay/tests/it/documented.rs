//! The list of topics in docs/events.md is what the relay makes: rewritten with `OCTAVO_WRITE=1`.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use octavo_records::store::UnreadEvent;
use octavo_relay::message::Sender;
use octavo_relay::naming::Naming;
use octavo_relay::topics::{Form, Known, Topic, known};
use serde_json::{Value, json};
use uuid::Uuid;

const HEAD: &str = "## Topics\n";
const KEY: Uuid = Uuid::from_u128(0x6cd3_c3ba_5d1a_4c39_9f0e_0000_0000_0001);
const AT: i64 = 1_764_354_000_000;

#[test]
fn every_topic_is_described_as_it_is_made() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/events.md");
    let text = fs::read_to_string(&path).unwrap();
    let (prose, _) = text
        .split_once(HEAD)
        .expect("docs/events.md has a list of topics");
    let made = format!("{prose}{HEAD}{}", topics());
    if std::env::var_os("OCTAVO_WRITE").is_some() {
        fs::write(&path, made).unwrap();
        return;
    }
    assert!(
        text == made,
        "docs/events.md does not list what is made; run OCTAVO_WRITE=1 cargo test -p octavo-relay documented"
    );
}

fn topics() -> String {
    let mut text = String::from(
        "\nMade by a test of the relay, with the tenant `diku`; records are shortened. Keys are ids of records. The first \
         column is the name in the outbox and in the stream.\n\n\
         | in the outbox | topic of Kafka | partitions | made by | types |\n|---|---|---|---|---|\n",
    );
    let names: Vec<&str> = include_str!("../../src/topics.tsv")
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next())
        .collect();
    let naming = Naming::new("folio", None).unwrap();
    let published: Vec<(&str, &Topic)> = names
        .iter()
        .filter_map(|name| match known(name) {
            Some(Known::Published(topic)) => Some((*name, topic)),
            _ => None,
        })
        .collect();
    for (outbox, topic) in &published {
        let full = naming.topic(topic, "diku");
        let made = if topic.made {
            topic.module
        } else {
            "the first message"
        };
        let kinds: Vec<String> = kinds(topic)
            .iter()
            .map(|kind| told_type(topic, kind))
            .collect();
        let _ = writeln!(
            text,
            "| `{outbox}` | `{full}` | {} | {made} | {} |",
            topic.partitions,
            kinds.join(", ")
        );
    }
    for (outbox, topic) in &published {
        let _ = write!(
            text,
            "\n### {outbox}\n\n{}",
            example(outbox, topic, &naming)
        );
    }
    text
}

/// The types of events that a topic has in examples.
fn kinds(topic: &Topic) -> Vec<&'static str> {
    let all: &[&str] = match topic.form {
        Form::Audit if topic.name.starts_with("USER_") => &["Create", "Edit", "Delete"],
        Form::Audit => &["Create", "Edit"],
        Form::Records => &["REINDEX"],
        Form::PubSub => &["CREATE"],
        _ if topic.name.ends_with("instance-contribution") => &["ITERATE"],
        _ if topic.name.ends_with("reordering") => &["CREATE"],
        _ => &["CREATE", "UPDATE", "DELETE"],
    };
    all.iter().copied().filter(|kind| topic.has(kind)).collect()
}

/// What consumers see as the type.
fn told_type(topic: &Topic, kind: &str) -> String {
    let value = value(topic, "", kind, None, None);
    let told = value
        .get("type")
        .or(value.get("action"))
        .or(value.get("eventType"));
    told.and_then(Value::as_str).unwrap_or("–").to_owned()
}

fn example(outbox: &str, topic: &Topic, naming: &Naming) -> String {
    let kinds = kinds(topic);
    let kind = if kinds.contains(&"UPDATE") {
        "UPDATE"
    } else {
        kinds[0]
    };
    let new = record(outbox);
    let old = (kind == "UPDATE").then(|| before(&new));
    let shown = match kind {
        "ITERATE" => None,
        _ => Some(new),
    };
    let sent = value(topic, outbox, kind, old.as_ref(), shown.as_ref());
    let key = match topic.form {
        Form::PubSub => "none".to_owned(),
        _ => format!("`{KEY}`"),
    };
    let full = naming.topic(topic, "diku");
    let json = serde_json::to_string_pretty(&sent).unwrap();
    format!("`{full}`, key {key}\n\n```json\n{json}\n```\n")
}

fn value(
    topic: &Topic,
    outbox: &str,
    kind: &str,
    old: Option<&Value>,
    new: Option<&Value>,
) -> Value {
    let bytes = |value: Option<&Value>| value.map(|value| value.to_string().into_bytes());
    let (old, new) = (bytes(old), bytes(new));
    let event = UnreadEvent {
        position: 1,
        id: Uuid::from_u128(0x99a1_b339_5de9_46ac_b60a_0000_0000_0001),
        at_ms: AT,
        topic: outbox,
        key: KEY,
        kind,
        old: old.as_deref(),
        new: new.as_deref(),
        headers: None,
        user_id: None,
    };
    let sender = Sender {
        tenant: "diku".to_owned(),
        url: None,
    };
    let name: Arc<str> = Arc::from("");
    let module_id = format!("{}-1.0.0", topic.module);
    let message = sender
        .message(&event, (topic, &name), &module_id)
        .expect("it is published");
    serde_json::from_slice(&message.value).unwrap()
}

/// A record, shortened to a few properties.
fn record(outbox: &str) -> Value {
    let last = outbox.rsplit('.').next().unwrap_or_default();
    match last {
        "instance" => json!({"id": KEY, "_version": 2, "title": "A field guide to river mills"}),
        "holdings-record" => json!({"id": KEY, "_version": 2, "callNumber": "TJ859 .M37"}),
        "item" => json!({"instanceId": Uuid::from_u128(7), "id": KEY, "_version": 2,
            "barcode": "RL-000771", "status": {"name": "Checked out"}}),
        "bound-with" => {
            json!({"id": KEY, "itemId": Uuid::from_u128(8), "instanceId": Uuid::from_u128(7)})
        }
        "reindex-records" => {
            json!({"records": [{"id": KEY, "barcode": "RL-000771"}], "recordType": "item"})
        }
        "loan" => json!({"id": KEY, "action": "checkedout", "status": {"name": "Open"}}),
        "request" => json!({"id": KEY, "requestType": "Hold", "status": "Open - Not yet filled"}),
        "check-in" => json!({"id": KEY, "itemStatusPriorToCheckIn": "Checked out"}),
        "rules" => json!({"id": KEY, "rulesAsText": "priority: t, s, c, b, a, m, g\n"}),
        "request-queue-reordering" => json!({"instanceId": KEY, "requestLevel": "Title",
            "requestIds": [Uuid::from_u128(9), Uuid::from_u128(8)]}),
        "users" => json!({"id": KEY, "username": "reader", "active": true}),
        "authority" => json!({"id": KEY, "personalName": "Marlow, Ada, 1971-"}),
        "ITEM_CHECKED_OUT" => json!({"userId": Uuid::from_u128(3), "loanId": KEY,
            "dueDate": "2025-12-19T23:59:59.000Z",
            "gracePeriod": {"duration": 7, "intervalId": "Days"}}),
        "ITEM_CHECKED_IN" => json!({"userId": Uuid::from_u128(3), "loanId": KEY,
            "returnDate": "2025-12-12T09:30:00.000Z"}),
        "LOAN_DUE_DATE_CHANGED" => json!({"userId": Uuid::from_u128(3), "loanId": KEY,
            "dueDate": "2026-01-09T23:59:59.000Z", "dueDateChangedByRecall": false}),
        "FEE_FINE_BALANCE_CHANGED" => {
            json!({"userId": Uuid::from_u128(3), "feeFineId": KEY,
                "feeFineTypeId": Uuid::from_u128(4), "loanId": Uuid::from_u128(5), "balance": 5.0})
        }
        "LOAN_RELATED_FEE_FINE_CLOSED" => json!({"loanId": KEY}),
        "LOG_RECORD" if outbox.starts_with("feesfines.") => json!({"logEventType": "FEE_FINE",
            "payload": {"action": "Paid partially", "amount": 5.0, "balance": 7.5,
                "paymentMethod": "Cash", "date": "2025-12-12T09:30:00.000Z",
                "userId": Uuid::from_u128(3), "accountId": KEY, "feeFineId": Uuid::from_u128(4),
                "feeFineOwner": "Weir House", "type": "Damage fee", "automated": false,
                "source": "Stream, Mona"}}),
        "LOG_RECORD" => json!({"logEventType": "CHECK_IN_EVENT",
            "servicePointId": Uuid::from_u128(6), "itemId": Uuid::from_u128(8),
            "itemBarcode": "RL-000771", "itemStatusName": "Available",
            "holdingsRecordId": Uuid::from_u128(9), "instanceId": Uuid::from_u128(7),
            "source": "Stream, Mona"}),
        name if name.starts_with("USER_") => json!({"action": "Edit", "tenantId": "diku",
            "userDto": {"id": KEY}, "isPersonalDataChanged": false}),
        name if name.starts_with("ITEM_") || name.starts_with("LOAN_") => {
            json!({"userId": Uuid::from_u128(3), "loanId": KEY})
        }
        name if name.starts_with("ACQ_") && outbox.starts_with("Default.") => {
            json!({"action": "Edit", "eventDate": "2025-11-28T18:20:00.000+00:00"})
        }
        _ => json!({"id": KEY, "name": "Example"}),
    }
}

/// The record before: one property was otherwise.
fn before(new: &Value) -> Value {
    let mut old = new.clone();
    if let Some(last) = old.as_object_mut().and_then(|map| map.values_mut().last()) {
        *last = match &*last {
            Value::String(_) => json!("before"),
            Value::Bool(value) => json!(!value),
            other => other.clone(),
        };
    }
    old
}
