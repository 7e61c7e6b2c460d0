//! The facts for placing and moving requests, and positions in queues. A position is found and assigned
//! by one statement, however long the queue is, without reading other requests.

use octavo_library::{
    HoldingsId, InstanceId, ItemId, ItemStatus, LoanTypeId, LocationId, MaterialTypeId, Patron,
    ProxyRelationship, RequestId, UserId,
};
use octavo_records::{Executor, StoreError, instant};
use serde_json::Value;

use super::{Tables, keys_of, read};
use crate::collections::{OPEN, QUEUE_OF_ITEM, QUEUE_OF_TITLE};
use crate::facts::{ManualBlock, QueuedRequest};
use crate::placing::{CopyLoan, OwnRequest};

/// The title of an id, locked: of two operations on the queue of one title the second waits here. It has
/// `title` and `identifiers`.
pub async fn hold_title(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Option<InstanceId>,
) -> Result<Option<Value>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    let sql = format!(
        "SELECT jsonb_build_object('title', jsonb->'title',
           'identifiers', jsonb->'identifiers') AS title
         FROM {} WHERE id = $1 FOR NO KEY UPDATE",
        tables.table("instance")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("title")))
}

pub async fn holdings_and_title(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: ItemId,
) -> Result<Option<(HoldingsId, InstanceId)>, StoreError> {
    let sql = format!(
        "SELECT holdings.id, holdings.instanceid FROM {} AS item
         JOIN {} AS holdings ON holdings.id = item.holdingsrecordid WHERE item.id = $1",
        tables.table("item"),
        tables.table("holdings_record"),
    );
    let rows = executor.rows(&sql, &[&item]).await?;
    Ok(rows
        .first()
        .map(|row| (row.get("id"), row.get("instanceid"))))
}

/// Requester and proxy.
#[derive(Debug, Clone, Default)]
pub struct People {
    pub requester: Option<Patron>,
    /// The requester's record as stored.
    pub requester_document: Option<Value>,
    /// The proxy's record.
    pub proxy_document: Option<Value>,
    /// The proxy relationships between them.
    pub relationships: Vec<ProxyRelationship>,
    /// The blocks that staff put on the requester.
    pub manual_blocks: Vec<ManualBlock>,
}

/// The requester and the proxy of these ids. The requester's record is locked against deletion until the
/// transaction ends.
pub async fn people(
    executor: &dyn Executor,
    tables: Tables<'_>,
    requester: Option<UserId>,
    proxy: Option<UserId>,
) -> Result<People, StoreError> {
    let users = tables.table("users");
    // `FOR KEY SHARE` blocks a deletion only: requests of one patron do not wait for each other.
    let sql = format!(
        "WITH requester AS MATERIALIZED (SELECT jsonb FROM {users} WHERE id = $1 FOR KEY SHARE)
         SELECT (SELECT jsonb FROM requester) AS requester,
           (SELECT jsonb FROM {users} WHERE id = $2) AS proxy,
           (SELECT jsonb_agg(jsonb ORDER BY id) FROM {} WHERE {}) AS manual_blocks,
           (SELECT jsonb_agg(jsonb) FROM {} WHERE {}
             AND jsonb->>'proxyUserId' = ($2::uuid)::text) AS relationships",
        tables.table("manualblocks"),
        tables.equals("manualblocks", "userId", "($1::uuid)::text"),
        tables.table("proxyfor"),
        tables.equals("proxyfor", "userId", "($1::uuid)::text"),
    );
    let rows = executor.rows(&sql, &[&requester, &proxy]).await?;
    let Some(row) = rows.first() else {
        return Ok(People::default());
    };
    let requester: Option<Value> = row.get("requester");
    let all = |column| {
        row.get::<_, Option<Value>>(column)
            .unwrap_or_else(|| Value::Array(Vec::new()))
    };
    Ok(People {
        requester: requester
            .clone()
            .map(|user| read("user", user))
            .transpose()?,
        requester_document: requester,
        proxy_document: row.get("proxy"),
        manual_blocks: read("manual block", all("manual_blocks"))?,
        relationships: read("proxy relationship", all("relationships"))?,
    })
}

/// The ends of the queues, and the requester's open requests.
#[derive(Debug, Clone, Default)]
pub struct Waiting {
    /// The last place in the queue of the item.
    pub last_of_item: u32,
    /// The last place in the queue of the title.
    pub last_of_title: u32,
    /// The requester's open requests for the item or the title, in order of position.
    pub own: Vec<OwnRequest>,
    /// The item of the title that the requester has on loan.
    pub title_loan: Option<ItemId>,
}

/// Requester and target of a request.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlacingQuestion {
    pub requester: Option<UserId>,
    /// The title.
    pub instance: Option<InstanceId>,
    /// The item; none for any of the title.
    pub item: Option<ItemId>,
}

/// Reads the ends of queues, and the requester's open requests. Lock title and item first.
pub async fn waiting(
    executor: &dyn Executor,
    tables: Tables<'_>,
    asked: PlacingQuestion,
) -> Result<Waiting, StoreError> {
    let request = tables.table("request");
    let last = |index: &str, of: &str| {
        let key = keys_of(tables, "request", index).join(", ");
        format!(
            "coalesce((SELECT (jsonb->>'position')::int FROM {request} WHERE {OPEN}
               AND {key} > ({of} || ' ') COLLATE \"C\" AND {key} < ({of} || '!') COLLATE \"C\"
             ORDER BY {key} DESC LIMIT 1), 0)"
        )
    };
    let sql = format!(
        "SELECT {} AS last_of_item, {} AS last_of_title,
           (SELECT jsonb_agg(jsonb ORDER BY (jsonb->>'position')::int) FROM {request}
             WHERE {} AND {OPEN}
               AND (jsonb->>'itemId' = $3::text OR jsonb->>'instanceId' = $2::text)) AS own,
           (SELECT loan.item_id FROM (SELECT (jsonb->>'itemId')::uuid AS item_id FROM {}
               WHERE {} AND lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open') AS loan
             JOIN {} AS item ON item.id = loan.item_id
             JOIN {} AS holdings ON holdings.id = item.holdingsrecordid
             WHERE $3::text IS NULL AND holdings.instanceid = ($2::text)::uuid LIMIT 1)
             AS title_loan",
        last(QUEUE_OF_ITEM, "$3::text"),
        last(QUEUE_OF_TITLE, "$2::text"),
        tables.equals("request", "requesterId", "$1::text"),
        tables.table("loan"),
        tables.equals("loan", "userId", "$1::text"),
        tables.table("item"),
        tables.table("holdings_record"),
    );
    let requester = asked.requester.map(|id| id.to_string());
    let instance = asked.instance.map(|id| id.to_string());
    let item = asked.item.map(|id| id.to_string());
    let rows = executor.rows(&sql, &[&requester, &instance, &item]).await?;
    let Some(row) = rows.first() else {
        return Ok(Waiting::default());
    };
    let own: Option<Value> = row.get("own");
    let own: Vec<QueuedRequest> = own.map_or_else(|| Ok(Vec::new()), |own| read("request", own))?;
    let place = |column| u32::try_from(row.get::<_, i32>(column)).unwrap_or(0);
    Ok(Waiting {
        last_of_item: place("last_of_item"),
        last_of_title: place("last_of_title"),
        own: own.iter().map(OwnRequest::from).collect(),
        title_loan: row.get("title_loan"),
    })
}

/// How many open requests other than this one are for an item.
pub async fn others_for_item(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: Option<ItemId>,
    request: RequestId,
) -> Result<u32, StoreError> {
    let Some(item) = item else { return Ok(0) };
    let sql = format!(
        "SELECT count(*) FROM (SELECT FROM {} WHERE {} AND {OPEN} AND id <> $2 LIMIT 1) AS one",
        tables.table("request"),
        tables.equals("request", "itemId", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&item.to_string(), &request]).await?;
    let count = rows.first().map_or(0, |row| row.get::<_, i64>("count"));
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// An item of a title, with the facts for choosing one.
#[derive(Debug, Clone)]
pub struct CopyRow {
    pub id: ItemId,
    pub holdings_record_id: HoldingsId,
    pub status: ItemStatus,
    /// Its effective location.
    pub location_id: Option<LocationId>,
    pub material_type_id: Option<MaterialTypeId>,
    pub loan_type_id: Option<LoanTypeId>,
    /// Its open loan.
    pub loan: Option<CopyLoan>,
    /// How many open recalls are for it.
    pub recalls: u32,
}

/// The items of a title, in order of their ids.
pub async fn copies(
    executor: &dyn Executor,
    tables: Tables<'_>,
    instance: Option<InstanceId>,
) -> Result<Vec<CopyRow>, StoreError> {
    let Some(instance) = instance else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "WITH recalled AS MATERIALIZED (SELECT jsonb->>'itemId' AS item, count(*) AS number
           FROM {} WHERE {} AND {OPEN} AND jsonb->>'requestType' = 'Recall' GROUP BY 1)
         SELECT item.id AS item_id, holdings.id AS holdings_id,
           item.jsonb->'status'->>'name' AS status,
           (item.jsonb->>'effectiveLocationId')::uuid AS location_id,
           (item.jsonb->>'materialTypeId')::uuid AS material_type_id,
           coalesce(item.jsonb->>'temporaryLoanTypeId', item.jsonb->>'permanentLoanTypeId')::uuid
             AS loan_type_id,
           open_loan.jsonb IS NOT NULL AS loan, open_loan.jsonb->>'dueDate' AS due,
           (open_loan.jsonb->>'userId')::uuid AS user_id, coalesce(recalled.number, 0) AS recalls
         FROM {} AS holdings JOIN {} AS item ON item.holdingsrecordid = holdings.id
         LEFT JOIN recalled ON recalled.item = item.id::text
         LEFT JOIN LATERAL (SELECT jsonb FROM {} WHERE {}) AS open_loan ON true
         WHERE holdings.instanceid = $1 ORDER BY item.id",
        tables.table("request"),
        tables.equals("request", "instanceId", "($1::uuid)::text"),
        tables.table("holdings_record"),
        tables.table("item"),
        tables.table("loan"),
        tables.equals("loan", "itemId", "(item.id)::text"),
    );
    let rows = executor.rows(&sql, &[&instance]).await?;
    let copy = |row: &octavo_postgres::Row| {
        let due: Option<String> = row.get("due");
        let loan = CopyLoan {
            due_date: due.as_deref().and_then(instant::parse),
            user_id: row.get("user_id"),
        };
        CopyRow {
            id: row.get("item_id"),
            holdings_record_id: row.get("holdings_id"),
            status: ItemStatus::or_unknown(row.get("status")),
            location_id: row.get("location_id"),
            material_type_id: row.get("material_type_id"),
            loan_type_id: row.get("loan_type_id"),
            loan: row.get::<_, bool>("loan").then_some(loan),
            recalls: u32::try_from(row.get::<_, i64>("recalls")).unwrap_or(u32::MAX),
        }
    };
    Ok(rows.iter().map(copy).collect())
}

/// The current request, not locked.
pub async fn request(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: RequestId,
) -> Result<Option<Value>, StoreError> {
    one(executor, tables, id, "").await
}

/// The current request, locked. Lock title and items first.
pub async fn hold_request(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: RequestId,
) -> Result<Option<Value>, StoreError> {
    one(executor, tables, id, " FOR NO KEY UPDATE").await
}

async fn one(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: RequestId,
    how: &str,
) -> Result<Option<Value>, StoreError> {
    let table = tables.table("request");
    let sql = format!("SELECT jsonb FROM {table} WHERE id = $1{how}");
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}
