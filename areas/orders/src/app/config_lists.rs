//! The small lists of orders: what is used is not deleted, and a line has no more routing lists than printed
//! copies.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::store::{delete, fetch_locked, insert, replace};
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Act, keep_line};
use crate::refusal::{Code, Declined, Found, Refusal, is_taken};
use crate::rules::doc::{Doc, id as id_at, ids, object, set, text};
use crate::rules::line::{Format, Kind, Line, copies_at};
use crate::store::config::own_setting;
use crate::store::people::with_address;
use crate::store::usage::{lines_have_method, orders_have, routing_lists_of};

/// Prefixes or suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Affix {
    table: &'static str,
    /// The property of orders that has its name.
    property: &'static str,
    used: Code,
}

/// The texts before numbers of orders.
pub const PREFIXES: Affix = Affix {
    table: "prefixes",
    property: "poNumberPrefix",
    used: Code::PrefixIsUsed,
};
/// The texts after them.
pub const SUFFIXES: Affix = Affix {
    table: "suffixes",
    property: "poNumberSuffix",
    used: Code::SuffixIsUsed,
};

/// Deletes a prefix or suffix that no order has.
///
/// # Errors
/// 400 when one has it.
#[boxed]
pub async fn delete_affix(act: Act<'_>, affix: Affix, id: Uuid) -> Result<(), Declined> {
    let (transaction, context) = (act.work.transaction, act.work.context);
    let collection = context.collection(affix.table);
    let found = fetch_locked(transaction, context.tenant, collection, id).await?;
    let found = object(found.found()?);
    let name = text(&found, "name").unwrap_or_default();
    if orders_have(transaction, context.tables(), affix.property, name).await? {
        return Err(Refusal::bad(affix.used).into());
    }
    delete(transaction, context.tenant, collection, id).await?;
    Ok(())
}

/// Deletes an acquisition method of a user's that no line has.
///
/// # Errors
/// 400 otherwise.
#[boxed]
pub async fn delete_method(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let (transaction, context) = (act.work.transaction, act.work.context);
    let collection = context.collection("acquisition_method");
    let found = fetch_locked(transaction, context.tenant, collection, id).await?;
    let found = object(found.found()?);
    if text(&found, "source") == Some("System") {
        return Err(Refusal::bad(Code::ForbiddenDeleteSystemValues).into());
    }
    if lines_have_method(transaction, context.tables(), id).await? {
        return Err(Refusal::bad(Code::ForbiddenDeleteUsedValue).into());
    }
    delete(transaction, context.tenant, collection, id).await?;
    Ok(())
}

/// Marks a unit as deleted: it protects nothing any more.
///
/// # Errors
/// 404 when there is none.
#[boxed]
pub async fn delete_unit(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let (transaction, context) = (act.work.transaction, act.work.context);
    let collection = context.collection("acquisitions_unit");
    let found = fetch_locked(transaction, context.tenant, collection, id).await?;
    let mut unit = object(found.found()?);
    set(&mut unit, "isDeleted", true);
    replace(
        transaction,
        context.tenant,
        collection,
        id,
        &unit,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Adds a routing list to a line.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn add_routing_list(act: Act<'_>, list: Doc) -> Result<(Uuid, Bytes), Declined> {
    check_routing_list(act, &list, None).await?;
    let (transaction, context) = (act.work.transaction, act.work.context);
    let collection = context.collection("routing_list");
    let added = insert(
        transaction,
        context.tenant,
        collection,
        list,
        &context.stamp,
    )
    .await;
    added.map_err(name_taken)
}

/// Replaces a routing list.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn change_routing_list(act: Act<'_>, id: Uuid, list: Doc) -> Result<(), Declined> {
    check_routing_list(act, &list, Some(id)).await?;
    let (transaction, context) = (act.work.transaction, act.work.context);
    let collection = context.collection("routing_list");
    let mut list = list;
    set(&mut list, "id", json!(id));
    let replaced = replace(
        transaction,
        context.tenant,
        collection,
        id,
        &list,
        &context.stamp,
    )
    .await;
    replaced.map(|_| ()).map_err(name_taken)
}

fn name_taken(error: StoreError) -> Declined {
    match is_taken(&error, "name") {
        true => Refusal::new(409, Code::RoutingListUniqueNameViolation).into(),
        false => error.into(),
    }
}

async fn check_routing_list(act: Act<'_>, list: &Doc, own: Option<Uuid>) -> Result<(), Declined> {
    let line_id = id_at(list, "poLineId").unwrap_or_default();
    // The line is locked: of two lists that are added at once the second counts the first.
    let line = keep_line::hold(act.work, line_id).await?;
    let line = line.ok_or_else(|| Refusal::invalid(Code::PoLineNotFoundForRoutingList))?;
    let mut wrong = Vec::new();
    if !matches!(Line(&line).format(), Format::Physical | Format::Mix) {
        wrong.push(Code::InvalidRoutingListForPoLineFormat.into());
    }
    let copies: i64 = Line(&line)
        .locations()
        .map(|location| copies_at(location, Kind::Physical))
        .sum();
    let tables = act.work.context.tables();
    let lists = routing_lists_of(act.work.transaction, tables, line_id, own).await?;
    if lists >= copies {
        wrong.push(Code::RoutingListLimitReachedForPoLine.into());
    }
    Ok(Refusal::any(422, wrong)?)
}

/// The setting that says which of a user's addresses routing lists print.
const ADDRESS_TYPE: &str = "ROUTING_USER_ADDRESS_TYPE_ID";

/// A routing list with its users and their addresses, as its template gets it.
///
/// # Errors
/// 404 without the setting.
#[boxed]
pub async fn routing_list_view(context: &Context<'_>, list: &Doc) -> Result<Value, Declined> {
    let (database, tables) = (&context.store.database, context.tables());
    let setting = own_setting(database, tables, ADDRESS_TYPE).await?;
    let setting = setting.ok_or_else(|| {
        Refusal::text(404, format!("Setting is not found with key={ADDRESS_TYPE}"))
    })?;
    let users = with_address(database, tables, &ids(list, "userIds"), &setting).await?;
    Ok(
        json!({"routingList": {"name": list.get("name"), "notes": list.get("notes")},
              "users": users}),
    )
}
