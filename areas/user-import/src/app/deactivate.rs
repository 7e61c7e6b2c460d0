//! Deactivates users of a source who are missing from the import, in portions.

use octavo_records::retried;
use octavo_users::Writing;
use octavo_users::app::write_users::{self, Changed};
use octavo_users::app::{Refusal, UserContext};
use serde_json::Value;
use uuid::Uuid;

use super::refusal::{Fault, is_fault, sentence};
use super::{BATCH_MAX, Missing};
use crate::store;

/// Deactivates users whose external ids have this prefix and are not among these.
pub(super) async fn deactivate(
    context: &UserContext<'_>,
    prefix: &str,
    came: &[&str],
) -> Result<Missing, Fault> {
    let database = &context.store.database;
    let missing = store::missing(database, context.tables(), prefix, came).await?;
    if !missing.any {
        return Ok(Missing::None);
    }
    let mut deactivated = 0;
    for ids in missing.active.chunks(BATCH_MAX) {
        deactivated += Box::pin(retried(|| some(context, ids))).await?;
    }
    // Every process must act on the change before the client gets the response.
    context.platform.settle().await;
    Ok(Missing::Deactivated(deactivated))
}

async fn some(context: &UserContext<'_>, ids: &[Uuid]) -> Result<usize, Fault> {
    let transaction = context.store.database.transaction().await?;
    let held = write_users::hold(context, &transaction, std::iter::empty()).await;
    let held = held.map_err(fault)?;
    let olds = write_users::hold_users(context, &transaction, ids).await;
    let changed: Vec<Changed> = olds
        .map_err(fault)?
        .into_iter()
        .filter(|(_, old)| old.get("active") == Some(&Value::Bool(true)))
        .map(|(id, old)| {
            let mut user = old.clone();
            user.insert("active".to_owned(), Value::Bool(false));
            Changed { id, user, old }
        })
        .collect();
    let number = changed.len();
    write_users::write(context, &transaction, &held, Vec::new(), changed)
        .await
        .map_err(fault)?;
    transaction.commit().await?;
    Ok(number)
}

fn fault(refusal: Refusal) -> Fault {
    match refusal {
        Refusal::Store(error) if is_fault(&error) => Fault::Store(error),
        other => Fault::Refused(sentence(other, Writing::Changed)),
    }
}
