//! Hooks of plain lists: codes that FOLIO checks by a pattern, and its words for taken names and codes.

use octavo_platform::records_http::{Hooks, Refused, Write};
use octavo_platform::respond::created;
use octavo_platform::{Answer, ApiError, Call};
use octavo_records::{StoreError, Violation};
use serde_json::Value;

use super::storage::with_sums;
use crate::refusal::Refusal;

/// Hooks whose creations have the `Location` of a business path.
macro_rules! located {
    ($prefix:literal, $hooks:expr) => {
        Hooks {
            created: |_, id, stored| created(stored, &format!(concat!($prefix, "{}"), id)),
            ..$hooks
        }
    };
}

/// Expense classes.
pub const EXPENSE_CLASSES: Hooks = Hooks {
    before: |_, _, document| without_colon(document),
    wording: |refused| taken("ExpenseClass", refused),
    ..Hooks::NONE
};

/// Groups.
pub const GROUPS: Hooks = Hooks {
    wording: |mut refused| {
        if let StoreError::StillReferenced { message, .. } = &mut refused.error {
            *message = message.replace("fund_group.id", "groups.id");
        }
        taken("Group", refused)
    },
    ..Hooks::NONE
};

/// New and replaced budgets of the storage interface.
pub const BUDGETS: Hooks = Hooks {
    before: |_, _, document| {
        with_sums(document);
        Ok(())
    },
    ..Hooks::NONE
};

/// Funds of the storage interface.
pub const FUNDS: Hooks = Hooks {
    before: |_, _, document| without_colon(document),
    ..Hooks::NONE
};

/// Rollover errors as `/finance` makes them.
pub const ROLLOVER_ERRORS: Hooks = located!("/finance/ledger-rollovers-errors/", Hooks::NONE);
/// Progress of rollovers likewise.
pub const ROLLOVER_PROGRESS: Hooks = located!("/finance/ledger-rollovers-progress/", MATCHING);
pub const BUSINESS_EXPENSE_CLASSES: Hooks = Hooks {
    before: |call, write, document| {
        matching(call, write, document)?;
        without_colon(document)
    },
    ..located!("/finance/expense-classes/", EXPENSE_CLASSES)
};
pub const BUSINESS_GROUPS: Hooks = Hooks {
    before: matching,
    ..located!("/finance/groups/", GROUPS)
};
pub const BUSINESS_FUND_TYPES: Hooks = located!("/finance/fund-types/", MATCHING);
pub const BUSINESS_LEDGERS: Hooks = located!("/finance/ledgers/", Hooks::NONE);
pub const BUSINESS_LOGS: Hooks = located!("/finance/fund-update-logs/", MATCHING);

/// The ids of path and body must be the same.
const MATCHING: Hooks = Hooks {
    before: matching,
    ..Hooks::NONE
};

fn matching(_: &Call, write: Write, document: &mut Value) -> Result<(), ApiError> {
    match (write, document.as_object_mut()) {
        (Write::Replace(id), Some(document)) => super::settle_id(id, document),
        _ => Ok(()),
    }
}

/// A code of a fund or expense class, both of which colons separate elsewhere.
pub(super) fn without_colon(document: &Value) -> Result<(), ApiError> {
    match document["code"].as_str() {
        Some(code) if code.is_empty() || code.contains(':') => {
            let violation = Violation {
                message: "must match \"^[^:]+$\"".to_owned(),
                code: "jakarta.validation.constraints.Pattern.message",
                path: "code".to_owned(),
                value: code.chars().take(100).collect(),
            };
            Err(StoreError::Invalid(vec![violation]).into())
        }
        _ => Ok(()),
    }
}

/// FOLIO's code for a taken name or code.
fn taken(name: &'static str, refused: Refused<'_>) -> ApiError {
    if let StoreError::Duplicate { field, .. } = &refused.error {
        for unique in ["name", "code"] {
            if field.contains(&format!("'{unique}'")) {
                return Refusal::Taken(name, unique).answer();
            }
        }
    }
    refused.as_stored()
}
