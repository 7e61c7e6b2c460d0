//! Requests in, answers out; no decisions.

pub mod desk;
pub mod loans;
pub mod requests;
pub mod rules;
pub mod sessions;
mod slip;

use http::StatusCode;
use octavo_platform::{ApiError, Call};

use crate::app::{Declined, Desk};
use crate::refusal::Refusal;
use crate::rules_book::RulesBook;
use crate::store::Tables;

/// The desk that a request is made at.
fn desk<'a>(call: &'a Call, rules: &'a RulesBook) -> Desk<'a> {
    Desk {
        store: call.store(),
        tenant: &call.tenant,
        rules,
        stamp: call.stamp(),
    }
}

fn tables(call: &Call) -> Tables<'_> {
    Tables {
        tenant: &call.tenant,
        catalog: &call.store().catalog,
    }
}

impl From<Declined> for ApiError {
    fn from(declined: Declined) -> ApiError {
        match declined {
            Declined::Store(error) => error.into(),
            Declined::Refused(refusals) => ApiError::Errors(
                StatusCode::UNPROCESSABLE_ENTITY,
                refusals.iter().map(Refusal::to_error).collect(),
            ),
        }
    }
}
