//! Drafts are loaded as the workbench loads any workload; result files are of the forms that the
//! tools write.

mod anything;
mod cli;
mod har;
mod jmx;
mod results;
mod support;
