//! `/users/profile-picture` and `/users/configurations/entry`. The statuses are mod-users': most
//! mistakes of a client are a 500 with a message.

use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::{Bytes, BytesMut};
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

use super::settings::refused as setting_refused;
use crate::app::UserContext;
use crate::app::keep_pictures::{self, PictureRefusal};
use crate::app::keep_settings::{self, SettingRefusal};
use crate::rules::picture::FileRefusal;

/// The largest picture that a library may allow.
const FILE_BYTES_MAX: usize = 10 * 1024 * 1024;
/// How much of a too large file is read before the connection is closed.
const READ_BYTES_MAX: usize = 100 * 1024 * 1024;
/// Uploaded files are held in memory; this bounds the memory of all concurrent uploads, in blocks.
static ROOM: Semaphore = Semaphore::const_new(2_560);
const BLOCK_BYTES: usize = 64 * 1024;
const SIZE: &str =
    "Requested file size should be within allowed size updated in profile_picture configuration";
const SHORT: &str = "failed to save profile picture Insufficient data provided to detect file type";

/// POST `/users/profile-picture`: a file as it is.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let Some(file) = file(&call).await? else {
        return Ok(announced(StatusCode::INTERNAL_SERVER_ERROR, SIZE));
    };
    match keep_pictures::add(&UserContext::of(&call), &file.bytes).await {
        Ok(id) => Ok(pretty(StatusCode::CREATED, &json!({"id": id}))),
        Err(refusal) => answer(&call, refusal, "Existing profile picture is not found"),
    }
}

/// PUT `/users/profile-picture/{id}`.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let Some(file) = file(&call).await? else {
        return Ok(announced(StatusCode::INTERNAL_SERVER_ERROR, SIZE));
    };
    match keep_pictures::replace(&UserContext::of(&call), id(&call), &file.bytes).await {
        Ok(id) => Ok(pretty(StatusCode::OK, &json!({"id": id}))),
        Err(refusal) => answer(&call, refusal, "Existing profile picture is not found"),
    }
}

/// GET `/users/profile-picture/{id}`: the file in base 64.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let wanted = id(&call);
    match keep_pictures::show(&UserContext::of(&call), wanted).await {
        Ok(file) => {
            let blob = STANDARD.encode(file);
            let body = json!({"id": wanted, "profile_picture_blob": blob});
            Ok(pretty(StatusCode::OK, &body))
        }
        Err(refusal) => {
            let shown: String = call.segment("id").chars().take(100).collect();
            let missing = format!("No profile picture found for id {shown}");
            answer(&call, refusal, &missing)
        }
    }
}

/// DELETE `/users/profile-picture/{id}`.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    match keep_pictures::remove(&UserContext::of(&call), id(&call)).await {
        Ok(()) => Ok(empty(StatusCode::NO_CONTENT)),
        Err(refusal) => answer(&call, refusal, "Profile picture not found"),
    }
}

/// GET `/users/configurations/entry`.
///
/// # Errors
/// 404 when the setting was deleted.
pub async fn configuration(call: Call) -> Result<Response, ApiError> {
    match keep_pictures::configuration(&UserContext::of(&call)).await? {
        Some(entry) => Ok(pretty(StatusCode::OK, &entry)),
        None => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            "No configuration exist",
        )),
    }
}

/// PUT `/users/configurations/entry/{id}`.
///
/// # Errors
/// 400 when the key would change, 422 when a property has another type, 404 when there is none.
pub async fn configure(call: Call) -> Result<Response, ApiError> {
    let (id, body) = (call.id()?, call.record()?);
    let Value::Object(entry) = body else {
        return Err(ApiError::invalid("must be of type object", "", ""));
    };
    for (name, value) in &entry {
        let fits = match name.as_str() {
            "enabled" | "enabledObjectStorage" => value.is_boolean(),
            "encryptionKey" | "configName" | "id" => value.is_string(),
            "maxFileSize" => value.is_number(),
            "metadata" => true,
            _ => {
                let message = format!("Unrecognized field \"{name}\"");
                return Err(ApiError::invalid(message, name, value.to_string()));
            }
        };
        if !fits && !value.is_null() {
            let message = "has a value of the wrong type";
            return Err(ApiError::invalid(message, name, value.to_string()));
        }
    }
    let changed = keep_settings::change_pictures(&UserContext::of(&call), id, &entry).await;
    changed.map_err(|refusal| match refusal {
        SettingRefusal::NotFound => ApiError::not_found(),
        other => setting_refused(other, id),
    })?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The uploaded file; `None` when it is larger than any picture may be. The rest of such a file is read
/// and discarded, so that the client gets a response instead of a broken connection, up to
/// [`READ_BYTES_MAX`].
async fn file(call: &Call) -> Result<Option<File>, ApiError> {
    let mut room: Option<SemaphorePermit<'static>> = None;
    let coming = call.upload();
    let (mut file, mut read) = (BytesMut::new(), 0_usize);
    while let Some(piece) = coming.next().await? {
        read = read.saturating_add(piece.len());
        if read > READ_BYTES_MAX {
            return Err(ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, SIZE));
        }
        if read > FILE_BYTES_MAX {
            (file, room) = (BytesMut::new(), None);
            continue;
        }
        // The size is unknown before the end, so permits are taken as the bytes arrive. Waiting for them
        // could deadlock, as each waiting upload holds some.
        let held = room.as_ref().map_or(0, SemaphorePermit::num_permits);
        let more = read.div_ceil(BLOCK_BYTES).saturating_sub(held);
        let more = ROOM.try_acquire_many(u32::try_from(more).unwrap_or(u32::MAX));
        let more = more.map_err(|_| {
            ApiError::Unavailable("Too many pictures are being stored now; try again in a moment")
        })?;
        match &mut room {
            None => room = Some(more),
            Some(room) => room.merge(more),
        }
        file.extend_from_slice(&piece);
    }
    Ok((read <= FILE_BYTES_MAX).then(|| File {
        bytes: file.freeze(),
        _room: room,
    }))
}

/// An uploaded file, with its permits of [`ROOM`].
struct File {
    bytes: Bytes,
    _room: Option<SemaphorePermit<'static>>,
}

fn id(call: &Call) -> Option<Uuid> {
    Uuid::try_parse(call.segment("id")).ok()
}

/// mod-users declares JSON here, but sends the bare text.
fn announced(status: StatusCode, sentence: &str) -> Response {
    json_bytes(status, sentence.to_owned())
}

fn answer(call: &Call, refusal: PictureRefusal, missing: &str) -> Result<Response, ApiError> {
    let fault = StatusCode::INTERNAL_SERVER_ERROR;
    Ok(match refusal {
        PictureRefusal::Disabled => announced(
            fault,
            &format!(
                "Profile picture feature is not enabled for tenant {}",
                call.tenant.id()
            ),
        ),
        PictureRefusal::ObjectStorage => announced(
            fault,
            "Error storing file [there is no object storage here; set enabledObjectStorage of the \
             setting PROFILE_PICTURE_CONFIG to false]",
        ),
        PictureRefusal::NoKey => announced(fault, "Encryption key is null"),
        PictureRefusal::File(FileRefusal::Size) => announced(fault, SIZE),
        PictureRefusal::File(FileRefusal::TooShort) => announced(fault, SHORT),
        PictureRefusal::File(FileRefusal::Kind) => announced(
            fault,
            "Requested image should be of supported type-[PNG,JPG,JPEG]",
        ),
        PictureRefusal::Unreadable => announced(
            StatusCode::BAD_REQUEST,
            "Data integrity check failed, POST and GET must use an identical key",
        ),
        PictureRefusal::NotFound => {
            return Err(ApiError::text(StatusCode::NOT_FOUND, missing));
        }
        PictureRefusal::Store(error) => return Err(error.into()),
    })
}
