//! New lines of an order: completed, numbered and stored with their titles and parts.

use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_records::store::insert_many;
use serde_json::json;
use uuid::Uuid;

use super::{Act, composite, inventory, keep_line, keep_order};
use crate::refusal::Declined;
use crate::rules::doc::{Doc, object, set};
use crate::rules::{completed, numbers, price};
use crate::store::inventory::known_tags;

/// Stores new lines of an order, which takes their numbers and has to be written by the caller; returns the
/// lines as they are stored.
///
/// # Errors
/// When an id is taken.
#[boxed]
pub async fn add(
    act: Act<'_>,
    order: &mut Doc,
    order_id: Uuid,
    lines: Vec<Doc>,
) -> Result<Vec<Doc>, Declined> {
    let wanted = i64::try_from(lines.len()).unwrap_or(i64::MAX);
    if wanted == 0 {
        return Ok(lines);
    }
    let work = act.work;
    let first = keep_order::next_line_numbers(work, order, order_id, wanted).await?;
    let mut stored = Vec::with_capacity(lines.len());
    for (mut line, place) in lines.into_iter().zip(first..) {
        set(&mut line, "purchaseOrderId", json!(order_id));
        set(&mut line, "poLineNumber", numbers::of_line(order, place));
        completed::new_line(&mut line, act.terms.making());
        price::complete(&mut line);
        composite::keep_parts(work, &mut line, None).await?;
        let searched = inventory::search_locations(act, &line).await?;
        set(&mut line, "searchLocationIds", json!(searched));
        let (_, written) = keep_line::insert_line(work, line, Some(order)).await?;
        stored.push(object(
            serde_json::from_slice(&written).map_err(StoreError::from)?,
        ));
    }
    Ok(stored)
}

/// Makes the tags of records that do not exist yet.
#[boxed]
pub async fn make_tags(act: Act<'_>, records: &[&Doc]) -> Result<(), Declined> {
    let mut labels: Vec<String> = Vec::new();
    for label in records
        .iter()
        .flat_map(|record| completed::normal_tags(record))
    {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    if labels.is_empty() {
        return Ok(());
    }
    let context = act.work.context;
    let known = known_tags(act.work.transaction, context.tables(), &labels).await?;
    let new: Vec<Doc> = labels
        .into_iter()
        .filter(|label| !known.contains(label))
        .map(|label| object(json!({"label": label})))
        .collect();
    let collection = context.collection("tag");
    insert_many(
        act.work.transaction,
        context.tenant,
        collection,
        new,
        &context.stamp,
    )
    .await?;
    Ok(())
}
