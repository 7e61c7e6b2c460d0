//! A borrower claims to have returned an item, and staff find it is missing anyway.

use jiff::Timestamp;
use octavo_library::{ItemStatus, Loan, LoanAction, wire_time};
use serde_json::Value;

use super::{Comment, LoanChange};
use crate::facts::Item;
use crate::refusal::LossRefusal;

/// The body of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimReturned {
    /// When the item was returned.
    pub at: Timestamp,
    /// The comment.
    pub comment: Option<String>,
}

/// The body of declaring an item missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclareMissing {
    /// The comment.
    pub comment: String,
}

impl ClaimReturned {
    /// Reads a body.
    ///
    /// # Errors
    /// When the date is missing or invalid.
    pub fn from_body(body: &Value) -> Result<ClaimReturned, LossRefusal> {
        let given = body.get("itemClaimedReturnedDateTime");
        let given = given.and_then(Value::as_str);
        let at = given.and_then(wire_time::parse);
        let at = at.ok_or_else(|| LossRefusal::ClaimWithoutDate {
            value: given.map(str::to_owned),
        })?;
        Ok(ClaimReturned {
            at,
            comment: comment(body),
        })
    }
}

impl DeclareMissing {
    /// Reads a body.
    ///
    /// # Errors
    /// When there is no comment.
    pub fn from_body(body: &Value) -> Result<DeclareMissing, LossRefusal> {
        let comment = comment(body).ok_or(LossRefusal::MissingWithoutComment)?;
        Ok(DeclareMissing { comment })
    }
}

fn comment(body: &Value) -> Option<String> {
    let comment = body.get("comment").and_then(Value::as_str);
    comment.map(str::to_owned)
}

/// Decides a claim.
///
/// # Errors
/// When the loan has ended.
pub fn claim(request: &ClaimReturned, loan: &Loan) -> Result<LoanChange, LossRefusal> {
    refuse_closed(loan)?;
    let comment = request.comment.as_deref();
    let comment = comment.filter(|comment| !comment.trim().is_empty());
    Ok(LoanChange {
        action: Some(LoanAction::ClaimedReturned),
        comment: comment.map_or(Comment::Keep, |comment| Comment::Set(comment.to_owned())),
        item_status: Some(ItemStatus::ClaimedReturned),
        claimed_returned_date: Some(request.at),
        ..LoanChange::default()
    })
}

/// Decides that a claimed item is missing; its loan ends.
///
/// # Errors
/// When the loan has ended, or the item is not claimed returned.
pub fn missing(
    request: &DeclareMissing,
    loan: &Loan,
    item: &Item,
) -> Result<LoanChange, LossRefusal> {
    refuse_closed(loan)?;
    if !item.is(ItemStatus::ClaimedReturned) {
        return Err(LossRefusal::NotClaimedReturned { item_id: item.id });
    }
    Ok(LoanChange {
        action: Some(LoanAction::MarkedMissing),
        comment: Comment::Set(request.comment.clone()),
        item_status: Some(ItemStatus::Missing),
        closes: true,
        ..LoanChange::default()
    })
}

/// Refuses operations on a closed loan.
pub(super) fn refuse_closed(loan: &Loan) -> Result<(), LossRefusal> {
    if loan.is_open() {
        return Ok(());
    }
    Err(LossRefusal::LoanClosed { loan_id: loan.id })
}
