//! Renders a template with a context: dates, bar codes, Mustache. No I/O.

mod barcodes;
mod code128;
mod dates;

pub use dates::{DateWriter, Locality};

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::mustache::{Mustache, ParseError, RenderError};

/// The only template resolver.
pub const RESOLVER: &str = "mustache";

/// A template's texts in one language, parsed.
#[derive(Debug, Clone)]
pub struct Parsed {
    header: Mustache,
    body: Mustache,
    pictures: HashSet<String>,
}

/// A rendered notice.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// The subject.
    pub header: String,
    /// The text.
    pub body: String,
    /// In FOLIO's form.
    pub attachments: Vec<Value>,
}

/// Why rendering failed, with FOLIO's message if there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unrendered {
    /// No such template.
    #[error("Template with id {0} does not exist")]
    NoTemplate(String),
    /// The template lacks this format.
    #[error("Requested template does not support '{0}' output format")]
    OutputFormat(String),
    /// The template lacks this language.
    #[error("Requested template does not have localized template for language '{0}'")]
    Language(String),
    /// A text of it is not a template.
    #[error("Template could not be rendered: {part}: {error}")]
    Unreadable {
        /// `header` or `body`.
        part: &'static str,
        /// The place of the error.
        error: ParseError,
    },
    /// It would become too large.
    #[error("Template could not be rendered: {0}")]
    TooMuch(#[from] RenderError),
}

/// The texts of a template in a language, if it has the format and the language.
///
/// # Errors
/// Which of them is missing, or the place of an error in its text.
pub fn chosen(template: &Value, language: &str, output_format: &str) -> Result<Parsed, Unrendered> {
    let formats = template["outputFormats"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    if !formats.iter().any(|one| one == output_format) {
        return Err(Unrendered::OutputFormat(short(output_format)));
    }
    let texts = template["localizedTemplates"].get(language);
    let texts = texts.ok_or_else(|| Unrendered::Language(short(language)))?;
    let text = |name: &str| texts[name].as_str().unwrap_or_default();
    parsed(text("header"), text("body"))
}

fn short(text: &str) -> String {
    text.chars().take(100).collect()
}

/// Reads the two texts of a template.
///
/// # Errors
/// Which of them is invalid, and where.
pub fn parsed(header: &str, body: &str) -> Result<Parsed, Unrendered> {
    let read =
        |part, text| Mustache::parse(text).map_err(|error| Unrendered::Unreadable { part, error });
    let mut pictures = barcodes::picture_tokens(header);
    pictures.extend(barcodes::picture_tokens(body));
    Ok(Parsed {
        header: read("header", header)?,
        body: read("body", body)?,
        pictures,
    })
}

impl Parsed {
    /// The texts with the values of a context.
    ///
    /// # Errors
    /// When they become too large.
    pub fn render(
        &self,
        context: Option<Value>,
        dates: &DateWriter,
    ) -> Result<Rendered, Unrendered> {
        let mut context = context.unwrap_or_else(|| Value::Object(Map::new()));
        dates.prepare(&mut context);
        let pictures = barcodes::draw(&self.pictures, &mut context);
        let raw = |name: &str| pictures.tokens.contains(name);
        Ok(Rendered {
            header: self.header.render(&context, &raw)?,
            body: self.body.render(&context, &raw)?,
            attachments: pictures.attachments,
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use serde_json::json;

    use super::*;

    fn template() -> Value {
        json!({"outputFormats": ["text/html"], "localizedTemplates": {"en": {
            "header": "Due {{loan.dueDate}}", "body": "<p>{{item.barcodeImage}} {{item.title}}</p>"}}})
    }

    #[test]
    fn formats_and_languages_are_those_of_the_template() {
        let refused = |language, format| {
            chosen(&template(), language, format)
                .map(|_| ())
                .unwrap_err()
        };
        assert_eq!(
            refused("en", "text/plain").to_string(),
            "Requested template does not support 'text/plain' output format"
        );
        assert_eq!(
            refused("de", "text/html").to_string(),
            "Requested template does not have localized template for language 'de'"
        );
    }

    #[test]
    fn pictures_are_html_and_all_else_is_escaped() {
        let context = json!({"loan": {"dueDate": "2026-01-02T00:00:00Z"},
                             "item": {"barcode": "7", "title": "A <b>"}});
        let dates = DateWriter::new("en-US", TimeZone::UTC);
        let parsed = chosen(&template(), "en", "text/html").expect("it has both");
        let rendered = parsed.render(Some(context), &dates).expect("it is small");
        assert_eq!(rendered.header, "Due 1/2/26");
        assert_eq!(
            rendered.body,
            "<p><img src='cid:barcode_7' alt='barcode_7'> A &lt;b&gt;</p>"
        );
        assert_eq!(rendered.attachments.len(), 1);
        let nothing = parsed.render(None, &dates).expect("it is small");
        assert_eq!(
            (nothing.header.as_str(), nothing.body.as_str()),
            ("Due ", "<p> </p>")
        );
    }
}
