//! Moves items to other holdings and updates their derived properties, in one transaction.

use octavo_boxed::boxed;
use octavo_records::store::{Hold, Locking, fetch_many, fetch_shared, replace_many};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Context, Refusal, following, id_in, object};
use crate::followers::Movable;
use crate::rules::derive_item;
use crate::rules::move_form::{Move, parse};
use crate::store;

/// Records that one request may move.
pub const RECORDS_MAX: usize = 50_000;

/// Records that are read and written in one statement.
pub(super) const PORTION: usize = 1_000;

pub(super) fn within_limit(wanted: &Move) -> Result<(), Refusal> {
    match wanted.ids.len() {
        sent if sent > RECORDS_MAX => Err(Refusal::TooMany {
            most: RECORDS_MAX,
            sent,
        }),
        _ => Ok(()),
    }
}

/// Moves items to other holdings; returns unknown ids. Items that are there already are unchanged. Of
/// two concurrent moves of the same items the later one wins.
///
/// # Errors
/// When there are no such holdings, or too many items.
#[boxed]
pub async fn move_items(context: &Context<'_>, wanted: Move) -> Result<Vec<String>, Refusal> {
    within_limit(&wanted)?;
    let (items, tenant) = (context.collection("item"), context.tenant);
    let shelves = context.collection("holdings_record");
    let transaction = context.store.database.transaction().await?;
    let missing = || Refusal::Unprocessable(format!("Holding with id={} not found", wanted.to));
    let to = parse(&wanted.to).ok_or_else(missing)?;
    let candidates = wanted.candidates();
    following::hold(&transaction, context, Movable::Items(&candidates)).await?;
    // Lock order: holdings before items, as everywhere, so that two transactions cannot deadlock.
    let holdings = fetch_shared(&transaction, tenant, shelves, to).await?;
    let holdings = holdings.ok_or_else(missing)?;
    let now = context.now();
    // All items are locked before the first write: the locks that writing takes are then never waited
    // for by a holder of a later item, so no deadlock.
    let moved = store::items::lock_all(&transaction, tenant, &candidates).await?;
    for portion in moved.chunks(PORTION) {
        let hold = Hold::Exclusive;
        let mut found = fetch_many(&transaction, tenant, items, portion, hold).await?;
        let changed: Vec<(Uuid, Map<String, Value>)> = portion
            .iter()
            .filter_map(|id| {
                let old = found.remove(id)?;
                let stays = id_in(&old, "holdingsRecordId") == Some(to);
                (!stays).then(|| (*id, object(moved_to(to, &holdings, old, &now))))
            })
            .collect();
        let (stamp, locking) = (&context.stamp, Locking::Suppressed);
        replace_many(&transaction, tenant, items, &changed, stamp, locking).await?;
        let changed: Vec<Value> = changed
            .into_iter()
            .map(|(_, item)| Value::Object(item))
            .collect();
        following::items(&transaction, context, &changed).await?;
    }
    transaction.commit().await?;
    Ok(wanted.without(&moved))
}

fn moved_to(to: Uuid, holdings: &Value, old: Value, now: &str) -> Value {
    let mut item = old.clone();
    if let Value::Object(item) = &mut item {
        item.insert("holdingsRecordId".to_owned(), json!(to));
    }
    derive_item(&mut item, holdings, Some(&old), now);
    item
}
