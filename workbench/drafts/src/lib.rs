//! Reads what other load tools wrote. A JMeter plan or a browser's recording becomes a draft
//! workload with notes of what it could not take; result files of JMeter, k6 and Gatling become
//! samples that can be laid beside a run of ours. It sends nothing and knows no other room.

pub mod cli;
pub mod draft;
mod finish;
mod har;
mod jmx;
mod json_path;
mod login;
mod model;
pub mod note;
mod reference;
pub mod results;
mod write;

pub use draft::{Draft, DraftError, RunOptions};
pub use note::Note;
