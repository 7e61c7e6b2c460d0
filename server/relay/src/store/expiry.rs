//! The end of events: they are kept for some hours, where they are relayed until they are sent, and until areas that
//! work on them have read them.

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use octavo_records::Tenant;
use octavo_records::store::reader;

use super::lease;
use crate::pump::KAFKA;

/// Whether events are kept until they are sent, also while Kafka is away: somebody has relayed within the time for
/// which they are kept. A relay that nobody has run for longer is over.
#[boxed]
pub async fn is_relayed(database: &Database, hours: i32) -> Result<bool, DatabaseError> {
    Ok(lease::is_kept(database).await? && lease::is_used(database, KAFKA, hours).await?)
}

/// Deletes events that are older than some hours, `most` of them at most; where they are relayed, only those that
/// were sent, and none that a reader has still to read. Gives how many.
#[boxed]
pub async fn delete_old(
    database: &Database,
    tenant: &Tenant,
    (hours, relayed): (i32, bool),
    most: i64,
) -> Result<u64, DatabaseError> {
    let schema = tenant.schema();
    let sent = match relayed {
        false => String::new(),
        // A tenant without a state has sent nothing yet: what compares with nothing is not true.
        true => format!(
            " AND pg_visible_in_snapshot(xact, (SELECT read::pg_snapshot FROM {schema}.octavo_relay \
             WHERE name = '{KAFKA}'))"
        ),
    };
    let unread = reader::unread_by(schema, "$1");
    let sql = format!(
        "DELETE FROM {schema}.outbox WHERE position IN (SELECT position FROM {schema}.outbox \
         WHERE event_ts < now() - make_interval(hours => $1){sent} \
         AND NOT {unread} ORDER BY position LIMIT $2)"
    );
    database.execute(&sql, &[&hours, &most]).await
}
