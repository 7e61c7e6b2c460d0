//! New lines of an order: completed, numbered and stored with their titles and parts.

use octavo_boxed::boxed;
use octavo_records::store::insert_many;
use octavo_records::{Executor, StoreError};
use serde_json::json;
use uuid::Uuid;

use super::{Act, Work, composite, inventory, keep_line, keep_order};
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
    let lines = prepare(act, order, order_id, lines).await?;
    Ok(store(act.work, act.work.transaction, order, lines).await?)
}

/// Completes and numbers new lines of an order that is locked or new, and stores their parts.
#[boxed]
pub async fn prepare(
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
    let mut prepared = Vec::with_capacity(lines.len());
    for (mut line, place) in lines.into_iter().zip(first..) {
        set(&mut line, "purchaseOrderId", json!(order_id));
        set(&mut line, "poLineNumber", numbers::of_line(order, place));
        completed::new_line(&mut line, act.terms.making());
        price::complete(&mut line);
        composite::keep_parts(work, &mut line, None).await?;
        prepared.push(line);
    }
    inventory::set_search_locations(act, &mut prepared).await?;
    Ok(prepared)
}

/// Stores lines that are prepared with their titles, the last of these by `ending`; returns them as they are
/// stored.
///
/// # Errors
/// When an id is taken.
#[boxed]
pub async fn store(
    work: Work<'_>,
    ending: &dyn Executor,
    order: &Doc,
    mut lines: Vec<Doc>,
) -> Result<Vec<Doc>, StoreError> {
    match lines.len() {
        0 => Ok(lines),
        1 => {
            let line = lines.remove(0);
            let (_, stored) = keep_line::insert_line(work, ending, line, Some(order)).await?;
            Ok(vec![object(serde_json::from_slice(&stored)?)])
        }
        _ => keep_line::insert_lines(work, ending, lines, order).await,
    }
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
