//! Policies that are stored and deleted with regard to other records: request policies and the places
//! to pick up, patron notice policies and the circulation rules.

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
/// A service point that it lists is no place to pick up; or as for any new record.
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
            // One that has appeared meanwhile is found by the next attempt.
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

/// Holds the service points of a policy, so that none is closed before the policy is there: who
/// closes one then finds the policy and takes the point out of it.
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

/// Deletes a patron notice policy that no circulation rule names. The rules are held meanwhile.
///
/// # Errors
/// A rule names it, or there is none.
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
