//! Holdings in the form of `/inventory/holdings`: properties that a MARC record controls cannot be
//! changed.

use octavo_boxed::boxed;
use serde_json::Value;
use uuid::Uuid;

use super::store_holdings::{IfMissing, replace_holdings};
use super::{Context, Refusal};
use crate::rules::blocked_fields::refuse_holdings;

/// Replaces a holdings record.
///
/// # Errors
/// As [`replace_holdings`], and when there is none, or its human-readable id or what its MARC
/// record controls would change.
#[boxed]
pub async fn replace(context: &Context<'_>, id: Uuid, holdings: Value) -> Result<(), Refusal> {
    let replaced = replace_holdings(context, id, holdings, IfMissing::Refuse, guard).await;
    replaced.map_err(|refusal| match refusal {
        Refusal::Missing(_) => Refusal::Missing("Holdings not found"),
        other => other,
    })
}

fn guard(new: &Value, old: &Value) -> Result<(), Refusal> {
    if let Some(sentence) = refuse_holdings(new, old) {
        return Err(Refusal::property(sentence, "null", "null"));
    }
    super::refusal::keep_hrid(new, old)
}
