//! Scheduled notices: stored, rescheduled, and claimed when due.

use jiff::Timestamp;
use octavo_library::{LoanId, RequestId};
use octavo_records::expression::key;
use octavo_records::{Executor, StoreError, instant};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;
use crate::collections;
use crate::notice::Event;

/// Notices in a portion at most, and so in a transaction.
pub const PORTION_MAX: i64 = 400;
/// Maximal number of notices in a portion of digests; the rest of a patron's notices is left for the
/// next run.
pub const DIGESTS_MAX: i64 = 1_000;

/// A due notice, locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The notice.
    pub id: Uuid,
    pub document: Value,
    /// Its key in the index.
    pub key: String,
}

/// Which notices a timer sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueNoticeKind {
    /// Their trigger event.
    pub event: Event,
    /// In real time, individually.
    pub real_time: bool,
}

impl DueNoticeKind {
    fn from(self) -> String {
        format!("{} {} ", self.event.name(), self.real_time)
    }
}

/// Replaces the notices of these loans for this event. Lock the loans' items first.
pub async fn put_for_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
    event: Event,
    notices: Vec<(Uuid, Value)>,
) -> Result<(), StoreError> {
    let gone = format!(
        "{} AND jsonb->>'triggeringEvent' = $4",
        tables.equals("scheduled_notice", "loanId", "$1::text")
    );
    let (ids, documents): (Vec<Uuid>, Vec<Value>) = notices.into_iter().unzip();
    let values: octavo_records::Values<'_> =
        &[&loan_id.to_string(), &ids, &documents, &event.name()];
    executor.rows(&put_sql(tables, &gone), values).await?;
    Ok(())
}

/// Replaces the notices of a request. Lock the request first.
pub async fn put_for_request(
    executor: &dyn Executor,
    tables: Tables<'_>,
    request_id: RequestId,
    notices: Vec<(Uuid, Value)>,
) -> Result<(), StoreError> {
    let gone = tables.equals("scheduled_notice", "requestId", "$1::text");
    let (ids, documents): (Vec<Uuid>, Vec<Value>) = notices.into_iter().unzip();
    let values: octavo_records::Values<'_> = &[&request_id.to_string(), &ids, &documents];
    executor.rows(&put_sql(tables, &gone), values).await?;
    Ok(())
}

fn put_sql(tables: Tables<'_>, gone: &str) -> String {
    // Both parts see the same snapshot, so the deletion does not affect the inserted rows.
    let notices = tables.table("scheduled_notice");
    format!(
        "WITH gone AS (DELETE FROM {notices} WHERE {gone})
         INSERT INTO {notices} (id, jsonb) SELECT * FROM unnest($2::uuid[], $3::jsonb[])"
    )
}

/// Deletes the notices of a loan that are sent with its due date or after it.
pub async fn drop_overdue(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE {} AND jsonb->>'triggeringEvent' = 'Due date'
           AND jsonb->'noticeConfig'->>'timing' IN ('Upon At', 'After')",
        tables.table("scheduled_notice"),
        tables.equals("scheduled_notice", "loanId", "$1::text"),
    );
    executor.rows(&sql, &[&loan_id.to_string()]).await?;
    Ok(())
}

/// Locks a limited number of notices due before an instant, in order, skipping those locked by another
/// process or by a desk that replaces them.
pub async fn due(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: DueNoticeKind,
    before: Timestamp,
    (after, most): (Option<&str>, i64),
) -> Result<Vec<Due>, StoreError> {
    let (place, range) = in_order();
    let sql = format!(
        "SELECT id, jsonb, {place} AS place FROM {} WHERE {range} ORDER BY {place} LIMIT $3
         FOR UPDATE SKIP LOCKED",
        tables.table("scheduled_notice"),
    );
    let from = kind.from();
    let until = format!("{from}{}", instant::format(before));
    let after = after.unwrap_or(&from);
    let rows = executor.rows(&sql, &[&after, &until, &most]).await?;
    Ok(rows.iter().map(read).collect())
}

fn read(row: &octavo_postgres::Row) -> Due {
    Due {
        id: row.get("id"),
        document: row.get("jsonb"),
        key: row.get("place"),
    }
}

/// The index expression of the timers' order, and the range from `$1` to `$2` in it.
fn in_order() -> (String, String) {
    let index = collections::due_notices();
    let place = key(&index);
    let condition = index.condition.as_deref().unwrap_or("true");
    let range = format!("{condition} AND {place} > $1 AND {place} < $2");
    (place, range)
}

/// Patrons with due notices, and the start of the next portion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recipients {
    /// Claimed by this transaction with an advisory lock: of two processes one sends all of a patron's
    /// notices in one message.
    pub held: Vec<String>,
    /// The key of the last notice read; `None` at the end.
    pub last: Option<String>,
}

/// A portion of the patrons for whom notices were due before an instant.
pub async fn recipients(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: DueNoticeKind,
    before: Timestamp,
    (after, most): (Option<&str>, i64),
) -> Result<Recipients, StoreError> {
    let (place, range) = in_order();
    // `MATERIALIZED`: otherwise the planner could call the lock function for patrons outside this page.
    let sql = format!(
        "WITH page AS MATERIALIZED (SELECT coalesce(jsonb->>'recipientUserId', '') AS recipient,
             {place} AS place FROM {} WHERE {range} ORDER BY {place} LIMIT $3),
         patrons AS MATERIALIZED (SELECT DISTINCT recipient FROM page)
         SELECT (SELECT count(*) FROM page) AS count, (SELECT max(place) FROM page) AS last,
           (SELECT array_agg(recipient) FROM patrons
             WHERE pg_try_advisory_xact_lock(hashtextextended('notices of ' || $4 || recipient, 0)))
             AS held",
        tables.table("scheduled_notice"),
    );
    let from = kind.from();
    let until = format!("{from}{}", instant::format(before));
    let after = after.unwrap_or(&from);
    let schema = tables.tenant.schema();
    let values: octavo_records::Values<'_> = &[&after, &until, &most, &schema];
    let rows = executor.rows(&sql, values).await?;
    let Some(row) = rows.first() else {
        return Ok(Recipients::default());
    };
    let (count, last): (i64, Option<String>) = (row.get("count"), row.get("last"));
    let held: Option<Vec<String>> = row.get("held");
    Ok(Recipients {
        held: held.unwrap_or_default(),
        last: last.filter(|_| count >= most),
    })
}

/// All notices of these patrons due before an instant, locked, grouped by patron and sorted by due time
/// and creation. Those of an open session are left out.
pub async fn due_for(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: DueNoticeKind,
    before: Timestamp,
    recipients: &[String],
) -> Result<Vec<Due>, StoreError> {
    let index = collections::digests();
    let (recipient, condition) = (key(&index), index.condition.unwrap_or_default());
    let sql = format!(
        "SELECT id, jsonb, '' AS place FROM {} AS notice WHERE ({condition})
           AND {recipient} = ANY($1) AND jsonb->>'triggeringEvent' = $2
           AND jsonb->'noticeConfig'->>'sendInRealTime' = $3 AND jsonb->>'nextRunTime' < $4
           AND (jsonb->>'sessionId' IS NULL OR NOT EXISTS (SELECT FROM {} WHERE {}
             AND jsonb->>'sessionId' = notice.jsonb->>'sessionId'))
         ORDER BY {recipient}, jsonb->>'nextRunTime', jsonb->'metadata'->>'createdDate', id
         LIMIT $5 FOR UPDATE OF notice SKIP LOCKED",
        tables.table("scheduled_notice"),
        tables.table("patron_action_session"),
        tables.equals(
            "patron_action_session",
            "patronId",
            "(notice.jsonb->>'recipientUserId')"
        ),
    );
    let (event, before) = (kind.event.name(), instant::format(before));
    let real_time = kind.real_time.to_string();
    let values: octavo_records::Values<'_> =
        &[&recipients, &event, &real_time, &before, &DIGESTS_MAX];
    let rows = executor.rows(&sql, values).await?;
    Ok(rows.iter().map(read).collect())
}

/// Reschedules locked notices.
pub async fn put_off(
    executor: &dyn Executor,
    tables: Tables<'_>,
    notices: &[(Uuid, Timestamp)],
) -> Result<(), StoreError> {
    if notices.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = notices.iter().map(|(id, _)| *id).collect();
    let times: Vec<String> = notices.iter().map(|(_, at)| instant::format(*at)).collect();
    let sql = format!(
        "UPDATE {} AS notice SET jsonb = jsonb_set(jsonb, '{{nextRunTime}}', to_jsonb(next.at))
         FROM unnest($1::uuid[], $2::text[]) AS next(id, at) WHERE notice.id = next.id",
        tables.table("scheduled_notice")
    );
    executor.rows(&sql, &[&ids, &times]).await?;
    Ok(())
}
