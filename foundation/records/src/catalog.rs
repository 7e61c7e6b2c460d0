//! All collections of the composed product, by table.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::collection::Collection;

/// What areas give to those before them: one value of each type, which an earlier area declares and calls
/// without knowing whose it is.
#[derive(Clone, Default)]
pub struct Provided(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Provided {
    /// Adds a value; false where there was one of its type.
    pub fn add<T: Any + Send + Sync>(&mut self, value: T) -> bool {
        self.0.insert(TypeId::of::<T>(), Arc::new(value)).is_none()
    }

    /// Adds those of another; false where there was one of the same type.
    pub fn extend(&mut self, other: &Provided) -> bool {
        let mut added = other.0.iter();
        added.all(|(of, value)| self.0.insert(*of, Arc::clone(value)).is_none())
    }

    /// The value of a type.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

impl fmt::Debug for Provided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Provided").field(&self.0.len()).finish()
    }
}

/// The collections in the order in which their tables are made.
#[derive(Debug, Default)]
pub struct Catalog {
    ordered: Vec<Arc<Collection>>,
    by_table: HashMap<String, usize>,
    provided: Provided,
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

    /// The same with what the areas give each other.
    #[must_use]
    pub fn with(mut self, provided: Provided) -> Catalog {
        self.provided = provided;
        self
    }

    /// What a later area gives, if one does.
    #[must_use]
    pub fn provided<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.provided.get()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Bell(&'static str);

    #[test]
    fn one_value_of_each_type_is_provided() {
        let mut provided = Provided::default();
        assert!(provided.add(Bell("east")));
        assert!(provided.add(7_u32));
        assert!(!provided.add(Bell("west")));
        let mut all = Provided::default();
        assert!(all.extend(&provided));
        assert!(!all.extend(&provided));
        let catalog = Catalog::default().with(provided);
        assert_eq!(catalog.provided(), Some(&Bell("west")));
        assert_eq!(catalog.provided::<u64>(), None);
    }
}
