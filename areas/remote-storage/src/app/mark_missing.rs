//! A storage does not find an item.

use octavo_boxed::boxed;
use octavo_inventory::app::mark_item::mark_item;
use octavo_inventory::rules::status_moves::Mark;
use octavo_records::Context;

use super::{Outcome, of_inventory};
use crate::store::items;

/// Marks an item as missing; an unknown barcode changes nothing.
///
/// # Errors
/// When the status of the item does not allow it.
#[boxed]
pub async fn mark_missing(context: &Context<'_>, barcode: &str) -> Outcome<()> {
    let database = &context.store.database;
    let found = items::by_barcode(database, context.tables(), barcode).await?;
    match found {
        Some(item) => {
            let marked = mark_item(context, item.id, Mark::Missing).await;
            marked.map_err(of_inventory)
        }
        None => Ok(()),
    }
}
