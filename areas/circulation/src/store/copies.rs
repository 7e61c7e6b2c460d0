//! The items of an instance with the facts for requesting one of them.

use jiff::Timestamp;
use octavo_library::{
    HoldingsId, InstanceId, ItemId, ItemStatus, PatronGroupId, UserId, wire_time,
};
use octavo_records::{Executor, StoreError};

use super::{Tables, keys_of};
use crate::store::allowed_points::ItemGroup;

/// An item of an instance.
#[derive(Debug, Clone)]
pub struct Copy {
    pub item: ItemId,
    pub holdings: HoldingsId,
    /// Its criteria for the rules.
    pub kind: ItemGroup,
    /// The length of its queue.
    pub queue: i64,
    /// Whether the requester has an open request for it.
    pub asked: bool,
    /// Its due date, if it is lent.
    pub due: Option<Timestamp>,
}

/// The holdings and items of an instance.
#[derive(Debug, Clone, Default)]
pub struct Copies {
    /// The requester's group.
    pub patron_group: Option<PatronGroupId>,
    /// Whether there are holdings.
    pub holdings: bool,
    /// The items, in their own order.
    pub items: Vec<Copy>,
}

/// Reads the items of an instance with loan and queue of each, in one statement.
pub async fn of_instance(
    executor: &dyn Executor,
    tables: Tables<'_>,
    instance: InstanceId,
    requester: UserId,
    most: i64,
) -> Result<Copies, StoreError> {
    let sql = format!(
        "SELECT holdings.id AS holdings_id, item.id AS item_id,
           item.jsonb->'status'->>'name' AS status,
           item.materialtypeid,
             coalesce(item.temporaryloantypeid, item.permanentloantypeid) AS loan_type,
           item.effectivelocationid, queue.requests, queue.asked,
           (SELECT jsonb->>'dueDate' FROM {loans} WHERE {open_loan}) AS due,
           (SELECT (jsonb->>'patronGroup')::uuid FROM {users} WHERE id = $2) AS patron_group
         FROM {holdings} AS holdings
         LEFT JOIN {items} AS item ON item.holdingsrecordid = holdings.id
         CROSS JOIN LATERAL (SELECT count(*) AS requests,
             coalesce(bool_or(lower(jsonb->>'requesterId') = $2::uuid::text), false) AS asked
           FROM {requests} WHERE {of_item} = lower(item.id::text)
             AND jsonb->>'status' LIKE 'Open%') AS queue
         WHERE holdings.instanceid = $1
         ORDER BY public.octavo_number(item.jsonb->'order'), item.jsonb->>'barcode', item.id
         LIMIT $3",
        loans = tables.table("loan"),
        open_loan = tables.equals("loan", "itemId", "item.id::text"),
        users = tables.table("users"),
        holdings = tables.table("holdings_record"),
        items = tables.table("item"),
        requests = tables.table("request"),
        of_item = keys_of(tables, "request", "itemId").join(", "),
    );
    let rows = executor.rows(&sql, &[&instance, &requester, &most]).await?;
    let mut copies = Copies {
        patron_group: rows.first().and_then(|row| row.get("patron_group")),
        holdings: !rows.is_empty(),
        items: Vec::with_capacity(rows.len()),
    };
    for row in &rows {
        let Some(item) = row.get("item_id") else {
            continue;
        };
        let due: Option<String> = row.get("due");
        copies.items.push(Copy {
            item,
            holdings: row.get("holdings_id"),
            kind: ItemGroup {
                status: ItemStatus::or_unknown(row.get("status")),
                material_type: row.get("materialtypeid"),
                loan_type: row.get("loan_type"),
                location: row.get("effectivelocationid"),
            },
            queue: row.get("requests"),
            asked: row.get("asked"),
            due: due.as_deref().and_then(wire_time::parse),
        });
    }
    Ok(copies)
}
