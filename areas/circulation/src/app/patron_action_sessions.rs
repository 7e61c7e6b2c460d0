//! Ends patron action sessions: deletes their entries and sends the gathered notices.

use jiff::SignedDuration;
use octavo_library::UserId;
use octavo_records::StoreError;
use serde::Deserialize;

use super::Desk;
use super::session_notices::ended;
use crate::store::session;
use crate::store::settings::settings;

/// Maximal number of sessions ended by one request.
pub const SESSIONS_MAX: usize = 1_000;

/// A session of one patron, for one kind of action.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    pub patron_id: UserId,
    /// `Check-out` or `Check-in`.
    pub action_type: ActionType,
}

/// The kind of action of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum ActionType {
    /// Loans made.
    #[serde(rename = "Check-out")]
    CheckOut,
    /// Loans ended.
    #[serde(rename = "Check-in")]
    CheckIn,
}

impl ActionType {
    fn name(self) -> &'static str {
        match self {
            ActionType::CheckOut => "Check-out",
            ActionType::CheckIn => "Check-in",
        }
    }
}

/// Sessions that one statement ends, as in FOLIO.
const PORTION: i64 = 100;
/// Statements of one run; the next run does the rest.
const PORTIONS_MAX: usize = 100;

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VisitsEnded {
    /// Loans gathered in the sessions.
    pub loans: usize,
    /// Queued notices.
    pub told: usize,
}

/// Ends the sessions without a check-out or check-in for the tenant's time-out.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn end_expired(desk: Desk<'_>) -> Result<VisitsEnded, StoreError> {
    let (database, tables) = (&desk.store.database, desk.tables());
    let minutes = settings(database, tables).await?.session_timeout_minutes();
    let mut all = VisitsEnded::default();
    let Ok(since) = desk
        .stamp
        .at
        .checked_sub(SignedDuration::from_mins(minutes))
    else {
        return Ok(all);
    };
    for _ in 0..PORTIONS_MAX {
        let transaction = database.transaction().await?;
        let visited = session::end_expired(&transaction, tables, since, PORTION).await?;
        all.told += ended(desk, &transaction, &visited).await?;
        transaction.commit().await?;
        all.loans += visited.len();
        if visited.is_empty() {
            break;
        }
    }
    Ok(all)
}

/// Ends sessions; a missing one has ended already. Returns the number of queued notices.
pub async fn end_sessions(desk: Desk<'_>, visits: &[Ended]) -> Result<usize, StoreError> {
    let transaction = desk.store.database.transaction().await?;
    let mut visited = Vec::new();
    for one in visits {
        let action = one.action_type.name();
        visited.extend(session::end(&transaction, desk.tables(), one.patron_id, action).await?);
    }
    let told = ended(desk, &transaction, &visited).await?;
    transaction.commit().await?;
    Ok(told)
}
