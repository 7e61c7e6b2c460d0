//! Whether a user is locked out by failed log-ins. The lock is no mark on the user: it follows from how
//! many log-ins failed and when the last did, so that nothing has to open it.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_platform::Platform;
use octavo_records::{StoreError, Tenant};

use crate::limits::CODES;
use crate::lock_rules::{LOCK, LockRules};
use crate::store::attempts;

/// The rules of a tenant.
#[boxed]
pub async fn rules(platform: &Platform, tenant: &Tenant) -> Result<LockRules, StoreError> {
    let codes = [CODES[0], CODES[1], LOCK];
    let entries = attempts::limits(&platform.store.database, tenant, &codes).await?;
    Ok(LockRules::new(&platform.identities.login, &entries))
}

/// Whether a user is locked out now. Most users have no recent failure, so that is looked up before the
/// tenant's rules.
#[boxed]
pub async fn is_locked(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<bool, StoreError> {
    let failures = attempts::failures(&platform.store.database, tenant, user_id).await?;
    match failures {
        Some((failures, seconds)) if failures > 0 => {
            Ok(rules(platform, tenant).await?.lock(failures, seconds))
        }
        _ => Ok(false),
    }
}
