//! Histories of instances, holdings and items.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

use super::{History, latest, total};
use crate::rules::event::InventoryEntry;

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
         SELECT event, kind, entity, action, editor, timestamptz 'epoch' + event_ms * interval '1 millisecond', \
           at, diff \
         FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::bigint[], $7::bigint[], \
           $8::jsonb[]) AS _(event, kind, entity, action, editor, event_ms, at, diff) \
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

/// The latest entries of a record's history, before an instant where one is given.
#[boxed]
pub async fn history(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (kind, entity): (&'static str, Uuid),
    before_ms: Option<i64>,
    limit: i64,
) -> Result<History<InventoryEntry>, StoreError> {
    let table = tables.table("audit_inventory");
    let sql = format!(
        "SELECT ({total}) AS total, shown.*, \
           (extract(epoch FROM event_date) * 1000)::bigint AS event_ms \
         FROM (SELECT) AS one LEFT JOIN ({latest}) AS shown ON true \
         ORDER BY event_date DESC, position DESC",
        total = total(&table),
        latest = latest(&table)
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
