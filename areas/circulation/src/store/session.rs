//! Patron action sessions.

use jiff::Timestamp;
use octavo_library::{LoanId, UserId};
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError, instant};

use super::{Tables, keys_of};
use crate::notice::Event;

/// An entry of an ended session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visited {
    /// The patron.
    pub patron_id: UserId,
    pub loan_id: LoanId,
    /// A check-out, not a check-in.
    pub is_check_out: bool,
}

impl Visited {
    /// The trigger event of its notices.
    #[must_use]
    pub fn event(&self) -> Event {
        match self.is_check_out {
            true => Event::CheckOut,
            false => Event::CheckIn,
        }
    }

    fn read(row: &Row) -> Option<Visited> {
        let action: Option<String> = row.get("action");
        Some(Visited {
            patron_id: row.get::<_, Option<UserId>>("patron_id")?,
            loan_id: row.get::<_, Option<LoanId>>("loan_id")?,
            is_check_out: action.as_deref() == Some("Check-out"),
        })
    }
}

const VISITED: &str = "(jsonb->>'patronId')::uuid AS patron_id, \
                       (jsonb->>'loanId')::uuid AS loan_id, \
    jsonb->>'actionType' AS action";

/// Deletes the entries of a patron's session for one kind of action; returns them in order of time.
pub async fn end(
    executor: &dyn Executor,
    tables: Tables<'_>,
    patron_id: UserId,
    action: &str,
) -> Result<Vec<Visited>, StoreError> {
    let sql = format!(
        "WITH gone AS (DELETE FROM {} WHERE {} AND jsonb->>'actionType' = $2 RETURNING jsonb)
         SELECT {VISITED} FROM gone ORDER BY jsonb->'metadata'->>'createdDate'",
        tables.table("patron_action_session"),
        tables.equals("patron_action_session", "patronId", "$1::text"),
    );
    let rows = executor
        .rows(&sql, &[&patron_id.to_string(), &action])
        .await?;
    Ok(rows.iter().filter_map(Visited::read).collect())
}

/// Patrons whose session has had no action of a kind since an instant, with that kind; the longest idle
/// first.
pub async fn expired(
    executor: &dyn Executor,
    tables: Tables<'_>,
    action: Option<&str>,
    since: Timestamp,
    most: i64,
) -> Result<Vec<(String, String)>, StoreError> {
    let sql = format!(
        "SELECT patron, action FROM ({}) AS quiet ORDER BY last, patron, action LIMIT $3",
        quiet(tables)
    );
    let since = instant::format(since);
    let rows = executor.rows(&sql, &[&since, &action, &most]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("patron"), row.get("action")))
        .collect())
}

/// Ends some sessions idle since an instant; returns their entries in order of time. One statement, so
/// that a concurrent entry of the same patron is not deleted unseen.
pub async fn end_expired(
    executor: &dyn Executor,
    tables: Tables<'_>,
    since: Timestamp,
    most: i64,
) -> Result<Vec<Visited>, StoreError> {
    let sql = format!(
        "WITH over AS MATERIALIZED (SELECT patron, action FROM ({}) AS quiet
           ORDER BY last LIMIT $3),
         gone AS (DELETE FROM {} USING over WHERE {}
           AND jsonb->>'actionType' = over.action AND {} < lower($1::text) COLLATE \"C\"
           RETURNING jsonb)
         SELECT {VISITED} FROM gone ORDER BY jsonb->'metadata'->>'createdDate'",
        quiet(tables),
        tables.table("patron_action_session"),
        tables.equals("patron_action_session", "patronId", "over.patron"),
        created(tables),
    );
    let since = instant::format(since);
    let action: Option<&str> = None;
    let rows = executor.rows(&sql, &[&since, &action, &most]).await?;
    Ok(rows.iter().filter_map(Visited::read).collect())
}

/// `$1` is the instant, `$2` the kind of action if one is wanted.
fn quiet(tables: Tables<'_>) -> String {
    let created = created(tables);
    format!(
        "SELECT patron, action, last FROM (
           SELECT jsonb->>'patronId' AS patron, jsonb->>'actionType' AS action, max({created}) AS last
           FROM {sessions} WHERE {created} < lower($1::text) COLLATE \"C\"
             AND ($2::text IS NULL OR jsonb->>'actionType' = $2) GROUP BY 1, 2) AS old
         WHERE NOT EXISTS (SELECT FROM {sessions} WHERE {of_patron}
           AND jsonb->>'actionType' = old.action AND {created} >= lower($1::text) COLLATE \"C\")",
        sessions = tables.table("patron_action_session"),
        of_patron = tables.equals("patron_action_session", "patronId", "old.patron"),
    )
}

fn created(tables: Tables<'_>) -> String {
    keys_of(tables, "patron_action_session", "metadata.createdDate").join(", ")
}
