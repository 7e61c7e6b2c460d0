//! `/data-import-profiles/profileAssociations`

use axum::response::Response;
use http::StatusCode;
use octavo_library::{AssociationId, ProfileId};
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::refusal::{invalid, missing};
use super::{id, kind};
use crate::app::associate::{put_one, remove_association};
use crate::kind::ProfileKind;
use crate::relation::{AssociationRequest, Relation};
use crate::store::associations::{LISTED_MAX, of_id, of_kinds};
use crate::store::relations::{Direction, of_kind};

const WHAT: &str = "Profile association";

/// The associations between profiles of two kinds.
///
/// # Errors
/// 400 when the kinds are not named.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let (master, detail) = (kind(&call, "master")?, kind(&call, "detail")?);
    let found = of_kinds(&call.store().database, &call.tenant, master, detail).await?;
    let found: Vec<Value> = found.iter().map(Relation::json).collect();
    let total = found.len();
    let body = json!({"profileAssociations": found, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}

/// One association.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = AssociationId::from(call.id()?);
    let found = of_id(&call.store().database, &call.tenant, id).await?;
    let found = found.ok_or_else(|| missing(WHAT, &id.to_string()))?;
    Ok(pretty(StatusCode::OK, &found.json()))
}

/// A new association: 201.
///
/// # Errors
/// 422 when it does not fit, forms a cycle or exists already.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let wanted = sent(&call)?;
    let stored = put_one(call.context(), None, &wanted).await?;
    Ok(pretty(StatusCode::CREATED, &stored.json()))
}

/// An association replaced: 200.
///
/// # Errors
/// 404 when there is none, 422 as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = AssociationId::from(call.id()?);
    let wanted = sent(&call)?;
    let stored = put_one(call.context(), Some(id), &wanted).await?;
    Ok(pretty(StatusCode::OK, &stored.json()))
}

/// An association removed, with everything below its match: 204.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = AssociationId::from(call.id()?);
    match remove_association(call.context(), id).await? {
        true => Ok(empty(StatusCode::NO_CONTENT)),
        false => Err(missing(WHAT, &id.to_string())),
    }
}

/// The association in the body; its kinds are query parameters.
fn sent(call: &Call) -> Result<AssociationRequest, ApiError> {
    let (master, detail) = (kind(call, "master")?, kind(call, "detail")?);
    let body = call.json()?;
    let mut wanted =
        AssociationRequest::of(&body).map_err(|error| invalid(&[error.to_string()]))?;
    wanted.master = wanted.master.or(Some(master));
    wanted.detail = wanted.detail.or(Some(detail));
    for (name, id) in [
        ("masterProfileId", wanted.master_profile_id),
        ("detailProfileId", wanted.detail_profile_id),
    ] {
        if id.is_none() {
            return Err(ApiError::invalid("must not be null", name, "null"));
        }
    }
    Ok(wanted)
}

/// The profiles directly below one.
///
/// # Errors
/// 400 for an unknown kind or invalid query, 404 when there is no such profile.
pub async fn details(call: Call) -> Result<Response, ApiError> {
    let at = (id(&call, "masterId")?, kind(&call, "masterType")?);
    let wanted = call.parameter("detailType")?;
    neighbours(&call, at, Direction::Details, wanted, "Master profile").await
}

/// The profiles directly above one.
pub async fn masters(call: Call) -> Result<Response, ApiError> {
    let at = (id(&call, "detailId")?, kind(&call, "detailType")?);
    let wanted = call.parameter("masterType")?;
    neighbours(&call, at, Direction::Masters, wanted, "Detail profile").await
}

async fn neighbours(
    call: &Call,
    (profile_id, own): (ProfileId, ProfileKind),
    direction: Direction,
    wanted: Option<String>,
    what: &str,
) -> Result<Response, ApiError> {
    let (paging, store) = (call.paging()?, call.store());
    // An unknown kind does not filter the list, as in FOLIO.
    let wanted = wanted.as_deref().and_then(ProfileKind::named);
    let own_collection = call.collection(own.table());
    let profile = store
        .read(&call.tenant, own_collection, profile_id.uuid())
        .await?;
    let profile = profile.ok_or_else(|| missing(what, &profile_id.to_string()))?;
    let profile: Value = serde_json::from_slice(&profile)?;
    let most = paging.offset.saturating_add(paging.limit).min(LISTED_MAX);
    let mut found = Vec::new();
    for kind in direction.kinds() {
        if wanted.is_none_or(|wanted| wanted == kind) {
            let query = paging.query.as_deref();
            let at = (direction, profile_id);
            found.extend(of_kind(store, &call.tenant, at, kind, query, most).await?);
        }
    }
    let window = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let found: Vec<Value> = found
        .into_iter()
        .skip(window(paging.offset))
        .take(window(paging.limit))
        .collect();
    let body = json!({
        "id": profile_id,
        "contentType": own.name(),
        "content": profile,
        "order": 0,
        "childSnapshotWrappers": found,
    });
    Ok(pretty(StatusCode::OK, &body))
}
