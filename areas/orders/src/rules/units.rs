//! What acquisitions units protect, and from whom.

use std::collections::HashSet;

use serde_json::json;
use uuid::Uuid;

use super::doc::{Doc, flag, id};
use crate::refusal::{Code, Refusal, Wrong};

/// What is done with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Create,
    Read,
    Update,
    Delete,
}

impl Operation {
    /// The property of a unit that protects from it.
    #[must_use]
    pub fn protection(self) -> &'static str {
        match self {
            Operation::Create => "protectCreate",
            Operation::Read => "protectRead",
            Operation::Update => "protectUpdate",
            Operation::Delete => "protectDelete",
        }
    }
}

/// The units of a record, and what is known of them.
#[derive(Debug, Clone, Default)]
pub struct Units {
    /// Those that exist.
    pub known: Vec<Doc>,
    /// Those of them that the user belongs to.
    pub own: HashSet<Uuid>,
}

impl Units {
    /// Refuses an operation that all units of the record protect, unless the user belongs to one of them.
    ///
    /// # Errors
    /// 403.
    pub fn protect(&self, of_record: &[Uuid], operation: Operation) -> Result<(), Refusal> {
        let units: Vec<&Doc> = self
            .known
            .iter()
            .filter(|unit| id(unit, "id").is_some_and(|id| of_record.contains(&id)))
            .collect();
        // A unit that is deleted protects nothing.
        let protects = |unit: &&Doc| !flag(unit, "isDeleted") && flag(unit, operation.protection());
        let is_restricted = !units.is_empty() && units.iter().all(protects);
        let is_member = of_record.iter().any(|id| self.own.contains(id));
        match is_restricted && !is_member {
            true => Err(Refusal::forbidden(Code::UserNotAMemberOfTheAcq)),
            false => Ok(()),
        }
    }

    /// Refuses units that do not exist, and deleted ones that were not the record's before.
    ///
    /// # Errors
    /// 422 with their ids.
    pub fn check_assigned(&self, before: &[Uuid], after: &[Uuid]) -> Result<(), Refusal> {
        let is_usable = |wanted: &Uuid| {
            let mut known = self.known.iter();
            known.any(|unit| {
                id(unit, "id") == Some(*wanted)
                    && (before.contains(wanted) || !flag(unit, "isDeleted"))
            })
        };
        let unusable: Vec<&Uuid> = after.iter().filter(|id| !is_usable(id)).collect();
        if unusable.is_empty() {
            return Ok(());
        }
        let wrong = Wrong::of(Code::OrderAcqUnitsNotFound).telling("acqUnitIds", json!(unusable));
        Err(Refusal::invalid(wrong))
    }
}

/// Whether two lists name the same units.
#[must_use]
pub fn same(before: &[Uuid], after: &[Uuid]) -> bool {
    let set = |ids: &[Uuid]| ids.iter().copied().collect::<HashSet<Uuid>>();
    set(before) == set(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    const OPEN: Uuid = Uuid::from_u128(1);
    const CLOSED: Uuid = Uuid::from_u128(2);
    const GONE: Uuid = Uuid::from_u128(3);

    fn units(own: &[Uuid]) -> Units {
        let unit = |id: Uuid, protects: bool, deleted: bool| {
            object(json!({"id": id, "protectUpdate": protects, "isDeleted": deleted}))
        };
        Units {
            known: vec![
                unit(OPEN, false, false),
                unit(CLOSED, true, false),
                unit(GONE, true, true),
            ],
            own: own.iter().copied().collect(),
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
        ] {
            let outcome = units(&own).protect(&of_record, Operation::Update);
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
            let outcome = units(&[]).check_assigned(&before, &after);
            assert_eq!(outcome.is_err(), refused, "{before:?} {after:?}");
        }
    }
}
