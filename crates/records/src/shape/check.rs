//! Checks a document against a shape: lists everything that is wrong with it, drops what the
//! client may not set, and brings scalars into the stored form.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Kind, ObjectShape, Shape};
use crate::instant;

/// A document is reported with at most this many violations.
const VIOLATIONS_MAX: usize = 100;
/// A refused value is quoted with at most this many characters.
const QUOTED_CHARS_MAX: usize = 200;
/// A path is given with at most this many: clients name properties as they like.
const PATH_CHARS_MAX: usize = 500;

/// One thing that is wrong with a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// The sentence for the client; FOLIO's where FOLIO has one.
    pub message: String,
    /// FOLIO's code: a Bean Validation key, or `-1`.
    pub code: &'static str,
    /// The dotted path of the property.
    pub path: String,
    /// The value that was refused.
    pub value: String,
}

const NOT_NULL: &str = "jakarta.validation.constraints.NotNull.message";
const PATTERN: &str = "jakarta.validation.constraints.Pattern.message";
const OTHER: &str = "-1";
/// The pattern that FOLIO's message for a malformed id quotes.
const UUID_PATTERN: &str =
    "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[1-5][a-fA-F0-9]{3}-[89abAB][a-fA-F0-9]{3}-[a-fA-F0-9]{12}$";

impl Shape {
    /// Checks a document that a client sent and brings it into the stored form: nulls and
    /// read-only properties go, numbers sent as text become numbers, instants get one notation.
    ///
    /// # Errors
    /// Everything that is wrong, in document order.
    pub fn check(&self, document: &mut Value) -> Result<(), Vec<Violation>> {
        let mut checker = Checker {
            path: Vec::new(),
            violations: Vec::new(),
        };
        match document {
            Value::Object(map) => checker.object(&self.root, map),
            other => checker.mistyped("object", other),
        }
        if checker.violations.is_empty() {
            Ok(())
        } else {
            Err(checker.violations)
        }
    }
}

struct Checker {
    path: Vec<String>,
    violations: Vec<Violation>,
}

impl Checker {
    fn object(&mut self, shape: &ObjectShape, map: &mut Map<String, Value>) {
        map.retain(|name, value| {
            !value.is_null()
                && shape
                    .property(name)
                    .is_none_or(|property| !property.readonly)
        });
        for (name, value) in map.iter_mut() {
            if self.violations.len() >= VIOLATIONS_MAX {
                return;
            }
            self.path.push(name.clone());
            match shape.property(name) {
                Some(property) => self.value(&property.kind, value),
                None if shape.open => self.storable(value),
                None => {
                    let quoted: String = name.chars().take(QUOTED_CHARS_MAX).collect();
                    self.add(format!("Unrecognized field \"{quoted}\""), OTHER, value);
                }
            }
            self.path.pop();
        }
        for property in &shape.properties {
            if property.required && !property.readonly && !map.contains_key(&property.name) {
                self.path.push(property.name.clone());
                self.add("must not be null".to_owned(), NOT_NULL, &Value::Null);
                self.path.pop();
            }
        }
    }

    fn value(&mut self, kind: &Kind, value: &mut Value) {
        match kind {
            Kind::Any => self.storable(value),
            Kind::Object(shape) => match value {
                Value::Object(map) => self.object(shape, map),
                other => self.mistyped("object", other),
            },
            Kind::Array(element) => match value {
                Value::Array(elements) => {
                    elements.retain(|element| !element.is_null());
                    for (at, inner) in elements.iter_mut().enumerate() {
                        if self.violations.len() >= VIOLATIONS_MAX {
                            return;
                        }
                        self.path.push(at.to_string());
                        self.value(element, inner);
                        self.path.pop();
                    }
                }
                other => self.mistyped("array", other),
            },
            scalar => self.scalar(scalar, value),
        }
    }

    /// Scalars are as lenient as FOLIO's parser: `"5"` is a number and `5` is a text.
    fn scalar(&mut self, kind: &Kind, value: &mut Value) {
        match kind {
            Kind::Boolean => match value.as_str() {
                Some("true") => *value = Value::Bool(true),
                Some("false") => *value = Value::Bool(false),
                _ if value.is_boolean() => {}
                _ => self.mistyped("boolean", value),
            },
            Kind::Integer => match whole(value) {
                Some(number) => *value = Value::from(number),
                None => self.mistyped("integer", value),
            },
            Kind::Number => match value {
                Value::Number(_) => {}
                Value::String(text) => match text.trim().parse::<serde_json::Number>() {
                    Ok(number) => *value = Value::Number(number),
                    Err(_) => self.mistyped("number", value),
                },
                _ => self.mistyped("number", value),
            },
            Kind::Uuid => match value.as_str().map(Uuid::try_parse) {
                Some(Ok(_)) if value.as_str().is_some_and(|text| text.len() == 36) => {}
                _ if value.is_string() => {
                    self.add(format!("must match \"{UUID_PATTERN}\""), PATTERN, value);
                }
                _ => self.mistyped("string", value),
            },
            Kind::DateTime => match value.as_str().map(instant::parse) {
                Some(Some(at)) => *value = Value::String(instant::format(at)),
                _ => self.mistyped("date-time (like 2026-01-31T12:30:00.000+00:00)", value),
            },
            Kind::Text(values) => self.text(values, value),
            Kind::Any | Kind::Object(_) | Kind::Array(_) => {}
        }
    }

    fn text(&mut self, values: &[String], value: &mut Value) {
        if value.is_number() || value.is_boolean() {
            *value = Value::String(value.to_string());
        }
        match value.as_str() {
            None => self.mistyped("string", value),
            Some(text) if !values.is_empty() && !values.iter().any(|one| one == text) => {
                let message = format!("must be one of {}", values.join(", "));
                self.add(message, OTHER, value);
            }
            Some(_) => self.storable(value),
        }
    }

    /// PostgreSQL's jsonb has no NUL character.
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
        self.add(format!("must be of type {expected}"), OTHER, value);
    }

    fn add(&mut self, message: String, code: &'static str, value: &Value) {
        let quoted = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let path = self.path.join(".");
        self.violations.push(Violation {
            message,
            code,
            path: path.chars().take(PATH_CHARS_MAX).collect(),
            value: quoted.chars().take(QUOTED_CHARS_MAX).collect(),
        });
    }
}

/// Whole numbers written with a fraction or an exponent are exact below 2^53.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_i64().or_else(|| {
            other
                .as_f64()
                .filter(|number| number.fract() == 0.0 && number.abs() < WHOLE_MAX)
                .map(|n| n as i64)
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
active      boolean
due         date-time
computed    string readonly
status      object
  name      string required one of Open | Closed
notes       array of object
  note      string
extra       object open
";

    fn check(mut document: Value) -> Result<Value, Vec<(String, String)>> {
        let shape = Shape::parse(SHAPE).expect("the shape is well formed");
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

    #[test]
    fn brings_documents_into_the_stored_form() {
        let stored = check(json!({
            "name": 5, "count": "7", "active": "true", "due": "2026-02-01", "computed": "x",
            "status": {"name": "Open"}, "notes": [null, {"note": "a"}], "extra": {"any": [1]},
            "id": null
        }));
        assert_eq!(
            stored,
            Ok(json!({
                "name": "5", "count": 7, "active": true, "due": "2026-02-01T00:00:00.000+00:00",
                "status": {"name": "Open"}, "notes": [{"note": "a"}], "extra": {"any": [1]}
            }))
        );
    }

    #[test]
    fn lists_everything_that_is_wrong() {
        let wrong = check(json!({
            "id": "7", "count": "many", "colour": "red", "status": {"name": "Lost"},
            "notes": [{"note": "a\u{0}b"}, "b"]
        }))
        .expect_err("nothing of it is right");
        let paths: Vec<&str> = wrong.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "id",
                "count",
                "colour",
                "status.name",
                "notes.0.note",
                "notes.1",
                "name"
            ]
        );
        assert_eq!(wrong[2].1, "Unrecognized field \"colour\"");
        assert_eq!(wrong[6].1, "must not be null");
    }

    #[test]
    fn a_list_is_no_document() {
        assert_eq!(
            check(json!([])),
            Err(vec![(String::new(), "must be of type object".to_owned())])
        );
    }
}
