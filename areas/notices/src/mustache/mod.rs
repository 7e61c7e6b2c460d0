//! Mustache as FOLIO's template engine reads it: variables, sections, inverted sections, comments, other
//! delimiters. No partials: FOLIO has no source for them. Text in, text out; no I/O.

mod parse;
mod render;
#[cfg(test)]
mod tests;

pub use render::{OUTPUT_BYTES_MAX, RenderError, STEPS_MAX};

/// Bytes of one text of a template.
pub const TEMPLATE_BYTES_MAX: usize = 256 * 1024;
/// Tags of one text of a template.
pub const TAGS_MAX: usize = 5_000;
/// Sections within sections.
pub const NESTING_MAX: usize = 32;

/// A text of a template, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mustache {
    nodes: Vec<Node>,
}

/// Why a text is not a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// The error and the remedy.
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Text(String),
    Value {
        path: Path,
        escaped: bool,
    },
    Section {
        path: Path,
        inverted: bool,
        nodes: Vec<Node>,
    },
}

/// The name in a tag; `.` has no steps.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path {
    name: String,
    steps: Vec<String>,
}

impl Mustache {
    /// Reads a text.
    ///
    /// # Errors
    /// The place of the error.
    pub fn parse(text: &str) -> Result<Mustache, ParseError> {
        parse::parse(text).map(|nodes| Mustache { nodes })
    }

    /// The text with the values of a context. Names in `raw` are written without escaping, whatever
    /// their tag.
    ///
    /// # Errors
    /// When the text becomes too long, or takes too many steps.
    pub fn render(
        &self,
        context: &serde_json::Value,
        raw: &dyn Fn(&str) -> bool,
    ) -> Result<String, RenderError> {
        render::render(&self.nodes, context, raw)
    }
}
