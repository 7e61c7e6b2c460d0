//! Detects whether a record was changed since it was loaded.

use octavo_mapping::fixed::{keep_control_number, normalize_oclc};
use octavo_marc::{Field, Leader, Record};

/// Positions of the leader that writers compute, and the one that says which characters the bytes are
/// in: they are not part of the content.
const COMPUTED: [std::ops::Range<usize>; 3] = [0..5, 9..10, 12..17];

/// Whether a record equals the loaded one, except for what loading changes in every record: the control
/// number is moved to 035, 001 is the HRID, and 999 ff has the catalogue's ids.
#[must_use]
pub fn is_unchanged(came: Record, now: &Record) -> bool {
    let mut came = came;
    keep_control_number(&mut came);
    came.fields.retain(|field| !is_own(field));
    let same = |now: &Record| {
        let today = now.fields.iter().filter(|field| !is_catalogues(field));
        today.eq(came.fields.iter())
    };
    // Records loaded by an earlier release have unnormalised OCLC numbers.
    let as_today = || {
        let mut now = now.clone();
        normalize_oclc(&mut now);
        now
    };
    same_leader(came.leader, now.leader) && (same(now) || same(&as_today()))
}

/// Whether it is the field with the catalogue's ids.
#[must_use]
pub fn is_own(field: &Field) -> bool {
    matches!(field, Field::Data(data) if data.tag == "999" && data.indicators == ['f', 'f'])
}

fn is_catalogues(field: &Field) -> bool {
    is_own(field) || matches!(field, Field::Control(control) if control.tag == "001")
}

pub(super) fn same_leader(one: Leader, other: Leader) -> bool {
    let is_compared = |position: &usize| !COMPUTED.iter().any(|range| range.contains(position));
    (0..Leader::LENGTH)
        .filter(is_compared)
        .all(|position| one.at(position) == other.at(position))
}

#[cfg(test)]
mod tests {
    use octavo_mapping::fixed::identify;
    use octavo_marc::{parse_iso2709, parse_text, write_iso2709};

    use super::*;

    fn loaded(text: &str) -> (Record, Record) {
        let came = parse_text(text).unwrap();
        let mut now = came.clone();
        keep_control_number(&mut now);
        identify(&mut now, "in01", "instance", "source");
        (came, now)
    }

    const TEXT: &str = "001 991\n003 NoOU\n500   $aOne\n245 10$aBridges\n500   $aTwo\n999 ff$iold";

    #[test]
    fn what_loading_does_is_no_change() {
        let (came, now) = loaded(TEXT);
        assert!(is_unchanged(came, &now));
        // Through the stored bytes: lengths are in the leader then.
        let (came, now) = loaded(TEXT);
        let (raw, _) = parse_iso2709(&write_iso2709(&came).unwrap()).unwrap();
        assert!(is_unchanged(raw, &now));
        let (came, now) = loaded("245 10$aNo number");
        assert!(is_unchanged(came, &now));
        let numbers = "001 1 \n003 X\n035   $a(OCoLC)ocm0012\n035   $a(OCoLC)12\n245 10$aT";
        let (came, mut now) = loaded(numbers);
        assert!(is_unchanged(came.clone(), &now));
        now.fields[1] = parse_text("035   $a(OCoLC)0012").unwrap().fields.remove(0);
        assert!(is_unchanged(came, &now), "as an earlier release kept it");
    }

    #[test]
    fn every_other_difference_is_one() {
        let changes: [fn(&mut Record); 5] = [
            |record| record.leader.set(5, 'd'),
            |record| record.fields.swap(1, 2),
            |record| drop(record.fields.remove(3)),
            |record| {
                if let Some(Field::Data(field)) = record.fields.last_mut() {
                    field.indicators = [' ', ' '];
                }
            },
            |record| record.fields.push(record.fields[2].clone()),
        ];
        for (number, change) in changes.iter().enumerate() {
            let (came, mut now) = loaded(TEXT);
            change(&mut now);
            assert!(!is_unchanged(came, &now), "change {number}");
        }
    }
}
