//! `/overdue-fines-policies` and `/lost-item-fees-policies`: their special rules.

use http::StatusCode;
use octavo_platform::records_http::{Hooks, Refused, Write};
use octavo_platform::{ApiError, Operation};
use octavo_records::StoreError;
use serde_json::json;

use super::refused;
use crate::app::record_rules::{check_lost_policy, check_overdue_policy};

/// Policies for overdue fines.
pub const OVERDUE: Hooks = Hooks {
    before: |_, _, policy| check_overdue_policy(policy).map_err(refused),
    wording: |refused| {
        let message = "The Overdue fine policy name entered already exists. Please enter a \
                       different name.";
        worded(refused, message, "feesfines.policy.overdue.duplicate")
    },
    ..COMMON
};

/// Policies for lost items.
pub const LOST: Hooks = Hooks {
    before: |_, _, policy| check_lost_policy(policy).map_err(refused),
    wording: |refused| {
        let message = "The Lost item fee policy name entered already exists. Please enter a \
                       different name.";
        worded(refused, message, "feesfines.policy.lost.duplicate")
    },
    ..COMMON
};

const COMMON: Hooks = Hooks {
    body: |call, write| match write {
        Write::Create => call.record(),
        Write::Replace(_) => call.json(),
    },
    ..Hooks::NONE
};

/// A taken name of a new policy has a special message.
fn worded(refused: Refused<'_>, message: &str, code: &str) -> ApiError {
    match (refused.operation, &refused.error) {
        (Operation::Create, StoreError::Duplicate { field, .. }) if field.contains("name") => {
            let error = json!({"message": message, "code": code, "parameters": []});
            ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![error])
        }
        _ => refused.as_stored(),
    }
}
