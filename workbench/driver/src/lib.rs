//! Workloads, load driver, histograms and reports. Speaks HTTP only and knows no area, so that it
//! can measure any FOLIO.

pub mod cli;
pub mod drive;
pub mod duration;
pub mod feeder;
pub mod hammer;
pub mod measure;
pub mod page;
pub mod session;
pub mod workload;
