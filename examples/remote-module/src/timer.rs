//! The `_timer` interface: the gateway calls it periodically for each tenant, without a user.

use http::StatusCode;
use serde_json::json;

use crate::Module;
use crate::answer::{self, Refusal, Response};
use crate::caller::Caller;

/// Deletes the lists that are done.
pub fn tidy(module: &Module, caller: &Caller) -> Result<Response, Refusal> {
    let cleared = module.shelves.of(&caller.tenant, |shelf| {
        let before = shelf.len();
        shelf.retain(|_, list| !list.done);
        Ok(before - shelf.len())
    })?;
    let said = json!({"cleared": cleared, "user": caller.user_id});
    module.call_log.note("_timer", &caller.tenant, said);
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
