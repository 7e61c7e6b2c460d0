//! The record types of inventory, each with its table, indexes and references as FOLIO declares
//! them. Nothing here reads or writes a record.

pub mod instance;
pub mod item;
pub mod lists;
pub mod location;

use octavo_records::Collection;

/// Every record type of inventory, each after those it refers to.
#[must_use]
pub fn all() -> Vec<Collection> {
    let mut collections = lists::all();
    collections.extend(location::all());
    collections.extend(instance::all());
    collections.extend(item::all());
    collections
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_shape_is_well_formed_and_every_table_declared_once() {
        let mut tables = HashSet::new();
        for collection in all() {
            assert!(
                tables.insert(collection.table),
                "{} is declared twice",
                collection.table
            );
            assert!(
                collection.kind_at("id").is_some(),
                "{} has no id",
                collection.table
            );
        }
        assert_eq!(tables.len(), 40);
    }

    #[test]
    fn references_point_back_to_declared_tables_and_properties() {
        let mut declared = HashSet::new();
        for collection in all() {
            for reference in &collection.references {
                let (table, field) = (collection.table, reference.field);
                assert!(
                    declared.contains(reference.table),
                    "{table}.{field} points forward"
                );
                assert!(
                    collection.kind_at(field).is_some(),
                    "{table} has no {field}"
                );
            }
            declared.insert(collection.table);
        }
    }

    #[test]
    fn indexes_are_over_declared_properties() {
        for collection in all() {
            for index in &collection.indexes {
                let named = std::slice::from_ref(&index.field);
                let over = if index.fields.is_empty() {
                    named
                } else {
                    &index.fields
                };
                for field in over.iter().chain(&index.with) {
                    let path = field.replace("[*]", "");
                    // The metadata of a record is open: the server writes it, no shape lists it.
                    let known =
                        path.starts_with("metadata.") || collection.kind_at(&path).is_some();
                    assert!(known, "{} has no {path}", collection.table);
                }
            }
        }
    }
}
