//! Addresses: field 856.

use octavo_marc::DataField;

use super::fields::{Fields, filled, joined};
use super::instance::ElectronicAccess;
use super::punctuation::trim_announcing;
use super::reference::electronic_access as relationships;

/// One entry for each address; link text and notes of a field go with each of its addresses.
pub(super) fn electronic_access(fields: &Fields<'_>) -> Vec<ElectronicAccess> {
    fields.tagged("856").flat_map(of_field).collect()
}

fn of_field(field: &DataField) -> impl Iterator<Item = ElectronicAccess> {
    let text = |code: &str| filled(trim_announcing(&joined(field, code)));
    let (link_text, materials_specification, public_note) = (text("y"), text("3"), text("z"));
    let relationship_id = relationship_id(field);
    // A slash at an address's end belongs to it.
    field
        .values('u')
        .map(str::trim)
        .filter(|uri| !uri.is_empty())
        .map(move |uri| ElectronicAccess {
            uri: uri.to_owned(),
            link_text: link_text.clone(),
            materials_specification: materials_specification.clone(),
            public_note: public_note.clone(),
            relationship_id,
        })
}

fn relationship_id(field: &DataField) -> &'static str {
    match field.indicators[1] {
        '0' => relationships::RESOURCE,
        '1' => relationships::VERSION,
        '2' => relationships::RELATED,
        '8' => relationships::NO_DISPLAY_CONSTANT,
        _ => relationships::NO_INFORMATION,
    }
}
