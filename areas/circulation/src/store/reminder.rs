//! Reminder notices, and the facts for reminder fees.

use std::collections::HashMap;

use jiff::Timestamp;
use octavo_library::{FeeFineOwnerId, ItemId, ItemJoins, LoanId, ServicePointId};
use octavo_records::expression::key;
use octavo_records::{Executor, StoreError, instant};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use super::loss::FeeFineOwner;
use crate::collections;
use crate::reminder::TRIGGER;

/// A due notice, read before anything is locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueNotice {
    /// The notice.
    pub id: Uuid,
    /// The loan that it names.
    pub loan_id: Option<LoanId>,
    /// That loan's item; `None` if the loan was deleted.
    pub item_id: Option<ItemId>,
    /// Its key in the index.
    pub key: String,
}

/// The facts for a fee for a loan's item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeeSubject {
    /// The account's properties about the item and its title.
    pub about: Map<String, Value>,
    /// The primary service point of the item's effective location.
    pub service_point_id: Option<ServicePointId>,
    /// The owner of fees at that service point.
    pub owner: Option<FeeFineOwner>,
}

/// Replaces a loan's scheduled reminder by that of its first one. Lock the loan's item first.
pub async fn begin_anew(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
    notice: Option<(Uuid, Value)>,
) -> Result<(), StoreError> {
    let notices = tables.table("scheduled_notice");
    let sql = format!(
        "WITH gone AS (DELETE FROM {notices} WHERE {} AND jsonb->>'triggeringEvent' = $2)
         INSERT INTO {notices} (id, jsonb) SELECT $3::uuid, $4::jsonb WHERE $3::uuid IS NOT NULL",
        tables.equals("scheduled_notice", "loanId", "$1::text"),
    );
    let (id, notice) = notice.unzip();
    let values: octavo_records::Values<'_> = &[&loan_id.to_string(), &TRIGGER, &id, &notice];
    executor.rows(&sql, values).await?;
    Ok(())
}

/// Notices of reminders that are due until an instant, the first one first.
pub async fn due(
    executor: &dyn Executor,
    tables: Tables<'_>,
    until: Timestamp,
    (after, most): (Option<&str>, i64),
) -> Result<Vec<DueNotice>, StoreError> {
    let index = collections::reminders();
    let place = key(&index);
    let condition = index.condition.as_deref().unwrap_or("true");
    let sql = format!(
        "SELECT notice.id, (notice.jsonb->>'loanId')::uuid AS loan_id,
           (loan.jsonb->>'itemId')::uuid AS item_id, place
         FROM (SELECT id, jsonb, {place} AS place FROM {} WHERE {condition}
             AND {place} > $1 AND {place} < $2 ORDER BY {place} LIMIT $3) AS notice
         LEFT JOIN {} AS loan ON loan.id = (notice.jsonb->>'loanId')::uuid ORDER BY place",
        tables.table("scheduled_notice"),
        tables.table("loan"),
    );
    // An upper bound of all keys of that instant, in which a blank and an id follow it; `~` sorts after
    // the blank.
    let (after, until) = (
        after.unwrap_or_default(),
        format!("{}~", instant::format(until)),
    );
    let rows = executor.rows(&sql, &[&after, &until, &most]).await?;
    Ok(rows
        .iter()
        .map(|row| DueNotice {
            id: row.get("id"),
            loan_id: row.get("loan_id"),
            item_id: row.get("item_id"),
            key: row.get("place"),
        })
        .collect())
}

/// Locks those of these notices that are still due, skipping locked ones. Lock their loans first.
pub async fn hold(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
    until: Timestamp,
) -> Result<HashMap<Uuid, Map<String, Value>>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE id = ANY($1) AND jsonb->>'triggeringEvent' = $2
           AND jsonb->>'nextRunTime' <= $3 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED",
        tables.table("scheduled_notice")
    );
    let until = instant::format(until);
    let rows = executor.rows(&sql, &[&ids, &TRIGGER, &until]).await?;
    let held = rows.iter().filter_map(|row| match row.get("jsonb") {
        Value::Object(notice) => Some((row.get("id"), notice)),
        _ => None,
    });
    Ok(held.collect())
}

/// Deletes locked notices.
pub async fn drop_notices(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    if !ids.is_empty() {
        let notices = tables.table("scheduled_notice");
        let sql = format!("DELETE FROM {notices} WHERE id = ANY($1)");
        executor.rows(&sql, &[&ids]).await?;
    }
    Ok(())
}

/// The facts for fees for these loans' items. Owners have no index here: a library has a handful.
pub async fn fee_subjects(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_ids: &[LoanId],
) -> Result<HashMap<LoanId, FeeSubject>, StoreError> {
    if loan_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT loan.id AS loan_id, jsonb_strip_nulls({ABOUT}) AS about,
           (place.jsonb->>'primaryServicePoint')::uuid AS service_point_id,
           owner.id AS owner_id, owner.jsonb->>'owner' AS name
         FROM {} AS loan
         {}
         LEFT JOIN LATERAL (SELECT id, jsonb FROM {} WHERE jsonb->'servicePointOwner' @>
             jsonb_build_array(jsonb_build_object('value', place.jsonb->'primaryServicePoint'))
           ORDER BY id LIMIT 1) AS owner ON true
         WHERE loan.id = ANY($1)",
        tables.table("loan"),
        ItemJoins::inner(tables, "item")
            .item("(loan.jsonb->>'itemId')::uuid")
            .title()
            .material()
            .place(),
        tables.table("owners"),
    );
    let rows = executor.rows(&sql, &[&loan_ids]).await?;
    let subjects = rows.iter().map(|row| {
        let about = match row.get("about") {
            Value::Object(about) => about,
            _ => Map::new(),
        };
        let owner = row
            .get::<_, Option<FeeFineOwnerId>>("owner_id")
            .map(|id| FeeFineOwner {
                id,
                name: row.get("name"),
            });
        let subject = FeeSubject {
            about,
            service_point_id: row.get("service_point_id"),
            owner,
        };
        (row.get("loan_id"), subject)
    });
    Ok(subjects.collect())
}

const ABOUT: &str = "jsonb_build_object(
  'title', instance.jsonb->'title',
  'barcode', item.jsonb->'barcode',
  'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
  'location', place.jsonb->'name',
  'materialType', material.jsonb->'name',
  'materialTypeId', item.jsonb->'materialTypeId',
  'contributors', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', one->'name')), '[]')
    FROM jsonb_array_elements(instance.jsonb->'contributors') AS one))";
