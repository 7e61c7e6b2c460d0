//! What a desk is shown of a loan, composed of what an act has read anyway: the same as the views of
//! `store::view` show, which read everything again.

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

type Document = Map<String, Value>;

/// An object of what there is of these.
fn object<'v>(pairs: impl IntoIterator<Item = (&'static str, &'v Value)>) -> Document {
    pairs
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect()
}

/// These properties of a document, as far as it has them.
fn only(document: &Value, names: &[&'static str]) -> Document {
    object(names.iter().map(|name| (*name, &document[*name])))
}
