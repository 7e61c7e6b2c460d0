//! The modules, interfaces and routes of inventory. Module descriptors are derived from this.
//!
//! Routes that do more than read and write one record type are added to their interface here; their
//! handlers are in `http`.

mod batch;
mod gaps;
mod hrids;
mod jobs;
mod lists;
mod management;
mod views;

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module};

use crate::http::{holdings, hrid_settings, instances, items, retrieve};
use crate::shapes;
use crate::{collections, reference};

/// What inventory declares to the platform.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![storage(), management::module()])
}

fn storage() -> Module {
    let module = Module::new("mod-inventory-storage", "29.0.18")
        .needs(include_str!("../needs/mod-inventory-storage.tsv"))
        .permissions(include_str!("../permissions/mod-inventory-storage.tsv"));
    let module = collections::all()
        .into_iter()
        .fold(module, Module::collection);
    let module = reference::all().into_iter().fold(module, Module::reference);
    let module = module.migration(
        "inventory-0001-hrid",
        include_str!("../migrations/hrid.sql"),
    );
    let module = hrids::numbered()
        .into_iter()
        .fold(module, |module, (name, sql)| module.migration(name, sql));
    let module = gaps::migrations()
        .into_iter()
        .chain(hrids::numbered_by_index())
        .fold(module, |module, (name, sql)| module.migration(name, sql))
        .timer(gaps::timer());
    let module = jobs::background(module);
    records()
        .into_iter()
        .chain(batch::interfaces())
        .chain(gaps::interfaces())
        .chain(views::interfaces())
        .chain(jobs::interfaces())
        .chain(lists::interfaces())
        .fold(module, Module::interface)
}

/// Instances, holdings, items, and where they are.
fn records() -> Vec<Interface> {
    vec![
        instance_storage(),
        holdings_storage(),
        item_storage(),
        Interface::new("hrid-settings-storage", "1.3")
            .route(
                Method::GET,
                "/hrid-settings-storage/hrid-settings",
                "inventory-storage.hrid-settings.item.get",
                Handler::call(hrid_settings::read),
            )
            .route(
                Method::PUT,
                "/hrid-settings-storage/hrid-settings",
                "inventory-storage.hrid-settings.item.put",
                Handler::transaction(hrid_settings::replace),
            ),
        list("/service-points-users", "1.0", "service_point_user"),
    ]
}

fn instance_storage() -> Interface {
    let path = "/instance-storage/instances";
    let stem = "inventory-storage.instances";
    let interface = Interface::new("instance-storage", "11.2")
        .satisfying(&["11.4"])
        .readable(path, "instance", stem);
    let interface = interface
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(instances::create),
        )
        .taking(Content::Record("instance"))
        .answering(Content::Record("instance"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(instances::replace),
        )
        .taking(Content::Record("instance"))
        .by_id(
            Method::PATCH,
            path,
            &format!("{stem}.item.patch.execute"),
            Handler::transaction(instances::patch),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete("instance"),
        )
        .route(
            Method::DELETE,
            path,
            &format!("{stem}.collection.delete"),
            Handler::call(instances::delete_found),
        )
        .route(
            Method::POST,
            "/instance-storage/instances/retrieve",
            &format!("{stem}.retrieve.collection.post"),
            Handler::call(retrieve::instances),
        );
    views::of_instances(gaps::of_instances(interface))
}

fn holdings_storage() -> Interface {
    let (path, table) = ("/holdings-storage/holdings", "holdings_record");
    let stem = "inventory-storage.holdings";
    Interface::new("holdings-storage", "8.0")
        .satisfying(&["8.2"])
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(holdings::create),
        )
        .taking(Content::Record("holdings_record"))
        .answering(Content::Record("holdings_record"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(holdings::replace),
        )
        .taking(Content::Record("holdings_record"))
        .by_id(
            Method::PATCH,
            path,
            &format!("{stem}.item.patch.execute"),
            Handler::transaction(holdings::patch),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete(table),
        )
        .delete_by_query(path, table, &format!("{stem}.collection.delete"))
        .route(
            Method::POST,
            "/holdings-storage/holdings/retrieve",
            &format!("{stem}.retrieve.collection.post"),
            Handler::call(retrieve::holdings),
        )
}

fn item_storage() -> Interface {
    let (path, stem) = ("/item-storage/items", "inventory-storage.items");
    Interface::new("item-storage", "10.2")
        .satisfying(&["11.2"])
        .readable(path, "item", stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(items::create),
        )
        .taking(Content::Record("item"))
        .answering(Content::Record("item"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(items::replace),
        )
        .taking(Content::Record("item"))
        .route(
            Method::PATCH,
            path,
            &format!("{stem}.collection.patch"),
            Handler::transaction(items::patch),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete("item"),
        )
        .delete_by_query(path, "item", &format!("{stem}.collection.delete"))
        .route(
            Method::POST,
            "/item-storage/items/retrieve",
            &format!("{stem}.retrieve.collection.post"),
            Handler::call(retrieve::items),
        )
}

/// An interface of one record type, whose id, path and permissions share one name.
fn list(path: &'static str, version: &'static str, table: &'static str) -> Interface {
    let id = path.trim_start_matches('/');
    Interface::new(id, version).records(path, table, &format!("inventory-storage.{id}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_route_is_declared_once_and_serves_a_table_of_this_area() {
        let mut routes = HashSet::new();
        let tables: HashSet<String> = collections::all()
            .iter()
            .map(|collection| collection.table.clone())
            .collect();
        for module in modules() {
            for route in module
                .interfaces
                .iter()
                .flat_map(|interface| &interface.routes)
            {
                assert!(
                    routes.insert((route.method.clone(), route.pattern)),
                    "{} {} is declared twice",
                    route.method,
                    route.pattern
                );
                if let Handler::Records(_, table) = &route.handler {
                    assert!(tables.contains(*table), "{} serves {table}", route.pattern);
                }
            }
        }
    }
}
