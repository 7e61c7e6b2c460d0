//! The heap profile of a program whose allocator cannot sample.

use tokio::sync::OwnedSemaphorePermit;

use super::folded::Folded;
use super::{Counted, ProfileError};

/// A profile that cannot exist.
pub(super) enum Sampling {}

impl Sampling {
    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub(super) fn begin(_: OwnedSemaphorePermit) -> Result<Sampling, ProfileError> {
        Err(ProfileError::NotBuilt)
    }

    pub(super) fn end(self, _: Counted) -> Result<Folded, ProfileError> {
        match self {}
    }
}
