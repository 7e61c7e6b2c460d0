//! Items without an `order` within their holdings.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

/// The holdings after an id, `most` at most, locked in the order of their ids, so that no item is added
/// to them until the transaction ends.
#[boxed]
pub async fn lock_holdings(
    transaction: &Transaction,
    tenant: &Tenant,
    behind: Uuid,
    most: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.holdings_record WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&behind, &most]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// An item and its new position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub item: Uuid,
    /// The place among the items of those.
    pub place: i64,
}

/// The items of these holdings without a position, by id, each with its new position: after the numbered
/// ones, sorted by barcode.
#[boxed]
pub async fn places(
    transaction: &Transaction,
    tenant: &Tenant,
    holdings: &[Uuid],
) -> Result<Vec<Placed>, StoreError> {
    // The highest used position is computed once per holdings record; unnumbered items are counted on
    // from it.
    let sql = format!(
        "SELECT id, place FROM (SELECT id, holdings, number, \
         coalesce(max(number) OVER of_holdings, 0)::bigint + row_number() OVER \
         (PARTITION BY holdings, number IS NULL ORDER BY barcode, id) AS place \
         FROM (SELECT id, holdingsrecordid AS holdings, \
         public.octavo_number(jsonb->'order') AS number, \
         lower(jsonb->>'barcode') COLLATE \"C\" AS barcode \
         FROM {}.item WHERE holdingsrecordid = ANY($1)) AS item \
         WINDOW of_holdings AS (PARTITION BY holdings)) AS placed \
         WHERE number IS NULL ORDER BY id",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&holdings]).await?;
    Ok(rows
        .iter()
        .map(|row| Placed {
            item: row.get("id"),
            place: row.get("place"),
        })
        .collect())
}
