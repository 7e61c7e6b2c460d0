//! Linking rules: which bibliographic field follows which heading, and with which subfields.

use octavo_marc::{DataField, Field, Record, Subfield};

/// The subfield that names the authority.
pub const ID: char = '9';
/// The subfield that holds the authority's natural id, with the address of its file.
pub const NATURAL_ID: char = '0';

/// A linking rule: this bibliographic field may be linked to that authority field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rule {
    /// FOLIO's number of the rule.
    pub id: i32,
    /// The field of the bibliographic record.
    pub bib_field: String,
    /// The field of the authority record.
    pub authority_field: String,
    /// The subfields that follow, in the rule's order.
    pub subfields: Vec<char>,
    /// Renamed subfields: from the authority's code to the field's.
    pub modifications: Vec<(char, char)>,
    /// Subfields that the heading must have, or must not have.
    pub existence: Vec<(char, bool)>,
    /// Whether suggestions use it.
    pub auto_linking: bool,
}

/// The authority's data for a linked field.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The authority's id.
    pub id: &'a str,
    /// The whole `$0`.
    pub zero: &'a str,
    /// The heading; none when only the natural id changes.
    pub heading: Option<&'a DataField>,
}

impl Rule {
    /// Whether a heading satisfies the rule's conditions on subfields.
    #[must_use]
    pub fn admits(&self, heading: &DataField) -> bool {
        let has = |code| heading.subfields.iter().any(|one| one.code == code);
        self.existence
            .iter()
            .all(|(code, wanted)| has(*code) == *wanted)
    }

    /// The controlled subfields: renamed ones first, then the others in the heading's order.
    fn controlled(&self, heading: &DataField) -> Vec<Subfield> {
        let target = |code: char| {
            let found = self
                .modifications
                .iter()
                .find(|(source, _)| *source == code);
            found.map(|(_, target)| *target)
        };
        let of = |one: &Subfield, code: char| Subfield {
            code,
            value: one.value.clone(),
        };
        let moved = heading
            .subfields
            .iter()
            .filter_map(|one| Some(of(one, target(one.code)?)));
        let kept = heading
            .subfields
            .iter()
            .filter(|one| self.subfields.contains(&one.code) && target(one.code).is_none())
            .map(|one| of(one, one.code));
        moved.chain(kept).collect()
    }

    /// Whether a subfield of the field belongs to the heading.
    fn controls(&self, code: char) -> bool {
        let sources = |code| self.modifications.iter().any(|(source, _)| *source == code);
        let targets = self.modifications.iter().any(|(_, target)| *target == code);
        targets || self.subfields.contains(&code) && !sources(code)
    }

    /// The subfields of a linked field: the controlled ones, the two that name the authority, and its
    /// own.
    #[must_use]
    pub fn followed(&self, field: &DataField, source: Source<'_>) -> Vec<Subfield> {
        let is_name = |code: char| code == ID || code == NATURAL_ID;
        let names = [(NATURAL_ID, source.zero), (ID, source.id)].map(|(code, value)| Subfield {
            code,
            value: value.to_owned(),
        });
        let Some(heading) = source.heading else {
            // Only `$0` changes, in place.
            let mut subfields: Vec<Subfield> = field.subfields.clone();
            subfields.retain(|one| one.code != NATURAL_ID);
            let place = subfields.iter().position(|one| one.code == ID);
            let [zero, _] = names;
            subfields.insert(place.unwrap_or(subfields.len()), zero);
            return subfields;
        };
        let own = field
            .subfields
            .iter()
            .filter(|one| !is_name(one.code) && !self.controls(one.code))
            .cloned();
        let mut subfields = self.controlled(heading);
        subfields.extend(names);
        subfields.extend(own);
        subfields
    }
}

/// Whether a field names this authority.
fn is_linked(field: &DataField, authority: &str) -> bool {
    field
        .values(ID)
        .any(|value| value.eq_ignore_ascii_case(authority))
}

fn linked<'a>(
    record: &'a mut Record,
    tag: &'a str,
    authority: &'a str,
) -> impl Iterator<Item = &'a mut DataField> {
    record
        .fields
        .iter_mut()
        .filter_map(move |field| match field {
            Field::Data(data) if data.tag == tag && is_linked(data, authority) => Some(data),
            _ => None,
        })
}

/// Updates the linked fields of a rule; returns whether any changed.
pub fn follow(record: &mut Record, rule: &Rule, source: Source<'_>) -> bool {
    let mut changed = false;
    for field in linked(record, &rule.bib_field, source.id) {
        let subfields = rule.followed(field, source);
        if field.subfields != subfields {
            field.subfields = subfields;
            changed = true;
        }
    }
    changed
}

/// Unlinks an authority from the fields of a tag; returns whether any was linked.
pub fn unlink(record: &mut Record, tag: &str, authority: &str) -> bool {
    let mut changed = false;
    for field in linked(record, tag, authority) {
        field
            .subfields
            .retain(|one| one.code != ID || !one.value.eq_ignore_ascii_case(authority));
        changed = true;
    }
    changed
}

/// The `$0` of a natural id: after the address of its file, if that has one.
#[must_use]
pub fn zero(natural_id: &str, base_url: Option<&str>) -> String {
    match base_url {
        None => natural_id.to_owned(),
        Some(url) if url.ends_with('/') => format!("{url}{natural_id}"),
        Some(url) => format!("{url}/{natural_id}"),
    }
}

/// The natural id in a `$0`: what follows the last slash.
#[must_use]
pub fn natural_id(zero: &str) -> &str {
    zero.rsplit_once('/').map_or(zero, |(_, id)| id)
}

/// Checks a client's subfields of a rule; `None` without any.
///
/// # Errors
/// FOLIO's message, a parameter and its value.
pub fn checked_subfields(
    rule: &Rule,
    wanted: &[&str],
) -> Result<Option<String>, (&'static str, &'static str, String)> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let is_code = |text: &&str| {
        let mut letters = text.chars();
        let first = letters.next().filter(|_| letters.next().is_none());
        first.is_some_and(|one| one.is_ascii_lowercase() || ('1'..='8').contains(&one))
    };
    if let Some(wrong) = wanted.iter().find(|one| !is_code(one)) {
        let named = "authoritySubfields";
        return Err(("Invalid subfield value.", named, (*wrong).to_owned()));
    }
    if !rule.bib_field.starts_with('6') {
        let message = "Subfields could be updated only for 6XX fields.";
        return Err((message, "bibField", rule.bib_field.clone()));
    }
    let mut codes: Vec<char> = wanted.iter().filter_map(|one| one.chars().next()).collect();
    codes.sort_unstable_by_key(|one| (!one.is_ascii_alphabetic(), *one));
    codes.dedup();
    if codes.first() != Some(&'a') {
        let message = "Subfield 'a' is required.";
        return Err((message, "authoritySubfields", wanted.concat()));
    }
    Ok(Some(codes.into_iter().collect()))
}

#[cfg(test)]
mod tests {
    use octavo_marc::Tag;

    use super::*;

    fn field(tag: &str, subfields: &[(char, &str)]) -> DataField {
        DataField {
            tag: Tag::new(tag).expect("a tag"),
            indicators: ['1', ' '],
            subfields: subfields
                .iter()
                .map(|(code, value)| Subfield {
                    code: *code,
                    value: (*value).to_owned(),
                })
                .collect(),
        }
    }

    fn text_of(subfields: &[Subfield]) -> String {
        subfields
            .iter()
            .map(|one| format!("${}{}", one.code, one.value))
            .collect()
    }

    fn names() -> Rule {
        Rule {
            bib_field: "100".to_owned(),
            authority_field: "100".to_owned(),
            subfields: "abcdjq".chars().collect(),
            existence: vec![('t', false)],
            ..Rule::default()
        }
    }

    #[test]
    fn a_field_gets_the_heading_and_keeps_its_own() {
        let heading = field(
            "100",
            &[('a', "Woolf, Virginia,"), ('d', "1882-1941."), ('x', "no")],
        );
        let linked = field(
            "100",
            &[
                ('a', "Woolf, V."),
                ('e', "author"),
                ('0', "n1"),
                ('9', "id"),
                ('4', "aut"),
            ],
        );
        let source = Source {
            id: "id",
            zero: "http://x/n1",
            heading: Some(&heading),
        };
        assert_eq!(
            text_of(&names().followed(&linked, source)),
            "$aWoolf, Virginia,$d1882-1941.$0http://x/n1$9id$eauthor$4aut"
        );
        let renumbered = Source {
            heading: None,
            zero: "n2",
            ..source
        };
        assert_eq!(
            text_of(&names().followed(&linked, renumbered)),
            "$aWoolf, V.$eauthor$0n2$9id$4aut"
        );
        assert!(names().admits(&heading));
        assert!(!names().admits(&field("100", &[('a', "x"), ('t', "y")])));
    }

    #[test]
    fn a_title_moves_into_the_first_subfield() {
        let rule = Rule {
            bib_field: "240".to_owned(),
            authority_field: "100".to_owned(),
            subfields: "fghklmnoprst".chars().collect(),
            modifications: vec![('t', 'a')],
            existence: vec![('t', true)],
            ..Rule::default()
        };
        let heading = field(
            "100",
            &[('a', "Shakespeare"), ('t', "Hamlet"), ('l', "German")],
        );
        let linked = field(
            "240",
            &[('a', "Hamlets"), ('l', "Dutch"), ('9', "id"), ('5', "own")],
        );
        let source = Source {
            id: "id",
            zero: "n1",
            heading: Some(&heading),
        };
        assert_eq!(
            text_of(&rule.followed(&linked, source)),
            "$aHamlet$lGerman$0n1$9id$5own"
        );
    }

    #[test]
    fn only_fields_of_the_tag_that_name_the_authority_follow() {
        let heading = field("100", &[('a', "New")]);
        let mut record = Record {
            fields: [
                field("100", &[('a', "Old"), ('9', "ID")]),
                field("100", &[('a', "Old"), ('9', "other")]),
                field("700", &[('a', "Old"), ('9', "id")]),
            ]
            .map(Field::Data)
            .into(),
            ..Record::default()
        };
        let source = Source {
            id: "id",
            zero: "n1",
            heading: Some(&heading),
        };
        assert!(follow(&mut record, &names(), source));
        assert!(!follow(&mut record, &names(), source), "done already");
        let texts: Vec<_> = record.data_fields().map(|one| one.get('a')).collect();
        assert_eq!(texts, [Some("New"), Some("Old"), Some("Old")]);
        assert!(unlink(&mut record, "100", "id"));
        assert!(!unlink(&mut record, "100", "id"));
        assert_eq!(record.fields.len(), 3);
        assert_eq!(
            record.data("100").next().and_then(|one| one.get('0')),
            Some("n1")
        );
    }

    #[test]
    fn a_zero_is_an_address_and_a_natural_id() {
        assert_eq!(zero("n1", None), "n1");
        assert_eq!(
            zero("n1", Some("http://id.loc.gov/names/")),
            "http://id.loc.gov/names/n1"
        );
        assert_eq!(
            zero("n1", Some("http://id.loc.gov/names")),
            "http://id.loc.gov/names/n1"
        );
        assert_eq!(natural_id("http://id.loc.gov/names/n1"), "n1");
        assert_eq!(natural_id("n1"), "n1");
    }

    #[test]
    fn subfields_of_rules_for_subjects_may_change_but_for_the_first() {
        let subject = Rule {
            bib_field: "650".to_owned(),
            ..Rule::default()
        };
        let asked = |rule: &Rule, wanted: &[&str]| {
            checked_subfields(rule, wanted).map_err(|(message, _, value)| (message, value))
        };
        assert_eq!(
            asked(&subject, &["x", "3", "a", "x"]),
            Ok(Some("ax3".to_owned()))
        );
        assert_eq!(asked(&subject, &[]), Ok(None));
        for wrong in ["A", "9", "", "ab", "ß"] {
            assert_eq!(
                asked(&subject, &["a", wrong]),
                Err(("Invalid subfield value.", wrong.to_owned()))
            );
        }
        assert_eq!(
            asked(&subject, &["x"]),
            Err(("Subfield 'a' is required.", "x".to_owned()))
        );
        assert_eq!(
            asked(&names(), &["a"]),
            Err((
                "Subfields could be updated only for 6XX fields.",
                "100".to_owned()
            ))
        );
    }
}
