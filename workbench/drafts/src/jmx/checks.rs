//! Converts JMeter's assertions to conditions and its extractors to extractions, as far as the
//! workload language has them: exact statuses, texts, JSONPaths and headers.

use super::tree::Element;
use super::values::Values;
use crate::json_path::{Adopted, adopt, is_many};
use crate::model::{Call, Expect, Extract, ValueSource};
use crate::note::Notes;
use crate::reference;

pub(super) const ASSERTIONS: &str = "assertions not taken, or taken in part";
pub(super) const EXTRACTORS: &str = "extractors not taken, or taken in part";

/// JMeter's bits for the kind of comparison in a response assertion.
const MATCH: u32 = 1;
const CONTAINS: u32 = 2;
const NOT: u32 = 4;
const EQUALS: u32 = 8;
const SUBSTRING: u32 = 16;
const OR: u32 = 32;

/// Adds an assertion to a request.
pub(super) fn assertion(element: &Element, call: &mut Call, notes: &mut Notes) {
    let mut note = |what: &str| {
        notes.add(
            element.line,
            ASSERTIONS,
            format!("{}: {what}", element.label()),
        );
    };
    match element.kind.as_str() {
        "ResponseAssertion" => match response(element) {
            Ok(expects) => call.expect.extend(expects),
            Err(reason) => note(reason),
        },
        "JSONPathAssertion" | "JSONPathAssertion2" | "JMESPathAssertion" => {
            let (expect, reason) = json_assertion(element);
            call.expect.extend(expect);
            if let Some(reason) = reason {
                note(reason);
            }
        }
        "DurationAssertion" => note("not taken; `workload run --until 'p95 > …'` watches times"),
        _ => note("not taken"),
    }
    let mut seen = Vec::new();
    call.expect.retain(|one| {
        let is_new = !seen.contains(one);
        seen.push(one.clone());
        is_new
    });
}

fn response(element: &Element) -> Result<Vec<Expect>, &'static str> {
    if !element.text("Assertion.scope").is_empty() {
        return Err("not taken: it is about a variable or an embedded answer");
    }
    // JMeter itself misspells it.
    let strings = element.property("Asserion.test_strings");
    let strings = strings.or_else(|| element.property("Assertion.test_strings"));
    let strings = strings.iter().flat_map(|list| &list.items);
    let strings: Vec<&str> = strings
        .map(|one| one.text.as_str())
        .filter(|text| !text.is_empty())
        .collect();
    if strings.is_empty() {
        return Err("not taken: it compares with nothing");
    }
    if strings.iter().any(|text| text.contains("${")) {
        return Err("not taken: it compares with a variable");
    }
    let how: u32 = element
        .text("Assertion.test_type")
        .trim()
        .parse()
        .unwrap_or(CONTAINS);
    if how & OR != 0 && strings.len() > 1 {
        return Err("not taken: one of several texts is enough");
    }
    let not = how & NOT != 0;
    match element.text("Assertion.test_field").trim() {
        "Assertion.response_code" => {
            let status = strings
                .iter()
                .map(|text| status(text))
                .collect::<Option<Vec<u16>>>();
            match status.as_deref() {
                Some([one]) if !not => Ok(vec![Expect::Status(*one)]),
                Some([_]) => Err("not taken: any status but one"),
                Some(_) => Err("not taken: several statuses at once"),
                None => Err("not taken: no exact status"),
            }
        }
        "Assertion.response_data" | "Assertion.response_data_as_document" => {
            let is_expression = how & (SUBSTRING | EQUALS) == 0;
            let texts = strings.iter().map(|text| match is_expression {
                true => literal_of(text),
                false => Some((*text).to_owned()),
            });
            let texts: Option<Vec<String>> = texts.collect();
            let texts = texts.ok_or("not taken: a regular expression")?;
            if how & (EQUALS | MATCH) != 0 && not {
                return Err("not taken: any body but one");
            }
            let expect = match not {
                true => Expect::Lacks,
                false => Expect::Contains,
            };
            Ok(texts.into_iter().map(expect).collect())
        }
        "Assertion.response_headers" => Err("not taken: it is about headers"),
        "Assertion.response_message" => Err("not taken: it is about the status line's words"),
        _ => Err("not taken: it is about what is sent"),
    }
}

fn status(text: &str) -> Option<u16> {
    let text = text.trim().trim_start_matches('^').trim_end_matches('$');
    let is_status = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let status = text.parse().ok().filter(|_| is_status);
    status.filter(|status| (100..=599).contains(status))
}

/// The text that a regular expression matches, if it is a literal.
fn literal_of(expression: &str) -> Option<String> {
    let inner = expression.strip_prefix(".*").unwrap_or(expression);
    let inner = match inner.ends_with("\\.*") {
        true => inner,
        false => inner.strip_suffix(".*").unwrap_or(inner),
    };
    let mut out = String::new();
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.push(letters.next().filter(|next| !next.is_alphanumeric())?),
            // In JSON and in Java's names a dot is nearly always literal.
            '.' if !expression.contains(".*") => out.push('.'),
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '^' | '$' => {
                return None;
            }
            letter => out.push(letter),
        }
    }
    Some(out).filter(|out| !out.is_empty())
}

fn json_assertion(element: &Element) -> (Option<Expect>, Option<&'static str>) {
    let (path, reason) = match adopt(element.text("JSON_PATH")) {
        Adopted::Same(path) => (path, None),
        Adopted::Wider(path) => (path, Some("its path's filter is left out")),
        Adopted::None => return (None, Some("not taken: its JSONPath cannot be said")),
    };
    let value = element.text("EXPECTED_VALUE").trim();
    let inverted = element.is_true("INVERT");
    if element.is_true("EXPECT_NULL") {
        return match inverted {
            true => (Some(Expect::Present(path)), reason),
            false => (None, Some("not taken: null cannot be asked for")),
        };
    }
    if !element.is_true("JSONVALIDATION") {
        let expect = match inverted {
            true => Expect::Absent(path),
            false => Expect::Present(path),
        };
        return (Some(expect), reason);
    }
    let digits = |letter: char| "^$[]()0-9\\d*+".contains(letter);
    let is_digits = value.contains("\\d") || value.contains("[0-9]");
    match (inverted, is_digits && value.chars().all(digits)) {
        (false, true) => (Some(Expect::WholeNumber(path)), reason),
        (false, false) => (
            Some(Expect::Present(path)),
            Some("only that there is a value, not which"),
        ),
        (true, _) => (None, Some("not taken: any value but one")),
    }
}

/// Adds an extractor to a request.
pub(super) fn extractor(element: &Element, call: &mut Call, values: &Values, notes: &mut Notes) {
    let mut note = |what: &str| {
        notes.add(
            element.line,
            EXTRACTORS,
            format!("{}: {what}", element.label()),
        );
    };
    let known = |text: &str| values.constant(text).unwrap_or_default();
    let found = match element.kind.as_str() {
        "JSONPostProcessor" => json(element, &known, &mut note),
        "RegexExtractor" => {
            let text = |name: &str| element.text(&format!("RegexExtractor.{name}"));
            let place = expression(&text("useHeaders").to_lowercase(), text("regex"));
            one(
                text("refname"),
                place,
                text("match_number"),
                known(text("default")),
                &mut note,
            )
        }
        "BoundaryExtractor" => {
            let text = |name: &str| element.text(&format!("BoundaryExtractor.{name}"));
            let place = boundaries(&text("useHeaders").to_lowercase(), text("lboundary"));
            one(
                text("refname"),
                place,
                text("match_number"),
                known(text("default")),
                &mut note,
            )
        }
        _ => {
            note("not taken");
            Vec::new()
        }
    };
    for one in found {
        if !call.extract.contains(&one) {
            call.extract.push(one);
        }
    }
}

/// Lists separated by semicolons, one part for each variable.
fn json(
    element: &Element,
    known: &dyn Fn(&str) -> String,
    note: &mut dyn FnMut(&str),
) -> Vec<Extract> {
    let list = |name: &str| -> Vec<String> {
        let text = element.text(&format!("JSONPostProcessor.{name}"));
        text.split(';').map(|part| part.trim().to_owned()).collect()
    };
    let (names, paths) = (list("referenceNames"), list("jsonPathExprs"));
    let (matches, defaults) = (list("match_numbers"), list("defaultValues"));
    let mut found = Vec::new();
    for (at, name) in names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty())
    {
        let (path, is_wider) = match adopt(paths.get(at).map_or("", String::as_str)) {
            Adopted::Same(path) => (path, false),
            Adopted::Wider(path) => (path, true),
            Adopted::None => {
                note(&format!(
                    "`{name}` is not taken: its JSONPath cannot be said"
                ));
                continue;
            }
        };
        if is_wider {
            note(&format!(
                "`{name}`: its path's filter is left out, any match is taken"
            ));
        }
        let number = matches.get(at).map_or("", String::as_str);
        let random = is_many(&path) && matches!(number, "" | "0" | "-1");
        if number == "-1" {
            note(&format!("`{name}` is one of the matches, not all"));
        } else if !matches!(number, "" | "0" | "1") {
            note(&format!("`{name}` is the first match, not number {number}"));
        }
        found.push(Extract {
            variable: reference::variable(name),
            from: ValueSource::Json(path),
            random,
            default: known(defaults.get(at).map_or("", String::as_str)),
        });
    }
    found
}

fn one(
    name: &str,
    place: Option<ValueSource>,
    number: &str,
    default: String,
    note: &mut dyn FnMut(&str),
) -> Vec<Extract> {
    let Some(from) = place else {
        let name = name.trim();
        note(&format!(
            "`{name}` is not taken: neither a header nor a property of JSON"
        ));
        return Vec::new();
    };
    if matches!(from, ValueSource::Json(_)) {
        note("read as a JSONPath");
    }
    let random = matches!(from, ValueSource::Json(_)) && matches!(number.trim(), "" | "0" | "-1");
    vec![Extract {
        variable: reference::variable(name),
        from,
        random,
        default,
    }]
}

/// `name: (.*)` in headers, `"name" : "(.*?)"` in bodies.
fn expression(field: &str, expression: &str) -> Option<ValueSource> {
    let start = expression.find('(')?;
    let before = expression[..start].replace('\\', "");
    match field {
        "true" => header(&before),
        "false" | "unescaped" | "" => property(&before.replace("s*", "").replace("s+", "")),
        _ => None,
    }
}

fn boundaries(field: &str, left: &str) -> Option<ValueSource> {
    match field {
        "true" => header(left),
        "false" | "unescaped" | "" => property(left),
        _ => None,
    }
}

fn header(before: &str) -> Option<ValueSource> {
    let name = before.trim().strip_suffix(':')?.trim_start_matches('^');
    let is_token = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let fits = !name.is_empty() && name.chars().all(is_token);
    fits.then(|| ValueSource::Header(name.to_lowercase()))
}

/// The property whose value follows `text`.
fn property(text: &str) -> Option<ValueSource> {
    let text = text.trim_end();
    let text = text.strip_suffix('"').unwrap_or(text).trim_end();
    let name = text.strip_suffix(':')?.trim_end().strip_suffix('"')?;
    let name = name.rsplit('"').next().unwrap_or(name);
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-@".contains(letter);
    let fits = !name.is_empty() && name.chars().all(plain);
    fits.then(|| ValueSource::Json(format!("$..{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_expressions_are_texts() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(literal_of(text).as_deref(), expected, "{text}");
        };
        check("\"jobExecutions\"", Some("\"jobExecutions\""));
        check(
            "java.lang.NullPointerException",
            Some("java.lang.NullPointerException"),
        );
        check(".*ok.*", Some("ok"));
        check("a\\.b", Some("a.b"));
        check("\\d+", None);
        check("a|b", None);
        check(".*", None);
    }

    #[test]
    fn expressions_name_headers_and_properties() {
        let header = |name: &str| Some(ValueSource::Header(name.into()));
        let json = |path: &str| Some(ValueSource::Json(path.into()));
        assert_eq!(
            expression("true", "x-okapi-token: (.*)"),
            header("x-okapi-token")
        );
        assert_eq!(expression("true", "folioAccessToken=(.*?);"), None);
        assert_eq!(
            expression("false", "\"id\"\\s*:\\s*\"(.+?)\""),
            json("$..id")
        );
        assert_eq!(boundaries("false", "username\":\""), json("$..username"));
        assert_eq!(
            boundaries("false", "addresses\":[{\"id\":\""),
            json("$..id")
        );
        assert_eq!(expression("false", "cursor=(.*)"), None);
        assert_eq!(expression("code", "(\\d+)"), None);
    }

    #[test]
    fn statuses_are_exact() {
        assert_eq!(status("200"), Some(200));
        assert_eq!(status("^201$"), Some(201));
        assert_eq!(status("2.."), None);
        assert_eq!(status("999"), None);
    }
}
