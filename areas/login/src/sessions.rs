//! What was revoked, read for the platform's permission stage, and the end of what is over.

use octavo_platform::identity::{RevokedLookUp, SessionLookUp, Sessions};
use octavo_records::{Store, StoreError, Tenant};
use uuid::Uuid;

use crate::store::{reset_actions, sessions};

/// So many records go with one statement, so that none runs long.
const PORTION: i64 = 1_000;

/// The sessions in this area's tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoredSessions;

impl Sessions for StoredSessions {
    fn revoked(&self, records: Store, tenant: Tenant, user_id: Uuid) -> RevokedLookUp {
        Box::pin(async move { sessions::revoked(&records.database, &tenant, user_id).await })
    }

    fn is_revoked(&self, records: Store, tenant: Tenant, session: Uuid) -> SessionLookUp {
        Box::pin(async move { sessions::is_revoked(&records.database, &tenant, session).await })
    }
}

/// Removes the sessions of a tenant that no token can belong to any more, portion by portion, and the
/// rights to reset a password that have long ended.
pub async fn remove_ended(records: &Store, tenant: &Tenant) -> Result<(), StoreError> {
    loop {
        match sessions::remove_ended(&records.database, tenant, PORTION).await {
            Ok(removed) if removed == PORTION => {}
            Ok(_) => break,
            // Not brought up to date yet, or purged meanwhile.
            Err(error) if error.is_undefined_table() => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
    reset_actions::remove_ended(&records.database, tenant).await
}
