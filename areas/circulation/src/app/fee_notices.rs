//! What a patron is told of fees that circulation charges, and gives back, by itself. Call it in the
//! transaction of the charge.

use jiff::Timestamp;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use uuid::Uuid;

use super::Desk;
use super::loan_notices::{policy_for, put};
use crate::facts::{Item, Patron};
use crate::house::House;
use crate::notice::{About, Event, of_fees};
use crate::rules::CompiledRules;

/// A fee that a notice may tell of.
#[derive(Debug, Clone, Copy)]
pub struct FeeTold<'a> {
    /// `OverdueFineReturned`, `OverdueFineRenewed`, `AgedToLostFineCharged` or `AgedToLostReturned`.
    pub event: Event,
    /// The loan.
    pub loan_id: Uuid,
    /// Its item.
    pub item: &'a Item,
    /// Its borrower.
    pub borrower: &'a Patron,
    /// The action on the account: the charge, or what gave it back.
    pub action_id: Uuid,
    /// When that was.
    pub at: Timestamp,
    /// The check-in's session: all fines of one visit are told of together, when it has ended.
    pub session_id: Option<Uuid>,
}

/// Fees were charged, or given back: what their patrons are told of that is to come. One statement,
/// and none where no policy says so.
///
/// # Errors
/// When the database does not answer.
pub async fn charged(
    desk: Desk<'_>,
    transaction: &Transaction,
    (rules, house): (&CompiledRules, &House),
    fees: &[FeeTold<'_>],
) -> Result<(), StoreError> {
    let notices = fees.iter().flat_map(|fee| {
        if !house.tells(&[fee.event]) {
            return Vec::new();
        }
        let about = About {
            loan_id: Some(fee.loan_id),
            fee_fine_action_id: Some(fee.action_id),
            user_id: Some(fee.borrower.id),
            session_id: fee.session_id,
            ..About::default()
        };
        let policy = house.notice_policy(policy_for(rules, fee.item, fee.borrower));
        let made = policy.map(|policy| of_fees(policy, fee.event, about, fee.at));
        made.unwrap_or_default()
    });
    put(desk, transaction, notices.collect()).await
}
