//! The settings of human-readable ids: read, changed, and the three sequences restarted.

use bytes::Bytes;
use octavo_boxed::boxed;
use serde_json::{Value, json};

use super::{Context, Refusal, checked};
use crate::rules::hrid::HridSettings;
use crate::store::hrid_settings;

/// The settings with the current number of each record type.
///
/// # Errors
/// When the tenant has none.
#[boxed]
pub async fn hrid_settings(context: &Context<'_>) -> Result<Bytes, Refusal> {
    let found = hrid_settings::read(&context.store.database, context.tenant).await?;
    found.ok_or(super::refusal::NOT_FOUND)
}

/// Replaces the settings and restarts the sequences at their start numbers.
///
/// # Errors
/// When a prefix has invalid characters, or a start number is out of range.
#[boxed]
pub async fn replace_hrid_settings(context: &Context<'_>, document: Value) -> Result<(), Refusal> {
    let mut document = checked(context.collection("hrid_settings"), document)?;
    let settings: HridSettings = serde_json::from_value(document.clone())
        .map_err(|error| Refusal::property(error.to_string(), "", ""))?;
    if let Some(wrong) = settings.refuse() {
        return Err(Refusal::property(
            wrong.message,
            wrong.property,
            wrong.value,
        ));
    }
    document["commonRetainLeadingZeroes"] = json!(settings.common_retain_leading_zeroes);
    let transaction = context.store.database.transaction().await?;
    hrid_settings::replace(&transaction, context.tenant, &document, &context.stamp).await?;
    let starts = [
        ("instance", settings.instances.start_number),
        ("holdings_record", settings.holdings.start_number),
        ("item", settings.items.start_number),
    ];
    hrid_settings::restart(&transaction, context.tenant, starts).await?;
    transaction.commit().await?;
    Ok(())
}
