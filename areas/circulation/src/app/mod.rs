//! The operations of circulation, one per file: facts are read, a pure function decides, all in one
//! transaction.

mod account_notices;
pub mod actual_cost;
pub mod age_to_lost;
pub mod allowed_service_points;
pub mod anonymize_loans;
pub mod anonymize_requests;
mod automated_blocks;
pub mod bill_aged;
mod cached_config;
pub mod change_loan;
pub mod change_request;
pub mod check_in;
pub mod check_out;
pub mod claim_returned;
pub mod declare_lost;
pub mod declare_missing;
pub mod delete_request;
pub mod digest_notices;
pub mod dry_run;
pub mod due_notices;
mod due_portion;
pub mod expire_actual_costs;
pub mod expire_requests;
pub mod fee_notices;
pub mod follow_fees;
pub mod journal;
pub mod leave_note;
mod lines;
pub mod loan_fee_effects;
pub mod loan_fees;
pub mod loan_notices;
pub mod loan_record;
pub mod log_record_events;
pub mod log_requests;
pub mod lost_item;
pub mod move_request;
mod notice_outbox;
pub mod notice_to_send;
pub mod operation_error;
mod overdue_fine;
pub mod patron_action_sessions;
pub mod patron_card;
pub mod place;
mod place_facts;
pub mod place_for_instance;
pub mod policies;
pub mod print_events;
pub mod print_slips;
pub mod queue;
mod quota;
pub mod recall;
pub mod remind;
mod reminders;
pub mod renew;
pub mod renumber;
pub mod reorder;
pub mod request_notices;
pub mod save_rules;
pub mod save_setting;
mod session_notices;
pub mod settle_loss;
pub mod use_at_location;

use std::ops::Deref;

use octavo_library::UserId;
use octavo_records::{Contention, Context, Stamp, StoreError};
use uuid::Uuid;

use crate::config_cache::ConfigCache;
use crate::refusal::{AroundRequests, LossRefusal, PlacingRefusal, Refusal};

/// The context of an operation: tenant, operator, time and cache.
#[derive(Debug, Clone, Copy)]
pub struct Desk<'a> {
    /// Store, tenant, operator and time.
    pub context: Context<'a>,
    /// The cache of tenants' configuration.
    pub cache: &'a ConfigCache,
}

impl Desk<'_> {
    /// The same at another time or by another operator.
    #[must_use]
    pub fn at(mut self, stamp: Stamp) -> Self {
        self.context.stamp = stamp;
        self
    }

    /// The operating user.
    #[must_use]
    pub fn operator(&self) -> Option<UserId> {
        self.context.stamp.user_id.map(UserId::from)
    }
}

impl<'a> Deref for Desk<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        &self.context
    }
}

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum Declined {
    /// The rules of circulation prevent it.
    #[error("refused")]
    Refused(Vec<Refusal>),
    /// The record does not exist.
    #[error("{what} record with ID \"{id}\" cannot be found")]
    NotFound {
        /// `loan`, `request` and the like.
        what: &'static str,
        /// The id asked for.
        id: Uuid,
    },
    /// The request is invalid for this item or loan; FOLIO answers 400.
    #[error("{message}")]
    Malformed {
        /// FOLIO's message.
        message: String,
    },
    /// A refusal or failure of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Contention for Declined {
    fn is_contention(&self) -> bool {
        matches!(self, Declined::Store(error) if error.is_contention())
    }
}

impl From<PlacingRefusal> for Declined {
    fn from(refusal: PlacingRefusal) -> Declined {
        Declined::Refused(vec![refusal.into()])
    }
}

impl From<Refusal> for Declined {
    fn from(refusal: Refusal) -> Declined {
        Declined::Refused(vec![refusal])
    }
}

impl From<octavo_postgres::DatabaseError> for Declined {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Declined {
        Declined::Store(error.into())
    }
}

impl From<AroundRequests> for Declined {
    fn from(refusal: AroundRequests) -> Declined {
        Declined::Refused(vec![refusal.into()])
    }
}

impl From<LossRefusal> for Declined {
    fn from(refusal: LossRefusal) -> Declined {
        Declined::Refused(vec![refusal.into()])
    }
}
