//! Request policies: allowed request types and pickup service points.

use std::collections::HashSet;

use octavo_library::{RequestPolicyId, RequestType, ServicePointId};
use serde::Deserialize;

/// A request policy; reads the stored record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPolicy {
    /// The policy's id.
    pub id: RequestPolicyId,
    /// The kinds of request that it allows.
    #[serde(default)]
    pub request_types: Vec<RequestType>,
    /// The allowed pickup service points; types without an entry allow all.
    #[serde(default)]
    pub allowed_service_points: Option<PointsByType>,
}

/// Service points by the kind of request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct PointsByType {
    /// For holds.
    #[serde(rename = "Hold")]
    pub hold: Option<HashSet<ServicePointId>>,
    #[serde(rename = "Recall")]
    pub recall: Option<HashSet<ServicePointId>>,
    #[serde(rename = "Page")]
    pub page: Option<HashSet<ServicePointId>>,
}

impl RequestPolicy {
    /// Whether requests of a kind are allowed.
    #[must_use]
    pub fn allows(&self, kind: RequestType) -> bool {
        self.request_types.contains(&kind)
    }

    /// The service points to which a kind of request is limited; `None` if it is not.
    #[must_use]
    pub fn points(&self, kind: RequestType) -> Option<&HashSet<ServicePointId>> {
        let points = self.allowed_service_points.as_ref()?;
        match kind {
            RequestType::Hold => points.hold.as_ref(),
            RequestType::Recall => points.recall.as_ref(),
            RequestType::Page => points.page.as_ref(),
        }
    }

    /// Whether a request of this type may be picked up there.
    #[must_use]
    pub fn allows_pickup_at(&self, kind: RequestType, service_point: ServicePointId) -> bool {
        let points = self.points(kind);
        points.is_none_or(|points| points.contains(&service_point))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_policy_says_what_may_be_asked_for_and_where_it_is_picked_up() {
        let (desk, other) = (ServicePointId::from_u128(1), ServicePointId::from_u128(2));
        let policy: RequestPolicy =
            serde_json::from_value(json!({"id": RequestPolicyId::default(),
            "name": "Holds and pages", "requestTypes": ["Hold", "Page"],
            "allowedServicePoints": {"Page": [desk]}}))
            .expect("a policy");
        assert!(policy.allows(RequestType::Hold) && policy.allows(RequestType::Page));
        assert!(!policy.allows(RequestType::Recall));
        assert!(policy.allows_pickup_at(RequestType::Page, desk));
        assert!(!policy.allows_pickup_at(RequestType::Page, other));
        assert!(policy.allows_pickup_at(RequestType::Hold, other));
    }
}
