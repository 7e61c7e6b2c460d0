//! Removes what login stores about a deleted user.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

use super::log_out::end_sessions;
use crate::store::credentials;

/// Removes a user's password, its history and password reset actions, and ends the user's sessions,
/// inside the caller's transaction.
#[boxed]
pub async fn forget_user(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: Uuid,
) -> Result<(), StoreError> {
    credentials::forget(executor, tenant, user_id).await?;
    end_sessions(executor, tenant, user_id, None).await
}
