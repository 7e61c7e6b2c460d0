//! Deletes a template, unless a patron notice policy uses it.

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::StoreError;
use uuid::Uuid;

use crate::store::lookups;

/// Deletes a template; returns false if it is in use. A concurrent change of a policy is not detected:
/// its notices then fail visibly.
#[boxed]
pub async fn delete_template(call: &Call, id: Uuid) -> Result<bool, StoreError> {
    let store = call.store();
    if lookups::is_in_use(&store.database, &call.tenant, id).await? {
        return Ok(false);
    }
    store
        .delete(&call.tenant, store.catalog.declared("template"), id)
        .await?;
    Ok(true)
}
