//! Due reminders: each bills its fee, notifies the borrower, and schedules the next one. As with aging,
//! each page is a transaction that waits for no locks: locked loans are left for the next run. A run
//! uses the time of its beginning, so that it never sends two reminders of one loan.

use std::collections::{HashMap, HashSet};

use futures_util::future::try_join_all;
use futures_util::try_join;
use jiff::Timestamp;
use octavo_fees::app::charge::{Charge, Charged, charge_all};
use octavo_library::{FeeFineTypeId, ItemId, LoanId, UserId, id_in};
use octavo_postgres::Transaction;
use octavo_records::store::{Locking, replace_many};
use octavo_records::{Context, StoreError, retried};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::lost_item::LockedLoan;
use super::notice_to_send::{NoticeToSend, send};
use super::quota::Quota;
use super::{Desk, journal};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::{NoticeAbout, fee_billed, notice_not_sent};
use crate::facts::LogEntry;
use crate::reminder::{
    OpenDays, Outcome, REMINDER_FEE, REMINDER_FEE_ID, Reminder, TRIGGER, keep, last_billed,
    put_off, remind,
};
use crate::store::due::{self, Due};
use crate::store::loan::LoanAtHand;
use crate::store::policy::TenantTerms;
use crate::store::reminder::{self as notices, DueNotice, FeeSubject};
use crate::store::{fee_types, loan, policy};

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reminded {
    /// Loans whose borrowers were reminded.
    pub reminded: usize,
    /// Those of them that were charged.
    pub charged: usize,
    /// Obsolete reminders that were deleted.
    pub dropped: usize,
    /// Loans left waiting because there is no fee owner.
    pub without_owner: usize,
    /// Loans waiting for an open day of the service point.
    pub waiting: usize,
}

/// Sends all due reminders.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn remind_borrowers(desk: Desk<'_>) -> Result<Reminded, StoreError> {
    let mut all = Reminded::default();
    let mut quota = Quota::of_run(desk).await?;
    let mut after = None;
    loop {
        let from = (after.as_deref(), quota.portion(due::PAGE));
        if from.1 == 0 {
            return Ok(all);
        }
        // Boxed, because a page's future is large and would be part of the callers' futures.
        let (page, last) = retried(|| Box::pin(remind_page(desk, from))).await?;
        quota.take(page.reminded + page.dropped);
        all.reminded += page.reminded;
        all.charged += page.charged;
        all.dropped += page.dropped;
        all.without_owner += page.without_owner;
        all.waiting += page.waiting;
        match last {
            Some(last) => after = Some(last),
            None => return Ok(all),
        }
    }
}

/// A reminder to send now.
struct Step<'a> {
    notice_id: Uuid,
    notice: Map<String, Value>,
    lent: LockedLoan,
    user_id: UserId,
    number: u32,
    reminder: &'a Reminder,
    next: Option<(&'a Reminder, Timestamp)>,
}

/// The decisions on a page.
#[derive(Default)]
struct Plan<'a> {
    steps: Vec<Step<'a>>,
    dropped: Vec<Uuid>,
    lines: Vec<LogEntry>,
    waiting: usize,
}

async fn remind_page(
    desk: Desk<'_>,
    (after, most): (Option<&str>, i64),
) -> Result<(Reminded, Option<String>), StoreError> {
    let (tables, now) = (desk.tables(), desk.stamp.at);
    let transaction = desk.store.database.transaction().await?;
    let (page, tenant) = try_join!(
        notices::due(&transaction, tables, now, (after, most)),
        policy::tenant_terms(&transaction, tables),
    )?;
    if page.is_empty() {
        return Ok((Reminded::default(), None));
    }
    let config = desk.config(&transaction, &tenant).await?;
    let mut plan = plan(desk, &transaction, &page, &tenant, &config).await?;
    let charging = plan.steps.iter();
    let charging = charging.filter(|step| step.reminder.reminder_fee.is_positive());
    let charging: Vec<LoanId> = charging.map(|step| step.lent.loan().id).collect();
    let names: &[&str] = match charging.is_empty() {
        true => &[],
        false => &[REMINDER_FEE],
    };
    let (subjects, types) = try_join!(
        notices::fee_subjects(&transaction, tables, &charging),
        fee_types::automatic(&transaction, tables, names),
    )?;
    // FOLIO charges for reminders even without a record of the fee type.
    let type_id = types.get(REMINDER_FEE).copied().unwrap_or(REMINDER_FEE_ID);
    let owned = |step: &Step<'_>| {
        let subject = subjects.get(&step.lent.loan().id);
        let owned = subject.is_some_and(|subject| subject.owner.is_some());
        owned || !step.reminder.reminder_fee.is_positive()
    };
    let found = plan.steps.len();
    plan.steps.retain(owned);
    let done = Reminded {
        reminded: plan.steps.len(),
        charged: plan
            .steps
            .iter()
            .filter(|step| step.reminder.reminder_fee.is_positive())
            .count(),
        dropped: plan.dropped.len(),
        without_owner: found - plan.steps.len(),
        waiting: plan.waiting,
    };
    carry_out(desk, &transaction, &config, plan, (type_id, &subjects)).await?;
    transaction.commit().await?;
    let full = page.len() >= usize::try_from(most).unwrap_or(usize::MAX);
    let last = page.last().filter(|_| full).map(|last| last.key.clone());
    Ok((done, last))
}

/// A due notice, locked, with its loan if that exists.
struct HeldReminder {
    due: DueNotice,
    notice: Map<String, Value>,
    at_hand: Option<LoanAtHand>,
}

/// Locks items, loans and notices, in this order, skipping locked ones.
async fn hold(
    desk: Desk<'_>,
    transaction: &Transaction,
    page: &[DueNotice],
) -> Result<Vec<HeldReminder>, StoreError> {
    let tables = desk.tables();
    let lent = page.iter().filter_map(|due| {
        Some(Due {
            id: due.id,
            loan_id: due.loan_id?,
            item_id: due.item_id?,
            key: String::new(),
        })
    });
    let items = due::hold_items(transaction, tables, &lent.collect::<Vec<_>>()).await?;
    // If two notices name the same loan by mistake, the second waits for the next run.
    let mut seen = HashSet::new();
    let taken = page.iter().filter(|due| {
        let free = |id: ItemId| items.held.contains(&id) || items.gone.contains(&id);
        due.item_id.is_none_or(free) && due.loan_id.is_none_or(|id| seen.insert(id))
    });
    let taken: Vec<&DueNotice> = taken.collect();
    let found = try_join_all(taken.iter().map(|due| async {
        match due.loan_id {
            Some(id) => loan::at_hand(transaction, tables, id).await,
            None => Ok(None),
        }
    }))
    .await?;
    let ids: Vec<Uuid> = taken.iter().map(|due| due.id).collect();
    // Read again after locking the loan: the notice may have changed since.
    let mut held = notices::hold(transaction, tables, &ids, desk.stamp.at).await?;
    let both = taken.into_iter().zip(found);
    let held = both.filter_map(|(due, at_hand)| {
        Some(HeldReminder {
            notice: held.remove(&due.id)?,
            due: due.clone(),
            at_hand,
        })
    });
    Ok(held.collect())
}

async fn plan<'a>(
    desk: Desk<'_>,
    transaction: &Transaction,
    page: &[DueNotice],
    tenant: &TenantTerms,
    config: &'a CirculationConfig,
) -> Result<Plan<'a>, StoreError> {
    let mut plan = Plan::default();
    for held in hold(desk, transaction, page).await? {
        let loan = held.at_hand.as_ref().map(|at_hand| &at_hand.loan.loan);
        let point = loan.and_then(|loan| loan.checkout_service_point_id);
        let openings = desk.openings(transaction, tenant, point).await?;
        let open = OpenDays {
            days: &openings,
            zone: &tenant.zone,
        };
        plan.decide(held, config, open, desk.stamp.at);
    }
    Ok(plan)
}

impl<'a> Plan<'a> {
    /// Decides on a notice.
    fn decide(
        &mut self,
        held: HeldReminder,
        config: &'a CirculationConfig,
        open: OpenDays<'_>,
        now: Timestamp,
    ) {
        let HeldReminder {
            due,
            notice,
            at_hand,
        } = held;
        let notice_config = notice.get("noticeConfig").and_then(Value::as_object);
        let named = NoticeAbout {
            loan_id: due.loan_id,
            user_id: id_in(&notice, "recipientUserId"),
            template_id: notice_config.and_then(|one| id_in(one, "templateId")),
            ..NoticeAbout::default()
        };
        let lent = match LockedLoan::of(due.loan_id.unwrap_or_default(), at_hand) {
            Ok(lent) => lent,
            Err(gone) => return self.drop(due.id, named, &gone.to_string()),
        };
        let about = NoticeAbout {
            loan: Some(lent.loan()),
            item: Some(lent.item()),
            patron: lent.patron.as_ref(),
            ..named
        };
        let policy = config.reminders(lent.loan().overdue_fine_policy_id);
        let billed = last_billed(&lent.loan.document);
        let outcome = policy.map_or(Outcome::Missing, |policy| {
            remind(policy, lent.loan(), lent.item(), billed, open, now)
        });
        match outcome {
            Outcome::Stop => self.dropped.push(due.id),
            // A closed loan is dropped without a log line, whatever the policy says.
            Outcome::Missing if !lent.loan().is_open() => self.dropped.push(due.id),
            Outcome::Missing => {
                let id = format!("reminder-for-loan-{}", lent.loan().id);
                self.drop(due.id, about, &gone("next scheduled reminder", &id));
            }
            Outcome::Wait => self.waiting += 1,
            Outcome::Remind {
                number,
                reminder,
                next,
            } => {
                let Some(user_id) = lent.patron.as_ref().map(|patron| patron.id) else {
                    let user = lent.loan().user_id.map(|id| id.to_string());
                    let reason = gone("user", user.as_deref().unwrap_or("null"));
                    return self.drop(due.id, about, &reason);
                };
                self.steps.push(Step {
                    notice_id: due.id,
                    notice,
                    lent,
                    user_id,
                    number,
                    reminder,
                    next,
                });
            }
        }
    }

    /// Drops a notice and logs it.
    fn drop(&mut self, notice: Uuid, about: NoticeAbout<'_>, reason: &str) {
        self.dropped.push(notice);
        self.lines.push(notice_not_sent(about, TRIGGER, reason));
    }
}

/// FOLIO's message.
fn gone(what: &str, id: &str) -> String {
    format!("{what} record with ID \"{id}\" cannot be found")
}

async fn carry_out(
    desk: Desk<'_>,
    transaction: &Transaction,
    config: &CirculationConfig,
    mut plan: Plan<'_>,
    (type_id, subjects): (FeeFineTypeId, &HashMap<LoanId, FeeSubject>),
) -> Result<(), StoreError> {
    let Context { tenant, stamp, .. } = desk.context;
    let (mut loans, mut next, mut last) = (Vec::new(), Vec::new(), plan.dropped);
    for step in &mut plan.steps {
        let mut document = step.lent.loan.document.clone();
        keep(&mut document, step.number, stamp.at);
        loans.push((step.lent.loan().id.uuid(), document));
        match step.next {
            Some((reminder, at)) => {
                put_off(&mut step.notice, reminder, at);
                next.push((step.notice_id, std::mem::take(&mut step.notice)));
            }
            None => last.push(step.notice_id),
        }
    }
    let charges = plan.steps.iter().map(|step| {
        let subject = subjects.get(&step.lent.loan().id);
        subject.and_then(|subject| charge_of(step, type_id, subject))
    });
    let charges: Vec<Option<Charge<'_>>> = charges.collect();
    let made: Vec<Charge<'_>> = charges.iter().flatten().cloned().collect();
    let (of_loans, of_notices) = (desk.collection("loan"), desk.collection("scheduled_notice"));
    let catalog = &desk.store.catalog;
    let locking = Locking::Declared;
    let (.., charged) = try_join!(
        replace_many(transaction, tenant, of_loans, &loans, &stamp, locking),
        replace_many(
            transaction,
            tenant,
            of_notices,
            &next,
            &stamp,
            Locking::Declared
        ),
        notices::drop_notices(transaction, desk.tables(), &last),
        charge_all(transaction, tenant, catalog, &made, &stamp),
    )?;
    let mut charged = charged.into_iter();
    let (mut lines, mut sent) = (plan.lines, Vec::new());
    for (step, charge) in plan.steps.iter().zip(&charges) {
        let charged: Option<Charged> = charge.as_ref().and_then(|_| charged.next());
        if let (Some(charge), Some(charged)) = (charge, charged) {
            let (loan, item) = (step.lent.loan(), step.lent.item());
            let patron = step.lent.patron.as_ref();
            lines.push(fee_billed(charge, charged, loan, item, patron));
        }
        sent.push(NoticeToSend {
            lent: &step.lent,
            user_id: step.user_id,
            reminder: step.reminder,
            charged: charge.as_ref().zip(charged),
        });
    }
    journal::note_as_system(desk, transaction, &lines).await?;
    send(desk, transaction, config, &sent).await
}

/// The fee of a reminder; `None` if it costs nothing.
fn charge_of<'a>(
    step: &Step<'_>,
    type_id: FeeFineTypeId,
    subject: &'a FeeSubject,
) -> Option<Charge<'a>> {
    let amount = step.reminder.reminder_fee;
    let owner = subject.owner.as_ref().filter(|_| amount.is_positive())?;
    let mut about = subject.about.clone();
    let loan = &step.lent.loan.document;
    for name in [
        "itemId",
        "dueDate",
        "loanPolicyId",
        "overdueFinePolicyId",
        "lostItemPolicyId",
    ] {
        let kept = match name {
            "lostItemPolicyId" => "lostItemFeePolicyId",
            same => same,
        };
        if let Some(value) = loan.get(name) {
            about.insert(kept.to_owned(), value.clone());
        }
    }
    about.insert("loanId".to_owned(), step.lent.loan().id.to_string().into());
    Some(Charge {
        fee_type: (type_id, REMINDER_FEE),
        owner: (owner.id, owner.name.as_deref()),
        amount,
        user_id: step.user_id,
        about,
        service_point_id: subject.service_point_id,
        source: "System",
        comments: Some(format!("STAFF: Reminder fee {}", step.number)),
        information: None,
    })
}
