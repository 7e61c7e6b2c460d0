//! What staff have answered.

use serde::Deserialize;

/// The answers to the questions of a scan. The answer to a claim is FOLIO's `claimedReturnedResolution`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answers {
    /// The questions that were answered with "go on".
    #[serde(default)]
    pub confirmed: Vec<Confirmed>,
}

/// A question that is answered with "go on".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Confirmed {
    /// The item's status is unusual.
    Status,
    /// The item has several pieces, or lacks some.
    Pieces,
    /// Staff left notes for this act.
    Notes,
}
