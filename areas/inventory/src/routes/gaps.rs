//! Interfaces whose routes do more than read and write one record: locations, reference lists with
//! special rules, links between records, MARC documents and settings.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Timer};

use crate::http::{
    bound_withs, date_types, dereferenced, locations, marc_json, references, relationships,
    service_points, settings, titles,
};

/// The migrations of these tables: name and SQL.
pub(super) fn migrations() -> Vec<(&'static str, &'static str)> {
    vec![
        (
            "inventory-0006-references",
            include_str!("../migrations/references.sql"),
        ),
        (
            "inventory-0007-source-marc",
            include_str!("../migrations/source_marc.sql"),
        ),
        (
            "inventory-0008-new-subjects",
            include_str!("../migrations/new_subjects.sql"),
        ),
        (
            "inventory-0009-keys-of-the-release",
            include_str!("../migrations/release_keys.sql"),
        ),
        (
            "inventory-0013-lean-item-indexes",
            include_str!("../migrations/lean_item_indexes.sql"),
        ),
    ]
}

/// Backfills the reference tables for records older than these tables. When it is complete, a run only
/// checks that nothing is left.
pub(super) fn timer() -> Timer {
    Timer::every(
        10,
        "minute",
        "/inventory-storage/references/fill",
        Handler::call(references::fill),
    )
}

pub(super) fn interfaces() -> Vec<Interface> {
    let interface = Interface::new;
    vec![
        preceding_succeeding_titles(),
        bound_with_parts(),
        location_units(),
        interface("locations", "3.2")
            .add(Records {
                path: "/locations",
                table: "location",
                stem: "inventory-storage.locations".to_owned(),
                list: Handler::list("location"),
                create: Handler::transaction(locations::create),
                replace: Handler::transaction(locations::replace),
                delete: Handler::delete("location"),
            })
            .hooked("/locations", &locations::HOOKS),
        interface("service-points", "3.5")
            .add(Records {
                path: "/service-points",
                table: "service_point",
                stem: "inventory-storage.service-points".to_owned(),
                list: Handler::list("service_point"),
                create: Handler::transaction(service_points::create),
                replace: Handler::transaction(service_points::replace),
                delete: Handler::transaction(service_points::delete),
            })
            .hooked("/service-points", &service_points::HOOKS),
        instance_date_types(),
        dereferenced_items(),
        inventory_settings(),
    ]
}

/// The routes of instances that belong here: their relationships and MARC documents.
pub(super) fn of_instances(interface: Interface) -> Interface {
    let stem = "inventory-storage.instances.source-record";
    let document = "/instance-storage/instances/{id}/source-record/marc-json";
    interface
        .add(Records {
            create: Handler::transaction(relationships::create),
            replace: Handler::transaction(relationships::replace),
            ..Records::of(
                "/instance-storage/instance-relationships",
                "instance_relationship",
                "inventory-storage.instance-relationships",
            )
        })
        .route(
            Method::DELETE,
            "/instance-storage/instances/{id}/source-record",
            &format!("{stem}.delete"),
            Handler::call(marc_json::delete),
        )
        .route(
            Method::GET,
            document,
            &format!("{stem}.marc-json.get"),
            Handler::call(marc_json::read),
        )
        .answering(Content::Record("instance_source_marc"))
        .route(
            Method::PUT,
            document,
            &format!("{stem}.marc-json.put"),
            Handler::transaction(marc_json::replace),
        )
        .taking(Content::Record("instance_source_marc"))
        .route(
            Method::DELETE,
            document,
            &format!("{stem}.marc-json.delete"),
            Handler::call(marc_json::delete),
        )
}

/// The five routes of a record type, some of them the area's own.
pub(super) struct Records {
    pub(super) path: &'static str,
    pub(super) table: &'static str,
    pub(super) stem: String,
    pub(super) list: Handler,
    pub(super) create: Handler,
    pub(super) replace: Handler,
    pub(super) delete: Handler,
}

impl Records {
    /// The generic ones.
    pub(super) fn of(path: &'static str, table: &'static str, stem: &str) -> Records {
        Records {
            path,
            table,
            stem: stem.to_owned(),
            list: Handler::list(table),
            create: Handler::create(table),
            replace: Handler::replace(table),
            delete: Handler::delete(table),
        }
    }
}

pub(super) trait Add {
    fn add(self, records: Records) -> Interface;
}

impl Add for Interface {
    fn add(self, records: Records) -> Interface {
        let Records {
            path, table, stem, ..
        } = records;
        self.route(
            Method::GET,
            path,
            &format!("{stem}.collection.get"),
            records.list,
        )
        .answering(Content::List(table))
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.item.get"),
            Handler::read(table),
        )
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            records.create,
        )
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            records.replace,
        )
        .taking(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            records.delete,
        )
    }
}

fn preceding_succeeding_titles() -> Interface {
    Interface::new("instance-preceding-succeeding-titles", "0.2")
        .add(Records {
            create: Handler::transaction(titles::create),
            replace: Handler::transaction(titles::replace),
            ..Records::of(
                "/preceding-succeeding-titles",
                "preceding_succeeding_title",
                "inventory-storage.preceding-succeeding-titles",
            )
        })
        .by_id(
            Method::PUT,
            "/preceding-succeeding-titles/instances",
            "inventory-storage.instances.preceding-succeeding-titles.collection.put",
            Handler::transaction(titles::replace_all),
        )
        .taking(Content::List("preceding_succeeding_title"))
}

fn bound_with_parts() -> Interface {
    Interface::new("bound-with-parts-storage", "2.0")
        .add(Records {
            create: Handler::transaction(bound_withs::create_part),
            replace: Handler::transaction(bound_withs::replace_part),
            ..Records::of(
                "/inventory-storage/bound-with-parts",
                "bound_with_part",
                "inventory-storage.bound-with-parts",
            )
        })
        .route(
            Method::PUT,
            "/inventory-storage/bound-withs",
            "inventory-storage.bound-withs.collection.put",
            Handler::transaction(bound_withs::bind),
        )
}

fn location_units() -> Interface {
    Interface::new("location-units", "2.1")
        .add(Records {
            replace: Handler::transaction(|call| references::replace(call, "locinstitution")),
            ..Records::of(
                "/location-units/institutions",
                "locinstitution",
                "inventory-storage.location-units.institutions",
            )
        })
        .hooked("/location-units/institutions", &locations::UNITS)
        .add(Records {
            replace: Handler::transaction(|call| references::replace(call, "loccampus")),
            ..Records::of(
                "/location-units/campuses",
                "loccampus",
                "inventory-storage.location-units.campuses",
            )
        })
        .hooked("/location-units/campuses", &locations::UNITS)
        .add(Records {
            replace: Handler::transaction(|call| references::replace(call, "loclibrary")),
            ..Records::of(
                "/location-units/libraries",
                "loclibrary",
                "inventory-storage.location-units.libraries",
            )
        })
        .hooked("/location-units/libraries", &locations::UNITS)
}

fn instance_date_types() -> Interface {
    let path = "/instance-date-types";
    Interface::new("instance-date-types", "1.0")
        .route(
            Method::GET,
            path,
            "inventory-storage.instance-date-types.collection.get",
            Handler::list("instance_date_type"),
        )
        .by_id(
            Method::PATCH,
            path,
            "inventory-storage.instance-date-types.item.patch",
            Handler::transaction(date_types::patch),
        )
}

fn dereferenced_items() -> Interface {
    let path = "/item-storage-dereferenced/items";
    let stem = "inventory-storage-dereferenced.items";
    Interface::new("item-storage-dereferenced", "1.0")
        .satisfying(&["1.2"])
        .route(
            Method::GET,
            path,
            &format!("{stem}.collection.get"),
            Handler::call(dereferenced::list),
        )
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.item.get"),
            Handler::call(dereferenced::read),
        )
}

fn inventory_settings() -> Interface {
    let path = "/inventory-settings/{key}";
    Interface::new("inventory-settings", "1.0")
        .route(
            Method::GET,
            path,
            "inventory-storage.settings.item.get",
            Handler::call(settings::read),
        )
        .answering(Content::Record("inventory_setting"))
        .route(
            Method::PATCH,
            path,
            "inventory-storage.settings.item.patch",
            Handler::transaction(settings::patch),
        )
}
