//! `/user-import`.

use axum::response::Response;
use bytes::{Bytes, BytesMut};
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_users::app::UserContext;
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::app::{BATCH_MAX, Fault, Import, Missing};
use crate::rules::document::{self, Sent, Unreadable};
use crate::rules::mapping::Failed;

/// The largest body: some 100,000 users.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Users of one import at most.
const USERS_MAX: usize = 200_000;
/// Bodies are held in memory; this bounds the memory of all concurrent ones, in blocks.
const ROOM_BLOCKS: usize = 4_096;
/// The size of a block.
const BLOCK_BYTES: usize = 64 * 1024;
/// Imports that run at once; others wait. Each holds a connection of the database.
const AT_ONCE_MAX: usize = 2;

static ROOM: Semaphore = Semaphore::const_new(ROOM_BLOCKS);
static TURNS: Semaphore = Semaphore::const_new(AT_ONCE_MAX);

/// POST `/user-import`: 200 with the results, whether or not all users could be stored.
///
/// # Errors
/// 422 when a document is not a user, 413 when there are too many, and faults; 500 in FOLIO's form when
/// an included record is refused.
pub async fn import(call: Call) -> Result<Response, ApiError> {
    if call.remote("users").is_some() {
        return Err(ApiError::bad_request(
            "The users of this tenant are kept by a remote module. Enable FOLIO's mod-user-import \
             for the tenant, which sends them there",
        ));
    }
    let (body, _room) = body(&call).await?;
    let checked = body.clone();
    let checking = tokio::task::spawn_blocking(move || {
        let sent = document::read(&checked)?;
        document::check_all(&sent)
    });
    let checked = checking.await;
    checked
        .map_err(|error| ApiError::fault(error))?
        .map_err(refused)?;
    let sent = document::read(&body).map_err(refused)?;
    if sent.total == 0 {
        return Ok(pretty(
            StatusCode::OK,
            &json!({"message": "No users to import.", "failedUsers": [], "totalRecords": 0}),
        ));
    }
    if sent.users.len() > USERS_MAX {
        return Err(ApiError::text(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("An import has at most {USERS_MAX} users; send them in several"),
        ));
    }
    let turn = TURNS.acquire().await;
    let _turn = turn.map_err(|error| ApiError::fault(error))?;
    match carry_out(&call, &sent).await {
        Ok(answer) => Ok(pretty(StatusCode::OK, &answer)),
        Err(Fault::Refused(why)) => Ok(pretty(
            StatusCode::INTERNAL_SERVER_ERROR,
            &of_none(&sent, &why),
        )),
        Err(Fault::Store(error)) => Err(error.into()),
    }
}

async fn carry_out(call: &Call, sent: &Sent<'_>) -> Result<Value, Fault> {
    let context = UserContext::of(call);
    let username = call.identity.as_ref().map(|one| one.claims.sub.as_str());
    let options = sent.options.clone();
    let mut import = Import::begin(context, options, &sent.included, username).await?;
    let (mut created, mut updated, mut failed) = (0, 0, Vec::new());
    for (at, some) in sent.users.chunks(BATCH_MAX).enumerate() {
        let users = some
            .iter()
            .enumerate()
            .map(|(place, raw)| document::user(raw, at * BATCH_MAX + place));
        let users: Result<Vec<Map<String, Value>>, _> = users.collect();
        let users = users.map_err(StoreError::Invalid)?;
        let done = import.add(users).await?;
        created += done.created;
        updated += done.updated;
        failed.extend(done.failed.into_iter().map(shown));
    }
    let mut message = "Users were imported successfully.";
    if sent.options.deactivate_missing {
        if failed.is_empty() {
            if import.deactivate_missing().await? != Missing::None {
                message = "Deactivated missing users.";
            }
        } else if import.is_anybody_missing().await? {
            message = "Users were imported successfully. \
                       Users were not deactivated because of import failures.";
        }
    }
    Ok(json!({
        "message": message,
        "createdRecords": created,
        "updatedRecords": updated,
        "failedRecords": failed.len(),
        "failedUsers": failed,
        "totalRecords": created + updated + failed.len(),
    }))
}

fn shown(failed: Failed) -> Value {
    json!({
        "username": failed.username,
        "externalSystemId": failed.external_id,
        "errorMessage": failed.message,
    })
}

/// The response when no user could be imported.
fn of_none(sent: &Sent<'_>, why: &str) -> Value {
    let users = sent.users.iter().enumerate();
    let failed = users.map(|(at, raw)| {
        let user = document::user(raw, at).unwrap_or_default();
        let text = |name: &str| user.get(name).cloned().unwrap_or_default();
        json!({
            "username": text("username"),
            "externalSystemId": text("externalSystemId"),
            "errorMessage": why,
        })
    });
    let failed: Vec<Value> = failed.collect();
    json!({
        "message": "Failed to import users.",
        "error": why,
        "createdRecords": 0,
        "updatedRecords": 0,
        "failedRecords": failed.len(),
        "failedUsers": failed,
        "totalRecords": failed.len(),
    })
}

fn refused(unreadable: Unreadable) -> ApiError {
    match unreadable {
        Unreadable::Json(why) => {
            ApiError::bad_request(format!("The body is not valid JSON: {why}"))
        }
        Unreadable::Invalid(violations) => StoreError::Invalid(violations).into(),
    }
}

/// The whole body, with its permits.
async fn body(call: &Call) -> Result<(Bytes, Option<SemaphorePermit<'static>>), ApiError> {
    let coming = call.upload();
    let mut body = BytesMut::new();
    let mut room: Option<SemaphorePermit<'static>> = None;
    while let Some(piece) = coming.next().await? {
        let length = body.len() + piece.len();
        if length > BODY_BYTES_MAX {
            return Err(ApiError::text(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!(
                    "The request body is larger than the limit of {BODY_BYTES_MAX} bytes; \
                     send the users in several imports, or load them with `octavo load users`"
                ),
            ));
        }
        // The size is unknown before the end, so permits are taken as the bytes arrive. Waiting for them
        // could deadlock, as each waiting import holds some.
        let held = room.as_ref().map_or(0, SemaphorePermit::num_permits);
        let more = length.div_ceil(BLOCK_BYTES).saturating_sub(held);
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        let permit = ROOM.try_acquire_many(more).map_err(|_| {
            ApiError::Unavailable("Too many large imports are under way now; try again in a moment")
        })?;
        match &mut room {
            None => room = Some(permit),
            Some(room) => room.merge(permit),
        }
        body.extend_from_slice(&piece);
    }
    Ok((body.freeze(), room))
}
