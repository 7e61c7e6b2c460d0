//! Pieces by line, by id and by holdings.

use octavo_boxed::boxed;
use octavo_records::expression::{AMONG_IDS, AMONG_TEXTS};
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::lines::Held;
use super::{Tables, docs};
use crate::rules::doc::Doc;

/// The pieces of lines, in the order of their ids: that in which they were made.
#[boxed]
pub async fn of_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    line_ids: &[Uuid],
    held: Held,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE polineid {AMONG_IDS}{}",
        tables.table("pieces"),
        held.sql_ordered()
    );
    Ok(docs(&executor.rows(&sql, &[&line_ids]).await?))
}

/// Pieces by id.
#[boxed]
pub async fn by_ids(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
    held: Held,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id {AMONG_IDS}{}",
        tables.table("pieces"),
        held.sql_ordered()
    );
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}

/// The pieces of items, locked in the order of their ids.
#[boxed]
pub async fn of_items(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item_ids: &[Uuid],
) -> Result<Vec<Doc>, StoreError> {
    let of_item = octavo_records::expression::key(tables.index("pieces", "itemId"));
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {of_item} {AMONG_TEXTS}{}",
        tables.table("pieces"),
        Held::Yes.sql_ordered()
    );
    let ids: Vec<String> = item_ids.iter().map(Uuid::to_string).collect();
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}

/// Whether pieces lie in holdings, apart from these.
#[boxed]
pub async fn lie_in(
    executor: &dyn Executor,
    tables: Tables<'_>,
    holdings_id: Uuid,
    apart_from: &[Uuid],
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT true FROM {} WHERE {} AND id <> ALL($2) LIMIT 1",
        tables.table("pieces"),
        tables.equals("pieces", "holdingId", "$1::text")
    );
    let id = holdings_id.to_string();
    Ok(!executor.rows(&sql, &[&id, &apart_from]).await?.is_empty())
}

/// Pieces whose time is over: expected ones of a title that claims, after its interval; claimed ones after
/// their own. They are locked; those that someone else has locked are left to the next time.
#[boxed]
pub async fn late(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (today, zone): (&str, &str),
    most: i64,
) -> Result<Vec<Doc>, StoreError> {
    let day = |date: &str| format!("((piece.jsonb->>'{date}')::timestamptz AT TIME ZONE $2)::date");
    let sql = format!(
        "SELECT piece.jsonb FROM {pieces} AS piece JOIN {titles} AS title ON title.id = piece.titleid
         WHERE title.id IN (SELECT id FROM {titles} WHERE {claiming})
           AND CASE piece.jsonb->>'receivingStatus'
             WHEN 'Expected' THEN {expected} + (title.jsonb->>'claimingInterval')::integer
               <= $1::text::date
             WHEN 'Claim delayed' THEN {claimed} + (piece.jsonb->>'claimingInterval')::integer
               <= $1::text::date
             WHEN 'Claim sent' THEN {claimed} + (piece.jsonb->>'claimingInterval')::integer
               <= $1::text::date
             ELSE false END
         ORDER BY piece.id LIMIT $3 FOR NO KEY UPDATE OF piece SKIP LOCKED",
        pieces = tables.table("pieces"),
        titles = tables.table("titles"),
        claiming = tables.is("titles", "claimingActive", "true"),
        expected = day("receiptDate"),
        claimed = day("statusUpdatedDate"),
    );
    Ok(docs(&executor.rows(&sql, &[&today, &zone, &most]).await?))
}
