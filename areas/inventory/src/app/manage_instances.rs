//! Instances in the form of `/inventory/instances`: stored with their links to other instances in one
//! transaction, with additional rules.

use octavo_boxed::boxed;
use octavo_records::store::{fetch, fetch_locked};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::cross_module_updates::{Follow, update_source_record};
use super::link_instance::link_instance;
use super::{Context, Refusal, store_instance};
use crate::rules::blocked_fields::refuse_instance;
use crate::rules::instance_form::{Links, accept};
use crate::rules::patch as patched;

/// Stores a new instance given as a form; returns its id.
///
/// # Errors
/// As [`store_instance::create_instance`], and when it has no title, or a link refers to no instance.
#[boxed]
pub async fn create(context: &Context<'_>, mut form: Value) -> Result<Uuid, Refusal> {
    let titled = form
        .get("title")
        .and_then(Value::as_str)
        .is_some_and(|it| !it.trim().is_empty());
    if !titled {
        return Err(Refusal::Forbidden(
            "Title must be provided for an instance".to_owned(),
        ));
    }
    let links = take_links(&mut form);
    accept(&links)?;
    let transaction = context.store.database.transaction().await?;
    let (id, _) = store_instance::create_with(&transaction, context, form).await?;
    link_instance(&transaction, context, id, links, false).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Replaces an instance and its links by a form.
///
/// # Errors
/// As [`store_instance::replace_instance`], and when its human-readable id or what its MARC record
/// controls would change, or a link leads nowhere.
#[boxed]
pub async fn replace(context: &Context<'_>, id: Uuid, mut form: Value) -> Result<(), Refusal> {
    let links = take_links(&mut form).complete();
    store(context, id, form, links).await
}

/// Replaces the properties and links of an instance that a form has.
#[boxed]
pub async fn patch(context: &Context<'_>, id: Uuid, mut form: Value) -> Result<(), Refusal> {
    super::refusal::require_version(&form)?;
    let links = take_links(&mut form);
    let old = stored(context, id).await?;
    store(context, id, patched::merged(&old, &form), links).await
}

/// Marks an instance as deleted and suppresses it, FOLIO's soft deletion. The source record of one that
/// MARC controls is marked too, in the same transaction.
///
/// # Errors
/// When there is no such instance.
#[boxed]
pub async fn mark_deleted(context: &Context<'_>, id: Uuid) -> Result<(), Refusal> {
    let collection = context.collection("instance");
    let transaction = context.store.database.transaction().await?;
    let old = fetch_locked(&transaction, context.tenant, collection, id).await?;
    let old = old.ok_or(NO_INSTANCE)?;
    let hidden = json!({"staffSuppress": true, "discoverySuppress": true, "deleted": true});
    let new = patched::merged(&old, &hidden);
    let all = super::unguarded;
    store_instance::replace_with(&transaction, context, id, new, all).await?;
    if is_marc(&old) {
        let follow = Follow::Deleted(true);
        update_source_record(&transaction, context, (id, &hidden), follow).await?;
    }
    transaction.commit().await?;
    Ok(())
}

const NO_INSTANCE: Refusal = Refusal::Missing("Instance not found");

fn is_marc(instance: &Value) -> bool {
    instance.get("source").and_then(Value::as_str) == Some("MARC")
}

async fn stored(context: &Context<'_>, id: Uuid) -> Result<Value, Refusal> {
    let collection = context.collection("instance");
    let found = fetch(&context.store.database, context.tenant, collection, id).await?;
    found.ok_or(NO_INSTANCE)
}

async fn store(context: &Context<'_>, id: Uuid, form: Value, links: Links) -> Result<(), Refusal> {
    accept(&links)?;
    let visibility = visibility(&form);
    let transaction = context.store.database.transaction().await?;
    let replaced = store_instance::replace_with(&transaction, context, id, form, guard).await;
    let old = replaced.map_err(|refusal| match refusal {
        Refusal::Missing(_) => NO_INSTANCE,
        other => other,
    })?;
    let marc = is_marc(&old);
    link_instance(&transaction, context, id, links, marc).await?;
    let follow = Follow::from_change(&old, &visibility).filter(|_| marc);
    if let Some(follow) = follow {
        update_source_record(&transaction, context, (id, &visibility), follow).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// The properties of an instance that its source record follows.
fn visibility(instance: &Value) -> Value {
    let of = |property: &str| Some((property.to_owned(), instance.get(property)?.clone()));
    let properties = ["deleted", "discoverySuppress"].into_iter().filter_map(of);
    Value::Object(properties.collect::<Map<_, _>>())
}

fn guard(new: &Value, old: &Value) -> Result<(), Refusal> {
    if let Some(sentence) = refuse_instance(new, old) {
        return Err(Refusal::property(sentence, "null", "null"));
    }
    super::refusal::keep_hrid(new, old)
}

fn take_links(form: &mut Value) -> Links {
    form.as_object_mut().map(Links::take).unwrap_or_default()
}
