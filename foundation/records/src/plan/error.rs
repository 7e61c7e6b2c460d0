//! Queries that cannot be planned.

/// A query that is well-formed CQL but asks for something unsupported.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct PlanError {
    message: String,
}

impl PlanError {
    pub(super) fn new(message: impl Into<String>) -> PlanError {
        PlanError {
            message: message.into(),
        }
    }
}
