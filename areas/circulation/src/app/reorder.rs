//! Reorders a queue: locks title and item, changes all positions in one statement, and returns the new
//! queue.

use std::collections::HashMap;

use futures_util::try_join;
use octavo_library::{InstanceId, ItemId, RequestId};
use serde_json::Value;

use super::log_requests::{barcode_of, item_of, log_reordered};
use super::{Declined, Desk, queue};
use crate::queue_upkeep::{Queue, QueueOf};
use crate::refusal::{Refusal, UpkeepRefusal};
use crate::request_change::{RequestAct, RequestChanged, WantedPosition, reorder};
use crate::store::queue::{hold_items, hold_title_of, hold_titles, put_in_places};
use crate::store::{policy, request, view};

/// Reorders a queue; returns its requests' views.
///
/// # Errors
/// When there is no such queue, the order is refused.
pub async fn reorder_queue(
    desk: Desk<'_>,
    of_it: Queue,
    wanted: &[WantedPosition],
) -> Result<Vec<Value>, Declined> {
    let tables = desk.tables();
    let transaction = desk.store.database.transaction().await?;
    let Queue { of, id } = of_it;
    // Locked before the queue is read, so that its order cannot change meanwhile.
    let ((), tenant) = try_join!(
        async {
            match of {
                QueueOf::Title => hold_titles(&transaction, tables, &[InstanceId::from(id)]).await,
                QueueOf::Item => {
                    let items = [ItemId::from(id)];
                    try_join!(
                        hold_title_of(&transaction, tables, items[0]),
                        hold_items(&transaction, tables, &items),
                    )
                    .map(|_| ())
                }
            }
        },
        policy::tenant_terms(&transaction, tables),
    )?;
    let config = desk.config(&transaction, &tenant).await?;
    let titles = config.titles.enabled;
    if titles != (of == QueueOf::Title) {
        let key = of.property();
        return Err(Refusal::from(UpkeepRefusal::OtherQueues { titles, key, id }).into());
    }
    let requests = request::of_queue(&transaction, tables, of_it).await?;
    if requests.is_empty() {
        let what = match of {
            QueueOf::Title => "Instance",
            QueueOf::Item => "Item",
        };
        return Err(Declined::NotFound { what, id });
    }
    let places = reorder(of, &requests, wanted).map_err(Refusal::from)?;
    let documents: HashMap<RequestId, _> = requests.into_iter().collect();
    let changed: Vec<RequestChanged> = places
        .iter()
        .filter_map(|(id, place)| {
            let before = documents.get(id)?.clone();
            let mut after = before.clone();
            after.insert("position".into(), (*place).into());
            Some(RequestChanged {
                act: RequestAct::Reordered,
                id: *id,
                user_barcode: barcode_of(&before),
                item: item_of(&before),
                reason: None,
                before,
                after,
            })
        })
        .collect();
    let moved: Vec<RequestId> = places.iter().map(|(id, _)| *id).collect();
    put_in_places(&transaction, tables, &places, &desk.stamp.updated()).await?;
    if let Some(first) = changed.first() {
        try_join!(
            queue::emit_queue_change(desk, &transaction, &first.after, of, &moved),
            log_reordered(desk, &transaction, &changed),
        )?;
    }
    let shown = view::queue(&transaction, tables, of_it).await?;
    transaction.commit().await?;
    Ok(shown)
}
