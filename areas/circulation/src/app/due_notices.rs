//! Sends due notices individually: about loans, requests and fees. A portion is a transaction that waits
//! for no locks: it locks notices with SKIP LOCKED, reads their subjects with one statement per kind,
//! decides, and writes. A run uses the time of its beginning, so that a recurring notice is not sent
//! twice in one run.

use std::time::{Duration, Instant};

use octavo_jobs::{PortionSize, Room};
use octavo_records::{StoreError, retried};
use uuid::Uuid;

use super::Desk;
use super::due_portion::Portion;
use super::journal::By;
use super::notice_outbox::NoticeContext;
use super::quota::Quota;
use crate::notice::{Decision, Event, NoticeUpdate};
use crate::store::scheduled_notice::{self as scheduled, DueNoticeKind, PORTION_MAX};
use crate::store::{policy, reminder};

/// Notices about due dates, and about loans that aged to lost.
pub const OF_LOANS: [Event; 2] = [Event::DueDate, Event::AgedToLost];
/// Notices about the expiration of requests.
pub const OF_REQUESTS: [Event; 3] = [
    Event::HoldExpiration,
    Event::RequestExpiration,
    Event::TitleLevelRequestExpiration,
];
/// Notices about lost item fees.
pub const OF_FEES: [Event; 2] = [Event::AgedToLostFineCharged, Event::AgedToLostReturned];

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// Queued messages.
    pub sent: usize,
    /// Obsolete notices, and those sent for the last time.
    pub deleted: usize,
    /// Rescheduled notices.
    pub put_off: usize,
    /// Notices left for the next run.
    pub kept: usize,
}

/// What a run of notices has beside the desk.
#[derive(Clone, Copy)]
pub struct Sending<'a> {
    /// The room that it leaves to requests.
    pub room: &'a Room,
    /// Called after each portion that queued notices: they are rendered meanwhile.
    pub queued: &'a (dyn Fn() + Sync),
}

impl std::fmt::Debug for Sending<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sending")
    }
}

impl Sent {
    /// All notices that were decided on.
    #[must_use]
    pub fn decided(&self) -> usize {
        self.deleted + self.put_off + self.kept
    }

    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Sent) -> Sent {
        Sent {
            sent: self.sent + other.sent,
            deleted: self.deleted + other.deleted,
            put_off: self.put_off + other.put_off,
            kept: self.kept + other.kept,
        }
    }
}

/// Sends the notices of these events that are due: all, or as many as the settings let a run take.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn send_due(
    desk: Desk<'_>,
    sending: Sending<'_>,
    events: &[Event],
) -> Result<Sent, StoreError> {
    let mut size = PortionSize::at_most(PORTION_MAX);
    let mut all = Sent::default();
    let mut longest = Duration::ZERO;
    let mut quota = Quota::of_run(desk).await?;
    for event in events {
        let kind = DueNoticeKind {
            event: *event,
            real_time: true,
        };
        let mut after = None;
        loop {
            let (key, most) = (after.as_deref(), quota.portion(size.next()));
            if most == 0 {
                break;
            }
            let portion = async {
                let began = Instant::now();
                // Boxed, because a portion's future is large and would be part of the callers' futures.
                let (done, last) = retried(|| Box::pin(portion(desk, kind, key, most))).await?;
                Ok::<_, StoreError>((done, last, began.elapsed()))
            };
            let (done, last, elapsed) = sending.room.portion(portion).await?;
            size.took(done.decided(), elapsed);
            quota.take(done.deleted + done.put_off);
            longest = longest.max(elapsed);
            if done.sent > 0 {
                (sending.queued)();
            }
            all = all.and(done);
            match last {
                Some(last) => after = Some(last),
                None => break,
            }
        }
    }
    if all != Sent::default() {
        // The longest portion is logged, since desks may wait for its locks.
        let (tenant, longest_ms) = (desk.tenant.id(), longest.as_millis());
        tracing::info!(tenant, longest_ms, "portions of notices were sent");
    }
    Ok(all)
}

async fn portion(
    desk: Desk<'_>,
    kind: DueNoticeKind,
    after: Option<&str>,
    most: i64,
) -> Result<(Sent, Option<String>), StoreError> {
    let (tables, now) = (desk.tables(), desk.stamp.at);
    let transaction = desk.store.database.transaction().await?;
    let (due, tenant) = futures_util::try_join!(
        scheduled::due(&transaction, tables, kind, now, (after, most)),
        policy::tenant_terms(&transaction, tables),
    )?;
    if due.is_empty() {
        return Ok((Sent::default(), None));
    }
    let full = due.len() >= usize::try_from(most).unwrap_or(usize::MAX);
    let last = due.last().filter(|_| full).map(|last| last.key.clone());
    let portion = Portion::read(desk, &transaction, &tenant, due).await?;
    let mut telling = NoticeContext::default();
    let mut fates = NoticeUpdates::default();
    for (id, notice) in portion.notices() {
        let decision = match notice {
            Some(notice) => portion.decide(notice, &mut telling, now)?,
            // An unreadable notice can never be sent.
            None => Decision::DROPPED,
        };
        fates.add(id, decision.fate);
    }
    let sent = fates.sent(telling.len());
    telling.store(desk, &transaction, By::System).await?;
    fates.store(desk, &transaction).await?;
    transaction.commit().await?;
    Ok((sent, last))
}

/// The decisions on a portion's notices.
#[derive(Debug, Default)]
pub(super) struct NoticeUpdates {
    deleted: Vec<Uuid>,
    put_off: Vec<(Uuid, jiff::Timestamp)>,
    kept: usize,
}

impl NoticeUpdates {
    pub(super) fn add(&mut self, id: Uuid, fate: NoticeUpdate) {
        match fate {
            NoticeUpdate::Delete => self.deleted.push(id),
            NoticeUpdate::Again(at) => self.put_off.push((id, at)),
            NoticeUpdate::Keep => self.kept += 1,
        }
    }

    pub(super) fn sent(&self, sent: usize) -> Sent {
        Sent {
            sent,
            deleted: self.deleted.len(),
            put_off: self.put_off.len(),
            kept: self.kept,
        }
    }

    pub(super) async fn store(
        &self,
        desk: Desk<'_>,
        transaction: &octavo_postgres::Transaction,
    ) -> Result<(), StoreError> {
        futures_util::try_join!(
            reminder::drop_notices(transaction, desk.tables(), &self.deleted),
            scheduled::put_off(transaction, desk.tables(), &self.put_off),
        )?;
        Ok(())
    }
}
