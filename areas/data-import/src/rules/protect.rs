//! A record that comes laid over one that is there: protected fields stay.

use octavo_marc::{DataField, Field, Record};

/// A protected field: `*` stands for anything, an empty indicator for a blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Protection {
    pub field: String,
    pub indicator1: String,
    pub indicator2: String,
    pub subfield: String,
    pub data: String,
}

impl Protection {
    fn protects(&self, field: &Field) -> bool {
        let named = self.field == "*" || field.tag().as_str() == self.field;
        let is = |value: &str| self.data == "*" || self.data == value;
        match field {
            Field::Control(control) => {
                let blank = [&self.indicator1, &self.indicator2, &self.subfield]
                    .iter()
                    .all(|part| part.trim().is_empty());
                named && (blank || self.field != "*") && is(&control.value)
            }
            Field::Data(data) => {
                let indicator = |wanted: &str, has: char| match wanted.chars().next() {
                    Some('*') => true,
                    Some(wanted) => wanted == has || wanted == '\\' && has == ' ',
                    None => has == ' ',
                };
                named
                    && indicator(&self.indicator1, data.indicators[0])
                    && indicator(&self.indicator2, data.indicators[1])
                    && match self.subfield.chars().next() {
                        None => false,
                        Some('*') => data.subfields.iter().any(|one| is(&one.value)),
                        Some(code) => data.get(code).is_some_and(is),
                    }
            }
        }
    }
}

/// Fields of which a record has one at most, besides those from 100 to 199.
const SINGLE: [&str; 41] = [
    "001", "002", "003", "004", "005", "008", "009", "010", "018", "036", "038", "040", "042",
    "044", "045", "066", "073", "240", "243", "245", "254", "256", "263", "306", "357", "378",
    "384", "507", "514", "663", "664", "665", "666", "675", "682", "788", "841", "842", "844",
    "882", "999",
];

/// The record that becomes of `old` when `new` comes: leader and fields of `new`, and what is protected
/// of `old`. Where a record has one field of a tag at most, the protected one keeps the new one out.
pub(crate) fn overlay(old: &Record, new: &Record, protections: &[Protection]) -> Record {
    let stays: Vec<&Field> = old
        .fields
        .iter()
        .filter(|field| {
            field.tag() == "001"
                || is_own(field)
                || protections.iter().any(|one| one.protects(field))
        })
        .collect();
    let mut fields: Vec<Field> = new
        .fields
        .iter()
        .filter(|field| !stays.iter().any(|kept| keeps_out(kept, field)))
        .cloned()
        .collect();
    for field in stays.into_iter().rev() {
        let tag = field.tag();
        let place = fields.iter().position(|other| other.tag() >= tag);
        fields.insert(place.unwrap_or(fields.len()), field.clone());
    }
    Record {
        leader: new.leader,
        fields,
    }
}

fn keeps_out(kept: &Field, new: &Field) -> bool {
    let tag = kept.tag();
    kept == new
        || tag == new.tag()
            && match tag.as_str() {
                "999" => is_own(kept) && is_own(new),
                single => single.starts_with('1') || SINGLE.contains(&single),
            }
}

fn is_own(field: &Field) -> bool {
    let own = |data: &DataField| data.tag == "999" && data.indicators == ['f', 'f'];
    matches!(field, Field::Data(data) if own(data))
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;

    use super::*;

    fn protection(field: &str, subfield: &str) -> Protection {
        Protection {
            field: field.to_owned(),
            indicator1: "*".to_owned(),
            indicator2: "*".to_owned(),
            subfield: subfield.to_owned(),
            data: "*".to_owned(),
        }
    }

    #[test]
    fn protected_fields_stay_and_others_go() {
        let old = parse_text("001 in1\n245 10$aOld\n500   $aOld note\n590   $aLocal").unwrap();
        let new = parse_text("001 x\n245 10$aNew\n500   $aNew note\n590   $aOther").unwrap();
        let kept = overlay(
            &old,
            &new,
            &[protection("590", "*"), protection("245", "z")],
        );
        let text = kept.to_string();
        let expected = "001 in1\n245 10$aNew\n500   $aNew note\n590   $aLocal\n590   $aOther\n";
        assert_eq!(text.split_once('\n').unwrap().1, expected);
        let kept = overlay(&old, &new, &[protection("245", "a")]);
        assert!(kept.to_string().contains("245 10$aOld"));
        assert!(!kept.to_string().contains("245 10$aNew"));
    }
}
