//! Drafts load like any workload, and result files are in the formats that the tools write.

mod anything;
mod cli;
mod har;
mod jmx;
mod results;
mod support;
