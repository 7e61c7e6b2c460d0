//! Renders nodes and values to text. False, empty or absent values open no section; names are resolved
//! from the innermost section outwards. Values of other types are written as in FOLIO.

use serde_json::Value;

use super::{Node, Path};

/// Bytes of one text.
pub const OUTPUT_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Maximal number of visited nodes: nested empty loops cost time too.
pub const STEPS_MAX: usize = 500_000;

/// Why rendering fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// It has more than [`OUTPUT_BYTES_MAX`] bytes.
    #[error("the text becomes longer than {OUTPUT_BYTES_MAX} bytes")]
    TooLong,
    /// It takes more than [`STEPS_MAX`] steps.
    #[error("the sections are gone through more than {STEPS_MAX} times")]
    TooManySteps,
}

struct Output<'a> {
    text: String,
    steps: usize,
    raw: &'a dyn Fn(&str) -> bool,
}

pub(super) fn render(
    nodes: &[Node],
    context: &Value,
    raw: &dyn Fn(&str) -> bool,
) -> Result<String, RenderError> {
    let mut output = Output {
        text: String::new(),
        steps: 0,
        raw,
    };
    write(nodes, &mut vec![context], &mut output)?;
    Ok(output.text)
}

fn write(
    nodes: &[Node],
    scopes: &mut Vec<&Value>,
    output: &mut Output<'_>,
) -> Result<(), RenderError> {
    for node in nodes {
        output.steps += 1;
        if output.steps > STEPS_MAX {
            return Err(RenderError::TooManySteps);
        }
        match node {
            Node::Text(text) => output.text.push_str(text),
            Node::Value { path, escaped } => {
                let text = find(path, scopes).map(text_of).unwrap_or_default();
                match *escaped && !(output.raw)(&path.name) {
                    true => escape(&text, &mut output.text),
                    false => output.text.push_str(&text),
                }
            }
            Node::Section {
                path,
                inverted,
                nodes,
            } => {
                let value = find(path, scopes);
                section(value, *inverted, nodes, scopes, output)?;
            }
        }
        if output.text.len() > OUTPUT_BYTES_MAX {
            return Err(RenderError::TooLong);
        }
    }
    Ok(())
}

fn section<'a>(
    value: Option<&'a Value>,
    inverted: bool,
    nodes: &[Node],
    scopes: &mut Vec<&'a Value>,
    output: &mut Output<'_>,
) -> Result<(), RenderError> {
    let value = value.filter(|value| opens(value));
    if inverted {
        return match value {
            Some(_) => Ok(()),
            None => write(nodes, scopes, output),
        };
    }
    let Some(value) = value else { return Ok(()) };
    let elements = match value {
        Value::Array(elements) => elements.as_slice(),
        other => std::slice::from_ref(other),
    };
    for element in elements {
        output.steps += 1;
        scopes.push(element);
        let outcome = write(nodes, scopes, output);
        scopes.pop();
        outcome?;
    }
    Ok(())
}

fn opens(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::String(text) => !text.is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        Value::Number(_) | Value::Object(_) => true,
    }
}

fn find<'a>(path: &Path, scopes: &[&'a Value]) -> Option<&'a Value> {
    let Some((first, rest)) = path.steps.split_first() else {
        return scopes.last().copied();
    };
    let mut inner_first = scopes.iter().rev();
    let found = inner_first.find_map(|scope| scope.get(first.as_str()))?;
    rest.iter()
        .try_fold(found, |value, step| value.get(step.as_str()))
}

/// Objects and arrays as Java writes them, which is what a template of FOLIO shows.
fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(is) => is.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(elements) => {
            let parts: Vec<String> = elements.iter().map(inner_text).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Object(members) => {
            let part = |(name, value): (&String, &Value)| format!("{name}={}", inner_text(value));
            let parts: Vec<String> = members.iter().map(part).collect();
            format!("{{{}}}", parts.join(", "))
        }
    }
}

fn inner_text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        other => text_of(other),
    }
}

/// The characters that FOLIO escapes, in HTML and plain text alike.
fn escape(text: &str, output: &mut String) {
    for one in text.chars() {
        match one {
            '&' => output.push_str("&amp;"),
            '<' => output.push_str("&lt;"),
            '>' => output.push_str("&gt;"),
            '"' => output.push_str("&quot;"),
            '\'' => output.push_str("&#39;"),
            '`' => output.push_str("&#96;"),
            '=' => output.push_str("&#61;"),
            '\0'..='\r' => output.push_str(&format!("&#{};", u32::from(one))),
            _ => output.push(one),
        }
    }
}
