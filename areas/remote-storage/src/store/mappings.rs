//! Locations of storages, and those from which items go there.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::{RawJson, Transaction};
use octavo_records::{Executor, StoreError, Tables};
use uuid::Uuid;

use super::document;
use crate::rules::arrival::Place;

/// A page.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub limit: i64,
    pub offset: i64,
}

/// What a list is narrowed to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Narrowed {
    pub final_location: Option<Uuid>,
    pub configuration: Option<Uuid>,
    pub original: Option<Uuid>,
}

const MAPPING: &str = "jsonb_build_object('folioLocationId', final_location_id, \
                       'configurationId', remote_configuration_id)";
const PAIR: &str = "jsonb_build_object('finalLocationId', final_location_id, \
                    'remoteConfigurationId', remote_configuration_id, \
                    'originalLocationId', original_location_id)";

fn list(shown: &str, found: &str, order: &str) -> String {
    format!(
        "WITH found AS (SELECT * FROM {found}) SELECT jsonb_build_object('mappings', \
         coalesce((SELECT jsonb_agg(shown) FROM (SELECT {shown} AS shown FROM found \
         ORDER BY {order} LIMIT $1 OFFSET $2) AS page), '[]'), \
         'totalRecords', (SELECT count(*) FROM found)) AS document"
    )
}

/// A page of mappings.
#[boxed]
pub async fn mappings(
    executor: &dyn Executor,
    tables: Tables<'_>,
    narrowed: Narrowed,
    window: Window,
) -> Result<Bytes, StoreError> {
    let found = format!(
        "{} WHERE ($3::uuid IS NULL OR final_location_id = $3) \
         AND ($4::uuid IS NULL OR remote_configuration_id = $4)",
        tables.table("location_mappings")
    );
    let sql = list(MAPPING, &found, "final_location_id");
    let (place, storage) = (narrowed.final_location, narrowed.configuration);
    let rows = executor
        .rows(&sql, &[&window.limit, &window.offset, &place, &storage])
        .await?;
    document(&rows)
}

/// A page of pairs of locations.
#[boxed]
pub async fn pairs(
    executor: &dyn Executor,
    tables: Tables<'_>,
    narrowed: Narrowed,
    window: Window,
) -> Result<Bytes, StoreError> {
    let found = format!(
        "{} JOIN {} USING (final_location_id) WHERE ($3::uuid IS NULL OR final_location_id = $3) \
         AND ($4::uuid IS NULL OR remote_configuration_id = $4) \
         AND ($5::uuid IS NULL OR original_location_id = $5)",
        tables.table("location_mappings"),
        tables.table("original_locations")
    );
    let sql = list(PAIR, &found, "final_location_id, original_location_id");
    let rows = executor
        .rows(
            &sql,
            &[
                &window.limit,
                &window.offset,
                &narrowed.final_location,
                &narrowed.configuration,
                &narrowed.original,
            ],
        )
        .await?;
    document(&rows)
}

/// A page of all locations that are no final ones: each with its pairs, of one storage where it is given, or alone.
#[boxed]
pub async fn origins(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Option<Uuid>,
    window: Window,
) -> Result<Bytes, StoreError> {
    let found = format!(
        "(SELECT place.id AS original_location_id, place.jsonb->>'name' AS name, \
         pair.final_location_id, pair.remote_configuration_id \
         FROM {location} AS place LEFT JOIN (SELECT * FROM {original} JOIN {mapped} \
         USING (final_location_id) WHERE $3::uuid IS NULL OR remote_configuration_id = $3) AS pair \
         ON pair.original_location_id = place.id \
         WHERE NOT EXISTS (SELECT FROM {mapped} WHERE final_location_id = place.id)) AS origin",
        location = tables.table("location"),
        original = tables.table("original_locations"),
        mapped = tables.table("location_mappings"),
    );
    let shown = format!("jsonb_strip_nulls({PAIR})");
    let order = "name, original_location_id, final_location_id";
    let sql = list(&shown, &found, order);
    let rows = executor
        .rows(&sql, &[&window.limit, &window.offset, &configuration])
        .await?;
    document(&rows)
}

/// The mapping of a location.
#[boxed]
pub async fn mapping(
    executor: &dyn Executor,
    tables: Tables<'_>,
    location: Uuid,
) -> Result<Option<Bytes>, StoreError> {
    let sql = format!(
        "SELECT {MAPPING} AS document FROM {} WHERE final_location_id = $1",
        tables.table("location_mappings")
    );
    let rows = executor.rows(&sql, &[&location]).await?;
    let row = rows.first();
    Ok(row.map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("document").0)))
}

/// Maps a location to a storage; from where items go to it is forgotten.
#[boxed]
pub async fn put(
    executor: &dyn Executor,
    tables: Tables<'_>,
    location: Uuid,
    configuration: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "WITH cleared AS (DELETE FROM {} WHERE final_location_id = $1) \
         INSERT INTO {} VALUES ($1, $2) ON CONFLICT (final_location_id) \
         DO UPDATE SET remote_configuration_id = excluded.remote_configuration_id",
        tables.table("original_locations"),
        tables.table("location_mappings")
    );
    executor.rows(&sql, &[&location, &configuration]).await?;
    Ok(())
}

/// Lets items of an original location go to a final one of a storage, and to no other of that storage.
#[boxed]
pub async fn put_pair(
    transaction: &Transaction,
    tables: Tables<'_>,
    location: Uuid,
    configuration: Uuid,
    original: Uuid,
) -> Result<(), StoreError> {
    let (mapped, pairs) = (
        tables.table("location_mappings"),
        tables.table("original_locations"),
    );
    // Two of these at once could each miss the pair of the other.
    transaction
        .batch_execute(&format!("LOCK TABLE {pairs} IN SHARE ROW EXCLUSIVE MODE"))
        .await?;
    let sql = format!(
        "INSERT INTO {mapped} VALUES ($1, $2) ON CONFLICT (final_location_id) \
         DO UPDATE SET remote_configuration_id = excluded.remote_configuration_id"
    );
    transaction.rows(&sql, &[&location, &configuration]).await?;
    let sql = format!(
        "DELETE FROM {pairs} AS pair USING {mapped} AS place \
         WHERE pair.original_location_id = $1 AND place.final_location_id = pair.final_location_id \
         AND place.remote_configuration_id = $2 AND pair.final_location_id <> $3"
    );
    transaction
        .rows(&sql, &[&original, &configuration, &location])
        .await?;
    let sql = format!("INSERT INTO {pairs} VALUES ($1, $2) ON CONFLICT DO NOTHING");
    transaction.rows(&sql, &[&location, &original]).await?;
    Ok(())
}

/// Forgets the mapping of a location.
#[boxed]
pub async fn delete(
    executor: &dyn Executor,
    tables: Tables<'_>,
    location: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE final_location_id = $1",
        tables.table("location_mappings")
    );
    executor.rows(&sql, &[&location]).await?;
    Ok(())
}

/// Forgets where items of an original location go in a storage.
#[boxed]
pub async fn delete_pair(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Uuid,
    original: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} AS pair USING {} AS place WHERE pair.original_location_id = $2 \
         AND place.final_location_id = pair.final_location_id AND place.remote_configuration_id = $1",
        tables.table("original_locations"),
        tables.table("location_mappings")
    );
    executor.rows(&sql, &[&configuration, &original]).await?;
    Ok(())
}

/// The locations of a storage, in the order of their ids.
#[boxed]
pub async fn places(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Uuid,
) -> Result<Vec<Place>, StoreError> {
    let sql = format!(
        "SELECT final_location_id, nullif(trim(place.jsonb->>'primaryServicePoint'), '')::uuid AS point \
         FROM {} LEFT JOIN {} AS place ON place.id = final_location_id \
         WHERE remote_configuration_id = $1 ORDER BY final_location_id",
        tables.table("location_mappings"),
        tables.table("location")
    );
    let rows = executor.rows(&sql, &[&configuration]).await?;
    let place = |row: &octavo_postgres::Row| Place {
        location: row.get("final_location_id"),
        service_point: row.get("point"),
    };
    Ok(rows.iter().map(place).collect())
}
