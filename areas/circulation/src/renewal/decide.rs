//! The checks of a renewal in FOLIO's order. Without the loan no other check is possible; with it all
//! refusals are reported together. An override is checked less: only whether there was something to
//! override, and whether the new date is later.

use jiff::Timestamp;
use octavo_library::{
    ItemStatus, Loan, LoanAction, Patron, RequestId, RequestLevel, RequestStatus, RequestType,
    UserId,
};

use super::facts::{RenewalFacts, RenewalTerms};
use super::overrides::{Ledger, by_policy};
use super::plan::RenewalPlan;
use super::request::{RenewalKey, RenewalRequest};
use crate::due_date::{DueDateFacts, RenewalSchedule, proposed_renewal, renewed_due_date};
use crate::facts::{Item, RequestQueue};
use crate::loan_policy::Profile;
use crate::refusal::{OverridableBlock, PolicyObstacle, Refusal, RenewalReason};

/// Decides a renewal made at `now`.
///
/// # Errors
/// All refusals, in FOLIO's order.
pub fn decide(
    request: &RenewalRequest,
    facts: &RenewalFacts,
    now: Timestamp,
) -> Result<RenewalPlan, Vec<Refusal>> {
    let mut ledger = Ledger::new(&facts.operator_permissions);
    let found = parties(request, facts, &mut ledger);
    if let Some(found) = &found {
        check_patron(request, facts, found, now, &mut ledger);
    }
    if request.overrides.of_renewal() {
        ledger.permit(OverridableBlock::Renewal);
    } else if found.is_some() && facts.has_reminders && !facts.renewable_with_reminders {
        ledger.block(OverridableBlock::Renewal, RenewalReason::HasReminders);
    }
    let Some(found) = found else {
        return Err(ledger.refusals);
    };
    let Some(terms) = &facts.terms else {
        let reason = "Unable to apply circulation rules for unknown item";
        ledger.refuse(Refusal::CirculationRulesNotApplicable { reason });
        return Err(ledger.refusals);
    };
    let renewal = Renewal {
        request,
        facts,
        found,
        terms,
        now,
    };
    if request.overrides.of_renewal() {
        renewal.through_override(ledger)
    } else {
        renewal.by_the_policy(ledger)
    }
}

/// The loan and borrower of a renewal, once both are found.
#[derive(Clone, Copy)]
struct Parties<'a> {
    item: &'a Item,
    loan: &'a Loan,
    patron: &'a Patron,
}

fn parties<'a>(
    request: &RenewalRequest,
    facts: &'a RenewalFacts,
    ledger: &mut Ledger<'_>,
) -> Option<Parties<'a>> {
    let Some(item) = &facts.item else {
        match &request.key {
            RenewalKey::Barcodes { item, .. } => ledger.refuse(Refusal::ItemNotFoundForCheckIn {
                barcode: item.clone(),
            }),
            RenewalKey::Ids { item, .. } => {
                ledger.refuse(RenewalReason::ItemNotFound { id: item.clone() });
            }
        }
        return None;
    };
    let Some(loan) = &facts.loan else {
        let item_barcode = item.barcode.clone();
        ledger.refuse(RenewalReason::NoOpenLoan { item_barcode });
        return None;
    };
    let Some(patron) = &facts.patron else {
        ledger.refuse(RenewalReason::UserNotFound { id: loan.user_id });
        return None;
    };
    let found = Parties { item, loan, patron };
    match &request.key {
        RenewalKey::Barcodes { user, .. } if patron.barcode.as_ref() != Some(user) => {
            ledger.refuse(RenewalReason::DifferentUser {
                key: "userBarcode",
                value: user.clone(),
            });
            None
        }
        // By ids FOLIO continues and reports other refusals too.
        RenewalKey::Ids { user, .. } if UserId::parse(user) != Some(patron.id) => {
            ledger.refuse(RenewalReason::DifferentUser {
                key: "userId",
                value: user.clone(),
            });
            Some(found)
        }
        _ => Some(found),
    }
}

fn check_patron(
    request: &RenewalRequest,
    facts: &RenewalFacts,
    found: &Parties<'_>,
    now: Timestamp,
    ledger: &mut Ledger<'_>,
) {
    match found.patron.active {
        None => ledger.refuse(RenewalReason::UserStatusUnknown),
        Some(true) if found.patron.is_current(now) => {}
        Some(_) => ledger.refuse(RenewalReason::UserInactive),
    }
    if request.overrides.requests(OverridableBlock::Patron) {
        ledger.permit(OverridableBlock::Patron);
        return;
    }
    let blocks = &facts.manual_blocks;
    if blocks.iter().any(|block| block.forbids_renewing(now)) {
        // FOLIO reports the reasons of all the patron's blocks once one of them applies.
        let reasons: Vec<&str> = blocks
            .iter()
            .map(|block| block.desc.as_deref().unwrap_or("null"))
            .collect();
        let reason = reasons.join(";");
        ledger.block(
            OverridableBlock::Patron,
            RenewalReason::PatronBlocked { reason },
        );
    }
    for message in &facts.automated_blocks {
        let missing_permissions = ledger.missing(OverridableBlock::Patron);
        ledger.refuse(Refusal::PatronBlockedAutomatically {
            message: message.clone(),
            missing_permissions,
        });
    }
}

/// A renewal whose loan, borrower and policy are known.
struct Renewal<'a> {
    request: &'a RenewalRequest,
    facts: &'a RenewalFacts,
    found: Parties<'a>,
    terms: &'a RenewalTerms,
    now: Timestamp,
}

impl Renewal<'_> {
    fn by_the_policy(&self, mut ledger: Ledger<'_>) -> Result<RenewalPlan, Vec<Refusal>> {
        let policy = &self.terms.policy;
        let due_date_required = OverridableBlock::RenewalDueDateRequired;
        if !policy.loanable {
            let reason = by_policy(policy, PolicyObstacle::NotLoanable);
            ledger.block(due_date_required, reason);
        }
        self.check_without_due_date(&mut ledger);
        for obstacle in self.obstacles_with_due_date() {
            ledger.block(due_date_required, by_policy(policy, obstacle));
        }
        if self.found.item.is(ItemStatus::ClaimedReturned) {
            ledger.refuse(self.status_refusal());
        }
        let proposed = if policy.loanable {
            match self.proposed(self.first_request_is_hold()) {
                Ok(due) if self.is_later(due) => Some(due),
                Ok(_) => {
                    let reason = by_policy(policy, PolicyObstacle::DueDateUnchanged);
                    ledger.block(due_date_required, reason);
                    None
                }
                Err(obstacle) => {
                    ledger.block(due_date_required, by_policy(policy, obstacle));
                    None
                }
            }
        } else {
            None
        };
        let (Some(proposed), true) = (proposed, ledger.refusals.is_empty()) else {
            return Err(ledger.refusals);
        };
        let (due, by_expiration) =
            renewed_due_date(proposed, self.now, &self.due_facts(), self.schedule())
                .map_err(|refusal| vec![refusal])?;
        let overridden = self.request.overrides.requests(OverridableBlock::Patron);
        let mut plan = self.plan(due, overridden);
        plan.due_date_changed_by_near_expire_user = by_expiration;
        Ok(plan)
    }

    fn check_without_due_date(&self, ledger: &mut Ledger<'_>) {
        let block = OverridableBlock::Renewal;
        if let Some(request_id) = recall_of(&self.facts.queue, self.found.item) {
            ledger.block(block, RenewalReason::Recalled { request_id });
        }
        if self.is_lost() {
            ledger.block(block, self.status_refusal());
        }
        if self.limit_reached() {
            let policy = &self.terms.policy;
            ledger.block(block, by_policy(policy, PolicyObstacle::LimitReached));
        }
    }

    fn obstacles_with_due_date(&self) -> Vec<PolicyObstacle> {
        let policy = &self.terms.policy;
        let mut obstacles = Vec::new();
        if !policy.renewable {
            obstacles.push(PolicyObstacle::NotRenewable);
        }
        if !self.first_request_is_hold() {
            return obstacles;
        }
        let holds = &policy.request_management.holds;
        if !holds.renew_items_with_request {
            obstacles.push(PolicyObstacle::HoldWaiting);
        }
        if policy.profile() == Some(Profile::Fixed) {
            if holds.alternate_renewal_loan_period.is_some() {
                obstacles.push(PolicyObstacle::FixedWithPeriodForHolds);
            }
            let terms = policy.renewals_policy.as_ref();
            let period = terms.and_then(|terms| terms.period.as_ref());
            if self.terms.different_period() && period.is_some() {
                obstacles.push(PolicyObstacle::FixedWithPeriod);
            }
        }
        obstacles
    }

    fn through_override(&self, mut ledger: Ledger<'_>) -> Result<RenewalPlan, Vec<Refusal>> {
        match self.overriding_due_date() {
            Ok(due) if ledger.refusals.is_empty() => {
                let mut plan = self.plan(due, true);
                let item = self.found.item;
                plan.item_status = Some(item.change_status(ItemStatus::CheckedOut, self.now));
                plan.was_aged_to_lost = item.is(ItemStatus::AgedToLost);
                Ok(plan)
            }
            Ok(_) => Err(ledger.refusals),
            Err(reason) => {
                ledger.refuse(reason);
                Err(ledger.refusals)
            }
        }
    }

    fn overriding_due_date(&self) -> Result<Timestamp, RenewalReason> {
        let overrides = &self.request.overrides;
        if overrides.comment().is_none() {
            return Err(RenewalReason::OverrideWithoutComment);
        }
        let given = overrides.due_date();
        let policy = &self.terms.policy;
        let proposed = match self.proposed(false) {
            Ok(proposed) if policy.loanable && policy.renewable => proposed,
            _ => return given.ok_or(RenewalReason::OverrideWithoutDueDate),
        };
        let unchanged = !self.is_later(proposed);
        let something_to_override = self.limit_reached()
            || recall_of(&self.facts.queue, self.found.item).is_some()
            || self.is_lost()
            || unchanged
            || self.facts.has_reminders;
        if !something_to_override {
            return Err(by_policy(policy, PolicyObstacle::NothingToOverride));
        }
        if !unchanged {
            return Ok(proposed);
        }
        let given = given.ok_or(RenewalReason::OverrideWithUnchangedDueDate)?;
        if self.is_later(given) {
            Ok(given)
        } else {
            Err(by_policy(policy, PolicyObstacle::DueDateUnchanged))
        }
    }

    fn plan(&self, due_date: Timestamp, overridden: bool) -> RenewalPlan {
        let loan = self.found.loan;
        RenewalPlan {
            loan_id: loan.id,
            due_date,
            action: if overridden {
                LoanAction::RenewedThroughOverride
            } else {
                LoanAction::Renewed
            },
            action_comment: self.request.overrides.comment().filter(|_| overridden),
            loan_policy_id: self.terms.policy.id,
            renewal_count: loan.renewal_count.unwrap_or(0).saturating_add(1),
            recall_is_over: loan.was_recalled()
                && !has_waiting_recall(&self.facts.queue, self.found.item),
            item_status: None,
            was_aged_to_lost: false,
            due_date_changed_by_near_expire_user: false,
        }
    }

    fn status_refusal(&self) -> RenewalReason {
        RenewalReason::ItemStatus {
            status: self.found.item.status.name,
            item_id: self.found.item.id,
        }
    }

    fn is_lost(&self) -> bool {
        let item = self.found.item;
        item.is(ItemStatus::AgedToLost) || item.is(ItemStatus::DeclaredLost)
    }

    fn limit_reached(&self) -> bool {
        let policy = &self.terms.policy;
        let terms = policy.renewals_policy.as_ref();
        if !policy.renewable || terms.is_some_and(|terms| terms.unlimited) {
            return false;
        }
        let allowed = terms.and_then(|terms| terms.number_allowed).unwrap_or(0.0);
        f64::from(self.found.loan.renewal_count.unwrap_or(0)) >= allowed.trunc()
    }

    /// Whether the first request for this item, or for any of its title, is a hold.
    fn first_request_is_hold(&self) -> bool {
        let item = self.found.item;
        let first = self.facts.queue.requests().iter().find(|request| {
            request.item_id == Some(item.id)
                || (request.request_level == RequestLevel::Title
                    && request.request_type == RequestType::Hold
                    && request.item_id.is_none())
        });
        first.is_some_and(|first| first.request_type == RequestType::Hold)
    }

    /// Dates are compared as they are stored: to the millisecond.
    fn is_later(&self, due: Timestamp) -> bool {
        let present = self.found.loan.due_date;
        present.is_none_or(|present| due.as_millisecond() > present.as_millisecond())
    }

    fn proposed(&self, hold_waiting: bool) -> Result<Timestamp, PolicyObstacle> {
        let mut facts = self.due_facts();
        facts.hold_waiting = hold_waiting;
        let from = self.found.loan.due_date.unwrap_or(self.now);
        proposed_renewal(from, self.now, &facts, self.schedule())
    }

    fn schedule(&self) -> RenewalSchedule<'_> {
        RenewalSchedule {
            different_period: self.terms.different_period(),
            alternate: self.terms.alternate_schedule.as_ref(),
        }
    }

    fn due_facts(&self) -> DueDateFacts<'_> {
        DueDateFacts {
            policy: &self.terms.policy,
            schedule: self.terms.schedule.as_ref(),
            zone: &self.facts.zone,
            openings: &self.facts.openings,
            patron_expires_at: self.found.patron.expiration_date,
            hold_waiting: false,
        }
    }
}

fn recalls(queue: &RequestQueue, item: &Item) -> impl Iterator<Item = (RequestId, RequestStatus)> {
    let item = item.id;
    queue
        .requests()
        .iter()
        .filter(move |request| {
            request.request_type == RequestType::Recall && request.item_id == Some(item)
        })
        .map(|request| (request.id, request.status))
}

fn recall_of(queue: &RequestQueue, item: &Item) -> Option<RequestId> {
    recalls(queue, item).next().map(|(id, _)| id)
}

fn has_waiting_recall(queue: &RequestQueue, item: &Item) -> bool {
    recalls(queue, item).any(|(_, status)| status == RequestStatus::NotYetFilled)
}
