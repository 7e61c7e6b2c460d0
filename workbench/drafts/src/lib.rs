//! Reads the files of other load tools. A JMeter plan or a browser's recording becomes a draft
//! workload with notes on what could not be converted; result files of JMeter, k6 and Gatling
//! become samples that can be compared with a run of ours. It sends nothing and depends on no other
//! crate of the workspace.

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
