//! Transactions of finance, found by order, line, invoice and link.

use octavo_boxed::boxed;
use octavo_records::expression::key;
use octavo_records::expression::{AMONG_IDS, AMONG_IDS_AS_TEXTS, AMONG_TEXTS};
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;
use super::accounts::Hold;
use crate::records::FundTransaction;

/// The table.
pub const TABLE: &str = "transaction";

/// Which transactions are wanted.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    Ids(&'a [Uuid]),
    /// Encumbrances of orders.
    Orders(&'a [Uuid]),
    /// Encumbrances of order lines.
    Lines(&'a [Uuid]),
    /// Pending payments, payments and credits of invoices.
    Invoices(&'a [Uuid]),
    /// Pending payments that point at encumbrances.
    PendingOn(&'a [Uuid]),
}

impl Wanted<'_> {
    fn condition(&self, tables: Tables<'_>) -> String {
        let by = |field: &str| {
            let index = tables.index(TABLE, field);
            format!("{} {AMONG_TEXTS}", key(index))
        };
        match self {
            Wanted::Ids(_) => format!("id {AMONG_IDS_AS_TEXTS}"),
            Wanted::Orders(_) => by("encumbrance.sourcePurchaseOrderId"),
            Wanted::Lines(_) => by("encumbrance.sourcePoLineId"),
            Wanted::Invoices(_) => by("sourceInvoiceId"),
            Wanted::PendingOn(_) => by("awaitingPayment.encumbranceId"),
        }
    }

    fn ids(&self) -> Vec<String> {
        let (Wanted::Ids(ids)
        | Wanted::Orders(ids)
        | Wanted::Lines(ids)
        | Wanted::Invoices(ids)
        | Wanted::PendingOn(ids)) = self;
        ids.iter().map(Uuid::to_string).collect()
    }
}

/// The transactions in the order of their ids, in which they are locked when they are held.
#[boxed]
pub async fn find(
    executor: &dyn Executor,
    tables: Tables<'_>,
    wanted: Wanted<'_>,
    hold: Hold,
) -> Result<Vec<FundTransaction>, StoreError> {
    let ids = wanted.ids();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let locking = match hold {
        Hold::No => "",
        Hold::Yes => " FOR NO KEY UPDATE",
    };
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} ORDER BY id{locking}",
        tables.table(TABLE),
        wanted.condition(tables)
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    rows.iter()
        .map(|row| read(row.get("jsonb")))
        .collect::<Result<_, _>>()
}

/// Reads a stored transaction.
///
/// # Errors
/// When it is none.
pub fn read(document: Value) -> Result<FundTransaction, StoreError> {
    Ok(serde_json::from_value(document)?)
}

/// The transactions of a fund in a fiscal year, in the order of their creation.
#[boxed]
pub async fn of_fund(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund: Uuid,
    year: Uuid,
) -> Result<Vec<FundTransaction>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE (fromfundid = $1 OR tofundid = $1) AND fiscalyearid = $2 \
         ORDER BY jsonb->'metadata'->>'createdDate', id",
        tables.table(TABLE)
    );
    let rows = executor.rows(&sql, &[&fund, &year]).await?;
    rows.iter()
        .map(|row| read(row.get("jsonb")))
        .collect::<Result<_, _>>()
}

/// Deletes transactions. No budget changes, as in FOLIO.
#[boxed]
pub async fn delete(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let sql = format!("DELETE FROM {} WHERE id {AMONG_IDS}", tables.table(TABLE));
    executor.rows(&sql, &[&ids]).await?;
    Ok(())
}
