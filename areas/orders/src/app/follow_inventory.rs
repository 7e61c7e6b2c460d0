//! Pieces and lines follow items and holdings that move, in the transaction of the move.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_inventory::app::store_holdings::{self, IfMissing};
use octavo_inventory::followers::{Follower, Followers, Following, Movable, Moved};
use octavo_postgres::Transaction;
use octavo_records::store::{Locking, fetch, replace_many};
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Work, keep_line};
use crate::rules::doc::{Doc, id as id_at, object, set};
use crate::rules::line::Line;
use crate::rules::{elsewhere, title};
use crate::store::inventory::holdings as holdings_by_id;
use crate::store::lines::{Held, by_ids};
use crate::store::pieces;
use crate::store::usage::{hold_lines_of_items, lines_on_holdings};

/// Lets orders follow inventory.
#[derive(Debug, Clone, Copy)]
pub struct InventoryFollower;

impl InventoryFollower {
    /// The follower, as inventory takes it.
    #[must_use]
    pub fn shared() -> Followers {
        Followers(Arc::new(InventoryFollower))
    }
}

impl Follower for InventoryFollower {
    fn hold<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        ids: Movable<'a>,
    ) -> Following<'a> {
        Box::pin(async move {
            let tables = context.tables();
            match ids {
                Movable::Items(ids) => hold_lines_of_items(transaction, tables, ids).await,
                Movable::Holdings(ids) => {
                    lines_on_holdings(transaction, tables, ids).await?;
                    Ok(())
                }
            }
        })
    }

    fn items<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        items: &'a [Value],
    ) -> Following<'a> {
        Box::pin(follow_items(context, transaction, items))
    }

    fn holdings<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        moved: &'a [Moved<'a>],
    ) -> Following<'a> {
        Box::pin(follow_holdings(context, transaction, moved))
    }
}

/// Pieces follow their items; the locations of synchronized lines are those of their pieces.
#[boxed]
async fn follow_items(
    context: Context<'_>,
    transaction: &Transaction,
    items: &[Value],
) -> Result<(), StoreError> {
    let (tables, tenant, stamp) = (context.tables(), context.tenant, &context.stamp);
    let by_id: HashMap<Uuid, &Doc> = items
        .iter()
        .filter_map(Value::as_object)
        .filter_map(|item| Some((id_at(item, "id")?, item)))
        .collect();
    let ids: Vec<Uuid> = by_id.keys().copied().collect();
    hold_lines_of_items(transaction, tables, &ids).await?;
    let mut changed: Vec<(Uuid, Doc)> = Vec::new();
    // The places at which each line has copies now.
    let mut places: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    for mut piece in pieces::of_items(transaction, tables, &ids).await? {
        let item = id_at(&piece, "itemId").and_then(|id| by_id.get(&id));
        let Some(holdings) = item.and_then(|item| id_at(item, "holdingsRecordId")) else {
            continue;
        };
        let (id, line) = (id_at(&piece, "id"), id_at(&piece, "poLineId"));
        if elsewhere::follow_item(&mut piece, holdings) {
            let place = item.and_then(|item| id_at(item, "effectiveLocationId"));
            places
                .entry(line.unwrap_or_default())
                .or_default()
                .extend(place);
            changed.extend(id.map(|id| (id, piece)));
        }
    }
    let (collection, locking) = (context.collection("pieces"), Locking::Declared);
    replace_many(transaction, tenant, collection, &changed, stamp, locking).await?;
    let line_ids: Vec<Uuid> = places.keys().copied().collect();
    let lines = by_ids(transaction, tables, &line_ids, Held::Yes).await?;
    let all = pieces::of_lines(transaction, tables, &line_ids, Held::No).await?;
    let mut changed: Vec<(Uuid, Doc)> = Vec::new();
    for mut line in lines
        .into_iter()
        .filter(|line| !Line(line).is_independent())
    {
        let id = Line(&line).id();
        let own = all
            .iter()
            .filter(|piece| id_at(piece, "poLineId") == Some(id));
        let own: Vec<Doc> = own.cloned().collect();
        let mut differs = elsewhere::follow_pieces(&mut line, &own);
        for place in places.remove(&id).unwrap_or_default() {
            differs |= elsewhere::search_at(&mut line, Some(place));
        }
        if differs {
            changed.push((id, line));
        }
    }
    let collection = context.collection(keep_line::TABLE);
    replace_many(transaction, tenant, collection, &changed, stamp, locking).await
}

/// Lines follow their holdings to another instance, and take the other holdings of the line along; they are
/// searched at the new locations, too.
#[boxed]
async fn follow_holdings(
    context: Context<'_>,
    transaction: &Transaction,
    moved: &[Moved<'_>],
) -> Result<(), StoreError> {
    let id_in = |document: &Value, name| document.as_object().and_then(|one| id_at(one, name));
    // Most holdings are on no line: one statement finds those that are.
    let ids: Vec<Uuid> = moved.iter().map(|one| one.id).collect();
    let lines = lines_on_holdings(transaction, context.tables(), &ids).await?;
    let on_lines: HashSet<Uuid> = lines
        .iter()
        .flat_map(|line| Line(line).locations())
        .filter_map(|location| id_at(location, "holdingId"))
        .collect();
    let mut waiting: Vec<Change> = moved
        .iter()
        .filter(|one| on_lines.contains(&one.id))
        .map(|one| Change {
            holdings: one.id,
            instance: id_in(one.new, "instanceId")
                .filter(|id| id_in(one.old, "instanceId") != Some(*id)),
            location: id_in(one.new, "permanentLocationId")
                .filter(|id| id_in(one.old, "permanentLocationId") != Some(*id)),
        })
        .collect();
    let mut seen: HashSet<Uuid> = waiting.iter().map(|one| one.holdings).collect();
    while let Some(change) = waiting.pop() {
        for holdings in follow(context, transaction, change).await? {
            if seen.insert(holdings) {
                let instance = change.instance.unwrap_or_default();
                if move_along(context, transaction, holdings, instance).await? {
                    waiting.push(Change {
                        holdings,
                        location: None,
                        ..change
                    });
                }
            }
        }
    }
    Ok(())
}

/// What is new about holdings.
#[derive(Debug, Clone, Copy)]
struct Change {
    holdings: Uuid,
    instance: Option<Uuid>,
    location: Option<Uuid>,
}

/// Changes the lines on holdings; returns the other holdings of those that have another instance now.
async fn follow(
    context: Context<'_>,
    transaction: &Transaction,
    change: Change,
) -> Result<Vec<Uuid>, StoreError> {
    let lines = lines_on_holdings(transaction, context.tables(), &[change.holdings]).await?;
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let instance = match change.instance {
        Some(id) => {
            let instances = context.collection("instance");
            let found = fetch(transaction, context.tenant, instances, id).await?;
            found.map(|found| (id, object(found)))
        }
        None => None,
    };
    let work = Work {
        transaction,
        context: &context,
    };
    let mut others = Vec::new();
    for mut line in lines {
        let id = Line(&line).id();
        let searched = elsewhere::search_at(&mut line, change.location);
        // A package has instances by its titles, and may have none itself.
        let instance = instance.as_ref().filter(|(instance, _)| {
            !Line(&line).is_package() && id_at(&line, "instanceId") != Some(*instance)
        });
        if let Some((instance, described)) = instance {
            set(&mut line, "instanceId", json!(instance));
            title::from_instance(&mut line, described);
            let own = Line(&line).locations();
            others.extend(own.filter_map(|location| id_at(location, "holdingId")));
        }
        if searched || instance.is_some() {
            keep_line::write(work, id, line).await?;
        }
    }
    others.retain(|id| *id != change.holdings);
    others.sort_unstable();
    others.dedup();
    Ok(others)
}

/// Moves holdings to an instance; returns whether they were elsewhere.
async fn move_along(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    instance: Uuid,
) -> Result<bool, StoreError> {
    let found = holdings_by_id(transaction, context.tables(), &[id]).await?;
    let Some(mut holdings) = found.into_iter().next() else {
        return Ok(false);
    };
    if id_at(&holdings, "instanceId") == Some(instance) {
        return Ok(false);
    }
    set(&mut holdings, "instanceId", json!(instance));
    let unguarded = octavo_inventory::app::unguarded;
    let (holdings, missing) = (Value::Object(holdings), IfMissing::Refuse);
    let moved =
        store_holdings::replace_alone(transaction, &context, id, holdings, missing, unguarded)
            .await;
    match moved {
        Ok(moved) => Ok(moved.is_some()),
        Err(octavo_inventory::app::Refusal::Store(error)) => Err(error),
        Err(other) => Err(StoreError::fault(other)),
    }
}
