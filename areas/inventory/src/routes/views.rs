//! Routes that read across record types: views of instances, harvesting, and ids in bulk.

use ::http::Method;
use octavo_platform::{Handler, Interface};

use crate::http::{harvest, record_bulk, views};

/// Adds to instance storage what is read about one instance.
pub(super) fn of_instances(interface: Interface) -> Interface {
    interface.route(
        Method::GET,
        "/instance-storage/instances/{id}/summary",
        "inventory-storage.instances.summary.get",
        Handler::call(views::summary),
    )
}

/// The interfaces of their own.
pub(super) fn interfaces() -> Vec<Interface> {
    let stem = "inventory-storage";
    vec![
        Interface::new("inventory-view", "3.1")
            .satisfying(&["3.2"])
            .route(
                Method::GET,
                "/inventory-view/instances",
                "inventory-storage.inventory-view.instances.collection.get",
                Handler::call(views::instances),
            ),
        Interface::new("inventory-view-instance-set", "3.1")
            .satisfying(&["3.2"])
            .route(
                Method::GET,
                "/inventory-view/instance-set",
                "inventory-storage.inventory-view.instance-set.get",
                Handler::call(views::sets),
            ),
        Interface::new("inventory-hierarchy", "0.6")
            .satisfying(&["0.8"])
            .route(
                Method::GET,
                "/inventory-hierarchy/updated-instance-ids",
                &format!("{stem}.inventory-hierarchy.updated-instances-ids.collection.get"),
                Handler::call(harvest::updated_ids),
            )
            .route(
                Method::POST,
                "/inventory-hierarchy/items-and-holdings",
                &format!("{stem}.inventory-hierarchy.items-and-holdings.collection.post"),
                Handler::call(harvest::items_and_holdings),
            ),
        Interface::new("oaipmhview", "1.1")
            .route(
                Method::GET,
                "/oai-pmh-view/instances",
                &format!("{stem}.oai-pmh-view.instances.collection.get"),
                Handler::call(harvest::oai_instances),
            )
            .route(
                Method::GET,
                "/oai-pmh-view/updatedInstanceIds",
                &format!("{stem}.oai-pmh-view.updatedinstanceids.collection.get"),
                Handler::call(harvest::oai_updated_ids),
            )
            .route(
                Method::POST,
                "/oai-pmh-view/enrichedInstances",
                &format!("{stem}.oai-pmh-view.enrichedinstances.collection.post"),
                Handler::call(harvest::enriched),
            ),
        Interface::new("inventory-record-bulk", "1.1").route(
            Method::GET,
            "/record-bulk/ids",
            "inventory-storage.record-bulk.ids.get",
            Handler::call(record_bulk::ids),
        ),
    ]
}
