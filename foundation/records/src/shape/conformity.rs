//! Whether JSON is of a shape as it stands. Unlike the validator of writes this converts nothing,
//! fills nothing in and drops nothing: it is for comparing answers with what is declared of them.

use serde_json::Value;
use uuid::Uuid;

use super::{ObjectShape, Property, ValueKind};
use crate::instant;

/// The most departures that are listed for a document.
const DEPARTURES_MAX: usize = 20;

/// Who wrote the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The server: every value has exactly its kind.
    Answer,
    /// A client, whose body was accepted: null stands for nothing, and a scalar may be written as
    /// another one, as FOLIO's parsers allow.
    Body,
}

/// Looks a shape up by its name.
type Lookup<'a, 's> = &'a dyn Fn(&str) -> Option<&'s ObjectShape>;

impl ObjectShape {
    /// Where a value departs from this shape, each as `path: what is wrong`; nothing if it is of the
    /// shape. `named` finds the shapes that this one refers to.
    #[must_use]
    pub fn departures<'s>(
        &'s self,
        value: &Value,
        reading: Reading,
        named: &dyn Fn(&str) -> Option<&'s ObjectShape>,
    ) -> Vec<String> {
        let mut comparison = Comparison {
            reading,
            named,
            path: String::new(),
            found: Vec::new(),
        };
        comparison.object(self, value);
        comparison.found
    }
}

struct Comparison<'a, 's> {
    reading: Reading,
    named: Lookup<'a, 's>,
    path: String,
    found: Vec<String>,
}

impl<'s> Comparison<'_, 's> {
    fn add(&mut self, what: &str) {
        if self.found.len() < DEPARTURES_MAX {
            let place = match self.path.is_empty() {
                true => "the body",
                false => self.path.trim_start_matches('.'),
            };
            self.found.push(format!("{place}: {what}"));
        }
    }

    /// Runs `inner` with `step` added to the path.
    fn within(&mut self, step: &str, inner: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(step);
        inner(self);
        self.path.truncate(length);
    }

    fn object(&mut self, shape: &'s ObjectShape, value: &Value) {
        let Value::Object(map) = value else {
            self.add(&format!("is {}, not an object", name_of(value)));
            return;
        };
        for (name, inner) in map {
            if inner.is_null() && self.reading == Reading::Body {
                continue;
            }
            self.within(&format!(".{name}"), |this| match shape.property(name) {
                Some(property) => this.value(&property.kind, inner),
                None if shape.open => {}
                None => this.add("is not declared"),
            });
        }
        for property in &shape.properties {
            if is_missing(property, map.get(&property.name), self.reading) {
                self.within(&format!(".{}", property.name), |this| {
                    this.add("is required, and not there");
                });
            }
        }
    }

    fn value(&mut self, kind: &'s ValueKind, value: &Value) {
        match kind {
            ValueKind::Any => {}
            ValueKind::Object(shape) => self.object(shape, value),
            ValueKind::Named(name) => match (self.named)(name) {
                Some(shape) => self.object(shape, value),
                None => self.add(&format!("is of the unknown shape {name}")),
            },
            ValueKind::Array(element) => match value {
                Value::Array(elements) => {
                    for (at, inner) in elements.iter().enumerate() {
                        if inner.is_null() && self.reading == Reading::Body {
                            continue;
                        }
                        self.within(&format!("[{at}]"), |this| this.value(element, inner));
                    }
                }
                other => self.add(&format!("is {}, not an array", name_of(other))),
            },
            scalar => {
                let lenient = self.reading == Reading::Body
                    && (value.is_string() || value.is_number() || value.is_boolean());
                if !lenient && let Some(expected) = expected(scalar, value) {
                    self.add(&format!("is {}, not {expected}", name_of(value)));
                }
            }
        }
    }
}

fn is_missing(property: &Property, value: Option<&Value>, reading: Reading) -> bool {
    let absent = value.is_none_or(|value| value.is_null() && reading == Reading::Body);
    // The server sets what is read-only or has a default.
    let sent = reading == Reading::Answer || (!property.readonly && property.default.is_none());
    property.required && absent && sent
}

/// What a scalar should be instead, if the value is not of its kind.
fn expected(kind: &ValueKind, value: &Value) -> Option<String> {
    let text = value.as_str();
    let (is_of_kind, name) = match kind {
        ValueKind::Uuid => (text.is_some_and(is_uuid), "a UUID"),
        ValueKind::DateTime => (
            text.is_some_and(|text| instant::parse(text).is_some()),
            "an instant",
        ),
        ValueKind::Text(values) if !values.is_empty() => {
            let is_listed = text.is_some_and(|text| values.iter().any(|one| one == text));
            return (!is_listed).then(|| format!("one of {}", values.join(" | ")));
        }
        ValueKind::Text(_) => (text.is_some(), "a string"),
        ValueKind::Boolean => (value.is_boolean(), "a boolean"),
        ValueKind::Number => (value.is_number(), "a number"),
        ValueKind::Integer => (
            value.as_f64().is_some_and(|number| number.fract() == 0.0),
            "an integer",
        ),
        ValueKind::Any | ValueKind::Named(_) | ValueKind::Object(_) | ValueKind::Array(_) => {
            (true, "")
        }
    };
    (!is_of_kind).then(|| name.to_owned())
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && Uuid::try_parse(text).is_ok()
}

/// The kind of a value. The value itself may be a patron's.
fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Shape;
    use super::*;

    const ANSWER: &str = "
id      uuid required
due     date-time
status  string one of Open | Closed
count   integer
sum     number
done    boolean
item    =item
others  array of =item
extra   object open
";

    fn departures(value: Value, reading: Reading) -> Vec<String> {
        let answer = Shape::parse_referring(ANSWER).expect("well formed");
        let item = Shape::parse("name string required\n").expect("well formed");
        let named = |name: &str| (name == "item").then_some(&item.root);
        answer.root.departures(&value, reading, &named)
    }

    const ID: &str = "11111111-2222-4333-8444-555555555555";

    #[test]
    fn an_answer_of_the_shape_departs_nowhere() {
        let whole = json!({
            "id": ID, "due": "2026-01-31T12:30:00.000+00:00", "status": "Open", "count": 1,
            "sum": 1.5, "done": true, "item": {"name": "a"}, "others": [{"name": "b"}],
            "extra": {"any": null},
        });
        assert_eq!(departures(whole, Reading::Answer), [""; 0]);
        assert_eq!(departures(json!({"id": ID}), Reading::Answer), [""; 0]);
    }

    #[test]
    fn every_departure_is_named_with_its_path() {
        for (property, value, expected) in [
            ("id", json!("x"), "id: is a string, not a UUID"),
            ("id", Value::Null, "id: is null, not a UUID"),
            ("due", json!("soon"), "due: is a string, not an instant"),
            (
                "status",
                json!("Lost"),
                "status: is a string, not one of Open | Closed",
            ),
            ("count", json!(1.5), "count: is a number, not an integer"),
            ("count", json!("1"), "count: is a string, not an integer"),
            ("sum", json!("1.5"), "sum: is a string, not a number"),
            ("done", json!("true"), "done: is a string, not a boolean"),
            ("item", json!({}), "item.name: is required, and not there"),
            ("item", json!([]), "item: is an array, not an object"),
            ("others", json!({}), "others: is an object, not an array"),
            (
                "others",
                json!([{"name": "a"}, {"name": 1}]),
                "others[1].name: is a number, not a string",
            ),
            (
                "others",
                json!([{"name": "a", "b": 1}]),
                "others[0].b: is not declared",
            ),
            ("colour", json!("red"), "colour: is not declared"),
        ] {
            let mut answer = json!({"id": ID});
            answer[property] = value;
            assert_eq!(
                departures(answer, Reading::Answer),
                [expected],
                "{property}"
            );
        }
        assert_eq!(
            departures(json!({}), Reading::Answer),
            ["id: is required, and not there"]
        );
        assert_eq!(
            departures(json!([]), Reading::Answer),
            ["the body: is an array, not an object"]
        );
    }

    #[test]
    fn a_body_may_be_written_as_clients_write() {
        let lenient = json!({"id": ID, "count": "1", "done": null, "others": [null]});
        assert_eq!(departures(lenient, Reading::Body), [""; 0]);
        for (body, expected) in [
            (json!({"id": null}), "id: is required, and not there"),
            (json!({"id": ID, "colour": 1}), "colour: is not declared"),
            (
                json!({"id": ID, "count": []}),
                "count: is an array, not an integer",
            ),
        ] {
            assert_eq!(departures(body, Reading::Body), [expected]);
        }
    }

    #[test]
    fn a_shape_may_extend_a_record() {
        let mut shape = Shape::parse_referring("title string\n* like item\n").expect("well formed");
        assert_eq!(shape.like.as_deref(), Some("item"));
        let item = Shape::parse("id uuid required\ntitle integer\n").expect("well formed");
        shape.extend(&item.root);
        let found = shape
            .root
            .departures(&json!({"title": "a"}), Reading::Answer, &|_| None);
        assert_eq!(found, ["id: is required, and not there"]);
    }

    #[test]
    fn only_shapes_that_may_refer_do() {
        assert!(Shape::parse("item =item\n").is_err());
        assert!(Shape::parse("* like item\n").is_err());
        let shape = Shape::parse_referring(ANSWER).expect("well formed");
        assert_eq!(shape.names(), ["item", "item"]);
    }
}
