//! Deletes a request: those after it move up, and the item of a page becomes available. The item of a
//! hold or recall stays as it is, as in FOLIO.

use futures_util::try_join;
use octavo_library::{ItemStatus, RequestId, id_in};
use octavo_records::StoreError;
use octavo_records::store::delete;

use super::change_request::set_status;
use super::{Declined, Desk, queue};
use crate::store::item::hold_requested;
use crate::store::policy;
use crate::store::request::{by_id, hold_title};

pub async fn delete_request(desk: Desk<'_>, id: RequestId) -> Result<(), Declined> {
    let tables = desk.tables();
    let transaction = desk.store.database.transaction().await?;
    // Pipelined in the order of locks: title, item, request.
    let ((), item, held, tenant) = try_join!(
        hold_title(&transaction, tables, id),
        hold_requested(&transaction, tables, id),
        by_id(&transaction, tables, id, None),
        policy::tenant_terms(&transaction, tables),
    )?;
    let Some(held) = held else {
        let what = "requests";
        return Err(Declined::NotFound {
            what,
            id: id.uuid(),
        });
    };
    let config = desk.config(&transaction, &tenant).await?;
    let queue = config.queue(
        id_in(&held.document, "itemId"),
        id_in(&held.document, "instanceId"),
    );
    let collection = desk.collection("request");
    let page = held
        .document
        .get("requestType")
        .is_some_and(|kind| kind == "Page");
    let paged = item.filter(|item| {
        Some(item.item.id) == id_in(&held.document, "itemId")
            && item.item.status.name == ItemStatus::Paged
            && page
    });
    try_join!(
        delete(&transaction, desk.tenant, collection, id.uuid()),
        async {
            match &paged {
                Some(item) => set_status(desk, &transaction, item, ItemStatus::Available).await,
                None => Ok::<(), StoreError>(()),
            }
        }
    )?;
    let place = queue::place_of(&held.document);
    queue::close_up(desk, &transaction, queue, &held.document, place).await?;
    Ok(transaction.commit().await?)
}
