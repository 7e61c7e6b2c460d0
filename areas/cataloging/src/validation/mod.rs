//! Validates MARC records against MARC 21: missing, unknown or repeated fields and subfields,
//! indicators. The definition is in the tables beside this file, from the lists of the Library of
//! Congress; the messages are FOLIO's. No I/O.

mod definition;
mod found;
mod leader;
mod specification;

pub use definition::{Definition, definition_of};
pub use found::ISSUES_MAX;
pub use leader::{filled_leader, wrong_leader};
pub use specification::specification_of_008;

use std::collections::HashSet;

use found::Issues;
use octavo_mapping::RecordKind;
use serde_json::{Value, json};

/// The severity of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The record is not stored.
    Error,
    /// It is only reported.
    Warning,
}

/// A violation of MARC 21.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// The field, `245[0]`.
    pub tag: String,
    /// Its severity.
    pub severity: Severity,
    /// `field`, `indicator` or `subfield`.
    pub about: &'static str,
    /// FOLIO's code of the rule.
    pub rule: &'static str,
    /// The address of the field's description.
    pub help_url: Option<String>,
    /// FOLIO's message.
    pub message: String,
}

impl Issue {
    /// The issue in FOLIO's form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warn",
        };
        let mut json = json!({
            "tag": self.tag,
            "severity": severity,
            "definitionType": self.about,
            "message": self.message,
        });
        if let Some(url) = &self.help_url {
            json["helpUrl"] = json!(url);
        }
        json
    }
}

/// A field for validation: tags may be anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub tag: String,
    /// What it holds.
    pub content: Content,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A bare value.
    Control(String),
    /// Indicators, and subfields with their codes.
    Data([char; 2], Vec<(char, String)>),
}

impl Checked {
    fn has_value(&self) -> bool {
        match &self.content {
            Content::Control(value) => !value.trim().is_empty(),
            Content::Data(_, subfields) => {
                subfields.iter().any(|(_, value)| !value.trim().is_empty())
            }
        }
    }
}

/// A field with its number among those of its tag.
struct Numbered<'a> {
    number: usize,
    field: &'a Checked,
}

impl Numbered<'_> {
    fn path(&self) -> String {
        format!("{}[{}]", self.field.tag, self.number)
    }
}

/// The issues of a record, up to [`ISSUES_MAX`] errors and as many warnings. A field with the tag
/// `added` is added when the record is stored, so it is not required. Holdings records have no
/// definition and so no issues.
#[must_use]
pub fn issues(
    kind: RecordKind,
    leader: &str,
    fields: &[Checked],
    added: Option<&str>,
) -> Vec<Issue> {
    let Some(definition) = definition_of(kind) else {
        return Vec::new();
    };
    let mut all: Vec<Checked> = vec![Checked {
        tag: "000".to_owned(),
        content: Content::Control(leader.to_owned()),
    }];
    all.extend(fields.iter().cloned());
    let numbered = numbered(&all);
    let mut found = Issues::default();
    wrong_tags(&numbered, &mut found);
    missing(definition, &numbered, added, &mut found);
    undefined(definition, &numbered, &mut found);
    headings(kind, &numbered, &mut found);
    for one in &numbered {
        if let Some(field) = definition.field(&one.field.tag) {
            let help = definition.help_url(&one.field.tag);
            too_often(field, one, &help, &mut found);
            if let Content::Data(indicators, subfields) = &one.field.content {
                wrong_indicators(field, one, *indicators, &help, &mut found);
                wrong_subfields(field, one, subfields, &help, &mut found);
            }
        }
    }
    found.issues()
}

fn numbered(fields: &[Checked]) -> Vec<Numbered<'_>> {
    let mut numbers: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    fields
        .iter()
        .map(|field| {
            let next = numbers.entry(&field.tag).or_default();
            let number = *next;
            *next += 1;
            Numbered { number, field }
        })
        .collect()
}

fn about_field(
    tag: String,
    rule: &'static str,
    severity: Severity,
    help_url: Option<String>,
    message: impl Into<String>,
) -> Issue {
    Issue {
        tag,
        severity,
        about: "field",
        rule,
        help_url,
        message: message.into(),
    }
}

fn wrong_tags(fields: &[Numbered<'_>], found: &mut Issues) {
    let is_tag = |tag: &str| tag.len() == 3 && tag.bytes().all(|byte| byte.is_ascii_digit());
    for one in fields.iter().filter(|one| !is_tag(&one.field.tag)) {
        let message = "Tag must contain three characters and can only accept numbers 0-9.";
        found.add(Severity::Error, |severity| {
            about_field(one.path(), "invalidFieldTag", severity, None, message)
        });
    }
}

fn missing(
    definition: &Definition,
    fields: &[Numbered<'_>],
    added: Option<&str>,
    found: &mut Issues,
) {
    let wanted = definition.required().filter(|tag| added != Some(*tag));
    for tag in wanted {
        let help = definition.help_url(tag);
        let mut report = |path: &dyn Fn() -> String| {
            found.add(Severity::Error, |severity| {
                let message = format!("Field {tag} is required.");
                about_field(path(), "missingField", severity, help.clone(), message)
            });
        };
        let mut any = false;
        for one in fields.iter().filter(|one| one.field.tag == tag) {
            any = true;
            if !one.field.has_value() {
                report(&|| one.path());
            }
        }
        if !any {
            report(&|| format!("{tag}[0]"));
        }
    }
}

fn undefined(definition: &Definition, fields: &[Numbered<'_>], found: &mut Issues) {
    let unknown = fields
        .iter()
        .filter(|one| definition.field(&one.field.tag).is_none());
    for one in unknown {
        found.add(Severity::Warning, |severity| {
            let message = "Field is undefined.";
            about_field(one.path(), "undefinedField", severity, None, message)
        });
    }
}

/// A record has at most one heading; an authority has exactly one.
fn headings(kind: RecordKind, fields: &[Numbered<'_>], found: &mut Issues) {
    let is_heading = |tag: &str| {
        tag.len() == 3 && tag.starts_with('1') && tag.bytes().all(|byte| byte.is_ascii_digit())
    };
    let headings: Vec<&Numbered<'_>> = fields
        .iter()
        .filter(|one| is_heading(&one.field.tag))
        .collect();
    let (rule, message) = match kind {
        RecordKind::Authority => (
            "nonRepeatableRequired1XXField",
            "Field 1XX is non-repeatable and required.",
        ),
        _ => ("nonRepeatable1XXField", "Field 1XX is non-repeatable."),
    };
    let mut report = |path: &dyn Fn() -> String| {
        found.add(Severity::Error, |severity| {
            about_field(path(), rule, severity, None, message)
        });
    };
    match headings.len() {
        0 if kind == RecordKind::Authority => report(&|| "1XX[0]".to_owned()),
        0 | 1 => {}
        _ => headings.iter().for_each(|one| report(&|| one.path())),
    }
}

fn too_often(
    field: &definition::Field,
    one: &Numbered<'_>,
    help: &Option<String>,
    found: &mut Issues,
) {
    if !field.repeatable && one.number > 0 {
        found.add(Severity::Error, |severity| {
            let message = "Field is non-repeatable.";
            about_field(
                one.path(),
                "nonRepeatableField",
                severity,
                help.clone(),
                message,
            )
        });
    }
}

fn wrong_indicators(
    field: &definition::Field,
    one: &Numbered<'_>,
    indicators: [char; 2],
    help: &Option<String>,
    found: &mut Issues,
) {
    for (at, indicator) in indicators.into_iter().enumerate() {
        let sign = if indicator == ' ' { '#' } else { indicator };
        let valid = sign == '#' || sign.is_ascii_digit() || sign.is_ascii_lowercase();
        let (rule, severity, message) = if !valid {
            (
                "invalidIndicator",
                Severity::Error,
                "Indicator must contain one character and can only accept numbers 0-9, letters \
                 a-z or a '\\'."
                    .to_owned(),
            )
        } else if field.knows_indicator(at, sign) {
            continue;
        } else {
            let order = ["First", "Second"][at];
            let shown = if sign == '#' { '\\' } else { sign };
            (
                "undefinedIndicatorCode",
                Severity::Warning,
                format!("{order} Indicator '{shown}' is undefined."),
            )
        };
        found.add(severity, |severity| Issue {
            tag: one.path(),
            severity,
            about: "indicator",
            rule,
            help_url: help.clone(),
            message,
        });
    }
}

fn wrong_subfields(
    field: &definition::Field,
    one: &Numbered<'_>,
    subfields: &[(char, String)],
    help: &Option<String>,
    found: &mut Issues,
) {
    let mut seen: HashSet<char> = HashSet::new();
    let filled = subfields
        .iter()
        .filter(|(_, value)| !value.trim().is_empty());
    for (code, _) in filled {
        let again = !seen.insert(*code);
        let (rule, severity, what) = match field.subfield(*code) {
            None if field.subfields_are_listed() => {
                ("undefinedSubfield", Severity::Warning, "is undefined")
            }
            Some(false) if again => (
                "nonRepeatableSubfield",
                Severity::Error,
                "is non-repeatable",
            ),
            _ => continue,
        };
        found.add(severity, |severity| Issue {
            tag: one.path(),
            severity,
            about: "subfield",
            rule,
            help_url: help.clone(),
            message: format!("Subfield '{code}' {what}."),
        });
    }
}

#[cfg(test)]
mod tests;
