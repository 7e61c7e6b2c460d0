//! A journal of the gateway's calls to the module's system interfaces, for tests to read.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use http::{Request, StatusCode};
use hyper::body::Incoming;
use serde_json::{Value, json};

use crate::Module;
use crate::answer::{self, Refusal, Response};
use crate::caller::Caller;

/// The most entries that are kept.
const ENTRIES_MAX: usize = 1_000;

/// The last calls, oldest first.
#[derive(Debug, Default)]
pub struct CallLog {
    entries: Mutex<VecDeque<Value>>,
}

impl CallLog {
    /// Records a call: interface, tenant and body.
    pub fn note(&self, interface: &str, tenant: &str, said: Value) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        while entries.len() >= ENTRIES_MAX {
            entries.pop_front();
        }
        entries.push_back(json!({"interface": interface, "tenant": tenant, "said": said}));
    }

    /// The calls for one tenant; all calls if the request is for the supertenant.
    pub fn of(&self, tenant: &str) -> Vec<Value> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let everything = tenant == "supertenant";
        let wanted = |entry: &&Value| everything || entry["tenant"] == tenant;
        entries.iter().filter(wanted).cloned().collect()
    }
}

/// `POST /_/tenantPermissions`: the permissions that a module defines for a tenant.
pub async fn permissions(
    module: &Module,
    caller: Caller,
    request: Request<Incoming>,
) -> Result<Response, Refusal> {
    let said: Value = answer::body(request).await?;
    if !said["moduleId"].is_string() {
        return Err(Refusal::Invalid(
            "must be the id of a module".to_owned(),
            "moduleId".to_owned(),
            said["moduleId"].to_string(),
        ));
    }
    module
        .call_log
        .note("_tenantPermissions", &caller.tenant, said);
    Ok(answer::empty(StatusCode::NO_CONTENT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_entries_are_kept_for_their_tenant() {
        let call_log = CallLog::default();
        call_log.note("_tenant", "other", json!(1));
        for number in 0..ENTRIES_MAX {
            call_log.note("_timer", "diku", json!(number));
        }
        assert!(call_log.of("other").is_empty());
        assert_eq!(call_log.of("diku").len(), ENTRIES_MAX);
        assert_eq!(call_log.of("diku")[0]["said"], 0);
    }
}
