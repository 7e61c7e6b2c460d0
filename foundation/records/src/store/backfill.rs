//! Backfills: what a release derives from every record is computed for existing records, portion by
//! portion, in the background. A row for each kind of record holds the progress; whichever process
//! comes next continues from there.

use std::future::Future;

use octavo_postgres::{Database, Transaction};
use uuid::Uuid;

use crate::error::StoreError;
use crate::executor::Executor;
use crate::retry::retried;
use crate::tenant::Tenant;

/// Something to be computed once for all records of a tenant.
pub trait Backfill: Sync {
    /// The tenant's table of progress: a column that names the kind, `after uuid` and `done
    /// boolean`. A migration of the area creates it, with a row for each kind.
    const TABLE: &'static str;
    /// The column that names the kind. Kinds are processed in the order of their names.
    const KIND: &'static str;

    /// Processes the next records of a kind, in the order of their ids and after `after`. It locks
    /// them, so that a change of one of them comes entirely before or entirely after.
    fn portion(
        &self,
        transaction: &Transaction,
        tenant: &Tenant,
        kind: &str,
        after: Uuid,
    ) -> impl Future<Output = Result<Portion, StoreError>> + Send;
}

/// The extent of a portion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Portion {
    /// Its last record.
    pub last: Option<Uuid>,
    /// Whether no record follows.
    pub is_last: bool,
}

impl Portion {
    /// The portion of these records, in the order of their ids, when `most` were requested.
    #[must_use]
    pub fn of(ids: &[Uuid], most: i64) -> Portion {
        Portion {
            last: ids.last().copied(),
            is_last: (ids.len() as i64) < most,
        }
    }
}

/// A kind of record that is not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfilled {
    pub kind: String,
    /// The last id that was processed.
    pub after: Uuid,
}

/// The kinds of record that are not complete.
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

/// Processes everything that is left, each portion in a transaction of its own; returns the number
/// of portions. When several processes do so at once, each portion is done by one of them.
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
            "backfill of existing records"
        );
        while retried(|| fill_portion(backfill, database, tenant, &kind)).await? {
            portions += 1;
        }
    }
    Ok(portions)
}

/// Processes the next portion of a kind; false when there was none.
async fn fill_portion<B: Backfill>(
    backfill: &B,
    database: &Database,
    tenant: &Tenant,
    kind: &str,
) -> Result<bool, StoreError> {
    let table = format!("{}.{}", tenant.schema(), B::TABLE);
    let transaction = database.transaction().await?;
    let sql = format!(
        // The lock on the row of progress lets one process at a time do a portion; the next one
        // finds the new position.
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
