//! Correlation: a value that a response returned and a later request sends becomes an extraction
//! and a variable in place of the recorded constant. Ids that the browser generated are generated
//! anew.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::RecordedRequest;
use crate::login;
use crate::model::{Extract, ValueSource};
use crate::note::Notes;
use crate::reference::{self, DRIVERS};

const FIXED: &str = "ids that no answer gave stay as they were recorded";
const CORRELATED: &str = "values taken from answers";
const VALUES_MAX: usize = 500_000;
/// The most values of a response: a list of ten thousand records is no source of correlations.
const VALUES_OF_ANSWER_MAX: usize = 20_000;

/// Where a value was first seen.
struct Source {
    answer: usize,
    path: String,
    keys: Vec<String>,
    variable: Option<String>,
}

/// Replaces values of earlier responses by variables.
pub(super) fn correlate(taken: &mut [RecordedRequest<'_>], notes: &mut Notes) {
    let mut sources: HashMap<String, Source> = HashMap::new();
    let mut names: HashSet<String> = DRIVERS.iter().map(|name| (*name).to_owned()).collect();
    names.extend(["token", reference::DOLLAR].map(str::to_owned));
    let tenant = tenant(taken);
    let mut has_answers = false;
    for at in 0..taken.len() {
        let answer = taken[at].entry.json();
        has_answers |= answer.is_some();
        if !taken[at].is_login {
            own_id(&mut taken[at], answer.as_ref(), &sources);
            let mut found = Vec::new();
            for text in [
                Some(&mut taken[at].call.target),
                taken[at].call.body.as_mut(),
            ] {
                let Some(text) = text else { continue };
                *text = replaced(text, &mut sources, &mut names, &mut found);
            }
            for value in found {
                extract(taken, at, &value, &sources, notes);
            }
            fixed(&taken[at], notes);
        }
        if let Some(answer) = &answer
            && sources.len() < VALUES_MAX
        {
            let mut collected = Vec::new();
            collect(answer, "$", &mut Vec::new(), &mut collected);
            for (value, path, keys) in collected {
                if Some(&value) == tenant.as_ref() {
                    continue;
                }
                sources.entry(value).or_insert(Source {
                    answer: at,
                    path,
                    keys,
                    variable: None,
                });
            }
        }
    }
    if !has_answers {
        let what = "the answers' bodies were not recorded, so nothing could be found in them; \
                    save the recording with its content";
        notes.add(0, CORRELATED, what);
    }
}

fn tenant(taken: &[RecordedRequest<'_>]) -> Option<String> {
    let headers = taken.iter().flat_map(|one| &one.entry.request.headers);
    let mut tenants = headers.filter(|one| login::is_tenant_header(&one.name));
    tenants.next().map(|one| one.value.clone())
}

/// A record's id that the browser generated: a new one in each iteration, if the response contains
/// it.
fn own_id(
    one: &mut RecordedRequest<'_>,
    answer: Option<&Value>,
    sources: &HashMap<String, Source>,
) {
    let Some(body) = one.call.body.as_mut().filter(|_| one.call.method == "POST") else {
        return;
    };
    let Ok(Value::Object(sent)) = serde_json::from_str::<Value>(body) else {
        return;
    };
    let Some(id) = sent.get("id").and_then(Value::as_str) else {
        return;
    };
    let is_uuid_value = answer
        .and_then(|answer| answer.get("id"))
        .and_then(Value::as_str)
        == Some(id);
    if is_uuid_value && is_uuid(id) && !sources.contains_key(id) && body.matches(id).count() == 1 {
        *body = body.replace(id, "${uuid()}");
    }
}

/// The text with each known value replaced by a variable; `found` collects the new values.
fn replaced(
    text: &str,
    sources: &mut HashMap<String, Source>,
    names: &mut HashSet<String>,
    found: &mut Vec<String>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let end = rest[start..].find(|letter| !is_word(letter));
        let end = end.map_or(rest.len(), |end| start + end);
        let word = &rest[start..end];
        out.push_str(&rest[..start]);
        let is_reference = out.ends_with("${");
        match sources.get_mut(word).filter(|_| !is_reference) {
            Some(source) => {
                let variable = source.variable.get_or_insert_with(|| {
                    found.push(word.to_owned());
                    name(&source.keys, names)
                });
                out.push_str(&format!("${{{variable}}}"));
            }
            None => out.push_str(word),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn extract(
    taken: &mut [RecordedRequest<'_>],
    used: usize,
    value: &str,
    sources: &HashMap<String, Source>,
    notes: &mut Notes,
) {
    let Some(source) = sources.get(value) else {
        return;
    };
    let Some(variable) = &source.variable else {
        return;
    };
    let path_of = |at: usize| -> &str {
        let target: &str = &taken[at].call.target;
        target.split('?').next().unwrap_or_default()
    };
    let what = format!(
        "`{variable}` is {} of {} {}, first used by {} {}",
        source.path,
        taken[source.answer].call.method,
        path_of(source.answer),
        taken[used].call.method,
        path_of(used),
    );
    notes.add(0, CORRELATED, what);
    taken[source.answer].call.extract.push(Extract {
        variable: variable.clone(),
        from: ValueSource::Json(source.path.clone()),
        random: false,
        default: String::new(),
    });
}

/// Notes ids that stay constant.
fn fixed(one: &RecordedRequest<'_>, notes: &mut Notes) {
    let path = one.call.target.split('?').next().unwrap_or_default();
    let texts = [Some(&one.call.target), one.call.body.as_ref()];
    let words = texts
        .into_iter()
        .flatten()
        .flat_map(|text| text.split(|letter| !is_word(letter)));
    let count = words.filter(|word| is_uuid(word)).count();
    if count > 0 {
        let what = format!("{count} in {} {path}", one.call.method);
        notes.add(0, FIXED, what);
    }
}

/// Values that look like ids, with their paths.
fn collect(
    value: &Value,
    path: &str,
    keys: &mut Vec<String>,
    found: &mut Vec<(String, String, Vec<String>)>,
) {
    if found.len() >= VALUES_OF_ANSWER_MAX {
        return;
    }
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let lowercase = key.to_lowercase();
                let is_secret = ["token", "password", "secret"]
                    .iter()
                    .any(|one| lowercase.contains(one));
                let Some(step) = step(key).filter(|_| !is_secret) else {
                    continue;
                };
                keys.push(key.clone());
                collect(value, &format!("{path}{step}"), keys, found);
                keys.pop();
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                collect(item, &format!("{path}[{at}]"), keys, found);
            }
        }
        Value::String(text) if is_id(text) => {
            found.push((text.clone(), path.to_owned(), keys.clone()));
        }
        _ => {}
    }
}

/// A property as a step of a JSONPath, if the workload language can express it.
fn step(key: &str) -> Option<String> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-@".contains(letter);
    match !key.is_empty() && key.chars().all(is_plain) {
        true => Some(format!(".{key}")),
        false => {
            let fits = !key.is_empty() && !key.contains(['\'', ']', '$']) && !key.contains('\n');
            fits.then(|| format!("['{key}']"))
        }
    }
}

/// A UUID, a barcode, a human-readable id: one word with digits in it, and not a date.
fn is_id(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_date = text.len() == 10 && text.matches('-').count() == 2 && digits == 8;
    is_uuid(text)
        || ((6..=64).contains(&text.len()) && text.chars().all(is_word) && digits >= 3 && !is_date)
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

/// `user_id` for `$.users[0].id`, `itemId` for itself.
fn name(keys: &[String], names: &mut HashSet<String>) -> String {
    let word = |key: &String| -> String {
        let fits = |letter: &char| letter.is_ascii_alphanumeric() || "_-".contains(*letter);
        key.chars().filter(fits).collect()
    };
    let last = keys.last().map(word).unwrap_or_default();
    let parent = keys
        .len()
        .checked_sub(2)
        .and_then(|at| keys.get(at))
        .map(word);
    let stem = match (last.as_str(), parent) {
        ("id" | "barcode" | "hrid" | "name" | "code" | "value", Some(parent)) => {
            format!("{}_{last}", parent.strip_suffix('s').unwrap_or(&parent))
        }
        ("", _) => "value".to_owned(),
        _ => last,
    };
    let mut name = stem.clone();
    for number in 2.. {
        if names.insert(name.clone()) {
            break;
        }
        name = format!("{stem}_{number}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words_with_digits() {
        assert!(is_id("0af64b11-9ba4-4b1d-8e0a-2f2e8e1b3d4c"));
        assert!(is_id("in00000000042"));
        assert!(is_id("10101"[..].repeat(2).as_str()));
        for text in ["2024-01-31", "available", "limit1", "a b 123456", "12345"] {
            assert!(!is_id(text), "{text}");
        }
    }

    #[test]
    fn paths_lead_back_to_the_value() {
        let answer: Value = serde_json::from_str(
            r#"{"users":[{"id":"u00001","a b":{"x":"y00002"},"d]":"z00003"}]}"#,
        )
        .unwrap();
        let mut found = Vec::new();
        collect(&answer, "$", &mut Vec::new(), &mut found);
        let found_keys: Vec<_> = found
            .iter()
            .map(|(value, path, _)| (value.as_str(), path.as_str()))
            .collect();
        assert_eq!(
            found_keys,
            [
                ("u00001", "$.users[0].id"),
                ("y00002", "$.users[0]['a b'].x")
            ]
        );
        let mut names = HashSet::new();
        assert_eq!(name(&found[0].2, &mut names), "user_id");
        assert_eq!(name(&found[0].2, &mut names), "user_id_2");
    }
}
