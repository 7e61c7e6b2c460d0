//! The end of a patron's visit: the loans of that visit are no longer counted together.

use octavo_records::StoreError;
use serde::Deserialize;
use uuid::Uuid;

use super::Desk;
use crate::store::session;

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
