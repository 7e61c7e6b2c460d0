//! Updates of records of areas to the right, in inventory's own transaction. In FOLIO the modules send
//! each other requests for it. Does nothing when a composition lacks the area.

use octavo_library::RequestStatus;
use octavo_postgres::Transaction;
use octavo_records::store::replace;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Context, Refusal};
use crate::rules::released_request::{BEING_FILLED, released};
use crate::rules::source_record;
use crate::store::cross_module_updates;

/// Reopens the request that an item was to fill. The item is locked.
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

/// The change of the source record that follows from a change of its instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    /// It is marked as deleted or not.
    Deleted(bool),
    /// It is suppressed from discovery or not.
    Suppressed(bool),
}

impl Follow {
    /// The change of the source record, if any.
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

/// Updates the source record of a locked instance, if it has one.
pub(super) async fn update_source_record(
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
