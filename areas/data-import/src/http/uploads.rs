//! `/data-import/uploadDefinitions` with their files, and what goes by way of S3 in FOLIO

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::{answer, context, object, segment};
use crate::app::upload::NotTaken;
use crate::app::{process_files, upload, work};

/// New files, each with a job.
///
/// # Errors
/// 422 when a file is of a kind that is not imported.
pub(crate) async fn create(call: Call) -> Result<Response, ApiError> {
    let mut sent = Value::Object(object(&call)?);
    let context = context(&call);
    check(&call, &mut sent)?;
    let user = call
        .user_id()
        .ok_or_else(|| ApiError::bad_request("files are defined by a user"))?;
    let Value::Object(sent) = sent else {
        return Err(ApiError::bad_request("The body must be a JSON object"));
    };
    let stored = upload::define(&context, user, sent).await.map_err(answer)?;
    Ok(pretty(StatusCode::CREATED, &stored))
}

fn check(call: &Call, sent: &mut Value) -> Result<(), ApiError> {
    let collection = context(call).collection("upload_definition");
    let shape = &collection.shape;
    shape
        .check(sent)
        .map_err(|violations| octavo_records::StoreError::Invalid(violations).into())
}

/// One definition.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn read(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let collection = context(&call).collection("upload_definition");
    let found = call.store().read(&call.tenant, collection, id).await?;
    let found = found.ok_or_else(|| {
        let sentence = format!("Upload Definition with id '{id}' not found");
        ApiError::text(StatusCode::NOT_FOUND, sentence)
    })?;
    Ok(json_bytes(StatusCode::OK, found))
}

/// A definition replaced; its files stay.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let mut sent = Value::Object(object(&call)?);
    check(&call, &mut sent)?;
    let Value::Object(sent) = sent else {
        return Err(ApiError::bad_request("The body must be a JSON object"));
    };
    let stored = upload::change(&context(&call), id, sent)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::OK, &stored))
}

/// A definition deleted with its files.
///
/// # Errors
/// 400 when they are at work, 404 when there is none.
pub(crate) async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    upload::remove(&context(&call), id).await.map_err(answer)?;
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
    let stored = upload::add_file(&context(&call), id, definition)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::CREATED, &stored))
}

/// The bytes of a file.
///
/// # Errors
/// 400 when they break off, 404 when there is no such file, 413 when it is too large.
pub(crate) async fn upload_file(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let file = segment(&call, "fileId")?;
    let coming = call.upload();
    match upload::take(&context(&call), id, file, coming).await {
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
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn delete_file(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "uploadDefinitionId")?;
    let file = segment(&call, "fileId")?;
    upload::remove_file(&context(&call), id, file)
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
    process_files::process(&context(&call), id, info)
        .await
        .map_err(answer)?;
    work::soon(&call);
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Whether large files are split: they are read as they are.
///
/// # Errors
/// Never.
pub(crate) async fn split_status(_call: Call) -> Result<Response, ApiError> {
    Ok(pretty(StatusCode::OK, &json!({"splitStatus": false})))
}

/// What FOLIO does by way of S3.
///
/// # Errors
/// Always 400, with what to do instead.
pub(crate) async fn no_object_storage(_call: Call) -> Result<Response, ApiError> {
    Err(ApiError::bad_request(
        "Files are not exchanged by way of an object storage here (splitStatus is false): send the file \
         itself with POST /data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}",
    ))
}
