//! Requests to be picked or searched at a service point, with their slip's tokens.

use octavo_library::{LocationId, RequestType};
use octavo_records::expression::key;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::item::{ItemAtDesk, TITLE};
use super::{Tables, slip};
use crate::collections;

/// A request that waits.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// Its item; `None` for a title level request.
    pub item: Option<ItemAtDesk>,
    /// The instance's tokens.
    pub title: Value,
    /// The tokens of request and requester.
    pub slip: Map<String, Value>,
}

/// The unfilled requests of a type whose item is at one of these locations, the oldest first. `titles`
/// adds title level requests for titles with holdings there.
///
/// The partial index [`collections::waiting`] contains only unfilled requests; each costs a look-up of
/// its item's row, by which locations are filtered.
pub async fn at_locations(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: RequestType,
    locations: &[LocationId],
    titles: bool,
    most: i64,
) -> Result<Vec<Waiting>, StoreError> {
    let sql = at_locations_sql(tables, titles);
    let kind = kind.name();
    // A prefix range: from the kind and a blank to the kind and the next character, `!`.
    let (from, to) = (format!("{kind} "), format!("{kind}!"));
    let rows = executor
        .rows(&sql, &[&from, &to, &locations, &most])
        .await?;
    Ok(rows.iter().filter_map(waiting).collect())
}

pub(super) fn at_locations_sql(tables: Tables<'_>, titles: bool) -> String {
    let index = collections::waiting();
    let place = key(&index);
    let condition = index.condition.as_deref().unwrap_or("true");
    let holdings = tables.table("holdings_record");
    let of_titles = match titles {
        false => String::new(),
        true => format!(
            " OR (one.jsonb->>'requestLevel' = 'Title' AND one.jsonb->>'itemId' IS NULL
               AND one.jsonb->>'holdingsRecordId' IS NULL
               AND EXISTS (SELECT FROM {holdings} AS there
                 WHERE there.instanceid = (one.jsonb->>'instanceId')::uuid
                   AND (there.jsonb->>'effectiveLocationId')::uuid = ANY($3)))"
        ),
    };
    // `OFFSET 0` keeps the order of the inner query: requests are read along the index until the page is
    // full.
    format!(
        "WITH page AS MATERIALIZED (
           SELECT one.id, one.jsonb, there.id AS item_id, there.jsonb AS item,
             there.holdingsrecordid AS holdings_id
           FROM (SELECT id, jsonb, {place} AS place FROM {requests} WHERE {condition}
               AND {place} > $1 AND {place} < $2 ORDER BY {place} OFFSET 0) AS one
           LEFT JOIN LATERAL (SELECT id, jsonb, holdingsrecordid FROM {items}
             WHERE id = (one.jsonb->>'itemId')::uuid AND effectivelocationid = ANY($3) LIMIT 1)
             AS there ON true
           WHERE there.id IS NOT NULL{of_titles}
           ORDER BY one.place LIMIT $4)
         SELECT page.item_id, page.item, page.holdings_id,
         holdings.jsonb->>'copyNumber' AS copy_number,
           instance.id AS instance_id, {TITLE} AS title, {slip} AS slip
         FROM page
         LEFT JOIN {holdings} AS holdings ON holdings.id = page.holdings_id
         LEFT JOIN {instances} AS instance ON instance.id
           = coalesce(holdings.instanceid, (page.jsonb->>'instanceId')::uuid)
         LEFT JOIN {users} AS requester ON requester.id = (page.jsonb->>'requesterId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (requester.jsonb->>'patronGroup')::uuid
         LEFT JOIN {points} AS pickup ON pickup.id = (page.jsonb->>'pickupServicePointId')::uuid
         {joins}",
        requests = tables.table("request"),
        items = tables.table("item"),
        instances = tables.table("instance"),
        users = tables.table("users"),
        groups = tables.table("groups"),
        points = tables.table("service_point"),
        slip = slip::request(),
        joins = slip::request_joins(tables),
    )
}

fn waiting(row: &octavo_postgres::Row) -> Option<Waiting> {
    let title: Value = row.get("title");
    let item = match (
        row.get("item_id"),
        row.get("item"),
        row.get("holdings_id"),
        row.get("instance_id"),
    ) {
        (Some(id), Some(Value::Object(document)), Some(holdings), Some(instance)) => {
            Some(ItemAtDesk {
                document,
                id,
                holdings_record_id: holdings,
                holdings_copy_number: row.get("copy_number"),
                instance_id: instance,
                instance: title.clone(),
            })
        }
        _ => None,
    };
    match row.get("slip") {
        Value::Object(mut told) => match told.remove("slip") {
            Some(Value::Object(slip)) => Some(Waiting { item, title, slip }),
            _ => None,
        },
        _ => None,
    }
}
