//! Collections declared as data: the declaration that areas write in code, read from TOML.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::collection::{Collection, Reference};
use crate::index::Index;
use crate::shape::Shape;

/// A file of declared collections, each after those it refers to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// The collections.
    #[serde(rename = "collection")]
    pub collections: Vec<DeclaredCollection>,
}

/// One collection as data.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DeclaredCollection {
    /// The table.
    pub table: String,
    /// The key of the list in a page; the table's name without it.
    pub list: Option<String>,
    /// The text of its shape; anything goes without it.
    pub shape: Option<String>,
    /// Its indexes.
    #[serde(default, rename = "index")]
    pub indexes: Vec<Index>,
    /// Its foreign keys.
    #[serde(default, rename = "reference")]
    pub references: Vec<DeclaredReference>,
    /// Names that CQL takes as another path.
    #[serde(default)]
    pub shorthands: BTreeMap<String, String>,
    /// Whether `_version` guards updates.
    #[serde(default)]
    pub locked: bool,
}

/// One foreign key as data.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DeclaredReference {
    /// The property that holds the id.
    pub field: String,
    /// The table it points to.
    pub table: String,
    /// What CQL of the pointed-to collection calls this one.
    pub child: Option<String>,
    /// What CQL of this collection calls the pointed-to one.
    pub parent: Option<String>,
}

impl DeclaredCollection {
    /// The collection that it declares.
    ///
    /// # Errors
    /// Names what cannot be a table, and the line of a shape that cannot be read.
    pub fn collection(&self) -> Result<Collection, String> {
        let table = &self.table;
        for name in self.references.iter().map(|one| &one.table).chain([table]) {
            if !is_table_name(name) {
                return Err(format!(
                    "{name:?} cannot be a table: it takes a small letter, then small letters, \
                     digits and underscores, 40 at most"
                ));
            }
        }
        let shape = self.shape.as_deref().unwrap_or("id uuid\n");
        Shape::parse(shape).map_err(|error| format!("the shape of {table}: {error}"))?;
        let mut collection = Collection::new(table, self.list.as_deref().unwrap_or(table), shape);
        collection.indexes.clone_from(&self.indexes);
        collection.locked = self.locked;
        collection.shorthands = self.shorthands.clone().into_iter().collect();
        collection.references = self
            .references
            .iter()
            .map(|one| Reference {
                field: one.field.clone(),
                table: one.table.clone(),
                child_alias: one.child.clone(),
                parent_alias: one.parent.clone(),
                order: None,
            })
            .collect();
        Ok(collection)
    }
}

fn is_table_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
