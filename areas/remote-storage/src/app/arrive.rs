//! An item arrives from a storage: it is checked in at the service point of its location.

use octavo_boxed::boxed;
use octavo_circulation::app::check_in::check_in_within;
use octavo_circulation::check_in::{CheckInRequest, Modifiers};
use octavo_postgres::Transaction;
use uuid::Uuid;

use super::{Dock, Outcome, of_circulation};
use crate::rules::Refusal;
use crate::rules::arrival::service_point;
use crate::store::{items, mappings, queues};

/// Checks in an item of a storage.
///
/// # Errors
/// When no service point serves it, or circulation refuses.
#[boxed]
pub async fn arrive(dock: Dock<'_>, storage: Uuid, barcode: &str) -> Outcome<()> {
    let transaction = dock.context.store.database.transaction().await?;
    take_at_desk(dock, transaction, storage, barcode).await
}

/// Checks in the item that was last sent for a request.
///
/// # Errors
/// As [`arrive`], and when nothing was.
#[boxed]
pub async fn arrive_for_hold(dock: Dock<'_>, storage: Uuid, hold: Uuid) -> Outcome<()> {
    let transaction = dock.context.store.database.transaction().await?;
    let (tables, hold) = (dock.context.tables(), hold.to_string());
    let sent = queues::barcode_of_hold(&transaction, tables, &hold, storage).await?;
    let barcode = sent.ok_or(Refusal::NoRetrieval { hold, storage })?;
    take_at_desk(dock, transaction, storage, &barcode).await
}

/// Checks an item in and commits.
pub(super) async fn take_at_desk(
    dock: Dock<'_>,
    transaction: Transaction,
    storage: Uuid,
    barcode: &str,
) -> Outcome<()> {
    let tables = dock.context.tables();
    let places = mappings::places(&transaction, tables, storage).await?;
    let item_at = match places.len() {
        ..=1 => None,
        _ => {
            let item = items::by_barcode(&transaction, tables, barcode).await?;
            item.and_then(|item| item.at)
        }
    };
    let request = CheckInRequest {
        item_barcode: barcode.to_owned(),
        service_point_id: service_point(&places, item_at)?.into(),
        check_in_date: dock.context.stamp.at,
        claimed_returned_resolution: None,
        session_id: None,
        modifiers: Modifiers::default(),
    };
    let done = check_in_within(dock.desk(), transaction, &request).await;
    done.map(drop).map_err(of_circulation)
}
