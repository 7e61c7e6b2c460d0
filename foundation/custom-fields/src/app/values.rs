//! Values of records against the definitions.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};

use crate::rules::definition::{self, Definition};
use crate::{CustomFields, store};

/// The definitions of these references that are for a record type, locked against changes until the
/// transaction ends: before the records are, which changes of definitions lock last.
///
/// # Errors
/// On a database error.
#[boxed]
pub async fn hold(
    executor: &dyn Executor,
    tenant: &Tenant,
    fields: &CustomFields,
    entity: &str,
    references: &[String],
) -> Result<Vec<Definition>, StoreError> {
    let mut held = store::hold(executor, tenant, fields.table, references).await?;
    held.retain(|one| definition::text(one, "entityType") == entity);
    Ok(held)
}
