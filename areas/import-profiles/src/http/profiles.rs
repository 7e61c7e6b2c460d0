//! `/data-import-profiles/{jobProfiles,matchProfiles,actionProfiles,mappingProfiles}`

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use octavo_library::ProfileId;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use octavo_postgres::RawJson;
use octavo_records::plan::{Plan, Predicate, Sql};
use serde_json::{Value, json};

use super::flag;
use super::refusal::{invalid, missing};
use crate::app::remove::remove;
use crate::app::save::{Saved, Sent, save};
use crate::kind::ProfileKind;
use crate::relation::{AssociationRequest, Relation};
use crate::store::relations::{one_with_relations, page_with_relations};

/// The entity types, by FOLIO's names.
const ENTITY_TYPES: [&str; 9] = [
    "INVENTORY_HOLDINGS",
    "INVENTORY_INSTANCE",
    "INVENTORY_ITEM",
    "INVOICE",
    "MARC_AUTHORITY_RECORD",
    "MARC_BIB_RECORD",
    "MARC_HOLDINGS_RECORD",
    "ORDER",
    "ERROR",
];

/// The entity types.
pub async fn entity_types(_: Call) -> Result<Response, ApiError> {
    let body = json!({"entityTypes": ENTITY_TYPES, "totalRecords": ENTITY_TYPES.len()});
    Ok(pretty(StatusCode::OK, &body))
}

/// A page of profiles; hidden ones and relations only on request.
pub async fn list(kind: ProfileKind, call: Call) -> Result<Response, ApiError> {
    let (paging, store) = (call.paging()?, call.store());
    let (hidden, relations) = (flag(&call, "showHidden")?, flag(&call, "withRelations")?);
    let collection = call.collection(kind.table());
    let mut plan: Plan = store.plan(&call.tenant, collection, paging.query.as_deref())?;
    if !hidden {
        let shown = store.plan(&call.tenant, collection, Some("hidden==false"))?;
        plan.predicate = match plan.predicate {
            Predicate::Everything => shown.predicate,
            asked => Predicate::All(vec![asked, shown.predicate]),
        };
    }
    let (schema, window) = (call.tenant.schema(), (paging.limit, paging.offset));
    let sql = match relations {
        false => Sql::page(schema, kind.table(), &plan, window.0, window.1),
        true => page_with_relations(schema, kind, &plan, window),
    };
    Ok(page_of(&call, collection, &plan, sql, paging.search()).await?)
}

/// One profile.
pub async fn read(kind: ProfileKind, call: Call) -> Result<Response, ApiError> {
    let (id, store) = (call.id()?, call.store());
    let found = if flag(&call, "withRelations")? {
        let sql = one_with_relations(call.tenant.schema(), kind);
        let rows = store.database.query(&sql, &[&id]).await;
        let rows = rows?;
        rows.first()
            .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0))
    } else {
        store
            .read(&call.tenant, call.collection(kind.table()), id)
            .await?
    };
    let found = found.ok_or_else(|| missing(kind.title(), &id.to_string()))?;
    Ok(json_bytes(StatusCode::OK, found))
}

/// A new profile with its associations: 201.
///
/// # Errors
/// 404 when a profile of the tree does not exist, 422 with all errors.
pub async fn create(kind: ProfileKind, call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let saved = save(call.context(), kind, None, &sent(&body)?).await?;
    Ok(pretty(StatusCode::CREATED, &answer(&body, saved)))
}

fn answer(body: &Value, saved: Saved) -> Value {
    let added: Vec<Value> = saved.added.iter().map(Relation::json).collect();
    let deleted = match &body["deletedRelations"] {
        Value::Array(deleted) => deleted.clone(),
        _ => Vec::new(),
    };
    json!({
        "id": saved.id,
        "profile": saved.profile,
        "addedRelations": added,
        "deletedRelations": deleted,
    })
}

/// A profile and its associations changed: 200 with the profile.
///
/// # Errors
/// 400 for a default profile, 404 when there is none, 422 with all that does not fit.
pub async fn replace(kind: ProfileKind, call: Call) -> Result<Response, ApiError> {
    let id = ProfileId::from(call.id()?);
    let body = call.json()?;
    let saved = save(call.context(), kind, Some(id), &sent(&body)?).await?;
    Ok(pretty(StatusCode::OK, &saved.profile))
}

/// A profile deleted: 204.
///
/// # Errors
/// 400 for a default profile, 404 when there is none, 409 while it is below another.
pub async fn delete(kind: ProfileKind, call: Call) -> Result<Response, ApiError> {
    remove(call.context(), kind, call.id()?.into()).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// FOLIO's `…ProfileUpdateDto`.
fn sent(body: &Value) -> Result<Sent, ApiError> {
    let Value::Object(body) = body else {
        return Err(ApiError::invalid(
            "must be a JSON object",
            "profile",
            "null",
        ));
    };
    let known = ["id", "profile", "addedRelations", "deletedRelations"];
    if let Some(name) = body.keys().find(|name| !known.contains(&name.as_str())) {
        let message = format!("Unrecognized field \"{name}\"");
        return Err(ApiError::invalid(message, name.clone(), ""));
    }
    let Some(Value::Object(profile)) = body.get("profile") else {
        return Err(ApiError::invalid("must not be null", "profile", "null"));
    };
    let relations = |name: &str| -> Result<Vec<AssociationRequest>, ApiError> {
        match body.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(list)) => list
                .iter()
                .map(|one| {
                    AssociationRequest::of(one).map_err(|error| invalid(&[error.to_string()]))
                })
                .collect(),
            Some(_) => Err(ApiError::invalid("must be an array", name, "")),
        }
    };
    Ok(Sent {
        profile: profile.clone(),
        added: relations("addedRelations")?,
        deleted: relations("deletedRelations")?,
    })
}
