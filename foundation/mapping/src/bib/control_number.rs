//! Control numbers before and after a record enters the catalogue.
//!
//! In the catalogue 001 is the instance's HRID and 999 (indicators f and f) links the record to its
//! instance; the original control number moves to 035.

use std::collections::HashMap;

use octavo_marc::{ControlField, DataField, Field, Record, Subfield, Tag};

/// Indicators of the catalogue's own 999 field.
const OWN: [char; 2] = ['f', 'f'];

/// The prefix of OCLC numbers in 035.
const OCLC: &str = "(OCoLC)";

/// The prefixes that OCLC itself puts before its numbers.
const OCLC_PREFIXES: [&str; 3] = ["ocm", "ocn", "on"];

/// Moves the control number (001) to an 035 field, prefixed by the code of its source (003) in
/// parentheses, unless an 035 has it already. Fields 001 and 003 are removed, and OCLC numbers are
/// normalized.
pub fn keep_control_number(record: &mut Record) {
    if let Some(number) = take_control_number(record) {
        keep_number(record, number);
    }
    normalize_oclc(record);
}

/// Removes the control number and the code of its source (003). Returns it in the form of an 035,
/// unchanged and with trailing blanks.
pub fn take_control_number(record: &mut Record) -> Option<String> {
    let of = |tag| record.control(tag).filter(|value| !value.trim().is_empty());
    let taken = match (of("001"), of("003")) {
        (None, _) => None,
        (Some(number), None) => Some(number.to_owned()),
        (Some(number), Some(source)) => Some(format!("({source}){number}")),
    };
    record.fields.retain(|field| match field {
        Field::Control(control) => control.tag != "001" && control.tag != "003",
        Field::Data(_) => true,
    });
    taken
}

/// Adds an 035 with this number, unless one exists.
pub fn keep_number(record: &mut Record, number: String) {
    let known = record
        .data("035")
        .flat_map(|field| field.values('a'))
        .any(|known| known == number.trim());
    if known {
        return;
    }
    let subfields = vec![Subfield {
        code: 'a',
        value: number,
    }];
    insert(
        record,
        DataField {
            tag: tag("035"),
            indicators: [' ', ' '],
            subfields,
        },
    );
}

/// Normalizes OCLC numbers in 035: without prefix letters and leading zeros. Of several numbers
/// that then are equal the last one stays, as in FOLIO.
pub fn normalize_oclc(record: &mut Record) {
    let mut left: HashMap<(char, String), usize> = HashMap::new();
    for field in &mut record.fields {
        let Field::Data(data) = field else { continue };
        if data.tag != "035" {
            continue;
        }
        for subfield in data.subfields.iter_mut().filter(|one| is_oclc(&one.value)) {
            if let Some(number) = one_oclc(&subfield.value) {
                subfield.value = number;
            }
            let key = (subfield.code, subfield.value.clone());
            *left.entry(key).or_default() += 1;
        }
    }
    if left.values().all(|times| *times < 2) {
        return;
    }
    record.fields.retain_mut(|field| {
        let Field::Data(data) = field else {
            return true;
        };
        if data.tag != "035" || data.subfields.is_empty() {
            return true;
        }
        data.subfields.retain(|subfield| {
            let key = (subfield.code, subfield.value.clone());
            match left.get_mut(&key) {
                Some(times) if *times > 1 => {
                    *times -= 1;
                    false
                }
                _ => true,
            }
        });
        !data.subfields.is_empty()
    });
}

fn is_oclc(value: &str) -> bool {
    value.trim().starts_with(OCLC)
}

/// A normalized OCLC number; `None` for a value without digits.
fn one_oclc(value: &str) -> Option<String> {
    let whole: String = value
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '.')
        .collect();
    let mut places = whole.match_indices(OCLC);
    places.find_map(|(at, _)| {
        let number = &whole[at + OCLC.len()..];
        let end = number.find(|c: char| !c.is_ascii_alphabetic());
        let (letters, digits) = number.split_at(end.unwrap_or(number.len()));
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        // What follows the number, such as a volume, is dropped.
        let end = digits.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let digits = &digits[..end.unwrap_or(digits.len())];
        let significant = match digits.trim_start_matches('0') {
            rest if rest.starts_with(|c: char| c.is_ascii_digit()) => rest,
            // A number of zeros only keeps its last zero.
            rest => &digits[digits.len() - rest.len() - 1..],
        };
        let is_own = OCLC_PREFIXES.iter().any(|own| letters.starts_with(own));
        let letters = if is_own { "" } else { letters };
        Some(format!("{OCLC}{letters}{significant}"))
    })
}

/// Links the record to its instance: 001 becomes the HRID, and the catalogue's 999 gets the
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
        check("001 991 \n003 NoOU", "035   $a(NoOU)991 \n");
        check("001 991 \n035   $a991", "035   $a991\n");
        check("003 OCoLC\n245 10$ax", "245 10$ax\n");
    }

    #[test]
    fn numbers_of_oclc_are_written_in_one_way() {
        let normal = |given: &str, kept: &str| check(given, kept);
        normal(
            "035   $a(OCoLC)ocm 0001.2$z(OCoLC)tfe007\n035   $a(OCoLC)12\n035   $a(DE)0012\n035   $a(OCoLC)none",
            "035   $z(OCoLC)tfe7\n035   $a(OCoLC)12\n035   $a(DE)0012\n035   $a(OCoLC)none\n",
        );
        normal("035   $a(OCoLC)ocm00012-3", "035   $a(OCoLC)12\n");
        normal("035   $a(OCoLC)on0000x", "035   $a(OCoLC)0x\n");
        normal("035   $a(OCoLC) 0042x", "035   $a(OCoLC)42x\n");
        normal(
            "001 ocm00012\n003 OCoLC\n035   $a(OCoLC)0012\n245 10$aT",
            "035   $a(OCoLC)12\n245 10$aT\n",
        );
    }

    #[test]
    fn very_many_numbers_of_oclc_are_distinguished() {
        let numbers: String = (0..100_000).map(|at| format!("$a(OCoLC)0{at}1")).collect();
        let mut many = parse_text(&format!("035   {numbers}\n035   {numbers}\n245 10$aT")).unwrap();
        let begun = std::time::Instant::now();
        normalize_oclc(&mut many);
        let left: Vec<usize> = many.data("035").map(|one| one.subfields.len()).collect();
        assert_eq!(left, [100_000]);
        // Comparing each number with all before it would take minutes.
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
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
