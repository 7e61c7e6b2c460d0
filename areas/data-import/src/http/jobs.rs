//! `/change-manager/jobExecutions` and `/metadata-provider/jobExecutions`

use std::sync::Arc;

use ::http::StatusCode;
use axum::response::Response;
use octavo_library::{JobExecutionId, UserId};
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call, incorrect};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{answer, object, segment, uuid};
use crate::app::post_chunk::Sent;
use crate::app::work::Imports;
use crate::app::{cancel, change_job, delete_jobs, initialize, post_chunk};
use crate::rules::filter::{Filter, Wrong};
use crate::rules::parse::Format;
use crate::rules::status;
use crate::store::{jobs, lists};

/// New jobs.
///
/// # Errors
/// 400 without files, 422 when the request does not fit.
pub(crate) async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = object(&call)?;
    let source_type = sent
        .get("sourceType")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !["FILES", "ONLINE", "COMPOSITE"].contains(&source_type) {
        let why = "must be one of FILES, ONLINE, COMPOSITE";
        return Err(ApiError::invalid(why, "sourceType", source_type));
    }
    let user = uuid(&sent, "userId")?;
    let user = user.ok_or_else(|| ApiError::invalid("must not be null", "userId", "null"))?;
    let files = sent.get("files").and_then(Value::as_array);
    let number = |name: &str| sent.get(name).and_then(Value::as_i64);
    let wanted = initialize::NewJobs {
        files: files
            .into_iter()
            .flatten()
            .map(|file| file["name"].as_str().unwrap_or_default().to_owned())
            .collect(),
        source_type: source_type.to_owned(),
        user,
        profile: sent
            .get("jobProfileInfo")
            .filter(|info| info["id"].is_string())
            .cloned(),
        parent: uuid(&sent, "parentJobId")?,
        part: (number("jobPartNumber"), number("totalJobParts")),
    };
    if let Some(info) = &wanted.profile
        && Uuid::try_parse(info["id"].as_str().unwrap_or_default()).is_err()
    {
        return Err(ApiError::invalid("must be a UUID", "jobProfileInfo.id", ""));
    }
    let (parent, begun) = initialize::initialize(&call.writer_context(), wanted)
        .await
        .map_err(answer)?;
    let body = json!({"parentJobExecutionId": parent, "jobExecutions": begun});
    Ok(pretty(StatusCode::CREATED, &body))
}

/// Jobs marked as deleted.
///
/// # Errors
/// 400 when there are too many.
pub(crate) async fn delete(call: Call) -> Result<Response, ApiError> {
    let sent = object(&call)?;
    let list = sent.get("ids").and_then(Value::as_array);
    let ids: Option<Vec<JobExecutionId>> = list
        .into_iter()
        .flatten()
        .map(|id| JobExecutionId::parse(id.as_str()?))
        .collect();
    let ids = ids.ok_or_else(|| ApiError::invalid("must be UUIDs", "ids", ""))?;
    if ids.len() > delete_jobs::IDS_MAX {
        let most = delete_jobs::IDS_MAX;
        return Err(ApiError::bad_request(format!(
            "a request names at most {most} jobs"
        )));
    }
    let deleted = delete_jobs::mark(&call.writer_context(), &ids)
        .await
        .map_err(answer)?;
    let details: Vec<Value> = deleted
        .iter()
        .map(|id| json!({"jobExecutionId": id, "isDeleted": true}))
        .collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"jobExecutionDetails": details}),
    ))
}

/// One job with its profile.
pub(crate) async fn read(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let job = change_job::read(&call.writer_context(), id)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::OK, &job))
}

/// A job replaced.
///
/// # Errors
/// 400 and 422 when it does not fit, 404 when there is none.
pub(crate) async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let sent = object(&call)?;
    fits(&sent)?;
    let job = change_job::replace(&call.writer_context(), id, sent)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::OK, &job))
}

fn fits(sent: &Map<String, Value>) -> Result<(), ApiError> {
    for (name, known) in [
        ("status", &status::ALL[..]),
        ("uiStatus", &status::ALL_UI),
        ("subordinationType", &status::KINDS),
        ("errorStatus", &status::ERRORS),
    ] {
        let given = sent.get(name).filter(|value| !value.is_null());
        match given.map(|value| value.as_str().unwrap_or_default()) {
            None if name == "errorStatus" => {}
            Some(text) if known.contains(&text) => {}
            other => {
                let why = format!("must be one of {}", known.join(", "));
                return Err(ApiError::invalid(why, name, other.unwrap_or("null")));
            }
        }
    }
    let user: Option<UserId> = uuid(sent, "userId")?;
    user.ok_or_else(|| ApiError::invalid("must not be null", "userId", "null"))?;
    for name in ["startedDate", "completedDate"] {
        if let Some(text) = sent.get(name).and_then(Value::as_str)
            && text.parse::<jiff::Timestamp>().is_err()
        {
            return Err(ApiError::invalid("must be a date and time", name, text));
        }
    }
    let info = sent.get("jobProfileInfo").filter(|info| !info.is_null());
    if let Some(info) = info
        && Uuid::try_parse(info["id"].as_str().unwrap_or_default()).is_err()
    {
        return Err(ApiError::invalid("must be a UUID", "jobProfileInfo.id", ""));
    }
    let hidden = info.map(|info| &info["hidden"]);
    if hidden.is_some_and(|hidden| !hidden.is_null() && !hidden.is_boolean()) {
        return Err(ApiError::invalid(
            "must be true or false",
            "jobProfileInfo.hidden",
            "",
        ));
    }
    for name in ["current", "total"] {
        let number = sent.get("progress").map(|progress| &progress[name]);
        if number.is_some_and(|number| !number.is_null() && number.as_i64().is_none()) {
            return Err(ApiError::invalid(
                "must be a whole number",
                format!("progress.{name}"),
                "",
            ));
        }
    }
    Ok(())
}

/// The children of a job.
///
/// # Errors
/// 404 when there is no such job.
pub(crate) async fn children(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let paging = call.paging()?;
    let database = &call.writer().database;
    let job = jobs::find(database, &call.tenant, id).await?;
    let job = job.ok_or_else(|| answer(crate::app::Refusal::NoJob(id)))?;
    if !matches!(
        job.text("subordinationType"),
        "PARENT_MULTIPLE" | "COMPOSITE_PARENT"
    ) {
        return Ok(pretty(
            StatusCode::OK,
            &json!({"jobExecutions": [], "totalRecords": 0}),
        ));
    }
    let page = lists::children(database, &call.tenant, id, paging.limit, paging.offset).await?;
    Ok(json_bytes(StatusCode::OK, page))
}

/// A job's state.
///
/// # Errors
/// 400 when it cannot be this one, 404 when there is no such job.
pub(crate) async fn set_status(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let sent = object(&call)?;
    let text = |name: &str| sent.get(name).and_then(Value::as_str);
    let to = text("status").unwrap_or_default();
    if !status::ALL.contains(&to) {
        let why = format!("must be one of {}", status::ALL.join(", "));
        return Err(ApiError::invalid(why, "status", to));
    }
    let error = text("errorStatus");
    if error.is_some_and(|error| !status::ERRORS.contains(&error)) {
        let why = format!("must be one of {}", status::ERRORS.join(", "));
        return Err(ApiError::invalid(
            why,
            "errorStatus",
            error.unwrap_or_default(),
        ));
    }
    let job = change_job::set_status(&call.writer_context(), id, to, error)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::OK, &job))
}

/// A job's profile.
///
/// # Errors
/// 400 when it has one already, 404 when there is no such profile or job.
pub(crate) async fn set_profile(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let info = object(&call)?;
    let job = change_job::set_profile(&call.writer_context(), id, info)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::OK, &job))
}

/// A chunk of records.
///
/// # Errors
/// 400 when it was sent before, or the job takes no more; 422 when it does not fit.
pub(crate) async fn post_records(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let accepts_ids = call.parameter("acceptInstanceId")?.as_deref() == Some("true");
    let mut sent = object(&call)?;
    let chunk = uuid(&sent, "id")?;
    let chunk = chunk.ok_or_else(|| ApiError::invalid("must not be null", "id", "null"))?;
    let meta = sent.shift_remove("recordsMetadata").unwrap_or_default();
    let missing = |name: &str| {
        ApiError::invalid(
            "must not be null",
            format!("recordsMetadata.{name}"),
            "null",
        )
    };
    let format = meta["contentType"].as_str().unwrap_or_default();
    let format = Format::named(format).ok_or_else(|| {
        let why = "must be one of MARC_RAW, MARC_JSON, MARC_XML, EDIFACT_RAW";
        ApiError::invalid(why, "recordsMetadata.contentType", format)
    })?;
    let Some(Value::Array(list)) = sent.shift_remove("initialRecords") else {
        return Err(ApiError::invalid(
            "must not be null",
            "initialRecords",
            "null",
        ));
    };
    let mut records = Vec::with_capacity(list.len().min(post_chunk::RECORDS_MAX));
    for mut one in list {
        let place = one["order"].as_i64();
        if place.is_some_and(|place| place < 0) {
            return Err(ApiError::invalid(
                "must be greater than or equal to 0",
                "initialRecords.order",
                "",
            ));
        }
        match one.get_mut("record").map(Value::take).unwrap_or_default() {
            Value::String(text) => records.push((text, place)),
            _ => {
                return Err(ApiError::invalid(
                    "must not be null",
                    "initialRecords.record",
                    "null",
                ));
            }
        }
    }
    let sent = Sent {
        id: chunk,
        records,
        last: meta["last"].as_bool().ok_or_else(|| missing("last"))?,
        counter: meta["counter"].as_i64().ok_or_else(|| missing("counter"))?,
        total: meta["total"].as_i64(),
        format: format.name(),
        accepts_ids,
    };
    post_chunk::post_chunk(&call.writer_context(), id, sent)
        .await
        .map_err(answer)?;
    call.begin_work(Arc::new(Imports));
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A job cancelled by FOLIO's roll-back route.
pub(crate) async fn delete_records(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    cancel::cancel(&call.writer_context(), id)
        .await
        .map_err(answer)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The same, by the route of front ends.
pub(crate) async fn cancel(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    cancel::cancel(&call.writer_context(), id)
        .await
        .map_err(answer)?;
    Ok(pretty(StatusCode::OK, &json!({"ok": true})))
}

/// A list of jobs.
pub(crate) async fn list(call: Call) -> Result<Response, ApiError> {
    struct Refused(ApiError);
    impl From<Wrong> for Refused {
        fn from(wrong: Wrong) -> Refused {
            Refused(match wrong.name {
                "sortBy" if wrong.why.starts_with("The specified") => {
                    ApiError::bad_request(wrong.why)
                }
                name => incorrect(name, &wrong.value, &wrong.why),
            })
        }
    }
    let paging = call.paging()?;
    let filter = Filter::read(|name| call.parameters(name).map_err(Refused));
    let filter = filter.map_err(|Refused(error)| error)?;
    let limit = paging.limit.min(LISTED_MAX);
    let database = &call.store().database;
    let page = lists::jobs(database, &call.tenant, &filter, limit, paging.offset).await?;
    Ok(json_bytes(StatusCode::OK, page))
}

/// Jobs of one page.
const LISTED_MAX: i64 = 10_000;

/// The profiles that finished jobs ran with.
pub(crate) async fn profiles(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let limit = paging.limit.min(LISTED_MAX);
    let database = &call.store().database;
    let page = lists::profiles(database, &call.tenant, limit, paging.offset).await?;
    Ok(json_bytes(StatusCode::OK, page))
}

/// Who ran finished jobs.
pub(crate) async fn users(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let limit = paging.limit.min(LISTED_MAX);
    let database = &call.store().database;
    let page = lists::users(database, &call.tenant, limit, paging.offset).await?;
    Ok(json_bytes(StatusCode::OK, page))
}
