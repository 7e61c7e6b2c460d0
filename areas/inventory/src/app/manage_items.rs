//! Items in the form of `/inventory/items`: stored like any other, with additional rules.

use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use octavo_records::store::fetch;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Context, Refusal, store_item};
use crate::rules::{item_form, status};

/// Stores a new item given as a form; returns its id.
///
/// # Errors
/// As [`store_item::create_item`], and when it has no status or its barcode is another item's.
#[boxed]
pub async fn create(context: &Context<'_>, form: Value) -> Result<Uuid, Refusal> {
    require_status(&form)?;
    let barcode = barcode(&form);
    let item = stored_form(context, form).await?;
    match store_item::create_item(context, item).await {
        Ok((id, _)) => Ok(id),
        Err(refusal) => Err(about_barcode(refusal, &barcode)),
    }
}

/// Replaces an item by a form.
///
/// # Errors
/// As [`store_item::replace_item`], and when it has no status, its barcode is another item's, or
/// it was claimed returned and would be missing.
#[boxed]
pub async fn replace(context: &Context<'_>, id: Uuid, form: Value) -> Result<(), Refusal> {
    require_status(&form)?;
    let barcode = barcode(&form);
    let item = stored_form(context, form).await?;
    let replaced = store_item::replace_item(context, id, item, guard).await;
    replaced.map_err(|refusal| about_item(about_barcode(refusal, &barcode)))
}

/// Replaces the properties of an item that a form has.
#[boxed]
pub async fn patch(context: &Context<'_>, id: Uuid, form: Value) -> Result<(), Refusal> {
    if form.get("status").is_some() {
        require_status(&form)?;
    }
    let barcode = barcode(&form);
    let changes = stored_form(context, form).await?;
    let patched = store_item::patch_item(context, id, &changes, guard).await;
    patched.map_err(|refusal| about_item(about_barcode(refusal, &barcode)))
}

fn guard(new: &Value, old: &Value) -> Result<(), Refusal> {
    super::refusal::keep_hrid(new, old)?;
    let [before, after] = [old, new].map(ItemStatus::of);
    if before == Some(ItemStatus::ClaimedReturned) && after == Some(ItemStatus::Missing) {
        let sentence = "Claimed returned item cannot be marked as missing";
        let missing = ItemStatus::Missing.name();
        return Err(Refusal::property(sentence, "status.name", missing));
    }
    Ok(())
}

fn require_status(form: &Value) -> Result<(), Refusal> {
    match (form.get("status"), status::name(form)) {
        (None | Some(Value::Null), _) => Err(Refusal::property(
            "Status is a required field",
            "status",
            "null",
        )),
        (_, Some(name)) if ItemStatus::named(name).is_some() => Ok(()),
        (_, name) => {
            let shown: String = name.unwrap_or("null").chars().take(100).collect();
            Err(Refusal::property(
                "Undefined status specified",
                "status.name",
                shown,
            ))
        }
    }
}

async fn stored_form(context: &Context<'_>, mut form: Value) -> Result<Value, Refusal> {
    if let Value::Object(item) = &mut form {
        item_form::to_stored(item);
        if item_form::has_new_circulation_notes(item) {
            let author = author(context).await?;
            item_form::sign_circulation_notes(item, author.as_ref(), &context.now());
        }
    }
    Ok(form)
}

/// Who writes a circulation note: the user's id and name.
async fn author(context: &Context<'_>) -> Result<Option<Value>, Refusal> {
    let Some(id) = context.stamp.user_id else {
        return Ok(None);
    };
    let user = match context.store.catalog.get("users") {
        Some(users) => fetch(&context.store.database, context.tenant, users, id).await?,
        None => None,
    };
    let mut author = json!({"id": id});
    if let Some(personal) = user.as_ref().and_then(|user| user.get("personal")) {
        let mut names = serde_json::Map::new();
        for property in ["lastName", "firstName"] {
            if let Some(name) = personal.get(property) {
                names.insert(property.to_owned(), name.clone());
            }
        }
        author["personal"] = Value::Object(names);
    }
    Ok(Some(author))
}

/// The barcode as it was sent; the key that is taken has lost its case.
fn barcode(form: &Value) -> String {
    form.get("barcode")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn about_barcode(refusal: Refusal, barcode: &str) -> Refusal {
    if refusal.is_taken("barcode") {
        return Refusal::Forbidden(format!(
            "Barcode must be unique, {barcode} is already assigned to another item"
        ));
    }
    refusal
}

fn about_item(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Missing(_) => Refusal::Missing("No item found"),
        other => other,
    }
}
