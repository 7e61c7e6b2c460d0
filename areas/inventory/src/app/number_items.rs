//! Items get their places within their holdings (`order`): whoever stores an item that has none asks
//! here, in the transaction that stores it and with its holdings held.

use std::collections::HashMap;

use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use super::{Refusal, id_in};
use crate::rules::order;
use crate::store;

/// Gives those of these items that have no place the next ones of their holdings, in the order in
/// which they stand; the places that others bring are remembered. All are items of `holdings`.
///
/// # Errors
/// When the database does not answer.
pub async fn renumber(
    transaction: &Transaction,
    tenant: &Tenant,
    holdings: Uuid,
    items: &mut [Value],
) -> Result<(), Refusal> {
    let (without, highest) = order::wanted(items.iter());
    let places = store::order::take(transaction, tenant, &[(holdings, without, highest)]).await?;
    if let Some(last) = places.get(&holdings) {
        order::number(items.iter_mut(), *last, without);
    }
    Ok(())
}

/// The same for items of several holdings, in one statement.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn renumber_all(
    transaction: &Transaction,
    tenant: &Tenant,
    items: Vec<&mut Value>,
) -> Result<(), Refusal> {
    let mut shelves: HashMap<Uuid, Vec<&mut Value>> = HashMap::new();
    for item in items {
        if let Some(holdings) = id_in(item, "holdingsRecordId") {
            shelves.entry(holdings).or_default().push(item);
        }
    }
    if shelves.is_empty() {
        return Ok(());
    }
    let wanted: Vec<(Uuid, i64, i64)> = shelves
        .iter()
        .map(|(holdings, items)| {
            let (without, highest) = order::wanted(items.iter().map(|item| &**item));
            (*holdings, without, highest)
        })
        .collect();
    let places = store::order::take(transaction, tenant, &wanted).await?;
    for (holdings, without, _) in wanted {
        if let (Some(items), Some(last)) = (shelves.remove(&holdings), places.get(&holdings)) {
            order::number(items.into_iter(), *last, without);
        }
    }
    Ok(())
}

/// Gives one new item its place, in the statement that holds its holdings; gives these, if they exist.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn place(
    transaction: &Transaction,
    tenant: &Tenant,
    holdings: Uuid,
    item: &mut Value,
) -> Result<Option<Value>, StoreError> {
    let wanted = order::wanted(std::iter::once(&*item));
    let held = store::order::hold_and_take(transaction, tenant, holdings, wanted).await?;
    Ok(held.map(|(holdings, last)| {
        order::number(std::iter::once(item), last, wanted.0);
        holdings
    }))
}

/// A place that no client can read is refused.
pub(super) fn check(item: &Value) -> Result<(), Refusal> {
    match order::refused(item) {
        Some(place) => Err(Refusal::property(
            "must be a whole number from -2147483648 to 2147483647",
            "order",
            place.to_string(),
        )),
        None => Ok(()),
    }
}
