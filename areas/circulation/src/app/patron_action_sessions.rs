//! The end of a patron's visit: the loans of that visit are no longer counted together, and the patron
//! is told of them.

use jiff::SignedDuration;
use octavo_library::UserId;
use octavo_records::StoreError;
use serde::Deserialize;

use super::Desk;
use super::session_notices::ended;
use crate::store::session;
use crate::store::settings::settings;

/// Sessions that may be ended by one request.
pub const SESSIONS_MAX: usize = 1_000;

/// One visit, for one kind of action.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    pub patron_id: UserId,
    /// `Check-out` or `Check-in`.
    pub action_type: ActionType,
}

/// What a session gathers.
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

/// Visits that one statement ends, as in FOLIO.
const PORTION: i64 = 100;
/// Statements of one run; what is left is for the next.
const PORTIONS_MAX: usize = 100;

/// What ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VisitsEnded {
    /// Loans that were gathered in the visits.
    pub loans: usize,
    /// Notices that go out.
    pub told: usize,
}

/// Ends the visits in which nothing has been lent or taken in for as long as the tenant has set.
///
/// # Errors
/// On a database error; the portions before that are kept.
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

/// Ends visits; one that is not there has ended already. Returns how many notices go out.
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
