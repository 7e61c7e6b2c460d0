//! Charges and reverses fees of a loan, inside the transaction of the operation.
//!
//! Operations return their charges and refunds as [`LoanFees`], from which notices are made.

use futures_util::try_join;
use octavo_fees::accounting::Money;
use octavo_fees::app::charge::{self, Charge, Charged, NewAccount};
use octavo_fees::app::give_back::{GivenBack, Giver, give_back};
use octavo_library::{AccountId, FeeFineTypeId, Loan, LoanId, ServicePointId, UserId};
use octavo_postgres::Transaction;
use octavo_records::{StoreError, instant};
use serde_json::{Map, Value, json};

use super::Desk;
use crate::circulation_log::fee_line;
use crate::store::fee_lines;
use crate::store::fee_types::FeeTypes;
use crate::store::loss::FeeFineOwner;

/// Why a fee was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// The item was returned late.
    ReturnedLate,
    /// The loan was renewed late.
    RenewedLate,
    /// The item was declared lost.
    DeclaredLost,
    /// The item aged to lost, and its borrower is billed.
    AgedToLost,
}

/// A fee that was charged.
#[derive(Debug, Clone, PartialEq)]
pub struct ChargedFee {
    /// Why.
    pub occasion: Occasion,
    pub loan_id: LoanId,
    /// The patron.
    pub user_id: UserId,
    pub fee_type: (FeeFineTypeId, &'static str),
    /// The amount.
    pub amount: Money,
    /// The account and its first action.
    pub charged: Charged,
}

/// The changes of a borrower's debts by an operation on a loan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoanFees {
    /// The charges.
    pub charged: Vec<ChargedFee>,
    /// The refunds, each with its actions: credits, refunds, the cancellation.
    pub given_back: Vec<GivenBack>,
}

impl LoanFees {
    /// The remaining amount of the loan, from the remaining amount before.
    #[must_use]
    pub fn remaining_of(&self, before: Option<&Value>) -> Option<Value> {
        if *self == LoanFees::default() {
            return before.cloned();
        }
        let charged: Money = self.charged.iter().map(|one| one.amount).sum();
        let given_back: Money = self.given_back.iter().map(|one| one.owed).sum();
        let remaining = Money::of(before) + charged - given_back;
        Some(remaining.json())
    }
}

/// A fee to be charged on a loan.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoanFee<'a> {
    pub occasion: Occasion,
    /// The name of its automatic type.
    pub fee_type: &'static str,
    pub amount: Money,
    pub loan: &'a Loan,
    /// The loan as it was stored before the act, but for the date of its return.
    pub document: &'a Map<String, Value>,
    /// The account's properties about the item and its title.
    pub about: &'a Map<String, Value>,
    pub owner: &'a FeeFineOwner,
    pub service_point_id: Option<ServicePointId>,
    /// The action's source; may be empty.
    pub source: &'a str,
}

/// Charges fees, writes their log lines, and returns the charges. Anonymized loans are not charged, nor
/// is a fee whose automatic type has no record in `types`, as in FOLIO; the server's log names the type.
pub(super) async fn charge_on_loans(
    desk: Desk<'_>,
    transaction: &Transaction,
    types: &FeeTypes,
    fees: &[LoanFee<'_>],
) -> Result<Vec<ChargedFee>, StoreError> {
    let made = fees.iter().filter_map(|fee| {
        let Some(id) = types.get(fee.fee_type) else {
            let (tenant, name) = (desk.tenant.id(), fee.fee_type);
            tracing::warn!("tenant {tenant} has no automatic fee type \"{name}\": not charged");
            return None;
        };
        fee.make(desk, *id)
    });
    let made: Vec<(NewAccount, ChargedFee)> = made.collect();
    if made.is_empty() {
        return Ok(Vec::new());
    }
    let (made, charged): (Vec<NewAccount>, Vec<ChargedFee>) = made.into_iter().unzip();
    let date = instant::format(desk.stamp.at);
    let lines = made
        .iter()
        .filter_map(|one| fee_line(&one.action, &one.account, &date));
    let lines: Vec<Value> = lines.collect();
    let (catalog, stamp) = (&desk.store.catalog, &desk.stamp);
    try_join!(
        charge::store(transaction, desk.tenant, catalog, &made, stamp),
        fee_lines::add(transaction, desk.tables(), &lines),
    )?;
    Ok(charged)
}

impl LoanFee<'_> {
    fn make(&self, desk: Desk<'_>, type_id: FeeFineTypeId) -> Option<(NewAccount, ChargedFee)> {
        let user_id = self.loan.user_id?;
        let fee_type = (type_id, self.fee_type);
        let charge = Charge {
            fee_type,
            owner: (self.owner.id, self.owner.name.as_deref()),
            amount: self.amount,
            user_id,
            about: self.about(),
            service_point_id: self.service_point_id,
            source: self.source,
            comments: None,
            information: Some("-"),
        };
        let made = charge::make(&charge, &desk.stamp);
        let charged = ChargedFee {
            occasion: self.occasion,
            loan_id: self.loan.id,
            user_id,
            fee_type,
            amount: self.amount,
            charged: made.charged,
        };
        Some((made, charged))
    }

    fn about(&self) -> Map<String, Value> {
        let mut about = self.about.clone();
        about.insert("loanId".to_owned(), json!(self.loan.id));
        for (name, kept) in [
            ("itemId", "itemId"),
            ("dueDate", "dueDate"),
            ("returnDate", "returnedDate"),
            ("loanPolicyId", "loanPolicyId"),
            ("overdueFinePolicyId", "overdueFinePolicyId"),
            ("lostItemPolicyId", "lostItemFeePolicyId"),
        ] {
            if let Some(value) = self.document.get(name) {
                let instant = value.as_str().filter(|_| kept == "returnedDate");
                let instant = instant.and_then(instant::parse).map(instant::format);
                let value = instant.map_or_else(|| value.clone(), Value::from);
                about.insert(kept.to_owned(), value);
            }
        }
        about
    }
}

/// Reverses accounts, with their log lines.
pub(super) async fn give_back_on_loan(
    desk: Desk<'_>,
    transaction: &Transaction,
    accounts: &[AccountId],
    giver: Giver<'_>,
) -> Result<Vec<GivenBack>, StoreError> {
    let given = give_back(desk.context, transaction, accounts, giver).await?;
    let lines = given.iter().flat_map(|one| {
        let lines = one.actions.iter().filter_map(|action| {
            let date = action.get("dateAction").and_then(Value::as_str)?;
            fee_line(action, &one.account, date)
        });
        lines.collect::<Vec<Value>>()
    });
    let lines: Vec<Value> = lines.collect();
    fee_lines::add(transaction, desk.tables(), &lines).await?;
    Ok(given)
}
