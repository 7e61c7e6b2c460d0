//! What follows for fees from what happened to a loan, in the transaction of the act itself.
//!
//! Each function is named by what happened. Records of actual costs, which belong to circulation,
//! are made and cancelled here. Accounts are not charged or given back yet; these are the places:
//!
//! - `declared_lost`: give back what was charged when the item aged to lost, then charge the set
//!   cost and the processing fee for declared items.
//! - `aged_to_lost_billed`: charge the set cost and the processing fee for aged items.
//! - `loss_undone`: give back the fee for the item, and the processing fee if the policy says so.
//! - A late return or renewal has no consequence on the loan's side: the overdue fine belongs behind
//!   the writes of `app/check_in.rs`, beside `loss_undone`, and behind those of a renewal.
//!
//! A reminder's fee is charged by `app/remind.rs`.

use jiff::Timestamp;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{insert, replace};
use serde_json::json;
use uuid::Uuid;

use super::Desk;
use crate::facts::Loan;
use crate::loss::{LOST_AND_PAID, LostItemPolicy, is_unresolved};
use crate::store::loss::{ACTUAL_COST_FEE_TYPE, FeeFineOwner};
use crate::store::{actual_cost, loan, loss};
use crate::wire_time;

/// FOLIO's id of the automatic fee for an actual cost.
const ACTUAL_COST_FEE_TYPE_ID: Uuid = Uuid::from_u128(0x73785370_d3bd_4d92_942d_ae2268e02ded);

/// A loan whose item is lost, with what its fees depend on.
#[derive(Debug, Clone, Copy)]
pub struct LostLoan<'a> {
    /// The loan as it was before.
    pub loan: &'a Loan,
    /// The policy that it was made under.
    pub policy: &'a LostItemPolicy,
    /// Whom fees are owed to; there is one wherever something is charged.
    pub owner: Option<&'a FeeFineOwner>,
}

/// Why the fees for a loss are no longer owed; the sentence is FOLIO's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossUndone {
    /// The item came back.
    Returned,
    /// The loan was renewed.
    Renewed,
    /// The item had aged to lost, and was declared lost now.
    DeclaredLost,
}

impl LossUndone {
    fn sentence(self) -> &'static str {
        match self {
            LossUndone::Returned => "Lost item was returned",
            LossUndone::Renewed => "Lost item was renewed",
            LossUndone::DeclaredLost => "Aged to lost item was declared lost",
        }
    }
}

/// An item was declared lost: what was charged because it had aged to lost is taken back, and what
/// the policy charges now is charged.
///
/// # Errors
/// When the database does not answer.
pub async fn declared_lost(
    desk: Desk<'_>,
    transaction: &Transaction,
    lost: LostLoan<'_>,
    lost_at: Timestamp,
) -> Result<(), StoreError> {
    let LostLoan { loan, policy, .. } = lost;
    if !policy.charges_actual_cost() {
        return Ok(());
    }
    if policy.gives_back(lost_at, desk.stamp.at) {
        cancel_actual_cost(desk, transaction, loan.id, LossUndone::DeclaredLost).await?;
    }
    let at = desk.stamp.at;
    record_actual_cost(desk, transaction, lost, "Declared lost", at).await
}

/// Whether all that a policy charges for an aged item can be charged. Accounts are not made yet, so
/// a set cost and a processing fee cannot.
#[must_use]
pub fn charges_all_of(policy: &LostItemPolicy) -> bool {
    policy.set_cost().is_none() && policy.aged_to_lost_processing_fee().is_none()
}

/// The delay is over after which the borrower is billed for a loan that aged to lost.
///
/// # Errors
/// When the database does not answer.
pub async fn aged_to_lost_billed(
    desk: Desk<'_>,
    transaction: &Transaction,
    lost: LostLoan<'_>,
    aged_at: Timestamp,
) -> Result<(), StoreError> {
    if !lost.policy.charges_actual_cost() {
        return Ok(());
    }
    record_actual_cost(desk, transaction, lost, "Aged to lost", aged_at).await
}

/// An item was lost and is not any more: fees for the loss are taken back unless its policy's time
/// for that is over. `loan_id` is the loan that the act is about; a lost item without one is looked
/// up by its last loan.
///
/// # Errors
/// When the database does not answer.
pub async fn loss_undone(
    desk: Desk<'_>,
    transaction: &Transaction,
    item_id: Uuid,
    status_before: &str,
    loan_id: Option<Uuid>,
    how: LossUndone,
) -> Result<(), StoreError> {
    if !is_unresolved(status_before) && status_before != LOST_AND_PAID {
        return Ok(());
    }
    let tables = desk.tables();
    let loan_id = match loan_id {
        Some(id) => Some(id),
        None => loss::last_loan_of_item(transaction, tables, item_id).await?,
    };
    let Some(loan_id) = loan_id else {
        return Ok(());
    };
    let (held, policy) = futures_util::try_join!(
        loan::by_id(transaction, tables, loan_id),
        loss::policy_of_loan(transaction, tables, loan_id),
    )?;
    let lost_at = held.and_then(|held| held.loan.lost_date());
    let gives_back = lost_at.is_none_or(|at| policy.gives_back(at, desk.stamp.at));
    if policy.charges_actual_cost() && gives_back {
        cancel_actual_cost(desk, transaction, loan_id, how).await?;
    }
    Ok(())
}

async fn cancel_actual_cost(
    desk: Desk<'_>,
    transaction: &Transaction,
    loan_id: Uuid,
    how: LossUndone,
) -> Result<(), StoreError> {
    let tables = desk.tables();
    let open = loss::open_actual_cost_of_loan(transaction, tables, loan_id).await?;
    let Some((id, mut record)) = open else {
        return Ok(());
    };
    record.insert("status".to_owned(), json!("Cancelled"));
    record.insert("additionalInfoForStaff".to_owned(), json!(how.sentence()));
    let collection = desk.collection("actual_cost_record")?;
    replace(
        transaction,
        desk.tenant,
        collection,
        id,
        &record,
        &desk.stamp,
    )
    .await?;
    Ok(())
}

async fn record_actual_cost(
    desk: Desk<'_>,
    transaction: &Transaction,
    lost: LostLoan<'_>,
    loss_type: &str,
    lost_at: Timestamp,
) -> Result<(), StoreError> {
    let LostLoan {
        loan,
        policy,
        owner,
    } = lost;
    let subject = actual_cost::subject(transaction, desk.tables(), loan.id).await?;
    let (Some(mut record), Some(owner)) = (subject, owner) else {
        return Ok(());
    };
    record.insert("status".to_owned(), json!("Open"));
    record.insert("lossType".to_owned(), json!(loss_type));
    record.insert("lossDate".to_owned(), json!(wire_time::format(lost_at)));
    if let Some(end) = policy.actual_cost_expires_at(lost_at) {
        record.insert("expirationDate".to_owned(), json!(wire_time::format(end)));
    }
    let name = owner.name.as_deref().unwrap_or_default();
    let fee = json!({"ownerId": owner.id, "owner": name, "typeId": ACTUAL_COST_FEE_TYPE_ID,
                     "type": ACTUAL_COST_FEE_TYPE});
    record.insert("feeFine".to_owned(), fee);
    let collection = desk.collection("actual_cost_record")?;
    insert(transaction, desk.tenant, collection, record, &desk.stamp).await?;
    Ok(())
}
