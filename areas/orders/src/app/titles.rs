//! Titles of lines, as staff add and change them: each has an instance.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_organizations::units::Operation;
use octavo_records::store::{delete as delete_record, fetch_locked, replace};
use serde_json::json;
use uuid::Uuid;

use super::{Act, guard, inventory, keep_title};
use crate::refusal::{Code, Declined, Found, Refusal};
use crate::rules::completed;
use crate::rules::doc::{Doc, at, id as id_at, object, set, set_or_clear, text};

/// What an instance is made from: a title says it under other names than a line.
fn as_line(title: &Doc) -> Doc {
    let mut line = title.clone();
    set_or_clear(&mut line, "titleOrPackage", at(title, "title").cloned());
    set_or_clear(
        &mut line,
        "publicationDate",
        at(title, "publishedDate").cloned(),
    );
    line
}

async fn with_instance(act: Act<'_>, title: &mut Doc) -> Result<(), Declined> {
    if at(title, "instanceId").is_none() {
        let instance = inventory::instance(act, &as_line(title), true).await?;
        set(title, "instanceId", json!(instance));
    }
    Ok(())
}

/// Adds a title to a line.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn create(act: Act<'_>, mut title: Doc) -> Result<(Uuid, Bytes), Declined> {
    let units = guard::units_of(&title);
    guard::assign(act, &units, act.rights.assign_title_units).await?;
    if units.is_empty() {
        protect_line(act, &title, Operation::Create).await?;
    }
    with_instance(act, &mut title).await?;
    keep_title::insert_title(act.work, title).await
}

/// Checks an operation by the units of the title's order.
async fn protect_line(act: Act<'_>, title: &Doc, operation: Operation) -> Result<(), Declined> {
    let line_id = id_at(title, "poLineId").unwrap_or_default();
    let whole = super::pieces::hold_line(act, line_id).await?;
    guard::protect(act, &guard::units_of(&whole.order), &[operation]).await
}

/// Replaces a title.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn change(act: Act<'_>, id: Uuid, mut title: Doc) -> Result<(), Declined> {
    if id_at(&title, "id").is_some_and(|sent| sent != id) {
        return Err(Refusal::invalid(Code::IdMismatch).into());
    }
    set(&mut title, "id", json!(id));
    let context = act.work.context;
    let (transaction, collection) = (act.work.transaction, context.collection("titles"));
    let old = fetch_locked(transaction, context.tenant, collection, id).await?;
    let old = object(old.found()?);
    let units = (guard::units_of(&old), guard::units_of(&title));
    let may_manage = act.rights.manage_title_units;
    let operations = [Operation::Update];
    guard::reassign(act, (&units.0, &units.1), may_manage, &operations).await?;
    if text(&title, "title").is_some() {
        with_instance(act, &mut title).await?;
    }
    completed::title(&mut title);
    replace(
        transaction,
        context.tenant,
        collection,
        id,
        &title,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Deletes a title that has no pieces.
///
/// # Errors
/// 400 when it has, 403 when units protect it.
#[boxed]
pub async fn delete(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let context = act.work.context;
    let (transaction, collection) = (act.work.transaction, context.collection("titles"));
    let old = fetch_locked(transaction, context.tenant, collection, id).await?;
    let old = object(old.found()?);
    guard::protect(act, &guard::units_of(&old), &[Operation::Delete]).await?;
    delete_record(transaction, context.tenant, collection, id).await?;
    Ok(())
}
