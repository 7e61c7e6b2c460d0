//! What an event of the outbox says of a record: an entry of its history, if it has one.

use jiff::Timestamp;
use octavo_records::instant;
use octavo_records::store::UnreadEvent;
use serde_json::Value;
use uuid::Uuid;

use super::compared::{self, Compared};
use super::inventory_diff;

/// A record of acquisitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acquisition {
    /// Its name in the database and in paths.
    pub name: &'static str,
    /// The last part of its topic.
    topic: &'static str,
    /// The property of its answers that lists entries.
    pub list: &'static str,
    /// The property with its id.
    pub id: &'static str,
    /// The property with the id of what it is a part of, and the record's property that has it.
    pub whole: Option<(&'static str, &'static str)>,
    /// The property with its content.
    pub snapshot: &'static str,
}

/// An order.
pub const ORDER: Acquisition = Acquisition {
    name: "order",
    topic: "ACQ_ORDER_CHANGED",
    list: "orderAuditEvents",
    id: "orderId",
    whole: None,
    snapshot: "orderSnapshot",
};

/// A line of an order.
pub const ORDER_LINE: Acquisition = Acquisition {
    name: "order-line",
    topic: "ACQ_ORDER_LINE_CHANGED",
    list: "orderLineAuditEvents",
    id: "orderLineId",
    whole: Some(("orderId", "purchaseOrderId")),
    snapshot: "orderLineSnapshot",
};

/// A piece.
pub const PIECE: Acquisition = Acquisition {
    name: "piece",
    topic: "ACQ_PIECE_CHANGED",
    list: "pieceAuditEvents",
    id: "pieceId",
    whole: None,
    snapshot: "pieceSnapshot",
};

/// An invoice.
pub const INVOICE: Acquisition = Acquisition {
    name: "invoice",
    topic: "ACQ_INVOICE_CHANGED",
    list: "invoiceAuditEvents",
    id: "invoiceId",
    whole: None,
    snapshot: "invoiceSnapshot",
};

/// A line of an invoice.
pub const INVOICE_LINE: Acquisition = Acquisition {
    name: "invoice-line",
    topic: "ACQ_INVOICE_LINE_CHANGED",
    list: "invoiceLineAuditEvents",
    id: "invoiceLineId",
    whole: Some(("invoiceId", "invoiceId")),
    snapshot: "invoiceLineSnapshot",
};

/// An organization.
pub const ORGANIZATION: Acquisition = Acquisition {
    name: "organization",
    topic: "ACQ_ORGANIZATION_CHANGED",
    list: "organizationAuditEvents",
    id: "organizationId",
    whole: None,
    snapshot: "organizationSnapshot",
};

const ACQUISITIONS: [&Acquisition; 6] = [
    &ORDER,
    &ORDER_LINE,
    &PIECE,
    &INVOICE,
    &INVOICE_LINE,
    &ORGANIZATION,
];

/// The topics that have a history. Some modules write what FOLIO's audit is told (`Default.…`), others the record.
pub const TOPICS: [&str; 15] = [
    "ACQ_ORDER_CHANGED",
    "Default.ACQ_ORDER_CHANGED",
    "ACQ_ORDER_LINE_CHANGED",
    "Default.ACQ_ORDER_LINE_CHANGED",
    "ACQ_PIECE_CHANGED",
    "Default.ACQ_PIECE_CHANGED",
    "ACQ_INVOICE_CHANGED",
    "Default.ACQ_INVOICE_CHANGED",
    "ACQ_INVOICE_LINE_CHANGED",
    "Default.ACQ_INVOICE_LINE_CHANGED",
    "ACQ_ORGANIZATION_CHANGED",
    "Default.ACQ_ORGANIZATION_CHANGED",
    "inventory.instance",
    "inventory.holdings-record",
    "inventory.item",
];

/// Topics whose events carry the record itself, which becomes the snapshot of the history entry. The database copies it; only
/// [`RECORD_PROPERTIES`] are read here.
pub const RECORD_TOPICS: [&str; 3] = [
    "ACQ_ORDER_CHANGED",
    "ACQ_ORDER_LINE_CHANGED",
    "ACQ_PIECE_CHANGED",
];

/// The properties from which the other fields of such an entry are made.
pub const RECORD_PROPERTIES: [&str; 2] = ["metadata", "purchaseOrderId"];

/// What is in a history of acquisitions.
#[derive(Debug, Clone, PartialEq)]
pub struct AcquisitionEntry {
    pub event: Uuid,
    pub kind: &'static str,
    pub entity: Uuid,
    /// What it is a part of.
    pub whole: Option<Uuid>,
    pub action: String,
    pub user: Option<Uuid>,
    /// Milliseconds since 1970.
    pub event_ms: i64,
    pub action_ms: i64,
    pub position: i64,
    /// None for [`RECORD_TOPICS`]: the record of the event, without its metadata, which the database copies from the outbox.
    pub snapshot: Option<Value>,
}

/// What is in a history of inventory.
#[derive(Debug, Clone, PartialEq)]
pub struct InventoryEntry {
    pub event: Uuid,
    pub kind: &'static str,
    pub entity: Uuid,
    pub action: String,
    /// The null UUID where the record does not say who changed it.
    pub user: Uuid,
    pub event_ms: i64,
    pub position: i64,
    pub diff: Option<Value>,
}

/// An entry of either.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Acquisition(AcquisitionEntry),
    Inventory(InventoryEntry),
}

/// The entry of an event; none where it has no history, or nothing that counts has changed. Histories of inventory
/// may be switched off.
#[must_use]
pub fn entry(event: &UnreadEvent<'_>, of_inventory: bool) -> Option<Entry> {
    let topic = event.topic.strip_prefix("Default.").unwrap_or(event.topic);
    if let Some(kind) = ACQUISITIONS.into_iter().find(|one| one.topic == topic) {
        return Some(Entry::Acquisition(acquisition(kind, event)?));
    }
    let (kind, compared): (_, &[Compared]) = match topic {
        "inventory.instance" => ("instance", &compared::INSTANCE),
        "inventory.holdings-record" => ("holdings", &compared::HOLDINGS),
        "inventory.item" => ("item", &compared::ITEM),
        _ => return None,
    };
    match of_inventory {
        true => inventory((kind, compared), event).map(Entry::Inventory),
        false => None,
    }
}

fn acquisition(kind: &Acquisition, event: &UnreadEvent<'_>) -> Option<AcquisitionEntry> {
    let mut told = read(event.new.or(event.old))?;
    let is_told = told[kind.snapshot].is_object();
    let mut snapshot = match is_told {
        true => told[kind.snapshot].take(),
        false => told.clone(),
    };
    let metadata = snapshot
        .as_object_mut()
        .and_then(|record| record.remove("metadata"))
        .unwrap_or_default();
    let (user, acted, action) = match is_told {
        true => (
            id(&told["userId"]),
            &told["actionDate"],
            told["action"].as_str(),
        ),
        false => (
            id(&metadata["updatedByUserId"]),
            &metadata["updatedDate"],
            None,
        ),
    };
    let acted = acted.as_str().and_then(instant::parse);
    let whole = kind
        .whole
        .and_then(|(told_as, property)| id(&told[told_as]).or_else(|| id(&snapshot[property])));
    let in_outbox = RECORD_TOPICS.contains(&event.topic);
    Some(AcquisitionEntry {
        event: event.id,
        kind: kind.name,
        entity: event.key,
        whole,
        action: action.unwrap_or_else(|| action_of(event.kind)).to_owned(),
        user,
        event_ms: event.at_ms,
        action_ms: acted.map_or(event.at_ms, Timestamp::as_millisecond),
        position: event.position,
        snapshot: (!in_outbox).then_some(snapshot),
    })
}

fn action_of(kind: &str) -> &'static str {
    match kind {
        "CREATE" => "Create",
        "DELETE" => "Delete",
        _ => "Edit",
    }
}

fn inventory(
    (kind, compared): (&'static str, &[Compared]),
    event: &UnreadEvent<'_>,
) -> Option<InventoryEntry> {
    let record = read(event.new.or(event.old))?;
    // A copy of another library's record.
    let is_shadow = record["source"]
        .as_str()
        .is_some_and(|source| source.starts_with("CONSORTIUM-"));
    let diff = match event.kind {
        "UPDATE" => {
            let diff = inventory_diff::differences(compared, &read(event.old)?, &record);
            Some(diff?)
        }
        "CREATE" | "DELETE" => None,
        _ => return None,
    };
    if is_shadow || event.key.is_nil() {
        return None;
    }
    let metadata = &record["metadata"];
    let user = id(&metadata["updatedByUserId"]).or_else(|| id(&metadata["createdByUserId"]));
    Some(InventoryEntry {
        event: event.id,
        kind,
        entity: event.key,
        action: event.kind.to_owned(),
        user: user.unwrap_or_default(),
        event_ms: event.at_ms,
        position: event.position,
        diff,
    })
}

fn read(json: Option<&[u8]>) -> Option<Value> {
    serde_json::from_slice(json?).ok()
}

fn id(value: &Value) -> Option<Uuid> {
    Uuid::try_parse(value.as_str()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KEY: Uuid = Uuid::from_u128(7);
    const USER: &str = "e7a0aaac-4fcb-4639-9b02-f326703eeb59";

    fn event<'a>(
        topic: &'a str,
        kind: &'a str,
        old: Option<&'a [u8]>,
        new: Option<&'a [u8]>,
    ) -> UnreadEvent<'a> {
        UnreadEvent {
            position: 3,
            id: Uuid::from_u128(1),
            at_ms: 1_741_080_672_480,
            topic,
            key: KEY,
            kind,
            old,
            new,
            headers: None,
            user_id: None,
        }
    }

    fn text(value: &Value) -> Vec<u8> {
        value.to_string().into_bytes()
    }

    #[test]
    fn a_record_and_what_the_audit_is_told_make_the_same_entry() {
        let line = json!({"id": KEY, "purchaseOrderId": KEY, "metadata": {
            "updatedByUserId": USER, "updatedDate": "2025-03-04T09:30:00.000+00:00"}});
        let told = json!({"action": "Edit", "orderLineId": KEY, "orderId": KEY, "userId": USER,
            "actionDate": "2025-03-04T09:30:00.000+00:00",
            "orderLineSnapshot": {"id": KEY, "purchaseOrderId": KEY}});
        let (line, told) = (text(&line), text(&told));
        let mut record = entry(
            &event("ACQ_ORDER_LINE_CHANGED", "UPDATE", None, Some(&line)),
            false,
        );
        if let Some(Entry::Acquisition(record)) = &mut record {
            assert_eq!(record.snapshot, None, "it is taken from the outbox");
            record.snapshot = Some(json!({"id": KEY, "purchaseOrderId": KEY}));
        }
        let written = entry(
            &event("Default.ACQ_ORDER_LINE_CHANGED", "Edit", None, Some(&told)),
            false,
        );
        assert_eq!(record, written);
        let Some(Entry::Acquisition(record)) = record else {
            panic!("an entry");
        };
        assert_eq!((record.kind, record.whole), ("order-line", Some(KEY)));
        assert_eq!(record.action_ms, 1_741_080_600_000);
    }

    #[test]
    fn inventory_has_entries_where_something_that_counts_changed_and_it_is_on() {
        let old = text(&json!({"id": KEY, "barcode": "1", "_version": 1}));
        let new = text(
            &json!({"id": KEY, "barcode": "2", "_version": 2, "metadata": {"createdByUserId": USER}}),
        );
        let same = text(&json!({"id": KEY, "barcode": "1", "_version": 2}));
        let shadow = text(&json!({"id": KEY, "source": "CONSORTIUM-FOLIO"}));
        let update = |new| event("inventory.item", "UPDATE", Some(&old), Some(new));
        let Some(Entry::Inventory(changed)) = entry(&update(&new), true) else {
            panic!("an entry");
        };
        assert_eq!(
            (changed.kind, changed.user.to_string()),
            ("item", USER.to_owned())
        );
        assert_eq!(changed.diff.unwrap()["fieldChanges"][0]["newValue"], "2");
        assert_eq!(entry(&update(&new), false), None);
        assert_eq!(entry(&update(&same), true), None);
        let created = event("inventory.instance", "CREATE", None, Some(&shadow));
        assert_eq!(entry(&created, true), None);
        let reindexed = event("inventory.instance", "REINDEX", None, None);
        assert_eq!(entry(&reindexed, true), None);
        let deleted = entry(
            &event("inventory.holdings-record", "DELETE", Some(&old), None),
            true,
        );
        let Some(Entry::Inventory(deleted)) = deleted else {
            panic!("an entry");
        };
        assert_eq!(
            (deleted.kind, deleted.user, deleted.diff),
            ("holdings", Uuid::nil(), None)
        );
    }

    #[test]
    fn each_kind_of_acquisition_is_read_from_both_topics() {
        for kind in ACQUISITIONS {
            let told = format!("Default.{}", kind.topic);
            assert!(TOPICS.contains(&kind.topic) && TOPICS.contains(&told.as_str()));
        }
    }

    /// What is read of a record in part is enough for its entry.
    #[test]
    fn entries_of_records_need_the_named_properties_alone() {
        for topic in RECORD_TOPICS {
            let kind = ACQUISITIONS.into_iter().find(|one| one.topic == topic);
            let whole = kind.expect("a record of acquisitions").whole;
            assert!(whole.is_none_or(|(_, property)| RECORD_PROPERTIES.contains(&property)));
            let whole = json!({"id": KEY, "purchaseOrderId": KEY, "notes": [1], "metadata": {
                "updatedByUserId": USER, "updatedDate": "2025-03-04T09:30:00.000+00:00"}});
            let mut part = whole.clone();
            let part_of = part.as_object_mut().expect("an object");
            part_of.retain(|name, _| RECORD_PROPERTIES.contains(&name.as_str()));
            let (whole, part) = (text(&whole), text(&part));
            assert_eq!(
                entry(&event(topic, "UPDATE", None, Some(&whole)), false),
                entry(&event(topic, "UPDATE", None, Some(&part)), false)
            );
        }
    }
}
