//! Renders templates, stored or sent along.

use octavo_boxed::boxed;
use octavo_configuration::app::locale::{Locale, zone};
use octavo_configuration::store::tenant;
use octavo_platform::Call;
use octavo_records::{Catalog, Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use super::Failure;
use crate::render::{Locality, Rendered, Unrendered, chosen, parsed};
use crate::store::lookups;

/// How the tenant writes dates.
#[boxed]
pub async fn locality(
    executor: &dyn Executor,
    tenant: &Tenant,
    catalog: &Catalog,
) -> Result<Locality, StoreError> {
    let stored = tenant::locale(executor, tenant, catalog).await?;
    Ok(Locality {
        language: Locale::stored(stored.as_deref()).locale,
        zone: zone(stored.as_deref()),
    })
}

/// Makes the text of a stored template.
///
/// # Errors
/// When there is no such template, it lacks this language or format, or the text becomes too large.
#[boxed]
pub async fn render_stored(
    call: &Call,
    template: &str,
    language: &str,
    output_format: &str,
    context: Option<Value>,
) -> Result<Rendered, Failure> {
    let store = call.store();
    let unknown = || Unrendered::NoTemplate(template.chars().take(100).collect());
    let id = Uuid::try_parse(template).map_err(|_| unknown())?;
    let (mut found, locality) = tokio::try_join!(
        lookups::templates(&store.database, &call.tenant, std::slice::from_ref(&id)),
        locality(&store.database, &call.tenant, &store.catalog),
    )?;
    let stored = found.remove(&id).ok_or_else(unknown)?;
    let parsed = chosen(&stored, language, output_format)?;
    Ok(parsed.render(context, &locality.writer())?)
}

/// Renders a template sent along.
///
/// # Errors
/// When it is not a template, or becomes too large.
#[boxed]
pub async fn render_given(
    call: &Call,
    header: &str,
    body: &str,
    context: Option<Value>,
) -> Result<Rendered, Failure> {
    let store = call.store();
    let locality = locality(&store.database, &call.tenant, &store.catalog).await?;
    Ok(parsed(header, body)?.render(context, &locality.writer())?)
}
