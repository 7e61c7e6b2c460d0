//! `/proxiesfor`: proxies and sponsors; each pair once, and nobody as their own proxy.

use octavo_platform::records_http::{Hooks, Refused, Write};
use octavo_platform::{ApiError, Call, Operation};
use octavo_records::StoreError;
use serde_json::Value;

/// A new pair is refused with an error list, a changed one with plain text.
pub const HOOKS: Hooks = Hooks {
    before,
    wording,
    ..Hooks::NONE
};

const ONESELF: &str =
    "A user cannot be their own proxy; name another user as userId or proxyUserId";

fn before(_: &Call, write: Write, document: &mut Value) -> Result<(), ApiError> {
    if !is_for_oneself(document) {
        return Ok(());
    }
    let user = document["userId"].as_str().unwrap_or_default();
    Err(match write {
        Write::Create => ApiError::invalid(ONESELF, "proxyUserId", user),
        Write::Replace(_) => ApiError::bad_request(ONESELF),
    })
}

/// FOLIO names the id that a new pair was sent with.
fn wording(refused: Refused<'_>) -> ApiError {
    match (refused.operation, &refused.error) {
        (Operation::Create, StoreError::Duplicate { message, field, .. }) if field == "userId" => {
            let sent = refused.call.record().unwrap_or_default();
            let id = sent["id"].as_str().unwrap_or("null");
            ApiError::invalid(message, "proxyFor", id)
        }
        _ => refused.as_stored(),
    }
}

fn is_for_oneself(document: &Value) -> bool {
    match (
        document["userId"].as_str(),
        document["proxyUserId"].as_str(),
    ) {
        (Some(user), Some(proxy)) => user.eq_ignore_ascii_case(proxy),
        _ => false,
    }
}
