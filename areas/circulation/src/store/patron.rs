//! Borrower, proxy, and the borrower's blocks.

use octavo_library::{LoanId, Patron, ProxyRelationship, UserId};
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Tables, read};
use crate::facts::ManualBlock;

/// Borrower and proxy, with the borrower's blocks.
#[derive(Debug, Clone, Default)]
pub struct Parties {
    /// The borrower.
    pub patron: Option<Patron>,
    /// The borrower's record as stored.
    pub patron_document: Option<Value>,
    /// The person acting for the borrower.
    pub proxy: Option<Patron>,
    /// The relationships in which the proxy acts for the borrower.
    pub relationships: Vec<ProxyRelationship>,
    /// The blocks that staff put on the borrower.
    pub manual_blocks: Vec<ManualBlock>,
}

impl Parties {
    /// Reads them from a row of `desk_facts`.
    pub(super) fn read(row: &Row) -> Result<Parties, StoreError> {
        let user = |column| {
            let found = row.get::<_, Option<Value>>(column);
            found.map(|user| read("user", user)).transpose()
        };
        Ok(Parties {
            patron: user("patron")?,
            patron_document: row.get("patron"),
            proxy: user("proxy")?,
            manual_blocks: all_of("manual block", row.get("manual_blocks"))?,
            relationships: all_of("proxy relationship", row.get("relationships"))?,
        })
    }
}

/// Reads an array of stored documents; absent counts as empty.
fn all_of<T: DeserializeOwned>(what: &str, documents: Option<Value>) -> Result<Vec<T>, StoreError> {
    documents.map_or_else(|| Ok(Vec::new()), |all| read(what, all))
}

/// The borrower of a loan.
pub async fn of_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<Option<Patron>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = (SELECT (jsonb->>'userId')::uuid FROM {} WHERE id = $1)",
        tables.table("users"),
        tables.table("loan"),
    );
    let rows = executor.rows(&sql, &[&loan_id]).await?;
    rows.first()
        .map(|row| read("user", row.get("jsonb")))
        .transpose()
}

/// The blocks that staff put on a patron.
pub async fn manual_blocks(
    executor: &dyn Executor,
    tables: Tables<'_>,
    patron_id: UserId,
) -> Result<Vec<ManualBlock>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} ORDER BY id",
        tables.table("manualblocks"),
        tables.equals("manualblocks", "userId", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&patron_id.to_string()]).await?;
    rows.iter()
        .map(|row| read("manual block", row.get::<_, Value>("jsonb")))
        .collect()
}

/// The relationships in which a proxy acts for a patron.
pub async fn proxy_relationships(
    executor: &dyn Executor,
    tables: Tables<'_>,
    patron_id: UserId,
    proxy_id: Option<UserId>,
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
        .map(|row| read("proxy relationship", row.get::<_, Value>("jsonb")))
        .collect()
}
