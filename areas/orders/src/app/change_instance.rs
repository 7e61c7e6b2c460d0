//! Another instance for a line: its holdings move there, are found or made there, or stay.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_inventory::app::store_holdings::{self, IfMissing};
use octavo_organizations::units::Operation;
use octavo_records::store::fetch;
use serde_json::{Value, json};
use uuid::Uuid;

use super::replace_instance::{Moved, replace, take_over};
use super::{Act, guard, inventory, items, keep_line};
use crate::refusal::{Declined, Found, Refusal, of_inventory};
use crate::rules::doc::{Doc, flag, id as id_at, set, text};
use crate::rules::line::Line;
use crate::store::inventory::{holdings, items_in};
use crate::store::lines::Held;
use crate::store::pieces;

/// What happens to holdings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holdings {
    Move,
    Create,
    FindOrCreate,
    Stay,
}

/// A request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub instance: Uuid,
    pub holdings: Holdings,
    /// Whether holdings that became empty are deleted.
    pub deletes_abandoned: bool,
}

impl Change {
    /// Reads a checked request.
    ///
    /// # Errors
    /// When it says nothing about the instance.
    pub fn read(body: &Doc) -> Result<Change, Refusal> {
        let change = body.get("replaceInstanceRef").and_then(Value::as_object);
        let change =
            change.ok_or_else(|| Refusal::text(400, "ReplaceInstanceRef is not present"))?;
        Ok(Change {
            instance: id_at(change, "newInstanceId").unwrap_or_default(),
            holdings: match text(change, "holdingsOperation") {
                Some("Move") => Holdings::Move,
                Some("Create") => Holdings::Create,
                Some("Find or Create") => Holdings::FindOrCreate,
                _ => Holdings::Stay,
            },
            deletes_abandoned: flag(change, "deleteAbandonedHoldings"),
        })
    }
}

/// Gives a line another instance.
///
/// # Errors
/// 404 without the line or the instance.
#[boxed]
pub async fn change(act: Act<'_>, id: Uuid, change: Change) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let whole = super::pieces::hold_line(act, id).await?;
    guard::protect(act, &guard::units_of(&whole.order), &[Operation::Update]).await?;
    let collection = context.collection("instance");
    let instance = fetch(transaction, context.tenant, collection, change.instance)
        .await?
        .found()?;
    let mut line = whole.line;
    let of_pieces = pieces::of_lines(transaction, tables, &[id], Held::Yes).await?;
    let mut ids: Vec<Uuid> = Line(&line)
        .locations()
        .chain(&of_pieces)
        .filter_map(|place| id_at(place, "holdingId"))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let moved = match change.holdings {
        Holdings::Stay | Holdings::Move => Vec::new(),
        Holdings::Create | Holdings::FindOrCreate => exchange_holdings(act, &ids, change).await?,
    };
    replace(work, &mut line, change.instance, &moved).await?;
    take_over(&mut line, instance);
    let searched = inventory::search_locations(act, &line).await?;
    set(&mut line, "searchLocationIds", json!(searched));
    keep_line::write(work, id, line).await?;
    // After this line is written: other lines on these holdings follow them.
    if change.holdings == Holdings::Move {
        move_holdings(act, &ids, change.instance).await?;
    }
    if change.deletes_abandoned {
        let left: Vec<Uuid> = moved.iter().map(|one| one.from).collect();
        inventory::delete_empty_holdings(act, &left, &[]).await?;
    }
    Ok(())
}

async fn move_holdings(act: Act<'_>, ids: &[Uuid], instance: Uuid) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let tables = context.tables();
    for mut document in holdings(work.transaction, tables, ids).await? {
        let id = id_at(&document, "id").unwrap_or_default();
        set(&mut document, "instanceId", json!(instance));
        let unguarded = octavo_inventory::app::unguarded;
        let document = Value::Object(document);
        let missing = IfMissing::Refuse;
        store_holdings::replace_with(work.transaction, context, id, document, missing, unguarded)
            .await
            .map_err(of_inventory)?;
    }
    Ok(())
}

/// Holdings of the new instance in place of the old ones, with their items.
async fn exchange_holdings(
    act: Act<'_>,
    ids: &[Uuid],
    change: Change,
) -> Result<Vec<Moved>, Declined> {
    let (work, tables) = (act.work, act.work.context.tables());
    let mut moved = Vec::new();
    let mut made: HashMap<Uuid, Uuid> = HashMap::new();
    for document in holdings(work.transaction, tables, ids).await? {
        let from = id_at(&document, "id").unwrap_or_default();
        let location = id_at(&document, "permanentLocationId").unwrap_or_default();
        let to = match change.holdings {
            Holdings::FindOrCreate => {
                inventory::find_or_make_holdings(act, change.instance, location).await?
            }
            _ => inventory::make_holdings(act, change.instance, location).await?,
        };
        made.insert(from, to);
        moved.push(Moved {
            from,
            to: Some(to),
            location: None,
        });
    }
    for mut item in items_in(work.transaction, tables, ids, Held::Yes).await? {
        let of = id_at(&item, "holdingsRecordId").and_then(|id| made.get(&id));
        let Some(to) = of else { continue };
        let id = id_at(&item, "id").unwrap_or_default();
        set(&mut item, "holdingsRecordId", json!(to));
        items::replace(work, id, item).await?;
    }
    Ok(moved)
}
