//! Manual blocks: the whole record.

use octavo_library::{UserId, id_in};
use serde_json::{Map, Value, json};

use super::{EventLine, Known, Unfit, Wanted, object, text};
use crate::circulation_log::about;
use crate::facts::{LogEntry, LogRecord};

/// What happened to a block, by the event's type.
pub(super) fn act(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "MANUAL_BLOCK_CREATED_EVENT" => "Created",
        "MANUAL_BLOCK_MODIFIED_EVENT" => "Modified",
        "MANUAL_BLOCK_DELETED_EVENT" => "Deleted",
        _ => return None,
    })
}

fn actor(block: &Map<String, Value>) -> Option<UserId> {
    id_in(object(block, "metadata"), "updatedByUserId")
}

pub(super) fn wanted(block: &Map<String, Value>, wanted: &mut Wanted) {
    wanted.users.extend(id_in::<UserId>(block, "userId"));
    wanted.users.extend(actor(block));
}

pub(super) fn lines(
    kind: &str,
    block: &Map<String, Value>,
    known: &Known,
) -> Result<Vec<EventLine>, Unfit> {
    let user = id_in(block, "userId").ok_or(Unfit::Lacks("a userId"))?;
    let entry = LogEntry {
        object: "Manual Block",
        action: act(kind).ok_or(Unfit::Kind)?,
        user_barcode: known.barcode(Some(user)),
        items: Vec::new(),
        service_point_id: None,
        description: words(block),
        link_to_ids: about(Some(user), None),
        record: LogRecord::None,
    };
    Ok(vec![EventLine {
        entry,
        source: known.name(actor(block)),
        date: None,
    }])
}

fn words(block: &Map<String, Value>) -> String {
    let mut parts = Vec::new();
    let acts: Vec<&str> = ["borrowing", "renewals", "requests"]
        .into_iter()
        .filter(|name| block.get(*name) == Some(&json!(true)))
        .collect();
    if !acts.is_empty() {
        parts.push(format!("Block actions: {}.", acts.join(", ")));
    }
    for (name, label) in [
        ("desc", "Description"),
        ("staffInformation", "Staff only information"),
        ("patronMessage", "Message to patron"),
    ] {
        if let Some(said) = text(block, name) {
            parts.push(format!("{label}: {said}."));
        }
    }
    let day = text(block, "expirationDate").and_then(|date| date.get(..10));
    if let Some(day) = day {
        parts.push(format!("Expiration date: {day}."));
    }
    parts.join(" ")
}
