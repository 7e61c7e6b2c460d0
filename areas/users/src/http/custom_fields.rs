//! `/custom-fields`: definitions, and how many users have values.

use axum::response::Response;
use http::StatusCode;
use octavo_library::CustomFieldId;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::respond::{created, empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::plan::SortTerm;
use octavo_records::{StoreError, expression};
use serde_json::{Value, json};

use super::refusal::refused;
use crate::app::{Refusal, UserContext, change_custom_fields, count_custom_fields};

/// Definitions are listed in the order that the library chose.
pub const HOOKS: Hooks = Hooks {
    plan: Some(|_, _, plan| {
        plan.sort.push(SortTerm {
            expression: expression::number_in(expression::Base::Record, "order"),
            descending: false,
        });
        Ok(())
    }),
    id: |call| id(call).map(CustomFieldId::uuid),
    wording,
    ..Hooks::NONE
};

fn wording(refused: Refused<'_>) -> ApiError {
    match (&refused.error, refused.id) {
        (StoreError::NotFound, Some(id)) => super::refusal::refused(Refusal::NotFound {
            kind: "CustomField",
            id: id.to_string(),
        }),
        _ => refused.as_stored(),
    }
}

/// POST `/custom-fields`.
///
/// # Errors
/// 422 when the definition is inconsistent.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let stored =
        change_custom_fields::create(&UserContext::of(&call), username(&call), document).await;
    let stored = stored.map_err(refused)?;
    let id = stored
        .get("id")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let body = octavo_platform::respond::pretty_text(&Value::Object(stored));
    Ok(created(body.into(), &id))
}

/// PUT `/custom-fields`: all of a record type, in their order.
///
/// # Errors
/// 422 when one of them is inconsistent, or a fixed property would change.
pub async fn replace_all(call: Call) -> Result<Response, ApiError> {
    let mut body = call.record()?;
    let missing = |name: &str| ApiError::invalid("must not be null", name, "null");
    let Some(entity) = body["entityType"].as_str().map(str::to_owned) else {
        return Err(missing("entityType"));
    };
    let Value::Array(fields) = body["customFields"].take() else {
        return Err(missing("customFields"));
    };
    let context = UserContext::of(&call);
    change_custom_fields::replace_all(&context, username(&call), &entity, fields)
        .await
        .map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PUT `/custom-fields/{id}`.
///
/// # Errors
/// As [`create`], and 404 when there is none.
pub async fn change(call: Call) -> Result<Response, ApiError> {
    let (id, document) = (id(&call)?, call.record()?);
    change_custom_fields::change(&UserContext::of(&call), username(&call), id, document)
        .await
        .map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE `/custom-fields/{id}`, and all values of it.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = id(&call)?;
    change_custom_fields::delete(&UserContext::of(&call), id)
        .await
        .map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// GET `/custom-fields/{id}/stats`.
pub async fn stats(call: Call) -> Result<Response, ApiError> {
    let id = id(&call)?;
    let counted = count_custom_fields::count(&UserContext::of(&call), id).await;
    let (definition, count) = counted.map_err(refused)?;
    let body = json!({"fieldId": id, "entityType": definition["entityType"], "count": count});
    Ok(pretty(StatusCode::OK, &body))
}

/// GET `/custom-fields/{id}/options/{optId}/stats`.
///
/// # Errors
/// 404 when there is no such field, 422 when it has no such option.
pub async fn option_stats(call: Call) -> Result<Response, ApiError> {
    let (id, option) = (id(&call)?, call.segment("optId"));
    let counted = count_custom_fields::count_option(&UserContext::of(&call), id, option).await;
    let (definition, count) = counted.map_err(refused)?;
    let body = json!({
        "optionId": option,
        "customFieldId": id,
        "entityType": definition["entityType"],
        "count": count,
    });
    Ok(pretty(StatusCode::OK, &body))
}

/// The id of the field, which is not always the last segment.
fn id(call: &Call) -> Result<CustomFieldId, ApiError> {
    let text = call.segment("id");
    CustomFieldId::parse(text).ok_or_else(|| {
        let shown: String = text.chars().take(100).collect();
        ApiError::bad_request(format!(
            "'id' parameter is incorrect. parameter value {{{shown}}} is not valid: must be a UUID"
        ))
    })
}

fn username(call: &Call) -> Option<&str> {
    call.identity.as_ref().map(|one| one.claims.sub.as_str())
}
