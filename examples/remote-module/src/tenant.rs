//! The `_tenant` interface 2.0: the module is enabled for a tenant, upgraded or disabled. Usually
//! that is done within the request, which is answered with 204. A module that needs longer answers
//! 201 with a job, which the gateway polls until it is complete and then deletes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::{Request, StatusCode};
use hyper::body::Incoming;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Module;
use crate::answer::{self, Refusal, Response};
use crate::caller::Caller;
use crate::shelves::{ReadingList, put};

/// The most jobs that exist at the same time.
const JOBS_MAX: usize = 1_000;

/// The body of `POST /_/tenant`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Attributes {
    /// The module that is enabled; none when the module is disabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_to: Option<String>,
    /// The module that was enabled before an upgrade or is disabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_from: Option<String>,
    /// Whether disabling deletes the tenant's data.
    #[serde(default)]
    pub purge: bool,
    /// `loadSample=true` adds sample lists; `fail=…` makes the job fail with that reason.
    #[serde(default)]
    pub parameters: Vec<Parameter>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Parameter {
    pub key: String,
    #[serde(default)]
    pub value: String,
}

impl Attributes {
    fn parameter(&self, key: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|one| one.key == key);
        found.map(|one| one.value.as_str())
    }
}

/// The jobs that have not been deleted.
#[derive(Debug, Default)]
pub struct Jobs {
    by_id: Mutex<HashMap<Uuid, Job>>,
}

#[derive(Debug)]
struct Job {
    tenant: String,
    ends: Instant,
    /// The work, done when the job is due.
    attributes: Attributes,
    /// The result, once the job has run; the first request that finds it due runs it.
    outcome: Option<Result<(), String>>,
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Job>> {
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `POST /_/tenant`.
pub async fn change(
    module: &Module,
    caller: Caller,
    request: Request<Incoming>,
) -> Result<Response, Refusal> {
    let attributes: Attributes = answer::body(request).await?;
    let said = json!({"attributes": attributes, "hasToken": caller.token.is_some()});
    module.call_log.note("_tenant", &caller.tenant, said);
    let Some(delay_ms) = module.options.slow_tenant else {
        carry_out(module, &caller.tenant, &attributes).map_err(Refusal::bad_request)?;
        return Ok(answer::empty(StatusCode::NO_CONTENT));
    };
    let id = Uuid::new_v4();
    let job = Job {
        tenant: caller.tenant,
        ends: Instant::now() + Duration::from_millis(delay_ms),
        attributes,
        outcome: None,
    };
    let shown = shown(id, &job);
    let mut jobs = module.jobs.lock();
    if jobs.len() >= JOBS_MAX {
        return Err(Refusal::Text(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("There are {JOBS_MAX} jobs; delete those that are complete"),
        ));
    }
    jobs.insert(id, job);
    Ok(answer::created(&shown, &format!("/_/tenant/{id}")))
}

/// `GET /_/tenant/{id}`.
pub fn job(module: &Module, caller: &Caller, id: &str) -> Result<Response, Refusal> {
    let mut jobs = module.jobs.lock();
    let (id, job) = find(&mut jobs, caller, id)?;
    if job.outcome.is_none() && Instant::now() >= job.ends {
        job.outcome = Some(carry_out(module, &job.tenant, &job.attributes));
    }
    Ok(answer::json(StatusCode::OK, &shown(id, job)))
}

/// `DELETE /_/tenant/{id}`.
pub fn forget(module: &Module, caller: &Caller, id: &str) -> Result<Response, Refusal> {
    let mut jobs = module.jobs.lock();
    let (id, _) = find(&mut jobs, caller, id)?;
    jobs.remove(&id);
    Ok(answer::empty(StatusCode::NO_CONTENT))
}

fn find<'a>(
    jobs: &'a mut HashMap<Uuid, Job>,
    caller: &Caller,
    id: &str,
) -> Result<(Uuid, &'a mut Job), Refusal> {
    let id = Uuid::try_parse(id).map_err(|_| Refusal::not_found())?;
    let job = jobs.get_mut(&id).filter(|job| job.tenant == caller.tenant);
    job.map(|job| (id, job)).ok_or_else(Refusal::not_found)
}

fn shown(id: Uuid, job: &Job) -> Value {
    let mut shown = json!({
        "id": id,
        "tenant": job.tenant,
        "tenantAttributes": job.attributes,
        "complete": job.outcome.is_some(),
    });
    if let Some(Err(reason)) = &job.outcome {
        shown["error"] = json!(reason);
    }
    shown
}

/// Carries out the request; an error is the reason for the failure.
fn carry_out(module: &Module, tenant: &str, attributes: &Attributes) -> Result<(), String> {
    if let Some(reason) = attributes.parameter("fail") {
        return Err(reason.to_owned());
    }
    if attributes.module_to.is_none() {
        module.shelves.close(tenant, attributes.purge);
        return Ok(());
    }
    module.shelves.open(tenant);
    if attributes.parameter("loadSample") == Some("true") {
        let loaded = module.shelves.of(tenant, |shelf| {
            // After an upgrade the samples exist already, or somebody deleted them.
            if attributes.module_from.is_none() {
                for list in samples() {
                    shelf.remove(&list.id);
                    put(shelf, list)?;
                }
            }
            Ok(())
        });
        return loaded.map_err(|refusal| format!("{refusal:?}"));
    }
    Ok(())
}

/// The sample lists: the same for every tenant, with fixed ids.
fn samples() -> impl Iterator<Item = ReadingList> {
    let lists = [("Beginners", 1), ("Summer", 2)];
    lists.into_iter().map(|(name, number)| ReadingList {
        id: Uuid::from_u128(0x5eed_0000_0000_4000_8000_0000_0000_0000 + number),
        name: name.to_owned(),
        patron_id: None,
        patron_barcode: None,
        item_ids: Vec::new(),
        done: false,
        owner_id: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_okapi_sends_is_read_whether_or_not_it_is_all_there() {
        let disabled: Attributes =
            serde_json::from_value(json!({"module_from": "a-1", "purge": true})).expect("read");
        assert!(disabled.purge && disabled.module_to.is_none());
        let enabled: Attributes = serde_json::from_value(json!({
            "module_to": "a-1", "parameters": [{"key": "loadSample", "value": "true"}]
        }))
        .expect("read");
        assert_eq!(enabled.parameter("loadSample"), Some("true"));
        assert_eq!(enabled.parameter("loadReference"), None);
    }
}
