//! Writes decisions about the request queue.

use futures_util::try_join;
use octavo_library::{InstanceId, RequestId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{Successor, emit, replace, succeed};
use serde_json::{Map, Value, json};

use super::Desk;
use crate::queue_upkeep::{Queue, QueueOf};
use crate::store::queue;

/// A request that gets an item, as it is to be stored: at the front of its queue, where this makes room.
pub async fn moved_to_front(
    desk: Desk<'_>,
    transaction: &Transaction,
    queue: Option<Queue>,
    id: RequestId,
    held: &Map<String, Value>,
    mut document: Map<String, Value>,
) -> Result<Successor, StoreError> {
    // The first one need not be moved.
    let place = place_of(&document).filter(|place| *place > 1);
    if let (Some(queue), Some(place)) = (queue, place) {
        let changed = desk.stamp.updated();
        let tables = desk.tables();
        let request = (id, place);
        let (place, moved) = queue::overtake(transaction, tables, queue, request, &changed).await?;
        document.insert("position".into(), place.into());
        emit_queue_change(desk, transaction, &document, queue.of, &moved).await?;
    }
    let requests = desk.collection("request");
    Ok(succeed(requests, held, document, &desk.stamp))
}

/// Stores a request that is closed now; those after it move up.
pub async fn store_closed(
    desk: Desk<'_>,
    transaction: &Transaction,
    queue: Option<Queue>,
    id: RequestId,
    document: &mut Map<String, Value>,
    place: Option<i64>,
) -> Result<(), StoreError> {
    document.shift_remove("position");
    try_join!(
        store(desk, transaction, id, document),
        close_up(desk, transaction, queue, document, place),
    )?;
    Ok(())
}

/// Moves up the requests after one that has left its queue.
pub async fn close_up(
    desk: Desk<'_>,
    transaction: &Transaction,
    queue: Option<Queue>,
    left: &Map<String, Value>,
    place: Option<i64>,
) -> Result<(), StoreError> {
    let (Some(queue), Some(place)) = (queue, place) else {
        return Ok(());
    };
    let changed = desk.stamp.updated();
    let moved = queue::close_up(transaction, desk.tables(), queue, place, &changed).await?;
    emit_queue_change(desk, transaction, left, queue.of, &moved).await
}

/// The position of a stored request.
pub fn place_of(document: &Map<String, Value>) -> Option<i64> {
    document.get("position").and_then(Value::as_i64)
}

/// Writes the event of new positions in a queue; `of_it` is a current or former request of the queue.
pub async fn emit_queue_change(
    desk: Desk<'_>,
    transaction: &Transaction,
    of_it: &Map<String, Value>,
    of: QueueOf,
    moved: &[RequestId],
) -> Result<(), StoreError> {
    let instance = of_it.get("instanceId").and_then(Value::as_str);
    let instance = instance.and_then(InstanceId::parse);
    let Some(instance) = instance.filter(|_| !moved.is_empty()) else {
        return Ok(());
    };
    let level = match of {
        QueueOf::Title => "Title",
        QueueOf::Item => "Item",
    };
    let mut told = json!({"requestIds": moved, "instanceId": instance, "requestLevel": level});
    if let Some(item) = of_it.get("itemId") {
        told["itemId"] = item.clone();
    }
    let topic = "circulation.request-queue-reordering";
    emit(
        transaction,
        desk.tenant,
        topic,
        instance.uuid(),
        "CREATE",
        &told,
    )
    .await
}

async fn store(
    desk: Desk<'_>,
    transaction: &Transaction,
    id: RequestId,
    document: &Map<String, Value>,
) -> Result<(), StoreError> {
    let collection = desk.collection("request");
    let (tenant, stamp) = (desk.tenant, &desk.stamp);
    replace(transaction, tenant, collection, id.uuid(), document, stamp).await?;
    Ok(())
}
