//! Records that orders make in the inventory: instances, holdings and items, by inventory's own operations, so
//! that they get numbers, events and search rows as everywhere.

use octavo_boxed::boxed;
use octavo_inventory::app::{store_holdings, store_instance, store_item};
use octavo_records::plan::Sql;
use octavo_records::store::delete;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Act;
use crate::refusal::{Code, Declined, Refusal, Wrong, of_inventory};
use crate::rules::doc::{Doc, at, flag, id as id_at, object};
use crate::rules::wanted::{product_ids, same_product};
use crate::rules::{line::Line, wanted};
use crate::store::inventory::{holdings, holdings_at, known, listed, with_items};
use crate::store::pieces::lie_in;

/// Instances that are compared at most: the one made first counts.
const INSTANCES_MAX: i64 = 100;

fn missing(code: Code, entry: &str) -> Declined {
    Refusal::new(500, Wrong::of(code).with("missingEntry", entry)).into()
}

async fn entry(
    act: Act<'_>,
    (table, property): (&'static str, &'static str),
    value: &str,
    code: Code,
) -> Result<Uuid, Declined> {
    let tables = act.work.context.tables();
    let found = listed(act.work.transaction, tables, table, property, value).await?;
    found.ok_or_else(|| missing(code, value))
}

/// The instance with one of the product ids of a line or title that was made first.
#[boxed]
pub async fn find_instance(act: Act<'_>, record: &Doc) -> Result<Option<Uuid>, Declined> {
    let ids = product_ids(record);
    if ids.is_empty() {
        return Ok(None);
    }
    let context = act.work.context;
    let collection = context.collection("instance");
    let query = same_product(&ids);
    let plan = context
        .store
        .plan(context.tenant, collection, Some(&query))?;
    let schema = context.tenant.schema();
    let sql = Sql::page(schema, "instance", &plan, INSTANCES_MAX, 0);
    let rows = act.work.transaction.query(&sql.text, &sql.bound()).await?;
    let mut found: Vec<Doc> = rows
        .iter()
        .map(|row| object(row.get::<_, Value>("jsonb")))
        .filter(|instance| !flag(instance, "deleted"))
        .collect();
    let made = |instance: &Doc| {
        let at = at(instance, "metadata.createdDate").and_then(Value::as_str);
        (at.map(str::to_owned), id_at(instance, "id"))
    };
    found.sort_by_cached_key(made);
    Ok(found.first().and_then(|instance| id_at(instance, "id")))
}

/// Makes an instance for a line.
///
/// # Errors
/// 500 when the inventory lacks what it needs.
#[boxed]
pub async fn make_instance(act: Act<'_>, line: &Doc) -> Result<Uuid, Declined> {
    let (code, status) = (
        act.terms.instance_type_code(),
        act.terms.instance_status_code(),
    );
    let type_id = entry(
        act,
        ("instance_type", "code"),
        code,
        Code::MissingInstanceType,
    )
    .await?;
    let status_id = entry(
        act,
        ("instance_status", "code"),
        status,
        Code::MissingInstanceStatus,
    )
    .await?;
    let context = act.work.context;
    let types: Vec<Uuid> = crate::rules::doc::objects(line, "contributors")
        .filter_map(|one| id_at(one, "contributorNameTypeId"))
        .collect();
    let names = known(
        act.work.transaction,
        context.tables(),
        "contributor_name_type",
        &types,
    )
    .await?;
    if let Some(id) = types
        .iter()
        .find(|id| !names.iter().any(|(known, _)| known == *id))
    {
        return Err(missing(Code::MissingContributorNameType, &id.to_string()));
    }
    let instance = wanted::instance(line, type_id, status_id);
    let made = store_instance::create_with(act.work.transaction, context, instance).await;
    made.map(|(id, _)| id).map_err(of_inventory)
}

/// The instance of a line or title: its own, one with the same product ids, or a new one.
#[boxed]
pub async fn instance(act: Act<'_>, line: &Doc, may_match: bool) -> Result<Uuid, Declined> {
    if let Some(id) = id_at(line, "instanceId") {
        return Ok(id);
    }
    if may_match && let Some(id) = find_instance(act, line).await? {
        return Ok(id);
    }
    make_instance(act, line).await
}

/// New holdings of an instance at a location.
///
/// # Errors
/// 500 without the source of holdings.
#[boxed]
pub async fn make_holdings(
    act: Act<'_>,
    instance_id: Uuid,
    location_id: Uuid,
) -> Result<Uuid, Declined> {
    let source = act.terms.holdings_source_name();
    let source_id = entry(
        act,
        ("holdings_records_source", "name"),
        source,
        Code::MissingHoldingsSourceId,
    )
    .await?;
    let document = json!({"instanceId": instance_id, "permanentLocationId": location_id,
                          "sourceId": source_id});
    let work = act.work;
    let made = store_holdings::create_with(work.transaction, work.context, document).await;
    made.map(|(id, _)| id).map_err(of_inventory)
}

/// The holdings of an instance at a location, or new ones.
#[boxed]
pub async fn find_or_make_holdings(
    act: Act<'_>,
    instance_id: Uuid,
    location_id: Uuid,
) -> Result<Uuid, Declined> {
    let tables = act.work.context.tables();
    let found = holdings_at(act.work.transaction, tables, instance_id, location_id).await?;
    match found {
        Some(id) => Ok(id),
        None => make_holdings(act, instance_id, location_id).await,
    }
}

/// The loan type of new items.
///
/// # Errors
/// 500 without it.
#[boxed]
pub async fn loan_type(act: Act<'_>) -> Result<Uuid, Declined> {
    let name = act.terms.loan_type_name();
    entry(act, ("loan_type", "name"), name, Code::MissingLoanType).await
}

/// Makes an item.
///
/// # Errors
/// When its barcode is taken.
#[boxed]
pub async fn make_item(act: Act<'_>, item: Value) -> Result<Uuid, Declined> {
    let work = act.work;
    let made = store_item::create_with(work.transaction, work.context, item).await;
    made.map(|(id, _)| id)
        .map_err(|refusal| match refusal.is_taken("barcode") {
            true => Refusal::new(409, Code::BarcodeIsNotUnique).into(),
            false => of_inventory(refusal),
        })
}

/// Deletes holdings that have neither items nor pieces, apart from pieces that go anyway; returns those that
/// are gone, with their locations.
#[boxed]
pub async fn delete_empty_holdings(
    act: Act<'_>,
    ids: &[Uuid],
    going_pieces: &[Uuid],
) -> Result<Vec<(Uuid, Option<Uuid>)>, Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let full = with_items(transaction, tables, ids).await?;
    let mut gone = Vec::new();
    for document in holdings(transaction, tables, ids).await? {
        let Some(id) = id_at(&document, "id").filter(|id| !full.contains(id)) else {
            continue;
        };
        if lie_in(transaction, tables, id, going_pieces).await? {
            continue;
        }
        let collection = context.collection("holdings_record");
        delete(transaction, context.tenant, collection, id).await?;
        gone.push((id, id_at(&document, "permanentLocationId")));
    }
    Ok(gone)
}

/// The locations by which a line is searched: its own, and those of its holdings.
#[boxed]
pub async fn search_locations(act: Act<'_>, line: &Doc) -> Result<Vec<Uuid>, Declined> {
    let mut found: Vec<Uuid> = Line(line)
        .locations()
        .filter_map(|location| id_at(location, "locationId"))
        .collect();
    let of_holdings: Vec<Uuid> = Line(line)
        .locations()
        .filter_map(|location| id_at(location, "holdingId"))
        .collect();
    if !of_holdings.is_empty() {
        let tables = act.work.context.tables();
        let documents = holdings(act.work.transaction, tables, &of_holdings).await?;
        let permanent = documents.iter();
        found.extend(permanent.filter_map(|one| id_at(one, "permanentLocationId")));
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|id| seen.insert(*id));
    Ok(found)
}
