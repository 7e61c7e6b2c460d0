//! `GET /_/index-advice`: the searches of a tenant that lack an index, with the index to declare.

use axum::response::Response;
use http::{Method, StatusCode};
use octavo_records::{IndexAdvice, Tenant, instant};
use serde_json::{Value, json};

use crate::call::Call;
use crate::error::ApiError;
use crate::module::Interface;
use crate::respond::pretty;
use crate::route::Handler;

#[must_use]
pub(crate) fn interface() -> Interface {
    Interface::new("octavo-index-advice", "1.0").route(
        Method::GET,
        "/_/index-advice",
        "octavo.index-advice.collection.get",
        Handler::call(list),
    )
}

async fn list(call: Call) -> Result<Response, ApiError> {
    let advice = call.store().index_advice(&call.tenant).await?;
    Ok(pretty(StatusCode::OK, &document(&call.tenant, &advice)))
}

/// Advice as JSON: `{"indexAdvice": [{"number": 1, …}], "totalRecords": 1}`.
#[must_use]
pub fn document(tenant: &Tenant, advice: &[IndexAdvice]) -> Value {
    let list: Vec<Value> = advice
        .iter()
        .map(|one| {
            let at = |seen| jiff::Timestamp::try_from(seen).ok().map(instant::format);
            json!({
                "number": one.number,
                "collection": one.collection,
                "query": one.shape,
                "times": one.times,
                "recordsReturned": one.rows,
                "recordsInCollection": one.records,
                "totalMilliseconds": rounded(one.total_ms),
                "longestMilliseconds": rounded(one.max_ms),
                "firstSeen": at(one.first_seen),
                "lastSeen": at(one.last_seen),
                "indexes": one.lacking,
                "apply": apply_command(tenant, one),
            })
        })
        .collect();
    json!({"totalRecords": list.len(), "indexAdvice": list})
}

/// The command that creates the advised index.
#[must_use]
pub fn apply_command(tenant: &Tenant, advice: &IndexAdvice) -> String {
    format!(
        "octavo index apply --tenant {} {}",
        tenant.id(),
        advice.number
    )
}

fn rounded(milliseconds: f64) -> f64 {
    (milliseconds * 10.0).round() / 10.0
}
