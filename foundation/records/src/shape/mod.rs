//! Shapes, the record types: the properties of a document and their kinds.
//!
//! A shape is written as indented text beside the collection that owns it (`item.shape`), one
//! property a line, and is checked on every write. Shapes of bodies and answers that are no records
//! are written alike, and may refer to others by name. It knows nothing of tables or HTTP.

mod conformity;
mod fault;
mod limits;
mod parse;
mod texts;
mod validator;

use serde_json::Value;

pub use conformity::Reading;
pub use fault::{UNKNOWN, UNREADABLE};
pub use limits::Limits;
pub use parse::ShapeError;
pub use validator::Violation;

/// The record type of a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The properties of the document itself.
    pub root: ObjectShape,
    /// The record type whose properties it has as well, until [`Shape::extend`] has added them.
    pub like: Option<String>,
}

/// The properties of one JSON object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ObjectShape {
    /// Sorted by name, so that a look-up is a binary search.
    pub properties: Vec<Property>,
    /// Whether undeclared properties are accepted and kept.
    pub open: bool,
    /// Whether undeclared properties are dropped silently where they are not kept, as Spring
    /// modules do.
    pub dropping: bool,
}

/// One declared property.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    pub name: String,
    pub kind: ValueKind,
    pub required: bool,
    /// Whether a client's value is dropped silently (FOLIO's `readonly`).
    pub readonly: bool,
    /// The value in a document without the property.
    pub default: Option<Value>,
    pub limits: Limits,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ValueKind {
    /// An RFC 4122 identifier.
    Uuid,
    /// Text; if the list is not empty, one of its values.
    Text(Vec<String>),
    Integer,
    Number,
    Boolean,
    /// An instant, in one of the ISO 8601 forms that FOLIO's clients send, or in milliseconds since
    /// 1970.
    DateTime,
    /// An object with these properties.
    Object(ObjectShape),
    /// An array whose elements are all of one kind.
    Array(Box<ValueKind>),
    /// Any JSON at all.
    Any,
    /// An object of another shape or record type, by its name. No record has one: what is stored
    /// is declared in one place.
    Named(String),
}

impl Shape {
    /// Parses the text of a shape.
    ///
    /// # Errors
    /// Names the line that could not be parsed.
    pub fn parse(text: &str) -> Result<Shape, ShapeError> {
        parse::parse(text, false)
    }

    /// Parses the text of a shape that may refer to others: `loan =circulation.loan`.
    ///
    /// # Errors
    /// Names the line that could not be parsed.
    pub fn parse_referring(text: &str) -> Result<Shape, ShapeError> {
        parse::parse(text, true)
    }

    /// Adds the properties of another object; those of its own win.
    pub fn extend(&mut self, other: &ObjectShape) {
        for property in &other.properties {
            let place = self
                .root
                .properties
                .binary_search_by(|own| own.name.cmp(&property.name));
            if let Err(place) = place {
                self.root.properties.insert(place, property.clone());
            }
        }
    }

    /// The names that it refers to.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.root.collect_names(&mut found);
        found
    }

    /// The same shape, but undeclared properties are dropped, at the root and inside.
    #[must_use]
    pub fn dropping_unknown(mut self) -> Shape {
        self.root.drop_unknown();
        self
    }

    /// The kind of the property at a dotted path (`status.name`); arrays are looked through.
    #[must_use]
    pub fn kind_at(&self, path: &str) -> Option<&ValueKind> {
        let mut object = &self.root;
        let mut found = None;
        for name in path.split('.') {
            let property = object.property(name)?;
            found = Some(&property.kind);
            match element(&property.kind) {
                ValueKind::Object(inner) => object = inner,
                _ => object = EMPTY,
            }
        }
        found
    }
}

const EMPTY: &ObjectShape = &ObjectShape {
    properties: Vec::new(),
    open: false,
    dropping: false,
};

fn element_mut(kind: &mut ValueKind) -> &mut ValueKind {
    match kind {
        ValueKind::Array(inner) => element_mut(inner),
        other => other,
    }
}

fn element(kind: &ValueKind) -> &ValueKind {
    match kind {
        ValueKind::Array(inner) => element(inner),
        other => other,
    }
}

impl ObjectShape {
    fn collect_names<'s>(&'s self, found: &mut Vec<&'s str>) {
        for property in &self.properties {
            match element(&property.kind) {
                ValueKind::Named(name) => found.push(name),
                ValueKind::Object(inner) => inner.collect_names(found),
                _ => {}
            }
        }
    }

    fn drop_unknown(&mut self) {
        self.dropping = true;
        for property in &mut self.properties {
            if let ValueKind::Object(inner) = element_mut(&mut property.kind) {
                inner.drop_unknown();
            }
        }
    }

    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties
            .binary_search_by(|property| property.name.as_str().cmp(name))
            .ok()
            .map(|at| &self.properties[at])
    }
}
