//! The views of loan and item in responses of a desk, composed from the facts that the operation has
//! read anyway. They equal the views of `store::view`, which read everything again.

mod item;
mod loan;
pub mod notice;
mod slip;
mod waiting;

pub use item::item;
pub use loan::{LoanWith, loan};
pub use slip::slip;
pub use waiting::slips;

use serde_json::{Map, Value};

/// A person's first and last name, as far as they are known.
#[must_use]
pub fn short_name(user: &Value) -> Option<String> {
    let parts = ["firstName", "lastName"].iter();
    let parts: Vec<&str> = parts
        .filter_map(|part| user["personal"][part].as_str())
        .collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

type Document = Map<String, Value>;

/// An object of the non-null values.
fn object<'v>(pairs: impl IntoIterator<Item = (&'static str, &'v Value)>) -> Document {
    pairs
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect()
}

/// These properties of a document, if present.
fn only(document: &Value, names: &[&'static str]) -> Document {
    object(names.iter().map(|name| (*name, &document[*name])))
}
