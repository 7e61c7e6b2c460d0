//! What a user may do with an invoice: acquisitions units and permissions.

use octavo_organizations::units::{self, Operation};
use octavo_records::{Context, Executor};
use serde_json::json;
use uuid::Uuid;

use crate::refusal::{Code, Declined, Refusal};
use crate::rules::document::Document;

/// The permissions of a user that an operation asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rights {
    /// Acquisitions units are not asked.
    pub bypasses_units: bool,
    /// Units may be given to new records.
    pub assigns_units: bool,
    /// Units of records may be changed.
    pub manages_units: bool,
    pub changes_fiscal_year: bool,
    pub approves: bool,
    pub pays: bool,
    pub cancels: bool,
}

/// The permissions that mod-invoice's routes desire.
pub mod permissions {
    pub const BYPASS: &str = "invoices.acquisition-units.bypass.execute";
    pub const ASSIGN: &str = "invoices.acquisitions-units-assignments.assign";
    pub const MANAGE: &str = "invoices.acquisitions-units-assignments.manage";
    pub const FISCAL_YEAR: &str = "invoices.fiscal-year.update.execute";
    pub const APPROVE: &str = "invoice.item.approve.execute";
    pub const PAY: &str = "invoice.item.pay.execute";
    pub const CANCEL: &str = "invoice.item.cancel.execute";
}

impl Rights {
    /// The rights of a user with these permissions.
    #[must_use]
    pub fn of(has: impl Fn(&str) -> bool) -> Rights {
        Rights {
            bypasses_units: has(permissions::BYPASS),
            assigns_units: has(permissions::ASSIGN),
            manages_units: has(permissions::MANAGE),
            changes_fiscal_year: has(permissions::FISCAL_YEAR),
            approves: has(permissions::APPROVE),
            pays: has(permissions::PAY),
            cancels: has(permissions::CANCEL),
        }
    }
}

/// Whether the user may do this to an invoice.
///
/// # Errors
/// 403 when its units forbid it.
pub async fn allow(
    context: &Context<'_>,
    executor: &dyn Executor,
    rights: Rights,
    operation: Operation,
    invoice: &Document,
) -> Result<(), Declined> {
    let ids = units::of_record(invoice);
    if rights.bypasses_units || ids.is_empty() {
        return Ok(());
    }
    let user = context.stamp.user_id;
    let standing = units::standing(executor, context.tables(), &ids, user).await?;
    let allowed = standing.allow(operation, &ids);
    allowed.map_err(|_| Refusal::forbidden(Code::Restricted).into())
}

/// Whether the user may make an invoice with its units.
///
/// # Errors
/// 403 without the permission or when the units forbid it, 422 for unknown units.
pub async fn allow_new(
    context: &Context<'_>,
    executor: &dyn Executor,
    rights: Rights,
    invoice: &Document,
) -> Result<(), Declined> {
    let ids = units::of_record(invoice);
    if ids.is_empty() {
        return Ok(());
    }
    if !rights.assigns_units {
        return Err(Refusal::forbidden(Code::MayNotManageUnits).into());
    }
    let user = context.stamp.user_id;
    let standing = units::standing(executor, context.tables(), &ids, user).await?;
    known(&standing.not_assignable(&ids, &[]))?;
    let allowed = standing.allow(Operation::Create, &ids);
    allowed.map_err(|_| Refusal::forbidden(Code::Restricted).into())
}

/// Whether the user may change an invoice, and its units where they change.
///
/// # Errors
/// 403 without the permission or when the units forbid it, 422 for unknown units.
pub async fn allow_change(
    context: &Context<'_>,
    executor: &dyn Executor,
    rights: Rights,
    held: &Document,
    new: &Document,
) -> Result<(), Declined> {
    let (had, given) = (units::of_record(held), units::of_record(new));
    let all: Vec<Uuid> = had.iter().chain(&given).copied().collect();
    if all.is_empty() {
        return Ok(());
    }
    let user = context.stamp.user_id;
    let standing = units::standing(executor, context.tables(), &all, user).await?;
    let changes =
        had.iter().any(|id| !given.contains(id)) || given.iter().any(|id| !had.contains(id));
    if changes && !rights.manages_units {
        return Err(Refusal::forbidden(Code::MayNotManageUnits).into());
    }
    known(&standing.not_assignable(&given, &had))?;
    if rights.bypasses_units {
        return Ok(());
    }
    let allowed = standing.allow(Operation::Update, &had);
    allowed.map_err(|_| Refusal::forbidden(Code::Restricted).into())
}

fn known(wrong: &[Uuid]) -> Result<(), Refusal> {
    match wrong.is_empty() {
        true => Ok(()),
        false => {
            Err(Refusal::invalid(Code::UnitsNotFound).with_property("acqUnitIds", json!(wrong)))
        }
    }
}
