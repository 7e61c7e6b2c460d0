//! Control numbers before and after a record enters the catalogue.
//!
//! In the catalogue 001 is the instance's HRID and 999 (indicators f and f) ties the record to
//! its instance; the number it came with moves to 035.

use octavo_marc::{ControlField, DataField, Field, Record, Subfield, Tag};

/// Indicators of the 999 field that is the catalogue's own.
const OWN: [char; 2] = ['f', 'f'];

/// How OCLC's numbers begin.
const OCLC_PREFIXES: [&str; 4] = ["(OCoLC)", "ocm", "ocn", "on"];

/// Moves the control number (001) to an 035 field, after the code of its source (003) in
/// parentheses; an 035 that has it already is enough. The record is left without 001 and 003.
pub fn keep_control_number(record: &mut Record) {
    let number = record.control("001").map(str::trim).unwrap_or_default();
    let source = record.control("003").map(str::trim).unwrap_or_default();
    let kept = match (number, source) {
        ("", _) => None,
        (number, "") => Some(number.to_owned()),
        (number, "OCoLC") => Some(format!("(OCoLC){}", oclc_digits(number))),
        (number, source) => Some(format!("({source}){number}")),
    };
    record.fields.retain(|field| match field {
        Field::Control(control) => control.tag != "001" && control.tag != "003",
        Field::Data(_) => true,
    });
    let Some(value) = kept else { return };
    let known = record
        .data("035")
        .flat_map(|field| field.values('a'))
        .any(|number| number.trim() == value);
    if !known {
        let subfields = vec![Subfield { code: 'a', value }];
        insert(
            record,
            DataField {
                tag: tag("035"),
                indicators: [' ', ' '],
                subfields,
            },
        );
    }
}

/// An OCLC number without the letters before and the zeros that fill it.
fn oclc_digits(number: &str) -> &str {
    let digits = number.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    match digits.trim_start_matches('0') {
        "" => number,
        _ if !OCLC_PREFIXES
            .iter()
            .any(|prefix| number.starts_with(prefix))
            && digits.len() < number.len() =>
        {
            number
        }
        significant => significant,
    }
}

/// Ties the record to its instance: 001 becomes the HRID, and the record's own 999 gets the
/// instance's id in `$i` and the source record's in `$s`.
pub fn identify(record: &mut Record, hrid: &str, instance_id: &str, source_record_id: &str) {
    record.fields.retain(|field| match field {
        Field::Control(control) => control.tag != "001",
        Field::Data(data) => data.tag != "999" || data.indicators != OWN,
    });
    let number = ControlField {
        tag: tag("001"),
        value: hrid.to_owned(),
    };
    record.fields.insert(0, Field::Control(number));
    let subfield = |code, value: &str| Subfield {
        code,
        value: value.to_owned(),
    };
    let subfields = vec![subfield('i', instance_id), subfield('s', source_record_id)];
    record.fields.push(Field::Data(DataField {
        tag: tag("999"),
        indicators: OWN,
        subfields,
    }));
}

/// Inserts a field before the first of a higher tag.
fn insert(record: &mut Record, field: DataField) {
    let position = record
        .fields
        .iter()
        .position(|other| other.tag() > field.tag);
    let position = position.unwrap_or(record.fields.len());
    record.fields.insert(position, Field::Data(field));
}

fn tag(text: &str) -> Tag {
    Tag::new(text).expect("invariant: a tag of three digits")
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;

    use super::*;

    #[track_caller]
    fn check(given: &str, kept: &str) {
        let mut record = parse_text(given).unwrap();
        keep_control_number(&mut record);
        let text = record.to_string();
        assert_eq!(text.split_once('\n').unwrap().1, kept);
    }

    #[test]
    fn the_number_moves_with_its_source() {
        check("001 991\n245 10$ax", "035   $a991\n245 10$ax\n");
        check(
            "001 991\n003 NoOU\n020   $a1\n245 10$ax",
            "020   $a1\n035   $a(NoOU)991\n245 10$ax\n",
        );
        check("001 ocm00042\n003 OCoLC", "035   $a(OCoLC)42\n");
        check(
            "001 42\n003 OCoLC\n035   $a(OCoLC)42",
            "035   $a(OCoLC)42\n",
        );
        check("001 x42\n003 OCoLC", "035   $a(OCoLC)x42\n");
        check("003 OCoLC\n245 10$ax", "245 10$ax\n");
    }

    #[test]
    fn a_record_is_tied_to_one_instance() {
        let mut record = parse_text("001 991\n245 10$ax\n999 ff$iold\n999   $alocal").unwrap();
        identify(&mut record, "in01", "instance", "source");
        let text = record.to_string();
        let expected = "001 in01\n245 10$ax\n999   $alocal\n999 ff$iinstance$ssource\n";
        assert_eq!(text.split_once('\n').unwrap().1, expected);
    }
}
