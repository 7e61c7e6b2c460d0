//! A record's data fields in the order in which rules see them, and the text of a field's
//! subfields.

use octavo_marc::{DataField, Record};

/// Tags under which a linked field in another script (880) counts as another tag, since a record
/// has only one main entry and one title.
const LINKED_TAGS: [(&str, &str); 4] = [
    ("100", "700"),
    ("110", "710"),
    ("111", "711"),
    ("245", "246"),
];

/// Data fields by tag, followed by the fields in other scripts (880) under the tags that they are
/// linked to.
pub(super) struct Fields<'a> {
    tagged: Vec<(String, &'a DataField)>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(record: &'a Record) -> Fields<'a> {
        let plain = record
            .data_fields()
            .filter(|field| field.tag != "880")
            .map(|field| (field.tag.to_string(), field));
        let linked = record
            .data("880")
            .filter_map(|field| Some((linked_tag(field)?, field)));
        Fields {
            tagged: plain.chain(linked).collect(),
        }
    }

    /// All fields with their tags.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &'a DataField)> {
        self.tagged
            .iter()
            .map(|(tag, field)| (tag.as_str(), *field))
    }

    pub(super) fn tagged<'b>(&'b self, tag: &'b str) -> impl Iterator<Item = &'a DataField> {
        self.all()
            .filter(move |(own, _)| *own == tag)
            .map(|(_, field)| field)
    }
}

/// The tag in `$6`, such as `245-01/$1`, under which an 880 field counts.
fn linked_tag(field: &DataField) -> Option<String> {
    let tag = field.get('6')?.get(..3)?;
    let counted = LINKED_TAGS.iter().find(|(linked, _)| *linked == tag);
    Some(counted.map_or(tag, |(_, counted)| counted).to_owned())
}

/// The values of these subfields in the field's order, joined by blanks.
pub(super) fn joined(field: &DataField, codes: &str) -> String {
    let values: Vec<&str> = field
        .subfields
        .iter()
        .filter(|subfield| codes.contains(subfield.code))
        .map(|subfield| subfield.value.trim())
        .filter(|value| !value.is_empty())
        .collect();
    values.join(" ")
}

/// The values of each subfield with one of the codes `starts`, each joined with the subfields
/// `followers` up to the next of `starts`.
pub(super) fn runs(field: &DataField, starts: &str, followers: &str) -> Vec<(char, String)> {
    let mut runs: Vec<(char, String)> = Vec::new();
    for subfield in &field.subfields {
        let value = subfield.value.trim();
        if value.is_empty() {
            continue;
        }
        if starts.contains(subfield.code) {
            runs.push((subfield.code, value.to_owned()));
        } else if followers.contains(subfield.code)
            && let Some((_, run)) = runs.last_mut()
        {
            run.push(' ');
            run.push_str(value);
        }
    }
    runs
}

/// The value, unless it is empty.
pub(super) fn filled(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}
