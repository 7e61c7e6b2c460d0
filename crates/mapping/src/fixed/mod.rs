//! From MARC to inventory: bibliographic records into instances, holdings and items.
//!
//! FOLIO's default rules, restated: which field and subfields make which property, and how values
//! are trimmed. Everything here is a pure function of records and arguments; nothing knows the
//! database, HTTP, or how records are stored.

mod classifications;
mod contributors;
mod control_number;
mod electronic_access;
mod fields;
mod holdings;
mod identifiers;
mod instance;
mod items;
mod notes;
mod publication;
mod punctuation;
mod reference;
mod resource;
mod subjects;
mod titles;

#[cfg(test)]
mod tests;

use octavo_marc::Record;
use thiserror::Error;

pub use control_number::{identify, keep_control_number};
pub use holdings::{HoldingsDefaults, holdings_from_marc};
pub use instance::{
    AlternativeTitle, Classification, Contributor, Dates, ElectronicAccess, Identifier, Instance,
    Note, Publication, Series, Subject,
};
pub use items::{ItemDefaults, items_from_marc};

use fields::Fields;

/// Why a record makes no instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MappingError {
    /// The leader says that this is an authority, holdings, classification or community record.
    #[error("a record of type {0:?} (leader position 6) is not bibliographic")]
    NotBibliographic(char),
    /// An instance must have a title, and the record has no field 245.
    #[error("the record has no title: field 245 is missing")]
    TitleMissing,
    /// Field 245 has no text in any of the subfields that make the title.
    #[error("the record has no title: field 245 is empty")]
    TitleEmpty,
}

/// The instance that this bibliographic record describes. Its id and HRID are for the caller to
/// assign; a control number in 001 becomes an identifier only by [`keep_control_number`].
pub fn instance_from_marc(record: &Record) -> Result<Instance, MappingError> {
    let record_type = record.leader.record_type();
    if matches!(record_type, 'q' | 'u'..='z') {
        return Err(MappingError::NotBibliographic(record_type));
    }
    let fields = Fields::of(record);
    let deleted = record.leader.status() == 'd';
    Ok(Instance {
        source: "MARC",
        title: titles::title(&fields)?,
        index_title: titles::index_title(&fields),
        alternative_titles: titles::alternative_titles(&fields),
        editions: titles::editions(&fields),
        series: titles::series(&fields),
        identifiers: identifiers::identifiers(&fields),
        contributors: contributors::contributors(&fields),
        subjects: subjects::subjects(&fields),
        classifications: classifications::classifications(&fields),
        publication: publication::publication(&fields),
        publication_frequency: publication::frequency(&fields),
        publication_range: publication::range(&fields),
        dates: publication::dates(record),
        electronic_access: electronic_access::electronic_access(&fields),
        instance_type_id: resource::instance_type_id(record, &fields),
        instance_format_ids: resource::instance_format_ids(&fields),
        physical_descriptions: resource::physical_descriptions(&fields),
        languages: resource::languages(record, &fields),
        notes: notes::notes(&fields),
        mode_of_issuance_id: resource::mode_of_issuance_id(record),
        nature_of_content_term_ids: Vec::new(),
        discovery_suppress: deleted,
        staff_suppress: deleted,
        deleted,
        previously_held: false,
    })
}
