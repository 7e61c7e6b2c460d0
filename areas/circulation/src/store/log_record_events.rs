//! What the lines of events LOG_RECORD need to know, and their place in the circulation log.

use std::collections::HashMap;

use octavo_library::{ItemId, UserId};
use octavo_postgres::{Row, ToSql, Transaction};
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use tokio::try_join;
use uuid::Uuid;

use super::Tables;
use crate::circulation_log::log_record_event::{Known, Person, Wanted};
use crate::facts::LogItem;

/// Looks up what is wanted, all at once.
pub async fn known(
    executor: &dyn Executor,
    tables: Tables<'_>,
    wanted: &Wanted,
) -> Result<Known, StoreError> {
    let users = format!(
        "id = ANY($1) OR {}",
        tables.equals("users", "barcode", "$2::text")
    );
    let users = format!(
        "SELECT id, jsonb->>'barcode' AS barcode, nullif(concat_ws(', ',
           nullif(trim(jsonb->'personal'->>'lastName'), ''),
           nullif(trim(jsonb->'personal'->>'firstName'), '')), '') AS name
         FROM {} WHERE {users}",
        tables.table("users")
    );
    let ids: Vec<Uuid> = wanted.users.iter().map(|id| id.uuid()).collect();
    let items = format!(
        "SELECT item.id, item.jsonb->>'barcode' AS barcode, holdings.id AS holdings,
           holdings.instanceid AS instance
         FROM {} AS item LEFT JOIN {} AS holdings ON holdings.id = item.holdingsrecordid
         WHERE item.id = ANY($1)",
        tables.table("item"),
        tables.table("holdings_record")
    );
    let of_items: Vec<Uuid> = wanted.items.iter().map(|id| id.uuid()).collect();
    let names = format!(
        "SELECT (SELECT jsonb->>'name' FROM {} WHERE id = $1) AS template,
           (SELECT coalesce(jsonb->>'description', jsonb->>'name') FROM {} WHERE id = $2) AS reason",
        tables.table("template"),
        tables.table("cancellation_reason")
    );
    let of_users: [&(dyn ToSql + Sync); 2] = [&ids, &wanted.user_barcode];
    let of_names: [&(dyn ToSql + Sync); 2] = [&wanted.template, &wanted.cancellation_reason];
    let of_items: [&(dyn ToSql + Sync); 1] = [&of_items];
    let (users, items, names) = try_join!(
        executor.rows(&users, &of_users),
        executor.rows(&items, &of_items),
        executor.rows(&names, &of_names),
    )?;
    let people: Vec<Person> = users.iter().map(person).collect();
    let barcode = wanted.user_barcode.as_ref();
    let is_named = |person: &&Person| person.barcode.as_ref() == barcode;
    Ok(Known {
        of_barcode: barcode.and_then(|_| people.iter().find(is_named)).cloned(),
        users: people.into_iter().map(|one| (one.id, one)).collect(),
        items: items.iter().map(item).collect::<HashMap<ItemId, LogItem>>(),
        template: names.first().and_then(|row| row.get("template")),
        cancellation_reason: names.first().and_then(|row| row.get("reason")),
    })
}

fn person(row: &Row) -> Person {
    Person {
        id: UserId::from(row.get::<_, Uuid>("id")),
        barcode: row.get("barcode"),
        name: row.get("name"),
    }
}

fn item(row: &Row) -> (ItemId, LogItem) {
    let id: ItemId = row.get("id");
    let item = LogItem {
        item_id: Some(id),
        item_barcode: row.get("barcode"),
        holding_id: row.get("holdings"),
        instance_id: row.get("instance"),
        loan_id: None,
    };
    (id, item)
}

/// Adds lines with ids of their own; those that are there stay as they are. A line is not added either where one
/// with the other id is.
pub async fn add_once(
    transaction: &Transaction,
    tables: Tables<'_>,
    lines: &[Value],
    others: &[Uuid],
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {logs} (id, jsonb) SELECT (line->>'id')::uuid, line
         FROM unnest($1::jsonb[], $2::uuid[]) AS _(line, other)
         WHERE NOT EXISTS (SELECT FROM {logs} WHERE id = other)
         ON CONFLICT (id) DO NOTHING",
        logs = tables.table("circulation_logs"),
    );
    transaction.rows(&sql, &[&lines, &others]).await?;
    Ok(())
}
