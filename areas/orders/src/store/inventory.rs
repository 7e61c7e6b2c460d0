//! Records of the inventory that orders look for: items of lines, holdings of an instance, and entries of its
//! small lists.

use octavo_records::expression::{AMONG_IDS, AMONG_TEXTS};
use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::lines::Held;
use super::{Tables, docs};
use crate::rules::doc::Doc;

/// The items of order lines, in the order in which they were made; locked in that of their ids, which is the
/// same.
#[boxed]
pub async fn items_of_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    line_ids: &[Uuid],
    held: Held,
) -> Result<Vec<Doc>, StoreError> {
    let of_line =
        octavo_records::expression::key(tables.index("item", "purchaseOrderLineIdentifier"));
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {of_line} {AMONG_TEXTS}{}",
        tables.table("item"),
        held.sql_ordered()
    );
    let ids: Vec<String> = line_ids.iter().map(Uuid::to_string).collect();
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}

/// Items by id.
#[boxed]
pub async fn items(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
    held: Held,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id {AMONG_IDS}{}",
        tables.table("item"),
        held.sql_ordered()
    );
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}

/// Holdings by id.
#[boxed]
pub async fn holdings(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id {AMONG_IDS} ORDER BY id",
        tables.table("holdings_record")
    );
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}

/// The holdings of instances at permanent locations, by these: of several the one that was made first.
#[boxed]
pub async fn holdings_at(
    executor: &dyn Executor,
    tables: Tables<'_>,
    wanted: &[(Uuid, Uuid)],
) -> Result<HashMap<(Uuid, Uuid), Uuid>, StoreError> {
    let sql = format!(
        "SELECT wanted.instance, wanted.location, found.id
         FROM unnest($1::uuid[], $2::uuid[]) AS wanted(instance, location)
         CROSS JOIN LATERAL (SELECT id FROM {}
           WHERE instanceid = wanted.instance AND permanentlocationid = wanted.location
           ORDER BY jsonb->'metadata'->>'createdDate', id LIMIT 1) AS found",
        tables.table("holdings_record")
    );
    let (instances, locations): (Vec<Uuid>, Vec<Uuid>) = wanted.iter().copied().unzip();
    let rows = executor.rows(&sql, &[&instances, &locations]).await?;
    let found = rows.iter().map(|row| {
        let pair = (row.get("instance"), row.get("location"));
        (pair, row.get("id"))
    });
    Ok(found.collect())
}

/// Which of these holdings have items.
#[boxed]
pub async fn with_items(
    executor: &dyn Executor,
    tables: Tables<'_>,
    holdings_ids: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT holdings.id FROM unnest($1::uuid[]) AS holdings(id)
         WHERE EXISTS (SELECT FROM {} WHERE holdingsrecordid = holdings.id)",
        tables.table("item")
    );
    let rows = executor.rows(&sql, &[&holdings_ids]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The id of an entry of a small list, by a property.
#[boxed]
pub async fn listed(
    executor: &dyn Executor,
    tables: Tables<'_>,
    table: &'static str,
    property: &'static str,
    value: &str,
) -> Result<Option<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE jsonb->>'{property}' = $1 ORDER BY id LIMIT 1",
        tables.table(table)
    );
    let rows = executor.rows(&sql, &[&value]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// Which of these ids are those of entries of a small list.
#[boxed]
pub async fn known(
    executor: &dyn Executor,
    tables: Tables<'_>,
    table: &'static str,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, Option<String>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb->>'name' AS name FROM {} WHERE id {AMONG_IDS}",
        tables.table(table)
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("name")))
        .collect())
}

/// The open requests on items.
#[boxed]
pub async fn open_requests(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item_ids: &[Uuid],
) -> Result<Vec<Doc>, StoreError> {
    if item_ids.is_empty() {
        return Ok(Vec::new());
    }
    let of_item = octavo_records::expression::key(tables.index("request", "itemId"));
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {of_item} {AMONG_TEXTS}
           AND jsonb->>'status' LIKE 'Open%' ORDER BY id",
        tables.table("request")
    );
    let ids: Vec<String> = item_ids.iter().map(Uuid::to_string).collect();
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}

/// The labels of tags that exist, of these.
#[boxed]
pub async fn known_tags(
    executor: &dyn Executor,
    tables: Tables<'_>,
    labels: &[String],
) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'label' AS label FROM {} WHERE {} {AMONG_TEXTS}",
        tables.table("tag"),
        octavo_records::expression::key(tables.index("tag", "exactLabel"))
    );
    let rows = executor.rows(&sql, &[&labels]).await?;
    Ok(rows.iter().map(|row| row.get("label")).collect())
}

/// The items of holdings.
#[boxed]
pub async fn items_in(
    executor: &dyn Executor,
    tables: Tables<'_>,
    holdings_ids: &[Uuid],
    held: Held,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE holdingsrecordid {AMONG_IDS}{}",
        tables.table("item"),
        held.sql_ordered()
    );
    Ok(docs(&executor.rows(&sql, &[&holdings_ids]).await?))
}
