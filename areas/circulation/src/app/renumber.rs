//! Renumbers queues: one as a client sends it, and all when title level requests are switched on or off.

use std::collections::BTreeMap;

use octavo_library::{InstanceId, ItemId, RequestId, id_in};
use octavo_records::store::{Locking, replace, replace_many};
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::expire_requests::places;
use super::{Desk, queue};
use crate::queue_upkeep::QueueOf;
use crate::store::expiry::{OpenRequest, hold_queues, next_job, queues_after};
use crate::store::queue::{give_up_positions, hold_items, hold_titles, put_in_places};
use crate::store::settings::settings;

/// Requests that a client may change at once.
pub const REQUESTS_MAX: usize = 1_000;
/// Queues of one transaction of a job.
const QUEUES: i64 = 50;

/// Stores checked requests of a queue with new positions: all or none.
///
/// # Errors
/// When two have the same position, or one does not exist.
pub async fn store_queue(
    desk: Desk<'_>,
    requests: &[(Uuid, Map<String, Value>)],
) -> Result<(), StoreError> {
    let (tenant, collection) = (desk.tenant, desk.collection("request"));
    let set = settings(&desk.store.database, desk.tables()).await?;
    let transaction = desk.store.database.transaction().await?;
    let tables = desk.tables();
    let items: Vec<ItemId> = requests
        .iter()
        .filter_map(|(_, document)| id_in(document, "itemId"))
        .collect();
    let mut titles: Vec<InstanceId> = requests
        .iter()
        .filter_map(|(_, document)| id_in(document, "instanceId"))
        .collect();
    titles.dedup();
    hold_titles(&transaction, tables, &titles).await?;
    hold_items(&transaction, tables, &items).await?;
    let ids: Vec<RequestId> = requests.iter().map(|(id, _)| (*id).into()).collect();
    give_up_positions(&transaction, tables, &ids).await?;
    let (stamp, locking) = (&desk.stamp, Locking::Declared);
    replace_many(&transaction, tenant, collection, requests, stamp, locking).await?;
    if let Some((_, first)) = requests.first() {
        let of = match set.title_level_requests().enabled {
            true => QueueOf::Title,
            false => QueueOf::Item,
        };
        queue::emit_queue_change(desk, &transaction, first, of, &ids).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Runs the newest open job, unless one is running: renumbers all queues as queues of titles or of
/// items.
///
/// # Errors
/// On a database error; the job is then marked as failed if possible.
pub async fn run_job(desk: Desk<'_>) -> Result<(), StoreError> {
    let Some((id, mut job)) = retried(|| begin(desk)).await? else {
        return Ok(());
    };
    let outcome = renumber_all(desk).await;
    match &outcome {
        Ok(Some(updated)) => {
            job.insert("numberOfUpdatedRequests".to_owned(), json!(updated));
            job.insert("status".to_owned(), json!("done"));
        }
        Ok(None) => fail(&mut job, "TLR settings not found"),
        Err(error) => fail(&mut job, &error.to_string()),
    }
    store_job(desk, id, &job).await?;
    outcome.map(|_| ())
}

fn fail(job: &mut Map<String, Value>, why: &str) {
    job.insert("status".to_owned(), json!("failed"));
    let errors = job.entry("errors").or_insert_with(|| json!([]));
    if let Some(errors) = errors.as_array_mut() {
        errors.push(json!(why));
    }
}

async fn begin(desk: Desk<'_>) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    let jobs = desk.collection("tlr_feature_toggle_job");
    let transaction = desk.store.database.transaction().await?;
    let Some((id, mut job)) = next_job(&transaction, desk.tables()).await? else {
        transaction.rollback().await?;
        return Ok(None);
    };
    job.insert("status".to_owned(), json!("in-progress"));
    replace(
        &transaction,
        desk.tenant,
        jobs,
        id.uuid(),
        &job,
        &desk.stamp,
    )
    .await?;
    // Committed before the work, so that other processes see the running job.
    transaction.commit().await?;
    Ok(Some((id.uuid(), job)))
}

async fn store_job(desk: Desk<'_>, id: Uuid, job: &Map<String, Value>) -> Result<(), StoreError> {
    let jobs = desk.collection("tlr_feature_toggle_job");
    let database = &desk.store.database;
    replace(database, desk.tenant, jobs, id, job, &desk.stamp).await?;
    Ok(())
}

/// How many requests are in the queues that were numbered; `None` when no setting says whether queues
/// are of titles.
async fn renumber_all(desk: Desk<'_>) -> Result<Option<usize>, StoreError> {
    let database = &desk.store.database;
    let set = settings(database, desk.tables()).await?;
    if !set.knows_title_level_requests() {
        return Ok(None);
    }
    let of = match set.title_level_requests().enabled {
        true => QueueOf::Title,
        false => QueueOf::Item,
    };
    let (mut all, mut after) = (0, String::new());
    loop {
        let queues = queues_after(database, desk.tables(), of, &after, QUEUES).await?;
        let Some(last) = queues.last() else {
            return Ok(Some(all));
        };
        all += retried(|| renumber(desk, of, &queues)).await?;
        after.clone_from(last);
    }
}

async fn renumber(desk: Desk<'_>, of: QueueOf, queues: &[String]) -> Result<usize, StoreError> {
    let transaction = desk.store.database.transaction().await?;
    let held = hold_queues(&transaction, desk.tables(), of, queues).await?;
    let number = held.len();
    let mut by_queue: BTreeMap<String, Vec<OpenRequest>> = BTreeMap::new();
    for request in held {
        by_queue
            .entry(request.queue.clone())
            .or_default()
            .push(request);
    }
    let places: Vec<(RequestId, i64)> = by_queue.values().flat_map(|queue| places(queue)).collect();
    put_in_places(&transaction, desk.tables(), &places, &desk.stamp.updated()).await?;
    transaction.commit().await?;
    Ok(number)
}
