//! Jobs that return the ids of a query's hits.

use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Failure;
use crate::query::{Fault, authorities, compile};
use crate::store::SearchTables;
use crate::store::jobs::Job;

/// Maximal number of ids of a job.
const IDS_MAX: i64 = 200_000;
/// Maximal length of a stored query.
const QUERY_BYTES_MAX: usize = 100_000;

/// The body of a job.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobForm {
    query: String,
    entity_type: String,
}

/// Makes a job.
///
/// # Errors
/// For invalid queries and types.
pub async fn create(place: SearchTables<'_>, form: &JobForm) -> Result<Value, Failure> {
    if !["INSTANCE", "HOLDINGS", "AUTHORITY"].contains(&form.entity_type.as_str()) {
        let message = format!("Unexpected value '{}'", form.entity_type);
        return Err(Fault::of(message, "entityType", form.entity_type.clone()).into());
    }
    if form.query.len() > QUERY_BYTES_MAX {
        let message = format!("A query has at most {QUERY_BYTES_MAX} bytes");
        return Err(Fault::of(message, "query", form.query.len().to_string()).into());
    }
    // As in FOLIO an invalid query makes the job fail, not this request.
    let tenant = place.tenant.id();
    let compiled = match form.entity_type.as_str() {
        "AUTHORITY" => authorities::compile(&form.query, tenant).map(|_| ()),
        _ => compile(&form.query, tenant).map(|_| ()),
    };
    let status = match compiled {
        Ok(()) => "COMPLETED",
        Err(_) => "ERROR",
    };
    let job = place
        .add_job(&form.query, &form.entity_type, status)
        .await?;
    // Clients poll for completion, so the first response says "in progress".
    Ok(job.map_or(Value::Null, |job| {
        let status = "IN_PROGRESS".to_owned();
        shown(&Job { status, ..job })
    }))
}

/// A job.
///
/// # Errors
/// When there is none of this id.
pub async fn read(place: SearchTables<'_>, id: &str) -> Result<Value, Failure> {
    Ok(shown(&find(place, id).await?))
}

async fn find(place: SearchTables<'_>, id: &str) -> Result<Job, Failure> {
    let found = match Uuid::try_parse(id) {
        Ok(id) => place.job(id).await?,
        Err(_) => None,
    };
    found.ok_or_else(|| Failure::NoSuchJob(id.to_owned()))
}

/// The current hits of a job's query, which can be read once.
///
/// # Errors
/// When there is no such job, it failed or was read before, or it has too many hits.
pub async fn ids(place: SearchTables<'_>, id: &str) -> Result<String, Failure> {
    let job = find(place, id).await?;
    if job.status != "COMPLETED" {
        let query: String = job.query.chars().take(500).collect();
        let message = format!("Completed async job with query=[{query}] was not found.");
        return Err(Failure::Service(message));
    }
    let found = found(place, &job.query, &job.entity_type).await?;
    place.use_up(job.id).await?;
    Ok(as_json(&found))
}

/// The ids of a query's hits.
///
/// # Errors
/// When the query is invalid or has too many hits.
pub async fn found(
    place: SearchTables<'_>,
    query: &str,
    entity_type: &str,
) -> Result<Vec<Uuid>, Failure> {
    let found = match entity_type {
        "AUTHORITY" => {
            let wanted = authorities::compile(query, place.tenant.id())?;
            place.authority_ids(&wanted, IDS_MAX + 1).await?
        }
        kind => {
            let condition = compile(query, place.tenant.id())?.condition();
            place
                .ids(&condition, kind == "HOLDINGS", IDS_MAX + 1)
                .await?
        }
    };
    if found.len() as i64 > IDS_MAX {
        let message = format!("The query finds more than {IDS_MAX} records; narrow it");
        return Err(Fault::of(message, "query", query).into());
    }
    Ok(found)
}

/// Ids in FOLIO's form.
#[must_use]
pub fn as_json(found: &[Uuid]) -> String {
    let mut body = String::with_capacity(50 * found.len() + 50);
    body.push_str("{\"ids\": [");
    for (at, id) in found.iter().enumerate() {
        let comma = if at > 0 { ", " } else { "" };
        body.push_str(&format!("{comma}{{\"id\": \"{id}\"}}"));
    }
    body.push_str(&format!("], \"totalRecords\": {}}}", found.len()));
    body
}

fn shown(job: &Job) -> Value {
    json!({"id": job.id, "query": job.query, "entityType": job.entity_type,
           "status": job.status, "createdDate": job.created})
}
