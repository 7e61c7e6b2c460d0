//! `/mapping-metadata`: rules and parameters, each as JSON in a string, as in FOLIO.

use axum::response::Response;
use http::StatusCode;
use octavo_library::JobExecutionId;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use serde_json::json;

use super::kind_in_path;
use crate::app::change_rules::current_rules;
use crate::app::job_rules::stored_rules_of_job;
use crate::app::parameters::current_parameters;

/// The rules and parameters of a job.
///
/// # Errors
/// 404 when none are stored for it.
pub async fn of_job(call: Call) -> Result<Response, ApiError> {
    let job = call.segment("jobExecutionId").to_owned();
    let missing = || {
        ApiError::text(
            StatusCode::NOT_FOUND,
            format!("Mapping parameters snapshot is not found for JobExecution '{job}'"),
        )
    };
    let id = JobExecutionId::parse(&job).ok_or_else(missing)?;
    let kept = stored_rules_of_job(&call.context(), id).await?;
    let (rules, parameters) = kept.ok_or_else(missing)?;
    let answer = json!({
        "jobExecutionId": id,
        "mappingRules": rules.to_string(),
        "mappingParams": parameters.to_string(),
    });
    Ok(json_bytes(StatusCode::OK, answer.to_string()))
}

/// The current rules and parameters for a kind of records.
///
/// # Errors
/// 400 for another kind.
pub async fn of_type(call: Call) -> Result<Response, ApiError> {
    let kind = kind_in_path(&call)?;
    let context = call.context();
    let (rules, parameters) =
        tokio::try_join!(current_rules(&context, kind), current_parameters(&context))?;
    let answer = json!({
        "mappingRules": rules.to_string(),
        "mappingParams": serde_json::Value::Object(parameters).to_string(),
    });
    Ok(json_bytes(StatusCode::OK, answer.to_string()))
}
