//! Notices about fees that circulation charges and refunds automatically. Call it in the transaction of
//! the charge.

use jiff::Timestamp;
use octavo_library::{FeeFineActionId, LoanId, Patron};
use octavo_postgres::Transaction;
use octavo_records::{StoreError, instant};
use serde_json::Value;
use uuid::Uuid;

use super::Desk;
use super::loan_fees::{ChargedFee, LoanFees, Occasion};
use super::loan_notices::{overdue_charged, policy_for, put};
use crate::circulation_config::CirculationConfig;
use crate::facts::Item;
use crate::notice::{About, Event, of_fees};
use crate::rules::CompiledRules;
use crate::store::policy::TenantTerms;

/// A fee that a notice may be about.
#[derive(Debug, Clone, Copy)]
pub struct FeeToNotify<'a> {
    /// `OverdueFineReturned`, `OverdueFineRenewed`, `AgedToLostFineCharged` or `AgedToLostReturned`.
    pub event: Event,
    pub loan_id: LoanId,
    pub item: &'a Item,
    pub borrower: &'a Patron,
    /// The action on the account: the charge or the refund.
    pub action_id: FeeFineActionId,
    /// The action's time.
    pub at: Timestamp,
    /// The check-in's session: all fines of one visit are gathered into one notice when it has ended.
    pub session_id: Option<Uuid>,
}

/// A loan whose operation has changed its borrower's debts.
#[derive(Debug, Clone, Copy)]
pub(super) struct FeesOf<'a> {
    pub loan_id: LoanId,
    pub item: &'a Item,
    /// Its borrower; a deleted user gets no notices.
    pub borrower: Option<&'a Patron>,
    /// The charges and refunds.
    pub fees: &'a LoanFees,
    /// Whether it was returned after it aged to lost.
    pub aged_came_back: bool,
    /// The check-in's session.
    pub session_id: Option<Uuid>,
}

/// Notifies borrowers of changed debts, and stops due date notices of fined loans. Without charges and
/// refunds no statement is issued.
pub(super) async fn fees_changed(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    loans: &[FeesOf<'_>],
) -> Result<(), StoreError> {
    let nothing = LoanFees::default();
    if loans.iter().all(|one| *one.fees == nothing) {
        return Ok(());
    }
    let config = desk.config(transaction, tenant).await?;
    let rules = desk.rules(transaction, tenant).await?;
    let told: Vec<FeeToNotify<'_>> = loans
        .iter()
        .flat_map(|one| one.charges_to_notify(desk))
        .collect();
    charged(desk, transaction, (&rules, &config), &told).await?;
    for one in loans.iter().filter(|one| one.is_fined()) {
        overdue_charged(desk, transaction, &config, one.loan_id).await?;
    }
    Ok(())
}

impl<'a> FeesOf<'a> {
    fn is_fined(&self) -> bool {
        let late = |fee: &ChargedFee| {
            matches!(fee.occasion, Occasion::ReturnedLate | Occasion::RenewedLate)
        };
        self.fees.charged.iter().any(late)
    }

    /// Each charge, and the refunds of a loan that had aged to lost, except credits. A fee for a
    /// declared lost item has no notice, as in FOLIO.
    fn charges_to_notify(&self, desk: Desk<'_>) -> Vec<FeeToNotify<'a>> {
        let Some(borrower) = self.borrower else {
            return Vec::new();
        };
        let tell = |event: Event, action_id: FeeFineActionId, at: Timestamp| FeeToNotify {
            event,
            loan_id: self.loan_id,
            item: self.item,
            borrower,
            action_id,
            at,
            session_id: self
                .session_id
                .filter(|_| event == Event::OverdueFineReturned),
        };
        let charged = self.fees.charged.iter().filter_map(|fee| {
            let event = match fee.occasion {
                Occasion::ReturnedLate => Event::OverdueFineReturned,
                Occasion::RenewedLate => Event::OverdueFineRenewed,
                Occasion::AgedToLost => Event::AgedToLostFineCharged,
                Occasion::DeclaredLost => return None,
            };
            Some(tell(event, fee.charged.action_id, desk.stamp.at))
        });
        let given = self.fees.given_back.iter().filter(|_| self.aged_came_back);
        let given = given.flat_map(|one| &one.actions).filter_map(|action| {
            let text = |name: &str| action.get(name).and_then(Value::as_str);
            if text("typeAction").is_none_or(|kind| kind.starts_with("Credited")) {
                return None;
            }
            let id = text("id").and_then(FeeFineActionId::parse)?;
            let at = text("dateAction").and_then(instant::parse);
            Some(tell(
                Event::AgedToLostReturned,
                id,
                at.unwrap_or(desk.stamp.at),
            ))
        });
        charged.chain(given).collect()
    }
}

/// Schedules notices about charged or refunded fees. One statement, and none if no policy has such
/// notices.
pub async fn charged(
    desk: Desk<'_>,
    transaction: &Transaction,
    (rules, config): (&CompiledRules, &CirculationConfig),
    fees: &[FeeToNotify<'_>],
) -> Result<(), StoreError> {
    let notices = fees.iter().flat_map(|fee| {
        if !config.sends_notices_for(&[fee.event]) {
            return Vec::new();
        }
        let about = About {
            loan_id: Some(fee.loan_id),
            fee_fine_action_id: Some(fee.action_id),
            user_id: Some(fee.borrower.id),
            session_id: fee.session_id,
            ..About::default()
        };
        let policy = config.notice_policy(policy_for(rules, fee.item, fee.borrower));
        let made = policy.map(|policy| of_fees(policy, fee.event, about, fee.at));
        made.unwrap_or_default()
    });
    put(desk, transaction, notices.collect()).await
}
