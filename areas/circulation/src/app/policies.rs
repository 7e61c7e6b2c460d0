//! Policies with constraints on other records: request policies on pickup service points, patron notice
//! policies on circulation rules.

use octavo_library::ServicePointId;
use octavo_postgres::Transaction;
use octavo_records::store::{delete, insert, insert_if_absent, replace};
use octavo_records::{OperationError, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Desk;
use crate::record_rules::listed_points;
use crate::refusal::PolicyRefusal;
use crate::store::policy;

impl octavo_records::Refusal for PolicyRefusal {}

/// Why a policy was not stored or deleted.
pub type PolicyUndone = OperationError<PolicyRefusal>;

/// Stores a new request policy that has been checked; returns its id and what is stored.
///
/// # Errors
/// When a listed service point is not a pickup location; or as for any new record.
pub async fn create_request_policy(
    desk: Desk<'_>,
    policy: &Value,
) -> Result<(Uuid, Vec<u8>), PolicyUndone> {
    let transaction = desk.store.database.transaction().await?;
    hold_points(desk, &transaction, policy).await?;
    let collection = desk.collection("request_policy");
    let document = document(policy);
    let stored = insert(&transaction, desk.tenant, collection, document, &desk.stamp);
    let (id, stored) = stored.await?;
    transaction.commit().await?;
    Ok((id, stored.to_vec()))
}

/// Stores a request policy that has been checked under this id, whether there is one or not.
pub async fn replace_request_policy(
    desk: Desk<'_>,
    id: Uuid,
    policy: &Value,
) -> Result<(), PolicyUndone> {
    let transaction = desk.store.database.transaction().await?;
    hold_points(desk, &transaction, policy).await?;
    let (tenant, collection) = (desk.tenant, desk.collection("request_policy"));
    let mut document = document(policy);
    document.insert("id".to_owned(), json!(id));
    let stamp = &desk.stamp;
    match replace(&transaction, tenant, collection, id, &document, stamp).await {
        Err(StoreError::NotFound) => {
            // If a concurrent request inserts it first, the retry finds it.
            if !insert_if_absent(&transaction, tenant, collection, document, stamp).await? {
                return Err(StoreError::Contended.into());
            }
        }
        outcome => {
            let _ = outcome?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Locks the service points of a policy, so that none ceases to be a pickup location before the policy
/// is committed: that change then finds the policy and removes the point from it.
async fn hold_points(
    desk: Desk<'_>,
    transaction: &Transaction,
    policy: &Value,
) -> Result<(), PolicyUndone> {
    let listed: Vec<ServicePointId> = listed_points(policy).into_iter().collect();
    if listed.is_empty() {
        return Ok(());
    }
    let there = policy::hold_pickup_points(transaction, desk.tables(), &listed).await?;
    match there == listed.len() {
        true => Ok(()),
        false => Err(PolicyRefusal::PointUnavailable.into()),
    }
}

/// Deletes a patron notice policy that no circulation rule names. The rules are locked meanwhile.
///
/// # Errors
/// When a rule names it, or it does not exist.
pub async fn delete_notice_policy(desk: Desk<'_>, id: Uuid) -> Result<(), PolicyUndone> {
    let transaction = desk.store.database.transaction().await?;
    if policy::is_named_by_rules(&transaction, desk.tables(), id).await? {
        return Err(PolicyRefusal::InUse.into());
    }
    let collection = desk.collection("patron_notice_policy");
    delete(&transaction, desk.tenant, collection, id).await?;
    transaction.commit().await?;
    Ok(())
}

fn document(policy: &Value) -> Map<String, Value> {
    policy.as_object().cloned().unwrap_or_default()
}
