//! What kind of thing the resource is: content, carrier, extent, language, mode of issuance.

use octavo_marc::{DataField, Record};

use super::fields::{Fields, distinct, filled, joined};
use super::reference::{
    INSTANCE_FORMATS, INSTANCE_TYPES, Term, id_of_code, id_of_name, mode_of_issuance,
};

/// The code of instances whose content nothing tells.
const UNSPECIFIED: &str = "zzz";

/// The content type by code or term in the first 336 that has a known one; without any, by the
/// leader's type of record, so that records older than RDA are not all unspecified.
pub(super) fn instance_type_id(record: &Record, fields: &Fields<'_>) -> &'static str {
    fields
        .tagged("336")
        .find_map(|field| {
            let by_code = field
                .values('b')
                .find_map(|b| id_of_code(INSTANCE_TYPES, b.trim()));
            by_code.or_else(|| {
                field
                    .values('a')
                    .find_map(|a| id_of_name(INSTANCE_TYPES, a.trim()))
            })
        })
        .or_else(|| id_of_code(INSTANCE_TYPES, content_code(record.leader.record_type())))
        .expect("invariant: every content code is in the table")
}

/// The RDA content type that most resources of a type of record have.
fn content_code(record_type: char) -> &'static str {
    match record_type {
        'a' | 't' => "txt",
        'c' | 'd' => "ntm",
        'e' | 'f' => "cri",
        'g' => "tdi",
        'i' => "spw",
        'j' => "prm",
        'k' => "sti",
        'r' => "tdf",
        _ => UNSPECIFIED,
    }
}

/// The carrier types of 338, by code, else by term; some terms need the media type (337) that
/// stands beside them to be told apart.
pub(super) fn instance_format_ids(fields: &Fields<'_>) -> Vec<&'static str> {
    let media: Vec<&str> = fields
        .tagged("337")
        .filter_map(|field| field.get('a'))
        .collect();
    let ids = fields.tagged("338").enumerate().flat_map(|(index, field)| {
        let coded: Vec<_> = field
            .values('b')
            .filter_map(|b| id_of_code(INSTANCE_FORMATS, b.trim()))
            .collect();
        if coded.is_empty() {
            by_terms(field, media.get(index).copied())
        } else {
            coded
        }
    });
    distinct(ids)
}

fn by_terms(field: &DataField, media: Option<&str>) -> Vec<&'static str> {
    field
        .values('a')
        .filter_map(|carrier| format_id(carrier.trim(), media))
        .collect()
}

/// The format whose name is the carrier type, alone or after the media type.
fn format_id(carrier: &str, media: Option<&str>) -> Option<&'static str> {
    let named = |name: &str| id_of_name(INSTANCE_FORMATS, name);
    let with_media = media.and_then(|media| named(&format!("{} -- {carrier}", media.trim())));
    with_media.or_else(|| named(carrier)).or_else(|| {
        let carrier = carrier.to_lowercase();
        let is_of_carrier = |term: &&Term| {
            term.name
                .split(" -- ")
                .nth(1)
                .is_some_and(|name| name == carrier)
        };
        let mut terms = INSTANCE_FORMATS.iter().filter(is_of_carrier);
        match (terms.next(), terms.next()) {
            (Some(term), None) => Some(term.id),
            _ => None,
        }
    })
}

/// Extent and dimensions.
pub(super) fn physical_descriptions(fields: &Fields<'_>) -> Vec<String> {
    fields
        .tagged("300")
        .filter_map(|field| filled(&joined(field, "abcefg3")))
        .collect()
}

/// Language codes of 008 and of 041 `$a`, where older records string several together.
pub(super) fn languages(record: &Record, fields: &Fields<'_>) -> Vec<String> {
    let fixed = record
        .control("008")
        .map(|field| field.chars().skip(35).take(3).collect());
    let variable = fields
        .tagged("041")
        .flat_map(|field| field.values('a'))
        .flat_map(codes);
    let known = |code: &String| code.len() == 3 && code.chars().all(|c| c.is_ascii_alphabetic());
    distinct(fixed.into_iter().chain(variable).filter(known))
}

fn codes(value: &str) -> Vec<String> {
    let characters: Vec<char> = value.trim().chars().collect();
    characters.chunks(3).map(String::from_iter).collect()
}

/// The mode of issuance by the leader's bibliographic level.
pub(super) fn mode_of_issuance_id(record: &Record) -> &'static str {
    match record.leader.bibliographic_level() {
        'a' | 'c' | 'd' | 'm' => mode_of_issuance::SINGLE_UNIT,
        'b' | 's' => mode_of_issuance::SERIAL,
        'i' => mode_of_issuance::INTEGRATING,
        _ => mode_of_issuance::UNSPECIFIED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_record_has_a_content_type() {
        for record_type in (0..=127_u8).map(char::from) {
            assert!(id_of_code(INSTANCE_TYPES, content_code(record_type)).is_some());
        }
    }
}
