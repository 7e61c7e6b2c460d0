//! A message of Kafka from an event of the outbox, in the form of its topic. Records are copied as they
//! are stored and not parsed.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::Timestamp;
use octavo_records::instant;
use octavo_records::store::UnreadEvent;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::topics::{Form, Topic};

/// The header with the event's id: who receives a message twice knows it by this.
pub const EVENT_ID: &str = "octavo.event-id";
/// The header of an event about an authority: what kind of deletion it is. It becomes a property.
const DELETION: &str = "deleteEventSubType";

/// A message to publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The position of its event.
    pub position: i64,
    /// The full name of the topic.
    pub topic: Arc<str>,
    pub key: Option<String>,
    pub headers: Vec<(Cow<'static, str>, String)>,
    pub value: Vec<u8>,
}

/// What the messages of a tenant have in common.
#[derive(Debug, Clone)]
pub struct Sender {
    pub tenant: String,
    /// The address of this server, for consumers that ask it.
    pub url: Option<String>,
}

impl Sender {
    /// The message of an event, named as the topic is; none where FOLIO publishes none.
    #[must_use]
    pub fn message(
        &self,
        event: &UnreadEvent<'_>,
        (topic, name): (&Topic, &Arc<str>),
        module_id: &str,
    ) -> Option<Message> {
        if !topic.has(event.kind) || is_hidden(topic, event) {
            return None;
        }
        let extra = extra(event);
        Some(Message {
            position: event.position,
            topic: Arc::clone(name),
            // Pub-sub's messages have none in FOLIO.
            key: (topic.form != Form::PubSub).then(|| event.key.to_string()),
            headers: self.headers(topic.form, event, &extra),
            value: value(topic, event, &self.tenant, module_id, &extra),
        })
    }

    fn headers(
        &self,
        form: Form,
        event: &UnreadEvent<'_>,
        extra: &[(String, String)],
    ) -> Vec<(Cow<'static, str>, String)> {
        let mut headers: Vec<(Cow<'static, str>, String)> = Vec::with_capacity(6);
        let mut add = |name: &'static str, value: &str| headers.push((name.into(), value.into()));
        add(EVENT_ID, &event.id.to_string());
        if form == Form::PubSub {
            return headers;
        }
        match form {
            Form::Authority => add("domain-event-type", event.kind),
            _ => add("folio.tenantId", &self.tenant),
        }
        add("x-okapi-tenant", &self.tenant);
        if let Some(url) = &self.url {
            add("x-okapi-url", url);
        }
        if let Some(user) = event.user_id {
            add("x-okapi-user-id", user);
        }
        let more = extra.iter().filter(|(name, _)| name != DELETION);
        headers.extend(more.map(|(name, value)| (name.clone().into(), value.clone())));
        headers
    }
}

/// mod-users tells nobody of changes of shadow users.
fn is_hidden(topic: &Topic, event: &UnreadEvent<'_>) -> bool {
    let suspect = |new: &[u8]| new.windows(8).any(|part| part == b"\"shadow\"");
    topic.name == "users.users"
        && event.kind == "UPDATE"
        && event.new.is_some_and(|new| {
            suspect(new)
                && serde_json::from_slice::<Value>(new).is_ok_and(|user| user["type"] == "shadow")
        })
}

fn extra(event: &UnreadEvent<'_>) -> Vec<(String, String)> {
    let Some(Ok(Value::Object(map))) = event.headers.map(serde_json::from_slice) else {
        return Vec::new();
    };
    let texts = map.into_iter().filter_map(|(name, value)| match value {
        Value::String(text) => Some((name, text)),
        _ => None,
    });
    texts.collect()
}

fn value(
    topic: &Topic,
    event: &UnreadEvent<'_>,
    tenant: &str,
    module_id: &str,
    extra: &[(String, String)],
) -> Vec<u8> {
    let size = event.old.map_or(0, <[u8]>::len) + event.new.map_or(0, <[u8]>::len);
    let mut json = Object::with_capacity(size + 256);
    let (id, at) = (event.id, event.at_ms);
    match topic.form {
        Form::Inventory => {
            json.uuid("eventId", id)
                .raw("eventTs", at.to_string().as_bytes());
            json.text("type", event.kind).text("tenant", tenant);
            json.records(event);
        }
        Form::Circulation => {
            let mut data = Object::with_capacity(size + 32);
            data.records(event);
            json.uuid("id", id).text("type", past(event.kind));
            json.text("tenant", tenant);
            json.raw("timestamp", at.to_string().as_bytes());
            json.raw("data", &data.end());
        }
        Form::Authority => {
            json.uuid("id", event.key);
            json.records(event);
            json.text("type", event.kind).text("tenant", tenant);
            json.text("ts", &at.to_string());
            if event.kind == "DELETE" {
                let named = extra.iter().find(|(name, _)| name == DELETION);
                let deletion = named.map_or("SOFT_DELETE", |(_, value)| value);
                json.text(DELETION, deletion);
            }
        }
        Form::Audit => {
            json.uuid("id", id).members(event.new);
        }
        Form::Snapshot => {
            json.uuid("id", id);
            json.members(Some(&snapshot(topic.name, event)));
        }
        Form::Records => {
            json.members(event.new).text("tenant", tenant);
        }
        Form::PubSub => {
            let mut about = Object::with_capacity(128);
            about.text("tenantId", tenant).raw("eventTTL", b"1");
            about.text("publishedBy", module_id);
            let payload = event.new.unwrap_or(b"{}");
            json.uuid("id", id).text("eventType", topic.name);
            json.raw("eventMetadata", &about.end());
            json.text("eventPayload", &String::from_utf8_lossy(payload));
        }
    }
    json.end()
}

/// What the audit is told of a record of acquisitions.
fn snapshot(topic: &str, event: &UnreadEvent<'_>) -> Vec<u8> {
    let read = |json: Option<&[u8]>| json.and_then(|json| serde_json::from_slice(json).ok());
    let mut record: Value = read(event.new.or(event.old)).unwrap_or_default();
    let metadata = record
        .as_object_mut()
        .and_then(|map| map.remove("metadata"));
    let changed = metadata.unwrap_or_default();
    let at = Timestamp::from_millisecond(event.at_ms).unwrap_or_default();
    let what = record_name(topic);
    let mut told = json!({
        "action": match event.kind {
            "CREATE" => "Create",
            "DELETE" => "Delete",
            _ => "Edit",
        },
        "userId": changed["updatedByUserId"],
        "eventDate": instant::format(at),
        "actionDate": changed["updatedDate"],
    });
    // A line names what it is a line of.
    for (of, whole, property) in [
        ("orderLine", "orderId", "purchaseOrderId"),
        ("invoiceLine", "invoiceId", "invoiceId"),
    ] {
        if what == of {
            told[whole] = record[property].clone();
        }
    }
    told[format!("{what}Id")] = json!(event.key);
    if let Some(map) = told.as_object_mut() {
        map.retain(|_, value| !value.is_null());
    }
    told[format!("{what}Snapshot")] = record;
    told.to_string().into_bytes()
}

/// `orderLine` of `ACQ_ORDER_LINE_CHANGED`.
fn record_name(topic: &str) -> String {
    let words = topic
        .trim_start_matches("ACQ_")
        .trim_end_matches("_CHANGED");
    let mut name = String::with_capacity(words.len());
    for (at, word) in words.split('_').enumerate() {
        let lower = word.to_ascii_lowercase();
        match (at, lower.chars().next()) {
            (1.., Some(first)) => {
                name.push(first.to_ascii_uppercase());
                name.push_str(&lower[first.len_utf8()..]);
            }
            _ => name.push_str(&lower),
        }
    }
    name
}

/// The name of a type of event in the modules that use the past tense.
fn past(kind: &str) -> &str {
    match kind {
        "CREATE" => "CREATED",
        "UPDATE" => "UPDATED",
        "DELETE" => "DELETED",
        "DELETE_ALL" => "ALL_DELETED",
        other => other,
    }
}

/// A JSON object that is being written.
struct Object(Vec<u8>);

impl Object {
    fn with_capacity(bytes: usize) -> Object {
        let mut json = Vec::with_capacity(bytes);
        json.push(b'{');
        Object(json)
    }

    fn raw(&mut self, name: &str, value: &[u8]) -> &mut Object {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        quoted(&mut self.0, name);
        self.0.push(b':');
        self.0.extend_from_slice(value);
        self
    }

    fn text(&mut self, name: &str, value: &str) -> &mut Object {
        self.raw(name, b"");
        quoted(&mut self.0, value);
        self
    }

    fn uuid(&mut self, name: &str, id: Uuid) -> &mut Object {
        self.text(name, &id.to_string())
    }

    /// The records before and after; an absent one is left out.
    fn records(&mut self, event: &UnreadEvent<'_>) {
        for (name, record) in [("old", event.old), ("new", event.new)] {
            if let Some(record) = record {
                self.raw(name, record);
            }
        }
    }

    /// The properties of another object.
    fn members(&mut self, object: Option<&[u8]>) -> &mut Object {
        let inner = object.and_then(|json| json.strip_prefix(b"{")?.strip_suffix(b"}"));
        if let Some(inner) = inner.filter(|inner| !inner.trim_ascii().is_empty()) {
            if self.0.len() > 1 {
                self.0.push(b',');
            }
            self.0.extend_from_slice(inner);
        }
        self
    }

    fn end(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }
}

fn quoted(json: &mut Vec<u8>, text: &str) {
    // Writing to memory cannot fail, and a text is always JSON.
    let _ = serde_json::to_writer(json, text);
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
