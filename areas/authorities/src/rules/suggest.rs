//! Suggestions of links: the authority that a field names, and whether a rule allows the link.

use std::collections::BTreeSet;

use octavo_marc::{DataField, Record, Subfield, Tag};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::linking::{ID, NATURAL_ID, Rule, Source, natural_id, zero};

/// What a field names authorities by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The natural id in `$0`.
    NaturalId,
    /// The id in `$9`.
    Id,
}

impl By {
    fn code(self) -> char {
        match self {
            By::NaturalId => NATURAL_ID,
            By::Id => ID,
        }
    }
}

/// An authority that fields could be linked to.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub id: Uuid,
    pub natural_id: String,
    /// The address of its file.
    pub base_url: Option<String>,
    /// Its MARC record.
    pub record: Record,
}

/// FOLIO's error codes of fields without a suggestion.
const NONE_FOUND: &str = "101";
const SEVERAL_FOUND: &str = "102";
const NOT_WANTED: &str = "103";

/// The options of suggestions.
#[derive(Debug, Clone, Copy)]
pub struct SuggestionOptions<'a> {
    pub rules: &'a [Rule],
    /// What fields name authorities by.
    pub by: By,
    /// Whether rules without auto-linking count too.
    pub all_rules: bool,
}

impl SuggestionOptions<'_> {
    fn rules_for(&self, tag: &str) -> Vec<&Rule> {
        self.rules
            .iter()
            .filter(|rule| rule.bib_field == tag)
            .collect()
    }

    fn is_used(&self, rule: &Rule) -> bool {
        self.all_rules || rule.auto_linking
    }

    /// The values by which the fields of these records name authorities. Fields without a usable rule
    /// are marked.
    pub fn names(&self, records: &mut [Value]) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (tag, field) in fields(records) {
            let rules = self.rules_for(tag);
            if rules.is_empty() {
                continue;
            }
            let values = values(field, self.by.code());
            if rules.iter().any(|rule| self.is_used(rule)) {
                names.extend(values.iter().map(|value| match self.by {
                    By::NaturalId => natural_id(value).to_owned(),
                    By::Id => (*value).to_owned(),
                }));
            } else if !values.is_empty() {
                field.insert("linkDetails".to_owned(), error(NOT_WANTED));
            }
        }
        names
    }

    /// Links fields that name a candidate if a rule allows it; marks the others.
    pub fn fill(&self, records: &mut [Value], candidates: &[Candidate]) {
        for (tag, field) in fields(records) {
            if values(field, self.by.code()).is_empty() {
                continue;
            }
            let details = |name: &str| {
                field
                    .get("linkDetails")
                    .map(|details| details[name].clone())
            };
            if candidates.is_empty() {
                let cause = details("errorCause").unwrap_or_default();
                if cause.as_str().unwrap_or_default().is_empty() {
                    field.insert("linkDetails".to_owned(), error(NONE_FOUND));
                }
                continue;
            }
            let rules = self.rules_for(tag);
            if rules.is_empty() || details("status").is_some_and(|status| status == "NEW") {
                continue;
            }
            self.link(tag, field, &rules, candidates);
        }
    }

    fn link(
        &self,
        tag: &str,
        field: &mut Map<String, Value>,
        rules: &[&Rule],
        candidates: &[Candidate],
    ) {
        let mut why = NOT_WANTED;
        for rule in rules.iter().filter(|rule| self.is_used(rule)) {
            let mut suitable = candidates.iter().filter_map(|one| {
                let heading = named(field, one).then(|| admitted(rule, &one.record))??;
                Some((one, heading))
            });
            let Some((candidate, heading)) = suitable.next() else {
                why = NONE_FOUND;
                continue;
            };
            if suitable.next().is_some() {
                why = SEVERAL_FOUND;
                continue;
            }
            follow(tag, field, rule, candidate, heading);
            return;
        }
        field.insert("linkDetails".to_owned(), error(why));
    }
}

fn error(cause: &str) -> Value {
    json!({"status": "ERROR", "errorCause": cause})
}

/// The heading of a rule's field, if it satisfies the rule.
fn admitted<'a>(rule: &Rule, record: &'a Record) -> Option<&'a DataField> {
    let mut headings = record
        .data_fields()
        .filter(|one| one.tag == rule.authority_field.as_str());
    let heading = headings.next().filter(|heading| rule.admits(heading));
    heading.filter(|_| headings.next().is_none())
}

/// Whether a field names a candidate, by its natural id or by its id.
fn named(field: &Map<String, Value>, candidate: &Candidate) -> bool {
    let natural = values(field, NATURAL_ID);
    let id = candidate.id.to_string();
    natural
        .iter()
        .any(|value| natural_id(value) == candidate.natural_id)
        || values(field, ID).iter().any(|value| **value == id)
}

fn follow(
    tag: &str,
    field: &mut Map<String, Value>,
    rule: &Rule,
    candidate: &Candidate,
    heading: &DataField,
) {
    let Some(tag) = Tag::new(tag) else { return };
    let data = DataField {
        tag,
        indicators: [' ', ' '],
        subfields: subfields(field),
    };
    let id = candidate.id.to_string();
    let zero = zero(&candidate.natural_id, candidate.base_url.as_deref());
    let source = Source {
        id: &id,
        zero: &zero,
        heading: Some(heading),
    };
    let followed = rule.followed(&data, source);
    let shown: Vec<Value> = followed
        .iter()
        .map(|one| json!({one.code.to_string(): one.value}))
        .collect();
    field.insert("subfields".to_owned(), Value::Array(shown));
    let mut details = match field.shift_remove("linkDetails") {
        Some(Value::Object(details)) => details,
        _ => Map::from_iter([("status".to_owned(), json!("NEW"))]),
    };
    details.insert("linkingRuleId".to_owned(), json!(rule.id));
    details.insert("authorityId".to_owned(), json!(id));
    details.insert("authorityNaturalId".to_owned(), json!(candidate.natural_id));
    field.insert("linkDetails".to_owned(), Value::Object(details));
}

/// The fields with subfields of these records, with their tags.
fn fields(records: &mut [Value]) -> impl Iterator<Item = (&str, &mut Map<String, Value>)> {
    records
        .iter_mut()
        .filter_map(|record| record.get_mut("fields")?.as_array_mut())
        .flatten()
        .filter_map(Value::as_object_mut)
        .flat_map(Map::iter_mut)
        .filter_map(|(tag, field)| Some((tag.as_str(), field.as_object_mut()?)))
}

fn parts(field: &Map<String, Value>) -> impl Iterator<Item = (char, &str)> {
    let subfields = field.get("subfields").and_then(Value::as_array);
    subfields
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .flat_map(Map::iter)
        .filter_map(|(code, value)| Some((code.chars().next()?, value.as_str()?)))
}

fn values(field: &Map<String, Value>, code: char) -> Vec<&str> {
    let found = parts(field).filter(|(one, _)| *one == code);
    found.map(|(_, value)| value).collect()
}

fn subfields(field: &Map<String, Value>) -> Vec<Subfield> {
    let all = parts(field).map(|(code, value)| Subfield {
        code,
        value: value.to_owned(),
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Vec<Rule> {
        let rule = |id, bib_field: &str, wanted| Rule {
            id,
            bib_field: bib_field.to_owned(),
            authority_field: "100".to_owned(),
            subfields: vec!['a', 'd'],
            existence: vec![('t', wanted)],
            auto_linking: bib_field != "700",
            ..Rule::default()
        };
        vec![
            rule(1, "100", false),
            rule(5, "240", true),
            rule(15, "700", false),
        ]
    }

    fn candidate(number: u128, natural_id: &str) -> Candidate {
        let content = json!({"leader": "00000nz  a2200000n  4500", "fields": [
            {"100": {"ind1": "1", "ind2": " ", "subfields": [{"a": "Woolf"}, {"d": "1882"}]}}]});
        Candidate {
            id: Uuid::from_u128(number),
            natural_id: natural_id.to_owned(),
            base_url: Some("http://x.org/".to_owned()),
            record: Record::from_json(&content).expect("MARC"),
        }
    }

    fn bib(tag: &str, zero: &str) -> Vec<Value> {
        vec![json!({"leader": "x", "fields": [{"001": "in1"},
            {tag: {"ind1": "1", "subfields": [{"a": "W."}, {"e": "author"}, {"0": zero}]}}]})]
    }

    fn suggested(tag: &str, zero: &str, candidates: &[Candidate], all_rules: bool) -> Value {
        let rules = rules();
        let asked = SuggestionOptions {
            rules: &rules,
            by: By::NaturalId,
            all_rules,
        };
        let mut records = bib(tag, zero);
        let names = asked.names(&mut records);
        let found: Vec<Candidate> = candidates
            .iter()
            .filter(|one| names.contains(&one.natural_id))
            .cloned()
            .collect();
        asked.fill(&mut records, &found);
        records[0]["fields"][1][tag].clone()
    }

    #[test]
    fn a_field_that_names_one_authority_follows_it() {
        let field = suggested(
            "100",
            "http://y.org/n1",
            &[candidate(1, "n1"), candidate(2, "n2")],
            false,
        );
        let id = Uuid::from_u128(1);
        assert_eq!(
            field["subfields"],
            json!([{"a": "Woolf"}, {"d": "1882"}, {"0": "http://x.org/n1"}, {"9": id}, {"e": "author"}])
        );
        assert_eq!(
            field["linkDetails"],
            json!({"status": "NEW", "linkingRuleId": 1, "authorityId": id, "authorityNaturalId": "n1"})
        );
    }

    #[test]
    fn other_fields_get_the_reason() {
        let cause = |field: Value| field["linkDetails"]["errorCause"].clone();
        assert_eq!(
            cause(suggested("100", "n3", &[candidate(1, "n1")], false)),
            NONE_FOUND
        );
        assert_eq!(
            cause(suggested("240", "n1", &[candidate(1, "n1")], false)),
            NONE_FOUND
        );
        let twice = [candidate(1, "n1"), candidate(2, "n1")];
        assert_eq!(cause(suggested("100", "n1", &twice, false)), SEVERAL_FOUND);
        assert_eq!(
            cause(suggested("700", "n1", &[candidate(1, "n1")], false)),
            NOT_WANTED
        );
        let field = suggested("700", "n1", &[candidate(1, "n1")], true);
        assert_eq!(field["linkDetails"]["linkingRuleId"], 15);
    }
}
