//! What a run measured: histograms, statistics, the record of a run, and how two of them compare.
//! Nothing here does I/O or looks at a clock.

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
