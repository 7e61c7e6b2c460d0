//! Acts on loans.

use octavo_library::{ItemId, UserId, id_in};
use serde_json::{Map, Value};

use super::{EventLine, Known, SYSTEM, Unfit, Wanted, action, item, owned, text};
use crate::circulation_log::about;
use crate::facts::{LogEntry, LogRecord};

const ANONYMIZED: &str = "Anonymize";
const AGED: &str = "Age to lost";

pub(super) fn wanted(payload: &Map<String, Value>, wanted: &mut Wanted) {
    match text(payload, "action") {
        Some(ANONYMIZED) => wanted.items.extend(id_in::<ItemId>(payload, "itemId")),
        Some(AGED) => wanted.users.extend(id_in::<UserId>(payload, "userId")),
        _ => {
            for name in ["updatedByUserId", "userId"] {
                wanted.users.extend(id_in::<UserId>(payload, name));
            }
        }
    }
}

pub(super) fn lines(payload: &Map<String, Value>, known: &Known) -> Result<Vec<EventLine>, Unfit> {
    let action = action(payload)?;
    let user = id_in(payload, "userId").filter(|_| action != ANONYMIZED);
    let barcode = owned(payload, "userBarcode").or_else(|| known.barcode(user));
    let point = id_in(payload, "servicePointId").filter(|_| action != AGED);
    let source = match action {
        ANONYMIZED | AGED => Some(SYSTEM.to_owned()),
        _ => known.name(id_in(payload, "updatedByUserId")),
    };
    let entry = LogEntry {
        object: "Loan",
        action,
        user_barcode: barcode.filter(|_| action != ANONYMIZED),
        items: vec![known.item(item(payload))],
        service_point_id: point,
        description: text(payload, "description").unwrap_or_default().to_owned(),
        link_to_ids: about(user, None),
        record: LogRecord::None,
    };
    Ok(vec![EventLine {
        entry,
        source,
        date: None,
    }])
}
