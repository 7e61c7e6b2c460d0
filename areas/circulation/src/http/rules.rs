//! `/circulation/rules`: the text, and the policies that it names.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::LocationId;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use super::desk;
use crate::app::save_rules::save_rules;
use crate::config_cache::ConfigCache;
use crate::rules::{CompiledRules, Criteria, Match, PolicyKind};
use crate::store::policy;

/// FOLIO's pattern of ids in its message.
const UUID_FORM: &str = "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[1-5][a-fA-F0-9]{3}-[89abAB][a-fA-F0-9]{3}-\
     [a-fA-F0-9]{12}$";

/// 200 with the text.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let found = policy::rules_text(&call.store().database, call.tables()).await?;
    let (id, _, text) = found.ok_or_else(ApiError::not_found)?;
    Ok(pretty(
        StatusCode::OK,
        &json!({"id": id, "rulesAsText": text}),
    ))
}

/// 204; the text is in force.
///
/// # Errors
/// 422 with message, line and column for an invalid text, and with only a message when the body is not
/// JSON.
pub async fn replace(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body = call.json().map_err(|error| match error {
        ApiError::Text(StatusCode::BAD_REQUEST, message) => {
            let message = format!("Failed to decode: {message}");
            ApiError::Json(
                StatusCode::UNPROCESSABLE_ENTITY,
                json!({"message": message}),
            )
        }
        other => other,
    })?;
    let Some(text) = body["rulesAsText"].as_str() else {
        return Err(ApiError::invalid("must not be null", "rulesAsText", "null"));
    };
    save(&cache, &call, text).await
}

/// 204; the record is stored whole, and its text followed from now on.
///
/// # Errors
/// As every record of FOLIO's storage when the body is none; 422 with message, line and column, when the
/// text is not understood.
pub async fn replace_record(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let mut body = call.record()?;
    let shape = &call.collection("circulation_rules").shape;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    let text = body["rulesAsText"].as_str().unwrap_or_default();
    save(&cache, &call, text).await
}

async fn save(cache: &Arc<ConfigCache>, call: &Call, text: &str) -> Result<Response, ApiError> {
    match save_rules(desk(call, cache), text).await? {
        Ok(()) => Ok(empty(StatusCode::NO_CONTENT)),
        Err(error) => Err(ApiError::Json(
            StatusCode::UNPROCESSABLE_ENTITY,
            json!({"message": error.message, "line": error.line, "column": error.column}),
        )),
    }
}

/// 200 with the policy of the winning rule.
///
/// # Errors
/// 400 when a parameter is missing or no id.
pub async fn policy_of(
    cache: Arc<ConfigCache>,
    kind: PolicyKind,
    call: Call,
) -> Result<Response, ApiError> {
    let (rules, criteria) = question(&cache, &call).await?;
    let found = rules.match_policy(kind, &criteria);
    let conditions = serde_json::to_value(found.conditions)?;
    let answer = json!({property(kind): found.policy_id, "appliedRuleConditions": conditions});
    Ok(pretty(StatusCode::OK, &answer))
}

/// 200 with the policies of every rule that matches, the best first.
///
/// # Errors
/// 400 when a parameter is missing or no id.
pub async fn all_policies_of(
    cache: Arc<ConfigCache>,
    kind: PolicyKind,
    call: Call,
) -> Result<Response, ApiError> {
    let (rules, criteria) = question(&cache, &call).await?;
    let matches: Vec<Value> = rules
        .match_all(kind, &criteria)
        .map(
            |Match {
                 policy_id, line, ..
             }| { json!({property(kind): policy_id, "circulationRuleLine": line}) },
        )
        .collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"circulationRuleMatches": matches}),
    ))
}

fn property(kind: PolicyKind) -> &'static str {
    match kind {
        PolicyKind::Loan => "loanPolicyId",
        PolicyKind::Request => "requestPolicyId",
        PolicyKind::Notice => "noticePolicyId",
        PolicyKind::OverdueFine => "overdueFinePolicyId",
        PolicyKind::LostItem => "lostItemPolicyId",
    }
}

async fn question(
    cache: &ConfigCache,
    call: &Call,
) -> Result<(Arc<CompiledRules>, Criteria), ApiError> {
    let id = |name: &str| -> Result<Uuid, ApiError> {
        let text = call.parameter(name)?.ok_or_else(|| {
            ApiError::bad_request(format!("required query parameter missing: {name}"))
        })?;
        Uuid::try_parse(&text).map_err(|_| {
            let shown: String = text.chars().take(64).collect();
            ApiError::bad_request(format!(
                "invalid uuid format of {name}, expecting {UUID_FORM} but it is {shown}"
            ))
        })
    };
    // In FOLIO's order: the first invalid one is reported.
    let (material_type, loan_type) = (id("item_type_id")?, id("loan_type_id")?);
    let patron_group = id("patron_type_id")?;
    let location = LocationId::from(id("location_id")?);
    let tables = call.tables();
    let database = &call.store().database;
    let terms = policy::tenant_terms(database, tables).await?;
    let config = cache.config(database, tables, &terms).await?;
    let place = config.locations.get(&location).map(|found| &found.place);
    let criteria = Criteria {
        patron_group: patron_group.into(),
        material_type: material_type.into(),
        loan_type: loan_type.into(),
        location,
        institution: place.and_then(|place| place.institution_id),
        campus: place.and_then(|place| place.campus_id),
        library: place.and_then(|place| place.library_id),
    };
    Ok((cache.rules(database, tables, &terms).await?, criteria))
}
