//! Compiles the entries of a tag, and their rows.

use std::collections::HashMap;

use octavo_marc::Tag;
use serde_json::{Map, Value};

use super::compile::Compiling;
use super::steps::steps;
use super::{Entry, Indicators, Joins, OfTag, Replacement, Row, Step};
use crate::functions::{Function, single};
use crate::properties::{TargetShape, target};

/// The most rows in an entry, and the most members of any other list in one.
const MEMBERS_MAX: usize = 100;

/// The deepest nesting of alternatives.
const ALTERNATIVES_MAX: usize = 4;

/// The longest delimiter, in characters.
const DELIMITER_MAX: usize = 100;

/// The longest piece that subfields are cut into, in characters.
const PIECE_MAX: usize = 1_000;

type Object = Map<String, Value>;

/// The entries for a data field.
pub(super) fn of_tag(compiling: &mut Compiling, entries: &[(String, &Object)]) -> OfTag {
    let mut of_tag = OfTag::default();
    for (path, object) in entries {
        if flag(compiling, path, object, "fieldReplacementBy3Digits") {
            of_tag
                .replacements
                .extend(replacement(compiling, path, object));
            // FOLIO accepts entries whose target is empty.
            if object.get("target").and_then(Value::as_str) == Some("") {
                continue;
            }
        }
        let entry = entry(compiling, path, object);
        of_tag.indicators.extend(entry.indicators);
        of_tag.entries.push(entry);
    }
    of_tag
}

/// The row of a control field or the leader.
pub(super) fn control_row(compiling: &mut Compiling, path: &str, object: &Object) -> Option<Row> {
    if object.contains_key("entity") {
        let problem = "the leader and control fields have no subfields to put together";
        compiling.problem(&format!("{path}.entity"), problem);
        return None;
    }
    let mut row = row(compiling, path, object, 0)?;
    row.is_single = flag(compiling, path, object, "createSingleObject");
    if row.is_single
        && matches!(
            row.target.place,
            TargetShape::Texts | TargetShape::Record { .. } | TargetShape::Truth
        )
    {
        let problem = "only a text is put into a single object";
        compiling.problem(&format!("{path}.target"), problem);
    }
    Some(row)
}

fn entry(compiling: &mut Compiling, path: &str, object: &Object) -> Entry {
    let rows = match object.get("entity") {
        None => row(compiling, path, object, 0).into_iter().collect(),
        Some(_) => {
            let place = format!("{path}.entity");
            let members = list(compiling, &place, object.get("entity"));
            let mut rows = Vec::new();
            for (at, member) in members.iter().enumerate() {
                let path = format!("{place}[{at}]");
                match member.as_object() {
                    Some(member) if compiling.counts(&path) => {
                        rows.extend(row(compiling, &path, member, 0));
                    }
                    Some(_) => break,
                    None => compiling.problem(&path, "an object is expected"),
                }
            }
            rows
        }
    };
    Entry {
        indicators: indicators(compiling, path, object),
        is_first_only: flag(compiling, path, object, "ignoreSubsequentFields"),
        is_entity: object.contains_key("entity"),
        is_per_subfield: flag(compiling, path, object, "entityPerRepeatedSubfield"),
        keeps_backslash: flag(compiling, path, object, "keepTrailingBackslash"),
        relation: None,
        rows,
    }
}

fn row(compiling: &mut Compiling, path: &str, object: &Object, depth: usize) -> Option<Row> {
    let place = |key: &str| format!("{path}.{key}");
    let name = match object.get("target") {
        Some(Value::String(name)) => Ok(name.as_str()),
        _ => Err("the property that is written is expected".to_owned()),
    };
    let target = match name.and_then(|name| target(compiling.properties, name)) {
        Ok(target) => Some(target),
        Err(problem) => {
            compiling.problem(&place("target"), problem);
            None
        }
    };
    let codes = match object.get("subfield") {
        Some(_) => codes(compiling, path, object, "subfield"),
        // The leader and control fields have no subfields.
        None => Vec::new(),
    };
    let otherwise = match object.get("alternativeMapping") {
        None | Some(Value::Null) => None,
        Some(Value::Object(other)) if depth < ALTERNATIVES_MAX => {
            row(compiling, &place("alternativeMapping"), other, depth + 1).map(Box::new)
        }
        Some(Value::Object(_)) => {
            let problem = format!("alternatives lie at most {ALTERNATIVES_MAX} deep");
            compiling.problem(&place("alternativeMapping"), problem);
            None
        }
        Some(_) => {
            compiling.problem(&place("alternativeMapping"), "an object is expected");
            None
        }
    };
    let steps = steps(compiling, &place("rules"), object.get("rules"));
    let is_whole = flag(compiling, path, object, "applyRulesOnConcatenatedData");
    let is_once = flag(compiling, path, object, "ignoreSubsequentSubfields");
    Some(Row {
        codes: codes.into_iter().collect(),
        is_given: is_whole && !is_once && steps.first().is_some_and(reads_no_text),
        required: codes_if_any(compiling, path, object, "requiredSubfield"),
        exclusive: codes_if_any(compiling, path, object, "exclusiveSubfield"),
        steps,
        joins: joins(
            compiling,
            &place("subFieldDelimiter"),
            object.get("subFieldDelimiter"),
        ),
        split: split(
            compiling,
            &place("subFieldSplit"),
            object.get("subFieldSplit"),
        ),
        is_whole,
        is_once,
        is_single: false,
        otherwise,
        target: target?,
    })
}

/// Whether a step's result does not depend on the value.
fn reads_no_text(step: &Step) -> bool {
    match step.conditions.first() {
        None => step.constant.is_some(),
        Some(first) => {
            first.expected.is_none()
                && step.constant.is_none()
                && first.functions.first().is_some_and(Function::reads_no_text)
        }
    }
}

fn indicators(compiling: &mut Compiling, path: &str, object: &Object) -> Option<Indicators> {
    let path = format!("{path}.indicators");
    let given = match object.get("indicators")? {
        Value::Object(given) => given,
        _ => {
            compiling.problem(&path, "an object with ind1 and ind2 is expected");
            return None;
        }
    };
    let mut both =
        ["ind1", "ind2"].map(
            |key| match given.get(key).and_then(Value::as_str).and_then(single) {
                Some('*') => None,
                Some(character) => Some(character),
                None => {
                    let problem = "an indicator is expected, or * for any";
                    compiling.problem(&format!("{path}.{key}"), problem);
                    None
                }
            },
        );
    for one in &mut both {
        // Rules may be written with backslashes for blanks.
        *one = one.map(|character| if character == '\\' { ' ' } else { character });
    }
    Some(Indicators(both))
}

fn joins(compiling: &mut Compiling, path: &str, given: Option<&Value>) -> Option<Joins> {
    let mut joins = Joins {
        delimiters: Vec::new(),
        groups: Vec::new(),
        between: " ".to_owned(),
    };
    for (at, group) in list(compiling, path, given).iter().enumerate() {
        let path = format!("{path}[{at}]");
        let Some(group) = group.as_object() else {
            compiling.problem(&path, "an object is expected");
            continue;
        };
        let delimiter = match group.get("value") {
            Some(Value::String(text)) if text.len() <= DELIMITER_MAX => text.clone(),
            _ => {
                let problem = format!("a text of at most {DELIMITER_MAX} letters is expected");
                compiling.problem(&format!("{path}.value"), problem);
                continue;
            }
        };
        let codes = codes(compiling, &path, group, "subfields");
        if codes.is_empty() {
            joins.between.clone_from(&delimiter);
        }
        for code in codes {
            joins.groups.retain(|(own, _)| *own != code);
            joins.groups.push((code, joins.delimiters.len()));
        }
        joins.delimiters.push(delimiter);
    }
    (!joins.delimiters.is_empty()).then_some(joins)
}

fn split(compiling: &mut Compiling, path: &str, given: Option<&Value>) -> Option<usize> {
    let given = match given? {
        Value::Null => return None,
        Value::Object(given) => given,
        _ => {
            compiling.problem(path, "an object with type and value is expected");
            return None;
        }
    };
    let kind = given
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !kind.eq_ignore_ascii_case("split_every") {
        let problem = format!("\"split_every\" is expected, not {kind:?}");
        compiling.problem(&format!("{path}.type"), problem);
        return None;
    }
    let size = match given.get("value") {
        Some(Value::String(text)) => text.parse().ok(),
        Some(Value::Number(number)) => number.as_u64().and_then(|size| usize::try_from(size).ok()),
        _ => None,
    };
    let size = size.filter(|size| (1..=PIECE_MAX).contains(size));
    if size.is_none() {
        let problem = format!("a number from 1 to {PIECE_MAX} is expected");
        compiling.problem(&format!("{path}.value"), problem);
    }
    size
}

fn replacement(compiling: &mut Compiling, path: &str, object: &Object) -> Option<Replacement> {
    let codes = codes(compiling, path, object, "subfield");
    let place = format!("{path}.fieldReplacementRule");
    let mut tags = HashMap::new();
    for (at, rule) in list(compiling, &place, object.get("fieldReplacementRule"))
        .iter()
        .enumerate()
    {
        let place = format!("{place}[{at}]");
        let text = |key: &str| rule.get(key).and_then(Value::as_str);
        let digits = text("sourceDigits").filter(|digits| digits.chars().count() == 3);
        let tag = text("targetField").and_then(Tag::new);
        match (digits, tag) {
            (Some(digits), Some(tag)) => {
                tags.insert(digits.to_owned(), Some(tag));
            }
            (None, _) => {
                let problem = "three digits are expected";
                compiling.problem(&format!("{place}.sourceDigits"), problem);
            }
            (_, None) => {
                compiling.problem(&format!("{place}.targetField"), "a tag is expected");
            }
        }
    }
    Some(Replacement { codes, tags })
}

/// An optional list.
pub(super) fn list<'a>(
    compiling: &mut Compiling,
    path: &str,
    given: Option<&'a Value>,
) -> &'a [Value] {
    match given {
        None | Some(Value::Null) => &[],
        Some(Value::Array(list)) if list.len() <= MEMBERS_MAX => list,
        Some(_) => {
            compiling.problem(path, format!("a list of at most {MEMBERS_MAX} is expected"));
            &[]
        }
    }
}

/// An optional boolean.
pub(super) fn flag(compiling: &mut Compiling, path: &str, object: &Object, key: &str) -> bool {
    match object.get(key) {
        None | Some(Value::Null) => false,
        Some(Value::Bool(flag)) => *flag,
        Some(_) => {
            compiling.problem(&format!("{path}.{key}"), "true or false is expected");
            false
        }
    }
}

fn codes_if_any(compiling: &mut Compiling, path: &str, object: &Object, key: &str) -> Vec<char> {
    match object.get(key) {
        None | Some(Value::Null) => Vec::new(),
        Some(_) => codes(compiling, path, object, key),
    }
}

fn codes(compiling: &mut Compiling, path: &str, object: &Object, key: &str) -> Vec<char> {
    let path = format!("{path}.{key}");
    if !matches!(object.get(key), Some(Value::Array(_))) {
        compiling.problem(&path, "a list of the codes of subfields is expected");
        return Vec::new();
    }
    let mut codes = Vec::new();
    for (at, code) in list(compiling, &path, object.get(key)).iter().enumerate() {
        match code.as_str().and_then(single) {
            Some(code) => codes.push(code),
            None => {
                compiling.problem(
                    &format!("{path}[{at}]"),
                    "the code of a subfield is expected",
                );
            }
        }
    }
    codes
}
