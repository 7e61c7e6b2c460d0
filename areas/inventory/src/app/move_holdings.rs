//! Moves holdings to another instance. Their items need no update, since they derive nothing from the
//! instance; bound-with parts stay with their holdings.

use octavo_boxed::boxed;
use octavo_records::store::{Hold, Locking, fetch_many, fetch_shared, replace_many};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::move_items::{PORTION, within_limit};
use super::{Context, Refusal, following, id_in, object};
use crate::followers::Movable;
use crate::rules::move_form::{Move, parse};

/// Moves holdings to another instance, in one transaction; returns unknown ids. Holdings that are there
/// already are unchanged. Of two concurrent moves of the same holdings the later one wins.
///
/// # Errors
/// When there is no such instance, or too many holdings.
#[boxed]
pub async fn move_holdings(context: &Context<'_>, wanted: Move) -> Result<Vec<String>, Refusal> {
    within_limit(&wanted)?;
    let (shelves, tenant) = (context.collection("holdings_record"), context.tenant);
    let instances = context.collection("instance");
    let transaction = context.store.database.transaction().await?;
    let missing = || Refusal::Unprocessable(format!("Instance with id={} not found", wanted.to));
    let to = parse(&wanted.to).ok_or_else(missing)?;
    let instance = fetch_shared(&transaction, tenant, instances, to).await?;
    let _held = instance.ok_or_else(missing)?;
    let ids = wanted.candidates();
    following::hold(&transaction, context, Movable::Holdings(&ids)).await?;
    let mut moved: Vec<Uuid> = Vec::with_capacity(ids.len());
    for portion in ids.chunks(PORTION) {
        let hold = Hold::Exclusive;
        let found = fetch_many(&transaction, tenant, shelves, portion, hold).await?;
        let changed: Vec<(Uuid, Map<String, Value>)> = portion
            .iter()
            .filter_map(|id| {
                let holdings = found.get(id)?;
                moved.push(*id);
                if id_in(holdings, "instanceId") == Some(to) {
                    return None;
                }
                let mut holdings = object(holdings.clone());
                holdings.insert("instanceId".to_owned(), json!(to));
                Some((*id, holdings))
            })
            .collect();
        let (stamp, locking) = (&context.stamp, Locking::Suppressed);
        replace_many(&transaction, tenant, shelves, &changed, stamp, locking).await?;
        let changed: Vec<(Uuid, Value)> = changed
            .into_iter()
            .map(|(id, holdings)| (id, Value::Object(holdings)))
            .collect();
        let pairs = changed
            .iter()
            .filter_map(|(id, new)| Some((*id, found.get(id)?, new)));
        following::holdings(&transaction, context, pairs).await?;
    }
    transaction.commit().await?;
    Ok(wanted.without(&moved))
}
