//! Deactivates users whose membership has expired.

use octavo_boxed::boxed;
use octavo_records::store::{Locking, replace_many};
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{UserContext, object};
use crate::store::expiring::hold_some;

/// Users made inactive in one transaction.
const PORTION: i64 = 500;
/// Portions of one run; the next run does the rest.
const PORTIONS_MAX: usize = 400;

/// Makes users inactive whose membership ended before the instant of the operation; returns how many.
/// Several processes may run it at once: each takes different users.
///
/// # Errors
/// On a database error; what was committed before stays.
#[boxed]
pub async fn expire_users(context: &UserContext<'_>) -> Result<u64, StoreError> {
    let mut all = 0;
    let mut outcome = Ok(());
    for _ in 0..PORTIONS_MAX {
        match retried(|| expire_some(context)).await {
            Ok(some) => {
                all += some;
                if some < PORTION as u64 {
                    break;
                }
            }
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    if all > 0 {
        context.platform.settle().await;
    }
    outcome.map(|()| all)
}

async fn expire_some(context: &UserContext<'_>) -> Result<u64, StoreError> {
    let (tenant, collection) = (context.tenant, context.collection("users"));
    let transaction = context.store.database.transaction().await?;
    let held = hold_some(&transaction, tenant, context.stamp.at, PORTION).await?;
    let inactive: Vec<(Uuid, Map<String, Value>)> = held
        .into_iter()
        .map(|(id, user)| {
            let mut user = object(user);
            user.insert("active".to_owned(), json!(false));
            (id, user)
        })
        .collect();
    let locking = Locking::Declared;
    let stamp = &context.stamp;
    replace_many(&transaction, tenant, collection, &inactive, stamp, locking).await?;
    transaction.commit().await?;
    Ok(inactive.len() as u64)
}
