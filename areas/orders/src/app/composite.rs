//! Orders with their lines, as clients send and see them: alerts and reporting codes are objects there, and
//! records of their own in the storage.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_records::store::{delete, insert_if_absent, replace};
use octavo_records::{Context, Executor, StoreError, new_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Work;
use crate::rules::doc::{Doc, id as id_at, ids, object, objects, set};
use crate::rules::line::{Kind, Line};
use crate::store::lines::listed;

/// The parts of a line that are records: the property, and their table.
const PARTS: [(&str, &str); 2] = [("alerts", "alert"), ("reportingCodes", "reporting_code")];
/// The lines of an order.
pub const LINES: &str = "compositePoLines";
/// What is computed of an order and never stored.
const COMPUTED: [&str; 6] = [
    "totalEstimatedPrice",
    "totalItems",
    "totalEncumbered",
    "totalExpended",
    "totalCredited",
    "needReEncumber",
];

/// An order as a client sends it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub order: Doc,
    /// Its lines, with their parts as objects. None is as an empty list.
    pub lines: Vec<Doc>,
}

impl Sent {
    /// Parts an order and its lines.
    #[must_use]
    pub fn read(mut body: Doc) -> Sent {
        let lines = match body.shift_remove(LINES) {
            Some(Value::Array(lines)) => lines.into_iter().map(object).collect(),
            _ => Vec::new(),
        };
        for name in COMPUTED {
            body.shift_remove(name);
        }
        Sent { order: body, lines }
    }
}

/// Stores the parts of a line, and leaves their ids in the line; those of the line before that it does not
/// have any more are deleted.
#[boxed]
pub async fn keep_parts(
    work: Work<'_>,
    line: &mut Doc,
    before: Option<&Doc>,
) -> Result<(), StoreError> {
    let context = work.context;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    for (property, table) in PARTS {
        let collection = context.collection(table);
        let mut kept = Vec::new();
        for part in objects(line, property) {
            let mut part = part.clone();
            let id = id_at(&part, "id").unwrap_or_else(new_id);
            set(&mut part, "id", json!(id));
            let copy = part.clone();
            if !insert_if_absent(work.transaction, tenant, collection, copy, stamp).await? {
                replace(work.transaction, tenant, collection, id, &part, stamp).await?;
            }
            kept.push(id);
        }
        let old = before
            .map(|before| ids(before, property))
            .unwrap_or_default();
        for id in old.into_iter().filter(|id| !kept.contains(id)) {
            drop_part(work, table, id).await?;
        }
        set(line, property, json!(kept));
    }
    Ok(())
}

/// Deletes the parts of a line that goes.
#[boxed]
pub async fn drop_parts(work: Work<'_>, line: &Doc) -> Result<(), StoreError> {
    for (property, table) in PARTS {
        for id in ids(line, property) {
            drop_part(work, table, id).await?;
        }
    }
    Ok(())
}

async fn drop_part(work: Work<'_>, table: &'static str, id: Uuid) -> Result<(), StoreError> {
    let context = work.context;
    let collection = context.collection(table);
    match delete(work.transaction, context.tenant, collection, id).await {
        Err(StoreError::NotFound) => Ok(()),
        other => other,
    }
}

/// Lines as clients see them.
#[boxed]
pub async fn shown(
    executor: &dyn Executor,
    context: &Context<'_>,
    mut lines: Vec<Doc>,
) -> Result<Vec<Doc>, StoreError> {
    for (property, table) in PARTS {
        let wanted: Vec<Uuid> = lines.iter().flat_map(|line| ids(line, property)).collect();
        let parts = listed(executor, context.tables(), table, &wanted).await?;
        let by_id: HashMap<Uuid, Doc> = parts
            .into_iter()
            .filter_map(|part| Some((id_at(&part, "id")?, part)))
            .collect();
        for line in &mut lines {
            let parts: Vec<&Doc> = ids(line, property)
                .iter()
                .filter_map(|id| by_id.get(id))
                .collect();
            let parts = json!(parts);
            set(line, property, parts);
        }
    }
    Ok(lines)
}

/// The number of copies that lines order.
#[must_use]
pub fn total_items(lines: &[Doc]) -> i64 {
    let copies = |line: &Doc| {
        Kind::BOTH
            .into_iter()
            .map(|kind| Line(line).copies(kind))
            .sum::<i64>()
    };
    lines.iter().map(copies).sum()
}
