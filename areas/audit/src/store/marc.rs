//! Histories of MARC records, which triggers of the migration `audit_marc` write.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

use super::{History, latest, total};

/// What happened to a record, with its contents before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct MarcEntry {
    pub event: Uuid,
    pub entity: Uuid,
    pub action: String,
    pub user: Uuid,
    /// Milliseconds since 1970.
    pub event_ms: i64,
    pub was: Option<Value>,
    pub became: Option<Value>,
}

/// The latest entries of a record's history, before an instant where one is given.
#[boxed]
pub async fn history(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (kind, entity): (&'static str, Uuid),
    before_ms: Option<i64>,
    limit: i64,
) -> Result<History<MarcEntry>, StoreError> {
    let table = tables.table("audit_marc");
    let sql = format!(
        "SELECT ({total}) AS total, \
           shown.event_id, shown.action, shown.user_id, shown.was, \
           CASE shown.action WHEN 'DELETED' THEN NULL \
             ELSE coalesce(shown.became, record.jsonb #> '{{parsedRecord,content}}') END AS became, \
           (extract(epoch FROM event_date) * 1000)::bigint AS event_ms \
         FROM (SELECT) AS one LEFT JOIN ({latest}) AS shown ON true \
         LEFT JOIN {records} AS record ON record.id = shown.record_id AND shown.became IS NULL \
         ORDER BY event_date DESC, place DESC",
        total = total(&table),
        latest = latest(&table),
        records = tables.table("source_record")
    );
    let rows = executor
        .rows(&sql, &[&entity, &kind, &before_ms, &limit])
        .await?;
    let entries = rows.iter().filter_map(|row| {
        Some(MarcEntry {
            event: row.get::<_, Option<Uuid>>("event_id")?,
            entity,
            action: row.get("action"),
            user: row.get("user_id"),
            event_ms: row.get("event_ms"),
            was: row.get("was"),
            became: row.get("became"),
        })
    });
    Ok(History {
        entries: entries.collect(),
        total: rows.first().map_or(0, |row| row.get("total")),
    })
}
