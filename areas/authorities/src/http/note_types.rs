//! `/authority-note-types`.

use octavo_platform::ApiError;
use octavo_platform::records_http::{Hooks, Refused, Write};
use octavo_records::StoreError;

use super::{refusal, worded};
use crate::app::Refusal;

const KIND: &str = "Authority Note Type";

/// The ids of path and body must agree, and names are unique.
pub const HOOKS: Hooks = Hooks {
    before: |_, write, document| match write {
        Write::Create => Ok(()),
        Write::Replace(id) => {
            let sent = document["id"].as_str().unwrap_or("null");
            match sent == id.to_string() {
                true => Ok(()),
                false => {
                    let message = format!("Request should have id = {id}");
                    Err(refusal::invalid(&message, "id", sent))
                }
            }
        }
    },
    wording,
    ..super::HOOKS
};

fn wording(refused: Refused<'_>) -> ApiError {
    match &refused.error {
        StoreError::Duplicate { field, .. } if field == "name" => Refusal::Taken {
            message: "Authority note type with the given 'name' already exists.",
            code: "107",
        }
        .into(),
        _ => worded(refused, KIND),
    }
}
