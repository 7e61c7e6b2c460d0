//! The results of a run: times in histograms, errors with their first body, JTL rows. Each worker
//! thread has a recorder of its own, which the coordinator empties once a second.

mod catalogue;
mod failures;
mod jtl;
pub mod processor;
mod recorder;
mod results;
mod server_times;
pub(crate) mod summary;

pub use catalogue::Catalogue;
pub use failures::{Failure, Failures};
pub use jtl::{JtlFile, JtlRow, JtlRows};
pub use recorder::{Bounds, Recorder, Sample, SampleSink, TransactionSample};
pub use results::{Fresh, Moment, Results, StageResults, Tally, WarmUp};
