//! The fields of a MARC record that are the catalogue's own: 001 is the human-readable id, 005 the last
//! change, and 999 with the indicators f and f has the ids of the described record (`$i`) and of the
//! source record's generations (`$s`). A foreign control number moves to 035. No I/O.

use jiff::Timestamp;
use octavo_library::MatchedId;
pub use octavo_mapping::bib::{keep_number, normalize_oclc, take_control_number};
use octavo_marc::{ControlField, DataField, Field, Leader, Record, Subfield, Tag, write_iso2709};
use uuid::Uuid;

/// The tag of the field with the catalogue's ids.
pub const OWN_TAG: &str = "999";
pub const OWN_INDICATORS: [char; 2] = ['f', 'f'];

/// Whether a field is the one with the catalogue's ids.
#[must_use]
pub fn is_own(field: &Field) -> bool {
    matches!(field, Field::Data(data)
        if data.tag == OWN_TAG && data.indicators == OWN_INDICATORS)
}

/// A subfield of the record's own field.
#[must_use]
pub fn own_id(record: &Record, code: char) -> Option<Uuid> {
    let own = record.fields.iter().filter(|field| is_own(field));
    let mut values = own.filter_map(|field| match field {
        Field::Data(data) => data.get(code),
        Field::Control(_) => None,
    });
    values.find_map(|id| Uuid::try_parse(id.trim()).ok())
}

/// Removes the fields 035 whose `$a` is our own number, which is in 001.
pub fn drop_own_number(record: &mut Record, hrid: &str) {
    record.fields.retain(|field| match field {
        Field::Data(data) => data.tag != "035" || data.get('a').map(str::trim) != Some(hrid),
        Field::Control(_) => true,
    });
}

/// Sets the control number, the first field.
pub fn set_control_number(record: &mut Record, number: &str) {
    record
        .fields
        .retain(|field| !matches!(field, Field::Control(control) if control.tag == "001"));
    let field = ControlField {
        tag: tag("001"),
        value: number.to_owned(),
    };
    record.fields.insert(0, Field::Control(field));
}

/// Sets the catalogue's ids in 999 ff; an existing field keeps its position and its other subfields.
pub fn tie(record: &mut Record, entity: Uuid, matched: MatchedId) {
    let place = record.fields.iter().position(is_own);
    let other: Vec<Subfield> = match place.map(|at| &record.fields[at]) {
        Some(Field::Data(data)) => data
            .subfields
            .iter()
            .filter(|subfield| !matches!(subfield.code, 'i' | 's'))
            .cloned()
            .collect(),
        _ => Vec::new(),
    };
    let subfield = |code, value| Subfield { code, value };
    let mut subfields = vec![
        subfield('i', entity.to_string()),
        subfield('s', matched.to_string()),
    ];
    subfields.extend(other);
    let own = Field::Data(DataField {
        tag: tag(OWN_TAG),
        indicators: OWN_INDICATORS,
        subfields,
    });
    let at = place.unwrap_or(record.fields.len());
    let mut index = 0;
    record.fields.retain(|field| {
        index += 1;
        index - 1 == at || !is_own(field)
    });
    match place {
        Some(at) => record.fields[at] = own,
        None => record.fields.push(own),
    }
}

/// Sets 005: when the record was last changed, to a tenth of a second.
pub fn set_last_change(record: &mut Record, at: Timestamp) {
    let tenth = at.subsec_millisecond() / 100;
    let value = format!("{}.{tenth}", at.strftime("%Y%m%d%H%M%S"));
    let known = record.fields.iter_mut().find_map(|field| match field {
        Field::Control(control) if control.tag == "005" => Some(control),
        _ => None,
    });
    match known {
        Some(control) => control.value = value,
        None => insert(
            record,
            Field::Control(ControlField {
                tag: tag("005"),
                value,
            }),
        ),
    }
}

/// Sets the lengths in the leader to those of the record as it is exchanged.
pub fn set_lengths(record: &mut Record) {
    if let Ok(bytes) = write_iso2709(record)
        && let Some(leader) = bytes.get(..Leader::LENGTH)
    {
        let written = Leader::from_bytes(leader);
        for position in (0..5).chain(12..17) {
            record.leader.set(position, written.at(position));
        }
    }
}

/// Inserts a field before the first of a higher tag.
fn insert(record: &mut Record, field: Field) {
    let place = record
        .fields
        .iter()
        .position(|other| other.tag() > field.tag())
        .unwrap_or(record.fields.len());
    record.fields.insert(place, field);
}

fn tag(text: &str) -> Tag {
    Tag::new(text).expect("invariant: a tag of three digits")
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;

    use super::*;

    fn record(text: &str) -> Record {
        parse_text(text).expect("a record")
    }

    #[track_caller]
    fn becomes(before: &str, change: impl FnOnce(&mut Record), after: &str) {
        let mut changed = record(before);
        change(&mut changed);
        let shown = changed.to_string();
        assert_eq!(shown.lines().skip(1).collect::<Vec<_>>().join("\n"), after);
    }

    #[test]
    fn a_foreign_number_moves_to_035_once() {
        let keep = |record: &mut Record| {
            let number = take_control_number(record).expect("a number");
            keep_number(record, number);
            normalize_oclc(record);
        };
        becomes(
            "001 ocm00012\n003 OCoLC\n008 x\n245 10$aT",
            keep,
            "008 x\n035   $a(OCoLC)12\n245 10$aT",
        );
        becomes("001 77\n035   $a77", keep, "035   $a77");
        becomes("001 77\n003 DE-1", keep, "035   $a(DE-1)77");
        let mut without = record("245 10$aT");
        assert_eq!(take_control_number(&mut without), None);
    }

    #[test]
    fn our_own_number_stands_in_001_alone() {
        becomes(
            "035   $ain7\n035   $a(X)in7\n245 10$aT",
            |record| {
                drop_own_number(record, "in7");
                set_control_number(record, "in7");
            },
            "001 in7\n035   $a(X)in7\n245 10$aT",
        );
    }

    #[test]
    fn a_record_is_tied_once_and_in_its_place() {
        let (one, two) = (Uuid::from_u128(1), MatchedId::from_u128(2));
        let tied = format!("$i{one}$s{two}");
        becomes(
            "245 10$aT",
            |record| tie(record, one, two),
            &format!("245 10$aT\n999 ff{tied}"),
        );
        becomes(
            "999 ff$sx$ly\n999   $aother\n999 ff$iz",
            |record| tie(record, one, two),
            &format!("999 ff{tied}$ly\n999   $aother"),
        );
        let mut twice = record("245 10$aT");
        tie(&mut twice, one, two);
        assert_eq!(own_id(&twice, 'i'), Some(one));
        assert_eq!(own_id(&twice, 's'), Some(two.uuid()));
    }

    #[test]
    fn the_last_change_is_said_to_a_tenth_of_a_second() {
        let at = "2026-03-01T12:30:45.678Z".parse().expect("an instant");
        becomes(
            "001 a\n008 b",
            |record| set_last_change(record, at),
            "001 a\n005 20260301123045.6\n008 b",
        );
        becomes(
            "005 x",
            |record| set_last_change(record, at),
            "005 20260301123045.6",
        );
    }

    #[test]
    fn lengths_are_those_of_the_written_record() {
        let mut record = record("LEADER 99999nam a2299999   4500\n001 a\n245 10$aT");
        set_lengths(&mut record);
        assert_eq!(record.leader.as_str(), "00058nam a2200049   4500");
    }
}
