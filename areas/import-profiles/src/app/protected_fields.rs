//! The fields that updates leave as they are.

use octavo_boxed::boxed;
use octavo_records::StoreError;

use super::Context;
use crate::protection::Protection;
use crate::store::profiles::protections;

/// The tenant's protected fields, FOLIO's own first. Those that a mapping profile overrides
/// [`crate::protection::protected_by`] takes out.
#[boxed]
pub async fn protected_fields(context: Context<'_>) -> Result<Vec<Protection>, StoreError> {
    let settings = protections(&context.store.database, context.tenant).await?;
    Ok(settings.iter().map(Protection::of).collect())
}
