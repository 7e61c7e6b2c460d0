//! What a step of inventory changes in records of areas to its right, in its own transaction: FOLIO's
//! modules ask each other for it. Where the area does not exist, nothing is to be done.

use octavo_library::RequestStatus;
use octavo_postgres::Transaction;
use octavo_records::store::replace;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Context, Refusal};
use crate::rules::released_request::{BEING_FILLED, released};
use crate::rules::source_record;
use crate::store::cross_module_updates;

/// Opens the request again that an item was to fill. The item is held.
pub(super) async fn release_request(
    transaction: &Transaction,
    context: &Context<'_>,
    item: Uuid,
) -> Result<(), Refusal> {
    let Some(requests) = context.store.catalog.get("request") else {
        return Ok(());
    };
    let tables = context.tables();
    let found = cross_module_updates::request_being_filled(
        transaction,
        tables,
        item,
        &BEING_FILLED.map(RequestStatus::name),
    )
    .await?;
    let released =
        found.and_then(|(id, request)| Some((id, released(&request, context.stamp.at)?)));
    if let Some((id, request)) = released {
        replace(
            transaction,
            context.tenant,
            requests,
            id,
            &request,
            &context.stamp,
        )
        .await?;
    }
    Ok(())
}

/// What a change of an instance that MARC controls changes in its source record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    /// It is deleted, or is no longer.
    Deleted(bool),
    /// It is hidden from discovery, or is no longer.
    Suppressed(bool),
}

impl Follow {
    /// What follows from the change of an instance.
    pub(super) fn from_change(old: &Value, new: &Value) -> Option<Follow> {
        let is = |instance: &Value, property: &str| {
            let value = instance.get(property).and_then(Value::as_bool);
            value.unwrap_or_default()
        };
        let (deleted, suppressed) = (is(new, "deleted"), is(new, "discoverySuppress"));
        if deleted != is(old, "deleted") {
            return Some(Follow::Deleted(deleted));
        }
        let changed = !deleted && suppressed != is(old, "discoverySuppress");
        changed.then_some(Follow::Suppressed(suppressed))
    }

    fn apply(self, record: &mut Map<String, Value>, new: &Value, context: &Context<'_>) {
        match self {
            Follow::Deleted(deleted) => {
                source_record::mark(record, deleted, context.stamp.at);
                if !deleted {
                    source_record::suppress(record, new["discoverySuppress"] == true);
                }
            }
            Follow::Suppressed(suppressed) => source_record::suppress(record, suppressed),
        }
    }
}

/// Lets the source record of an instance follow it. The instance is held; one that has no source
/// record has nothing to follow it.
pub(super) async fn let_source_record_follow(
    transaction: &Transaction,
    context: &Context<'_>,
    (id, new): (Uuid, &Value),
    follow: Follow,
) -> Result<(), Refusal> {
    let Some(records) = context.store.catalog.get("source_record") else {
        return Ok(());
    };
    let found = cross_module_updates::source_record(transaction, context.tables(), id).await?;
    if let Some((record_id, mut record)) = found {
        follow.apply(&mut record, new, context);
        replace(
            transaction,
            context.tenant,
            records,
            record_id,
            &record,
            &context.stamp,
        )
        .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_source_record_follows_what_changes_and_nothing_else() {
        let follow = |old: Value, new: Value| Follow::from_change(&old, &new);
        let deleted = json!({"deleted": true, "discoverySuppress": true});
        assert_eq!(
            follow(json!({}), deleted.clone()),
            Some(Follow::Deleted(true))
        );
        assert_eq!(follow(deleted.clone(), deleted.clone()), None);
        assert_eq!(follow(deleted, json!({})), Some(Follow::Deleted(false)));
        let hidden = json!({"discoverySuppress": true});
        assert_eq!(
            follow(json!({}), hidden.clone()),
            Some(Follow::Suppressed(true))
        );
        let shown = json!({"discoverySuppress": false});
        assert_eq!(
            follow(hidden, shown.clone()),
            Some(Follow::Suppressed(false))
        );
        assert_eq!(follow(json!({"title": "a"}), shown), None);
    }
}
