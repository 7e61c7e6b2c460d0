//! Due records: loans to be aged to lost or billed, and actual cost records that expire. Each kind is
//! read in pages from a partial index that contains nothing else, in the order of its key; the key ends
//! with the record's id, so that a page continues where the last one ended.

use std::collections::HashSet;

use jiff::Timestamp;
use octavo_library::{ItemId, LoanId, LostItemPolicyId};
use octavo_records::expression::key;
use octavo_records::{Executor, Index, StoreError, instant};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use crate::collections;

/// Records in a page, which is one transaction: few, because a desk that needs one of the items waits
/// for the whole page.
pub const PAGE: i64 = 50;

/// A due record, read before anything is locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The record.
    pub id: Uuid,
    /// The loan.
    pub loan_id: LoanId,
    /// That loan's item.
    pub item_id: ItemId,
    /// Its key in the index.
    pub key: String,
}

/// Loans of a policy that are due until an instant, the longest overdue first.
pub async fn for_aging(
    executor: &dyn Executor,
    tables: Tables<'_>,
    policy_id: LostItemPolicyId,
    recalled: bool,
    until: Timestamp,
    after: Option<&str>,
) -> Result<Vec<Due>, StoreError> {
    let from = format!("{policy_id} {recalled} ");
    let until = format!("{from}{}", instant::format(until));
    let of_loan = ["id", "(jsonb->>'itemId')::uuid"];
    let after = after.unwrap_or(&from);
    page(
        executor,
        tables,
        "loan",
        &collections::aging(),
        of_loan,
        after,
        &until,
    )
    .await
}

/// Loans whose borrowers are to be billed until an instant, the first to be billed first.
pub async fn for_billing(
    executor: &dyn Executor,
    tables: Tables<'_>,
    until: Timestamp,
    after: Option<&str>,
) -> Result<Vec<Due>, StoreError> {
    let until = instant::format(until);
    let of_loan = ["id", "(jsonb->>'itemId')::uuid"];
    let after = after.unwrap_or_default();
    page(
        executor,
        tables,
        "loan",
        &collections::billing(),
        of_loan,
        after,
        &until,
    )
    .await
}

/// Open records of actual costs that expire until an instant.
pub async fn for_expiration(
    executor: &dyn Executor,
    tables: Tables<'_>,
    until: Timestamp,
    after: Option<&str>,
) -> Result<Vec<Due>, StoreError> {
    let until = instant::format(until);
    let of_loan = [
        "(jsonb->'loan'->>'id')::uuid",
        "(jsonb->'item'->>'id')::uuid",
    ];
    let index = collections::expiring_actual_costs();
    let after = after.unwrap_or_default();
    page(
        executor,
        tables,
        "actual_cost_record",
        &index,
        of_loan,
        after,
        &until,
    )
    .await
}

async fn page(
    executor: &dyn Executor,
    tables: Tables<'_>,
    table: &str,
    index: &Index,
    [loan, item]: [&str; 2],
    after: &str,
    until: &str,
) -> Result<Vec<Due>, StoreError> {
    let place = key(index);
    let condition = index.condition.as_deref().unwrap_or("true");
    let sql = format!(
        "SELECT id, {loan} AS loan_id, {item} AS item_id, {place} AS place FROM {} WHERE {condition}
           AND {place} > $1 AND {place} < $2 ORDER BY {place} LIMIT $3",
        tables.table(table)
    );
    // An upper bound of all keys of that instant, in which a blank and an id follow it; `~` sorts after
    // the blank.
    let until = format!("{until}~");
    let rows = executor.rows(&sql, &[&after, &until, &PAGE]).await?;
    Ok(rows
        .iter()
        .map(|row| Due {
            id: row.get("id"),
            loan_id: row.get("loan_id"),
            item_id: row.get("item_id"),
            key: row.get("place"),
        })
        .collect())
}

/// The items of due records.
#[derive(Debug, Clone, Default)]
pub struct Items {
    /// Locked until the transaction ends.
    pub held: HashSet<ItemId>,
    /// Deleted. The remaining ones are locked by a desk or another process.
    pub gone: HashSet<ItemId>,
}

/// Locks items, skipping locked ones.
pub async fn hold_items(
    executor: &dyn Executor,
    tables: Tables<'_>,
    due: &[Due],
) -> Result<Items, StoreError> {
    let ids: Vec<ItemId> = due.iter().map(|due| due.item_id).collect();
    let items = tables.table("item");
    let held = format!("SELECT id FROM {items} WHERE id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED");
    // Read after locking: an item that is neither locked by us nor missing is locked by someone else.
    let there = format!("SELECT id FROM {items} WHERE id = ANY($1)");
    let values: octavo_records::Values<'_> = &[&ids];
    let (held, there) =
        futures_util::try_join!(executor.rows(&held, values), executor.rows(&there, values),)?;
    let there: HashSet<ItemId> = there.iter().map(|row| row.get("id")).collect();
    Ok(Items {
        held: held.iter().map(|row| row.get("id")).collect(),
        gone: ids.into_iter().filter(|id| !there.contains(id)).collect(),
    })
}

/// An open actual cost record, locked. Lock the item first, if there is one.
pub async fn open_actual_cost(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Map<String, Value>>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = $1 AND jsonb->>'status' = 'Open' FOR NO KEY UPDATE",
        tables.table("actual_cost_record")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some(document),
        _ => None,
    }))
}
