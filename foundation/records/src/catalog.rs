//! All collections of the composed product, by table.

use std::collections::HashMap;
use std::sync::Arc;

use crate::collection::Collection;

/// The collections in the order in which their tables are made.
#[derive(Debug, Default)]
pub struct Catalog {
    ordered: Vec<Arc<Collection>>,
    by_table: HashMap<String, usize>,
}

impl Catalog {
    /// A catalog of these collections.
    ///
    /// # Errors
    /// Names a table that is declared twice, or a foreign key to a table that comes later or does
    /// not exist.
    pub fn new(collections: Vec<Arc<Collection>>) -> Result<Catalog, String> {
        let mut catalog = Catalog::default();
        for collection in collections {
            for reference in &collection.references {
                if reference.table != collection.table
                    && !catalog.by_table.contains_key(&reference.table)
                {
                    return Err(format!(
                        "{} refers to {}, which is not declared before it",
                        collection.table, reference.table
                    ));
                }
            }
            let at = catalog.ordered.len();
            if catalog
                .by_table
                .insert(collection.table.clone(), at)
                .is_some()
            {
                return Err(format!("the table {} is declared twice", collection.table));
            }
            catalog.ordered.push(collection);
        }
        Ok(catalog)
    }

    #[must_use]
    pub fn get(&self, table: &str) -> Option<&Arc<Collection>> {
        self.by_table.get(table).map(|at| &self.ordered[*at])
    }

    /// The collection of a table that an area names as its own or one to its left.
    ///
    /// # Panics
    /// When no area declares it.
    #[must_use]
    pub fn declared(&self, table: &str) -> &Arc<Collection> {
        self.get(table)
            .expect("invariant: the areas declare the tables they name")
    }

    /// All collections, each after those it refers to.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Collection>> {
        self.ordered.iter()
    }

    /// The collections with a foreign key to a table.
    pub fn children_of<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a Arc<Collection>> {
        self.ordered.iter().filter(move |one| {
            one.references
                .iter()
                .any(|reference| reference.table == table)
        })
    }
}
