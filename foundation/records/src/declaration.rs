//! Collections declared in TOML instead of an area's code.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::collection::{Collection, Reference};
use crate::index::Index;
use crate::shape::Shape;

/// A file of declared collections, each after those it refers to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    #[serde(rename = "collection")]
    pub collections: Vec<DeclaredCollection>,
}

/// One declared collection.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DeclaredCollection {
    pub table: String,
    /// The key of the list in a page; by default the table's name.
    pub list: Option<String>,
    /// The text of its shape; without it any document is valid.
    pub shape: Option<String>,
    #[serde(default, rename = "index")]
    pub indexes: Vec<Index>,
    #[serde(default, rename = "reference")]
    pub references: Vec<DeclaredReference>,
    /// Aliases of paths in CQL.
    #[serde(default)]
    pub shorthands: BTreeMap<String, String>,
    /// Whether `_version` guards updates.
    #[serde(default)]
    pub locked: bool,
}

/// One declared foreign key.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DeclaredReference {
    /// The property that holds the id.
    pub field: String,
    /// The referenced table.
    pub table: String,
    /// The alias of this collection in CQL of the referenced one.
    pub child: Option<String>,
    /// The alias of the referenced collection in CQL of this one.
    pub parent: Option<String>,
}

impl DeclaredCollection {
    /// Builds the collection.
    ///
    /// # Errors
    /// Names an invalid table name, or the line of a shape that cannot be parsed.
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
