//! Request bodies: text with variables, bytes of a file, or generated MARC records.

use std::sync::Arc;

use rand::rngs::SmallRng;

use super::marc::MarcRecords;
use super::template::Template;
use super::variables::Variables;

#[derive(Debug, Clone)]
pub enum Body {
    /// Text.
    Text(Template),
    /// Records in ISO 2709.
    Marc(MarcRecords),
    /// The bytes of a file.
    File(Arc<[u8]>),
}

impl Body {
    /// A copy in which variables that are constant by `is_constant` have become literal text.
    pub fn fold(&self, variables: &Variables, is_constant: impl Fn(usize) -> bool) -> Body {
        match self {
            Body::Text(text) => Body::Text(text.fold(variables, &is_constant)),
            Body::Marc(records) => Body::Marc(records.fold(variables, &is_constant)),
            Body::File(bytes) => Body::File(Arc::clone(bytes)),
        }
    }

    /// Appends the body to `out`.
    pub fn render(&self, variables: &Variables, random: &mut SmallRng, out: &mut Vec<u8>) {
        match self {
            Body::Text(text) => text.render(variables, random, out),
            Body::Marc(records) => records.render(variables, random, out),
            Body::File(bytes) => out.extend_from_slice(bytes),
        }
    }

    /// The variables it uses.
    pub(super) fn variables(&self) -> Vec<usize> {
        match self {
            Body::Text(text) => text.variables().collect(),
            Body::Marc(records) => records.variables(),
            Body::File(_) => Vec::new(),
        }
    }
}
