//! Records that orders make in the inventory: instances, holdings and items, by inventory's own operations, so
//! that they get numbers, events and search rows as everywhere.

use std::collections::{HashMap, HashSet};

use futures_util::{TryFutureExt, try_join};
use octavo_boxed::boxed;
use octavo_inventory::app::store_batch::{self, add_instances};
use octavo_inventory::app::store_item;
use octavo_records::plan::Sql;
use octavo_records::store::delete;
use octavo_records::{StoreError, new_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Act;
use crate::refusal::{Code, Declined, Refusal, Wrong, of_inventory};
use crate::rules::doc::{Doc, at, flag, id as id_at, object, objects, set};
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

/// Makes an instance for each line, in their order.
///
/// # Errors
/// 500 when the inventory lacks what it needs.
#[boxed]
pub async fn make_instances(act: Act<'_>, lines: &[&Doc]) -> Result<Vec<Uuid>, Declined> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let (code, status) = (
        act.terms.instance_type_code(),
        act.terms.instance_status_code(),
    );
    let types: Vec<Uuid> = lines
        .iter()
        .flat_map(|line| objects(line, "contributors"))
        .filter_map(|one| id_at(one, "contributorNameTypeId"))
        .collect();
    let (transaction, context) = (act.work.transaction, act.work.context);
    let tables = context.tables();
    let (type_id, status_id, names) = try_join!(
        entry(
            act,
            ("instance_type", "code"),
            code,
            Code::MissingInstanceType
        ),
        entry(
            act,
            ("instance_status", "code"),
            status,
            Code::MissingInstanceStatus
        ),
        known(transaction, tables, "contributor_name_type", &types).map_err(Declined::from),
    )?;
    if let Some(id) = types
        .iter()
        .find(|id| !names.iter().any(|(known, _)| known == *id))
    {
        return Err(missing(Code::MissingContributorNameType, &id.to_string()));
    }
    let instances = lines
        .iter()
        .map(|line| wanted::instance(line, type_id, status_id));
    let made = add_instances(transaction, context, instances.collect()).await;
    made.map_err(of_inventory)
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
    let made = make_instances(act, &[line]).await?;
    let made = made.into_iter().next();
    made.ok_or_else(|| StoreError::fault("no instance was made").into())
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
    let id = new_id();
    add_holdings(act, &[(id, (instance_id, location_id))]).await?;
    Ok(id)
}

/// Adds holdings with these ids, each of an instance at a location.
///
/// # Errors
/// 500 without the source of holdings.
#[boxed]
pub async fn add_holdings(act: Act<'_>, new: &[(Uuid, (Uuid, Uuid))]) -> Result<(), Declined> {
    if new.is_empty() {
        return Ok(());
    }
    let source = act.terms.holdings_source_name();
    let source_id = entry(
        act,
        ("holdings_records_source", "name"),
        source,
        Code::MissingHoldingsSourceId,
    )
    .await?;
    let documents = new.iter().map(|(id, (instance, location))| {
        json!({"id": id, "instanceId": instance, "permanentLocationId": location,
               "sourceId": source_id})
    });
    let work = act.work;
    let made = store_batch::add_holdings(work.transaction, work.context, documents.collect()).await;
    made.map(|_| ()).map_err(of_inventory)
}

/// The holdings of instances at locations, by these: of several the ones that were made first.
#[boxed]
pub async fn find_holdings(
    act: Act<'_>,
    wanted: &[(Uuid, Uuid)],
) -> Result<HashMap<(Uuid, Uuid), Uuid>, Declined> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let tables = act.work.context.tables();
    Ok(holdings_at(act.work.transaction, tables, wanted).await?)
}

/// The holdings of an instance at a location, or new ones.
#[boxed]
pub async fn find_or_make_holdings(
    act: Act<'_>,
    instance_id: Uuid,
    location_id: Uuid,
) -> Result<Uuid, Declined> {
    let wanted = (instance_id, location_id);
    let found = find_holdings(act, &[wanted]).await?;
    match found.get(&wanted) {
        Some(id) => Ok(*id),
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

/// Adds items, in the order in which they get their numbers.
///
/// # Errors
/// When the inventory refuses one.
#[boxed]
pub async fn add_items(act: Act<'_>, items: Vec<Value>) -> Result<(), Declined> {
    let work = act.work;
    let made = store_batch::add_items(work.transaction, work.context, items).await;
    made.map(|_| ()).map_err(of_inventory)
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

/// The permanent locations of the holdings that lines name.
async fn permanent_locations(act: Act<'_>, lines: &[Doc]) -> Result<HashMap<Uuid, Uuid>, Declined> {
    let ids: Vec<Uuid> = lines.iter().flat_map(holdings_of).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = holdings(act.work.transaction, act.work.context.tables(), &ids).await?;
    let placed = found.iter().filter_map(|one| {
        let place = id_at(one, "permanentLocationId")?;
        Some((id_at(one, "id")?, place))
    });
    Ok(placed.collect())
}

/// The holdings that the locations of a line name, in the order of their ids.
fn holdings_of(line: &Doc) -> Vec<Uuid> {
    let named = Line(line).locations();
    let mut ids: Vec<Uuid> = named
        .filter_map(|location| id_at(location, "holdingId"))
        .collect();
    ids.sort_unstable();
    ids
}

fn searched(line: &Doc, permanent: &HashMap<Uuid, Uuid>) -> Vec<Uuid> {
    let own = Line(line).locations();
    let mut found: Vec<Uuid> = own
        .filter_map(|location| id_at(location, "locationId"))
        .collect();
    let of_holdings = holdings_of(line);
    found.extend(of_holdings.iter().filter_map(|id| permanent.get(id)));
    let mut seen = HashSet::new();
    found.retain(|id| seen.insert(*id));
    found
}

/// The locations by which a line is searched: its own, and those of its holdings.
#[boxed]
pub async fn search_locations(act: Act<'_>, line: &Doc) -> Result<Vec<Uuid>, Declined> {
    let permanent = permanent_locations(act, std::slice::from_ref(line)).await?;
    Ok(searched(line, &permanent))
}

/// Gives lines the locations by which they are searched.
#[boxed]
pub async fn set_search_locations(act: Act<'_>, lines: &mut [Doc]) -> Result<(), Declined> {
    let permanent = permanent_locations(act, lines).await?;
    for line in lines {
        let found = searched(line, &permanent);
        set(line, "searchLocationIds", json!(found));
    }
    Ok(())
}
