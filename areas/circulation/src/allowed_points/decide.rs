//! The pickup service points that request policies allow.

use std::collections::BTreeSet;

use octavo_library::{RequestType, ServicePointId};

use super::KINDS;
use crate::request_policy::RequestPolicy;

/// Kinds of request with the service points allowed for each, in FOLIO's order.
pub type Allowed = Vec<(RequestType, BTreeSet<ServicePointId>)>;

/// The pickup service points that a policy allows, for request types that the items' statuses allow.
///
/// A request type with a list allows only these points; one without a list allows all. A request type
/// whose list has no existing point is not allowed.
#[must_use]
pub fn allowed_by(
    policy: &RequestPolicy,
    by_status: &[RequestType],
    places: &BTreeSet<ServicePointId>,
) -> Allowed {
    let by_policy = KINDS.iter().filter(|kind| policy.allows(**kind)).count();
    let listed = KINDS.iter().filter_map(|kind| policy.points(*kind));
    let lists: Vec<_> = listed.collect();
    let all: BTreeSet<ServicePointId> = if by_policy == lists.len() {
        let within = |id: &&ServicePointId| lists.iter().any(|list| list.contains(*id));
        places.iter().filter(within).copied().collect()
    } else {
        places.clone()
    };
    let kinds = KINDS.into_iter();
    let kinds = kinds.filter(|kind| policy.allows(*kind) && by_status.contains(kind));
    kinds
        .filter_map(|kind| {
            let Some(list) = policy.points(kind).filter(|list| !list.is_empty()) else {
                return Some((kind, all.clone()));
            };
            let there: BTreeSet<ServicePointId> = all
                .iter()
                .filter(|id| list.contains(*id))
                .copied()
                .collect();
            (!there.is_empty()).then_some((kind, there))
        })
        .collect()
}

/// The union of what several policies allow.
#[must_use]
pub fn combine(parts: impl IntoIterator<Item = Allowed>) -> Allowed {
    let mut found: [Option<BTreeSet<ServicePointId>>; KINDS.len()] = [const { None }; KINDS.len()];
    for (kind, points) in parts.into_iter().flatten() {
        let place = KINDS.iter().position(|one| *one == kind);
        if let Some(slot) = place.and_then(|at| found.get_mut(at)) {
            slot.get_or_insert_default().extend(points);
        }
    }
    let all = KINDS.into_iter().zip(found);
    all.filter_map(|(kind, points)| Some((kind, points?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;
    use RequestType::{Hold, Page, Recall};

    const A: ServicePointId = ServicePointId::from_u128(1);
    const B: ServicePointId = ServicePointId::from_u128(2);
    const GONE: ServicePointId = ServicePointId::from_u128(9);

    fn allowed(mut policy: Value, by_status: &[RequestType]) -> Allowed {
        policy["id"] = json!(A);
        let policy = RequestPolicy::deserialize(policy).expect("a policy");
        allowed_by(&policy, by_status, &BTreeSet::from([A, B]))
    }

    fn of(ids: &[ServicePointId]) -> BTreeSet<ServicePointId> {
        ids.iter().copied().collect()
    }

    #[test]
    fn a_policy_without_lists_allows_every_place_for_its_kinds() {
        let policy = json!({"requestTypes": ["Hold", "Page"]});
        assert_eq!(allowed(policy.clone(), &[Page]), [(Page, of(&[A, B]))]);
        assert_eq!(
            allowed(policy.clone(), &KINDS),
            [(Hold, of(&[A, B])), (Page, of(&[A, B]))]
        );
        assert_eq!(allowed(policy, &[Recall]), []);
        assert_eq!(allowed(json!({"requestTypes": []}), &KINDS), []);
    }

    #[test]
    fn a_list_narrows_its_own_kind_alone() {
        let policy = json!({"requestTypes": ["Hold", "Page"],
            "allowedServicePoints": {"Page": [B, GONE]}});
        assert_eq!(
            allowed(policy, &KINDS),
            [(Hold, of(&[A, B])), (Page, of(&[B]))]
        );
    }

    #[test]
    fn a_kind_whose_places_are_gone_is_not_allowed() {
        let policy = json!({"requestTypes": ["Hold", "Page"],
            "allowedServicePoints": {"Page": [GONE], "Hold": [A]}});
        assert_eq!(allowed(policy, &KINDS), [(Hold, of(&[A]))]);
    }

    #[test]
    fn lists_as_many_as_kinds_leave_no_other_place_even_for_a_kind_without_one() {
        let policy = json!({"requestTypes": ["Hold"], "allowedServicePoints": {"Page": [B]}});
        assert_eq!(allowed(policy, &KINDS), [(Hold, of(&[B]))]);
        let empty = json!({"requestTypes": ["Hold"], "allowedServicePoints": {"Hold": []}});
        assert_eq!(allowed(empty, &KINDS), [(Hold, of(&[]))]);
    }

    #[test]
    fn policies_add_up() {
        let one = vec![(Hold, of(&[A])), (Page, of(&[A]))];
        let other = vec![(Recall, of(&[B])), (Hold, of(&[B]))];
        assert_eq!(
            combine([one, other]),
            [(Hold, of(&[A, B])), (Recall, of(&[B])), (Page, of(&[A]))]
        );
        assert_eq!(combine([]), []);
    }
}
