//! Reads trees of job profiles and protected fields.

use octavo_cataloging::overlay::Protection;
use octavo_import_profiles::app as profiles;
use octavo_import_profiles::protection::{Protection as Setting, protected_by};
use octavo_library::ProfileId;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::Value;

use super::{Context, Refusal};
use crate::rules::tree::Tree;

/// The tree of a job profile, stored as a snapshot for later look-ups; `None` when there is no such
/// profile.
pub(crate) async fn keep_tree(
    context: &Context<'_>,
    transaction: &Transaction,
    profile: ProfileId,
) -> Result<Option<Tree>, Refusal> {
    match profiles::start_snapshot(transaction, *context, profile).await {
        Ok(tree) => Ok(tree.map(|tree| Tree(tree.into_json()))),
        Err(profiles::Refusal::Store(error)) => Err(error.into()),
        Err(other) => Err(Refusal::NoTree(profile, other.to_string())),
    }
}

/// The tenant's protected fields.
pub(crate) async fn settings(context: &Context<'_>) -> Result<Vec<Setting>, StoreError> {
    profiles::protected_fields(*context).await
}

/// The protected fields for a mapping profile.
pub(crate) fn protections(settings: &[Setting], mapping_profile: &Value) -> Vec<Protection> {
    protected_by(settings, mapping_profile)
        .into_iter()
        .map(|one| Protection {
            field: one.field,
            indicator1: one.indicator1,
            indicator2: one.indicator2,
            subfield: one.subfield,
            data: one.data,
        })
        .collect()
}
