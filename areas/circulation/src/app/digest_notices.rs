//! Due notices that are gathered into one message per patron: about due dates and lost item fees once a
//! day, about overdue fines when the visit has ended. A patron's notices are claimed by one transaction,
//! so that two processes do not split them into two messages.

use std::collections::HashMap;
use std::time::Instant;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_jobs::PortionSize;
use octavo_library::{TemplateId, UserId};
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Desk;
use super::due_notices::{NoticeUpdates, Sending, Sent};
use super::due_portion::{LoanNoticeSubject, Portion, delivery};
use super::journal::By;
use super::notice_outbox::NoticeContext;
use super::quota::Quota;
use crate::circulation_log::NoticeAbout;
use crate::facts::LogItem;
use crate::notice::{Decision, Event, Format, NoticeUpdate, ScheduledNotice, Timing};
use crate::representation::notice::several;
use crate::store::policy;
use crate::store::scheduled_notice::{self as scheduled, DueNoticeKind, PORTION_MAX};

/// Fines for late returns and renewals.
pub const OF_FINES: [Event; 2] = [Event::OverdueFineReturned, Event::OverdueFineRenewed];

/// Which notices a timer gathers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    /// Their trigger events.
    pub events: &'static [Event],
    /// The property of a message with a patron's notices: `loans` or `feeCharges`.
    pub name: &'static str,
    /// Those that are due by now; otherwise those of the days before this one, in the tenant's zone.
    pub real_time: bool,
}

/// Due dates, once a day.
pub const DUE_DATES: Digest = Digest {
    events: &[Event::DueDate],
    name: "loans",
    real_time: false,
};
/// Fees for lost items, once a day.
pub const LOST_ITEM_FEES: Digest = Digest {
    events: &[Event::AgedToLostFineCharged],
    name: "feeCharges",
    real_time: false,
};
/// Overdue fines.
pub const FINES: Digest = Digest {
    events: &OF_FINES,
    name: "feeCharges",
    real_time: true,
};

/// Sends the notices of a digest that are due: all, or those of as many patrons as the settings let a
/// run take. A message is never split.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn send_digests(
    desk: Desk<'_>,
    sending: Sending<'_>,
    digest: Digest,
) -> Result<Sent, StoreError> {
    let mut size = PortionSize::at_most(PORTION_MAX);
    let mut all = Sent::default();
    let mut quota = Quota::of_run(desk).await?;
    for event in digest.events {
        let mut after = None;
        loop {
            let (key, most) = (after.as_deref(), quota.portion(size.next()));
            if most == 0 {
                break;
            }
            let from = (key, most);
            let portion = async {
                let began = Instant::now();
                let (done, last) =
                    retried(|| Box::pin(portion(desk, digest, *event, from))).await?;
                Ok::<_, StoreError>((done, last, began.elapsed()))
            };
            let (done, last, elapsed) = sending.room.portion(portion).await?;
            size.took(done.decided(), elapsed);
            quota.take(done.deleted + done.put_off);
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
    Ok(all)
}

/// The instant before which notices are due: the beginning of the day in the tenant's zone, or now.
#[must_use]
pub fn limit(digest: Digest, zone: &TimeZone, now: Timestamp) -> Timestamp {
    if digest.real_time {
        return now;
    }
    let today = now.to_zoned(zone.clone()).start_of_day();
    today.map_or(now, |today| today.timestamp())
}

/// The key by which notices are gathered into one message.
type Key = (
    UserId,
    Option<TemplateId>,
    Option<Format>,
    Timing,
    Option<Uuid>,
);

struct Group<'a> {
    notice: &'a ScheduledNotice,
    first: LoanNoticeSubject<'a>,
    parts: Vec<Map<String, Value>>,
    items: Vec<LogItem>,
}

async fn portion(
    desk: Desk<'_>,
    digest: Digest,
    event: Event,
    from: (Option<&str>, i64),
) -> Result<(Sent, Option<String>), StoreError> {
    let (tables, now) = (desk.tables(), desk.stamp.at);
    let kind = DueNoticeKind {
        event,
        real_time: digest.real_time,
    };
    let transaction = desk.store.database.transaction().await?;
    let tenant = policy::tenant_terms(&transaction, tables).await?;
    let before = limit(digest, &tenant.zone, now);
    let patrons = scheduled::recipients(&transaction, tables, kind, before, from).await?;
    if patrons.held.is_empty() {
        return Ok((Sent::default(), patrons.last));
    }
    let due = scheduled::due_for(&transaction, tables, kind, before, &patrons.held).await?;
    let portion = Portion::read(desk, &transaction, &tenant, due).await?;
    let (mut telling, mut fates) = (NoticeContext::default(), NoticeUpdates::default());
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: HashMap<Key, usize> = HashMap::new();
    for (id, notice) in portion.notices() {
        let Some(notice) = notice else {
            fates.add(id, NoticeUpdate::Delete);
            continue;
        };
        let (decision, told): (Decision, _) = portion.decide_loan(notice, &mut telling, now)?;
        fates.add(id, decision.fate);
        let Some(told) = told else { continue };
        let (part, item) = (portion.part(&told), Portion::logged(&told));
        let at = *places.entry(key(notice, &told)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => {
                group.parts.push(part);
                group.items.push(item);
            }
            None => groups.push(Group {
                notice,
                first: told,
                parts: vec![part],
                items: vec![item],
            }),
        }
    }
    for group in groups {
        let about = NoticeAbout {
            items: &group.items,
            ..portion.about(group.notice, &group.first)
        };
        let borrower = group.first.borrower;
        let delivery = delivery(group.notice, borrower.patron.id);
        let context = || several(borrower, digest.name, group.parts);
        telling.put(delivery, about, &portion.templates, context);
    }
    let sent = fates.sent(telling.len());
    telling.store(desk, &transaction, By::System).await?;
    fates.store(desk, &transaction).await?;
    transaction.commit().await?;
    Ok((sent, patrons.last))
}

/// Fines upon a return are gathered by visit.
fn key(notice: &ScheduledNotice, told: &LoanNoticeSubject<'_>) -> Key {
    let config = &notice.notice_config;
    let by_visit =
        notice.triggering_event == Event::OverdueFineReturned && config.timing == Timing::UponAt;
    (
        told.borrower.patron.id,
        config.template_id,
        config.format,
        config.timing,
        notice.session_id.filter(|_| by_visit),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_where_the_library_is() {
        let at = |text: &str| -> Timestamp { text.parse().expect("an instant") };
        let zone = |name: &str| TimeZone::get(name).expect("a zone");
        let now = at("2024-03-31T02:30:00Z");
        for (name, expected) in [
            ("UTC", "2024-03-31T00:00:00Z"),
            ("America/New_York", "2024-03-30T04:00:00Z"),
            // The clocks were put forward since midnight.
            ("Europe/Berlin", "2024-03-30T23:00:00Z"),
            ("Asia/Tokyo", "2024-03-30T15:00:00Z"),
        ] {
            assert_eq!(limit(DUE_DATES, &zone(name), now), at(expected), "{name}");
            assert_eq!(limit(FINES, &zone(name), now), now);
        }
    }
}
