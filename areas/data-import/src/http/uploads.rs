//! `/data-import/uploadDefinitions` with their files, whole or in parts.

use std::sync::Arc;

use ::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use octavo_library::MultipartUploadId;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call, incorrect};
use serde_json::{Value, json};

use super::{answer, object, segment};
use crate::app::assemble::{self, PARTS_MAX, UploadPart};
use crate::app::upload::NotTaken;
use crate::app::work::Imports;
use crate::app::{Refusal, process_files, upload};

/// New files, each with a job.
///
/// # Errors
/// 422 when a file is of a kind that is not imported.
pub(crate) async fn create(call: Call) -> Result<Response, ApiError> {
    let mut sent = Value::Object(object(&call)?);
    let context = call.writer_context();
    check(&call, &mut sent)?;
    let user = call
        .user_id()
        .ok_or_else(|| ApiError::bad_request("files are defined by a user"))?;
    let Value::Object(sent) = sent else {
        return Err(ApiError::bad_request("The body must be a JSON object"));
    };
    let stored = upload::define(&context, user.into(), sent)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::CREATED, &stored))
}

fn check(call: &Call, sent: &mut Value) -> Result<(), ApiError> {
    let collection = call.writer_context().collection("upload_definition");
    let shape = &collection.shape;
    shape
        .check(sent)
        .map_err(|violations| octavo_records::StoreError::Invalid(violations).into())
}

/// One definition.
pub(crate) async fn read(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let collection = call.writer_context().collection("upload_definition");
    let found = call.store().read(&call.tenant, collection, id).await?;
    let found = found.ok_or_else(|| {
        let sentence = format!("Upload Definition with id '{id}' not found");
        ApiError::text(StatusCode::NOT_FOUND, sentence)
    })?;
    Ok(json_bytes(StatusCode::OK, found))
}

/// A definition replaced; its files stay.
pub(crate) async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let mut sent = Value::Object(object(&call)?);
    check(&call, &mut sent)?;
    let Value::Object(sent) = sent else {
        return Err(ApiError::bad_request("The body must be a JSON object"));
    };
    let stored = upload::change(&call.writer_context(), id, sent)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::OK, &stored))
}

/// A definition deleted with its files.
///
/// # Errors
/// 400 while they are being imported, 404 when there is none.
pub(crate) async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    upload::remove(&call.writer_context(), id)
        .await
        .map_err(answer)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Another file.
///
/// # Errors
/// 404 when there is no such definition.
pub(crate) async fn add_file(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let definition = Value::Object(object(&call)?);
    check(&call, &mut json!({"fileDefinitions": [definition.clone()]}))?;
    let stored = upload::add_file(&call.writer_context(), id, definition)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::CREATED, &stored))
}

/// The bytes of a file.
///
/// # Errors
/// 400 when the upload is interrupted, 404 when there is no such file, 413 when it is too large.
pub(crate) async fn upload_file(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let file = segment(&call, "fileId")?;
    let coming = call.upload();
    match upload::take(&call.writer_context(), id, file, coming).await {
        Ok(stored) => Ok(pretty(StatusCode::OK, &stored)),
        Err(NotTaken::Refused(refusal)) => Err(answer(refusal)),
        Err(NotTaken::Broken(error)) if error.status() == StatusCode::BAD_REQUEST => {
            Err(ApiError::bad_request(format!(
                "Upload stream for file with id '{file}' has been interrupted"
            )))
        }
        Err(NotTaken::Broken(error)) => Err(error),
    }
}

/// A file removed.
pub(crate) async fn delete_file(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let file = segment(&call, "fileId")?;
    upload::remove_file(&call.writer_context(), id, file)
        .await
        .map_err(answer)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Files imported.
///
/// # Errors
/// 400 when one has not been uploaded, 404 when there is no such definition or profile.
pub(crate) async fn process(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let mut sent = object(&call)?;
    let Some(Value::Object(info)) = sent.shift_remove("jobProfileInfo") else {
        return Err(ApiError::invalid(
            "must not be null",
            "jobProfileInfo",
            "null",
        ));
    };
    process_files::process(&call.writer_context(), id, info)
        .await
        .map_err(answer)?;
    call.begin_work(Arc::new(Imports));
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Whether large files are split: never.
pub(crate) async fn split_status(_call: Call) -> Result<Response, ApiError> {
    Ok(pretty(StatusCode::OK, &json!({"splitStatus": false})))
}

/// The link for the first part of a file.
///
/// # Errors
/// 400 without the name of the file, 429 when too many uploads are running.
pub(crate) async fn first_url(call: Call) -> Result<Response, ApiError> {
    let name = wanted(&call, "fileName")?;
    let place = assemble::begin(&call.writer_context(), &name).await;
    Ok(shown(&call, &place.map_err(answer)?))
}

/// The link for another part.
///
/// # Errors
/// 400 when there is no such upload, or no such part.
pub(crate) async fn next_url(call: Call) -> Result<Response, ApiError> {
    let (key, upload) = (wanted(&call, "key")?, wanted(&call, "uploadId")?);
    wanted(&call, "partNumber")?;
    let number = call.number("partNumber", 2, 2)?;
    if number > PARTS_MAX {
        let most = format!("must be at most {PARTS_MAX}");
        return Err(incorrect("partNumber", &number.to_string(), &most));
    }
    let Some(upload) = MultipartUploadId::parse(&upload) else {
        return Err(answer(Refusal::NoParts(key)));
    };
    let number = i32::try_from(number).unwrap_or(i32::MAX);
    let place = assemble::place(&call.writer_context(), upload, key, number).await;
    Ok(shown(&call, &place.map_err(answer)?))
}

/// A required parameter.
fn wanted(call: &Call, name: &'static str) -> Result<String, ApiError> {
    let given = call.parameter(name)?.filter(|value| !value.is_empty());
    given.ok_or_else(|| incorrect(name, "null", "must not be null"))
}

/// The link: its secret authorises, since clients send no token to an object storage.
fn shown(call: &Call, place: &UploadPart) -> Response {
    let UploadPart {
        upload,
        key,
        number,
        secret,
    } = place;
    let url = format!(
        "{}/_/invoke/tenant/{}/data-import/uploads/{upload}?partNumber={number}&uploadId={upload}&secret={secret}",
        call.platform.remotes.own_address(),
        call.tenant.id(),
    );
    let form = json!({"url": url, "key": key, "uploadId": upload});
    pretty(StatusCode::OK, &form)
}

/// Receives a part by its link. Its tag is in `ETag`.
///
/// # Errors
/// 403 when the link is expired or unknown, 400 when the upload is interrupted, 413 when it is too
/// large.
pub(crate) async fn take_part(call: Call) -> Result<Response, ApiError> {
    let over = || answer(Refusal::LinkOver);
    let upload = segment(&call, "uploadId").map_err(|_| over())?;
    let secret = call.parameter("secret")?.unwrap_or_default();
    let number = call.number("partNumber", 1, 1)?;
    let number = i32::try_from(number).map_err(|_| over())?;
    let coming = call.upload();
    match assemble::take(&call.writer_context(), (upload, number), &secret, coming).await {
        Ok(tag) => {
            let mut response = empty(StatusCode::OK);
            if let Ok(tag) = HeaderValue::from_str(&format!("\"{tag}\"")) {
                response.headers_mut().insert(header::ETAG, tag);
            }
            Ok(response)
        }
        Err(NotTaken::Refused(refusal)) => Err(answer(refusal)),
        Err(NotTaken::Broken(error)) => Err(error),
    }
}

/// Assembles all parts to the file.
///
/// # Errors
/// 400 for other parts than those received, 404 when there is no such file, 422 for an incomplete body.
pub(crate) async fn put_together(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let file = segment(&call, "fileId")?;
    let sent = object(&call)?;
    let text = |name: &str| {
        let given = sent.get(name).and_then(Value::as_str);
        given.ok_or_else(|| ApiError::invalid("must not be null", name, "null"))
    };
    let (key, upload) = (text("key")?, text("uploadId")?);
    let tags = sent.get("tags").and_then(Value::as_array);
    let tags = tags.ok_or_else(|| ApiError::invalid("must not be null", "tags", "null"))?;
    let tags: Vec<String> = tags
        .iter()
        .map(|tag| tag.as_str().unwrap_or_default().to_owned())
        .collect();
    let Some(upload) = MultipartUploadId::parse(upload) else {
        return Err(answer(Refusal::NoParts(key.to_owned())));
    };
    assemble::assemble(&call.writer_context(), (id, file), (upload, key), &tags)
        .await
        .map_err(answer)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A link to the file of a job. Files are removed while they are read, so there is none.
///
/// # Errors
/// Always 404, as in FOLIO for a job without a file.
pub(crate) async fn no_download(_call: Call) -> Result<Response, ApiError> {
    Err(ApiError::text(StatusCode::NOT_FOUND, "Not found"))
}
