//! The end of what is kept of a user who is deleted.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

use super::log_out::end_sessions;
use crate::store::credentials;

/// Removes a user's password, those before it and the rights to reset it, and ends the user's
/// sessions, where the caller's transaction is.
#[boxed]
pub async fn forget_user(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: Uuid,
) -> Result<(), StoreError> {
    credentials::forget(executor, tenant, user_id).await?;
    end_sessions(executor, tenant, user_id, None).await
}
