//! Who may do what with an order: acquisitions units, approval, and the numbers it may have.

use octavo_boxed::boxed;
use octavo_organizations::units::{Operation, standing};
use serde_json::json;
use uuid::Uuid;

use super::Act;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::doc::{Doc, filled, flag, ids, set};
use crate::rules::units::{check_assigned, protect as protect_by_units, same};
use crate::store::usage::{is_listed, is_number_taken};

/// Checks an operation on a record by its units.
///
/// # Errors
/// 403.
#[boxed]
pub async fn protect(
    act: Act<'_>,
    of_record: &[Uuid],
    operations: &[Operation],
) -> Result<(), Declined> {
    if act.rights.bypass_units || of_record.is_empty() {
        return Ok(());
    }
    let context = act.work.context;
    let user = context.stamp.user_id;
    let known = standing(act.work.transaction, context.tables(), of_record, user).await?;
    for operation in operations {
        protect_by_units(&known, of_record, *operation)?;
    }
    Ok(())
}

/// Checks the units that a new record gets.
///
/// # Errors
/// 422 for unknown units, 403 without the permission or when they protect from creating.
#[boxed]
pub async fn assign(act: Act<'_>, new: &[Uuid], may_assign: bool) -> Result<(), Declined> {
    if new.is_empty() {
        return Ok(());
    }
    let context = act.work.context;
    let user = context.stamp.user_id;
    let known = standing(act.work.transaction, context.tables(), new, user).await?;
    check_assigned(&known, &[], new)?;
    if !may_assign {
        return Err(Refusal::forbidden(Code::UserHasNoAcqUnitsPermission).into());
    }
    if act.rights.bypass_units {
        return Ok(());
    }
    Ok(protect_by_units(&known, new, Operation::Create)?)
}

/// Checks the units of a record that is changed.
///
/// # Errors
/// As [`assign`] and [`protect`].
#[boxed]
pub async fn reassign(
    act: Act<'_>,
    (old, new): (&[Uuid], &[Uuid]),
    may_manage: bool,
    operations: &[Operation],
) -> Result<(), Declined> {
    if !same(old, new) {
        if !may_manage {
            return Err(Refusal::forbidden(Code::UserHasNoAcqUnitsPermission).into());
        }
        let context = act.work.context;
        let known = standing(act.work.transaction, context.tables(), new, None).await?;
        check_assigned(&known, old, new)?;
    }
    protect(act, old, operations).await
}

/// The units of an order or title.
#[must_use]
pub fn units_of(record: &Doc) -> Vec<Uuid> {
    ids(record, "acqUnitIds")
}

/// Checks that the prefix and suffix of an order exist.
///
/// # Errors
/// 404.
#[boxed]
pub async fn affixes(act: Act<'_>, order: &Doc) -> Result<(), Declined> {
    let tables = act.work.context.tables();
    for (property, table, code) in [
        ("poNumberPrefix", "prefixes", Code::PrefixNotFound),
        ("poNumberSuffix", "suffixes", Code::SuffixNotFound),
    ] {
        if let Some(name) = filled(order, property)
            && !is_listed(act.work.transaction, tables, table, name).await?
        {
            return Err(Refusal::new(404, code).into());
        }
    }
    Ok(())
}

/// Checks that no other order has a number.
///
/// # Errors
/// 400.
#[boxed]
pub async fn number(act: Act<'_>, number: &str, apart_from: Option<Uuid>) -> Result<(), Declined> {
    let tables = act.work.context.tables();
    match is_number_taken(act.work.transaction, tables, number, apart_from).await? {
        true => Err(Refusal::bad(Code::PoNumberNotUnique).into()),
        false => Ok(()),
    }
}

/// Approves an order where it is approved now and the library asks for approval.
///
/// # Errors
/// 403 when the user may not approve.
pub fn approve(act: Act<'_>, order: &mut Doc, before: Option<&Doc>) -> Result<(), Declined> {
    let was = before.is_some_and(|before| flag(before, "approved"));
    if !act.terms.is_approval_required() || was || !flag(order, "approved") {
        return Ok(());
    }
    if !act.rights.approve {
        return Err(Refusal::forbidden(Code::UserHasNoApprovalPermission).into());
    }
    approved_by(act, order);
    Ok(())
}

/// Writes who approved an order, and when.
pub fn approved_by(act: Act<'_>, order: &mut Doc) {
    if let Some(user) = act.work.context.stamp.user_id {
        set(order, "approvedById", json!(user));
    }
    set(order, "approvalDate", act.now());
}
