//! Staff declare an item lost.

use jiff::Timestamp;
use octavo_library::{ItemStatus, Loan, LoanAction, LocationId, ServicePointId, wire_time};
use serde_json::Value;

use super::{Comment, LoanChange, LostItemPolicy};
use crate::facts::Item;
use crate::refusal::LossRefusal;

/// The body of declaring an item lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclareLost {
    /// Since when the item is lost.
    pub at: Option<Timestamp>,
    /// The service point.
    pub service_point_id: ServicePointId,
    /// The comment.
    pub comment: Option<String>,
}

/// The facts.
#[derive(Debug, Clone, Copy)]
pub struct DeclareLostFacts<'a> {
    pub loan: &'a Loan,
    pub item: &'a Item,
    /// The item's permanent location, else that of its holdings.
    pub permanent_location_id: Option<LocationId>,
    /// The policy that the loan was made under.
    pub policy: &'a LostItemPolicy,
    /// Whether the permanent location has a fee owner.
    pub has_owner: bool,
    /// An automatic fee type that would be charged but has no record.
    pub missing_fee_type: Option<&'static str>,
}

/// The changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclareLostPlan {
    /// The change of the loan.
    pub declared: LoanChange,
    /// The closing of the loan, when nothing is charged.
    pub closed: Option<LoanChange>,
    /// Since when the item is lost.
    pub lost_at: Timestamp,
    /// The borrower had claimed to have returned it: staff leave a note on them.
    pub was_claimed_returned: bool,
}

impl DeclareLost {
    /// Reads a body.
    ///
    /// # Errors
    /// When there is no service point, or the date is invalid.
    pub fn from_body(body: &Value) -> Result<DeclareLost, LossRefusal> {
        let text = |property: &str| body.get(property).and_then(Value::as_str);
        let service_point = text("servicePointId");
        let service_point_id = service_point.and_then(|id| ServicePointId::parse(id.trim()));
        let Some(service_point_id) = service_point_id else {
            let value = service_point.map(str::to_owned);
            return Err(LossRefusal::DeclaredLostWithoutServicePoint { value });
        };
        // As in FOLIO a number is refused here, not ignored.
        let given = match body.get("declaredLostDateTime") {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => Some(other.to_string()),
        };
        let given = given.filter(|text| !text.trim().is_empty());
        let at = given.map(|text| {
            let at = wire_time::parse(&text);
            at.ok_or(LossRefusal::DeclaredLostDateNotUnderstood { value: text })
        });
        Ok(DeclareLost {
            at: at.transpose()?,
            service_point_id,
            comment: text("comment").map(str::to_owned),
        })
    }
}

/// Decides a declaration made at `now`.
///
/// # Errors
/// The first refusal: FOLIO stops there.
pub fn decide(
    request: &DeclareLost,
    facts: DeclareLostFacts<'_>,
    now: Timestamp,
) -> Result<DeclareLostPlan, LossRefusal> {
    super::claim::refuse_closed(facts.loan)?;
    if facts.item.is(ItemStatus::DeclaredLost) {
        return Err(LossRefusal::AlreadyDeclaredLost {
            item_id: facts.item.id,
        });
    }
    let policy = facts.policy;
    let charges = policy.charges_the_item() || policy.declared_lost_processing_fee().is_some();
    if charges && !facts.has_owner {
        return Err(LossRefusal::NoFeeFineOwner {
            location_id: facts.permanent_location_id,
        });
    }
    if let Some(name) = facts.missing_fee_type {
        return Err(LossRefusal::NoFeeType { name });
    }
    let lost_at = request.at.unwrap_or(now);
    let comment = request.comment.as_deref().unwrap_or_default();
    let comment = if comment.trim().is_empty() {
        ""
    } else {
        comment
    };
    Ok(DeclareLostPlan {
        declared: LoanChange {
            action: Some(LoanAction::DeclaredLost),
            comment: Comment::Set(comment.to_owned()),
            item_status: Some(ItemStatus::DeclaredLost),
            declared_lost_date: Some(lost_at),
            ..LoanChange::default()
        },
        closed: (!charges).then(|| LoanChange::lost_and_paid(now)),
        lost_at,
        was_claimed_returned: facts.item.is(ItemStatus::ClaimedReturned),
    })
}
