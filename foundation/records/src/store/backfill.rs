//! Making for records that were there before what a release keeps of every record: portion by portion,
//! in the background. A row for each kind of record says how far that is; whichever process comes next
//! goes on from there.

use std::future::Future;

use octavo_postgres::{Database, Transaction};
use uuid::Uuid;

use crate::error::StoreError;
use crate::executor::Executor;
use crate::retry::retried;
use crate::tenant::Tenant;

/// Something that is made for all records of a tenant, once.
pub trait Backfill: Sync {
    /// The tenant's table that says how far each kind of record is: a column that names the kind,
    /// `after uuid` and `done boolean`. A migration of the area makes it, with a row for each kind.
    const TABLE: &'static str;
    /// The column that names the kind. Kinds are gone through in the order of their names.
    const KIND: &'static str;

    /// Makes it for the next records of a kind, in the order of their ids and behind `after`. It holds
    /// them, so that a change of one of them comes wholly before or wholly after.
    fn portion(
        &self,
        transaction: &Transaction,
        tenant: &Tenant,
        kind: &str,
        after: Uuid,
    ) -> impl Future<Output = Result<Portion, StoreError>> + Send;
}

/// What a portion was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Portion {
    /// The last record of it.
    pub last: Option<Uuid>,
    /// Whether there is none behind it.
    pub is_last: bool,
}

impl Portion {
    /// The portion of these records, in the order of their ids, of which `most` were wanted.
    #[must_use]
    pub fn of(ids: &[Uuid], most: i64) -> Portion {
        Portion {
            last: ids.last().copied(),
            is_last: (ids.len() as i64) < most,
        }
    }
}

/// A kind of record that has not been gone through to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfilled {
    /// Its name.
    pub kind: String,
    /// The last id that was.
    pub after: Uuid,
}

/// The kinds of record that have not been gone through to their end.
pub async fn unfilled<B: Backfill>(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Vec<Unfilled>, StoreError> {
    let sql = format!(
        "SELECT {kind}, after FROM {}.{} WHERE NOT done ORDER BY {kind} COLLATE \"C\"",
        tenant.schema(),
        B::TABLE,
        kind = B::KIND,
    );
    let rows = executor.rows(&sql, &[]).await?;
    let unfilled = rows.iter().map(|row| Unfilled {
        kind: row.get(B::KIND),
        after: row.get("after"),
    });
    Ok(unfilled.collect())
}

/// Goes through all that is left, each portion in a transaction of its own; gives how many portions
/// that were. Of several who do so at once, each portion is done by one of them.
///
/// # Errors
/// When the database does not answer; what was done before is kept.
pub async fn fill<B: Backfill>(
    backfill: &B,
    database: &Database,
    tenant: &Tenant,
) -> Result<usize, StoreError> {
    let mut portions = 0;
    for Unfilled { kind, .. } in unfilled::<B>(database, tenant).await? {
        tracing::info!(
            tenant = tenant.id(),
            table = B::TABLE,
            kind,
            "going through the records that were there before"
        );
        while retried(|| go_on(backfill, database, tenant, &kind)).await? {
            portions += 1;
        }
    }
    Ok(portions)
}

/// Does the next portion of a kind; false when there was none.
async fn go_on<B: Backfill>(
    backfill: &B,
    database: &Database,
    tenant: &Tenant,
    kind: &str,
) -> Result<bool, StoreError> {
    let table = format!("{}.{}", tenant.schema(), B::TABLE);
    let transaction = database.transaction().await?;
    let sql = format!(
        "SELECT after FROM {table} WHERE {} = $1 AND NOT done FOR UPDATE",
        B::KIND
    );
    let Some(row) = transaction.query_opt(&sql, &[&kind]).await? else {
        return Ok(false);
    };
    let after: Uuid = row.get("after");
    let portion = backfill.portion(&transaction, tenant, kind, after).await?;
    let sql = format!(
        "UPDATE {table} SET after = $2, done = $3 WHERE {} = $1",
        B::KIND
    );
    let last = portion.last.unwrap_or(after);
    transaction
        .execute(&sql, &[&kind, &last, &portion.is_last])
        .await?;
    transaction.commit().await?;
    Ok(true)
}
