//! Acquisitions units: which records a user sees, and what a user may do with a fund. The units belong to
//! orders, a later area: its tables are read by their names.

use std::collections::BTreeMap;

use octavo_boxed::boxed;
use octavo_records::plan::{Crossing, Predicate};
use octavo_records::{Executor, StoreError, Tables};
use uuid::Uuid;

use crate::refusal::{Declined, Refusal};
use crate::store::units::{Unit, of_user};

/// What is done with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Create,
    Read,
    Update,
    Delete,
}

/// All units, as a user stands to them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units(BTreeMap<Uuid, Unit>);

/// Reads the units of a user.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn units(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user: Option<Uuid>,
) -> Result<Units, StoreError> {
    let units = of_user(executor, tables, user).await?;
    Ok(Units(
        units.into_iter().map(|unit| (unit.id, unit)).collect(),
    ))
}

impl Units {
    /// A record is restricted only if it has units and each active one protects the act; then the user must
    /// be a member of one of them.
    ///
    /// # Errors
    /// When the user is no member.
    pub fn allow(&self, act: Act, units: &[Uuid]) -> Result<(), Declined> {
        let known = || units.iter().filter_map(|id| self.0.get(id));
        let protects = |unit: &Unit| match act {
            Act::Create => unit.protect_create,
            Act::Read => unit.protect_read,
            Act::Update => unit.protect_update,
            Act::Delete => unit.protect_delete,
        };
        let mut active = known().filter(|unit| !unit.is_deleted).peekable();
        if active.peek().is_none() || active.any(|unit| !protects(unit)) {
            return Ok(());
        }
        match known().any(|unit| unit.is_member) {
            true => Ok(()),
            false => Err(Refusal::NoPermission.into()),
        }
    }

    /// Units that are newly given to a record must exist and not be deleted.
    ///
    /// # Errors
    /// Names the others.
    pub fn assign(&self, before: &[Uuid], after: &[Uuid]) -> Result<(), Declined> {
        let is_missing = |id: &&Uuid| match self.0.get(id) {
            None => true,
            Some(unit) => unit.is_deleted && !before.contains(id),
        };
        let missing: Vec<Uuid> = after.iter().filter(is_missing).copied().collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(Refusal::UnitsNotFound(missing).into()),
        }
    }

    /// The records whose units let the user see them, by the list `jsonb->'acqUnitIds'`; `None` when that is
    /// all of them.
    #[must_use]
    pub fn visible(&self) -> Option<Predicate> {
        let is_open = |unit: &Unit| unit.is_member || unit.is_deleted || !unit.protect_read;
        let (open, closed): (Vec<&Unit>, Vec<&Unit>) =
            self.0.values().partition(|unit| is_open(unit));
        if closed.is_empty() {
            return None;
        }
        let has = |units: Vec<&Unit>| {
            let one = |unit: &Unit| {
                let list = format!("[\"{}\"]", unit.id);
                Predicate::Contains("(jsonb->'acqUnitIds')".to_owned(), list)
            };
            Predicate::Any(units.into_iter().map(one).collect())
        };
        let unprotected = Predicate::Except(Box::new(Predicate::Everything), Box::new(has(closed)));
        Some(match open.is_empty() {
            true => unprotected,
            false => Predicate::Any(vec![unprotected, has(open)]),
        })
    }

    /// The same for records that follow their funds, by the columns of these; one of them suffices.
    #[must_use]
    pub fn visible_by_fund(&self, columns: &[&str]) -> Option<Predicate> {
        let predicate = self.visible()?;
        let across = |column: &&str| {
            Predicate::Across(Box::new(Crossing {
                column: (*column).to_owned(),
                table: "fund".to_owned(),
                other: "id".to_owned(),
                predicate: predicate.clone(),
            }))
        };
        Some(Predicate::Any(columns.iter().map(across).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(number: u128, protects: bool, is_member: bool, is_deleted: bool) -> Unit {
        Unit {
            id: Uuid::from_u128(number),
            is_deleted,
            is_member,
            protect_create: protects,
            protect_read: protects,
            protect_update: protects,
            protect_delete: protects,
        }
    }

    fn office() -> Units {
        let units = [
            unit(1, true, false, false),
            unit(2, true, true, false),
            unit(3, false, false, false),
            unit(4, true, false, true),
        ];
        Units(units.into_iter().map(|unit| (unit.id, unit)).collect())
    }

    #[test]
    fn one_unprotected_unit_opens_a_record() {
        for (units, allowed) in [
            (&[][..], true),
            (&[1], false),
            (&[2], true),
            (&[1, 2], true),
            (&[1, 3], true),
            (&[4], true),
            (&[1, 4], false),
            (&[99], true),
        ] {
            let ids: Vec<Uuid> = units.iter().map(|id| Uuid::from_u128(*id)).collect();
            assert_eq!(
                office().allow(Act::Update, &ids).is_ok(),
                allowed,
                "{units:?}"
            );
        }
    }

    #[test]
    fn only_active_units_are_newly_given() {
        let (gone, unknown) = (Uuid::from_u128(4), Uuid::from_u128(99));
        assert!(office().assign(&[gone], &[gone]).is_ok());
        assert!(office().assign(&[], &[gone]).is_err());
        assert!(office().assign(&[unknown], &[unknown]).is_err());
        assert_eq!(Units::default().visible(), None);
        assert!(office().visible().is_some());
    }
}
