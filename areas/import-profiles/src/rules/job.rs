//! Validation of a job profile's tree.

use std::collections::HashMap;

use octavo_library::ProfileId;
use serde_json::Value;

use crate::kind::ProfileKind;
use crate::relation::{AssociationRequest, Relation};

const NOTHING: &str = "Job profile does not contain any associations";
const NO_ACTION: &str = "Linked ActionProfile was not found after MatchProfile";
const ALONE: &str = "Modify action cannot be used as a standalone action";
const AFTER_MATCH: &str = "Modify action cannot be used right after a Match";

impl From<Relation> for AssociationRequest {
    fn from(relation: Relation) -> AssociationRequest {
        AssociationRequest {
            id: Some(relation.id),
            master_profile_id: Some(relation.master_profile_id),
            detail_profile_id: Some(relation.detail_profile_id),
            master: Some(relation.master),
            detail: Some(relation.detail),
            master_wrapper_id: Some(relation.master_wrapper_id),
            detail_wrapper_id: Some(relation.detail_wrapper_id),
            job_profile_id: relation.job_profile_id,
            order: relation.order,
            react_to: relation.react_to,
        }
    }
}

/// The associations that a job will have: the current ones without removed ones, and the added ones.
/// Mappings are left out: they belong to their actions.
#[must_use]
pub fn resulting_associations(
    existing: Vec<Relation>,
    deleted: &[AssociationRequest],
    added: &[AssociationRequest],
) -> Vec<AssociationRequest> {
    let goes = |relation: &Relation| {
        deleted.iter().any(|one| match one.id {
            Some(id) => id == relation.id,
            None => {
                one.master_wrapper_id == Some(relation.master_wrapper_id)
                    && one.detail_wrapper_id == Some(relation.detail_wrapper_id)
            }
        })
    };
    existing
        .into_iter()
        .filter(|one| !matches!(one.detail, ProfileKind::Mapping | ProfileKind::Job))
        .filter(|one| !goes(one))
        .map(AssociationRequest::from)
        .chain(added.iter().cloned())
        .collect()
}

/// The profiles of a kind that are below others, with duplicates.
pub fn ids(
    resulting: &[AssociationRequest],
    kind: ProfileKind,
) -> impl Iterator<Item = Option<ProfileId>> {
    resulting
        .iter()
        .filter(move |one| one.detail == Some(kind))
        .map(|one| one.detail_profile_id)
}

/// The message about missing profiles, if there are any.
#[must_use]
pub fn missing(
    resulting: &[AssociationRequest],
    kind: ProfileKind,
    existing: &HashMap<ProfileId, Value>,
) -> Option<String> {
    let is_there = |id: &Option<ProfileId>| id.is_some_and(|id| existing.contains_key(&id));
    let missing: Vec<String> = ids(resulting, kind)
        .filter(|id| !is_there(id))
        .map(|id| {
            format!(
                "'{}'",
                id.map_or_else(|| "null".to_owned(), |id| id.to_string())
            )
        })
        .collect();
    let named = missing.join(", ");
    let class = kind.class();
    (!missing.is_empty()).then(|| format!("Linked {class}s with ids {named} were not found"))
}

/// The message for an empty tree.
#[must_use]
pub fn nothing(resulting: &[AssociationRequest]) -> Option<String> {
    resulting.is_empty().then(|| NOTHING.to_owned())
}

/// The message for a tree without an action.
#[must_use]
pub fn no_action(resulting: &[AssociationRequest]) -> Option<String> {
    let mut actions = ids(resulting, ProfileKind::Action);
    actions.next().is_none().then(|| NO_ACTION.to_owned())
}

/// The error in the positions of actions.
#[must_use]
pub fn misplaced(
    resulting: &[AssociationRequest],
    actions: &HashMap<ProfileId, Value>,
) -> Vec<String> {
    let does = |one: &AssociationRequest| -> Option<&str> {
        let action = actions.get(&one.detail_profile_id?)?;
        action["action"].as_str()
    };
    let only_modifies = resulting
        .iter()
        .all(|one| one.detail == Some(ProfileKind::Action) && does(one) == Some("MODIFY"));
    let mut problems = Vec::new();
    for one in resulting {
        if one.detail != Some(ProfileKind::Action) {
            continue;
        }
        let is_below = |kind| one.master == Some(kind);
        match does(one) {
            Some(does @ "UPDATE") if !is_below(ProfileKind::Match) => {
                let id = one.detail_profile_id.unwrap_or_default();
                problems.push(format!(
                    "ActionProfile with id '{id}' and action {does} requires linked MatchProfile"
                ));
            }
            Some("MODIFY") => {
                if is_below(ProfileKind::Job) && only_modifies {
                    problems.push(ALONE.to_owned());
                }
                if is_below(ProfileKind::Match) && is_first(resulting, one) {
                    problems.push(AFTER_MATCH.to_owned());
                }
            }
            _ => {}
        }
    }
    problems
}

/// Whether it is the first below its match.
fn is_first(resulting: &[AssociationRequest], one: &AssociationRequest) -> bool {
    if one.order == 0 {
        return true;
    }
    let Some(wrapper) = one.master_wrapper_id else {
        return false;
    };
    let siblings = resulting
        .iter()
        .filter(|other| other.master_wrapper_id == Some(wrapper));
    let first = siblings.min_by_key(|other| other.order);
    first.is_some_and(|first| std::ptr::eq(first, one))
}

#[cfg(test)]
mod tests {
    use octavo_library::ProfileWrapperId;
    use serde_json::json;

    use super::*;

    const CREATE: ProfileId = ProfileId::from_u128(1);
    const UPDATE: ProfileId = ProfileId::from_u128(2);
    const MODIFY: ProfileId = ProfileId::from_u128(3);
    const MATCH: ProfileId = ProfileId::from_u128(4);

    fn actions() -> HashMap<ProfileId, Value> {
        let action = |id, does: &str| (id, json!({ "action": does }));
        HashMap::from([
            action(CREATE, "CREATE"),
            action(UPDATE, "UPDATE"),
            action(MODIFY, "MODIFY"),
        ])
    }

    fn below(
        master: ProfileKind,
        detail: ProfileKind,
        id: ProfileId,
        order: i32,
    ) -> AssociationRequest {
        AssociationRequest {
            master: Some(master),
            detail: Some(detail),
            detail_profile_id: Some(id),
            order,
            ..AssociationRequest::default()
        }
    }

    #[test]
    fn actions_stand_where_they_can_be_carried_out() {
        use ProfileKind::{Action, Job, Match};
        let a_match = || below(Job, Match, MATCH, 0);
        for (resulting, problems) in [
            (vec![below(Job, Action, CREATE, 0)], vec![]),
            (
                vec![below(Job, Action, UPDATE, 0)],
                vec![
                    "ActionProfile with id '00000000-0000-0000-0000-000000000002' and action UPDATE \
                     requires linked MatchProfile",
                ],
            ),
            (vec![a_match(), below(Match, Action, UPDATE, 0)], vec![]),
            (vec![below(Job, Action, MODIFY, 0)], vec![ALONE]),
            (
                vec![below(Job, Action, MODIFY, 0), below(Job, Action, CREATE, 1)],
                vec![],
            ),
            (
                vec![a_match(), below(Match, Action, MODIFY, 0)],
                vec![AFTER_MATCH],
            ),
            (
                vec![
                    a_match(),
                    below(Match, Action, UPDATE, 0),
                    below(Match, Action, MODIFY, 1),
                ],
                vec![],
            ),
        ] {
            assert_eq!(misplaced(&resulting, &actions()), problems, "{resulting:?}");
        }
    }

    #[test]
    fn the_first_below_a_match_is_the_one_of_the_lowest_order() {
        let node = Some(ProfileWrapperId::from_u128(9));
        let at = |id, order| AssociationRequest {
            master_wrapper_id: node,
            ..below(ProfileKind::Match, ProfileKind::Action, id, order)
        };
        assert_eq!(
            misplaced(&[at(MODIFY, 1), at(UPDATE, 2)], &actions()),
            [AFTER_MATCH]
        );
        assert!(misplaced(&[at(MODIFY, 2), at(UPDATE, 1)], &actions()).is_empty());
    }

    #[test]
    fn missing_profiles_are_named() {
        let resulting = [
            below(ProfileKind::Job, ProfileKind::Action, CREATE, 0),
            below(ProfileKind::Job, ProfileKind::Action, MATCH, 1),
        ];
        assert_eq!(
            missing(&resulting, ProfileKind::Action, &actions()).as_deref(),
            Some(
                "Linked ActionProfiles with ids '00000000-0000-0000-0000-000000000004' were not found"
            )
        );
        assert_eq!(missing(&resulting, ProfileKind::Match, &actions()), None);
    }
}
