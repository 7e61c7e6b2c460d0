//! What a check-out changes: a new loan, the item's status, the filled request. The plan is data; one
//! transaction writes it.

use jiff::Timestamp;
use octavo_library::{
    DatedStatus, ItemId, ItemStatus, LoanAction, LoanId, LoanPolicyId, LoanStatus, LocationId,
    LostItemPolicyId, OverdueFinePolicyId, PatronGroupId, RequestId, RequestStatus, ServicePointId,
    UserId, wire_time,
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::decide::Parties;
use super::facts::CheckOutFacts;
use super::overrides::Ledger;
use super::request::CheckOutRequest;
use crate::due_date::{DueDate, DueDateFacts, due_date, recalled_due_date};
use crate::refusal::Refusal;

/// The changes of one check-out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckOutPlan {
    /// The loan to store.
    pub loan: NewLoan,
    /// The item's new status; see [`CheckOutPlan::apply_to_item`].
    pub item_status: DatedStatus,
    /// The borrower's request, if it was their turn.
    pub filled_request: Option<FilledRequest>,
    /// A waiting hold changed the loan period; in the response only, not stored.
    pub due_date_changed_by_hold: bool,
    /// The borrower's expiration changed the due date; in the response only, not stored.
    pub due_date_changed_by_near_expire_user: bool,
    /// What overrides lifted.
    pub lifted: Vec<Refusal>,
}

impl CheckOutPlan {
    /// Writes the change into the item's document: the status, and no destination any more.
    pub fn apply_to_item(&self, document: &mut Map<String, Value>) {
        self.item_status.apply_to(document);
        document.shift_remove("inTransitDestinationServicePointId");
    }
}

/// A request that the loan fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilledRequest {
    pub id: RequestId,
    /// Its new status, always `Closed - Filled`.
    pub status: RequestStatus,
}

impl FilledRequest {
    /// Writes the change into the request's document: closed, and out of the queue.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        document.insert("status".into(), self.status.name().into());
        document.shift_remove("position");
    }
}

/// A loan as it is first stored; serialises to FOLIO's loan record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewLoan {
    /// The loan's id.
    pub id: LoanId,
    /// The borrower.
    pub user_id: UserId,
    /// The person acting for the borrower.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy_user_id: Option<UserId>,
    pub item_id: ItemId,
    /// The item's effective location at this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_effective_location_id_at_check_out: Option<LocationId>,
    /// Always open.
    #[serde(serialize_with = "LoanStatus::serialize_document")]
    pub status: LoanStatus,
    /// When the item was lent.
    #[serde(serialize_with = "wire_time::format_with_z")]
    pub loan_date: Timestamp,
    /// When it is due.
    #[serde(with = "wire_time")]
    pub due_date: Timestamp,
    /// `checkedout` or `checkedOutThroughOverride`.
    pub action: LoanAction,
    /// The comment on an override.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_comment: Option<String>,
    /// The item's status for the loan's history.
    pub item_status: ItemStatus,
    pub loan_policy_id: LoanPolicyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overdue_fine_policy_id: Option<OverdueFinePolicyId>,
    /// The lost item fee policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_item_policy_id: Option<LostItemPolicyId>,
    /// Where the item was lent.
    pub checkout_service_point_id: ServicePointId,
    /// The borrower's group at this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patron_group_id_at_checkout: Option<PatronGroupId>,
    /// A recall that was waiting brought the due date forward.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub due_date_changed_by_recall: bool,
    /// The item is used at the location only; from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_use_at_location: Option<UseAtLocation>,
    /// The loan is not part of a consortium's direct borrowing.
    pub is_dcb: bool,
}

/// The beginning of a loan for use at the location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UseAtLocation {
    /// Always `In use`.
    pub status: &'static str,
    /// Since when.
    #[serde(with = "wire_time")]
    pub status_date: Timestamp,
}

/// Computes the changes when only the due date may still refuse the loan.
pub(super) fn plan(
    request: &CheckOutRequest,
    facts: &CheckOutFacts,
    parties: &Parties<'_>,
    now: Timestamp,
    ledger: Ledger<'_>,
) -> Result<CheckOutPlan, Refusal> {
    let Parties {
        patron,
        item,
        terms,
        ..
    } = *parties;
    let first = facts.queue.first_for_check_out(item);
    let filled = first.filter(|first| first.requester_id == patron.id);
    let (due, changed_by_recall) =
        final_due_date(request, facts, parties, now, filled.map(|filled| filled.id))?;
    let overridden = ledger.overridden;
    let of_policy = terms.policy.loans_policy.as_ref();
    let at_location = of_policy.is_some_and(|of_policy| of_policy.for_use_at_location);
    let loan = NewLoan {
        id: parties.loan_id,
        user_id: patron.id,
        proxy_user_id: facts.proxy.as_ref().map(|proxy| proxy.id),
        item_id: item.id,
        item_effective_location_id_at_check_out: item.effective_location_id,
        status: LoanStatus::Open,
        loan_date: parties.loan_date,
        due_date: due.at,
        action: if overridden {
            LoanAction::CheckedOutThroughOverride
        } else {
            LoanAction::CheckedOut
        },
        action_comment: request
            .override_blocks
            .comment
            .clone()
            .filter(|_| overridden),
        item_status: ItemStatus::CheckedOut,
        loan_policy_id: terms.policy.id,
        overdue_fine_policy_id: terms.overdue_fine_policy_id,
        lost_item_policy_id: terms.lost_item_policy_id,
        checkout_service_point_id: parties.service_point_id,
        patron_group_id_at_checkout: patron.patron_group,
        due_date_changed_by_recall: changed_by_recall,
        for_use_at_location: at_location.then_some(UseAtLocation {
            status: "In use",
            status_date: now,
        }),
        is_dcb: false,
    };
    Ok(CheckOutPlan {
        loan,
        item_status: item.change_status(ItemStatus::CheckedOut, now),
        filled_request: filled.map(|filled| FilledRequest {
            id: filled.id,
            status: RequestStatus::Filled,
        }),
        due_date_changed_by_hold: due.changed_by_hold,
        due_date_changed_by_near_expire_user: due.changed_by_near_expire_user,
        lifted: ledger.lifted,
    })
}

/// The due date and whether a recall waiting after the borrower changed it. A due date given with an
/// override of "not loanable" replaces the policy's.
fn final_due_date(
    request: &CheckOutRequest,
    facts: &CheckOutFacts,
    parties: &Parties<'_>,
    now: Timestamp,
    filled: Option<RequestId>,
) -> Result<(DueDate, bool), Refusal> {
    let due_facts = DueDateFacts {
        policy: &parties.terms.policy,
        schedule: parties.terms.schedule.as_ref(),
        zone: &facts.zone,
        openings: &facts.openings,
        patron_expires_at: parties.patron.expiration_date,
        hold_waiting: facts.queue.has_unfilled_hold(parties.item),
    };
    let override_block = request.override_blocks.item_not_loanable_block.as_ref();
    let due = match override_block.and_then(|block| block.due_date) {
        Some(at) => DueDate {
            at,
            changed_by_hold: false,
            changed_by_near_expire_user: false,
        },
        None => due_date(parties.loan_date, &due_facts)?,
    };
    if !facts.queue.has_other_recall(parties.item, filled) {
        return Ok((due, false));
    }
    let recalled = recalled_due_date(due.at, parties.loan_date, now, &due_facts)?;
    Ok((
        DueDate {
            at: recalled,
            ..due
        },
        true,
    ))
}
