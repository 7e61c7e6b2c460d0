//! The results of a run: histograms, statistics, the record of a run, and comparisons. Nothing here
//! does I/O or reads a clock.

pub mod baseline;
pub mod bootstrap;
pub mod compare;
pub mod condition;
mod encoded;
pub mod longevity;
pub mod rounds;
pub mod run;
mod series;
mod slope;
mod statistics;

pub use series::Series;
pub use slope::{Slope, Trend};
pub use statistics::Statistics;
