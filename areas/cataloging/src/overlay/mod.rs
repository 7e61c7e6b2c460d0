//! A record that comes laid over one that is there: what replaces what, and which fields are protected
//! from it. No I/O.

mod protection;

pub use protection::{Protection, is_protected};

use octavo_marc::{ControlField, DataField, Field, Record};

use crate::derive::own_fields::is_own;

/// Control fields of which a record has one at most.
const SINGLE_CONTROL: [&str; 7] = ["001", "002", "003", "004", "005", "008", "009"];

/// Data fields of which a record has one at most, besides those from 100 to 199.
const SINGLE_DATA: [&str; 35] = [
    "010", "018", "036", "038", "040", "042", "044", "045", "066", "073", "240", "243", "245", "254",
    "256", "263", "306", "357", "378", "384", "507", "514", "663", "664", "665", "666", "675", "682",
    "788", "841", "842", "844", "882", "130", "100",
];

/// The record that becomes of `old` when `new` comes.
///
/// Leader and fields are those of `new`. A protected field of `old` stays. Where a record has one field
/// of a tag at most, the protected one keeps the new one out; else both are there, and once if they are
/// the same. The control number and the field that ties the record to the catalogue are always
/// protected.
#[must_use]
pub fn overlay(old: &Record, new: &Record, protections: &[Protection]) -> Record {
    let stays: Vec<&Field> = old
        .fields
        .iter()
        .filter(|field| is_always_protected(field) || is_protected(field, protections))
        .collect();
    let mut fields: Vec<Field> = new
        .fields
        .iter()
        .filter(|field| !stays.iter().any(|kept| keeps_out(kept, field)))
        .cloned()
        .collect();
    // From the last to the first, so that fields of one tag keep their order.
    for field in stays.into_iter().rev() {
        let place = place_of(&fields, field);
        fields.insert(place, field.clone());
    }
    Record {
        leader: new.leader,
        fields,
    }
}

fn is_always_protected(field: &Field) -> bool {
    field.tag() == "001" || is_own(field)
}

/// Whether a new field does not come beside one that stays.
fn keeps_out(kept: &Field, new: &Field) -> bool {
    if kept == new {
        return true;
    }
    match (kept, new) {
        (Field::Control(kept), Field::Control(new)) => kept.tag == new.tag && is_single(kept),
        (Field::Data(kept), Field::Data(new)) => kept.tag == new.tag && is_single_data(kept, new),
        _ => false,
    }
}

fn is_single(field: &ControlField) -> bool {
    SINGLE_CONTROL.contains(&field.tag.as_str())
}

fn is_single_data(kept: &DataField, new: &DataField) -> bool {
    let tag = kept.tag.as_str();
    if tag == "999" {
        let own = |field: &DataField| is_own(&Field::Data(field.clone()));
        return own(kept) && own(new);
    }
    tag.starts_with('1') || SINGLE_DATA.contains(&tag)
}

/// Where a field that stays is put among the others: before the first of its tag or of a higher one;
/// the one that ties the record to the catalogue behind all.
fn place_of(fields: &[Field], field: &Field) -> usize {
    if is_own(field) {
        return fields.len();
    }
    let after = fields.iter().position(|other| other.tag() >= field.tag());
    after.unwrap_or(fields.len())
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;
    use serde_json::json;

    use super::*;

    /// Protections as lines of five words: field, indicators, subfield, data; `_` is nothing.
    fn protections(lines: &[&str]) -> Vec<Protection> {
        let one = |line: &&str| {
            let words: Vec<&str> = line.split(' ').collect();
            let word = |at: usize| words[at].replace('_', "");
            Protection::of(&json!({
                "field": word(0), "indicator1": word(1), "indicator2": word(2),
                "subfield": word(3), "data": word(4),
            }))
        };
        lines.iter().map(one).collect()
    }

    #[track_caller]
    fn becomes(old: &str, new: &str, protected: &[&str], expected: &str) {
        let record = |text: &str| parse_text(text).expect("a record");
        let overlaid = overlay(&record(old), &record(new), &protections(protected));
        let shown = overlaid.to_string();
        let fields: Vec<&str> = shown.lines().skip(1).collect();
        assert_eq!(fields.join("\n"), expected);
        // Laying the same record over it again changes nothing.
        let again = overlay(&overlaid, &record(new), &protections(protected));
        assert_eq!(again, overlaid);
    }

    #[test]
    fn what_is_not_protected_is_what_comes() {
        becomes(
            "008 old\n245 10$aOld\n500   $aGone",
            "008 new\n245 00$aNew\n650  0$aNew",
            &[],
            "008 new\n245 00$aNew\n650  0$aNew",
        );
    }

    #[test]
    fn the_number_and_the_tie_always_stay() {
        becomes(
            "001 in1\n999 ff$i1$s2\n999   $agone",
            "001 foreign\n245 10$aT\n999 ff$s9\n999   $alocal",
            &[],
            "001 in1\n245 10$aT\n999   $alocal\n999 ff$i1$s2",
        );
    }

    #[test]
    fn a_protected_field_that_there_is_one_of_keeps_the_new_one_out() {
        becomes(
            "008 old\n100 1 $aOld\n245 10$aOld",
            "008 new\n100 0 $aNew\n245 00$aNew",
            &["008 _ _ _ *", "100 * * * *"],
            "008 old\n100 1 $aOld\n245 00$aNew",
        );
    }

    #[test]
    fn protected_fields_that_may_repeat_stay_beside_new_ones_and_once() {
        becomes(
            "590   $aours\n590   $aboth\n650  0$aold",
            "590   $aboth\n590   $atheirs\n650  0$anew",
            &["590 * * * *"],
            "590   $aours\n590   $aboth\n590   $atheirs\n650  0$anew",
        );
        becomes("006 a\n007 b", "006 c", &["006 _ _ _ *"], "006 a\n006 c");
    }

    #[test]
    fn a_protection_is_of_indicators_a_subfield_and_what_it_holds() {
        let old = "650  0$aa$2x\n650  7$ab$2fast\n650  7$ac$2gnd";
        becomes(old, "245 10$aT", &["650 _ 7 2 fast"], "245 10$aT\n650  7$ab$2fast");
        becomes(old, "245 10$aT", &["650 * * * fast"], "245 10$aT\n650  7$ab$2fast");
        becomes(old, "245 10$aT", &["650 * 0 2 *"], "245 10$aT\n650  0$aa$2x");
        becomes(old, "245 10$aT", &["650 1 7 2 *", "650 _ 7 9 *"], "245 10$aT");
        becomes(
            old,
            "245 10$aT",
            &["* * * 2 gnd"],
            "245 10$aT\n650  7$ac$2gnd",
        );
    }

    #[test]
    fn a_star_for_all_fields_is_of_control_fields_only_without_subfields() {
        becomes("003 A\n500   $aA", "245 10$aT", &["* * * * *"], "245 10$aT\n500   $aA");
        becomes("003 A\n500   $aA", "245 10$aT", &["* _ _ _ *"], "003 A\n245 10$aT");
        becomes("003 A\n005 B", "245 10$aT", &["003 _ _ _ A", "005 _ _ _ C"], "003 A\n245 10$aT");
    }
}
