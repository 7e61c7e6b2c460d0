//! Parses the text form of a shape.
//!
//! ```text
//! # comment
//! id                uuid
//! holdingsRecordId  uuid required
//! status            object required
//!   name            string required one of Available | Checked out
//! notes             array of object
//!   note            string
//! tags              object open
//! active            boolean default true
//! position          integer from 1 to 100
//! code              string size 1..25
//! metadata          object readonly open
//! * open
//! ```
//!  `* open` applies to the record itself: undeclared properties are kept.

use serde_json::Value;

use super::{Limits, ObjectShape, Property, Shape, ValueKind};

/// The line that opens the record itself.
const OPEN: &str = "* open";

/// A line of a shape that could not be parsed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ShapeError {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

struct Line<'a> {
    number: usize,
    indent: usize,
    text: &'a str,
}

pub(super) fn parse(text: &str) -> Result<Shape, ShapeError> {
    let mut lines: Vec<Line<'_>> = text
        .lines()
        .enumerate()
        .filter_map(|(index, raw)| {
            let content = raw.split('#').next().unwrap_or("").trim_end();
            let trimmed = content.trim_start();
            (!trimmed.is_empty()).then(|| Line {
                number: index + 1,
                indent: content.len() - trimmed.len(),
                text: trimmed,
            })
        })
        .collect();
    let declared = lines.len();
    lines.retain(|line| !(line.indent == 0 && line.text == OPEN));
    let mut at = 0;
    let mut root = object(&lines, &mut at, 0)?;
    root.open = lines.len() < declared;
    match lines.get(at) {
        None => Ok(Shape { root }),
        Some(line) => Err(line.error("is indented without an object above it")),
    }
}

impl Line<'_> {
    fn error(&self, message: impl Into<String>) -> ShapeError {
        ShapeError {
            line: self.number,
            message: message.into(),
        }
    }
}

fn object(lines: &[Line<'_>], at: &mut usize, indent: usize) -> Result<ObjectShape, ShapeError> {
    let mut properties = Vec::new();
    while let Some(line) = lines.get(*at) {
        if line.indent != indent {
            break;
        }
        *at += 1;
        properties.push(property(line, lines, at)?);
    }
    properties.sort_by(|a: &Property, b| a.name.cmp(&b.name));
    Ok(ObjectShape {
        properties,
        open: false,
        dropping: false,
    })
}

fn property(line: &Line<'_>, lines: &[Line<'_>], at: &mut usize) -> Result<Property, ShapeError> {
    let (text, default) = match line.text.split_once(" default ") {
        Some((before, value)) => (before, Some(value.trim())),
        None => (line.text, None),
    };
    let (declaration, values) = match text.split_once(" one of ") {
        Some((before, list)) => (
            before,
            list.split('|')
                .map(|value| value.trim().to_owned())
                .collect(),
        ),
        None => (text, Vec::new()),
    };
    let mut words = declaration.split_whitespace();
    let name = words.next().unwrap_or_default().to_owned();
    let mut arrays = 0;
    let mut word = words.next().ok_or_else(|| line.error("has no type"))?;
    while word == "array" {
        if words.next() != Some("of") {
            return Err(line.error("expected `array of <type>`"));
        }
        arrays += 1;
        word = words
            .next()
            .ok_or_else(|| line.error("has no element type"))?;
    }
    let mut kind = base_kind(word, values).ok_or_else(|| {
        line.error(format!("unknown type `{word}`: expected uuid, string, integer, number, boolean, date-time, object, any or array of one of them"))
    })?;
    let mut flags = Flags::default();
    let mut limits = Limits::default();
    while let Some(flag) = words.next() {
        flags
            .set(flag)
            .or_else(|| limits.set(flag, &mut words))
            .ok_or_else(|| line.error(format!("unknown word `{flag}`")))?;
    }
    if let ValueKind::Object(inner) = &mut kind {
        if let Some(next) = lines.get(*at)
            && next.indent > line.indent
        {
            *inner = object(lines, at, next.indent)?;
        }
        inner.open = flags.open;
    }
    for _ in 0..arrays {
        kind = ValueKind::Array(Box::new(kind));
    }
    let default = match default {
        None => None,
        Some(value) => Some(
            default_of(&kind, value)
                .ok_or_else(|| line.error(format!("`{value}` cannot be the default")))?,
        ),
    };
    Ok(Property {
        name,
        kind,
        required: flags.required,
        readonly: flags.readonly,
        default,
        limits,
    })
}

fn default_of(kind: &ValueKind, value: &str) -> Option<Value> {
    match kind {
        ValueKind::Text(values) if !values.is_empty() && !values.iter().any(|one| one == value) => {
            None
        }
        ValueKind::Text(_) => Some(Value::String(value.to_owned())),
        ValueKind::Boolean => value.parse().ok().map(Value::Bool),
        ValueKind::Integer => value.parse::<i64>().ok().map(Value::from),
        _ => None,
    }
}

#[derive(Default)]
struct Flags {
    required: bool,
    readonly: bool,
    open: bool,
}

impl Flags {
    fn set(&mut self, word: &str) -> Option<()> {
        match word {
            "required" => self.required = true,
            "readonly" => self.readonly = true,
            "open" => self.open = true,
            _ => return None,
        }
        Some(())
    }
}

fn base_kind(word: &str, values: Vec<String>) -> Option<ValueKind> {
    Some(match word {
        "uuid" => ValueKind::Uuid,
        "string" => ValueKind::Text(values),
        "integer" => ValueKind::Integer,
        "number" => ValueKind::Number,
        "boolean" => ValueKind::Boolean,
        "date-time" => ValueKind::DateTime,
        "object" => ValueKind::Object(ObjectShape::default()),
        "any" => ValueKind::Any,
        _ => return None,
    })
}
