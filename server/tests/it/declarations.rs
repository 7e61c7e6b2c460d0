//! The declarations of each area are consistent: tables, properties, reference data and routes.

use std::collections::HashSet;
use std::sync::Arc;

use octavo_circulation::app::follow_fees::FeeFollower;
use octavo_platform::{Handler, Module};
use octavo_records::{Catalog, Collection, ValueKind};

/// Each area by itself, so that it cannot depend on another's tables.
pub(crate) fn areas() -> [(&'static str, Vec<Module>); 26] {
    [
        ("users", octavo_users::modules()),
        ("permissions", octavo_permissions::modules()),
        ("login", octavo_login::modules()),
        ("users-bl", octavo_users_bl::modules()),
        ("configuration", octavo_configuration::modules()),
        ("notes", octavo_notes::modules()),
        ("inventory", octavo_inventory::modules()),
        ("source-records", octavo_source_records::modules()),
        ("authorities", octavo_authorities::modules()),
        ("import-profiles", octavo_import_profiles::modules()),
        ("cataloging", octavo_cataloging::modules()),
        ("data-import", octavo_data_import::modules()),
        ("data-export", octavo_data_export::modules()),
        ("search", octavo_search::modules()),
        ("calendar", octavo_calendar::modules()),
        (
            "fees",
            octavo_fees::modules(&FeeFollower::shared(), Vec::new()),
        ),
        ("notices", octavo_notices::modules()),
        ("circulation", octavo_circulation::modules()),
        ("organizations", octavo_organizations::modules()),
        ("finance", octavo_finance::modules()),
        ("orders", octavo_orders::modules()),
        ("invoices", octavo_invoices::modules()),
        ("user-import", octavo_user_import::modules()),
        ("remote-storage", octavo_remote_storage::modules()),
        ("pubsub", octavo_pubsub::modules()),
        ("audit", octavo_audit::modules()),
    ]
}

fn collections(modules: &[Module]) -> Vec<Arc<Collection>> {
    modules
        .iter()
        .flat_map(|module| module.collections.clone())
        .collect()
}

#[test]
fn tables_are_declared_once_and_refer_back() {
    for (area, modules) in areas() {
        let made = Catalog::new(collections(&modules));
        assert!(made.is_ok(), "{area}: {:?}", made.err());
    }
}

/// A step runs once under its name: the second of two steps with one name would never run.
#[test]
fn steps_have_names_of_their_own() {
    let modules = octavo_host::compose::modules();
    let mut names = HashSet::new();
    for (name, _) in octavo_platform::tenants::steps(&modules) {
        assert!(names.insert(name), "two steps are named {name}");
    }
    assert!(names.len() > 50, "{}", names.len());
}

#[test]
fn indexes_and_references_are_over_declared_properties() {
    for (_, modules) in areas() {
        for collection in collections(&modules) {
            let table = &collection.table;
            assert!(collection.kind_at("id").is_some(), "{table} has no id");
            for reference in &collection.references {
                let field = &reference.field;
                let declared = collection.kind_at(field).is_some();
                assert!(declared, "{table} has no {field}");
            }
            for index in &collection.indexes {
                // An index on an SQL expression has a name that is no property.
                let own = match index.expression {
                    None => std::slice::from_ref(&index.field),
                    Some(_) => &[],
                };
                let over = if index.fields.is_empty() {
                    own
                } else {
                    &index.fields
                };
                for field in over.iter().chain(&index.with) {
                    assert!(known(&collection, field), "{table} has no {field}");
                }
            }
        }
    }
}

/// Whether a path leads to a declared property, or into an open object. `[*]` stands for every
/// element of an array.
fn known(collection: &Collection, path: &str) -> bool {
    let path = path.replace("[*]", "");
    collection.kind_at(&path).is_some()
        || path.split_once('.').is_some_and(|(parent, _)| {
            matches!(collection.kind_at(parent), Some(ValueKind::Object(object)) if object.open)
        })
}

#[test]
fn reference_data_fits_its_collections() {
    for (area, modules) in areas() {
        let all = collections(&modules);
        for data in modules.iter().flat_map(|module| &module.reference) {
            let table = data.table;
            let collection = all.iter().find(|collection| collection.table == table);
            let collection = collection.unwrap_or_else(|| panic!("{area} declares no {table}"));
            let records = data.records(collection).expect("every record fits");
            assert!(!records.is_empty(), "{table} has no reference record");
        }
    }
}

#[test]
fn routes_are_declared_once_and_name_declared_tables() {
    let mut seen = HashSet::new();
    for (area, modules) in areas() {
        let declared = collections(&modules);
        let tables: HashSet<&str> = declared.iter().map(|one| one.table.as_str()).collect();
        let interfaces = modules.iter().flat_map(|module| &module.interfaces);
        let routes = interfaces.flat_map(|one| one.routes.iter().map(move |route| (one, route)));
        for (interface, route) in routes {
            let (method, pattern) = (&route.method, route.pattern);
            assert!(
                seen.insert((method.clone(), pattern)) || interface.multiple,
                "{area}: {method} {pattern} is declared twice"
            );
            if let Handler::Records(_, table) = &route.handler {
                assert!(tables.contains(table), "{method} {pattern} is over {table}");
            }
        }
    }
}

#[test]
fn what_modules_need_is_there_in_the_version_that_they_need() {
    let modules = octavo_host::compose::modules();
    let provided: Vec<_> = modules
        .iter()
        .flat_map(|module| &module.interfaces)
        .map(|interface| (interface.id, interface.version))
        // The gateway's own interface.
        .chain([("okapi", "1.9")])
        .collect();
    for module in &modules {
        for (name, wanted) in &module.requires {
            let served = provided.iter().any(|(id, version)| {
                id == name && octavo_platform::registry::version::serves(version, wanted)
            });
            assert!(served, "{} needs {name} {wanted}", module.name);
        }
    }
}
