//! Check-out: everything is read while the item is held, decided by a pure function, and stored
//! in the same transaction. Of two desks with one item the second waits, then sees the loan.
//!
//! Five round trips: facts by barcode, facts by id, writes, the loan's view, commit. One more where
//! the policy limits a patron's open loans.

use std::collections::HashSet;

use futures_util::try_join;
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::store::{emit, insert, replace};
use octavo_records::{StoreError, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Declined, Desk, queue};
use crate::check_out::{
    CheckOutFacts, CheckOutPlan, CheckOutRequest, LoanTerms, OpenLoanCounts, decide,
};
use crate::due_date::Openings;
use crate::facts::{AutomatedBlock, Item, Patron, rule_criteria};
use crate::refusal::Refusal;
use crate::rules::CompiledRules;
use crate::store::item::{HeldItem, ItemKey};
use crate::store::queue::HeldQueue;
use crate::store::{item, patron, policy, queue as queue_store, view};

/// Lends an item; gives the loan as FOLIO shows it.
///
/// # Errors
/// All refusals together, or what the database answered.
pub async fn check_out(
    desk: Desk<'_>,
    request: &CheckOutRequest,
    permissions: HashSet<String>,
) -> Result<Value, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let read = gather(desk, &transaction, request, permissions).await?;
    let deciding = trace::span("decide, with the due date");
    let plan =
        decide(request, &read.facts, desk.stamp.at, Uuid::new_v4()).map_err(Declined::Refused)?;
    drop(deciding);
    let loan = carry_out(desk, &transaction, &plan, read)
        .await
        .map_err(|error| match error {
            // The open loan's unique key, should the item's lock ever have been passed by.
            StoreError::Duplicate { .. } => Declined::Refused(vec![Refusal::ItemHasOpenLoan {
                barcode: request.item_barcode.clone(),
            }]),
            other => other.into(),
        })?;
    transaction.commit().await?;
    Ok(loan)
}

/// The facts, with the documents that the plan will change.
struct Read {
    facts: CheckOutFacts,
    item: Option<HeldItem>,
    queue: HeldQueue,
}

async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &CheckOutRequest,
    operator_permissions: HashSet<String>,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let barcode = request.item_barcode.as_deref().unwrap_or_default();
    // Facts by barcode, and behind BEGIN. The item comes first: it is held from then on.
    let (held, patron, proxy, tenant) = try_join!(
        item::hold(transaction, tables, ItemKey::Barcode(barcode)),
        patron::by_barcode(transaction, tables, request.user_barcode.as_deref()),
        patron::by_barcode(transaction, tables, request.proxy_user_barcode.as_deref()),
        policy::tenant_terms(transaction, tables),
    )?;
    let rules = desk
        .rules
        .rules(transaction, tables, tenant.rules_version.as_deref())
        .await?;
    let found = held.as_ref().map(|held| &held.item);
    // Facts by id: what depends on who and what was found.
    let (queue, open_loan, blocks, automated, relationships, terms) = try_join!(
        requests_for(desk, transaction, found),
        open_loan_of(desk, transaction, found),
        blocks_of(desk, transaction, patron.as_ref()),
        automated_blocks_of(desk, transaction, patron.as_ref()),
        relationships(desk, transaction, patron.as_ref(), proxy.as_ref()),
        loan_terms(desk, transaction, &rules, request, found, patron.as_ref()),
    )?;
    let terms = terms.map_err(|refusal| Declined::Refused(vec![refusal]))?;
    let limited = terms
        .as_ref()
        .is_some_and(|terms| terms.policy.item_limit().is_some());
    let open_loans = match (&patron, found) {
        (Some(patron), Some(item)) if limited => {
            patron::open_loan_counts(transaction, tables, patron.id, item).await?
        }
        _ => OpenLoanCounts::default(),
    };
    let facts = CheckOutFacts {
        patron,
        proxy,
        proxy_relationships: relationships,
        manual_blocks: blocks,
        automated_blocks: automated,
        item: held.as_ref().map(|held| held.item.clone()),
        item_has_open_loan: open_loan,
        queue: queue.queue.clone(),
        terms,
        open_loans,
        zone: tenant.zone,
        openings: Openings::NoCalendar,
        operator_permissions,
    };
    Ok(Read {
        facts,
        item: held,
        queue,
    })
}

async fn requests_for(
    desk: Desk<'_>,
    transaction: &Transaction,
    found: Option<&Item>,
) -> Result<HeldQueue, StoreError> {
    match found {
        Some(item) => queue_store::of_item(transaction, desk.tables(), item).await,
        None => Ok(HeldQueue::default()),
    }
}

async fn open_loan_of(
    desk: Desk<'_>,
    transaction: &Transaction,
    found: Option<&Item>,
) -> Result<bool, StoreError> {
    match found {
        Some(found) => Ok(item::open_loan(transaction, desk.tables(), found.id)
            .await?
            .is_some()),
        None => Ok(false),
    }
}

async fn blocks_of(
    desk: Desk<'_>,
    transaction: &Transaction,
    patron: Option<&Patron>,
) -> Result<Vec<crate::facts::ManualBlock>, StoreError> {
    match patron {
        Some(patron) => patron::manual_blocks(transaction, desk.tables(), patron.id).await,
        None => Ok(Vec::new()),
    }
}

async fn automated_blocks_of(
    desk: Desk<'_>,
    transaction: &Transaction,
    patron: Option<&Patron>,
) -> Result<Vec<AutomatedBlock>, StoreError> {
    let Some(patron) = patron else {
        return Ok(Vec::new());
    };
    let blocks = octavo_fees::store::automated_blocks(transaction, desk.tenant, patron.id).await?;
    Ok(blocks
        .into_iter()
        .map(|block| AutomatedBlock {
            message: block.message,
            block_borrowing: block.block_borrowing,
        })
        .collect())
}

async fn relationships(
    desk: Desk<'_>,
    transaction: &Transaction,
    patron: Option<&Patron>,
    proxy: Option<&Patron>,
) -> Result<Vec<crate::facts::ProxyRelationship>, StoreError> {
    let Some(patron) = patron else {
        return Ok(Vec::new());
    };
    let proxy = proxy.map(|proxy| proxy.id);
    patron::proxy_relationships(transaction, desk.tables(), patron.id, proxy).await
}

/// The policies that the rules, or the request, name for this patron and item.
async fn loan_terms(
    desk: Desk<'_>,
    transaction: &Transaction,
    rules: &CompiledRules,
    request: &CheckOutRequest,
    item: Option<&Item>,
    patron: Option<&Patron>,
) -> Result<Result<Option<LoanTerms>, Refusal>, StoreError> {
    let (Some(item), Some(patron)) = (item, patron) else {
        return Ok(Ok(None));
    };
    let matching = trace::span("match the rules");
    let criteria = match rule_criteria(item, patron) {
        Ok(criteria) => criteria,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let matched = rules.match_loan_policy(&criteria);
    let overdue_fine_policy_id = Some(rules.match_overdue_fine_policy(&criteria).policy_id);
    let lost_item_policy_id = Some(rules.match_lost_item_policy(&criteria).policy_id);
    drop(matching);
    let id = request.force_loan_policy_id.unwrap_or(matched.policy_id);
    let Some((policy, schedule)) = policy::loan_policy(transaction, desk.tables(), id).await?
    else {
        let reason = "Loan policy could not be found, please check circulation rules";
        return Ok(Err(Refusal::CirculationRulesNotApplicable { reason }));
    };
    Ok(Ok(Some(LoanTerms {
        policy,
        conditions: if request.force_loan_policy_id.is_some() {
            crate::rules::MatchConditions::default()
        } else {
            matched.conditions
        },
        schedule,
        overdue_fine_policy_id,
        lost_item_policy_id,
    })))
}

/// Writes rows and events together, then reads the loan as it is shown.
async fn carry_out(
    desk: Desk<'_>,
    transaction: &Transaction,
    plan: &CheckOutPlan,
    read: Read,
) -> Result<Value, StoreError> {
    let Desk { tenant, stamp, .. } = desk;
    let loan = document(&plan.loan)?;
    let mut item = read.item.map(|held| held.document).unwrap_or_default();
    plan.apply_to_item(&mut item);
    let mut requests = read.queue.documents;
    if let Some(filled) = &plan.filled_request
        && let Some(document) = requests.get_mut(&filled.id)
    {
        filled.apply_to(document);
    }
    let session = json!({"patronId": plan.loan.user_id, "loanId": plan.loan.id,
                         "actionType": "Check-out"});
    let event = json!({"userId": plan.loan.user_id, "loanId": plan.loan.id,
                       "itemId": plan.loan.item_id,
                       "dueDate": instant::format(plan.loan.due_date)});
    let filled = plan.filled_request.as_ref().map(|filled| filled.id);
    try_join!(
        insert(transaction, tenant, desk.collection("loan")?, loan, &stamp),
        replace(
            transaction,
            tenant,
            desk.collection("item")?,
            plan.loan.item_id,
            &item,
            &stamp
        ),
        queue::store_changes(desk, transaction, requests, filled, &plan.position_changes),
        insert(
            transaction,
            tenant,
            desk.collection("patron_action_session")?,
            document(&session)?,
            &stamp
        ),
        emit(
            transaction,
            tenant,
            "circulation.ITEM_CHECKED_OUT",
            plan.loan.id,
            "CREATE",
            &event
        ),
    )?;
    let shown = view::loan(transaction, desk.tables(), plan.loan.id).await?;
    let mut shown = shown.ok_or(StoreError::NotFound)?;
    if plan.due_date_changed_by_hold {
        shown["dueDateChangedByHold"] = json!(true);
    }
    if plan.due_date_changed_by_near_expire_user {
        shown["dueDateChangedByNearExpireUser"] = json!(true);
    }
    Ok(shown)
}

/// A value as the document of a record.
pub(super) fn document(value: &impl serde::Serialize) -> Result<Map<String, Value>, StoreError> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(StoreError::Database("a record is an object".to_owned())),
        Err(error) => Err(StoreError::Database(error.to_string())),
    }
}
