//! Anonymizes closed loans and their history: by hand for one borrower or for given loans, and by a
//! timer as the tenant's settings say. A transaction has a portion of the loans, so that desks do not
//! wait for long; concurrent processes take different loans.

use std::collections::BTreeMap;

use futures_util::try_join;
use octavo_library::{LoanId, UserId};
use octavo_records::store::{Locking, replace_many};
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Desk, journal};
use crate::anonymization::{KeepReason, as_set, by_hand, candidates};
use crate::facts::{LogEntry, LogLinks, LogRecord};
use crate::settings::LoanHistory;
use crate::store::anonymization::{
    ClosedLoan, ClosedLoanCursor, closed_after, closed_of, forget_in_history, hold, with_fees_after,
};
use crate::store::settings::settings;

/// Loans of one transaction.
const PORTION: usize = 500;
/// Closed loans of a borrower that one call examines, as in FOLIO.
const OF_BORROWER_MAX: i64 = 5_000;
/// Portions of one run; the next run does the rest.
const PORTIONS_MAX: usize = 400;

/// The result of a run.
#[derive(Debug, Clone, Default)]
pub struct Anonymized {
    /// The anonymized loans.
    pub loans: Vec<LoanId>,
    /// Loans that were not anonymized, by reason.
    pub kept: BTreeMap<KeepReason, Vec<LoanId>>,
}

/// Anonymizes a borrower's closed loans, except those with fees.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn of_borrower(desk: Desk<'_>, borrower: &str) -> Result<Anonymized, StoreError> {
    let database = &desk.store.database;
    let ids = closed_of(database, desk.tables(), borrower, OF_BORROWER_MAX).await?;
    each(desk, &ids, LogEntryWanted::InTheLog, |loan| {
        by_hand(&loan.fees)
    })
    .await
}

/// Anonymizes all closed loans of a borrower unconditionally (FOLIO's storage).
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn all_of_borrower(desk: Desk<'_>, borrower: UserId) -> Result<(), StoreError> {
    let borrower = borrower.to_string();
    for _ in 0..PORTIONS_MAX {
        let database = &desk.store.database;
        let ids = closed_of(database, desk.tables(), &borrower, PORTION as i64).await?;
        let done = each(desk, &ids, LogEntryWanted::Nowhere, |_| Ok(())).await?;
        // Fewer than a portion: another process has the rest, or the end is reached.
        if done.loans.len() < PORTION {
            break;
        }
    }
    Ok(())
}

/// Anonymizes those of these loans that are closed (FOLIO's storage).
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn these(desk: Desk<'_>, ids: &[LoanId]) -> Result<(), StoreError> {
    each(desk, ids, LogEntryWanted::Nowhere, |_| Ok(())).await?;
    Ok(())
}

/// Anonymizes closed loans by the tenant's settings.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn as_settings_say(desk: Desk<'_>) -> Result<Anonymized, StoreError> {
    let database = &desk.store.database;
    let history = settings(database, desk.tables()).await?.loan_history();
    let found = candidates(&history, desk.stamp.at);
    let mut all = Anonymized::default();
    if let Some(until) = found.closed_until {
        let mut place = ClosedLoanCursor::default();
        for _ in 0..PORTIONS_MAX {
            let portion = PORTION as i64;
            let next = closed_after(database, desk.tables(), &place, until, portion).await?;
            let (ids, Some(last)) = next else { break };
            all.add(portion_as_set(desk, &history, &ids).await?);
            place = last;
        }
    }
    if found.with_fees {
        let mut after = String::new();
        for _ in 0..PORTIONS_MAX {
            let next = with_fees_after(database, desk.tables(), &after, PORTION as i64).await?;
            let (ids, Some(last)) = next else { break };
            all.add(portion_as_set(desk, &history, &ids).await?);
            after = last;
        }
    }
    Ok(all)
}

async fn portion_as_set(
    desk: Desk<'_>,
    history: &LoanHistory,
    ids: &[LoanId],
) -> Result<Anonymized, StoreError> {
    let now = desk.stamp.at;
    each(desk, ids, LogEntryWanted::InTheLog, |loan| {
        as_set(history, &loan.fees, loan.closed_at, now)
    })
    .await
}

/// Whether to write lines of the circulation log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LogEntryWanted {
    InTheLog,
    Nowhere,
}

async fn each(
    desk: Desk<'_>,
    ids: &[LoanId],
    told: LogEntryWanted,
    decide: impl Fn(&ClosedLoan) -> Result<(), KeepReason>,
) -> Result<Anonymized, StoreError> {
    let mut all = Anonymized::default();
    for ids in ids.chunks(PORTION) {
        all.add(retried(|| portion(desk, ids, told, &decide)).await?);
    }
    Ok(all)
}

async fn portion(
    desk: Desk<'_>,
    ids: &[LoanId],
    told: LogEntryWanted,
    decide: impl Fn(&ClosedLoan) -> Result<(), KeepReason>,
) -> Result<Anonymized, StoreError> {
    let (tenant, loans) = (desk.tenant, desk.collection("loan"));
    let transaction = desk.store.database.transaction().await?;
    let mut done = Anonymized::default();
    let mut documents: Vec<(Uuid, Map<String, Value>)> = Vec::new();
    let mut lines = Vec::new();
    for mut loan in hold(&transaction, desk.tables(), ids).await? {
        match decide(&loan) {
            Ok(()) => {
                if told == LogEntryWanted::InTheLog {
                    lines.push(line(&loan));
                }
                loan.document.shift_remove("userId");
                documents.push((loan.id.uuid(), loan.document));
                done.loans.push(loan.id);
            }
            Err(kept) => done.kept.entry(kept).or_default().push(loan.id),
        }
    }
    if done.loans.is_empty() {
        transaction.rollback().await?;
        return Ok(done);
    }
    let (stamp, locking) = (&desk.stamp, Locking::Declared);
    // The history before the loans: the change of a loan adds its own row, already without a borrower.
    try_join!(
        forget_in_history(&transaction, desk.tables(), &done.loans),
        replace_many(&transaction, tenant, loans, &documents, stamp, locking),
        journal::note_as_system(desk, &transaction, &lines),
    )?;
    let items = lines.iter().flat_map(|line| &line.items);
    let about: Vec<(LoanId, &str)> = items
        .filter_map(|item| Some((item.loan_id?, item.item_barcode.as_deref()?)))
        .collect();
    journal::forget_borrowers(desk, &transaction, &about).await?;
    transaction.commit().await?;
    Ok(done)
}

fn line(loan: &ClosedLoan) -> LogEntry {
    LogEntry {
        object: "Loan",
        action: "Anonymize",
        user_barcode: None,
        items: vec![loan.item.clone()],
        service_point_id: loan.service_point_id,
        description: String::new(),
        link_to_ids: LogLinks::default(),
        record: LogRecord::OfLine,
    }
}

impl Anonymized {
    fn add(&mut self, more: Anonymized) {
        self.loans.extend(more.loans);
        for (kept, ids) in more.kept {
            self.kept.entry(kept).or_default().extend(ids);
        }
    }
}
