//! Renewal: reads item, loan and borrower while the item is locked, decides by a pure function, and
//! writes in the same transaction. A concurrent check-in of the item waits, or is seen.
//!
//! Three round trips: the open loan; its queue; writes with the loan's view and COMMIT. Fines of a late
//! renewal and refunds for a lost item take more.

use std::collections::HashSet;

use futures_util::try_join;
use octavo_fees::accounting::Money;
use octavo_library::{ItemId, Patron, ServicePointId, wire_time};
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::store::replace;
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};

use super::automated_blocks::automated_blocks;
use super::fee_notices::{FeesOf, fees_changed};
use super::journal::note_all;
use super::loan_fee_effects::{Back, LossUndone, came_back};
use super::loan_notices::LoanNotices;
use super::overdue_fine::{Late, fine_for};
use super::{Declined, Desk, lines, reminders};
use crate::due_date::Openings;
use crate::facts::{Item, RequestQueue, rule_criteria};
use crate::notice::Event;
use crate::refusal::Refusal;
use crate::reminder::{OpenDays, RemindersPolicy, last_billed};
use crate::renewal::{RenewalFacts, RenewalKey, RenewalPlan, RenewalRequest, RenewalTerms, decide};
use crate::store::item::ItemKey;
use crate::store::open_loan::{self, OpenLoanAtHand};
use crate::store::policy::TenantTerms;
use crate::store::{patron, policy, view};

/// Renews a loan; returns it as FOLIO shows it.
pub async fn renew(
    desk: Desk<'_>,
    request: &RenewalRequest,
    permissions: HashSet<String>,
) -> Result<Value, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let (facts, read, at_stake) = gather(desk, &transaction, request, permissions).await?;
    let deciding = trace::span("decide, with the due date");
    let plan = decide(request, &facts, desk.stamp.at).map_err(Declined::Refused)?;
    drop(deciding);
    let at_stake = RenewalEffects {
        service_point_id: request.service_point_id,
        ..at_stake
    };
    Ok(carry_out(desk, &transaction, &plan, &facts, read, at_stake).await?)
}

/// The side effects of a renewal.
#[derive(Debug, Default)]
struct RenewalEffects {
    /// The reminders of the loan's overdue fine policy.
    reminders: Option<RemindersPolicy>,
    /// The overdue fine, whatever happens to a lost item's fees.
    fine: Option<Money>,
    /// The service point.
    service_point_id: Option<ServicePointId>,
    /// The tenant's terms for the fees' log lines.
    terms: Option<TenantTerms>,
    /// The borrower's notices.
    notices: LoanNotices,
}

async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &RenewalRequest,
    operator_permissions: HashSet<String>,
) -> Result<(RenewalFacts, OpenLoanAtHand, RenewalEffects), Declined> {
    let tables = desk.tables();
    let key = match &request.key {
        RenewalKey::Barcodes { item, .. } => ItemKey::Barcode(item),
        // An invalid id is treated as unknown.
        RenewalKey::Ids { item, .. } => ItemKey::Id(ItemId::parse(item).unwrap_or_default()),
    };
    let (read, tenant) = try_join!(
        open_loan::open_at_hand(transaction, tables, key),
        policy::tenant_terms(transaction, tables),
    )?;
    let mut facts = RenewalFacts {
        item: read.item.as_ref().map(|held| held.item.clone()),
        loan: read.loan.as_ref().map(|held| held.loan.clone()),
        patron: read.patron.clone(),
        manual_blocks: Vec::new(),
        automated_blocks: Vec::new(),
        has_reminders: read
            .loan
            .as_ref()
            .and_then(|held| last_billed(&held.document))
            .is_some_and(|number| number > 0),
        renewable_with_reminders: false,
        terms: None,
        queue: RequestQueue::default(),
        zone: tenant.zone.clone(),
        openings: Openings::NoCalendar,
        operator_permissions,
    };
    let (Some(item), Some(loan), Some(borrower)) =
        (facts.item.clone(), facts.loan.clone(), facts.patron.clone())
    else {
        return Ok((facts, read, RenewalEffects::default()));
    };
    let config = desk.config(transaction, &tenant).await?;
    facts.terms = Some(terms_for(desk, transaction, &tenant, &item, &borrower).await?);
    facts.renewable_with_reminders = config.renews_with_reminders(loan.overdue_fine_policy_id);
    let (standing, blocks, automated) = try_join!(
        desk.standing(transaction, &tenant, &config, &item),
        patron::manual_blocks(transaction, tables, borrower.id),
        automated_blocks(desk, transaction, &config, Some(&borrower)),
    )?;
    facts.queue = standing.queue.queue;
    let point = loan.checkout_service_point_id;
    facts.openings = desk.openings(transaction, &tenant, point).await?;
    facts.manual_blocks = blocks;
    facts.automated_blocks = automated
        .into_iter()
        .filter(|block| block.block_renewals)
        .map(|block| block.message)
        .collect();
    let late = Late {
        loan: &loan,
        item: &item,
        until: desk.stamp.at,
        renewed: true,
    };
    let at_stake = RenewalEffects {
        reminders: config.reminders(loan.overdue_fine_policy_id).cloned(),
        fine: fine_for(desk, transaction, &tenant, &config, late).await?,
        service_point_id: None,
        terms: Some(tenant.clone()),
        notices: LoanNotices::of(desk, transaction, &tenant, Some(&item), Some(&borrower)).await?,
    };
    Ok((facts, read, at_stake))
}

/// The loan policy that the rules name now for item and borrower, with its schedules.
pub(super) async fn terms_for(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    item: &Item,
    borrower: &Patron,
) -> Result<RenewalTerms, Declined> {
    let rules = desk.rules(transaction, tenant).await?;
    let config = desk.config(transaction, tenant).await?;
    let matched = rules.match_loan_policy(&rule_criteria(item, borrower)?);
    let terms = config.renewal_terms(matched.policy_id);
    Ok(terms.ok_or(Refusal::CirculationRulesNotApplicable {
        reason: "Loan policy could not be found, please check circulation rules",
    })?)
}

async fn carry_out(
    desk: Desk<'_>,
    transaction: &Transaction,
    plan: &RenewalPlan,
    facts: &RenewalFacts,
    read: OpenLoanAtHand,
    at_stake: RenewalEffects,
) -> Result<Value, StoreError> {
    let Context { tenant, stamp, .. } = desk.context;
    let (Some(held), Some(item)) = (read.loan, read.item) else {
        return Err(StoreError::NotFound);
    };
    // Only for lost or late loans, since it costs round trips.
    let back = Back {
        settles_claim: false,
        item_id: item.item.id,
        status_before: item.item.status.name,
        loan: Some(&held),
        returned_at: None,
        found_by_library: false,
        fine: at_stake.fine,
        how: LossUndone::Renewed,
        service_point_id: at_stake.service_point_id,
    };
    let fees = came_back(desk, transaction, back).await?;
    if let Some(terms) = &at_stake.terms {
        let of_loan = FeesOf {
            loan_id: held.loan.id,
            item: &item.item,
            borrower: facts.patron.as_ref(),
            fees: &fees,
            aged_came_back: false,
            session_id: None,
        };
        fees_changed(desk, transaction, terms, &[of_loan]).await?;
    }
    let (loan, mut document) = (held.loan, held.document);
    plan.apply_to(&mut document);
    let mut out = item.document.clone();
    if let Some(status) = plan.item_status {
        status.apply_to(&mut out);
    }
    let (event, out) = (Event::Renewed, Some(&out));
    at_stake
        .notices
        .notify(desk, transaction, event, loan.id, Some(&document), out)
        .await?;
    let described = lines::new_due_date(plan.due_date, loan.due_date, &facts.zone);
    let line = |action| {
        let (item, patron) = (Some(&item.item), facts.patron.as_ref());
        lines::about(&loan, item, patron, action, described.clone())
    };
    let entries = [line("Changed due date"), line(plan.name())];
    // The item before its loan: the trigger of the loan's history reads the item's status.
    let (.., shown) = try_join!(
        async {
            let Some(status) = plan.item_status.filter(|status| !item.item.is(status.name)) else {
                return Ok(());
            };
            let mut document = item.document.clone();
            status.apply_to(&mut document);
            let collection = desk.collection("item");
            replace(
                transaction,
                tenant,
                collection,
                item.item.id.uuid(),
                &document,
                &stamp,
            )
            .await?;
            Ok(())
        },
        replace(
            transaction,
            tenant,
            desk.collection("loan"),
            loan.id.uuid(),
            &document,
            &stamp
        ),
        lines::due_date_changed(desk, transaction, &loan, &document),
        note_all(desk, transaction, &entries),
        reminders::restart(
            desk,
            transaction,
            at_stake.reminders.as_ref(),
            &loan,
            plan.due_date,
            OpenDays {
                days: &facts.openings,
                zone: &facts.zone,
            },
        ),
        at_stake
            .notices
            .reschedule(desk, transaction, &loan, plan.due_date),
        view::last(transaction, desk.tables(), loan.id.uuid()),
    )?;
    let mut shown = shown.ok_or(StoreError::NotFound)?;
    // FOLIO responds with the value it has set, before its storage reformats it.
    shown["dueDate"] = wire_time::to_wire(&shown["dueDate"]);
    if plan.due_date_changed_by_near_expire_user {
        shown["dueDateChangedByNearExpireUser"] = json!(true);
    }
    Ok(shown)
}
