//! Features of FOLIO's search that a tenant switches on and off. All that they stand for is always
//! there; the switches are kept for those who ask.

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

/// What a client sends for a feature.
#[derive(Debug, Deserialize)]
pub struct FeatureForm {
    feature: String,
    enabled: bool,
}

/// All that a tenant has decided about.
pub async fn list(place: SearchTables<'_>) -> Result<Value, Failure> {
    let features = place.features().await?;
    let told: Vec<Value> = features
        .iter()
        .map(|(feature, enabled)| json!({"feature": feature, "enabled": enabled}))
        .collect();
    Ok(json!({"totalRecords": told.len(), "features": told}))
}

/// Decides about one.
///
/// # Errors
/// When it is none or was decided about.
pub async fn add(place: SearchTables<'_>, form: &FeatureForm) -> Result<Value, Failure> {
    known(&form.feature)?;
    if !place.add_feature(&form.feature, form.enabled).await? {
        let message = "Feature configuration already exists";
        return Err(Fault::of(message, "feature", form.feature.clone()).into());
    }
    Ok(shown(form))
}

/// Decides otherwise.
///
/// # Errors
/// When it is none or another one, or was not decided about.
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

/// Takes a decision back.
///
/// # Errors
/// When it is none or was not decided about.
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
