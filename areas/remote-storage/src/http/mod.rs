//! mod-remote-storage over HTTP: requests and responses, no decisions.

pub mod accessions;
pub mod configurations;
pub mod events;
pub mod extended_mappings;
pub mod items;
pub mod mappings;
mod parameters;
mod refusal;
pub mod retrievals;

use axum::response::Response;
use http::StatusCode;
use octavo_circulation::config_cache::ConfigCache;
use octavo_platform::Call;
use octavo_platform::respond::json_bytes;
use serde_json::Value;

use crate::app::Dock;

/// The context of a call that checks items in.
fn dock<'a>(call: &'a Call, cache: &'a ConfigCache) -> Dock<'a> {
    Dock {
        context: call.context(),
        cache,
    }
}

fn json(status: StatusCode, value: &Value) -> Response {
    json_bytes(status, value.to_string())
}
