//! A tenant's indexes in use: which searches lack one, which were added for it alone, and how they
//! are built without blocking writers.

mod advice;
mod applied;
mod aside;
mod builds;

pub use advice::IndexAdvice;
pub(super) use advice::{Advice, SearchTime};
pub(super) use applied::Overlay;
pub use applied::{AppliedIndex, INDEX_CHANNEL};
pub use aside::IndexesAside;
pub(super) use aside::{ASIDE, aside_of};
pub use builds::{BuildReport, IndexBuilds, IndexListing, IndexOrigin, IndexProblem};
