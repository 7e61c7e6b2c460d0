//! `/organizations/banking-information`: the records of storage under mod-organizations' permissions, with
//! its errors.

use octavo_platform::ApiError;
use octavo_platform::records_http::{Hooks, Write};
use octavo_records::OperationError;

use super::refusal::listed;
use crate::app::keep::settle_id;

/// The id in the body is that in the path, and errors are listed.
pub const HOOKS: Hooks = Hooks {
    before: |_, write, document| match write {
        Write::Create => Ok(()),
        Write::Replace(id) => {
            settle_id(id, document).map_err(|refusal| ApiError::from(OperationError::from(refusal)))
        }
    },
    wording: |refused| listed(refused.as_stored()),
    form: listed,
    created: |_, id, stored| {
        octavo_platform::respond::created(
            stored,
            &format!("/organizations/banking-information/{id}"),
        )
    },
    ..Hooks::NONE
};
