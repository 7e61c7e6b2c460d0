//! Chooses the item of a title level request.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::Hash;

use jiff::Timestamp;
use octavo_library::{
    CampusId, InstitutionId, ItemId, ItemStatus, LibraryId, LocationId, Place, RequestType,
};

use super::allowed::allows;
use super::facts::Copy;
use crate::refusal::PlacingRefusal;

/// The choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Item(ItemId),
    /// Any item.
    Any,
    /// A recall, and no item can be recalled.
    NothingToRecall,
}

/// Chooses the item of a page or recall for a title. `near` are the locations that the pickup service
/// point serves; `code` limits pages to a location, library, campus or institution, whose codes `at`
/// knows.
///
/// # Errors
/// When no item can be paged.
pub fn choose(
    kind: Option<RequestType>,
    instance_id: &str,
    copies: &[Copy],
    near: &[(LocationId, &Place)],
    code: Option<(&str, &dyn Fn(LocationId) -> bool)>,
) -> Result<Choice, PlacingRefusal> {
    match kind {
        Some(RequestType::Page) => page(instance_id, copies, near, code).map(Choice::Item),
        Some(RequestType::Recall) => {
            Ok(recall(copies).map_or(Choice::NothingToRecall, Choice::Item))
        }
        _ => Ok(Choice::Any),
    }
}

/// The items that can be paged for this requester.
pub(super) fn pageable(copies: &[Copy]) -> impl Iterator<Item = &Copy> {
    copies.iter().filter(|copy| {
        copy.item.is(ItemStatus::Available) && allowed_by_policy(copy, RequestType::Page)
    })
}

fn allowed_by_policy(copy: &Copy, kind: RequestType) -> bool {
    let policy = copy.policy.as_ref();
    policy.is_some_and(|policy| policy.allows(kind))
}

fn page(
    instance_id: &str,
    copies: &[Copy],
    near: &[(LocationId, &Place)],
    code: Option<(&str, &dyn Fn(LocationId) -> bool)>,
) -> Result<ItemId, PlacingRefusal> {
    let mut found: Vec<&Copy> = pageable(copies).collect();
    if found.is_empty() {
        let instance_id = instance_id.to_owned();
        return Err(PlacingRefusal::NothingToPage { instance_id });
    }
    if let Some((code, at)) = code {
        found.retain(|copy| copy.item.effective_location_id.is_some_and(at));
        if found.is_empty() {
            let code = code.to_owned();
            return Err(PlacingRefusal::NothingToPageAt { code });
        }
    }
    let near = Near::of(near);
    let instance_id = || instance_id.to_owned();
    let nearest = found.into_iter().max_by_key(|copy| {
        // Of equally near items the first.
        (near.nearness(copy), Reverse(copy.item.id))
    });
    let nearest = nearest.map(|copy| copy.item.id);
    nearest.ok_or_else(|| PlacingRefusal::NothingToPage {
        instance_id: instance_id(),
    })
}

/// The surroundings of the pickup service point.
struct Near {
    locations: HashSet<LocationId>,
    libraries: HashSet<LibraryId>,
    campuses: HashSet<CampusId>,
    institutions: HashSet<InstitutionId>,
}

impl Near {
    fn of(places: &[(LocationId, &Place)]) -> Near {
        Near {
            locations: places.iter().map(|(id, _)| *id).collect(),
            libraries: places
                .iter()
                .filter_map(|(_, one)| one.library_id)
                .collect(),
            campuses: places.iter().filter_map(|(_, one)| one.campus_id).collect(),
            institutions: places
                .iter()
                .filter_map(|(_, one)| one.institution_id)
                .collect(),
        }
    }

    /// 4 in a location of the service point, 3 in its library, down to 0.
    fn nearness(&self, copy: &Copy) -> u8 {
        let place = copy.item.place.as_ref();
        match () {
            () if within(&self.locations, copy.item.effective_location_id) => 4,
            () if within(&self.libraries, place.and_then(|place| place.library_id)) => 3,
            () if within(&self.campuses, place.and_then(|place| place.campus_id)) => 2,
            () if within(
                &self.institutions,
                place.and_then(|place| place.institution_id),
            ) =>
            {
                1
            }
            () => 0,
        }
    }
}

fn within<I: Eq + Hash>(all: &HashSet<I>, id: Option<I>) -> bool {
    id.is_some_and(|id| all.contains(&id))
}

/// Of unrecalled items on loan the one due first; else the one with the fewest recalls; else any item
/// that can be recalled.
fn recall(copies: &[Copy]) -> Option<ItemId> {
    let possible = |copy: &&Copy| allows(RequestType::Recall, copy.item.status.name);
    let lent = || copies.iter().filter(possible).filter_map(due);
    let first = lent()
        .filter(|(copy, _)| copy.recalls == 0 && allowed_by_policy(copy, RequestType::Recall));
    let first = first.min_by_key(|(copy, due)| (*due, copy.item.id));
    let least = || {
        let recalled = lent().filter(|(copy, _)| copy.recalls > 0);
        recalled.min_by_key(|(copy, due)| (copy.recalls, *due, copy.item.id))
    };
    let chosen = first.or_else(least).map(|(copy, _)| copy);
    let chosen = chosen.or_else(|| copies.iter().find(possible));
    chosen.map(|copy| copy.item.id)
}

fn due(copy: &Copy) -> Option<(&Copy, Timestamp)> {
    let loan = copy.loan?;
    Some((copy, loan.due_date.unwrap_or(Timestamp::MAX)))
}
