//! What is declared fits together: tables, properties, reference data and routes.

use std::collections::HashSet;
use std::sync::Arc;

use octavo_platform::{Handler, Module};
use octavo_records::{Catalog, Collection, Kind};

fn collections(modules: &[Module]) -> Vec<Arc<Collection>> {
    modules
        .iter()
        .flat_map(|module| module.collections.clone())
        .collect()
}

#[test]
fn tables_are_declared_once_and_refer_back() {
    let modules = octavo_circulation::modules();
    Catalog::new(collections(&modules)).expect("the tables can be made in this order");
}

#[test]
fn indexes_and_references_are_over_declared_properties() {
    for collection in collections(&octavo_circulation::modules()) {
        let table = collection.table;
        assert!(collection.kind_at("id").is_some(), "{table} has no id");
        for reference in &collection.references {
            let field = reference.field;
            assert!(
                collection.kind_at(field).is_some(),
                "{table} has no {field}"
            );
        }
        for index in &collection.indexes {
            let own = std::slice::from_ref(&index.field);
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

/// Whether a path leads to a declared property, or into an object that is open.
fn known(collection: &Collection, path: &str) -> bool {
    collection.kind_at(path).is_some()
        || path.split_once('.').is_some_and(|(parent, _)| {
            matches!(collection.kind_at(parent), Some(Kind::Object(object)) if object.open)
        })
}

#[test]
fn reference_data_fits_its_collections() {
    let modules = octavo_circulation::modules();
    let all = collections(&modules);
    for data in modules.iter().flat_map(|module| &module.reference) {
        let collection = all
            .iter()
            .find(|collection| collection.table == data.table)
            .expect("reference data names a table of this area");
        let records = data.records(collection).expect("every record fits");
        assert!(
            !records.is_empty(),
            "{} has no reference record",
            data.table
        );
    }
}

#[test]
fn routes_are_declared_once_and_name_declared_tables() {
    let modules = octavo_circulation::modules();
    let tables: HashSet<&str> = collections(&modules)
        .iter()
        .map(|collection| collection.table)
        .collect();
    let mut seen = HashSet::new();
    let interfaces = modules.iter().flat_map(|module| &module.interfaces);
    for route in interfaces.flat_map(|interface| &interface.routes) {
        let (method, pattern) = (&route.method, route.pattern);
        assert!(
            seen.insert((method, pattern)),
            "{method} {pattern} is declared twice"
        );
        if let Handler::Records(_, table) = &route.handler {
            assert!(tables.contains(table), "{method} {pattern} is over {table}");
        }
    }
}
