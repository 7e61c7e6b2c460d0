//! The borrower, who acts for them, and what may keep them from borrowing.

use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::{Tables, read};
use crate::check_out::OpenLoanCounts;
use crate::facts::{Item, ManualBlock, Patron, ProxyRelationship};

/// The user with a barcode.
///
/// # Errors
/// When the database does not answer.
pub async fn by_barcode(
    executor: &impl Executor,
    tables: Tables<'_>,
    barcode: Option<&str>,
) -> Result<Option<Patron>, StoreError> {
    let Some(barcode) = barcode else {
        return Ok(None);
    };
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {}",
        tables.table("users"),
        tables.equals("users", "barcode", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&barcode]).await?;
    rows.first().map(|row| read("user", row.get(0))).transpose()
}

/// The borrower of a loan.
///
/// # Errors
/// When the database does not answer.
pub async fn of_loan(
    executor: &impl Executor,
    tables: Tables<'_>,
    loan_id: Uuid,
) -> Result<Option<Patron>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = (SELECT (jsonb->>'userId')::uuid FROM {} WHERE id = $1)",
        tables.table("users"),
        tables.table("loan"),
    );
    let rows = executor.rows(&sql, &[&loan_id]).await?;
    rows.first().map(|row| read("user", row.get(0))).transpose()
}

/// The blocks that staff put on a patron.
///
/// # Errors
/// When the database does not answer.
pub async fn manual_blocks(
    executor: &impl Executor,
    tables: Tables<'_>,
    patron_id: Uuid,
) -> Result<Vec<ManualBlock>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} ORDER BY id",
        tables.table("manualblocks"),
        tables.equals("manualblocks", "userId", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&patron_id.to_string()]).await?;
    rows.iter()
        .map(|row| read("manual block", row.get::<_, Value>(0)))
        .collect()
}

/// The relationships in which a proxy acts for a patron.
///
/// # Errors
/// When the database does not answer.
pub async fn proxy_relationships(
    executor: &impl Executor,
    tables: Tables<'_>,
    patron_id: Uuid,
    proxy_id: Option<Uuid>,
) -> Result<Vec<ProxyRelationship>, StoreError> {
    let Some(proxy_id) = proxy_id else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} AND jsonb->>'proxyUserId' = $2",
        tables.table("proxyfor"),
        tables.equals("proxyfor", "userId", "$1::text"),
    );
    let rows = executor
        .rows(&sql, &[&patron_id.to_string(), &proxy_id.to_string()])
        .await?;
    rows.iter()
        .map(|row| read("proxy relationship", row.get::<_, Value>(0)))
        .collect()
}

/// How many open loans of items like this one the patron has; read only where a policy limits
/// them.
///
/// # Errors
/// When the database does not answer.
pub async fn open_loan_counts(
    executor: &impl Executor,
    tables: Tables<'_>,
    patron_id: Uuid,
    item: &Item,
) -> Result<OpenLoanCounts, StoreError> {
    let sql = format!(
        "SELECT count(*) FILTER (WHERE material), count(*) FILTER (WHERE loan_type),
           count(*) FILTER (WHERE material AND loan_type)
         FROM (SELECT item.jsonb->>'materialTypeId' = $2 AS material,
             coalesce(item.jsonb->>'temporaryLoanTypeId', item.jsonb->>'permanentLoanTypeId') = $3
               AS loan_type
           FROM (SELECT (jsonb->>'itemId')::uuid AS item_id FROM {} WHERE {}
             AND lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open') AS loan
           JOIN {} AS item ON item.id = loan.item_id
           WHERE item.jsonb->'status'->>'name' <> 'Claimed returned') AS counted",
        tables.table("loan"),
        tables.equals("loan", "userId", "$1::text"),
        tables.table("item"),
    );
    let text = |id: Option<Uuid>| id.map(|id| id.to_string());
    let rows = executor
        .rows(
            &sql,
            &[
                &patron_id.to_string(),
                &text(item.material_type_id),
                &text(item.loan_type_id),
            ],
        )
        .await?;
    let count = |at: usize| {
        rows.first().map_or(0, |row| {
            u32::try_from(row.get::<_, i64>(at)).unwrap_or(u32::MAX)
        })
    };
    Ok(OpenLoanCounts {
        same_material_type: count(0),
        same_loan_type: count(1),
        same_material_and_loan_type: count(2),
    })
}
