//! Standard numbers and control numbers.

use octavo_marc::DataField;

use super::fields::{Fields, distinct, joined, runs};
use super::instance::Identifier;
use super::punctuation::trim_announcing;
use super::reference::identifier_type as types;

/// The identifiers in the order of the record's fields.
pub(super) fn identifiers(fields: &Fields<'_>) -> Vec<Identifier> {
    distinct(fields.all().flat_map(|(tag, field)| of_field(tag, field)))
}

fn of_field(tag: &str, field: &DataField) -> Vec<Identifier> {
    match tag {
        "010" => each(field, "az", "", |code, _| match code {
            'a' => types::LCCN,
            _ => types::CANCELED_LCCN,
        }),
        "019" => each(field, "a", "", |_, _| {
            types::CANCELLED_SYSTEM_CONTROL_NUMBER
        }),
        // Qualifiers and terms of availability belong to the number before them.
        "020" => each(field, "az", "cq", |code, _| match code {
            'a' => types::ISBN,
            _ => types::INVALID_ISBN,
        }),
        "022" => each(field, "alyzm", "", |code, _| match code {
            'a' => types::ISSN,
            'l' => types::LINKING_ISSN,
            _ => types::INVALID_ISSN,
        }),
        "024" => other_standard_numbers(field),
        "028" => whole(field, "abq", types::PUBLISHER_NUMBER),
        "035" => each(field, "az", "", |code, value| match code {
            'a' if is_oclc(value) => types::OCLC,
            'a' => types::SYSTEM_CONTROL_NUMBER,
            _ => types::CANCELLED_SYSTEM_CONTROL_NUMBER,
        }),
        "074" => each(field, "az", "", |code, _| match code {
            'a' => types::GPO_ITEM_NUMBER,
            _ => types::CANCELLED_GPO_ITEM_NUMBER,
        }),
        _ => Vec::new(),
    }
}

/// 024: the first indicator tells the kind of number.
fn other_standard_numbers(field: &DataField) -> Vec<Identifier> {
    match field.indicators[0] {
        '1' => each(field, "az", "q", |code, _| match code {
            'a' => types::UPC,
            _ => types::INVALID_UPC,
        }),
        '2' => each(field, "az", "q", |code, _| match code {
            'a' => types::ISMN,
            _ => types::INVALID_ISMN,
        }),
        _ => whole(field, "acdqz2", types::OTHER_STANDARD_IDENTIFIER),
    }
}

/// An identifier for each of the subfields `starts`.
fn each(
    field: &DataField,
    starts: &str,
    followers: &str,
    type_of: impl Fn(char, &str) -> &'static str,
) -> Vec<Identifier> {
    runs(field, starts, followers)
        .into_iter()
        .filter_map(|(code, value)| {
            let identifier_type_id = type_of(code, &value);
            identifier(&value, identifier_type_id)
        })
        .collect()
}

/// One identifier of all these subfields.
fn whole(field: &DataField, codes: &str, identifier_type_id: &'static str) -> Vec<Identifier> {
    identifier(&joined(field, codes), identifier_type_id)
        .into_iter()
        .collect()
}

fn identifier(value: &str, identifier_type_id: &'static str) -> Option<Identifier> {
    let value = trim_announcing(value);
    (!value.is_empty()).then(|| Identifier {
        value: value.to_owned(),
        identifier_type_id,
    })
}

/// Whether a system control number is OCLC's, by its prefix.
pub(super) fn is_oclc(number: &str) -> bool {
    ["(OCoLC)", "ocm", "ocn", "on"]
        .iter()
        .any(|prefix| number.starts_with(prefix))
}
