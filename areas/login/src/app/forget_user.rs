//! Removes what login stores about a deleted user.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_records::{Executor, StoreError, Tenant};

use super::log_out::end_sessions;
use crate::store::credentials;

/// Removes a user's password, its history and password reset actions, and ends the user's sessions,
/// inside the caller's transaction.
#[boxed]
pub async fn forget_user(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<(), StoreError> {
    credentials::forget(executor, tenant, user_id).await?;
    end_sessions(executor, tenant, user_id, None).await
}
