//! The checks of a check-out in FOLIO's order. Everything that can be checked is checked, so that staff
//! see all reasons at once; a check whose facts were not found is skipped, since that is reported
//! already.

use jiff::Timestamp;
use octavo_library::{ItemStatus, LoanId, Patron, ServicePointId};

use super::facts::{CheckOutFacts, LoanTerms};
use super::overrides::Ledger;
use super::plan::{CheckOutPlan, plan};
use super::request::CheckOutRequest;
use crate::facts::Item;
use crate::refusal::{ItemLimitScope, OverridableBlock, PolicyReference, Refusal};
use crate::rules::MatchConditions;

/// Statuses in which an item cannot be lent; Checked out has a refusal of its own.
const FORBIDDEN_STATUSES: [ItemStatus; 4] = [
    ItemStatus::DeclaredLost,
    ItemStatus::ClaimedReturned,
    ItemStatus::IntellectualItem,
    ItemStatus::AgedToLost,
];

/// Decides a check-out made at `now`; the new loan gets the given id.
///
/// # Errors
/// All refusals, in FOLIO's order.
pub fn decide(
    request: &CheckOutRequest,
    facts: &CheckOutFacts,
    now: Timestamp,
    loan_id: LoanId,
) -> Result<CheckOutPlan, Vec<Refusal>> {
    let loan_date = request.loan_date.unwrap_or(now);
    let mut ledger = Ledger::new(
        &request.override_blocks,
        &facts.operator_permissions,
        loan_date,
    );
    if request.service_point_id.is_none() {
        ledger.refuse(Refusal::CheckOutWithoutServicePoint);
    }
    check_people(request, facts, now, &mut ledger);
    check_item(request, facts, &mut ledger);
    if let Some(terms) = &facts.terms {
        check_terms(request, facts, terms, &mut ledger);
    }
    let (Some(patron), Some(item), Some(service_point_id)) =
        (&facts.patron, &facts.item, request.service_point_id)
    else {
        return Err(ledger.refusals);
    };
    if !ledger.refusals.is_empty() {
        return Err(ledger.refusals);
    }
    let Some(terms) = &facts.terms else {
        let reason = "Unable to apply circulation rules for unknown item";
        return Err(vec![Refusal::CirculationRulesNotApplicable { reason }]);
    };
    let parties = Parties {
        patron,
        item,
        terms,
        service_point_id,
        loan_date,
        loan_id,
    };
    plan(request, facts, &parties, now, ledger).map_err(|refusal| vec![refusal])
}

/// The parties of a loan, once nothing is missing.
pub(super) struct Parties<'a> {
    pub patron: &'a Patron,
    pub item: &'a Item,
    pub terms: &'a LoanTerms,
    pub service_point_id: ServicePointId,
    pub loan_date: Timestamp,
    pub loan_id: LoanId,
}

fn check_people(
    request: &CheckOutRequest,
    facts: &CheckOutFacts,
    now: Timestamp,
    ledger: &mut Ledger<'_>,
) {
    match &facts.patron {
        None => ledger.refuse(Refusal::UserNotFound {
            barcode: request.user_barcode.clone(),
        }),
        Some(_) => check_patron_blocks(facts, now, ledger),
    }
    if let (Some(barcode), None) = (&request.proxy_user_barcode, &facts.proxy) {
        ledger.refuse(Refusal::ProxyNotFound {
            barcode: barcode.clone(),
        });
    }
    if let Some(patron) = &facts.patron {
        let barcode = request.user_barcode.clone();
        match patron.active {
            None => ledger.refuse(Refusal::UserStatusUnknown { barcode }),
            Some(true) if patron.is_current(now) => {}
            Some(_) => ledger.refuse(Refusal::UserInactive { barcode }),
        }
    }
    if let (Some(barcode), Some(proxy)) = (&request.proxy_user_barcode, &facts.proxy) {
        check_proxy(barcode, proxy, facts, now, ledger);
    }
}

fn check_patron_blocks(facts: &CheckOutFacts, now: Timestamp, ledger: &mut Ledger<'_>) {
    let missing_permissions = ledger.missing(OverridableBlock::Patron);
    let mut manual = Vec::new();
    if facts
        .manual_blocks
        .iter()
        .any(|block| block.forbids_borrowing(now))
    {
        // FOLIO reports the reasons of all the patron's blocks once one of them applies.
        let reasons: Vec<&str> = facts
            .manual_blocks
            .iter()
            .map(|block| block.desc.as_deref().unwrap_or("null"))
            .collect();
        let reason = reasons.join(";");
        let missing_permissions = missing_permissions.clone();
        manual.push(Refusal::PatronBlockedManually {
            reason,
            missing_permissions,
        });
    }
    ledger.block(OverridableBlock::Patron, manual);
    let automated = facts
        .automated_blocks
        .iter()
        .filter(|block| block.block_borrowing);
    let automated = automated
        .map(|block| Refusal::PatronBlockedAutomatically {
            message: block.message.clone(),
            missing_permissions: missing_permissions.clone(),
        })
        .collect();
    ledger.block(OverridableBlock::Patron, automated);
}

fn check_proxy(
    barcode: &str,
    proxy: &Patron,
    facts: &CheckOutFacts,
    now: Timestamp,
    ledger: &mut Ledger<'_>,
) {
    let barcode = || barcode.to_owned();
    match proxy.active {
        None => ledger.refuse(Refusal::ProxyStatusUnknown { barcode: barcode() }),
        Some(true) if proxy.is_current(now) => {}
        Some(_) => ledger.refuse(Refusal::ProxyInactive { barcode: barcode() }),
    }
    let Some(patron) = &facts.patron else { return };
    if patron.id == proxy.id {
        ledger.refuse(Refusal::ProxyForThemselves {
            proxy_user_id: proxy.id,
        });
    } else if !facts
        .proxy_relationships
        .iter()
        .any(|relation| relation.is_active(now))
    {
        ledger.refuse(Refusal::ProxyRelationshipInvalid { barcode: barcode() });
    }
}

fn check_item(request: &CheckOutRequest, facts: &CheckOutFacts, ledger: &mut Ledger<'_>) {
    let barcode = || request.item_barcode.clone();
    let Some(item) = &facts.item else {
        ledger.refuse(Refusal::ItemNotFoundForCheckOut { barcode: barcode() });
        return;
    };
    if item.is(ItemStatus::CheckedOut) {
        ledger.refuse(Refusal::ItemAlreadyCheckedOut { barcode: barcode() });
    }
    if FORBIDDEN_STATUSES.contains(&item.status.name) {
        ledger.refuse(Refusal::ItemStatusForbidsCheckOut {
            item: item.reference(),
            status: item.status.name,
        });
    }
    if facts.item_has_open_loan {
        ledger.refuse(Refusal::ItemHasOpenLoan { barcode: barcode() });
    }
    let Some(patron) = &facts.patron else { return };
    let first = facts.queue.first_for_check_out(item);
    if first.is_some_and(|first| first.requester_id != patron.id) {
        ledger.refuse(Refusal::RequestedByAnotherPatron {
            item: item.reference(),
            user_name: patron.display_name(),
            user_barcode: request.user_barcode.clone(),
        });
    }
}

fn check_terms(
    request: &CheckOutRequest,
    facts: &CheckOutFacts,
    terms: &LoanTerms,
    ledger: &mut Ledger<'_>,
) {
    let limit = reached_limit(facts, terms).map(|(limit, scope)| Refusal::ItemLimitReached {
        limit,
        scope,
        item_barcode: request.item_barcode.clone(),
        missing_permissions: ledger.missing(OverridableBlock::ItemLimit),
    });
    ledger.block(OverridableBlock::ItemLimit, limit.into_iter().collect());
    let not_loanable = (!terms.policy.loanable).then(|| Refusal::ItemNotLoanable {
        item_barcode: request.item_barcode.clone(),
        policy: PolicyReference {
            id: terms.policy.id,
            name: terms.policy.name.clone(),
        },
        missing_permissions: ledger.missing(OverridableBlock::ItemNotLoanable),
    });
    ledger.block(
        OverridableBlock::ItemNotLoanable,
        not_loanable.into_iter().collect(),
    );
}

/// An item limit counts loans that share what the rule mentions of material and loan type; a rule
/// that mentions neither has no limit.
fn reached_limit(facts: &CheckOutFacts, terms: &LoanTerms) -> Option<(u32, ItemLimitScope)> {
    use ItemLimitScope as Scope;
    let limit = terms.policy.item_limit()?;
    let MatchConditions {
        material_type_match,
        loan_type_match,
        patron_group_match,
    } = terms.conditions;
    let counts = &facts.open_loans;
    let (count, with_group, without) = match (material_type_match, loan_type_match) {
        (true, true) => (
            counts.same_material_and_loan_type,
            Scope::PatronGroupMaterialTypeLoanType,
            Scope::MaterialTypeLoanType,
        ),
        (true, false) => (
            counts.same_material_type,
            Scope::PatronGroupMaterialType,
            Scope::MaterialType,
        ),
        (false, true) => (
            counts.same_loan_type,
            Scope::PatronGroupLoanType,
            Scope::LoanType,
        ),
        (false, false) => return None,
    };
    let scope = if patron_group_match {
        with_group
    } else {
        without
    };
    (count >= limit).then_some((limit, scope))
}
