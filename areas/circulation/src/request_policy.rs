//! What a request policy allows: kinds of request, and where each may be picked up. And which kinds
//! the status of an item allows, whatever the policy says.

use std::collections::HashSet;

use serde::Deserialize;
use uuid::Uuid;

use crate::facts::RequestType;

/// The kinds of request, in the order in which FOLIO tells them.
pub const KINDS: [RequestType; 3] = [RequestType::Hold, RequestType::Recall, RequestType::Page];

/// A request policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPolicy {
    /// The kinds that it allows.
    pub request_types: Option<Vec<RequestType>>,
    /// Where they may be picked up; anywhere unless it says something.
    pub allowed_service_points: Option<PointsByKind>,
}

/// Service points by the kind of request; nothing is said of a kind that has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct PointsByKind {
    /// Those of holds.
    pub hold: Option<HashSet<Uuid>>,
    /// Those of recalls.
    pub recall: Option<HashSet<Uuid>>,
    /// Those of pages.
    pub page: Option<HashSet<Uuid>>,
}

impl RequestPolicy {
    /// Whether a kind of request is allowed at all.
    #[must_use]
    pub fn allows(&self, kind: RequestType) -> bool {
        let kinds = self.request_types.as_ref();
        kinds.is_some_and(|kinds| kinds.contains(&kind))
    }

    /// The service points that are listed for a kind; nothing when all will do.
    #[must_use]
    pub fn listed(&self, kind: RequestType) -> Option<&HashSet<Uuid>> {
        let points = self.allowed_service_points.as_ref()?;
        match kind {
            RequestType::Hold => points.hold.as_ref(),
            RequestType::Recall => points.recall.as_ref(),
            RequestType::Page => points.page.as_ref(),
        }
    }
}

/// The kinds of request that can be made for an item of this status. Of one that FOLIO's circulation
/// does not know, holds alone.
#[must_use]
pub fn kinds_for_status(status: &str) -> &'static [RequestType] {
    use RequestType::{Hold, Page, Recall};
    match status.to_lowercase().as_str() {
        "available" => &[Page],
        "restricted" => &[Hold, Recall, Page],
        "checked out" | "awaiting pickup" | "awaiting delivery" | "in transit" | "paged"
        | "on order" | "in process" => &[Hold, Recall],
        "declared lost"
        | "claimed returned"
        | "withdrawn"
        | "lost and paid"
        | "aged to lost"
        | "intellectual item"
        | "in process (non-requestable)"
        | "long missing"
        | "unavailable"
        | "unknown" => &[],
        // "Missing" and whatever FOLIO has no name for.
        _ => &[Hold],
    }
}

/// The name of a kind on the wire.
#[must_use]
pub fn name_of(kind: RequestType) -> &'static str {
    match kind {
        RequestType::Hold => "Hold",
        RequestType::Recall => "Recall",
        RequestType::Page => "Page",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_policy_is_read_with_and_without_lists() {
        let policy = |document| RequestPolicy::deserialize(document).expect("a policy");
        let none = policy(json!({"name": "None", "requestTypes": null}));
        assert!(KINDS.iter().all(|kind| !none.allows(*kind)));
        let point = Uuid::from_u128(7);
        let some = policy(json!({"requestTypes": ["Page"],
            "allowedServicePoints": {"Page": [point], "Hold": null}}));
        assert!(some.allows(RequestType::Page) && !some.allows(RequestType::Hold));
        assert_eq!(
            some.listed(RequestType::Page),
            Some(&HashSet::from([point]))
        );
        assert_eq!(some.listed(RequestType::Hold), None);
    }

    #[test]
    fn the_status_of_an_item_decides_what_can_be_asked() {
        use RequestType::{Hold, Page, Recall};
        for (status, kinds) in [
            ("Available", &[Page][..]),
            ("Restricted", &[Hold, Recall, Page]),
            ("Checked out", &[Hold, Recall]),
            ("Paged", &[Hold, Recall]),
            ("Missing", &[Hold]),
            ("Order closed", &[Hold]),
            ("Declared lost", &[]),
            ("Long missing", &[]),
            ("In process", &[Hold, Recall]),
            ("In process (non-requestable)", &[]),
        ] {
            assert_eq!(kinds_for_status(status), kinds, "{status}");
        }
    }
}
