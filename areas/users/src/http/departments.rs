//! `/departments`: with the number of users who belong to each.

use octavo_platform::ApiError;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_records::StoreError;

use crate::store::departments;

pub const HOOKS: Hooks = Hooks {
    page: Some(departments::page),
    one: Some(departments::page),
    wording,
    ..Hooks::NONE
};

fn wording(refused: Refused<'_>) -> ApiError {
    match refused.error {
        StoreError::Duplicate {
            status,
            field,
            value,
            ..
        } if field == "id" => StoreError::Duplicate {
            status,
            message: "Department with this id already exists".to_owned(),
            field,
            value,
        },
        // The membership has a table of its own; clients know the table of users only.
        StoreError::StillReferenced { message, .. } => StoreError::StillReferenced {
            message: message.replace("table user_department.", "table users."),
            table: "users".to_owned(),
        },
        other => other,
    }
    .into()
}
