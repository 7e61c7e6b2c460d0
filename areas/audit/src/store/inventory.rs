//! Histories of instances, holdings and items.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

use crate::rules::event::InventoryEntry;

/// Some entries of a history, the latest first, and how many there are.
#[derive(Debug)]
pub struct History {
    pub entries: Vec<InventoryEntry>,
    pub total: i64,
}

/// Adds entries; those that are there already are left as they are.
#[boxed]
pub async fn add(
    executor: &dyn Executor,
    tables: Tables<'_>,
    entries: &[InventoryEntry],
) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "INSERT INTO {} (event_id, kind, entity_id, action, user_id, event_date, position, diff) \
         SELECT event, kind, entity, action, editor, timestamptz 'epoch' + told * interval '1 millisecond', \
           at, diff \
         FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::bigint[], $7::bigint[], \
           $8::jsonb[]) AS _(event, kind, entity, action, editor, told, at, diff) \
         ON CONFLICT (event_id) DO NOTHING",
        tables.table("audit_inventory")
    );
    let of = |part: fn(&InventoryEntry) -> Uuid| entries.iter().map(part).collect::<Vec<_>>();
    let number = |part: fn(&InventoryEntry) -> i64| entries.iter().map(part).collect::<Vec<_>>();
    let kinds: Vec<&str> = entries.iter().map(|one| one.kind).collect();
    let actions: Vec<&str> = entries.iter().map(|one| one.action.as_str()).collect();
    let diffs: Vec<Option<&Value>> = entries.iter().map(|one| one.diff.as_ref()).collect();
    executor
        .rows(
            &sql,
            &[
                &of(|one| one.event),
                &kinds,
                &of(|one| one.entity),
                &actions,
                &of(|one| one.user),
                &number(|one| one.event_ms),
                &number(|one| one.position),
                &diffs,
            ],
        )
        .await?;
    Ok(())
}

/// The latest entries of a record's history, before an instant where one is given. A page that ends among entries
/// of one instant has them all, so that the next one, which begins before it, misses none.
#[boxed]
pub async fn history(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (kind, entity): (&'static str, Uuid),
    before_ms: Option<i64>,
    limit: i64,
) -> Result<History, StoreError> {
    let sql = format!(
        "SELECT (SELECT count(*) FROM {table} WHERE entity_id = $1 AND kind = $2) AS total, shown.*, \
           (extract(epoch FROM event_date) * 1000)::bigint AS event_ms \
         FROM (SELECT) AS one LEFT JOIN (SELECT * FROM {table} WHERE entity_id = $1 AND kind = $2 \
           AND ($3::bigint IS NULL OR event_date < timestamptz 'epoch' + $3::bigint * interval '1 millisecond') \
           ORDER BY event_date DESC FETCH FIRST ($4::bigint) ROWS WITH TIES) AS shown ON true \
         ORDER BY event_date DESC, position DESC",
        table = tables.table("audit_inventory")
    );
    let rows = executor
        .rows(&sql, &[&entity, &kind, &before_ms, &limit])
        .await?;
    let entries = rows.iter().filter_map(|row| {
        Some(InventoryEntry {
            event: row.get::<_, Option<Uuid>>("event_id")?,
            kind,
            entity,
            action: row.get("action"),
            user: row.get("user_id"),
            event_ms: row.get("event_ms"),
            position: row.get("position"),
            diff: row.get("diff"),
        })
    });
    Ok(History {
        entries: entries.collect(),
        total: rows.first().map_or(0, |row| row.get("total")),
    })
}
