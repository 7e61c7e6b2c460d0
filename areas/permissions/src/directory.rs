//! Reads users' permissions for the platform's permission check, and stores what modules define.

use std::collections::HashSet;

use octavo_platform::identity::{ChangeFuture, Expanding, LookUp, ModulePermissions};
use octavo_platform::{Directory, Grants};
use octavo_records::{Executor, Store, StoreError, Tenant};
use uuid::Uuid;

use crate::app::announce::announce;
use crate::store;

/// A user's permissions, with those of all sets they hold; nothing for a user who is inactive or not there.
pub async fn grants_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    user: Uuid,
) -> Result<Option<Grants>, StoreError> {
    let names = store::granted(executor, tenant, user).await?;
    Ok(names.map(|names| Grants::new(names.into_iter().collect::<HashSet<_>>())))
}

/// The permissions in this area's tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct UserDirectory;

impl Directory for UserDirectory {
    fn grants(&self, records: Store, tenant: Tenant, user_id: Uuid) -> LookUp {
        Box::pin(async move { grants_of(&records.database, &tenant, user_id).await })
    }

    fn announce(
        &self,
        records: Store,
        tenant: Tenant,
        modules: Vec<ModulePermissions>,
    ) -> ChangeFuture {
        Box::pin(async move { announce(&records, &tenant, &modules).await })
    }

    fn expand(&self, records: Store, tenant: Tenant, names: Vec<String>) -> Expanding {
        Box::pin(async move { store::expanded(&records.database, &tenant, &names).await })
    }
}
