//! What this area has to know of items, requests and users.

use octavo_boxed::boxed;
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

/// An item, and the storage of its location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub id: Uuid,
    pub holdings: Uuid,
    pub instance: Uuid,
    pub at: Option<Uuid>,
    /// The storage in which the location lies.
    pub storage: Option<Uuid>,
}

/// The item with a barcode.
#[boxed]
pub async fn by_barcode(
    executor: &dyn Executor,
    tables: Tables<'_>,
    barcode: &str,
) -> Result<Option<Found>, StoreError> {
    // The index decides about case; the barcode is the exact one.
    let sql = format!(
        "SELECT found.id, found.holdingsrecordid AS holdings, shelf.instanceid AS instance, \
         found.effectivelocationid AS at, place.remote_configuration_id AS storage \
         FROM (SELECT * FROM {} WHERE {}) AS found \
         JOIN {} AS shelf ON shelf.id = found.holdingsrecordid \
         LEFT JOIN {} AS place ON place.final_location_id = found.effectivelocationid",
        tables.table("item"),
        tables.equals("item", "barcode", "$1::text"),
        tables.table("holdings_record"),
        tables.table("location_mappings"),
    );
    let rows = executor.rows(&sql, &[&barcode]).await?;
    Ok(rows.first().map(|row| Found {
        id: row.get("id"),
        holdings: row.get("holdings"),
        instance: row.get("instance"),
        at: row.get("at"),
        storage: row.get("storage"),
    }))
}

/// The hold or recall that is first in the queue of an item.
#[boxed]
pub async fn first_waiting(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT {}.remote_first_waiting($1) AS request",
        tables.tenant.schema()
    );
    let rows = executor.rows(&sql, &[&item]).await?;
    Ok(rows.first().and_then(|row| row.get("request")))
}

/// Whether there is such a user.
#[boxed]
pub async fn is_user(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {} WHERE id = $1) AS found",
        tables.table("users")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().is_some_and(|row| row.get("found")))
}

/// The holdings of a title with a permanent location.
#[boxed]
pub async fn holdings_at(
    executor: &dyn Executor,
    tables: Tables<'_>,
    instance: Uuid,
    place: Uuid,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE instanceid = $1 AND permanentlocationid = $2 ORDER BY id LIMIT 2",
        tables.table("holdings_record")
    );
    let rows = executor.rows(&sql, &[&instance, &place]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// An item beside the one that a storage takes in, with the location of its own, if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    pub id: Uuid,
    pub permanent: Option<Uuid>,
    pub temporary: Option<Uuid>,
}

/// All items of holdings, in the order of locking.
#[boxed]
pub async fn of_holdings(
    executor: &dyn Executor,
    tables: Tables<'_>,
    holdings: Uuid,
) -> Result<Vec<Beside>, StoreError> {
    let sql = format!(
        "SELECT id, permanentlocationid AS permanent, temporarylocationid AS temporary FROM {} \
         WHERE holdingsrecordid = $1 ORDER BY id FOR NO KEY UPDATE",
        tables.table("item")
    );
    let rows = executor.rows(&sql, &[&holdings]).await?;
    let item = |row: &Row| Beside {
        id: row.get("id"),
        permanent: row.get("permanent"),
        temporary: row.get("temporary"),
    };
    Ok(rows.iter().map(item).collect())
}
