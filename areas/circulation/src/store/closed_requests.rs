//! Closed requests that are not anonymized yet.

use jiff::Timestamp;
use octavo_library::{HoldingsId, InstanceId, RequestId};
use octavo_records::{Executor, StoreError, instant};
use serde_json::{Map, Value};

use super::{Tables, keys_of};
use crate::collections::{CLOSED_WITH_REQUESTER, WHEN_ENDED};
use crate::facts::LogItem;

/// A request, locked, with its item for the log.
#[derive(Debug, Clone)]
pub struct HeldRequest {
    pub id: RequestId,
    pub document: Map<String, Value>,
    /// Its item, or its title alone.
    pub item: LogItem,
}

pub async fn by_id(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: RequestId,
) -> Result<Option<HeldRequest>, StoreError> {
    let sql = held_sql(tables, "id = $1 FOR NO KEY UPDATE");
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().and_then(held))
}

/// Some closed requests that were last changed by an instant, locked; locked ones are skipped.
pub async fn closed_until(
    executor: &dyn Executor,
    tables: Tables<'_>,
    until: Timestamp,
    most: i64,
) -> Result<Vec<HeldRequest>, StoreError> {
    let key = keys_of(tables, "request", WHEN_ENDED).join(", ");
    let which = format!(
        "{CLOSED_WITH_REQUESTER} AND {key} <= lower($1::text) COLLATE \"C\" \
         ORDER BY {key} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED"
    );
    let sql = held_sql(tables, &which);
    let until = instant::format(until);
    let rows = executor.rows(&sql, &[&until, &most]).await?;
    Ok(rows.iter().filter_map(held).collect())
}

fn held_sql(tables: Tables<'_>, which: &str) -> String {
    format!(
        "WITH held AS MATERIALIZED (SELECT id, jsonb FROM {} WHERE {which})
         SELECT held.id, held.jsonb, item.jsonb->>'barcode' AS item_barcode, item.id AS item_id,
           coalesce(item.jsonb->>'holdingsRecordId', held.jsonb->>'holdingsRecordId') AS holdings_id
         FROM held LEFT JOIN {} AS item ON item.id = (held.jsonb->>'itemId')::uuid",
        tables.table("request"),
        tables.table("item"),
    )
}

fn held(row: &octavo_postgres::Row) -> Option<HeldRequest> {
    let Value::Object(document) = row.get("jsonb") else {
        return None;
    };
    let instance = document.get("instanceId").and_then(Value::as_str);
    let holdings: Option<String> = row.get("holdings_id");
    let item = LogItem {
        item_barcode: row.get("item_barcode"),
        item_id: row.get("item_id"),
        instance_id: instance.and_then(InstanceId::parse),
        holding_id: holdings.and_then(|id| HoldingsId::parse(&id)),
        loan_id: None,
    };
    Some(HeldRequest {
        id: row.get("id"),
        document,
        item,
    })
}
