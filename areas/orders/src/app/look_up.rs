//! Orders and lines for other areas: invoices ask for them in their own transaction.

use octavo_boxed::boxed;
use octavo_records::store::{Hold, fetch_many};
use octavo_records::{Context, Executor, StoreError};
use std::collections::HashMap;
use uuid::Uuid;

use crate::rules::doc::{Doc, object};
use crate::store::lines::{Held, by_ids, of_orders};

/// The lines with these ids that exist, not locked.
#[boxed]
pub async fn lines(
    executor: &dyn Executor,
    context: &Context<'_>,
    ids: &[Uuid],
) -> Result<Vec<Doc>, StoreError> {
    by_ids(executor, context.tables(), ids, Held::No).await
}

/// The lines of orders, each order's in the order of their numbers, not locked.
#[boxed]
pub async fn lines_of_orders(
    executor: &dyn Executor,
    context: &Context<'_>,
    order_ids: &[Uuid],
) -> Result<Vec<Doc>, StoreError> {
    of_orders(executor, context.tables(), order_ids, Held::No).await
}

/// The orders with these ids that exist, locked against changes by others; orders are locked before their
/// lines, everywhere.
#[boxed]
pub async fn hold_orders(
    executor: &dyn Executor,
    context: &Context<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Doc>, StoreError> {
    let collection = context.collection(super::keep_order::TABLE);
    let found = fetch_many(executor, context.tenant, collection, ids, Hold::Exclusive).await?;
    let found = found.into_iter();
    Ok(found.map(|(id, order)| (id, object(order))).collect())
}
