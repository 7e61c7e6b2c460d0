//! How much of the description has types.

use std::fmt;

use serde_json::Value;

use super::document::Document;

/// The operations with a body or an answer, how many of them have a type, and how many have one
/// that tests compare with what is sent: a record type or a declared shape. Other types are those
/// of FOLIO's documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Typed {
    /// Operations that take a body.
    pub bodies: Share,
    /// Successful answers with JSON.
    pub answers: Share,
}

/// How many of some have a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    pub all: usize,
    pub typed: usize,
    pub declared: usize,
}

impl Share {
    fn count(&mut self, document: &Document, schema: &Value) {
        self.all += 1;
        self.typed += usize::from(has_type(schema));
        let name = schema["$ref"]
            .as_str()
            .and_then(|place| place.rsplit('/').next());
        self.declared += usize::from(name.is_some_and(|name| document.is_declared(name)));
    }
}

impl Typed {
    pub(super) fn of(document: &Document) -> Typed {
        let mut typed = Typed::default();
        for operation in document.operations() {
            if let Some(schema) = schema(&operation["requestBody"]) {
                typed.bodies.count(document, schema);
            }
            let responses = operation["responses"].as_object().into_iter().flatten();
            let good = responses.filter(|(status, _)| status.starts_with('2'));
            for schema in good.filter_map(|(_, response)| schema(response)) {
                typed.answers.count(document, schema);
            }
        }
        typed
    }
}

impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "bodies: {}", self.bodies)?;
        write!(f, "answers: {}", self.answers)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} have a type, {} a declared one",
            self.typed, self.all, self.declared
        )
    }
}

/// The schema of JSON content.
pub(super) fn schema(of: &Value) -> Option<&Value> {
    of.pointer("/content/application~1json/schema")
}

/// Whether a schema says more than that there is JSON.
fn has_type(schema: &Value) -> bool {
    let said = schema.as_object();
    said.is_some_and(|said| !said.is_empty() && *schema != serde_json::json!({"type": "object"}))
}
