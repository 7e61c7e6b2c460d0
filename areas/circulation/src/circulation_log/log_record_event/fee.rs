//! Acts on accounts. They alone say when they happened.

use octavo_library::{ItemId, UserId, id_in, wire_time};
use serde_json::{Map, Value, json};

use super::{EventLine, Known, Unfit, Wanted, action, item, owned, text};
use crate::circulation_log::fee::{Act, act_words};
use crate::facts::{LogEntry, LogLinks, LogRecord};

pub(super) fn wanted(payload: &Map<String, Value>, wanted: &mut Wanted) {
    wanted.users.extend(id_in::<UserId>(payload, "userId"));
    wanted.items.extend(id_in::<ItemId>(payload, "itemId"));
}

pub(super) fn lines(payload: &Map<String, Value>, known: &Known) -> Result<Vec<EventLine>, Unfit> {
    let action = action(payload)?;
    let at = text(payload, "date").and_then(wire_time::parse);
    let at = at.ok_or(Unfit::Lacks("a date"))?;
    let user = id_in(payload, "userId");
    let description = act_words(&Act {
        name: action,
        fee_type: text(payload, "type").unwrap_or_default(),
        owner: text(payload, "feeFineOwner").unwrap_or_default(),
        is_automatic: payload.get("automated") == Some(&json!(true)),
        amount: payload.get("amount"),
        balance: payload.get("balance"),
        method: text(payload, "paymentMethod").unwrap_or_default(),
        comments: text(payload, "comments").unwrap_or_default(),
    });
    let entry = LogEntry {
        object: "Fee/Fine",
        action,
        user_barcode: known.barcode(user),
        items: vec![known.item(item(payload))],
        service_point_id: id_in(payload, "servicePointId"),
        description,
        link_to_ids: LogLinks {
            user_id: user,
            fee_fine_id: id_in(payload, "accountId"),
            ..LogLinks::default()
        },
        record: LogRecord::None,
    };
    Ok(vec![EventLine {
        entry,
        source: owned(payload, "source"),
        date: Some(json!(wire_time::format(at))),
    }])
}
