//! What a run leaves behind: times in histograms, errors with their first body, JTL rows. Each
//! worker thread records into its own recorder; nothing is shared until the end but a few counters
//! for the progress line.

mod catalogue;
mod failures;
mod jtl;
mod live;
pub mod processor;
mod recorder;
pub(crate) mod summary;

pub use catalogue::Catalogue;
pub use failures::{Failure, Failures};
pub use jtl::{JtlFile, JtlRow, JtlRows};
pub use live::{Live, LiveTotals};
pub use recorder::{Intended, Recorder, Sample, TransactionSample};
