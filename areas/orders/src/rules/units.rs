//! What acquisitions units protect, with the refusals of orders. The decision is that of all of acquisitions
//! (`octavo_organizations::units`).

use std::collections::HashSet;

use octavo_organizations::units::{Operation, Units};
use serde_json::json;
use uuid::Uuid;

use crate::refusal::{Code, Refusal, Wrong};

/// Refuses an operation that the units of a record protect from this user.
///
/// # Errors
/// 403.
pub fn protect(units: &Units, of_record: &[Uuid], operation: Operation) -> Result<(), Refusal> {
    let allowed = units.allow(operation, of_record);
    allowed.map_err(|_| Refusal::forbidden(Code::UserNotAMemberOfTheAcq))
}

/// Refuses units that do not exist, and deleted ones that were not the record's before.
///
/// # Errors
/// 422 with their ids.
pub fn check_assigned(units: &Units, before: &[Uuid], after: &[Uuid]) -> Result<(), Refusal> {
    let unusable = units.not_assignable(after, before);
    if unusable.is_empty() {
        return Ok(());
    }
    let wrong = Wrong::of(Code::OrderAcqUnitsNotFound).with_property("acqUnitIds", json!(unusable));
    Err(Refusal::invalid(wrong))
}

/// Whether two lists name the same units.
#[must_use]
pub fn same(before: &[Uuid], after: &[Uuid]) -> bool {
    let set = |ids: &[Uuid]| ids.iter().copied().collect::<HashSet<Uuid>>();
    set(before) == set(after)
}

#[cfg(test)]
mod tests {
    use octavo_organizations::units::Unit;

    use super::*;

    const OPEN: Uuid = Uuid::from_u128(1);
    const CLOSED: Uuid = Uuid::from_u128(2);
    const GONE: Uuid = Uuid::from_u128(3);

    fn units(own: &[Uuid]) -> Units {
        let unit = |id: Uuid, protects_update: bool, is_deleted: bool| Unit {
            id,
            is_deleted,
            protects_create: false,
            protects_read: false,
            protects_update,
            protects_delete: false,
        };
        Units {
            known: vec![
                unit(OPEN, false, false),
                unit(CLOSED, true, false),
                unit(GONE, true, true),
            ],
            memberships: own.iter().copied().collect(),
        }
    }

    #[test]
    fn one_unprotected_unit_opens_a_record() {
        for (own, of_record, refused) in [
            (vec![], vec![], false),
            (vec![], vec![CLOSED], true),
            (vec![CLOSED], vec![CLOSED], false),
            (vec![OPEN], vec![CLOSED], true),
            (vec![], vec![CLOSED, OPEN], false),
            (vec![], vec![GONE], false),
            // A deleted unit does not open what another protects.
            (vec![], vec![CLOSED, GONE], true),
        ] {
            let outcome = protect(&units(&own), &of_record, Operation::Update);
            assert_eq!(outcome.is_err(), refused, "{own:?} {of_record:?}");
        }
    }

    #[test]
    fn new_units_exist_and_are_not_deleted() {
        let unknown = Uuid::from_u128(9);
        for (before, after, refused) in [
            (vec![], vec![OPEN], false),
            (vec![], vec![GONE], true),
            (vec![GONE], vec![GONE], false),
            (vec![], vec![unknown], true),
        ] {
            let outcome = check_assigned(&units(&[]), &before, &after);
            assert_eq!(outcome.is_err(), refused, "{before:?} {after:?}");
        }
    }
}
