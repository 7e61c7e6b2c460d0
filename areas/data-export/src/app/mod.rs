//! The operations of exports.

pub mod export;
mod failure;
mod gather;
mod id_lines;
pub mod jobs;
pub mod making;
pub mod new_job;
pub mod profiles;
pub mod stream;
pub mod upload;
pub mod work;

use octavo_records::Context;

pub use failure::{Failure, Reason};
