//! The item at the desk.

use octavo_library::{
    DatedStatus, HoldingsId, InstanceId, ItemId, ItemJoins, LoanId, LoanTypeId, Place, RequestId,
    id_in,
};
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::{Tables, read};
use crate::circulation_config::CirculationConfig;
use crate::facts::Item;

/// An item with its document, locked against changes by others until the transaction ends.
#[derive(Debug, Clone)]
pub struct HeldItem {
    /// The facts.
    pub item: Item,
    /// The stored document.
    pub document: Map<String, Value>,
}

/// A locked item at the desk, with its title's properties for slips and loans; location names come from
/// the cached configuration.
#[derive(Debug, Clone)]
pub struct ItemAtDesk {
    /// The stored document.
    pub document: Map<String, Value>,
    /// The item's id.
    pub id: ItemId,
    pub holdings_record_id: HoldingsId,
    pub holdings_copy_number: Option<String>,
    pub instance_id: InstanceId,
    /// The instance's title, HRID, contributors and edition properties for slips.
    pub instance: Value,
}

/// The instance's properties in loans and slips.
pub(super) const TITLE: &str = "jsonb_build_object('title', instance.jsonb->'title',
             'hrid', instance.jsonb->'hrid', 'contributors', instance.jsonb->'contributors',
             'publication', instance.jsonb->'publication',
             'editions', instance.jsonb->'editions', 'series', instance.jsonb->'series',
             'physicalDescriptions', instance.jsonb->'physicalDescriptions')";

impl ItemAtDesk {
    /// Reads it from a row of `desk_facts`; nothing where there is none of the barcode.
    pub(super) fn read(row: &Row) -> Option<ItemAtDesk> {
        let Some(Value::Object(document)) = row.get("item") else {
            return None;
        };
        Some(ItemAtDesk {
            id: row.get::<_, Option<ItemId>>("item_id")?,
            document,
            holdings_record_id: row.get::<_, Option<HoldingsId>>("holdings_id")?,
            holdings_copy_number: row.get("copy_number"),
            instance_id: row.get::<_, Option<InstanceId>>("instance_id")?,
            instance: row.get::<_, Option<Value>>("title")?,
        })
    }

    /// The facts, with the cached configuration.
    ///
    /// # Errors
    /// When the item's status cannot be read.
    pub fn facts(&self, config: &CirculationConfig) -> Result<Item, StoreError> {
        let document = &self.document;
        let location = id_in(document, "effectiveLocationId");
        let material = id_in(document, "materialTypeId");
        let place = location.and_then(|id| config.locations.get(&id));
        Ok(Item {
            id: self.id,
            barcode: text_of(document, "barcode"),
            status: status_of(document)?,
            material_type_id: material,
            material_type_name: config.name(material).map(str::to_owned),
            loan_type_id: loan_type_of(document),
            effective_location_id: location,
            place: place.map(|location| location.place.clone()),
            holdings_record_id: self.holdings_record_id,
            instance_id: self.instance_id,
            title: self.instance["title"].as_str().map(str::to_owned),
        })
    }
}

fn text_of(document: &Map<String, Value>, name: &str) -> Option<String> {
    document
        .get(name)
        .and_then(Value::as_str)
        .map(str::to_owned)
}

fn loan_type_of(document: &Map<String, Value>) -> Option<LoanTypeId> {
    id_in(document, "temporaryLoanTypeId").or_else(|| id_in(document, "permanentLoanTypeId"))
}

fn status_of(document: &Map<String, Value>) -> Result<DatedStatus, StoreError> {
    read(
        "item status",
        document.get("status").cloned().unwrap_or_default(),
    )
}

/// How an item is looked up.
#[derive(Debug, Clone, Copy)]
pub enum ItemKey<'a> {
    Barcode(&'a str),
    Id(ItemId),
    /// As the item of a loan.
    OfLoan(LoanId),
}

/// Finds the item of a request and locks it. Lock its title first.
pub async fn hold_requested(
    executor: &dyn Executor,
    tables: Tables<'_>,
    request: RequestId,
) -> Result<Option<HeldItem>, StoreError> {
    let requests = tables.table("request");
    let found = format!("id = (SELECT (jsonb->>'itemId')::uuid FROM {requests} WHERE id = $1)");
    let rows = executor
        .rows(&hold_sql(tables, &found), &[&request])
        .await?;
    rows.first().map(held).transpose().map(Option::flatten)
}

/// Finds an item and locks it: a second desk waits here until the first has committed.
pub async fn hold(
    executor: &dyn Executor,
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
         SELECT held.id, held.jsonb, holdings.id AS holdings_id, holdings.instanceid,
           instance.jsonb->>'title' AS title, place.jsonb AS place,
           material.jsonb->>'name' AS material_type_name
         FROM held {}",
        tables.table("item"),
        ItemJoins::inner(tables, "held").title().place().material(),
    )
}

fn held(row: &Row) -> Result<Option<HeldItem>, StoreError> {
    let Value::Object(document) = row.get("jsonb") else {
        return Ok(None);
    };
    let place: Option<Place> = row
        .get::<_, Option<Value>>("place")
        .map(|place| read("location", place))
        .transpose()?;
    let item = Item {
        id: row.get("id"),
        barcode: text_of(&document, "barcode"),
        status: status_of(&document)?,
        material_type_id: id_in(&document, "materialTypeId"),
        material_type_name: row.get("material_type_name"),
        loan_type_id: loan_type_of(&document),
        effective_location_id: id_in(&document, "effectiveLocationId"),
        place,
        holdings_record_id: row.get("holdings_id"),
        instance_id: row.get("instanceid"),
        title: row.get("title"),
    };
    Ok(Some(HeldItem { item, document }))
}
