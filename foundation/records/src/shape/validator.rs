//! Validates a document against a shape: lists everything that is wrong with it, drops what the
//! client may not set, and converts scalars to the stored form.

use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{ObjectShape, Shape, ValueKind, fault};
use crate::instant;

/// The most violations reported for a document.
const VIOLATIONS_MAX: usize = 100;

/// One violation of a shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// The message for the client; FOLIO's where it has one.
    pub message: String,
    /// FOLIO's code: a Bean Validation key, or `-1`; [`super::UNREADABLE`] and [`super::UNKNOWN`]
    /// mean that the document could not be parsed.
    pub code: &'static str,
    pub path: String,
    /// The rejected value.
    pub value: String,
}

const NOT_NULL: &str = "jakarta.validation.constraints.NotNull.message";
const PATTERN: &str = "jakarta.validation.constraints.Pattern.message";
const OTHER: &str = "-1";
/// The pattern that FOLIO's message for a malformed id quotes.
const UUID_PATTERN: &str =
    "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[1-5][a-fA-F0-9]{3}-[89abAB][a-fA-F0-9]{3}-[a-fA-F0-9]{12}$";

impl Shape {
    /// Validates a document from a client and converts it to the stored form: nulls and read-only
    /// properties are removed, defaults added, numbers sent as text become numbers, instants get
    /// one notation.
    ///
    /// # Errors
    /// A parse error alone; otherwise every violated rule, in document order.
    pub fn check(&self, document: &mut Value) -> Result<(), Vec<Violation>> {
        let mut checker = Checker {
            path: Vec::new(),
            violations: Vec::new(),
            fault: None,
        };
        match document {
            Value::Object(map) => checker.object(&self.root, map),
            other => checker.mistyped("object", other),
        }
        match checker.fault {
            Some(fault) => Err(vec![fault]),
            None if checker.violations.is_empty() => Ok(()),
            None => Err(checker.violations),
        }
    }
}

impl Violation {
    /// The violation of a required property that is missing.
    #[must_use]
    pub fn missing(name: &str) -> Violation {
        Violation {
            message: "must not be null".to_owned(),
            code: NOT_NULL,
            path: name.to_owned(),
            value: "null".to_owned(),
        }
    }
}

struct Checker {
    path: Vec<String>,
    violations: Vec<Violation>,
    /// The error at which parsing stopped.
    fault: Option<Violation>,
}

impl Checker {
    fn is_done(&self) -> bool {
        self.fault.is_some()
    }

    fn is_full(&self) -> bool {
        self.violations.len() >= VIOLATIONS_MAX
    }

    fn object(&mut self, shape: &ObjectShape, map: &mut Map<String, Value>) {
        // A property with null counts as present, so it gets no default.
        for property in &shape.properties {
            if let Some(default) = &property.default
                && (property.readonly || !map.contains_key(&property.name))
            {
                map.insert(property.name.clone(), default.clone());
            }
        }
        map.retain(|name, value| {
            !value.is_null()
                && match shape.property(name) {
                    Some(property) => !property.readonly || property.default.is_some(),
                    None => shape.open || !shape.dropping,
                }
        });
        for (name, value) in map.iter_mut() {
            self.path.push(name.clone());
            match shape.property(name) {
                Some(property) => {
                    self.value(&property.kind, value);
                    if let Some((message, code)) = property.limits.refuse(value)
                        && !self.is_done()
                    {
                        self.add(message, code, value);
                    }
                }
                None if shape.open => self.storable(value),
                None => self.fault = Some(fault::unknown(&self.path, value)),
            }
            self.path.pop();
            if self.is_done() {
                return;
            }
        }
        map.retain(|_, value| !value.is_null());
        for property in &shape.properties {
            if property.required && !property.readonly && !map.contains_key(&property.name) {
                self.path.push(property.name.clone());
                self.add("must not be null".to_owned(), NOT_NULL, &Value::Null);
                self.path.pop();
            }
        }
    }

    fn value(&mut self, kind: &ValueKind, value: &mut Value) {
        match kind {
            ValueKind::Any | ValueKind::Named(_) => self.storable(value),
            ValueKind::Object(shape) => match value {
                Value::Object(map) => self.object(shape, map),
                other => self.mistyped("object", other),
            },
            ValueKind::Array(element) => match value {
                Value::Array(elements) => {
                    elements.retain(|element| !element.is_null());
                    for (at, inner) in elements.iter_mut().enumerate() {
                        self.path.push(at.to_string());
                        self.value(element, inner);
                        self.path.pop();
                        if self.is_done() {
                            return;
                        }
                    }
                    elements.retain(|element| !element.is_null());
                }
                other => self.mistyped("array", other),
            },
            scalar => self.scalar(scalar, value),
        }
    }

    /// Scalars are as lenient as in FOLIO's parser: `"5"` is a number, `5` is a text, and an empty
    /// text in place of another scalar is null.
    fn scalar(&mut self, kind: &ValueKind, value: &mut Value) {
        let says_nothing = value.as_str().is_some_and(|text| text.trim().is_empty());
        match kind {
            ValueKind::Boolean | ValueKind::Integer | ValueKind::Number if says_nothing => {
                *value = Value::Null
            }
            ValueKind::Boolean => match truth(value) {
                Some(truth) => *value = Value::Bool(truth),
                None => self.mistyped("boolean", value),
            },
            ValueKind::Integer => match whole(value) {
                Some(number) => *value = Value::from(number),
                None => self.mistyped("integer", value),
            },
            ValueKind::Number => match value {
                Value::Number(_) => {}
                Value::String(text) => match text.trim().parse::<serde_json::Number>() {
                    Ok(number) => *value = Value::Number(number),
                    Err(_) => self.mistyped("number", value),
                },
                _ => self.mistyped("number", value),
            },
            ValueKind::Uuid => {
                as_text(value);
                match value
                    .as_str()
                    .map(|text| (text.len(), Uuid::try_parse(text)))
                {
                    Some((36, Ok(_))) => {}
                    Some(_) => self.add(format!("must match \"{UUID_PATTERN}\""), PATTERN, value),
                    None => self.mistyped("string", value),
                }
            }
            ValueKind::DateTime => match instant_of(value) {
                Some(at) => *value = Value::String(instant::format(at)),
                None => self.mistyped("date-time (like 2026-01-31T12:30:00.000+00:00)", value),
            },
            ValueKind::Text(values) => self.text(values, value),
            ValueKind::Any | ValueKind::Named(_) | ValueKind::Object(_) | ValueKind::Array(_) => {}
        }
    }

    fn text(&mut self, values: &[String], value: &mut Value) {
        as_text(value);
        match value.as_str() {
            None => self.mistyped("string", value),
            Some(text) if !values.is_empty() && !values.iter().any(|one| one == text) => {
                self.fault = Some(fault::not_listed(&self.path, values, value));
            }
            Some(_) => self.storable(value),
        }
    }

    /// PostgreSQL's jsonb cannot store NUL.
    fn storable(&mut self, value: &Value) {
        match value {
            Value::String(text) if text.contains('\0') => {
                self.add(
                    "must not contain the character U+0000".to_owned(),
                    OTHER,
                    value,
                );
            }
            Value::Array(elements) => elements.iter().for_each(|element| self.storable(element)),
            Value::Object(map) => {
                for (name, inner) in map {
                    if name.contains('\0') {
                        self.add(
                            "name must not contain the character U+0000".to_owned(),
                            OTHER,
                            inner,
                        );
                    }
                    self.storable(inner);
                }
            }
            _ => {}
        }
    }

    fn mistyped(&mut self, expected: &str, value: &Value) {
        self.fault = Some(fault::mistyped(&self.path, expected, value));
    }

    fn add(&mut self, message: String, code: &'static str, value: &Value) {
        if self.is_full() {
            return;
        }
        self.violations.push(Violation {
            message,
            code,
            path: fault::shown(&self.path),
            value: fault::quoted_value(value),
        });
    }
}

/// A number or boolean in place of a text becomes its text.
fn as_text(value: &mut Value) {
    if value.is_number() || value.is_boolean() {
        *value = Value::String(value.to_string());
    }
}

/// `true`, also as a text, and any integer but 0.
fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Number(number) => number.as_i64().map(|number| number != 0),
        Value::String(text) => match text.trim() {
            "true" | "True" | "TRUE" => Some(true),
            "false" | "False" | "FALSE" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// An instant as text, or in milliseconds since 1970, as a number or as digits.
fn instant_of(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Number(number) => instant::of_milliseconds(number.as_i64()?),
        Value::String(text) => instant::parse(text).or_else(|| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            instant::of_milliseconds(all.then(|| text.parse().ok())??)
        }),
        _ => None,
    }
}

/// Integers written with a fraction or an exponent are exact below 2^53.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        // A fraction is cut off, as in FOLIO's parser.
        other => other.as_i64().or_else(|| {
            let number = other.as_f64().filter(|number| number.abs() < WHOLE_MAX);
            number.map(|number| number.trunc() as i64)
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SHAPE: &str = "
id          uuid
name        string required
count       integer
active      boolean default true
due         date-time
computed    string readonly
kind        string required one of Fee | Fine default Fee
status      object
  name      string required one of Open | Closed
notes       array of object
  note      string
  staffOnly boolean default false
extra       object open
";

    fn check_with(shape: Shape, mut document: Value) -> Result<Value, Vec<(String, String)>> {
        shape
            .check(&mut document)
            .map(|()| document)
            .map_err(|violations| {
                violations
                    .into_iter()
                    .map(|one| (one.path, one.message))
                    .collect()
            })
    }

    fn shape() -> Shape {
        Shape::parse(SHAPE).expect("the shape is well formed")
    }

    fn check(document: Value) -> Result<Value, Vec<(String, String)>> {
        check_with(shape(), document)
    }

    #[test]
    fn brings_documents_into_the_stored_form() {
        let stored = check(json!({
            "name": 5, "count": "7", "active": "false", "due": "2026-02-01", "computed": "x",
            "status": {"name": "Open"}, "notes": [null, {"note": "a"}], "extra": {"any": [1]},
            "id": null
        }));
        assert_eq!(
            stored,
            Ok(json!({
                "name": "5", "count": 7, "active": false, "due": "2026-02-01T00:00:00.000+00:00",
                "kind": "Fee", "status": {"name": "Open"},
                "notes": [{"note": "a", "staffOnly": false}], "extra": {"any": [1]}
            }))
        );
    }

    #[test]
    fn scalars_are_read_as_folio_reads_them() {
        for (property, sent, stored) in [
            (
                "due",
                json!(1_767_323_045_678_i64),
                json!("2026-01-02T03:04:05.678+00:00"),
            ),
            (
                "due",
                json!("1767323045678"),
                json!("2026-01-02T03:04:05.678+00:00"),
            ),
            ("due", json!(-1), json!("1969-12-31T23:59:59.999+00:00")),
            ("count", json!(7.9), json!(7)),
            ("count", json!(""), Value::Null),
            ("active", json!(0), json!(false)),
            ("active", json!("TRUE"), json!(true)),
            ("active", json!(" "), Value::Null),
            // A property with null gets no default.
            ("active", Value::Null, Value::Null),
            ("name", json!(true), json!("true")),
        ] {
            let mut document = json!({"name": "a"});
            document[property] = sent.clone();
            let read = check(document).expect("it can be read");
            assert_eq!(read[property], stored, "{property} {sent}");
        }
    }

    #[test]
    fn every_broken_rule_is_reported() {
        let wrong =
            check(json!({"id": "7", "status": {}, "notes": [{"note": "a\u{0}b"}], "kind": null}))
                .expect_err("nothing of it is right");
        let paths: Vec<&str> = wrong.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["id", "status.name", "notes.0.note", "kind", "name"]);
        assert_eq!(wrong[4].1, "must not be null");
    }

    #[test]
    fn what_cannot_be_read_is_reported_alone() {
        for (property, value, code, path, begins) in [
            (
                "colour",
                json!("red"),
                super::super::UNKNOWN,
                "colour",
                "Unrecognized field \"colour\"",
            ),
            (
                "notes",
                json!([{"nope": 1}]),
                super::super::UNKNOWN,
                "notes.0.nope",
                "Unrecognized field \"nope\" (in notes[0])",
            ),
            (
                "count",
                json!("many"),
                super::super::UNREADABLE,
                "count",
                "Cannot deserialize value of type `integer` from String \"many\"",
            ),
            (
                "name",
                json!(["x"]),
                super::super::UNREADABLE,
                "name",
                "Cannot deserialize value of type `string` from Array value",
            ),
            (
                "due",
                json!("yesterday"),
                super::super::UNREADABLE,
                "due",
                "Cannot deserialize value of type `date-time",
            ),
            (
                "due",
                json!(1.5),
                super::super::UNREADABLE,
                "due",
                "Cannot deserialize value of type `date-time",
            ),
            (
                "status",
                json!({"name": "Lost"}),
                super::super::UNREADABLE,
                "status.name",
                "Cannot construct instance of `enum`, problem: Lost",
            ),
            (
                "notes",
                json!(["b"]),
                super::super::UNREADABLE,
                "notes.0",
                "Cannot deserialize value of type `object` from String \"b\"",
            ),
        ] {
            // The missing name violates a rule, which is not reached.
            let mut document = json!({"id": "7"});
            document[property] = value;
            let wrong = shape().check(&mut document).expect_err("it is refused");
            assert_eq!(wrong.len(), 1, "{property}: {wrong:?}");
            assert_eq!((wrong[0].code, wrong[0].path.as_str()), (code, path));
            assert!(wrong[0].message.starts_with(begins), "{}", wrong[0].message);
        }
    }

    #[test]
    fn unknown_properties_are_kept_or_dropped_where_that_is_declared() {
        let sent = json!({"name": "a", "colour": "red", "notes": [{"nope": 1}]});
        let open = Shape::parse(&format!("{SHAPE}* open\n")).expect("well formed");
        let refused = check_with(open.clone(), sent.clone()).expect_err("notes are closed");
        assert_eq!(refused[0].0, "notes.0.nope");
        let kept = check_with(open, json!({"name": "a", "colour": "red"})).expect("it is taken");
        assert_eq!(kept["colour"], "red");
        let dropped = check_with(shape().dropping_unknown(), sent).expect("it is taken");
        assert_eq!(
            dropped,
            json!({"name": "a", "active": true, "kind": "Fee", "notes": [{"staffOnly": false}]})
        );
    }

    #[test]
    fn a_list_is_no_document() {
        let wrong = check(json!([])).expect_err("it is refused");
        assert!(
            wrong[0]
                .1
                .starts_with("Cannot deserialize value of type `object` from Array value")
        );
    }

    #[test]
    fn a_default_has_to_fit() {
        for line in [
            "a integer default x",
            "a string one of b | c default d",
            "a object default {}",
        ] {
            assert!(Shape::parse(line).is_err(), "{line}");
        }
    }
}
