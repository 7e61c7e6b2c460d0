//! The part of JSONPath that load plans use: `$.a.b[0].c`, `$['a']`, `$.list[*].id`, `$..name`,
//! `$.list[?(@.name=='text')].id`. A path is evaluated in one pass over the text and keeps slices
//! of it; no document tree is built.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;

/// The deepest nesting, because evaluation recurses once per level.
const DEPTH_MAX: usize = 128;

/// The most matches that are kept: the first ones.
const MATCHES_MAX: usize = 10_000;

/// A parsed path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPath {
    text: String,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// `.name` or `['name']`
    Key(String),
    /// `[3]`
    Index(usize),
    /// `[*]` or `.*`
    Each,
    /// `..name`
    Anywhere(String),
    /// `[?(@.name=='text')]`
    Where { path: Box<JsonPath>, text: String },
}

/// Why a text is not a path.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{path}` is no JSONPath: expected {expected} at character {at}")]
pub struct JsonPathError {
    path: String,
    expected: &'static str,
    at: usize,
}

/// The body is not JSON, or is nested too deeply.
#[derive(Debug, thiserror::Error)]
#[error("the body is not JSON: {0}")]
pub struct NotJson(#[from] serde_json::Error);

impl JsonPath {
    /// Parses a path.
    ///
    /// # Errors
    /// When the text is outside of this subset, with the position of the first error.
    pub fn parse(text: &str) -> Result<Self, JsonPathError> {
        let fail = |rest: &str, expected| JsonPathError {
            path: text.to_owned(),
            expected,
            at: text.len() - rest.len() + 1,
        };
        let mut rest = text.strip_prefix('$').ok_or_else(|| fail(text, "`$`"))?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = step(rest).map_err(|expected| fail(rest, expected))?;
            steps.push(step);
            rest = after;
        }
        Ok(Self {
            text: text.to_owned(),
            steps,
        })
    }

    /// Whether the path has at least one value in `body`.
    ///
    /// # Errors
    /// When the body is not JSON.
    pub fn is_in(&self, body: &[u8]) -> Result<bool, NotJson> {
        Ok(!self.find(body, 1)?.is_empty())
    }

    /// All values of the path, as JSON text in document order (at most 10,000).
    ///
    /// # Errors
    /// When the body is not JSON.
    pub fn all<'b>(&self, body: &'b [u8]) -> Result<Vec<&'b RawValue>, NotJson> {
        self.find(body, MATCHES_MAX)
    }

    /// The first value of the path.
    ///
    /// # Errors
    /// When the body is not JSON.
    pub fn first<'b>(&self, body: &'b [u8]) -> Result<Option<&'b RawValue>, NotJson> {
        Ok(self.find(body, 1)?.pop())
    }

    fn find<'b>(&self, body: &'b [u8], wanted: usize) -> Result<Vec<&'b RawValue>, NotJson> {
        let mut found = PathMatches {
            values: Vec::new(),
            wanted,
        };
        let mut deserializer = serde_json::Deserializer::from_slice(body);
        Walk {
            steps: &self.steps,
            found: &mut found,
            depth: 0,
        }
        .deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(found.values)
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// The text of a JSON value in a plan's variable: strings without quotes, null as nothing.
pub fn plain_text(value: &RawValue) -> Option<String> {
    match value.get() {
        "null" => None,
        text if text.starts_with('"') => serde_json::from_str(text).ok(),
        text => Some(text.to_owned()),
    }
}

fn step(rest: &str) -> Result<(Step, &str), &'static str> {
    if let Some(after) = rest.strip_prefix("..") {
        let (name, after) = name(after)?;
        return Ok((Step::Anywhere(name), after));
    }
    // Jayway accepts a dot before a bracket (`$.users.[0].id`), and plans use it.
    let bracket = rest.strip_prefix(".[").or_else(|| rest.strip_prefix('['));
    if let Some(inner) = bracket {
        if let Some(condition) = inner.strip_prefix("?(") {
            let (condition, after) = condition.split_once(")]").ok_or("a closing `)]`")?;
            return Ok((filter(condition)?, after));
        }
        let (inside, after) = inner.split_once(']').ok_or("a closing `]`")?;
        return Ok((bracketed(inside)?, after));
    }
    let after = rest.strip_prefix('.').ok_or("`.` or `[`")?;
    if let Some(after) = after.strip_prefix('*') {
        return Ok((Step::Each, after));
    }
    let (name, after) = name(after)?;
    Ok((Step::Key(name), after))
}

/// `@.name=='text'`
fn filter(condition: &str) -> Result<Step, &'static str> {
    const EXPECTED: &str = "a condition like `@.name=='text'`";
    let (path, text) = condition.split_once("==").ok_or(EXPECTED)?;
    let path = path.trim().strip_prefix('@').ok_or(EXPECTED)?;
    let path = JsonPath::parse(&format!("${path}")).map_err(|_| EXPECTED)?;
    let text = quoted(text.trim()).ok_or(EXPECTED)?.to_owned();
    Ok(Step::Where {
        path: Box::new(path),
        text,
    })
}

fn quoted(text: &str) -> Option<&str> {
    let between = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    between('\'').or_else(|| between('"'))
}

fn bracketed(inside: &str) -> Result<Step, &'static str> {
    if inside == "*" {
        return Ok(Step::Each);
    }
    match quoted(inside) {
        Some(name) => Ok(Step::Key(name.to_owned())),
        None => inside
            .parse()
            .map(Step::Index)
            .map_err(|_| "an index, `*` or a quoted name"),
    }
}

fn name(rest: &str) -> Result<(String, &str), &'static str> {
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    match &rest[..end] {
        "" => Err("a property name"),
        name => Ok((name.to_owned(), &rest[end..])),
    }
}

struct PathMatches<'b> {
    values: Vec<&'b RawValue>,
    wanted: usize,
}

struct Walk<'w, 'b> {
    steps: &'w [Step],
    found: &'w mut PathMatches<'b>,
    depth: usize,
}

impl<'b> Walk<'_, 'b> {
    fn with<'s>(&'s mut self, steps: &'s [Step]) -> Walk<'s, 'b> {
        Walk {
            steps,
            found: self.found,
            depth: self.depth + 1,
        }
    }

    fn is_satisfied(&self) -> bool {
        self.found.values.len() >= self.found.wanted
    }
}

impl<'b> DeserializeSeed<'b> for Walk<'_, 'b> {
    type Value = ();

    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth > DEPTH_MAX {
            return Err(D::Error::custom("nested too deeply"));
        }
        if self.steps.is_empty() {
            let value = <&RawValue as serde::Deserialize>::deserialize(deserializer)?;
            self.found.values.push(value);
            return Ok(());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'b> Visitor<'b> for Walk<'_, 'b> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'b>>(mut self, mut map: A) -> Result<(), A::Error> {
        let steps = self.steps;
        while let Some(key) = map.next_key_seed(KeyIs(&steps[0]))? {
            if self.is_satisfied() {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            match (&steps[0], key) {
                (Step::Key(_) | Step::Each, true) => map.next_value_seed(self.with(&steps[1..]))?,
                (Step::Anywhere(_), true) => {
                    // The value itself matches, and more matches may be inside it.
                    let value: &'b RawValue = map.next_value()?;
                    for inner in [&steps[1..], steps] {
                        if !self.is_satisfied() {
                            let mut text = serde_json::Deserializer::from_str(value.get());
                            self.with(inner)
                                .deserialize(&mut text)
                                .map_err(A::Error::custom)?;
                        }
                    }
                }
                (Step::Anywhere(_), false) => map.next_value_seed(self.with(steps))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'b>>(mut self, mut list: A) -> Result<(), A::Error> {
        let steps = self.steps;
        for at in 0.. {
            if let Step::Where { path, text } = &steps[0]
                && !self.is_satisfied()
            {
                let Some(element) = list.next_element::<&'b RawValue>()? else {
                    break;
                };
                let found = path.first(element.get().as_bytes()).ok().flatten();
                if found.and_then(plain_text).as_deref() == Some(text) {
                    let mut element = serde_json::Deserializer::from_str(element.get());
                    self.with(&steps[1..])
                        .deserialize(&mut element)
                        .map_err(A::Error::custom)?;
                }
                continue;
            }
            let inner = match &steps[0] {
                _ if self.is_satisfied() => None,
                Step::Index(wanted) => (*wanted == at).then_some(&steps[1..]),
                Step::Each => Some(&steps[1..]),
                Step::Anywhere(_) => Some(steps),
                Step::Key(_) | Step::Where { .. } => None,
            };
            let more = match inner {
                Some(inner) => list.next_element_seed(self.with(inner))?.is_some(),
                None => list.next_element::<IgnoredAny>()?.is_some(),
            };
            if !more {
                break;
            }
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// Compares a key with a step without allocating it.
struct KeyIs<'s>(&'s Step);

impl<'b> DeserializeSeed<'b> for KeyIs<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyIs<'_> {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a property name")
    }

    fn visit_str<E>(self, key: &str) -> Result<bool, E> {
        Ok(match self.0 {
            Step::Key(name) | Step::Anywhere(name) => name == key,
            Step::Each => true,
            Step::Index(_) | Step::Where { .. } => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, body: &str, expected: &[&str]) {
        let found = JsonPath::parse(path).unwrap();
        let values: Vec<_> = found
            .all(body.as_bytes())
            .unwrap()
            .iter()
            .map(|v| v.get())
            .collect();
        assert_eq!(values, expected, "{path} in {body}");
    }

    #[test]
    fn walks_the_subset() {
        check(
            "$.loan.id",
            r#"{"item":{"id":1},"loan":{"id":"a"}}"#,
            &["\"a\""],
        );
        check("$.items[0].id", r#"{"items":[{"id":1},{"id":2}]}"#, &["1"]);
        check("$.users.[0].id", r#"{"users":[{"id":"x"}]}"#, &["\"x\""]);
        check(
            "$.servicepoints[*].id",
            r#"{"servicepoints":[{"id":1},{"x":0},{"id":3}]}"#,
            &["1", "3"],
        );
        check(
            "$..id",
            r#"{"id":{"id":1},"a":[{"id":2}]}"#,
            &[r#"{"id":1}"#, "1", "2"],
        );
        check("$['a b'].*", r#"{"a b":{"x":1,"y":[2]}}"#, &["1", "[2]"]);
        check("$.a", r#"[{"a":1}]"#, &[]);
        check("$.a.b", r#"{"a":"text"}"#, &[]);
        check("$", " 5 ", &["5"]);
        let jobs = r#"{"jobs":[{"id":1,"n":{"x":"a]"}},{"id":2},{"id":3,"n":{"x":"a]"}},4]}"#;
        check("$.jobs[?(@.n.x == 'a]')].id", jobs, &["1", "3"]);
        check("$.jobs[?(@.id=='2')].id", jobs, &["2"]);
        check(r#"$.jobs[?(@.id=="9")]"#, jobs, &[]);
        check(
            "$.a.b",
            "{\"a\" : {\n \"b\\u0020\" : 1, \"b\" : true } }",
            &["true"],
        );
    }

    #[test]
    fn refuses_what_is_no_path_and_what_is_no_json() {
        for (path, at) in [
            ("a", 1),
            ("$.", 1),
            ("$.a[", 4),
            ("$.a[x]", 4),
            ("$a", 2),
            ("$.a[?(@.b)]", 4),
            ("$.a[?(@.b==c)]", 4),
            ("$.a[?(b=='c')]", 4),
            ("$.a[?(@.b=='c'", 4),
            ("$..", 2),
        ] {
            let error = JsonPath::parse(path).unwrap_err();
            assert!(error.at >= at.min(2), "{path}: {error}");
        }
        let path = JsonPath::parse("$.id").unwrap();
        assert!(path.is_in(b"").is_err());
        assert!(path.is_in(b"<html>").is_err());
        assert!(path.is_in(br#"{"id":1} trailing"#).is_err());
    }

    #[test]
    fn deep_nesting_is_an_error_and_not_a_crash() {
        let path = JsonPath::parse("$..id").unwrap();
        let body = r#"{"id":"#.repeat(5_000) + "1" + &"}".repeat(5_000);
        assert!(path.all(body.as_bytes()).is_err());
    }

    #[test]
    fn plain_text_of_values() {
        let path = JsonPath::parse("$.v").unwrap();
        let text = |body: &str| plain_text(path.first(body.as_bytes()).unwrap().unwrap());
        assert_eq!(text(r#"{"v":"a\"b"}"#).as_deref(), Some("a\"b"));
        assert_eq!(text(r#"{"v":12}"#).as_deref(), Some("12"));
        assert_eq!(text(r#"{"v":null}"#), None);
    }
}
