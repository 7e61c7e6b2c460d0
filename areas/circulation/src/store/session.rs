//! Patrons' visits to a desk.

use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// Removes what a patron's visit gathered for one kind of action.
///
/// # Errors
/// When the database does not answer.
pub async fn end(
    executor: &impl Executor,
    tables: Tables<'_>,
    patron_id: Uuid,
    action: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE {} AND jsonb->>'actionType' = $2",
        tables.table("patron_action_session"),
        tables.equals("patron_action_session", "patronId", "$1::text"),
    );
    executor
        .rows(&sql, &[&patron_id.to_string(), &action])
        .await?;
    Ok(())
}
