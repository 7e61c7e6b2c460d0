//! Histories of MARC records, which triggers of the migration `audit_marc` write.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

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

/// Some entries of a history, the latest first, and how many there are.
#[derive(Debug)]
pub struct History {
    pub entries: Vec<MarcEntry>,
    pub total: i64,
}

/// The latest entries of a record's history, before an instant where one is given; whole instants, as of inventory.
#[boxed]
pub async fn history(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (kind, entity): (&'static str, Uuid),
    before_ms: Option<i64>,
    limit: i64,
) -> Result<History, StoreError> {
    let sql = format!(
        "SELECT (SELECT count(*) FROM {table} WHERE entity_id = $1 AND kind = $2) AS total, \
           shown.event_id, shown.action, shown.user_id, shown.was, \
           CASE shown.action WHEN 'DELETED' THEN NULL \
             ELSE coalesce(shown.became, record.jsonb #> '{{parsedRecord,content}}') END AS became, \
           (extract(epoch FROM event_date) * 1000)::bigint AS event_ms \
         FROM (SELECT) AS one LEFT JOIN (SELECT * FROM {table} WHERE entity_id = $1 AND kind = $2 \
           AND ($3::bigint IS NULL OR event_date < timestamptz 'epoch' + $3::bigint * interval '1 millisecond') \
           ORDER BY event_date DESC FETCH FIRST ($4::bigint) ROWS WITH TIES) AS shown ON true \
         LEFT JOIN {records} AS record ON record.id = shown.record_id AND shown.became IS NULL \
         ORDER BY event_date DESC, place DESC",
        table = tables.table("audit_marc"),
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
