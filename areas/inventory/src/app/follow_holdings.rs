//! Updates the derived properties of items when their holdings change, in the same transaction: one
//! statement per portion of items, so that memory stays bounded.

use std::collections::HashMap;

use octavo_postgres::Transaction;
use octavo_records::store::{Hold, Locking, fetch_many, replace_many};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Context, Refusal, id_in, object};
use crate::rules::derive_item;
use crate::store::items;

/// Items that are read and written in one statement.
const PORTION: usize = 1_000;

/// Rewrites the items of changed holdings, given by their ids; returns how many items changed. The
/// holdings must be locked, so that no item is added or removed meanwhile.
pub(super) async fn follow_holdings(
    transaction: &Transaction,
    context: &Context<'_>,
    holdings: &HashMap<Uuid, Value>,
) -> Result<usize, Refusal> {
    let of: Vec<Uuid> = holdings.keys().copied().collect();
    let ids = items::lock_items_of(transaction, context.tenant, &of).await?;
    let (collection, now) = (context.collection("item"), context.now());
    let mut rewritten = 0;
    for portion in ids.chunks(PORTION) {
        let hold = Hold::Exclusive;
        let found = fetch_many(transaction, context.tenant, collection, portion, hold).await?;
        let changed: Vec<(Uuid, Map<String, Value>)> = found
            .into_iter()
            .filter_map(|(id, item)| {
                let holdings = holdings.get(&id_in(&item, "holdingsRecordId")?)?;
                Some((id, followed(item, holdings, &now)?))
            })
            .collect();
        replace_many(
            transaction,
            context.tenant,
            collection,
            &changed,
            &context.stamp,
            Locking::Suppressed,
        )
        .await?;
        rewritten += changed.len();
    }
    Ok(rewritten)
}

/// The updated item; `None` if nothing changes.
fn followed(old: Value, holdings: &Value, now: &str) -> Option<Map<String, Value>> {
    let mut item = old.clone();
    derive_item(&mut item, holdings, Some(&old), now);
    let differs = DERIVED
        .iter()
        .any(|property| item.get(*property) != old.get(*property));
    differs.then(|| object(item))
}

/// The properties that an item derives from its holdings.
const DERIVED: [&str; 3] = [
    "effectiveLocationId",
    "effectiveShelvingOrder",
    "effectiveCallNumberComponents",
];
