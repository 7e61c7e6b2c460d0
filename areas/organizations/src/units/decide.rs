//! The decision about one record, and the condition on lists.

use std::collections::HashSet;

use octavo_records::Index;
use octavo_records::plan::{Predicate, TextMatch};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// What a user wants to do with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Create,
    Read,
    Update,
    Delete,
}

/// A unit, with what it protects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    pub id: Uuid,
    /// Deleted units stay in the table and protect nothing.
    pub is_deleted: bool,
    pub protects_create: bool,
    pub protects_read: bool,
    pub protects_update: bool,
    pub protects_delete: bool,
}

impl Unit {
    fn protects(&self, operation: Operation) -> bool {
        match operation {
            Operation::Create => self.protects_create,
            Operation::Read => self.protects_read,
            Operation::Update => self.protects_update,
            Operation::Delete => self.protects_delete,
        }
    }
}

/// The user may not do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restricted;

/// The units that a request concerns, and those of which the user is a member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units {
    pub known: Vec<Unit>,
    pub memberships: HashSet<Uuid>,
}

impl Units {
    /// Whether the user may do this to a record with these units. Only a record whose active units all
    /// protect the operation is restricted, and then for those who are members of none of them.
    ///
    /// # Errors
    /// When the user may not.
    pub fn allow(&self, operation: Operation, ids: &[Uuid]) -> Result<(), Restricted> {
        let mut active = self
            .known
            .iter()
            .filter(|unit| ids.contains(&unit.id) && !unit.is_deleted)
            .peekable();
        let is_protected = active.peek().is_some() && active.all(|unit| unit.protects(operation));
        let is_member = ids.iter().any(|id| self.memberships.contains(id));
        match is_protected && !is_member {
            true => Err(Restricted),
            false => Ok(()),
        }
    }

    /// The units that a record cannot be given: unknown ones, and deleted ones that it did not have.
    #[must_use]
    pub fn not_assignable(&self, given: &[Uuid], had: &[Uuid]) -> Vec<Uuid> {
        let is_assignable = |id: &Uuid| {
            let mut known = self.known.iter();
            known.any(|unit| unit.id == *id && (!unit.is_deleted || had.contains(id)))
        };
        let mut wrong: Vec<Uuid> = Vec::new();
        for id in given.iter().filter(|id| !is_assignable(id)) {
            if !wrong.contains(id) {
                wrong.push(*id);
            }
        }
        wrong
    }
}

/// The units of a record.
#[must_use]
pub fn of_record(record: &Map<String, Value>) -> Vec<Uuid> {
    let ids = record.get("acqUnitIds").and_then(Value::as_array);
    ids.into_iter()
        .flatten()
        .filter_map(|id| Uuid::try_parse(id.as_str()?).ok())
        .collect()
}

/// The condition that a list of records with `acqUnitIds` shows only what the user may see: records without
/// units, and those with one of `visible`.
#[must_use]
pub fn readable(visible: &[Uuid]) -> Predicate {
    let none = Predicate::Except(
        Box::new(Predicate::Everything),
        Box::new(Predicate::Present("acqUnitIds".to_owned())),
    );
    let index = Index::plain("acqUnitIds").case_sensitive().keep_accents();
    let empty = Predicate::Text(TextMatch::undeclared(index, "=", "[]"));
    let one_of = visible
        .iter()
        .map(|id| Predicate::Contains("jsonb->'acqUnitIds'".to_owned(), json!([id]).to_string()));
    Predicate::Any([none, empty].into_iter().chain(one_of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(id: u128, protects: bool, is_deleted: bool) -> Unit {
        Unit {
            id: Uuid::from_u128(id),
            is_deleted,
            protects_create: protects,
            protects_read: protects,
            protects_update: protects,
            protects_delete: protects,
        }
    }

    #[test]
    fn one_open_unit_opens_the_record() {
        let units = |memberships: &[u128]| Units {
            known: vec![
                unit(1, true, false),
                unit(2, false, false),
                unit(3, true, true),
            ],
            memberships: memberships.iter().map(|id| Uuid::from_u128(*id)).collect(),
        };
        for (ids, memberships, allowed) in [
            (vec![], vec![], true),
            (vec![1], vec![], false),
            (vec![1], vec![1], true),
            (vec![1], vec![2], false),
            (vec![1, 2], vec![], true),
            // A deleted unit protects nothing, and does not open what another protects.
            (vec![3], vec![], true),
            (vec![1, 3], vec![], false),
            // An unknown unit is no active unit.
            (vec![9], vec![], true),
        ] {
            let ids: Vec<Uuid> = ids.into_iter().map(Uuid::from_u128).collect();
            let result = units(&memberships).allow(Operation::Update, &ids);
            assert_eq!(result.is_ok(), allowed, "{ids:?} {memberships:?}");
        }
    }

    #[test]
    fn deleted_units_cannot_be_given_but_kept() {
        let units = Units {
            known: vec![unit(1, true, false), unit(3, true, true)],
            memberships: HashSet::new(),
        };
        let ids = |list: &[u128]| {
            list.iter()
                .map(|id| Uuid::from_u128(*id))
                .collect::<Vec<_>>()
        };
        for (given, had, wrong) in [
            (vec![1], vec![], vec![]),
            (vec![3], vec![], vec![3]),
            (vec![3], vec![3], vec![]),
            (vec![1, 9, 9], vec![], vec![9]),
        ] {
            assert_eq!(units.not_assignable(&ids(&given), &ids(&had)), ids(&wrong));
        }
    }
}
