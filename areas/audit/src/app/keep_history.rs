//! Histories from the outbox: a portion of events is read and its entries are stored in one transaction, which also
//! moves the reader. So each event is in a history once, however many processes work.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{PortionSize, Topics, read_topics, reader};

use super::Context;
use crate::rules::event::{Entry, RECORD_PROPERTIES, RECORD_TOPICS, TOPICS, entry};
use crate::rules::setting::INVENTORY;
use crate::store::{acquisitions, inventory, settings};

/// The name of this reader of the outbox.
pub const READER: &str = "history";

/// The size of the stored records of a portion: some are ten times as large when they are unpacked.
const BYTES_MAX: i64 = 4 * 1024 * 1024;

/// Makes the reader known.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn begin(context: &Context<'_>) -> Result<(), StoreError> {
    reader::begin(&context.store.database, context.tenant, READER).await
}

/// Whether there may be events that are in no history yet. Makes the reader known where it is not.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn is_behind(context: &Context<'_>) -> Result<bool, StoreError> {
    match reader::looks(&context.store.database, context.tenant, READER).await? {
        Some(behind) => Ok(behind),
        None => {
            begin(context).await?;
            Ok(true)
        }
    }
}

/// Adds the next events, so many at most; says whether there may be more. Whoever else is at it is waited for.
///
/// # Errors
/// When the database does not answer; then nothing is added.
#[boxed]
pub async fn go_on(
    context: &Context<'_>,
    transaction: &Transaction,
    events: i64,
) -> Result<bool, StoreError> {
    let (tenant, tables) = (context.tenant, context.tables());
    let Some(cursor) = reader::hold(transaction, tenant, READER).await? else {
        return Ok(false);
    };
    let size = PortionSize {
        events,
        bytes: BYTES_MAX,
    };
    let topics = Topics {
        topics: &TOPICS,
        in_part: &RECORD_TOPICS,
        properties: &RECORD_PROPERTIES,
    };
    let portion = read_topics(transaction, tenant, &cursor, size, topics).await?;
    if portion.cursor == cursor {
        return Ok(false);
    }
    let of_inventory = settings::is_on(transaction, tables, INVENTORY).await?;
    let (mut of_acquisitions, mut of_stock) = (Vec::new(), Vec::new());
    for found in portion
        .events()
        .filter_map(|event| entry(&event, of_inventory))
    {
        match found {
            Entry::Acquisition(one) => of_acquisitions.push(one),
            Entry::Inventory(one) => of_stock.push(one),
        }
    }
    acquisitions::add(transaction, tables, &of_acquisitions).await?;
    inventory::add(transaction, tables, &of_stock).await?;
    reader::keep(transaction, tenant, READER, &portion.cursor).await?;
    Ok(portion.cursor.window.is_some())
}

/// Adds what has happened until now, a portion at most, so that whoever has just changed a record sees that; says
/// whether there may be more.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn catch_up(context: &Context<'_>, events: i64) -> Result<bool, StoreError> {
    if !is_behind(context).await? {
        return Ok(false);
    }
    let transaction = context.store.database.transaction().await?;
    let more = go_on(context, &transaction, events).await?;
    transaction.commit().await?;
    Ok(more)
}
