//! Feature flags of FOLIO's search. All features are always available; the flags are only stored and
//! returned.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Failure;
use crate::query::Fault;
use crate::store::SearchTables;

const FEATURES: [&str; 3] = [
    "search.all.fields",
    "browse.classifications",
    "browse.call-numbers",
];

/// The body of a feature.
#[derive(Debug, Deserialize)]
pub struct FeatureForm {
    feature: String,
    enabled: bool,
}

/// All flags of a tenant.
pub async fn list(place: SearchTables<'_>) -> Result<Value, Failure> {
    let features = place.features().await?;
    let told: Vec<Value> = features
        .iter()
        .map(|(feature, enabled)| json!({"feature": feature, "enabled": enabled}))
        .collect();
    Ok(json!({"totalRecords": told.len(), "features": told}))
}

/// Adds a flag.
///
/// # Errors
/// When the feature is unknown or has a flag.
pub async fn add(place: SearchTables<'_>, form: &FeatureForm) -> Result<Value, Failure> {
    known(&form.feature)?;
    if !place.add_feature(&form.feature, form.enabled).await? {
        let message = "Feature configuration already exists";
        return Err(Fault::of(message, "feature", form.feature.clone()).into());
    }
    Ok(shown(form))
}

/// Changes a flag.
///
/// # Errors
/// When the feature is unknown, differs from the path's, or has no flag.
pub async fn change(
    place: SearchTables<'_>,
    feature: &str,
    form: &FeatureForm,
) -> Result<Value, Failure> {
    known(feature)?;
    known(&form.feature)?;
    if form.feature != feature {
        let message = "Request body feature must be the same as in the URL";
        return Err(Fault::of(message, "feature", feature).into());
    }
    match place.change_feature(feature, form.enabled).await? {
        true => Ok(shown(form)),
        false => Err(missing(feature)),
    }
}

/// Removes a flag.
///
/// # Errors
/// When the feature is unknown or has no flag.
pub async fn remove(place: SearchTables<'_>, feature: &str) -> Result<(), Failure> {
    known(feature)?;
    match place.remove_feature(feature).await? {
        true => Ok(()),
        false => Err(missing(feature)),
    }
}

fn known(feature: &str) -> Result<(), Fault> {
    match FEATURES.contains(&feature) {
        true => Ok(()),
        false => Err(Fault::plain(format!("Unexpected value '{feature}'"))),
    }
}

fn missing(feature: &str) -> Failure {
    Failure::Missing(format!("Feature configuration not found for id: {feature}"))
}

fn shown(form: &FeatureForm) -> Value {
    json!({"feature": form.feature, "enabled": form.enabled})
}
