//! Check-out: everything is read while the item is held, decided by a pure function, and stored
//! in the same transaction. Of two desks with one item the second waits, then sees the loan.
//!
//! Three round trips: facts by barcode; facts by id; writes with the loan's view and COMMIT.

use std::collections::HashSet;

use futures_util::try_join;
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::store::{emit, insert, replace};
use octavo_records::{StoreError, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Declined, Desk, queue};
use crate::check_out::{CheckOutFacts, CheckOutPlan, CheckOutRequest, LoanTerms, decide};
use crate::facts::{AutomatedBlock, Item, Patron, rule_criteria};
use crate::refusal::Refusal;
use crate::rules::{CompiledRules, MatchConditions};
use crate::store::item::{HeldItem, ItemKey};
use crate::store::policy::TermsOfLoan;
use crate::store::queue::HeldQueue;
use crate::store::standing::Standing;
use crate::store::{item, patron, policy, standing, view};

/// Lends an item; gives the loan as FOLIO shows it. Who sends a request again with the same `id`
/// gets the loan that it made.
///
/// # Errors
/// All refusals together, or what the database answered.
pub async fn check_out(
    desk: Desk<'_>,
    request: &CheckOutRequest,
    permissions: &HashSet<String>,
) -> Result<Value, Declined> {
    let wished = request.id.unwrap_or_else(Uuid::new_v4);
    match lend(desk, request, permissions, wished).await {
        // The id belongs to a loan of something else: a client that sends the same one always.
        Err(Declined::Store(StoreError::Duplicate { .. })) if request.id.is_some() => {
            let own = lend(desk, request, permissions, Uuid::new_v4()).await;
            own.map_err(|declined| open_loan_met(declined, request))
        }
        lent => lent.map_err(|declined| open_loan_met(declined, request)),
    }
}

async fn lend(
    desk: Desk<'_>,
    request: &CheckOutRequest,
    permissions: &HashSet<String>,
    loan_id: Uuid,
) -> Result<Value, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let read = gather(desk, &transaction, request, permissions.clone()).await?;
    if let Some(loan) = read.made_before(request) {
        let shown = view::loan(&transaction, desk.tables(), loan).await?;
        return Ok(shown.ok_or(StoreError::NotFound)?);
    }
    let deciding = trace::span("decide, with the due date");
    let plan = decide(request, &read.facts, desk.stamp.at, loan_id).map_err(Declined::Refused)?;
    drop(deciding);
    Ok(carry_out(desk, &transaction, &plan, read).await?)
}

/// The open loan's unique key, should the item's lock ever have been passed by.
fn open_loan_met(declined: Declined, request: &CheckOutRequest) -> Declined {
    match declined {
        Declined::Store(StoreError::Duplicate { .. }) => {
            let barcode = request.item_barcode.clone();
            Declined::Refused(vec![Refusal::ItemHasOpenLoan { barcode }])
        }
        other => other,
    }
}

/// The facts, with the documents that the plan will change.
pub(super) struct Read {
    pub(super) facts: CheckOutFacts,
    item: Option<HeldItem>,
    open_loan: Option<Uuid>,
    borrower: Option<Uuid>,
    queue: HeldQueue,
}

impl Read {
    /// The open loan that this very request has made before.
    fn made_before(&self, request: &CheckOutRequest) -> Option<Uuid> {
        let patron = self.facts.patron.as_ref()?.id;
        let same = request.id.is_some() && request.id == self.open_loan;
        self.open_loan
            .filter(|_| same && self.borrower == Some(patron))
    }
}

/// Reads everything that a check-out is decided on, in two round trips; the item is held.
pub(super) async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &CheckOutRequest,
    operator_permissions: HashSet<String>,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let barcode = request.item_barcode.as_deref().unwrap_or_default();
    // Facts by barcode, and behind BEGIN. The item comes first: it is held from then on.
    let (held, parties, tenant) = try_join!(
        item::hold(transaction, tables, ItemKey::Barcode(barcode)),
        patron::parties(
            transaction,
            tables,
            request.user_barcode.as_deref(),
            request.proxy_user_barcode.as_deref()
        ),
        policy::tenant_terms(transaction, tables),
    )?;
    let rules = desk
        .rules
        .rules(transaction, tables, tenant.rules_version.as_deref())
        .await?;
    let found = held.as_ref().map(|held| &held.item);
    let patron = parties.patron.as_ref();
    let policies = match (found, patron) {
        (Some(item), Some(patron)) => Some(
            Policies::matching(&rules, request, item, patron)
                .map_err(|refusal| Declined::Refused(vec![refusal]))?,
        ),
        _ => None,
    };
    // Facts by id: what depends on who and what was found.
    let (standing, automated_blocks, terms) = try_join!(
        standing_on(desk, transaction, found),
        automated_blocks_of(desk, transaction, patron),
        terms_of(desk, transaction, policies.as_ref(), found, patron),
    )?;
    let (terms, open_loans) = match (policies, terms) {
        (None, _) => (None, Default::default()),
        (Some(policies), Some(found)) => {
            let open_loans = found.open_loans;
            (Some(policies.terms(found)), open_loans)
        }
        (Some(_), None) => {
            let reason = "Loan policy could not be found, please check circulation rules";
            let refusal = Refusal::CirculationRulesNotApplicable { reason };
            return Err(Declined::Refused(vec![refusal]));
        }
    };
    let point = request.service_point_id;
    let openings = desk.openings(transaction, &tenant, point).await?;
    let facts = CheckOutFacts {
        patron: parties.patron,
        proxy: parties.proxy,
        proxy_relationships: parties.relationships,
        manual_blocks: parties.manual_blocks,
        automated_blocks,
        item: held.as_ref().map(|held| held.item.clone()),
        item_has_open_loan: standing.loan.is_some(),
        queue: standing.queue.queue.clone(),
        terms,
        open_loans,
        zone: tenant.zone,
        openings,
        operator_permissions,
    };
    Ok(Read {
        facts,
        item: held,
        open_loan: standing.loan.as_ref().map(|held| held.loan.id),
        borrower: standing.loan.and_then(|held| held.loan.user_id),
        queue: standing.queue,
    })
}

async fn standing_on(
    desk: Desk<'_>,
    transaction: &Transaction,
    found: Option<&Item>,
) -> Result<Standing, StoreError> {
    match found {
        Some(item) => standing::of_item(transaction, desk.tables(), item).await,
        None => Ok(Standing::default()),
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

/// The policies that the rules, or the request, name for a patron and an item.
struct Policies {
    loan: Uuid,
    conditions: MatchConditions,
    overdue_fine: Uuid,
    lost_item: Uuid,
}

impl Policies {
    fn matching(
        rules: &CompiledRules,
        request: &CheckOutRequest,
        item: &Item,
        patron: &Patron,
    ) -> Result<Policies, Refusal> {
        let _matching = trace::span("match the rules");
        let criteria = rule_criteria(item, patron)?;
        let matched = rules.match_loan_policy(&criteria);
        let forced = request.force_loan_policy_id;
        Ok(Policies {
            loan: forced.unwrap_or(matched.policy_id),
            // A policy that is forced upon a loan has no limits.
            conditions: match forced {
                Some(_) => MatchConditions::default(),
                None => matched.conditions,
            },
            overdue_fine: rules.match_overdue_fine_policy(&criteria).policy_id,
            lost_item: rules.match_lost_item_policy(&criteria).policy_id,
        })
    }

    fn terms(self, found: TermsOfLoan) -> LoanTerms {
        LoanTerms {
            policy: found.policy,
            conditions: self.conditions,
            schedule: found.schedule,
            overdue_fine_policy_id: Some(self.overdue_fine),
            lost_item_policy_id: Some(self.lost_item),
        }
    }
}

async fn terms_of(
    desk: Desk<'_>,
    transaction: &Transaction,
    policies: Option<&Policies>,
    item: Option<&Item>,
    patron: Option<&Patron>,
) -> Result<Option<TermsOfLoan>, StoreError> {
    let (Some(policies), Some(item), Some(patron)) = (policies, item, patron) else {
        return Ok(None);
    };
    policy::terms_of_loan(transaction, desk.tables(), policies.loan, patron.id, item).await
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
    let (tables, loan_id) = (desk.tables(), plan.loan.id);
    // Whatever moves in the queue takes more than one round trip; the rest leaves with COMMIT.
    queue::store_changes(desk, transaction, requests, filled, &plan.position_changes).await?;
    let (.., shown) = try_join!(
        insert(transaction, tenant, desk.collection("loan")?, loan, &stamp),
        replace(
            transaction,
            tenant,
            desk.collection("item")?,
            plan.loan.item_id,
            &item,
            &stamp
        ),
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
            loan_id,
            "CREATE",
            &event
        ),
        view::last(transaction, tables, loan_id),
    )?;
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
