//! Histories of records of acquisitions.

use octavo_boxed::boxed;
use octavo_postgres::Row;
use octavo_records::store::record_at;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

use super::History;
use crate::rules::event::AcquisitionEntry;

/// The columns by which a history can be sorted.
const SORTABLE: [&str; 5] = ["id", "action", "user_id", "event_date", "action_date"];

/// An order of a history: a column, and whether the latest or highest come first.
#[derive(Debug, Clone, Copy)]
pub struct Sorting {
    column: &'static str,
    descending: bool,
}

impl Sorting {
    /// By a column of FOLIO's table; none where it has no such column.
    #[must_use]
    pub fn by(column: &str, descending: bool) -> Option<Sorting> {
        let found = SORTABLE.into_iter().find(|one| *one == column)?;
        let column = if found == "id" { "event_id" } else { found };
        Some(Sorting { column, descending })
    }

    fn sql(self) -> String {
        let way = if self.descending { "DESC" } else { "ASC" };
        format!("ORDER BY {} {way}, position {way}", self.column)
    }
}

/// Adds entries; those that are there already are left as they are.
#[boxed]
pub async fn add(
    executor: &dyn Executor,
    tables: Tables<'_>,
    entries: &[AcquisitionEntry],
) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "INSERT INTO {} (event_id, kind, entity_id, whole_id, action, user_id, event_date, action_date, \
           position, snapshot) \
         SELECT event, kind, entity, whole, action, editor, \
           timestamptz 'epoch' + event_ms * interval '1 millisecond', \
           timestamptz 'epoch' + action_ms * interval '1 millisecond', at, \
           coalesce(content, {record} - 'metadata') \
         FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::bigint[], \
           $8::bigint[], $9::bigint[], $10::jsonb[]) \
           AS _(event, kind, entity, whole, action, editor, event_ms, action_ms, at, content) \
         ON CONFLICT (event_id) DO NOTHING",
        tables.table("audit_acquisition"),
        record = record_at(tables.tenant.schema(), "at"),
    );
    let of = |part: fn(&AcquisitionEntry) -> Uuid| entries.iter().map(part).collect::<Vec<_>>();
    let maybe =
        |part: fn(&AcquisitionEntry) -> Option<Uuid>| entries.iter().map(part).collect::<Vec<_>>();
    let number = |part: fn(&AcquisitionEntry) -> i64| entries.iter().map(part).collect::<Vec<_>>();
    let kinds: Vec<&str> = entries.iter().map(|one| one.kind).collect();
    let actions: Vec<&str> = entries.iter().map(|one| one.action.as_str()).collect();
    let snapshots: Vec<Option<&Value>> = entries.iter().map(|one| one.snapshot.as_ref()).collect();
    executor
        .rows(
            &sql,
            &[
                &of(|one| one.event),
                &kinds,
                &of(|one| one.entity),
                &maybe(|one| one.whole),
                &actions,
                &maybe(|one| one.user),
                &number(|one| one.event_ms),
                &number(|one| one.action_ms),
                &number(|one| one.position),
                &snapshots,
            ],
        )
        .await?;
    Ok(())
}

/// A page of the history of a record.
#[boxed]
pub async fn history(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (kind, entity): (&'static str, Uuid),
    sorting: Sorting,
    (limit, offset): (i64, i64),
) -> Result<History<AcquisitionEntry>, StoreError> {
    let of = format!(
        "SELECT * FROM {} WHERE entity_id = $1 AND kind = $2",
        tables.table("audit_acquisition")
    );
    page(executor, &of, (kind, entity), sorting, (limit, offset)).await
}

/// A page of those entries of a piece after which its receiving status or its claiming interval was another one.
#[boxed]
pub async fn status_changes(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (kind, entity): (&'static str, Uuid),
    sorting: Sorting,
    (limit, offset): (i64, i64),
) -> Result<History<AcquisitionEntry>, StoreError> {
    let of = format!(
        "SELECT * FROM (SELECT *, lag(snapshot->>'receivingStatus') OVER earlier AS status_before, \
           lag(snapshot->>'claimingInterval') OVER earlier AS interval_before \
         FROM {} WHERE entity_id = $1 AND kind = $2 \
         WINDOW earlier AS (ORDER BY action_date, position)) AS entry \
         WHERE snapshot->>'receivingStatus' IS DISTINCT FROM status_before \
           OR snapshot->>'claimingInterval' IS DISTINCT FROM interval_before",
        tables.table("audit_acquisition")
    );
    page(executor, &of, (kind, entity), sorting, (limit, offset)).await
}

async fn page(
    executor: &dyn Executor,
    entries: &str,
    (kind, entity): (&'static str, Uuid),
    sorting: Sorting,
    (limit, offset): (i64, i64),
) -> Result<History<AcquisitionEntry>, StoreError> {
    let sql = format!(
        "WITH entry AS MATERIALIZED ({entries}) \
         SELECT (SELECT count(*) FROM entry) AS total, shown.*, \
           (extract(epoch FROM event_date) * 1000)::bigint AS event_ms, \
           (extract(epoch FROM action_date) * 1000)::bigint AS action_ms \
         FROM (SELECT) AS one LEFT JOIN (SELECT * FROM entry {order} LIMIT $3 OFFSET $4) AS shown ON true \
         {order}",
        order = sorting.sql()
    );
    let rows = executor
        .rows(&sql, &[&entity, &kind, &limit, &offset])
        .await?;
    Ok(History {
        total: rows.first().map_or(0, |row| row.get("total")),
        entries: rows.iter().filter_map(|row| entry(row, kind)).collect(),
    })
}

/// The entry of a row; none in the row of an empty page.
fn entry(row: &Row, kind: &'static str) -> Option<AcquisitionEntry> {
    Some(AcquisitionEntry {
        event: row.get::<_, Option<Uuid>>("event_id")?,
        kind,
        entity: row.get("entity_id"),
        whole: row.get("whole_id"),
        action: row.get("action"),
        user: row.get("user_id"),
        event_ms: row.get("event_ms"),
        action_ms: row.get("action_ms"),
        position: row.get("position"),
        snapshot: row.get("snapshot"),
    })
}
