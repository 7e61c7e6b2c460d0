//! Runs a workload: sets up, runs the virtual users on their threads, collects their results. The
//! set-up is not measured.

mod arrivals;
mod clock;
mod collected;
mod coordinator;
mod crew;
mod feeding;
mod groups;
mod interrupts;
mod observer;
mod options;
mod progress;
mod rendering;
mod request;
mod schedule;
mod shared;
mod stage;
mod until;
mod virtual_user;

pub use arrivals::Rate;
pub use coordinator::{run, run_watched};
pub use observer::{Control, Live, Observer};
pub use options::{RunError, RunOptions};
pub use progress::ProgressStyle;
pub use stage::{Load, Stage, USERS_MAX};
pub use until::Until;
