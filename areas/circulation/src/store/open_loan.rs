//! Statements of operations on an open loan.

use futures_util::try_join;
use octavo_library::{Patron, UserId};
use octavo_records::{Executor, StoreError};

use super::item::{HeldItem, ItemKey, hold};
use super::loan::HeldLoan;
use super::{Tables, patron, read};

/// An item, its open loan and the loan's borrower, if they exist.
#[derive(Debug, Clone)]
pub struct OpenLoanAtHand {
    pub item: Option<HeldItem>,
    /// Its open loan.
    pub loan: Option<HeldLoan>,
    /// The loan's borrower.
    pub patron: Option<Patron>,
}

/// The item with a barcode or id, with its open loan and borrower; locks the item and then the loan. One
/// round trip.
pub async fn open_at_hand(
    executor: &dyn Executor,
    tables: Tables<'_>,
    key: ItemKey<'_>,
) -> Result<OpenLoanAtHand, StoreError> {
    // Pipelined in the order of locks.
    let (item, loan, patron) = try_join!(
        hold(executor, tables, key),
        open_loan(executor, tables, key),
        borrower(executor, tables, key),
    )?;
    Ok(OpenLoanAtHand { item, loan, patron })
}

/// The open loan of the item, as a condition on `loan`; `$1` is the key. The condition "open" is that of
/// the partial unique index.
fn open_loan_of(tables: Tables<'_>, key: ItemKey<'_>) -> String {
    let item = match key {
        ItemKey::Barcode(_) => format!(
            "(SELECT id::text FROM {} WHERE {})",
            tables.table("item"),
            tables.equals("item", "barcode", "$1::text")
        ),
        ItemKey::Id(_) => "$1::uuid::text".to_owned(),
        ItemKey::OfLoan(_) => format!(
            "(SELECT jsonb->>'itemId' FROM {} WHERE id = $1)",
            tables.table("loan")
        ),
    };
    tables.equals("loan", "itemId", &item)
}

/// The open loan of an item, locked. Lock the item first.
pub async fn open_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    key: ItemKey<'_>,
) -> Result<Option<HeldLoan>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} FOR NO KEY UPDATE",
        tables.table("loan"),
        open_loan_of(tables, key)
    );
    let rows = with_key(executor, &sql, key).await?;
    rows.first()
        .map(|row| HeldLoan::read(row.get("jsonb")))
        .transpose()
}

/// The borrower of an item's open loan.
pub async fn borrower(
    executor: &dyn Executor,
    tables: Tables<'_>,
    key: ItemKey<'_>,
) -> Result<Option<Patron>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = (SELECT (jsonb->>'userId')::uuid FROM {} WHERE {} LIMIT 1)",
        tables.table("users"),
        tables.table("loan"),
        open_loan_of(tables, key)
    );
    let rows = with_key(executor, &sql, key).await?;
    rows.first()
        .map(|row| read("user", row.get("jsonb")))
        .transpose()
}

async fn with_key(
    executor: &dyn Executor,
    sql: &str,
    key: ItemKey<'_>,
) -> Result<Vec<octavo_postgres::Row>, StoreError> {
    Ok(match key {
        ItemKey::Barcode(barcode) => executor.rows(sql, &[&barcode]).await?,
        ItemKey::Id(id) => executor.rows(sql, &[&id]).await?,
        ItemKey::OfLoan(id) => executor.rows(sql, &[&id]).await?,
    })
}

/// A user, locked against deletion until the transaction ends.
pub async fn user(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Option<UserId>,
) -> Result<Option<Patron>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    // `FOR KEY SHARE` blocks a deletion only.
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = $1 FOR KEY SHARE",
        tables.table("users")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    rows.first()
        .map(|row| read("user", row.get("jsonb")))
        .transpose()
}

/// Whether a proxy acts for a user now.
pub async fn acts_for(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: Option<UserId>,
    proxy_id: Option<UserId>,
    now: jiff::Timestamp,
) -> Result<bool, StoreError> {
    let Some(user_id) = user_id else {
        return Ok(false);
    };
    let relations = patron::proxy_relationships(executor, tables, user_id, proxy_id).await?;
    Ok(relations.iter().any(|relation| relation.is_active(now)))
}
