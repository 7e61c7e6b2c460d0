//! `/data-import-profiles/jobProfileSnapshots` and `/data-import-profiles/profileSnapshots`

use axum::response::Response;
use http::StatusCode;
use octavo_library::ProfileId;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::retried;
use uuid::Uuid;

use super::kind;
use super::refusal::missing;
use crate::app::import::import as take_over;
use crate::app::snapshots::{start_snapshot, stored_tree, tree_of};

/// A snapshot.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let kept = stored_tree(call.context(), id).await?;
    let kept = kept.ok_or_else(|| missing("Profile snapshot", &id.to_string()))?;
    Ok(pretty(StatusCode::OK, kept.json()))
}

/// A new snapshot of a job profile's tree: 201.
///
/// # Errors
/// 404 when there is no such profile.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, context) = (ProfileId::from(call.id()?), call.context());
    let kept = retried(|| start_snapshot(&context.store.database, context, id)).await?;
    let kept = kept.ok_or_else(|| missing("Job Profile", &id.to_string()))?;
    Ok(pretty(StatusCode::CREATED, kept.json()))
}

/// The current tree of a profile.
///
/// # Errors
/// 400 for an unknown kind, 404 when there is no such profile.
pub async fn show(call: Call) -> Result<Response, ApiError> {
    let (id, kind) = (ProfileId::from(call.id()?), kind(&call, "profileType")?);
    let job = call.parameter("jobProfileId")?;
    let job = job.filter(|job| !job.is_empty());
    let parsed = job.as_deref().map(Uuid::try_parse).transpose();
    let job = parsed.map_err(|_| {
        let job = job.as_deref().unwrap_or_default();
        octavo_platform::incorrect("jobProfileId", job, "must be a UUID")
    })?;
    let database = &call.store().database;
    let tree = tree_of(database, call.context(), kind, id, job.map(ProfileId::from)).await?;
    let tree = tree.ok_or_else(|| missing(kind.title(), &id.to_string()))?;
    Ok(pretty(StatusCode::OK, tree.json()))
}

/// A tree imported: 201 with the resulting tree.
///
/// # Errors
/// 400 when it is not the tree of a job profile, 404 and 422 as for each of its profiles.
pub async fn import(call: Call) -> Result<Response, ApiError> {
    let tree = take_over(call.context(), call.json()?).await?;
    Ok(pretty(StatusCode::CREATED, tree.json()))
}
