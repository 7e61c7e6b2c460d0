//! Acquisitions units: which records a user sees in lists, and what a user may do with a fund. The decision
//! about one record is that of all of acquisitions (`octavo_organizations::units`).

use octavo_boxed::boxed;
use octavo_organizations::units::{self, Operation};
use octavo_records::plan::{Crossing, Predicate};
use octavo_records::{Executor, StoreError, Tables};
use uuid::Uuid;

use crate::refusal::{Declined, Refusal};
use crate::store::units::{Unit, of_user};

/// All units, and which of them a user sees the records of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units(Vec<Unit>);

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
    Ok(Units(of_user(executor, tables, user).await?))
}

/// Refuses an operation that the units of a fund protect from this user.
///
/// # Errors
/// When the user is no member.
pub fn allow(units: &units::Units, operation: Operation, of_fund: &[Uuid]) -> Result<(), Declined> {
    let allowed = units.allow(operation, of_fund);
    allowed.map_err(|_| Refusal::NoPermission.into())
}

/// Refuses units that do not exist, and deleted ones that were not the fund's before.
///
/// # Errors
/// Names the others.
pub fn check_assigned(
    units: &units::Units,
    before: &[Uuid],
    after: &[Uuid],
) -> Result<(), Declined> {
    let missing = units.not_assignable(after, before);
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Refusal::UnitsNotFound(missing).into()),
    }
}

impl Units {
    /// The records whose units let the user see them, by the list `jsonb->'acqUnitIds'`; `None` when that is
    /// all of them.
    #[must_use]
    pub fn visible(&self) -> Option<Predicate> {
        let (open, closed): (Vec<&Unit>, Vec<&Unit>) =
            self.0.iter().partition(|unit| unit.is_visible);
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

    fn unit(number: u128, protects: bool, is_deleted: bool) -> units::Unit {
        units::Unit {
            id: Uuid::from_u128(number),
            is_deleted,
            protects_create: protects,
            protects_read: protects,
            protects_update: protects,
            protects_delete: protects,
        }
    }

    /// The user is a member of the second.
    fn office() -> units::Units {
        units::Units {
            known: vec![
                unit(1, true, false),
                unit(2, true, false),
                unit(3, false, false),
                unit(4, true, true),
            ],
            memberships: [Uuid::from_u128(2)].into(),
        }
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
            let outcome = allow(&office(), Operation::Update, &ids);
            assert_eq!(outcome.is_ok(), allowed, "{units:?}");
        }
    }

    #[test]
    fn only_active_units_are_newly_given() {
        let (gone, unknown) = (Uuid::from_u128(4), Uuid::from_u128(99));
        assert!(check_assigned(&office(), &[gone], &[gone]).is_ok());
        assert!(check_assigned(&office(), &[], &[gone]).is_err());
        assert!(check_assigned(&office(), &[unknown], &[unknown]).is_err());
    }

    #[test]
    fn a_list_is_narrowed_where_a_unit_protects_from_reading() {
        assert_eq!(Units::default().visible(), None);
        let closed = Unit {
            id: Uuid::from_u128(1),
            is_visible: false,
        };
        assert!(Units(vec![closed]).visible().is_some());
    }
}
