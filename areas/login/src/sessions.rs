//! Reads revoked sessions for the platform's permission check, and removes expired ones.

use octavo_platform::identity::{RevokedLookUp, SessionLookUp, Sessions};
use octavo_records::{Store, StoreError, Tenant};
use uuid::Uuid;

use crate::store::{reset_actions, sessions};

/// Records that one statement deletes, so that none runs long.
const PORTION: i64 = 1_000;

/// The sessions in this area's tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoredSessions;

impl Sessions for StoredSessions {
    fn revoked(&self, records: Store, tenant: Tenant, user_id: Uuid) -> RevokedLookUp {
        Box::pin(async move { sessions::revoked(&records.database, &tenant, user_id.into()).await })
    }

    fn is_revoked(&self, records: Store, tenant: Tenant, session: Uuid) -> SessionLookUp {
        Box::pin(
            async move { sessions::is_revoked(&records.database, &tenant, session.into()).await },
        )
    }
}

/// Removes sessions whose tokens have all expired, portion by portion, and password reset actions that
/// expired long ago.
pub async fn remove_ended(records: &Store, tenant: &Tenant) -> Result<(), StoreError> {
    loop {
        match sessions::remove_ended(&records.database, tenant, PORTION).await {
            Ok(removed) if removed == PORTION => {}
            Ok(_) => break,
            // The tenant is not migrated yet, or was purged meanwhile.
            Err(error) if error.is_undefined_table() => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
    reset_actions::remove_ended(&records.database, tenant).await
}
