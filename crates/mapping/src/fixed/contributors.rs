//! Persons, bodies and meetings with a part in the resource.

use octavo_marc::DataField;

use super::fields::{Fields, authority_id, filled, joined};
use super::instance::Contributor;
use super::punctuation::trim_name;
use super::reference::{CONTRIBUTOR_TYPES, contributor_name_type as names, id_of_code, id_of_name};

/// The contributors in the order of the record's fields; main entries (1XX) are primary.
pub(super) fn contributors(fields: &Fields<'_>) -> Vec<Contributor> {
    fields
        .all()
        .filter_map(|(tag, field)| contributor(tag, field))
        .collect()
}

fn contributor(tag: &str, field: &DataField) -> Option<Contributor> {
    let (codes, contributor_name_type_id, role_code) = match tag {
        "100" | "700" => ("abcdfgjklnpqtu", names::PERSONAL, 'e'),
        "110" | "710" => ("abcdfgklnptu", names::CORPORATE, 'e'),
        // In meeting names $e is a subordinate unit.
        "111" | "711" => ("abcdfgklnptu", names::MEETING, 'j'),
        "720" if field.indicators[0] == '2' => ("a", names::CORPORATE, 'e'),
        "720" => ("a", names::PERSONAL, 'e'),
        _ => return None,
    };
    let primary = tag.starts_with('1');
    if primary && field.get('a').is_none() {
        return None;
    }
    let contributor_type_id = contributor_type_id(field, role_code);
    let contributor_type_text = match contributor_type_id {
        Some(_) => None,
        None => field
            .get(role_code)
            .and_then(|role| filled(trim_name(role))),
    };
    Some(Contributor {
        name: filled(trim_name(&joined(field, codes)))?,
        contributor_name_type_id,
        contributor_type_id,
        contributor_type_text,
        authority_id: authority_id(field),
        primary,
    })
}

/// The role by a relator code, which may be the end of an address; else by its term.
fn contributor_type_id(field: &DataField, role_code: char) -> Option<&'static str> {
    let by_code = field.values('4').find_map(|code| {
        let code = code.trim().rsplit('/').next().unwrap_or_default();
        id_of_code(CONTRIBUTOR_TYPES, code)
    });
    by_code.or_else(|| {
        field
            .values(role_code)
            .find_map(|term| id_of_name(CONTRIBUTOR_TYPES, trim_name(term)))
    })
}
