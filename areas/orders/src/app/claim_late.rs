//! Pieces that do not come become Late: expected ones after the interval of their title, claimed ones after
//! their own.

use octavo_boxed::boxed;
use octavo_configuration::app::locale;
use octavo_configuration::store::tenant;
use octavo_records::store::{Locking, replace_many};
use octavo_records::{Context, StoreError, instant};
use uuid::Uuid;

use crate::rules::doc::{Doc, id as id_at};
use crate::rules::receipt::set_status;
use crate::store::pieces::late;

/// Pieces that one transaction marks.
const PORTION: i64 = 1_000;

/// Marks the pieces that are late; returns their number.
#[boxed]
pub async fn mark_late(context: &Context<'_>) -> Result<usize, StoreError> {
    let database = &context.store.database;
    let catalog = &context.store.catalog;
    let settings = tenant::locale(database, context.tenant, catalog).await?;
    let zone = locale::zone(settings.as_deref());
    let today = context.stamp.at.to_zoned(zone.clone()).date().to_string();
    let zone = zone.iana_name().unwrap_or("UTC").to_owned();
    let now = instant::format(context.stamp.at);
    let mut marked = 0;
    loop {
        let transaction = database.transaction().await?;
        let tables = context.tables();
        let pieces = late(&transaction, tables, (&today, &zone), PORTION).await?;
        if pieces.is_empty() {
            return Ok(marked);
        }
        let changed: Vec<(Uuid, Doc)> = pieces
            .into_iter()
            .filter_map(|mut piece| {
                set_status(&mut piece, "Late", &now);
                Some((id_at(&piece, "id")?, piece))
            })
            .collect();
        let (collection, stamp) = (context.collection("pieces"), &context.stamp);
        let locking = Locking::Declared;
        replace_many(
            &transaction,
            context.tenant,
            collection,
            &changed,
            stamp,
            locking,
        )
        .await?;
        transaction.commit().await?;
        marked += changed.len();
    }
}
