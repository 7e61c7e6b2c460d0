//! Check-out: reads everything while the item is locked, decides by a pure function, and writes in the
//! same transaction. Of two desks with one item the second waits, then sees the loan.
//!
//! Two round trips: facts; writes with COMMIT. Limits and locks, where there are any, take one between.
//! The configuration is cached while its version is the same ([`crate::circulation_config`]).
//!
//! If the settings enable FOLIO's check-out lock, its row is inserted and deleted inside the
//! transaction: of two desks with one borrower the second waits, then counts the first one's loan. A
//! lock that a client has taken by `/check-out-lock-storage` is waited for without holding other locks.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::try_join;
use octavo_library::{Loan, LoanId, Patron, wire_time};
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{Successor, succeed};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::automated_blocks::automated_blocks;
use super::{Declined, Desk, journal, loan_notices, queue, reminders, request_notices};
use crate::check_out::{
    CheckOutFacts, CheckOutPlan, CheckOutRequest, LoanTerms, OpenLoanCounts, decide,
};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::{CheckedOutWith, log_of_check_out};
use crate::facts::{AutomatedBlock, Item, LogEntry, rule_criteria};
use crate::refusal::Refusal;
use crate::reminder::OpenDays;
use crate::representation::{self, LoanWith};
use crate::rules::{CompiledRules, MatchConditions};
use crate::scan::{Act, Answers, CheckOutScan, ClaimFacts, Question, Scanned, questions};
use crate::settings::CheckOutLock;
use crate::store::desk::{self as desk_store, DeskFacts, DeskWrites, LoanWrite};
use crate::store::item::ItemAtDesk;
use crate::store::item_loan_and_queue::Standing;
use crate::store::{check_out_lock, document, loan, policy, view};

/// Lends an item; returns the loan as FOLIO shows it. A repeated request with the same `id` returns the
/// loan that it made.
pub async fn check_out(
    desk: Desk<'_>,
    request: &CheckOutRequest,
    permissions: &HashSet<String>,
) -> Result<Value, Declined> {
    match scan(desk, (request, None), permissions).await? {
        Scanned::Done(loan) => Ok(loan),
        Scanned::Refused { refusals, .. } => Err(Declined::Refused(refusals)),
        Scanned::Asked { .. } => {
            Err(StoreError::fault("a request without answers was asked questions").into())
        }
    }
}

/// Lends an item, unless staff have to answer questions first: then nothing is changed.
pub async fn scan_out(
    desk: Desk<'_>,
    wish: &CheckOutScan,
    permissions: &HashSet<String>,
) -> Result<Scanned<Value>, Declined> {
    scan(desk, (&wish.request, Some(&wish.answers)), permissions).await
}

/// A request with the answers of staff; without answers nobody is asked.
type Wish<'a> = (&'a CheckOutRequest, Option<&'a Answers>);

async fn scan(
    desk: Desk<'_>,
    wish: Wish<'_>,
    permissions: &HashSet<String>,
) -> Result<Scanned<Value>, Declined> {
    let request = wish.0;
    let wished = request.id.unwrap_or_else(new_loan_id);
    match unlocked(desk, wish, permissions, wished).await {
        // The id belongs to another loan: some clients always send the same one.
        Err(Declined::Store(StoreError::Duplicate { .. })) if request.id.is_some() => {
            let own = unlocked(desk, wish, permissions, new_loan_id()).await;
            own.map_err(|declined| open_loan_met(declined, request))
        }
        lent => lent.map_err(|declined| open_loan_met(declined, request)),
    }
}

fn new_loan_id() -> LoanId {
    Uuid::new_v4().into()
}

/// Upper bound of waiting for a lock, whatever the settings.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// The shortest pause before a retry.
const PAUSE_MIN: Duration = Duration::from_millis(5);

/// Lends, retrying while another client holds the borrower's lock.
async fn unlocked(
    desk: Desk<'_>,
    wish: Wish<'_>,
    permissions: &HashSet<String>,
    loan_id: LoanId,
) -> Result<Scanned<Value>, Declined> {
    let began = Instant::now();
    let mut tries = 0;
    loop {
        let lock = match lend(desk, wish, permissions, loan_id).await? {
            Attempt::Ended(scanned) => return Ok(scanned),
            Attempt::Locked(lock) => lock,
        };
        let left = WAIT_MAX.saturating_sub(began.elapsed());
        if tries >= lock.retries || left.is_zero() {
            return Err(Refusal::CheckOutLockNotAcquired.into());
        }
        tries += 1;
        tokio::time::sleep(lock.interval.max(PAUSE_MIN).min(left)).await;
    }
}

/// The result of an attempt: a loan, refusals or questions; or a lock that is taken.
enum Attempt {
    Ended(Scanned<Value>),
    Locked(CheckOutLock),
}

async fn lend(
    desk: Desk<'_>,
    (request, answers): Wish<'_>,
    permissions: &HashSet<String>,
    loan_id: LoanId,
) -> Result<Attempt, Declined> {
    let transaction = desk.store.database.transaction().await?;
    // In the same round trip, behind the statement that locks item and borrower.
    let (read, same) = try_join!(
        gather(desk, &transaction, request, permissions.clone(), true),
        loan_of_scan(desk, &transaction, (request, answers)),
    )?;
    let before = match same {
        Some(loan) if read.is_of(&loan) => Some(loan.id),
        Some(_) => {
            let message = "The id belongs to another loan. Choose a new one";
            return Err(Declined::Malformed {
                message: message.to_owned(),
            });
        }
        None => read.made_before(request),
    };
    if let Some(loan) = before {
        let shown = view::loan(&transaction, desk.tables(), loan.uuid()).await?;
        let loan = shown.ok_or(StoreError::NotFound)?;
        return Ok(Attempt::Ended(Scanned::Done(loan)));
    }
    let deciding = trace::span("decide, with the due date");
    let plan = decide(request, &read.facts, desk.stamp.at, loan_id);
    drop(deciding);
    let plan = match plan {
        Ok(plan) => plan,
        Err(refusals) => {
            // FOLIO's routes refuse without the item.
            let item = answers.and_then(|_| read.shown_item());
            transaction.rollback().await?;
            return Ok(Attempt::Ended(Scanned::Refused { refusals, item }));
        }
    };
    if let Some((questions, item)) = read.questions(answers) {
        transaction.rollback().await?;
        return Ok(Attempt::Ended(Scanned::Asked { questions, item }));
    }
    if let Locking::Missed(lock) = read.locking {
        return Ok(Attempt::Locked(lock));
    }
    let loan = carry_out(desk, &transaction, &plan, read).await?;
    Ok(Attempt::Ended(Scanned::Done(loan)))
}

/// The loan that has the id of a scan, open or closed. A client that uploads what it did without the server may
/// repeat it days later; FOLIO's clients may send any id, and are not asked.
async fn loan_of_scan(
    desk: Desk<'_>,
    transaction: &Transaction,
    (request, answers): Wish<'_>,
) -> Result<Option<Loan>, Declined> {
    let Some(id) = request.id.filter(|_| answers.is_some()) else {
        return Ok(None);
    };
    let found = loan::by_id(transaction, desk.tables(), id).await?;
    Ok(found.map(|held| held.loan))
}

/// Maps a violation of the unique index on open loans, in case the item's lock was bypassed.
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
    pub(super) rules: Arc<CompiledRules>,
    item: Option<ItemAtDesk>,
    patron_document: Option<Value>,
    standing: Standing,
    config: Arc<CirculationConfig>,
    locking: Locking,
    takes_log_records: bool,
}

/// The state of the borrower's lock.
enum Locking {
    /// The settings do not enable it.
    Off,
    /// This transaction has it.
    Taken(Uuid),
    /// Another client has it.
    Missed(CheckOutLock),
}

impl Read {
    /// The open loan that this request made before, if it is a repetition.
    fn made_before(&self, request: &CheckOutRequest) -> Option<LoanId> {
        let patron = self.facts.patron.as_ref()?.id;
        let open = &self.standing.loan.as_ref()?.loan;
        let same = request.id == Some(open.id) && open.user_id == Some(patron);
        same.then_some(open.id)
    }

    /// Whether it is a loan of this item to this patron; an anonymized one may be.
    fn is_of(&self, loan: &Loan) -> bool {
        let item = self.item.as_ref().map(|item| item.id);
        let patron = self.facts.patron.as_ref().map(|patron| patron.id);
        item == Some(loan.item_id) && (loan.user_id.is_none() || loan.user_id == patron)
    }

    /// The item as FOLIO shows it in loans.
    fn shown_item(&self) -> Option<Value> {
        let at_desk = self.item.as_ref()?;
        Some(representation::item(
            at_desk,
            &at_desk.document,
            &self.config,
        ))
    }

    /// What staff have to answer first, with the item.
    fn questions(&self, answers: Option<&Answers>) -> Option<(Vec<Question>, Value)> {
        let document = &self.item.as_ref()?.document;
        let answered = (answers?, false);
        let questions = questions(Act::CheckOut, document, answered, ClaimFacts::default);
        if questions.is_empty() {
            return None;
        }
        Some((questions, self.shown_item()?))
    }
}

/// Reads the facts of a check-out in two round trips; locks the item, and takes the borrower's lock if
/// `locking` and the settings enable it.
pub(super) async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &CheckOutRequest,
    operator_permissions: HashSet<String>,
    locking: bool,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let barcode = request.item_barcode.as_deref().unwrap_or_default();
    // Behind BEGIN, in the same round trip. Item and borrower are held from then on.
    let DeskFacts {
        terms: tenant,
        item: at_desk,
        parties,
        standing,
        takes_log_records,
    } = desk_store::facts(
        transaction,
        tables,
        barcode,
        request.user_barcode.as_deref(),
        request.proxy_user_barcode.as_deref(),
    )
    .await?;
    let rules = desk.rules(transaction, &tenant).await?;
    let config = desk.config(transaction, &tenant).await?;
    let point = request.service_point_id;
    let openings = desk.openings(transaction, &tenant, point).await?;
    let item = at_desk.as_ref().map(|at_desk| at_desk.facts(&config));
    let item = item.transpose()?;
    let patron = parties.patron.as_ref();
    let terms = match (&item, patron) {
        (Some(item), Some(patron)) => Some(
            terms_for(&rules, &config, request, item, patron)
                .map_err(|refusal| Declined::Refused(vec![refusal]))?,
        ),
        _ => None,
    };
    let lock = config.check_out_lock.filter(|_| locking);
    let standing = match &item {
        Some(item) => {
            let read = desk.standing_read(transaction, &tenant, &config, item, standing);
            read.await?
        }
        None => Standing::default(),
    };
    // The lock comes first: loans are counted behind it.
    let (locking, automated, open_loans) = try_join!(
        take_lock(desk, transaction, lock, patron),
        automated_blocks(desk, transaction, &config, patron),
        counts_of(desk, transaction, terms.as_ref(), item.as_ref(), patron),
    )?;
    let facts = CheckOutFacts {
        patron: parties.patron,
        proxy: parties.proxy,
        proxy_relationships: parties.relationships,
        manual_blocks: parties.manual_blocks,
        automated_blocks: automated.into_iter().map(borrowing).collect(),
        item,
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
        rules,
        item: at_desk,
        patron_document: parties.patron_document,
        standing,
        config,
        locking,
        takes_log_records,
    })
}

async fn take_lock(
    desk: Desk<'_>,
    transaction: &Transaction,
    lock: Option<CheckOutLock>,
    patron: Option<&Patron>,
) -> Result<Locking, StoreError> {
    let (Some(lock), Some(patron)) = (lock, patron) else {
        return Ok(Locking::Off);
    };
    let ttl = lock.ttl_milliseconds;
    let taken = check_out_lock::take(transaction, desk.tables(), patron.id, ttl).await?;
    let id = taken.and_then(|row| Uuid::try_parse(row.get("id")?.as_str()?).ok());
    Ok(id.map_or(Locking::Missed(lock), Locking::Taken))
}

async fn give_lock_back(
    desk: Desk<'_>,
    transaction: &Transaction,
    locking: &Locking,
) -> Result<(), StoreError> {
    match locking {
        Locking::Taken(id) => check_out_lock::give_back(transaction, desk.tables(), *id).await,
        Locking::Off | Locking::Missed(_) => Ok(()),
    }
}

fn borrowing(block: octavo_fees::store::AutomatedBlock) -> AutomatedBlock {
    AutomatedBlock {
        message: block.message,
        block_borrowing: block.block_borrowing,
    }
}

/// The policies that the rules, or the request, name for a patron and an item.
fn terms_for(
    rules: &CompiledRules,
    config: &CirculationConfig,
    request: &CheckOutRequest,
    item: &Item,
    patron: &Patron,
) -> Result<LoanTerms, Refusal> {
    let _matching = trace::span("match the rules");
    let criteria = rule_criteria(item, patron)?;
    let matched = rules.match_loan_policy(&criteria);
    let forced = request.force_loan_policy_id;
    let found = config.loan_policy(forced.unwrap_or(matched.policy_id));
    let (policy, schedule) = found.ok_or(Refusal::CirculationRulesNotApplicable {
        reason: "Loan policy could not be found, please check circulation rules",
    })?;
    Ok(LoanTerms {
        policy: policy.clone(),
        // A forced policy has no limits, as in FOLIO.
        conditions: match forced {
            Some(_) => MatchConditions::default(),
            None => matched.conditions,
        },
        schedule: schedule.cloned(),
        overdue_fine_policy_id: Some(rules.match_overdue_fine_policy(&criteria).policy_id),
        lost_item_policy_id: Some(rules.match_lost_item_policy(&criteria).policy_id),
    })
}

/// The patron's open loans of the kinds that the policy limits.
async fn counts_of(
    desk: Desk<'_>,
    transaction: &Transaction,
    terms: Option<&LoanTerms>,
    item: Option<&Item>,
    patron: Option<&Patron>,
) -> Result<OpenLoanCounts, StoreError> {
    let limited = terms.is_some_and(|terms| terms.policy.item_limit().is_some());
    match (item, patron) {
        (Some(item), Some(patron)) if limited => {
            policy::open_loan_counts(transaction, desk.tables(), patron.id, item).await
        }
        _ => Ok(OpenLoanCounts::default()),
    }
}

/// Writes rows and events together; returns the loan's view.
async fn carry_out(
    desk: Desk<'_>,
    transaction: &Transaction,
    plan: &CheckOutPlan,
    mut read: Read,
) -> Result<Value, StoreError> {
    let stamp = desk.stamp;
    let at_desk = read.item.take().ok_or(StoreError::NotFound)?;
    let mut item = at_desk.document.clone();
    plan.apply_to_item(&mut item);
    let mut requests = std::mem::take(&mut read.standing.queue.documents);
    let filled = plan.filled_request.as_ref().map(|filled| filled.id);
    let place = filled.and_then(|id| queue::place_of(requests.get(&id)?));
    if let Some(filled) = &plan.filled_request
        && let Some(document) = requests.get_mut(&filled.id)
    {
        filled.apply_to(document);
    }
    // Whatever moves in the queue takes more than one round trip; the rest leaves with COMMIT.
    if let Some(id) = filled
        && let Some(document) = requests.get_mut(&id)
    {
        let queue = (read.config).queue(Some(at_desk.id), Some(at_desk.instance_id));
        queue::store_closed(desk, transaction, queue, id, document, place).await?;
    }
    request_notices::filled(desk, transaction, &read.config, filled).await?;
    let mut loan = document(&plan.loan)?;
    desk.stamp.complete(desk.collection("loan"), &mut loan);
    let item_next = succeed(desk.collection("item"), &at_desk.document, item, &stamp);
    let item = item_next.document.clone();
    let writes = writes(desk, plan, (&at_desk, item_next), &loan, &read)?;
    try_join!(
        reminders::begin(
            desk,
            transaction,
            read.config.reminders(plan.loan.overdue_fine_policy_id),
            (plan.loan.id, plan.loan.user_id),
            plan.loan.due_date,
            OpenDays {
                days: &read.facts.openings,
                zone: &read.facts.zone,
            },
        ),
        loan_notices::begin(
            desk,
            transaction,
            (&read.rules, &read.config),
            (read.facts.item.as_ref(), read.facts.patron.as_ref()),
            plan.loan.id,
            plan.loan.due_date,
        ),
        give_lock_back(desk, transaction, &read.locking),
        writes.leave_and_commit(transaction, desk.tables(), desk.collection("loan")),
    )?;
    let item = representation::item(&at_desk, &item, &read.config);
    let with = LoanWith {
        borrower: read.patron_document.as_ref(),
        remaining: &json!(0),
        config: &read.config,
    };
    let mut shown = representation::loan(&loan, item, with);
    if plan.due_date_changed_by_hold {
        shown["dueDateChangedByHold"] = json!(true);
    }
    if plan.due_date_changed_by_near_expire_user {
        shown["dueDateChangedByNearExpireUser"] = json!(true);
    }
    Ok(shown)
}

fn writes(
    desk: Desk<'_>,
    plan: &CheckOutPlan,
    (at_desk, item): (&ItemAtDesk, Successor),
    stored: &Map<String, Value>,
    read: &Read,
) -> Result<DeskWrites, StoreError> {
    let loan = &plan.loan;
    let session = json!({"patronId": loan.user_id, "loanId": loan.id, "actionType": "Check-out"});
    let mut session = document(&session)?;
    let collection = desk.collection("patron_action_session");
    desk.stamp.complete(collection, &mut session);
    let lines = log_lines(plan, read);
    Ok(DeskWrites {
        item_id: at_desk.id,
        item,
        instance_id: at_desk.instance_id,
        loan: Some(LoanWrite::New(stored.clone())),
        check_in: None,
        session: Some(Value::Object(session)),
        topic: "circulation.ITEM_CHECKED_OUT",
        key: Some(loan.id.uuid()),
        event: lent(plan, &read.facts),
        lines: journal::lines(desk, &lines, desk.operator())?,
        operator: desk.operator(),
    })
}

/// The payload of the event of a loan, as mod-circulation publishes it.
fn lent(plan: &CheckOutPlan, facts: &CheckOutFacts) -> Value {
    let loan = &plan.loan;
    let mut event = json!({"userId": loan.user_id, "loanId": loan.id,
                          "dueDate": wire_time::format_z(loan.due_date)});
    let policy = facts.terms.as_ref().map(|terms| &terms.policy);
    let of_policy = policy.and_then(|policy| policy.loans_policy.as_ref());
    let grace = of_policy.and_then(|of_policy| of_policy.grace_period.as_ref());
    if let Some((duration, unit)) =
        grace.and_then(|grace| grace.duration.zip(grace.interval_id.as_ref()))
    {
        event["gracePeriod"] = json!({"duration": duration, "intervalId": unit});
    }
    event
}

fn log_lines(plan: &CheckOutPlan, read: &Read) -> Vec<LogEntry> {
    let facts = &read.facts;
    let (Some(item), Some(patron)) = (&facts.item, &facts.patron) else {
        return Vec::new();
    };
    let with = CheckedOutWith {
        item,
        patron,
        proxy: facts.proxy.as_ref(),
        queue: &facts.queue,
        zone: &facts.zone,
        points: &|id| read.config.point_name(id),
        is_published: read.takes_log_records,
    };
    log_of_check_out(plan, &with)
}
