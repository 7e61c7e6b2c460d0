//! What a desk shows of a patron, by one statement.

use octavo_library::{ServicePointId, UserId, id_in};
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;

/// A part of a card that takes a permission of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Group,
    Loans,
    Accounts,
    Requests,
    ManualBlocks,
    Notes,
    Proxies,
    AutomatedBlocks,
}

/// FOLIO's permissions for the parts, in their order.
pub const PERMISSIONS: &[&str] = &[
    "usergroups.item.get",
    "circulation.loans.collection.get",
    "accounts.collection.get",
    "circulation.requests.collection.get",
    "manualblocks.collection.get",
    "notes.collection.get",
    "proxiesfor.collection.get",
    "patron-blocks.automated-patron-blocks.collection.get",
];

/// The parts that a caller may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts(Vec<bool>);

impl Parts {
    /// Those of whose permissions this holds.
    pub fn allowed(has: impl Fn(&str) -> bool) -> Parts {
        Parts(
            PERMISSIONS
                .iter()
                .map(|permission| has(permission))
                .collect(),
        )
    }

    #[must_use]
    pub fn contains(&self, part: Part) -> bool {
        self.0[part as usize]
    }
}

/// The most requests, notes and sponsors of a card.
const LISTED_MAX: i64 = 100;

/// A patron's card.
#[derive(Debug, Clone)]
pub struct PatronCard {
    pub id: UserId,
    /// The user as stored.
    pub user: Value,
    /// `group`, `openLoans`, `owed`, `openRequests`, `waiting`, `notes` and `sponsors`, each only if it may be read.
    pub parts: Value,
    /// The blocks by staff as stored.
    pub manual_blocks: Value,
}

/// The patron with this barcode, external system id, user name or id. If an identifier belongs to several
/// patrons in different ways, the barcode counts first.
pub async fn of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    identifier: &str,
    point: Option<ServicePointId>,
    parts: &Parts,
) -> Result<Option<PatronCard>, StoreError> {
    let sql = statement(tables);
    let id = Uuid::try_parse(identifier).ok();
    let point = point.map(|point| point.to_string());
    let rows = executor
        .rows(&sql, &[&identifier, &id, &point, &parts.0, &LISTED_MAX])
        .await?;
    Ok(rows.first().and_then(|row| {
        let user: Value = row.get("user");
        Some(PatronCard {
            id: id_in(user.as_object()?, "id")?,
            user,
            parts: row.get("parts"),
            manual_blocks: row.get::<_, Option<Value>>("blocks").unwrap_or(Value::Null),
        })
    }))
}

fn statement(tables: Tables<'_>) -> String {
    let by = |field| tables.equals("users", field, "$1::text");
    let of_patron = |table, field| tables.equals(table, field, "patron.id::text");
    // PostgreSQL counts from 1.
    let may = |part: Part| format!("($4::bool[])[{}]", part as usize + 1);
    let schema = tables.tenant.schema();
    format!(
        "WITH patron AS MATERIALIZED (
  SELECT id, patrongroup, jsonb FROM (
    SELECT id, patrongroup, jsonb, 1 AS rank FROM {users} WHERE {by_barcode}
    UNION ALL SELECT id, patrongroup, jsonb, 2 FROM {users} WHERE {by_external}
    UNION ALL SELECT id, patrongroup, jsonb, 3 FROM {users} WHERE {by_name}
    UNION ALL SELECT id, patrongroup, jsonb, 4 FROM {users} WHERE id = $2) AS found
  ORDER BY rank LIMIT 1)
SELECT patron.jsonb AS \"user\", jsonb_strip_nulls(jsonb_build_object(
  'group', CASE WHEN {may_group} THEN (SELECT jsonb->'group' FROM {groups} WHERE id = patron.patrongroup) END,
  'openLoans', CASE WHEN {may_loans} THEN (SELECT count(*) FROM {schema}.patron_loan WHERE user_id = patron.id) END,
  'owed', CASE WHEN {may_accounts} THEN (
    SELECT coalesce(sum(remaining), 0) FROM {schema}.patron_debt WHERE user_id = patron.id) END,
  'openRequests', CASE WHEN {may_requests} THEN (SELECT count(*) FROM {requests} AS request
    WHERE {of_requester} AND request.jsonb->>'status' LIKE 'Open%') END,
  'waiting', CASE WHEN {may_requests} THEN (SELECT jsonb_agg(waiting) FROM (
    SELECT request.id, (SELECT title.jsonb->'title' FROM {instances} AS title
        WHERE title.id = (request.jsonb->>'instanceId')::uuid) AS title,
      (SELECT copy.jsonb->'barcode' FROM {items} AS copy
        WHERE copy.id = (request.jsonb->>'itemId')::uuid) AS barcode,
      request.jsonb->'holdShelfExpirationDate' AS until FROM {requests} AS request
    WHERE {of_requester} AND request.jsonb->>'status' = 'Open - Awaiting pickup'
      AND lower(request.jsonb->>'pickupServicePointId') = lower($3::text)
    ORDER BY request.jsonb->>'holdShelfExpirationDate', id LIMIT $5) AS waiting) END,
  'notes', CASE WHEN {may_notes} THEN (SELECT jsonb_agg(notes) FROM (
    SELECT note.id, note.jsonb->'title' AS title, note.jsonb->'content' AS content FROM {notes} AS note
    WHERE note.jsonb->'links' @> jsonb_build_array(jsonb_build_object('type', 'user', 'id', patron.id::text))
      AND note.jsonb->>'popUpOnCheckOut' = 'true' ORDER BY id LIMIT $5) AS notes) END,
  'sponsors', CASE WHEN {may_proxies} THEN (SELECT jsonb_agg(sponsors) FROM (
    SELECT sponsor.id, sponsor.jsonb->'barcode' AS barcode,
      concat_ws(' ', sponsor.jsonb->'personal'->>'firstName', sponsor.jsonb->'personal'->>'lastName') AS name,
      proxyfor.jsonb->'expirationDate' AS until
    FROM (SELECT jsonb FROM {proxies} WHERE {of_proxy}) AS proxyfor
      JOIN {users} AS sponsor ON sponsor.id = (proxyfor.jsonb->>'userId')::uuid
    WHERE proxyfor.jsonb->>'status' = 'Active'
      AND coalesce((proxyfor.jsonb->>'expirationDate')::timestamptz > now(), true)
      AND sponsor.jsonb->>'barcode' <> ''
    ORDER BY sponsor.jsonb->'personal'->>'lastName', sponsor.id LIMIT $5) AS sponsors) END)) AS parts,
  CASE WHEN {may_manual} THEN (SELECT jsonb_agg(jsonb ORDER BY id) FROM {blocks} WHERE {blocked}) END AS blocks
FROM patron",
        may_group = may(Part::Group),
        may_loans = may(Part::Loans),
        may_accounts = may(Part::Accounts),
        may_requests = may(Part::Requests),
        may_manual = may(Part::ManualBlocks),
        may_notes = may(Part::Notes),
        may_proxies = may(Part::Proxies),
        users = tables.table("users"),
        groups = tables.table("groups"),
        requests = tables.table("request"),
        instances = tables.table("instance"),
        items = tables.table("item"),
        notes = tables.table("note"),
        proxies = tables.table("proxyfor"),
        blocks = tables.table("manualblocks"),
        by_barcode = by("barcode"),
        by_external = by("externalSystemId"),
        by_name = by("username"),
        of_requester = of_patron("request", "requesterId"),
        of_proxy = of_patron("proxyfor", "proxyUserId"),
        blocked = of_patron("manualblocks", "userId"),
    )
}
