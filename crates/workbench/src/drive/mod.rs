//! Running a workload: set up, let the virtual users work on their threads, merge what they
//! recorded. Nothing of the set-up is measured.

mod arrivals;
mod coordinator;
mod groups;
mod progress;
mod rendering;
mod request;
mod shared;
mod until;
mod virtual_user;

pub use arrivals::Rate;
pub use coordinator::{RunError, RunOptions, run};
pub use progress::ProgressStyle;
pub use until::{Until, Verdict};
