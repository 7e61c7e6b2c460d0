//! `/custom-fields`: definitions, and how many records have values.

use axum::response::Response;
use http::StatusCode;
use octavo_library::CustomFieldId;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::respond::{created, empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::plan::SortTerm;
use octavo_records::{StoreError, expression};
use serde_json::{Value, json};

use crate::CustomFields;
use crate::app::{Refusal, change, count};

/// Definitions are listed in the order that the library chose.
pub(crate) const HOOKS: Hooks = Hooks {
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
        (StoreError::NotFound, Some(id)) => response(Refusal::NotFound(id.into())),
        _ => refused.as_stored(),
    }
}

/// The response for a refusal.
#[must_use]
pub fn response(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NotFound(id) => ApiError::text(
            StatusCode::NOT_FOUND,
            format!("CustomField not found by id: {id}"),
        ),
        Refusal::Definition(message) => one_error(message, json!({})),
        Refusal::DefinitionChanged {
            property,
            value,
            message,
        } => one_error(
            message,
            json!({"key": property, "value": json!(value).to_string()}),
        ),
        Refusal::Store(error) => error.into(),
    }
}

/// FOLIO answers here with a single error object instead of an error list.
fn one_error(message: String, parameter: Value) -> ApiError {
    ApiError::Json(
        StatusCode::UNPROCESSABLE_ENTITY,
        json!({"message": message, "type": "1", "code": "-1", "parameters": [parameter]}),
    )
}

/// POST `/custom-fields`.
///
/// # Errors
/// 422 when the definition is inconsistent.
pub(crate) async fn create(
    fields: &'static CustomFields,
    call: Call,
) -> Result<Response, ApiError> {
    let document = call.record()?;
    let stored = change::create(fields, &call.context(), username(&call), document).await;
    let stored = stored.map_err(response)?;
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
pub(crate) async fn replace_all(
    fields: &'static CustomFields,
    call: Call,
) -> Result<Response, ApiError> {
    let mut body = call.record()?;
    let missing = |name: &str| ApiError::invalid("must not be null", name, "null");
    let Some(entity) = body["entityType"].as_str().map(str::to_owned) else {
        return Err(missing("entityType"));
    };
    let Value::Array(documents) = body["customFields"].take() else {
        return Err(missing("customFields"));
    };
    let context = call.context();
    change::replace_all(fields, &context, username(&call), &entity, documents)
        .await
        .map_err(response)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PUT `/custom-fields/{id}`.
///
/// # Errors
/// As [`create`], and 404 when there is none.
pub(crate) async fn change(
    fields: &'static CustomFields,
    call: Call,
) -> Result<Response, ApiError> {
    let (id, document) = (id(&call)?, call.record()?);
    change::change(fields, &call.context(), username(&call), id, document)
        .await
        .map_err(response)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE `/custom-fields/{id}`, and all values of it.
pub(crate) async fn delete(
    fields: &'static CustomFields,
    call: Call,
) -> Result<Response, ApiError> {
    let id = id(&call)?;
    change::delete(fields, &call.context(), id)
        .await
        .map_err(response)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// GET `/custom-fields/{id}/stats`.
pub(crate) async fn stats(fields: &'static CustomFields, call: Call) -> Result<Response, ApiError> {
    let id = id(&call)?;
    let counted = count::count(fields, &call.context(), id).await;
    let (definition, count) = counted.map_err(response)?;
    let body = json!({"fieldId": id, "entityType": definition["entityType"], "count": count});
    Ok(pretty(StatusCode::OK, &body))
}

/// GET `/custom-fields/{id}/options/{optId}/stats`.
///
/// # Errors
/// 404 when there is no such field, 422 when it has no such option.
pub(crate) async fn option_stats(
    fields: &'static CustomFields,
    call: Call,
) -> Result<Response, ApiError> {
    let (id, option) = (id(&call)?, call.segment("optId"));
    let counted = count::count_option(fields, &call.context(), id, option).await;
    let (definition, count) = counted.map_err(response)?;
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
