//! Reference records that mapping rules refer to.
//!
//! A tenant may rename these records, but not renumber them: rules go by id.

mod contributor_types;
mod dates;
mod ids;
mod resource_types;

pub(super) use contributor_types::CONTRIBUTOR_TYPES;
pub(super) use dates::DATE_TYPES;
pub(super) use ids::*;
pub(super) use resource_types::{INSTANCE_FORMATS, INSTANCE_TYPES};

/// A reference record with the code that MARC has for it.
pub(super) struct Term {
    pub(super) code: &'static str,
    pub(super) name: &'static str,
    pub(super) id: &'static str,
}

const fn term(code: &'static str, name: &'static str, id: &'static str) -> Term {
    Term { code, name, id }
}

/// The id of the record with this code.
pub(super) fn id_of_code(terms: &[Term], code: &str) -> Option<&'static str> {
    terms
        .iter()
        .find(|term| term.code == code)
        .map(|term| term.id)
}

/// The id of the record with this name, in upper or lower case.
pub(super) fn id_of_name(terms: &[Term], name: &str) -> Option<&'static str> {
    terms
        .iter()
        .find(|term| term.name.eq_ignore_ascii_case(name))
        .map(|term| term.id)
}
