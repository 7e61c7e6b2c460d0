//! Lets later areas follow items and holdings that move.

use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use serde_json::Value;
use uuid::Uuid;

use crate::followers::{Follower, Followers, Movable, Moved};

/// Who follows, if anybody does.
fn follower<'a>(context: &Context<'a>) -> Option<&'a dyn Follower> {
    let followers = context.store.catalog.provided::<Followers>();
    followers.map(|followers| followers.0.as_ref())
}

/// Locks what follows these, before they are locked themselves.
pub(super) async fn hold(
    transaction: &Transaction,
    context: &Context<'_>,
    ids: Movable<'_>,
) -> Result<(), StoreError> {
    match follower(context) {
        Some(follower) => follower.hold(*context, transaction, ids).await,
        None => Ok(()),
    }
}

/// Lets others follow items that lie in other holdings now.
pub(super) async fn items(
    transaction: &Transaction,
    context: &Context<'_>,
    items: &[Value],
) -> Result<(), StoreError> {
    match follower(context) {
        Some(follower) if !items.is_empty() => follower.items(*context, transaction, items).await,
        _ => Ok(()),
    }
}

/// Lets others follow those of these holdings that have another instance or location.
pub(super) async fn holdings<'h>(
    transaction: &Transaction,
    context: &Context<'_>,
    changed: impl Iterator<Item = (Uuid, &'h Value, &'h Value)>,
) -> Result<(), StoreError> {
    let Some(follower) = follower(context) else {
        return Ok(());
    };
    let moved: Vec<Moved<'h>> = changed
        .filter(|(_, old, new)| concerns(old, new))
        .map(|(id, old, new)| Moved { id, old, new })
        .collect();
    match moved.is_empty() {
        true => Ok(()),
        false => follower.holdings(*context, transaction, &moved).await,
    }
}

/// Whether holdings have another instance or location.
pub(super) fn concerns(old: &Value, new: &Value) -> bool {
    let differs = |property: &str| old.get(property) != new.get(property);
    differs("instanceId") || differs("permanentLocationId")
}
