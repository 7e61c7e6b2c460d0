//! One record as a view shows it.

use std::collections::HashMap;

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::{Database, RawJson};
use octavo_records::StoreError;
use octavo_records::plan::{Predicate, Sql};
use serde_json::Value;
use uuid::Uuid;

/// The JSON composed by a statement, if it finds its record.
#[boxed]
pub async fn read(database: &Database, sql: &Sql) -> Result<Option<Bytes>, StoreError> {
    let rows = database.query(&sql.text, &sql.bound()).await?;
    Ok(rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)))
}

/// All records that a statement composes, by their ids.
#[boxed]
pub async fn read_all(database: &Database, sql: &Sql) -> Result<HashMap<Uuid, Value>, StoreError> {
    let rows = database.query(&sql.text, &sql.bound()).await?;
    let records = rows.iter().map(|row| row.get::<_, Value>("jsonb"));
    let by_id = records.filter_map(|record| {
        let id = Uuid::try_parse(record.get("id")?.as_str()?).ok()?;
        Some((id, record))
    });
    Ok(by_id.collect())
}

/// The JSON that a statement composes of what a search finds.
#[boxed]
pub async fn search(
    database: &Database,
    predicate: &Predicate,
    sql: &Sql,
) -> Result<Bytes, StoreError> {
    let rows = match predicate.depends_on_values(sql.is_sorted()) {
        true => database.query_fresh(&sql.text, &sql.typed()).await?,
        false if predicate.is_light(sql.is_sorted(), sql.reach()) => {
            database.query(&sql.text, &sql.bound()).await?
        }
        false => database.query_long(&sql.text, &sql.bound()).await?,
    };
    let row = rows
        .first()
        .ok_or_else(|| StoreError::fault("an aggregate gave no row"))?;
    Ok(Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0))
}
