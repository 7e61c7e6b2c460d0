//! Tests of messages: the forms of each topic.

use octavo_records::store::UnreadEvent;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::topics::{Known, known};

const ID: Uuid = Uuid::from_u128(1);
const KEY: Uuid = Uuid::from_u128(2);
const AT: i64 = 1_741_080_600_000;

fn event<'a>(topic: &'a str, kind: &'a str) -> UnreadEvent<'a> {
    UnreadEvent {
        position: 7,
        id: ID,
        at_ms: AT,
        topic,
        key: KEY,
        kind,
        old: None,
        new: None,
        headers: None,
        user_id: None,
    }
}

fn sent(event: &UnreadEvent<'_>) -> Option<Message> {
    let Some(Known::Published(topic)) = known(event.topic) else {
        panic!("{} has no topic", event.topic);
    };
    let sender = Sender {
        tenant: "riverlib".to_owned(),
        url: Some("https://library:9130".to_owned()),
    };
    sender.message(
        event,
        (topic, &Arc::from("full.name")),
        "mod-circulation-24.4.18",
    )
}

fn value(event: &UnreadEvent<'_>) -> Value {
    let message = sent(event).expect("it is published");
    serde_json::from_slice(&message.value).expect("a message is JSON")
}

fn header<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    let found = message.headers.iter().find(|(one, _)| one == name);
    found.map(|(_, value)| value.as_str())
}

#[test]
fn inventory_tells_records_beside_the_events_own_properties() {
    let mut event = event("inventory.item", "UPDATE");
    event.old = Some(b"{\"id\": \"a\"}");
    event.new = Some(b"{\"id\": \"a\", \"barcode\": \"1\"}");
    let told = json!({"eventId": ID, "eventTs": AT, "type": "UPDATE", "tenant": "riverlib",
        "old": {"id": "a"}, "new": {"id": "a", "barcode": "1"}});
    assert_eq!(value(&event), told);
    event.old = None;
    event.new = None;
    event.kind = "DELETE_ALL";
    event.key = Uuid::nil();
    let told = json!({"eventId": ID, "eventTs": AT, "type": "DELETE_ALL", "tenant": "riverlib"});
    assert_eq!(value(&event), told);
    let message = sent(&event).expect("it is published");
    assert_eq!(message.key, Some(Uuid::nil().to_string()));
}

#[test]
fn circulation_and_users_tell_them_in_data_and_in_the_past_tense() {
    for (kind, past) in [
        ("CREATE", "CREATED"),
        ("UPDATE", "UPDATED"),
        ("DELETE", "DELETED"),
        ("DELETE_ALL", "ALL_DELETED"),
    ] {
        let mut event = event("circulation.loan", kind);
        let told =
            json!({"id": ID, "type": past, "tenant": "riverlib", "timestamp": AT, "data": {}});
        assert_eq!(value(&event), told);
        event.new = Some(b"{\"a\": 1}");
        assert_eq!(value(&event)["data"], json!({"new": {"a": 1}}));
    }
}

#[test]
fn authorities_have_the_records_id_a_time_as_text_and_the_kind_of_deletion() {
    let mut event = event("authorities.authority", "DELETE");
    event.old = Some(b"{\"id\": \"a\"}");
    let told = json!({"id": KEY, "old": {"id": "a"}, "type": "DELETE", "tenant": "riverlib",
        "ts": "1741080600000", "deleteEventSubType": "SOFT_DELETE"});
    assert_eq!(value(&event), told);
    event.headers = Some(b"{\"deleteEventSubType\": \"HARD_DELETE\"}");
    assert_eq!(value(&event)["deleteEventSubType"], "HARD_DELETE");
    let message = sent(&event).expect("it is published");
    assert_eq!(header(&message, "domain-event-type"), Some("DELETE"));
    assert_eq!(header(&message, "folio.tenantId"), None);
    assert_eq!(header(&message, "deleteEventSubType"), None);
}

#[test]
fn events_that_are_their_content_get_an_id_or_a_tenant() {
    let mut told = event("users.USER_CREATED", "Create");
    told.new = Some(b"{\"action\": \"Create\"}");
    assert_eq!(value(&told), json!({"id": ID, "action": "Create"}));
    let mut records = event("inventory.reindex-records", "REINDEX");
    records.new = Some(b"{\"records\": [], \"recordType\": \"item\"}");
    let told = json!({"records": [], "recordType": "item", "tenant": "riverlib"});
    assert_eq!(value(&records), told);
    records.new = Some(b"{ }");
    assert_eq!(value(&records), json!({"tenant": "riverlib"}));
}

#[test]
fn acquisitions_tell_the_audit_a_snapshot_without_metadata() {
    let mut line = event("ACQ_ORDER_LINE_CHANGED", "UPDATE");
    line.new = Some(
        b"{\"id\": \"x\", \"purchaseOrderId\": \"o\", \"metadata\": \
          {\"updatedDate\": \"then\", \"updatedByUserId\": \"u\"}}",
    );
    let told = json!({"id": ID, "action": "Edit", "orderId": "o", "orderLineId": KEY, "userId": "u",
        "eventDate": "2025-03-04T09:30:00.000+00:00", "actionDate": "then",
        "orderLineSnapshot": {"id": "x", "purchaseOrderId": "o"}});
    assert_eq!(value(&line), told);
    let mut piece = event("ACQ_PIECE_CHANGED", "DELETE");
    piece.old = Some(b"{\"id\": \"p\"}");
    let told = value(&piece);
    assert_eq!(
        (&told["action"], &told["pieceSnapshot"]),
        (&json!("Delete"), &json!({"id": "p"}))
    );
    assert!(sent(&event("ACQ_ORDER_CHANGED", "DELETE")).is_none());
}

#[test]
fn pub_sub_carries_its_payload_as_text_without_key() {
    let mut event = event("circulation.ITEM_CHECKED_OUT", "CREATE");
    event.new = Some(b"{\"userId\": \"\\u00e9\\\"\"}");
    let told = json!({"id": ID, "eventType": "ITEM_CHECKED_OUT", "eventMetadata":
        {"tenantId": "riverlib", "eventTTL": 1, "publishedBy": "mod-circulation-24.4.18"},
        "eventPayload": "{\"userId\": \"\\u00e9\\\"\"}"});
    assert_eq!(value(&event), told);
    let message = sent(&event).expect("it is published");
    assert_eq!(message.key, None);
    assert_eq!(message.headers.len(), 1, "only the id of the event");
}

#[test]
fn headers_name_tenant_user_and_what_the_event_brings() {
    let mut event = event("inventory.instance", "REINDEX");
    event.user_id = Some("someone");
    event.headers = Some(b"{\"reindex-job-id\": \"j\", \"number\": 1}");
    let message = sent(&event).expect("it is published");
    for (name, value) in [
        (EVENT_ID, Some("00000000-0000-0000-0000-000000000001")),
        ("folio.tenantId", Some("riverlib")),
        ("x-okapi-tenant", Some("riverlib")),
        ("x-okapi-url", Some("https://library:9130")),
        ("x-okapi-user-id", Some("someone")),
        ("reindex-job-id", Some("j")),
        ("number", None),
        ("x-okapi-token", None),
    ] {
        assert_eq!(header(&message, name), value, "{name}");
    }
}

#[test]
fn what_folio_publishes_nowhere_is_not_published() {
    assert!(sent(&event("circulation.rules", "CREATE")).is_none());
    assert!(sent(&event("circulation.circulation-settings", "CREATE")).is_none());
    let mut user = event("users.users", "UPDATE");
    user.new = Some(b"{\"type\": \"shadow\"}");
    assert!(sent(&user).is_none());
    user.new = Some(b"{\"type\": \"patron\", \"username\": \"shadow\"}");
    assert!(sent(&user).is_some());
    user.kind = "CREATE";
    user.new = Some(b"{\"type\": \"shadow\"}");
    assert!(sent(&user).is_some());
}
