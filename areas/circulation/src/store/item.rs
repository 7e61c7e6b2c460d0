//! The item at the desk.

use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Tables, read};
use crate::facts::{Item, ItemStatus, Place};

/// An item with its document, held against changes by others until the transaction ends.
#[derive(Debug, Clone)]
pub struct HeldItem {
    /// The facts.
    pub item: Item,
    /// The stored document.
    pub document: Map<String, Value>,
}

/// How the item at the desk is found.
#[derive(Debug, Clone, Copy)]
pub enum ItemKey<'a> {
    /// By its barcode.
    Barcode(&'a str),
    /// By its id.
    Id(Uuid),
    /// As the item of a loan.
    OfLoan(Uuid),
}

/// Finds an item and holds it: a second desk waits here until the first is done.
///
/// # Errors
/// When the database does not answer.
pub async fn hold(
    executor: &impl Executor,
    tables: Tables<'_>,
    key: ItemKey<'_>,
) -> Result<Option<HeldItem>, StoreError> {
    let rows = match key {
        ItemKey::Barcode(barcode) => {
            let found = tables.equals("item", "barcode", "$1::text");
            executor
                .rows(&hold_sql(tables, &found), &[&barcode])
                .await?
        }
        ItemKey::Id(id) => executor.rows(&hold_sql(tables, "id = $1"), &[&id]).await?,
        ItemKey::OfLoan(loan) => {
            let loans = tables.table("loan");
            let found =
                format!("id = (SELECT (jsonb->>'itemId')::uuid FROM {loans} WHERE id = $1)");
            executor.rows(&hold_sql(tables, &found), &[&loan]).await?
        }
    };
    rows.first().map(held).transpose().map(Option::flatten)
}

fn hold_sql(tables: Tables<'_>, found: &str) -> String {
    format!(
        "WITH held AS MATERIALIZED (SELECT id, jsonb FROM {} WHERE {found} FOR NO KEY UPDATE)
         SELECT held.id, held.jsonb, holdings.id, holdings.instanceid, instance.jsonb->>'title',
           place.jsonb, kind.jsonb->>'name'
         FROM held
         JOIN {} AS holdings ON holdings.id = (held.jsonb->>'holdingsRecordId')::uuid
         JOIN {} AS instance ON instance.id = holdings.instanceid
         LEFT JOIN {} AS place ON place.id = (held.jsonb->>'effectiveLocationId')::uuid
         LEFT JOIN {} AS kind ON kind.id = (held.jsonb->>'materialTypeId')::uuid",
        tables.table("item"),
        tables.table("holdings_record"),
        tables.table("instance"),
        tables.table("location"),
        tables.table("material_type"),
    )
}

fn held(row: &Row) -> Result<Option<HeldItem>, StoreError> {
    let Value::Object(document) = row.get(1) else {
        return Ok(None);
    };
    let text = |name: &str| {
        document
            .get(name)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let id = |name: &str| text(name).and_then(|value| Uuid::try_parse(&value).ok());
    let status: ItemStatus = read(
        "item status",
        document.get("status").cloned().unwrap_or_default(),
    )?;
    let place: Option<Place> = row
        .get::<_, Option<Value>>(5)
        .map(|place| read("location", place))
        .transpose()?;
    let item = Item {
        id: row.get(0),
        barcode: text("barcode"),
        status,
        material_type_id: id("materialTypeId"),
        material_type_name: row.get(6),
        loan_type_id: id("temporaryLoanTypeId").or_else(|| id("permanentLoanTypeId")),
        effective_location_id: id("effectiveLocationId"),
        place,
        holdings_record_id: row.get(2),
        instance_id: row.get(3),
        title: row.get(4),
    };
    Ok(Some(HeldItem { item, document }))
}
