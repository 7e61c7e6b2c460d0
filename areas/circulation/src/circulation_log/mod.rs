//! The circulation log's lines of check-outs, check-ins and timers, made from a plan and its facts.
//! Nothing here reads or writes; names of service points come from a callback.

mod block;
mod check_in;
mod check_out;
mod fee;
mod log_record;
pub mod log_record_event;
mod notice;
mod request;
mod request_act;
#[cfg(test)]
mod tests;

use octavo_library::{RequestId, ServicePointId, UserId};

use crate::facts::LogLinks;

pub use block::block_record;
pub use check_in::{CheckedInWith, log_of_check_in};
pub use check_out::{CheckedOutWith, log_of_check_out};
pub use fee::{fee_line, is_charge};
pub use log_record::log_record;
pub use notice::{FeeAct, NoticeAbout, fee_billed, notice_not_sent, notice_sent};
pub use request::{RequestLine, request_created, request_moved};
pub use request_act::{log_of_queue, log_of_request};

/// Finds the names of service points.
pub type PointNames<'a> = &'a dyn Fn(ServicePointId) -> Option<String>;

fn about(user_id: Option<UserId>, request_id: Option<RequestId>) -> LogLinks {
    LogLinks {
        user_id,
        request_id,
        ..LogLinks::default()
    }
}
