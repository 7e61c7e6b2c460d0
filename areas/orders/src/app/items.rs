//! The items of order lines: their statuses follow their order's.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_inventory::app::store_item;
use octavo_library::{DatedStatus, ItemStatus};
use octavo_records::store::{Locking, replace_many};
use serde_json::Value;
use uuid::Uuid;

use super::Work;
use crate::refusal::{Code, Declined, Refusal, of_inventory};
use crate::rules::doc::{Doc, id as id_at};
use crate::store::inventory::items_of_lines;
use crate::store::lines::Held;

/// Gives the items of lines that have one status another.
#[boxed]
pub async fn follow(
    work: Work<'_>,
    line_ids: &[Uuid],
    from: ItemStatus,
    to: ItemStatus,
) -> Result<(), Declined> {
    let context = work.context;
    let tables = context.tables();
    let items = items_of_lines(work.transaction, tables, line_ids, Held::Yes).await?;
    let changed: Vec<(Uuid, Doc)> = items
        .into_iter()
        .filter(|item| status_of(item) == Some(from))
        .filter_map(|mut item| {
            set_status(&mut item, to, context.stamp.at);
            Some((id_at(&item, "id")?, item))
        })
        .collect();
    write(work, &changed).await
}

/// Writes items whatever their version: they are locked.
#[boxed]
pub async fn write(work: Work<'_>, items: &[(Uuid, Doc)]) -> Result<(), Declined> {
    let context = work.context;
    let (collection, stamp) = (context.collection("item"), &context.stamp);
    let locking = Locking::Suppressed;
    replace_many(
        work.transaction,
        context.tenant,
        collection,
        items,
        stamp,
        locking,
    )
    .await?;
    Ok(())
}

/// The status of an item.
#[must_use]
pub fn status_of(item: &Doc) -> Option<ItemStatus> {
    let status = item.get("status").and_then(Value::as_object)?;
    ItemStatus::named(status.get("name")?.as_str()?)
}

/// Gives an item a status from an instant on.
pub fn set_status(item: &mut Doc, status: ItemStatus, at: Timestamp) {
    let dated = DatedStatus {
        name: status,
        date: Some(at),
    };
    dated.apply_to(item);
}

/// Replaces an item that follows its piece, by inventory's own operation: what it has from its holdings
/// changes too. The piece and its line are the caller's.
///
/// # Errors
/// When its barcode is taken.
#[boxed]
pub async fn replace(work: Work<'_>, id: Uuid, item: Doc) -> Result<(), Declined> {
    let unguarded = octavo_inventory::app::unguarded;
    let item = Value::Object(item);
    let replaced =
        store_item::replace_alone(work.transaction, work.context, id, item, unguarded).await;
    replaced
        .map(|_| ())
        .map_err(|refusal| match refusal.is_taken("barcode") {
            true => Refusal::new(409, Code::BarcodeIsNotUnique).into(),
            false => of_inventory(refusal),
        })
}
