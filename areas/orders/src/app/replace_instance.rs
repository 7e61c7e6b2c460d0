//! Another instance for a line, with its title, and other holdings for its locations and pieces.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_records::store::{Locking, replace_many};
use octavo_records::{Context, StoreError, Violation};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Work, keep_line};
use crate::refusal::{Declined, Refusal};
use crate::rules::doc::{Doc, at, clear, id as id_at, object, objects, set};
use crate::rules::line::{Kind, Line};
use crate::store::lines::Held;
use crate::store::pieces;
use crate::store::titles;

/// What becomes of holdings: others in their place, or only a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    pub from: Uuid,
    pub to: Option<Uuid>,
    pub location: Option<Uuid>,
}

/// The request of the storage's interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoragePatch {
    /// Nothing where the request does not say which instance.
    pub instance: Option<Uuid>,
    /// Nothing where it does not say which holdings.
    pub holdings: Option<Vec<Moved>>,
}

impl StoragePatch {
    /// Reads the request.
    ///
    /// # Errors
    /// When it is not one.
    pub fn read(body: &Doc) -> Result<StoragePatch, StoreError> {
        let operation = crate::rules::doc::text(body, "operation");
        if operation != Some("Replace Instance Ref") {
            return Err(StoreError::Invalid(vec![Violation::missing("operation")]));
        }
        let moved = |holdings: &Doc| {
            Some(Moved {
                from: id_at(holdings, "fromHoldingId")?,
                to: id_at(holdings, "toHoldingId"),
                location: id_at(holdings, "toLocationId"),
            })
        };
        let replaced = at(body, "replaceInstanceRef").and_then(Value::as_object);
        let holdings = replaced.filter(|replaced| at(replaced, "holdings").is_some());
        Ok(StoragePatch {
            instance: replaced.and_then(|replaced| id_at(replaced, "newInstanceId")),
            holdings: holdings
                .map(|replaced| objects(replaced, "holdings").filter_map(moved).collect()),
        })
    }
}

/// Replaces the instance as the storage does.
///
/// # Errors
/// When the request does not say by what, or there is no such line.
#[boxed]
pub async fn in_storage(
    context: &Context<'_>,
    id: Uuid,
    patch: &StoragePatch,
) -> Result<(), Declined> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let mut line = keep_line::hold(work, id)
        .await?
        .ok_or(StoreError::NotFound)?;
    let with_holdings = Kind::BOTH
        .into_iter()
        .any(|kind| Line(&line).makes_holdings(kind));
    let (instance, holdings) = match (patch.instance, &patch.holdings, with_holdings) {
        (Some(instance), Some(holdings), _) => (instance, holdings.clone()),
        (Some(instance), None, false) => (instance, Vec::new()),
        (_, _, true) => {
            let message = "ReplaceInstanceRef or Holdings is not present";
            return Err(Refusal::text(400, message).into());
        }
        (_, _, false) => {
            return Err(Refusal::text(400, "ReplaceInstanceRef is not present").into());
        }
    };
    replace(work, &mut line, instance, &holdings).await?;
    keep_line::write(work, id, line).await?;
    transaction.commit().await?;
    Ok(())
}

/// Replaces the instance in a line that will be written and in its titles, and holdings in the line's
/// locations and its pieces.
#[boxed]
pub async fn replace(
    work: Work<'_>,
    line: &mut Doc,
    instance: Uuid,
    moved: &[Moved],
) -> Result<(), StoreError> {
    let context = work.context;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let (transaction, tables) = (work.transaction, context.tables());
    let line_id = Line(line).id();
    set(line, "instanceId", json!(instance));
    let by_id: HashMap<Uuid, Moved> = moved.iter().map(|one| (one.from, *one)).collect();
    if let Some(Value::Array(locations)) = line.get_mut("locations") {
        for location in locations.iter_mut().filter_map(Value::as_object_mut) {
            follow(location, &by_id);
        }
    }
    let mut changed: Vec<(Uuid, Doc)> = Vec::new();
    for mut title in titles::of_lines(transaction, tables, &[line_id], Held::Yes).await? {
        set(&mut title, "instanceId", json!(instance));
        changed.extend(id_at(&title, "id").map(|id| (id, title)));
    }
    let collection = context.collection("titles");
    let locking = Locking::Declared;
    replace_many(transaction, tenant, collection, &changed, stamp, locking).await?;
    if by_id.is_empty() {
        return Ok(());
    }
    let mut changed: Vec<(Uuid, Doc)> = Vec::new();
    for mut piece in pieces::of_lines(transaction, tables, &[line_id], Held::Yes).await? {
        if follow(&mut piece, &by_id) {
            changed.extend(id_at(&piece, "id").map(|id| (id, piece)));
        }
    }
    let collection = context.collection("pieces");
    replace_many(transaction, tenant, collection, &changed, stamp, locking).await
}

/// Lets a location or piece follow its holdings; returns whether it did.
fn follow(place: &mut Doc, moved: &HashMap<Uuid, Moved>) -> bool {
    let found = id_at(place, "holdingId").and_then(|id| moved.get(&id));
    let Some(found) = found else {
        return false;
    };
    match (found.to, found.location) {
        (Some(to), _) => set(place, "holdingId", json!(to)),
        (None, Some(location)) => {
            clear(place, "holdingId");
            set(place, "locationId", json!(location));
        }
        (None, None) => return false,
    }
    true
}

/// The record of a line after its instance was replaced: it takes over the title of the new one.
pub fn take_over(line: &mut Doc, instance: Value) {
    crate::rules::title::from_instance(line, &object(instance));
}
