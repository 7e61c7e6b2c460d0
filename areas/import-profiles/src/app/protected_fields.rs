//! The protected fields, which updates do not change.

use octavo_boxed::boxed;
use octavo_records::StoreError;

use super::Context;
use crate::protection::Protection;
use crate::store::profiles::protections;

/// The tenant's protected fields, FOLIO's own first. [`crate::protection::protected_by`] removes those
/// that a mapping profile overrides.
#[boxed]
pub async fn protected_fields(context: Context<'_>) -> Result<Vec<Protection>, StoreError> {
    let settings = protections(&context.store.database, context.tenant).await?;
    Ok(settings.iter().map(Protection::of).collect())
}
