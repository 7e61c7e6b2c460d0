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
//! loan              =circulation.loan
//! * open
//! * like item
//! ```
//! `* open` applies to the record itself: undeclared properties are kept. In shapes of bodies and
//! answers only, `=` names another shape or record type, and `* like` a record type whose properties
//! it has as well.

use serde_json::Value;

use super::{Limits, ObjectShape, Property, Shape, ValueKind};

/// The line that opens the record itself.
const OPEN: &str = "* open";
/// The line that names the record type that it extends.
const LIKE: &str = "* like ";

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
    /// Whether it may refer to other shapes.
    refers: bool,
}

pub(super) fn parse(text: &str, refers: bool) -> Result<Shape, ShapeError> {
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
                refers,
            })
        })
        .collect();
    let declared = lines.len();
    lines.retain(|line| !(line.indent == 0 && line.text == OPEN));
    let open = lines.len() < declared;
    let likened = |line: &Line<'_>| match line.text.strip_prefix(LIKE) {
        Some(name) if refers => Some(name.trim().to_owned()),
        _ => None,
    };
    let like = lines.iter().find_map(likened);
    lines.retain(|line| likened(line).is_none());
    let mut at = 0;
    let mut root = object(&lines, &mut at, 0)?;
    root.open = open;
    match lines.get(at) {
        None => Ok(Shape { root, like }),
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
    let named = word.strip_prefix('=').filter(|_| line.refers);
    let named = named.map(|name| ValueKind::Named(name.to_owned()));
    let mut kind = named.or_else(|| base_kind(word, values)).ok_or_else(|| {
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
        ValueKind::Uuid => uuid::Uuid::try_parse(value)
            .ok()
            .map(|id| Value::String(id.to_string())),
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
