//! Departments and custom fields included in an import: stored before any user.

use octavo_custom_fields as fields;
use octavo_records::store::{insert, replace};
use octavo_records::{StoreError, retried};
use octavo_users::app::UserContext;
use octavo_users::collections::CUSTOM_FIELDS;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::refusal::{Fault, is_fault, of_answer};
use crate::rules::update_field::update;
use crate::store;

/// Creates departments whose name is new; one with a known code is renamed.
pub(super) async fn departments(
    context: &UserContext<'_>,
    wanted: &[Map<String, Value>],
) -> Result<(), Fault> {
    if wanted.is_empty() {
        return Ok(());
    }
    Box::pin(retried(|| make_departments(context, wanted))).await
}

async fn make_departments(
    context: &UserContext<'_>,
    wanted: &[Map<String, Value>],
) -> Result<(), Fault> {
    let transaction = context.store.database.transaction().await?;
    let mut there = store::departments(&transaction, context.tables()).await?;
    let departments = context.collection("departments");
    for one in wanted {
        let (name, code) = (text(one, "name"), text(one, "code"));
        if there.iter().any(|(_, known)| known["name"] == name) {
            continue;
        }
        let by_code = there
            .iter_mut()
            .find(|(_, known)| !code.is_empty() && known["code"] == code);
        let mut document = Value::Object(one.clone());
        let what = match by_code {
            Some(_) => "Failed to update department",
            None => "Failed to create department",
        };
        let refused = |error: StoreError| refused(error, "departments", what);
        if by_code.is_none() && code.trim().is_empty() {
            document["code"] = json!(name.to_uppercase().replace(' ', "_"));
        }
        let checked = departments.shape.check(&mut document);
        checked.map_err(|wrong| refused(StoreError::Invalid(wrong)))?;
        let mut body = store::object(document.clone());
        let (tenant, stamp) = (context.tenant, &context.stamp);
        match by_code {
            Some((id, known)) => {
                body.insert("id".to_owned(), json!(id));
                replace(&transaction, tenant, departments, *id, &body, stamp)
                    .await
                    .map_err(refused)?;
                *known = document;
            }
            None => {
                let made = insert(&transaction, tenant, departments, body, stamp).await;
                let (id, _) = made.map_err(refused)?;
                there.push((id, document));
            }
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Changes definitions of existing custom fields.
pub(super) async fn custom_fields(
    context: &UserContext<'_>,
    wanted: &[Map<String, Value>],
    username: Option<&str>,
) -> Result<(), Fault> {
    if wanted.is_empty() {
        return Ok(());
    }
    let database = &context.store.database;
    let there = store::custom_fields(database, context.tables()).await?;
    let mut changes: Vec<(Uuid, Map<String, Value>)> = Vec::new();
    for one in wanted {
        let reference = text(one, "refId");
        let known = there.iter().find(|(_, known)| known["refId"] == reference);
        let Some((id, known)) = known else {
            return Err(Fault::Refused(format!(
                "Failed to prepare custom fields: Custom fields do not exist in the system: \
                 [{reference}]."
            )));
        };
        // One field may be named twice.
        let at = match changes.iter().position(|(other, _)| other == id) {
            Some(at) => at,
            None => {
                changes.push((*id, store::object(known.clone())));
                changes.len() - 1
            }
        };
        update(&mut changes[at].1, one);
    }
    for (id, definition) in changes {
        let change = || {
            let definition = Value::Object(definition.clone());
            fields::change(&CUSTOM_FIELDS, context, username, id.into(), definition)
        };
        match Box::pin(retried(change)).await {
            Ok(()) => {}
            Err(fields::Refusal::Store(error)) if is_fault(&error) => {
                return Err(Fault::Store(error));
            }
            Err(refusal) => {
                let why = of_answer(fields::refused(refusal));
                return Err(Fault::Refused(format!(
                    "Failed to prepare custom fields: Failed to update custom fields: \
                     Failed to update custom field.: {why}"
                )));
            }
        }
    }
    Ok(())
}

fn refused(error: StoreError, of: &str, what: &str) -> Fault {
    if is_fault(&error) {
        return Fault::Store(error);
    }
    let why = of_answer(error.into());
    Fault::Refused(format!("Failed to prepare {of}: {what}: {why}"))
}

fn text<'a>(document: &'a Map<String, Value>, name: &str) -> &'a str {
    document
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
}
