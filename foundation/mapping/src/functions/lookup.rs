//! Functions that look up the id of a reference record, or read an indicator or a position of the
//! leader.

use std::borrow::Cow;

use super::{At, Function, Name, STUB_ID, View, text};
use crate::references::{Entry, List, folded};

/// Ends each part of a value that was joined from several subfields.
const PARTS: char = '~';

/// Whether the leader marks the record as deleted.
pub(super) fn deleted(value: Cow<'_, str>) -> Cow<'_, str> {
    match value.chars().nth(5) {
        Some('d') => Cow::Borrowed("true"),
        Some(_) => Cow::Borrowed("false"),
        None => value,
    }
}

/// Whether the first indicator marks a note as private.
pub(super) fn staff_only<'r>(value: Cow<'r, str>, field: Option<&View<'r>>) -> Cow<'r, str> {
    match field {
        Some(field) if field.indicators[0] == '0' => Cow::Borrowed("true"),
        Some(_) => Cow::Borrowed("false"),
        None => value,
    }
}

/// The role in a publication, by the second indicator.
pub(super) fn publisher_role<'r>(value: Cow<'r, str>, field: Option<&View<'r>>) -> Cow<'r, str> {
    let Some(field) = field else { return value };
    Cow::Borrowed(match field.indicators[1] {
        '0' => "Production",
        '1' => "Publication",
        '2' => "Distribution",
        '3' => "Manufacture",
        _ => "",
    })
}

/// The id that one of the other functions finds.
pub(super) fn id<'r>(
    function: &'r Function,
    value: Cow<'r, str>,
    at: &mut At<'_, 'r>,
) -> Cow<'r, str> {
    let found = match function {
        Function::SetClassificationTypeId(name) => {
            at.named_or_stub(List::ClassificationTypes, name)
        }
        Function::SetContributorNameTypeId(name) => {
            at.named_or_stub(List::ContributorNameTypes, name)
        }
        Function::SetIdentifierTypeIdByName(name) => at.named_or_stub(List::IdentifierTypes, name),
        Function::SetIdentifierTypeIdByValue { plain, other } => {
            let other = other
                .as_ref()
                .filter(|(pattern, _)| pattern.matches(&value));
            at.named_or_stub(List::IdentifierTypes, other.map_or(plain, |(_, name)| name))
        }
        Function::SetAlternativeTitleTypeId(name) => {
            at.named_or_stub(List::AlternativeTitleTypes, name)
        }
        Function::SetAuthorityNoteTypeId(name) => at.named_or_stub(List::AuthorityNoteTypes, name),
        Function::SetNoteTypeId(name) => match at.named(List::InstanceNoteTypes, &name.folded) {
            Some(id) => id,
            None => match at.named(List::InstanceNoteTypes, "general note") {
                Some(id) => id,
                None => at.stub(List::InstanceNoteTypes, &name.written),
            },
        },
        Function::SetSubjectSourceId(name) => at.named_or_empty(List::SubjectSources, &name.folded),
        Function::SetSubjectTypeId(name) => at.named_or_empty(List::SubjectTypes, &name.folded),
        Function::SetHoldingsNoteTypeId(name) => {
            at.named_or_empty(List::HoldingsNoteTypes, &name.folded)
        }
        Function::SetHoldingsTypeId => match value.chars().nth(6) {
            Some(code) => at.named_or_empty(List::HoldingsTypes, holdings_type(code)),
            None => return value,
        },
        Function::SetCallNumberTypeId => match at.field {
            Some(field) => {
                let name = call_number_type(field.indicators[0]);
                at.named_or_empty(List::CallNumberTypes, name)
            }
            None => "",
        },
        Function::SetElectronicAccessRelationsId => {
            let name = match at.field {
                Some(field) => relationship(field.indicators[1]),
                None => "",
            };
            match at.named(List::ElectronicAccessRelationships, name) {
                Some(id) => id,
                None => at.stub(List::ElectronicAccessRelationships, name),
            }
        }
        Function::SetIssuanceModeId => match value.chars().nth(7) {
            Some(level) => {
                let mode = at.named(List::IssuanceModes, issuance_mode(level));
                mode.unwrap_or_else(|| at.named_or_empty(List::IssuanceModes, "unspecified"))
            }
            None => return value,
        },
        Function::SetDateTypeId => date_type(&value, at),
        Function::SetInstanceFormatId => {
            at.coded_or_empty(List::InstanceFormats, last_part(&value))
        }
        Function::SetInstanceTypeId { unspecified } => instance_type(&value, unspecified, at),
        Function::SetContributorTypeId => at.coded_or_empty(List::ContributorTypes, &value),
        Function::SetContributorTypeText => {
            let found = at
                .references
                .coded_in_any_case(List::ContributorTypes, &folded(&value));
            match found {
                Some((_, entry)) => &entry.name,
                None => return value,
            }
        }
        Function::SetContributorTypeIdByCodeOrName { code, name } => {
            contributor_type(*code, *name, at).unwrap_or_default()
        }
        Function::SetSubjectSourceIdByCode => at.coded_or_empty(List::SubjectSources, &value),
        Function::SetAuthorityIdentifierTypeIdByCode(code) => {
            if at.references.has(List::AuthorityIdentifierTypes) {
                at.coded_or_empty(List::AuthorityIdentifierTypes, &code.folded)
            } else {
                STUB_ID
            }
        }
        Function::SetPermanentLocationId => match at.references.coded(List::Locations, &value) {
            Some(entry) => &entry.id,
            None => at.stub(List::Locations, &value),
        },
        _ => return value,
    };
    Cow::Borrowed(found)
}

impl<'r> At<'_, 'r> {
    fn named(&self, list: List, folded: &str) -> Option<&'r str> {
        let found = self.references.named(list, folded);
        found.map(|(_, entry)| entry.id.as_str())
    }

    fn named_or_empty(&self, list: List, folded: &str) -> &'r str {
        self.named(list, folded).unwrap_or_default()
    }

    fn named_or_stub(&mut self, list: List, name: &Name) -> &'r str {
        match self.named(list, &name.folded) {
            Some(id) => id,
            None => self.stub(list, &name.written),
        }
    }

    fn coded_or_empty(&self, list: List, code: &str) -> &'r str {
        let found = self.references.coded_in_any_case(list, &folded(code));
        found.map_or("", |(_, entry)| &entry.id)
    }

    /// The placeholder id for a reference record that does not exist; reports the miss.
    fn stub(&mut self, list: List, wanted: &str) -> &'static str {
        let wanted: String = wanted.chars().take(100).collect();
        self.missed
            .push(format!("{} has no {wanted:?}", list.name()));
        STUB_ID
    }
}

/// The last part of a value that is not empty.
fn last_part(value: &str) -> &str {
    let last = value.rsplit(PARTS).find(|part| !part.is_empty());
    last.unwrap_or(value)
}

fn date_type<'r>(value: &str, at: &At<'_, 'r>) -> &'r str {
    let Some(code) = value.chars().nth(6) else {
        return "";
    };
    let code = code.to_lowercase().to_string();
    match at
        .references
        .coded_in_any_case(List::InstanceDateTypes, &code)
    {
        Some((_, entry)) => &entry.id,
        None => at.named_or_empty(List::InstanceDateTypes, "no attempt to code"),
    }
}

/// The content type with the name or code in the value; the unspecified one for a control field,
/// which has none.
fn instance_type<'r>(value: &str, unspecified: &Name, at: &mut At<'_, 'r>) -> &'r str {
    let references = at.references;
    let by_either = |folded: &str| {
        let named = references.named(List::InstanceTypes, folded);
        let coded = references.coded_in_any_case(List::InstanceTypes, folded);
        first_of(named, coded).map(|entry| entry.id.as_str())
    };
    let own = at.field.and_then(|_| by_either(&folded(last_part(value))));
    own.or_else(|| by_either(&unspecified.folded))
        .unwrap_or_else(|| at.stub(List::InstanceTypes, &unspecified.written))
}

/// The contributor's role: by code, exactly as it stands, else by term.
fn contributor_type<'r>(code: char, name: char, at: &At<'_, 'r>) -> Option<&'r str> {
    let field = at.field?;
    let by_code = field
        .values(code)
        .find_map(|value| at.references.coded(List::ContributorTypes, value));
    let found = by_code.or_else(|| field.values(name).find_map(|value| role(value, at)));
    found.map(|entry| entry.id.as_str())
}

/// The role with this term. The term may lack the full stop that a name ends with; otherwise a full
/// stop, comma or semicolon at the term's end is ignored.
fn role<'r>(term: &str, at: &At<'_, 'r>) -> Option<&'r Entry> {
    let term = folded(text::trimmed(term));
    let bare = term.strip_suffix(['.', ',', ';']).unwrap_or(&term);
    let plain = at.references.named(List::ContributorTypes, bare);
    let plain = plain.filter(|(_, entry)| !entry.name.ends_with('.'));
    let stopped = if term.ends_with('.') {
        at.references.named(List::ContributorTypes, &term)
    } else if term.len() > bare.len() {
        at.references.named(List::ContributorTypes, bare)
    } else {
        at.references
            .named(List::ContributorTypes, &format!("{term}."))
    };
    let stopped = stopped.filter(|(_, entry)| entry.name.ends_with('.'));
    first_of(plain, stopped)
}

/// The earlier of two records in their list.
fn first_of<'r>(
    one: Option<(usize, &'r Entry)>,
    other: Option<(usize, &'r Entry)>,
) -> Option<&'r Entry> {
    match (one, other) {
        (Some((at, one)), Some((place, other))) => Some(if at <= place { one } else { other }),
        (one, other) => one.or(other).map(|(_, entry)| entry),
    }
}

fn holdings_type(code: char) -> &'static str {
    match code {
        'v' => "multi-part monograph",
        'x' => "monograph",
        'y' => "serial",
        _ => "unknown",
    }
}

fn call_number_type(indicator: char) -> &'static str {
    match indicator {
        '0' => "library of congress classification",
        '1' => "dewey decimal classification",
        '2' => "national library of medicine classification",
        '3' => "superintendent of documents classification",
        '4' => "shelving control number",
        '5' => "title",
        '6' => "shelved separately",
        '7' => "source specified in subfield $2",
        '8' => "other scheme",
        _ => "",
    }
}

fn relationship(indicator: char) -> &'static str {
    match indicator {
        '0' => "resource",
        '1' => "version of resource",
        '2' => "related resource",
        _ => "no information provided",
    }
}

fn issuance_mode(level: char) -> &'static str {
    match level {
        'a' | 'c' | 'd' | 'm' => "single unit",
        'b' | 's' => "serial",
        'i' => "integrating resource",
        _ => "unspecified",
    }
}
