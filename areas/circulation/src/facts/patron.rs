//! Blocks of a patron, parsed leniently from stored documents.

use jiff::Timestamp;
use octavo_library::wire_time;
use serde::Deserialize;

/// A manual block.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManualBlock {
    /// The description.
    #[serde(default)]
    pub desc: Option<String>,
    /// The expiration.
    #[serde(default, with = "wire_time::optional")]
    pub expiration_date: Option<Timestamp>,
    /// Whether it forbids borrowing.
    #[serde(default)]
    pub borrowing: bool,
    /// Whether it forbids renewing.
    #[serde(default)]
    pub renewals: bool,
    /// Whether it forbids requesting.
    #[serde(default)]
    pub requests: bool,
}

impl ManualBlock {
    /// Whether the block forbids borrowing now.
    pub fn forbids_borrowing(&self, now: Timestamp) -> bool {
        self.borrowing && self.expiration_date.is_none_or(|date| date > now)
    }

    /// Whether the block forbids requesting now.
    pub fn forbids_requesting(&self, now: Timestamp) -> bool {
        self.requests && self.expiration_date.is_none_or(|date| date > now)
    }

    /// Whether the block forbids renewing now.
    pub fn forbids_renewing(&self, now: Timestamp) -> bool {
        self.renewals && self.expiration_date.is_none_or(|date| date > now)
    }
}

/// A block that follows from a patron block limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AutomatedBlock {
    /// The message for the patron.
    #[serde(default)]
    pub message: String,
    /// Whether it forbids borrowing.
    #[serde(default)]
    pub block_borrowing: bool,
}
