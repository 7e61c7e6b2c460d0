//! Renewal: item, loan and borrower are read while the item is held, decided by a pure function, and
//! stored in the same transaction. A check-in of the same item waits, or is seen.
//!
//! Three round trips: the loan at hand; what stands on it; writes with the loan's view and COMMIT.
//!
//! What a late renewal costs, and what a lost item's renewal gives back, belongs behind the writes of
//! `carry_out`, in its transaction: the loan before the renewal is `read.loan`, and
//! `request.overrides.of_renewal()` says whether fees for a lost item are to be refunded first.

use std::collections::HashSet;

use futures_util::try_join;
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::replace;
use serde_json::{Value, json};
use uuid::Uuid;

use super::automated_blocks::automated_blocks;
use super::consequences::{LossUndone, loss_undone};
use super::journal::note_all;
use super::loan_notices::LoanNotices;
use super::{Declined, Desk, lines, reminders};
use crate::due_date::Openings;
use crate::facts::{Item, Patron, RequestQueue, rule_criteria};
use crate::notice::Event;
use crate::refusal::Refusal;
use crate::reminder::{OpenDays, RemindersPolicy, last_billed};
use crate::renewal::{RenewalFacts, RenewalKey, RenewalPlan, RenewalRequest, RenewalTerms, decide};
use crate::store::at_hand::{self, OpenLoanAtHand};
use crate::store::item::ItemKey;
use crate::store::policy::TenantTerms;
use crate::store::{patron, policy, standing, view};

/// Renews a loan; gives it as FOLIO shows it.
///
/// # Errors
/// All refusals together, or what the database answered.
pub async fn renew(
    desk: Desk<'_>,
    request: &RenewalRequest,
    permissions: HashSet<String>,
) -> Result<Value, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let (facts, read, reminders, notices) =
        gather(desk, &transaction, request, permissions).await?;
    let deciding = trace::span("decide, with the due date");
    let plan = decide(request, &facts, desk.stamp.at).map_err(Declined::Refused)?;
    drop(deciding);
    let told = (reminders.as_ref(), &notices);
    Ok(carry_out(desk, &transaction, &plan, &facts, read, told).await?)
}

/// The facts, with what is changed, and what follows from the new due date.
type Read = (
    RenewalFacts,
    OpenLoanAtHand,
    Option<RemindersPolicy>,
    LoanNotices,
);

async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &RenewalRequest,
    operator_permissions: HashSet<String>,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let key = match &request.key {
        RenewalKey::Barcodes { item, .. } => ItemKey::Barcode(item),
        // What is no id is the id of no item.
        RenewalKey::Ids { item, .. } => ItemKey::Id(Uuid::try_parse(item).unwrap_or_default()),
    };
    let (read, tenant) = try_join!(
        at_hand::open_at_hand(transaction, tables, key),
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
        return Ok((facts, read, None, LoanNotices::default()));
    };
    let house = desk.house(transaction, &tenant).await?;
    facts.terms = Some(terms_for(desk, transaction, &tenant, &item, &borrower).await?);
    facts.renewable_with_reminders = house.renews_with_reminders(loan.overdue_fine_policy_id);
    let (standing, blocks, automated) = try_join!(
        standing::of_item(transaction, tables, &item),
        patron::manual_blocks(transaction, tables, borrower.id),
        automated_blocks(desk, transaction, &house, Some(&borrower)),
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
    let reminders = house.reminders(loan.overdue_fine_policy_id);
    let notices = LoanNotices::of(desk, transaction, &tenant, Some(&item), Some(&borrower)).await?;
    Ok((facts, read, reminders.cloned(), notices))
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
    let house = desk.house(transaction, tenant).await?;
    let matched = rules.match_loan_policy(&rule_criteria(item, borrower)?);
    let terms = house.renewal_terms(matched.policy_id);
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
    (reminders, notices): (Option<&RemindersPolicy>, &LoanNotices),
) -> Result<Value, StoreError> {
    let Desk { tenant, stamp, .. } = desk;
    let (Some(held), Some(item)) = (read.loan, read.item) else {
        return Err(StoreError::NotFound);
    };
    let (loan, mut document) = (held.loan, held.document);
    plan.apply_to(&mut document);
    // Of what was lost and of nothing else: it costs a round trip.
    let (before, how) = (item.item.status.name.as_str(), LossUndone::Renewed);
    loss_undone(desk, transaction, item.item.id, before, Some(loan.id), how).await?;
    let mut out = item.document.clone();
    if let Some(status) = plan.item_status {
        status.apply_to(&mut out);
    }
    let (event, out) = (Event::Renewed, Some(&out));
    notices
        .tell(desk, transaction, event, loan.id, Some(&document), out)
        .await?;
    let described = lines::new_due_date(plan.due_date, loan.due_date, &facts.zone);
    let line = |action| {
        let (item, patron) = (Some(&item.item), facts.patron.as_ref());
        lines::about(&loan, item, patron, action, described.clone())
    };
    let entries = [line("Changed due date"), line(plan.name())];
    // The item before its loan: the loan's history keeps the item's status.
    let (.., shown) = try_join!(
        async {
            let Some(status) = plan.item_status.filter(|status| !item.item.is(status.name)) else {
                return Ok(());
            };
            let mut document = item.document.clone();
            status.apply_to(&mut document);
            let collection = desk.collection("item")?;
            replace(
                transaction,
                tenant,
                collection,
                item.item.id,
                &document,
                &stamp,
            )
            .await?;
            Ok(())
        },
        replace(
            transaction,
            tenant,
            desk.collection("loan")?,
            loan.id,
            &document,
            &stamp
        ),
        lines::due_date_changed(desk, transaction, &loan, &document),
        note_all(desk, transaction, &entries),
        reminders::begin_anew(
            desk,
            transaction,
            reminders,
            &loan,
            plan.due_date,
            OpenDays {
                days: &facts.openings,
                zone: &facts.zone,
            },
        ),
        notices.begin_anew(desk, transaction, &loan, plan.due_date),
        view::last(transaction, desk.tables(), loan.id),
    )?;
    let mut shown = shown.ok_or(StoreError::NotFound)?;
    if plan.due_date_changed_by_near_expire_user {
        shown["dueDateChangedByNearExpireUser"] = json!(true);
    }
    Ok(shown)
}
