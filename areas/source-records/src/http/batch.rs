//! `/source-storage/batch`: many records in one request.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_postgres::RawJson;
use octavo_records::plan::Predicate;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{answer, parameters};
use crate::app::batch_records::{Outcome, create_records, replace_parsed};
use crate::app::search::{IdType, current, equal};
use crate::store::batch;

/// Ids that one request may ask for, as in FOLIO.
const HRIDS_MAX: usize = 32_767;
/// Records whose parsed part one request may ask for.
const FETCHED_MAX: usize = 5_000;
/// Ranges of tags in one request.
const RANGES_MAX: usize = 100;

#[derive(Debug, Deserialize)]
struct Records {
    records: Vec<Value>,
}

/// New records, or new generations of some.
///
/// # Errors
/// 404 when their snapshot does not exist, 400 and 422 when they do not fit.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent: Records = call.json_as()?;
    let outcome = create_records(&call.context(), sent.records)
        .await
        .map_err(answer)?;
    Ok(batch_response("records", StatusCode::CREATED, outcome))
}

/// The parsed parts of records replaced.
///
/// # Errors
/// 400 and 422 when they do not fit.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let sent: Records = call.json_as()?;
    let outcome = replace_parsed(&call.context(), sent.records)
        .await
        .map_err(answer)?;
    Ok(batch_response("parsedRecords", StatusCode::OK, outcome))
}

/// The response of a batch. If nothing was stored it is a 500, as in FOLIO.
fn batch_response(name: &str, status: StatusCode, outcome: Outcome) -> Response {
    let status = if outcome.stored.is_empty() {
        StatusCode::INTERNAL_SERVER_ERROR
    } else {
        status
    };
    let body = json!({
        name: outcome.stored,
        "errorMessages": outcome.problems,
        "totalRecords": outcome.stored.len(),
    });
    json_bytes(status, body.to_string())
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fetch {
    conditions: Conditions,
    #[serde(default)]
    data: Vec<Range>,
    record_type: String,
    include_deleted: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Conditions {
    #[serde(default)]
    id_type: String,
    #[serde(default)]
    ids: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    from: String,
    to: String,
}

/// The parsed parts of records, with fields between some tags alone.
///
/// # Errors
/// 400 for an invalid id or type, 422 when the request does not fit.
pub async fn fetch(call: Call) -> Result<Response, ApiError> {
    let sent: Fetch = call.json_as()?;
    parameters::known_type(&sent.record_type)?;
    let kind = IdType::parse(&sent.conditions.id_type)
        .ok_or_else(|| parameters::unknown_id_type(&sent.conditions.id_type))?;
    let ids = &sent.conditions.ids;
    if ids.len() > FETCHED_MAX || sent.data.len() > RANGES_MAX {
        let message = format!("The number of IDs should not exceed {FETCHED_MAX}");
        return Err(ApiError::bad_request(message));
    }
    let ids: Vec<Uuid> = ids
        .iter()
        .map(|text| parameters::uuid(text))
        .collect::<Result<_, _>>()?;
    let mut ranges = Vec::with_capacity(sent.data.len());
    for Range { from, to } in sent.data {
        for (name, tag) in [("data.from", &from), ("data.to", &to)] {
            if tag.len() != 3 || !tag.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(ApiError::invalid("must match \"^[0-9]{3}$\"", name, tag));
            }
        }
        ranges.push((from, to));
    }
    let wanted = Predicate::All(vec![
        kind.among(&ids),
        equal("recordType", &sent.record_type),
        current(sent.include_deleted.unwrap_or(false)),
    ]);
    let limit = FETCHED_MAX as i64;
    let sql = batch::stripped(call.tenant.schema(), &wanted, &ranges, limit);
    let rows = if ids.is_empty() {
        Vec::new()
    } else {
        // Planned with its values: the best plan depends on how many ids there are.
        let database = &call.store().database;
        let rows = database.query_fresh(&sql.text, &sql.typed()).await;
        rows?
    };
    let mut body = b"{\"records\":[".to_vec();
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        body.extend_from_slice(row.get::<_, RawJson<'_>>("jsonb").0);
    }
    body.extend_from_slice(format!("],\"totalRecords\":{}}}", rows.len()).as_bytes());
    Ok(json_bytes(StatusCode::OK, body))
}

/// Which human-readable ids no bibliographic record has.
///
/// # Errors
/// 400 for too many.
pub async fn verify(call: Call) -> Result<Response, ApiError> {
    let hrids: Vec<String> = call.json_as()?;
    if hrids.len() > HRIDS_MAX {
        let message = format!("The number of IDs should not exceed {HRIDS_MAX}");
        return Err(ApiError::bad_request(message));
    }
    let database = &call.store().database;
    let unknown = batch::unknown_hrids(database, &call.tenant, &hrids).await?;
    let body = json!({"invalidMarcBibIds": unknown});
    Ok(json_bytes(StatusCode::OK, body.to_string()))
}
