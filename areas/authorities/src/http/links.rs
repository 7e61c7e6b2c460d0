//! `/links/instances/{instanceId}`.

use axum::response::Response;
use http::StatusCode;
use octavo_library::{AuthorityId, InstanceId};
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{object, refusal};
use crate::app::links::links_of;
use crate::app::{NewLink, Refusal, put_links};
use crate::store::links::{Link, counts};

/// The links of an instance.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let links = links_of(&call.context(), call.id()?.into()).await?;
    let links: Vec<Value> = links.iter().map(shown).collect();
    let body = json!({"totalRecords": links.len(), "links": links});
    Ok(json_bytes(StatusCode::OK, body.to_string()))
}

fn shown(link: &Link) -> Value {
    let mut shown = json!({
        "id": link.id, "authorityId": link.authority_id, "instanceId": link.instance_id,
        "linkingRuleId": link.rule, "status": link.status,
    });
    if let Some(natural_id) = &link.natural_id {
        shown["authorityNaturalId"] = json!(natural_id);
    }
    if let Some(cause) = &link.error_cause {
        shown["errorCause"] = json!(cause);
    }
    shown
}

/// The links of an instance replaced.
///
/// # Errors
/// 404 for unknown authorities, 422 for links of another instance.
pub async fn put(call: Call) -> Result<Response, ApiError> {
    let instance_id = InstanceId::from(call.id()?);
    let form = object(&call)?;
    let Some(sent) = form.get("links").and_then(Value::as_array) else {
        return Err(refusal::invalid("links: must not be null", "links", "null"));
    };
    let links: Vec<(InstanceId, NewLink)> = sent.iter().map(link).collect::<Result<_, _>>()?;
    let others: Vec<(String, String)> = links
        .iter()
        .filter(|(instance, _)| *instance != instance_id)
        .map(|(instance, _)| ("instanceId".to_owned(), instance.to_string()))
        .collect();
    if !others.is_empty() {
        return Err(Refusal::Invalid {
            message: format!("Link should have instanceId = {instance_id}"),
            parameters: others,
        }
        .into());
    }
    let links: Vec<NewLink> = links.into_iter().map(|(_, link)| link).collect();
    let context = call.context();
    let transaction = context.store.database.transaction().await?;
    put_links(&context, &transaction, instance_id, &links).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// How many instances each of some authorities is linked to.
///
/// # Errors
/// 422 without ids, and when there are too many.
pub async fn count(call: Call) -> Result<Response, ApiError> {
    let form = object(&call)?;
    let Some(sent) = form.get("ids").and_then(Value::as_array) else {
        return Err(refusal::invalid("ids: must not be null", "ids", "null"));
    };
    if sent.len() > COUNTED_MAX {
        let message = format!("At most {COUNTED_MAX} authorities are counted at a time");
        return Err(refusal::invalid(&message, "ids", &sent.len().to_string()));
    }
    let mut ids = Vec::with_capacity(sent.len());
    for one in sent {
        let text = one.as_str().unwrap_or("null");
        let id = AuthorityId::parse(text);
        let id = id.ok_or_else(|| refusal::bad("ids: must be UUIDs", "ids", text))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let counted = counts(&call.store().database, &call.tenant, &ids).await?;
    let of = |id: &AuthorityId| counted.iter().find(|(known, _)| known == id);
    let links: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "totalLinks": of(id).map_or(0, |(_, count)| *count)}))
        .collect();
    let body = json!({ "links": links });
    Ok(json_bytes(StatusCode::OK, body.to_string()))
}

/// Authorities that one statement counts.
const COUNTED_MAX: usize = 1_000;

fn link(sent: &Value) -> Result<(InstanceId, NewLink), ApiError> {
    let id = |name: &str| {
        let text = sent[name].as_str().unwrap_or("null");
        let id = Uuid::try_parse(text);
        id.map_err(|_| refusal::invalid(&format!("{name}: must be a UUID"), name, text))
    };
    let rule = sent["linkingRuleId"]
        .as_i64()
        .and_then(|id| i32::try_from(id).ok());
    let Some(rule) = rule else {
        let shown = sent["linkingRuleId"].to_string();
        return Err(refusal::invalid(
            "linkingRuleId: must not be null",
            "linkingRuleId",
            &shown,
        ));
    };
    let authority_id = id("authorityId")?.into();
    Ok((id("instanceId")?.into(), NewLink { authority_id, rule }))
}
