//! `/linking-rules/instance-authority`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};
use serde_json::{Map, Value, json};

use super::{object, refusal};
use crate::app::Refusal;
use crate::rules::linking::{Rule, checked_subfields};
use crate::store::rules as store;

const KIND: &str = "Linking rule";

pub async fn list(call: Call) -> Result<Response, ApiError> {
    let rules = store::all(&call.store().database, &call.tenant).await?;
    let shown: Vec<Value> = rules.iter().map(shown).collect();
    Ok(json_bytes(StatusCode::OK, Value::Array(shown).to_string()))
}

/// One rule.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let rule = find(&call).await?;
    Ok(json_bytes(StatusCode::OK, shown(&rule).to_string()))
}

/// Changes whether a rule is for suggestions, and its subfields.
///
/// # Errors
/// 404 when there is none, 422 for an invalid change.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let form = object(&call)?;
    let id = number(&call)?;
    if form.get("id").and_then(Value::as_i64) != Some(i64::from(id)) {
        let sent = form.get("id").map_or("null".to_owned(), Value::to_string);
        return Err(refusal::invalid(
            &format!("Request should have id = {id}"),
            "id",
            &sent,
        ));
    }
    let auto_linking = switch(&form, "autoLinkingEnabled")?;
    let rule = find(&call).await?;
    let texts: Vec<&str> = form
        .get("authoritySubfields")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|one| one.as_str().unwrap_or_default())
        .collect();
    let subfields = checked_subfields(&rule, &texts)
        .map_err(|(message, key, value)| ApiError::from(Refusal::invalid(message, key, value)))?;
    let context = call.context();
    let database = &context.store.database;
    store::change(
        database,
        context.tenant,
        id,
        auto_linking,
        subfields.as_deref(),
    )
    .await?;
    Ok(empty(StatusCode::ACCEPTED))
}

/// A boolean, if sent. FOLIO also accepts it as a string.
fn switch(form: &Map<String, Value>, name: &str) -> Result<Option<bool>, ApiError> {
    match form.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(on)) => Ok(Some(*on)),
        Some(Value::String(word)) => match word.trim() {
            "" => Ok(None),
            "true" | "True" | "TRUE" => Ok(Some(true)),
            "false" | "False" | "FALSE" => Ok(Some(false)),
            other => Err(refusal::bad(
                format!("'{name}' must be true or false"),
                name,
                other,
            )),
        },
        Some(Value::Number(number)) if number.is_i64() => Ok(Some(number.as_i64() != Some(0))),
        Some(other) => Err(refusal::bad(
            format!("'{name}' must be true or false"),
            name,
            &other.to_string(),
        )),
    }
}

fn number(call: &Call) -> Result<i32, ApiError> {
    let text = call.path.last().map_or("", |(_, value)| value.as_str());
    text.parse()
        .map_err(|_| refusal::bad(format!("'{text}' is no number of a rule"), "ruleId", text))
}

async fn find(call: &Call) -> Result<Rule, ApiError> {
    let id = number(call)?;
    let rule = store::one(&call.store().database, &call.tenant, id).await?;
    rule.ok_or_else(|| refusal::not_found(KIND, id))
}

fn shown(rule: &Rule) -> Value {
    let codes: Vec<String> = rule.subfields.iter().map(char::to_string).collect();
    let modifications: Vec<Value> = rule
        .modifications
        .iter()
        .map(|(source, target)| json!({"source": source, "target": target}))
        .collect();
    let mut shown = json!({
        "id": rule.id, "bibField": rule.bib_field, "authorityField": rule.authority_field,
        "authoritySubfields": codes, "subfieldModifications": modifications,
        "autoLinkingEnabled": rule.auto_linking,
    });
    if !rule.existence.is_empty() {
        let wanted: Map<String, Value> = rule
            .existence
            .iter()
            .map(|(code, wanted)| (code.to_string(), json!(wanted)))
            .collect();
        shown["validation"] = json!({"existence": [wanted]});
    }
    shown
}
