//! The end of a patron's visit: the loans of that visit are no longer counted together.

use jiff::SignedDuration;
use octavo_records::StoreError;
use serde::Deserialize;
use uuid::Uuid;

use super::Desk;
use crate::store::session;
use crate::store::settings::settings;

/// Sessions that may be ended by one request.
pub const SESSIONS_MAX: usize = 1_000;

/// One visit, for one kind of action.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    /// The patron.
    pub patron_id: Uuid,
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

/// Ends the visits in which nothing has been lent or taken in for as long as the tenant has set;
/// gives how many loans were gathered in them.
///
/// # Errors
/// When the database does not answer; the portions before that are kept.
pub async fn end_expired(desk: Desk<'_>) -> Result<i64, StoreError> {
    let (database, tables) = (&desk.store.database, desk.tables());
    let minutes = settings(database, tables).await?.session_timeout_minutes();
    let Ok(since) = desk
        .stamp
        .at
        .checked_sub(SignedDuration::from_mins(minutes))
    else {
        return Ok(0);
    };
    let mut all = 0;
    for _ in 0..PORTIONS_MAX {
        let ended = session::end_expired(database, tables, since, PORTION).await?;
        all += ended;
        if ended == 0 {
            break;
        }
    }
    Ok(all)
}

/// Ends visits; one that is not there has ended already.
///
/// # Errors
/// When the database does not answer.
pub async fn end_sessions(desk: Desk<'_>, ended: &[Ended]) -> Result<(), StoreError> {
    let transaction = desk.store.database.transaction().await?;
    for one in ended {
        let action = one.action_type.name();
        session::end(&transaction, desk.tables(), one.patron_id, action).await?;
    }
    transaction.commit().await?;
    Ok(())
}
