//! Overlays an incoming record on a stored one, except protected fields. No I/O.

mod protection;

pub use protection::{Protection, is_protected};

use std::collections::HashSet;

use octavo_marc::{Field, Record, Tag};

use crate::derive::own_fields::is_own;

/// Non-repeatable control fields.
const SINGLE_CONTROL: [&str; 7] = ["001", "002", "003", "004", "005", "008", "009"];

/// Non-repeatable data fields, besides those from 100 to 199.
const SINGLE_DATA: [&str; 35] = [
    "010", "018", "036", "038", "040", "042", "044", "045", "066", "073", "240", "243", "245",
    "254", "256", "263", "306", "357", "378", "384", "507", "514", "663", "664", "665", "666",
    "675", "682", "788", "841", "842", "844", "882", "130", "100",
];

/// Overlays `new` on `old`.
///
/// Leader and fields are those of `new`. Protected fields of `old` stay. A protected non-repeatable
/// field replaces the new one; otherwise both are present, without duplicates. The control number and
/// the field with the catalogue's ids are always protected.
#[must_use]
pub fn overlay(old: &Record, new: &Record, protections: &[Protection]) -> Record {
    let (own, mut stays): (Vec<&Field>, Vec<&Field>) = old
        .fields
        .iter()
        .filter(|field| is_always_protected(field) || is_protected(field, protections))
        .partition(|field| is_own(field));
    let kept = ProtectedFields::of(own.iter().chain(&stays).copied());
    // Each is inserted before the first field of its tag or a higher one; the sort is stable for equal
    // tags.
    stays.sort_by_key(|field| field.tag());
    let mut stays = stays.into_iter().peekable();
    let mut fields: Vec<Field> = Vec::with_capacity(new.fields.len() + own.len() + stays.len());
    for field in new.fields.iter().filter(|field| !kept.keeps_out(field)) {
        while let Some(before) = stays.next_if(|stays| stays.tag() <= field.tag()) {
            fields.push(before.clone());
        }
        fields.push(field.clone());
    }
    // The field with the catalogue's ids is the last.
    fields.extend(stays.chain(own).cloned());
    Record {
        leader: new.leader,
        fields,
    }
}

fn is_always_protected(field: &Field) -> bool {
    field.tag() == "001" || is_own(field)
}

/// Indexes of the protected fields, since a record may have very many fields: comparing each with each
/// would be quadratic.
#[derive(Default)]
struct ProtectedFields<'a> {
    fields: HashSet<&'a Field>,
    /// Protected tags of non-repeatable control fields.
    single_control: HashSet<Tag>,
    /// Protected tags of non-repeatable data fields.
    single_data: HashSet<Tag>,
    has_own: bool,
}

impl<'a> ProtectedFields<'a> {
    fn of(stays: impl Iterator<Item = &'a Field>) -> ProtectedFields<'a> {
        let mut kept = ProtectedFields::default();
        for field in stays {
            kept.fields.insert(field);
            kept.has_own |= is_own(field);
            if is_single(field) {
                let singles = match field {
                    Field::Control(_) => &mut kept.single_control,
                    Field::Data(_) => &mut kept.single_data,
                };
                singles.insert(field.tag());
            }
        }
        kept
    }

    /// Whether a protected field excludes a new one.
    fn keeps_out(&self, new: &Field) -> bool {
        let singles = match new {
            Field::Control(_) => &self.single_control,
            Field::Data(_) => &self.single_data,
        };
        singles.contains(&new.tag()) || self.has_own && is_own(new) || self.fields.contains(new)
    }
}

/// Whether the tag is non-repeatable.
fn is_single(field: &Field) -> bool {
    let tag = field.tag();
    let tag = tag.as_str();
    match field {
        Field::Control(_) => SINGLE_CONTROL.contains(&tag),
        Field::Data(_) => tag.starts_with('1') || SINGLE_DATA.contains(&tag),
    }
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;
    use serde_json::json;

    use super::*;

    /// Protections as lines of five words: field, indicators, subfield, data; `_` is empty.
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
        // Overlaying the same record again changes nothing.
        let again = overlay(&overlaid, &record(new), &protections(protected));
        assert_eq!(again, overlaid);
    }

    /// A naive model of the merge: each new field is compared with all protected ones.
    fn one_by_one(old: &Record, new: &Record, protections: &[Protection]) -> Vec<Field> {
        let keeps_out = |kept: &&Field, new: &Field| {
            let of_one_kind = matches!(
                (kept, new),
                (Field::Control(_), Field::Control(_)) | (Field::Data(_), Field::Data(_))
            );
            let one_at_most = is_single(kept) || is_own(kept) && is_own(new);
            *kept == new || of_one_kind && kept.tag() == new.tag() && one_at_most
        };
        let stays = old.fields.iter();
        let stays: Vec<&Field> = stays
            .filter(|field| is_always_protected(field) || is_protected(field, protections))
            .collect();
        let comes = |field: &&Field| !stays.iter().any(|kept| keeps_out(kept, field));
        let mut fields: Vec<Field> = new.fields.iter().filter(comes).cloned().collect();
        for field in stays.iter().rev().filter(|field| !is_own(field)) {
            let at = fields.iter().position(|other| other.tag() >= field.tag());
            fields.insert(at.unwrap_or(fields.len()), (*field).clone());
        }
        fields.extend(stays.into_iter().filter(|field| is_own(field)).cloned());
        fields
    }

    #[test]
    fn the_merge_is_what_one_by_one_gives() {
        let lines = [
            "001 a",
            "001 b",
            "006 a",
            "006 b",
            "008 a",
            "100 1 $aA",
            "100 1 $aB",
            "245 10$aA",
            "500   $aA",
            "500   $aB",
            "500 1 $aA",
            "999   $aA",
            "999 ff$iA",
            "999 ff$iB",
            "LKR   $aA",
        ];
        let protected = protections(&["006 _ _ _ *", "100 * * * *", "500 _ _ * *", "LKR * * * *"]);
        let mut state = 1_u64;
        let mut below = |end: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % end
        };
        for _ in 0..2_000 {
            // In any order and any number: what is stored is not always sorted.
            let mut record = || {
                let count = 1 + below(12);
                let chosen: Vec<&str> = (0..count).map(|_| lines[below(lines.len())]).collect();
                parse_text(&chosen.join("\n")).expect("a record")
            };
            let (old, new) = (record(), record());
            for protections in [&protected[..], &[]] {
                let overlaid = overlay(&old, &new, protections);
                let expected = one_by_one(&old, &new, protections);
                assert_eq!(overlaid.fields, expected, "{old}\n{new}");
            }
        }
    }

    #[test]
    fn a_record_of_very_many_fields_is_laid_over_another() {
        let of = |word: &str| {
            let lines: Vec<String> = (0..50_000)
                .map(|at| format!("{} 11$a{word}{at}", 900 + at % 100))
                .collect();
            parse_text(&lines.join("\n")).expect("a record")
        };
        let begun = std::time::Instant::now();
        let overlaid = overlay(&of("old"), &of("new"), &protections(&["* * * * *"]));
        assert_eq!(overlaid.fields.len(), 100_000);
        // Compared each with each, and moved once for each, it would take minutes.
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
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
        becomes(
            old,
            "245 10$aT",
            &["650 _ 7 2 fast"],
            "245 10$aT\n650  7$ab$2fast",
        );
        becomes(
            old,
            "245 10$aT",
            &["650 * * * fast"],
            "245 10$aT\n650  7$ab$2fast",
        );
        becomes(
            old,
            "245 10$aT",
            &["650 * 0 2 *"],
            "245 10$aT\n650  0$aa$2x",
        );
        becomes(
            old,
            "245 10$aT",
            &["650 1 7 2 *", "650 _ 7 9 *"],
            "245 10$aT",
        );
        becomes(
            old,
            "245 10$aT",
            &["* * * 2 gnd"],
            "245 10$aT\n650  7$ac$2gnd",
        );
    }

    #[test]
    fn a_star_for_all_fields_is_of_control_fields_only_without_subfields() {
        becomes(
            "003 A\n500   $aA",
            "245 10$aT",
            &["* * * * *"],
            "245 10$aT\n500   $aA",
        );
        becomes(
            "003 A\n500   $aA",
            "245 10$aT",
            &["* _ _ _ *"],
            "003 A\n245 10$aT",
        );
        becomes(
            "003 A\n005 B",
            "245 10$aT",
            &["003 _ _ _ A", "005 _ _ _ C"],
            "003 A\n245 10$aT",
        );
    }
}
