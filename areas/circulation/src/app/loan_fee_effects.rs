//! The fees that follow from events of a loan, in the same transaction.
//!
//! Each function is named by the event, and returns the charges and refunds. Lock order: call them after
//! locking loans and requests, since accounts are locked last.
//!
//! A reminder's fee is charged by `app/remind.rs`.

use futures_util::future::try_join_all;
use futures_util::try_join;
use jiff::Timestamp;
use octavo_fees::accounting::{GiveBack, Money};
use octavo_fees::app::give_back::{GivenBack, Giver};
use octavo_library::{ActualCostStatus, ItemId, ItemStatus, LoanId, ServicePointId, wire_time};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{insert, replace};
use serde_json::json;

use super::Desk;
use super::loan_fees::{
    ChargedFee, LoanFee, LoanFees, Occasion, charge_on_loans, give_back_on_loan,
};
use crate::loss::refund::of_last_loss;
use crate::loss::{ACTUAL_COST_FEE, LOST_ITEM_FEE, LostItemPolicy, PROCESSING_FEE, is_unresolved};
use crate::overdue_fine::{Before, OVERDUE_FINE, is_owed};
use crate::refusal::LossRefusal;
use crate::store::actual_cost_record::name_of;
use crate::store::fee_types::{self, FeeTypes};
use crate::store::loan::HeldLoan;
use crate::store::loss::FeeFineOwner;
use crate::store::reminder::fee_subjects;
use crate::store::{actual_cost, loan, loss};

/// FOLIO's reason for refunding the payment for a found item.
const REFUND_REASON: &str = "Lost item found";

/// A loan whose item is lost, with the facts for its fees.
#[derive(Debug, Clone, Copy)]
pub struct LostLoan<'a> {
    /// The loan as it was before.
    pub loan: &'a HeldLoan,
    /// The policy that it was made under.
    pub policy: &'a LostItemPolicy,
    /// The fee owner; present whenever something is charged.
    pub owner: Option<&'a FeeFineOwner>,
    /// The automatic types of fees for losses.
    pub types: &'a FeeTypes,
}

/// Why the fees for a loss are reversed, with FOLIO's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossUndone {
    /// The item was returned.
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

    fn cancels_as(self) -> &'static str {
        match self {
            LossUndone::Returned => "Cancelled item returned",
            LossUndone::Renewed => "Cancelled item renewed",
            LossUndone::DeclaredLost => "Cancelled item declared lost",
        }
    }
}

/// An item was declared lost: reverses charges for aging to lost, and charges the policy's fees.
pub async fn declared_lost(
    desk: Desk<'_>,
    transaction: &Transaction,
    lost: LostLoan<'_>,
    lost_at: Timestamp,
    service_point_id: ServicePointId,
) -> Result<LoanFees, StoreError> {
    let LostLoan { loan, policy, .. } = lost;
    let (tables, place) = (desk.tables(), Some(service_point_id));
    let loan_id = loan.loan.id;
    let fees = [
        (LOST_ITEM_FEE, policy.set_cost()),
        (PROCESSING_FEE, policy.declared_lost_processing_fee()),
    ];
    let subjects = match fees.iter().any(|(_, amount)| amount.is_some()) {
        true => vec![loan_id],
        false => Vec::new(),
    };
    let (source, subjects) = try_join!(
        name_of(transaction, tables, desk.operator()),
        fee_subjects(transaction, tables, &subjects),
    )?;
    let source = source.unwrap_or_default();
    let mut done = LoanFees::default();
    let latest = loan.loan.lost_date().max(Some(lost_at)).unwrap_or(lost_at);
    if policy.gives_back(latest, desk.stamp.at) {
        let how = LossUndone::DeclaredLost;
        let undone = (loan_id, policy);
        done.given_back = take_back(desk, transaction, undone, how, place, &source).await?;
    }
    if let (Some(owner), Some(subject)) = (lost.owner, subjects.get(&loan_id)) {
        let fees = fees.iter().filter_map(|&(fee_type, amount)| {
            Some(LoanFee {
                occasion: Occasion::DeclaredLost,
                fee_type,
                amount: amount?,
                loan: &loan.loan,
                document: &loan.document,
                about: &subject.about,
                owner,
                service_point_id: place,
                source: &source,
            })
        });
        let fees: Vec<LoanFee<'_>> = fees.collect();
        done.charged = charge_on_loans(desk, transaction, lost.types, &fees).await?;
    }
    if policy.charges_actual_cost() {
        let at = desk.stamp.at;
        record_actual_cost(desk, transaction, lost, ItemStatus::DeclaredLost, at).await?;
    }
    Ok(done)
}

/// The billing delay of loans that aged to lost is over: creates the accounts of all of them together.
pub async fn aged_to_lost_billed(
    desk: Desk<'_>,
    transaction: &Transaction,
    billed: &[(LostLoan<'_>, Timestamp)],
) -> Result<Vec<ChargedFee>, StoreError> {
    actual_costs_to_find_out(desk, transaction, billed).await?;
    let amounts = |policy: &LostItemPolicy| {
        [
            (LOST_ITEM_FEE, policy.set_cost()),
            (PROCESSING_FEE, policy.aged_to_lost_processing_fee()),
        ]
    };
    let costs = |lost: &LostLoan<'_>| amounts(lost.policy).iter().any(|(_, cost)| cost.is_some());
    let costing = billed.iter().filter(|(lost, _)| costs(lost));
    let ids: Vec<LoanId> = costing.map(|(lost, _)| lost.loan.loan.id).collect();
    let subjects = fee_subjects(transaction, desk.tables(), &ids).await?;
    let mut fees = Vec::new();
    for (lost, _) in billed {
        let subject = subjects.get(&lost.loan.loan.id);
        let Some((subject, owner)) = subject.zip(lost.owner) else {
            continue;
        };
        let of_loan = amounts(lost.policy)
            .into_iter()
            .filter_map(|(fee_type, amount)| {
                Some(LoanFee {
                    occasion: Occasion::AgedToLost,
                    fee_type,
                    amount: amount?,
                    loan: &lost.loan.loan,
                    document: &lost.loan.document,
                    about: &subject.about,
                    owner,
                    service_point_id: None,
                    source: "System",
                })
            });
        fees.extend(of_loan);
    }
    match billed.first() {
        Some((lost, _)) => charge_on_loans(desk, transaction, lost.types, &fees).await,
        None => Ok(Vec::new()),
    }
}

/// Creates actual cost records for items that aged to lost, if their policy charges actual costs. One
/// record per loan.
pub async fn actual_costs_to_find_out(
    desk: Desk<'_>,
    transaction: &Transaction,
    aged: &[(LostLoan<'_>, Timestamp)],
) -> Result<(), StoreError> {
    let unknown = aged
        .iter()
        .filter(|(lost, _)| lost.policy.charges_actual_cost());
    let records = unknown.map(|(lost, aged_at)| async {
        let loan_id = lost.loan.loan.id;
        let asked = loss::actual_cost_asked_for(transaction, desk.tables(), loan_id, *aged_at);
        if asked.await? {
            return Ok(());
        }
        record_actual_cost(desk, transaction, *lost, ItemStatus::AgedToLost, *aged_at).await
    });
    try_join_all(records).await?;
    Ok(())
}

/// A returned item, or one whose loan was renewed.
#[derive(Debug, Clone, Copy)]
pub struct Back<'a> {
    pub item_id: ItemId,
    pub status_before: ItemStatus,
    /// The loan before the operation. For a lost item without one, its last loan is looked up.
    pub loan: Option<&'a HeldLoan>,
    /// When the loan counts as returned.
    pub returned_at: Option<Timestamp>,
    /// A claim that the item was returned is settled, with the fees for a loss before it.
    pub settles_claim: bool,
    /// The item was found by the library.
    pub found_by_library: bool,
    /// The overdue fine, if there is one.
    pub fine: Option<Money>,
    pub how: LossUndone,
    /// The service point.
    pub service_point_id: Option<ServicePointId>,
}

/// An item was returned, or its loan renewed: reverses the fees for a loss unless the policy's refund
/// period is over, and charges a fine if the loan was late. Otherwise no statement is issued.
pub async fn came_back(
    desk: Desk<'_>,
    transaction: &Transaction,
    back: Back<'_>,
) -> Result<LoanFees, StoreError> {
    let was_lost = is_unresolved(back.status_before)
        || back.status_before == ItemStatus::LostAndPaid
        || back.settles_claim && back.status_before == ItemStatus::ClaimedReturned;
    if !was_lost && back.fine.is_none() {
        return Ok(LoanFees::default());
    }
    let tables = desk.tables();
    let source = name_of(transaction, tables, desk.operator());
    let mut done = LoanFees::default();
    let (source, owed) = if was_lost {
        let (source, loan_id) = try_join!(source, async {
            match back.loan {
                Some(held) => Ok(Some(held.loan.id)),
                None => loss::last_loan_of_item(transaction, tables, back.item_id).await,
            }
        })?;
        let source = source.unwrap_or_default();
        let Some(loan_id) = loan_id else {
            return Ok(done);
        };
        let (held, policy) = try_join!(
            loan::by_id(transaction, tables, loan_id),
            loss::policy_of_loan(transaction, tables, loan_id),
        )?;
        let lost_at = held.and_then(|held| held.loan.lost_date());
        if back.loan.is_none() && lost_at.is_none() {
            // The item was lost with another loan.
            return Ok(done);
        }
        let gives_back = lost_at.is_none_or(|at| policy.gives_back(at, desk.stamp.at));
        if gives_back {
            let (undone, place) = ((loan_id, &policy), back.service_point_id);
            done.given_back =
                take_back(desk, transaction, undone, back.how, place, &source).await?;
        }
        (
            Some(source),
            is_owed(back.before(gives_back), Some(&policy)),
        )
    } else {
        (None, is_owed(back.before(false), None))
    };
    if let (true, Some(fine), Some(held)) = (owed, back.fine, back.loan) {
        let source = source.as_deref();
        done.charged = charge_fine(desk, transaction, back, held, fine, source).await?;
    }
    Ok(done)
}

/// The inconsistency of a lost item that is returned without being on loan: it was never lent, or not
/// lost with its last loan. `None` if consistent.
pub async fn loss_without_loan(
    desk: Desk<'_>,
    transaction: &Transaction,
    item_id: ItemId,
    status_before: ItemStatus,
) -> Result<Option<LossRefusal>, StoreError> {
    if !is_unresolved(status_before) && status_before != ItemStatus::LostAndPaid {
        return Ok(None);
    }
    let tables = desk.tables();
    let Some(loan_id) = loss::last_loan_of_item(transaction, tables, item_id).await? else {
        return Ok(Some(LossRefusal::NoLoanOfLostItem { item_id }));
    };
    let held = loan::by_id(transaction, tables, loan_id).await?;
    let lost = held.is_some_and(|held| held.loan.lost_date().is_some());
    Ok((!lost).then_some(LossRefusal::LastLoanNotLost { loan_id }))
}

impl Back<'_> {
    fn before(&self, gives_back: bool) -> Before {
        Before {
            item_status: self.status_before,
            found_by_library: self.found_by_library,
            gives_back,
        }
    }
}

/// Charges the fine for a late loan; nothing without a fee owner.
async fn charge_fine(
    desk: Desk<'_>,
    transaction: &Transaction,
    back: Back<'_>,
    held: &HeldLoan,
    fine: Money,
    source: Option<&str>,
) -> Result<Vec<ChargedFee>, StoreError> {
    let (tables, loan_id) = (desk.tables(), held.loan.id);
    let loans = [loan_id];
    let (name, subjects, types) = try_join!(
        async {
            match source {
                Some(name) => Ok(Some(name.to_owned())),
                None => name_of(transaction, tables, desk.operator()).await,
            }
        },
        fee_subjects(transaction, tables, &loans),
        fee_types::automatic(transaction, tables, &[OVERDUE_FINE]),
    )?;
    let Some(subject) = subjects.get(&loan_id) else {
        return Ok(Vec::new());
    };
    let Some(owner) = &subject.owner else {
        return Ok(Vec::new());
    };
    let mut document = held.document.clone();
    if let Some(at) = back.returned_at {
        document.insert("returnDate".to_owned(), json!(wire_time::format(at)));
    }
    // As in FOLIO, a renewal's fee has no service point.
    let (occasion, place) = match back.how {
        LossUndone::Renewed => (Occasion::RenewedLate, None),
        _ => (Occasion::ReturnedLate, back.service_point_id),
    };
    let fee = LoanFee {
        occasion,
        fee_type: OVERDUE_FINE,
        amount: fine,
        loan: &held.loan,
        document: &document,
        about: &subject.about,
        owner,
        service_point_id: place,
        source: name.as_deref().unwrap_or_default(),
    };
    charge_on_loans(desk, transaction, &types, &[fee]).await
}

/// Reverses the charges for the last loss of a loan's item.
async fn take_back(
    desk: Desk<'_>,
    transaction: &Transaction,
    (loan_id, policy): (LoanId, &LostItemPolicy),
    how: LossUndone,
    service_point_id: Option<ServicePointId>,
    source: &str,
) -> Result<Vec<GivenBack>, StoreError> {
    let accounts = loss::accounts_of_loan(transaction, desk.tables(), loan_id).await?;
    let giver = Giver {
        why: GiveBack {
            cancelled_as: how.cancels_as(),
            refund_reason: REFUND_REASON,
        },
        service_point_id,
        source: Some(source).filter(|source| !source.is_empty()),
    };
    let last = of_last_loss(policy, &accounts);
    if policy.charges_actual_cost() {
        cancel_actual_cost(desk, transaction, loan_id, how).await?;
    }
    give_back_on_loan(desk, transaction, &last, giver).await
}

async fn cancel_actual_cost(
    desk: Desk<'_>,
    transaction: &Transaction,
    loan_id: LoanId,
    how: LossUndone,
) -> Result<(), StoreError> {
    let tables = desk.tables();
    let open = loss::open_actual_cost_of_loan(transaction, tables, loan_id).await?;
    let Some((id, mut record)) = open else {
        return Ok(());
    };
    record.insert("status".to_owned(), ActualCostStatus::Cancelled.into());
    record.insert("additionalInfoForStaff".to_owned(), json!(how.sentence()));
    let collection = desk.collection("actual_cost_record");
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
    loss_type: ItemStatus,
    lost_at: Timestamp,
) -> Result<(), StoreError> {
    let LostLoan {
        loan,
        policy,
        owner,
        types,
    } = lost;
    // Without a fee type nothing could be billed; the loan waits, or its loss was refused before.
    let Some(type_id) = types.get(ACTUAL_COST_FEE) else {
        return Ok(());
    };
    let subject = actual_cost::subject(transaction, desk.tables(), loan.loan.id).await?;
    let (Some(mut record), Some(owner)) = (subject, owner) else {
        return Ok(());
    };
    record.insert("status".to_owned(), ActualCostStatus::Open.into());
    record.insert("lossType".to_owned(), json!(loss_type));
    record.insert("lossDate".to_owned(), json!(wire_time::format(lost_at)));
    if let Some(end) = policy.actual_cost_expires_at(lost_at) {
        record.insert("expirationDate".to_owned(), json!(wire_time::format(end)));
    }
    let name = owner.name.as_deref().unwrap_or_default();
    let fee = json!({"ownerId": owner.id, "owner": name, "typeId": type_id,
                     "type": ACTUAL_COST_FEE});
    record.insert("feeFine".to_owned(), fee);
    let collection = desk.collection("actual_cost_record");
    insert(transaction, desk.tenant, collection, record, &desk.stamp).await?;
    Ok(())
}
