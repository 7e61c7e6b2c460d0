//! Validates templates beyond their shape: known resolver, and readable texts in at least one language.

use octavo_records::Violation;
use serde_json::Value;

use crate::render::{RESOLVER, Unrendered, parsed};

/// Languages of one template.
const LANGUAGES_MAX: usize = 50;

/// Why a template is refused.
#[derive(Debug, Clone, PartialEq)]
pub enum TemplateFault {
    /// An unknown template resolver.
    Resolver(String),
    /// Invalid properties.
    Invalid(Vec<Violation>),
}

/// Checks a template that fits its shape.
///
/// # Errors
/// All errors.
pub fn check(template: &Value) -> Result<(), TemplateFault> {
    let resolver = template["templateResolver"].as_str().unwrap_or_default();
    if resolver != RESOLVER {
        let shown = resolver.chars().take(100).collect();
        return Err(TemplateFault::Resolver(shown));
    }
    let mut wrong = Vec::new();
    let texts = template["localizedTemplates"].as_object();
    let count = texts.map_or(0, serde_json::Map::len);
    if count > LANGUAGES_MAX {
        let message = format!("must not have more than {LANGUAGES_MAX} languages");
        wrong.push(violation(
            "localizedTemplates",
            &message,
            &count.to_string(),
        ));
    }
    for (language, content) in texts.into_iter().flatten().take(LANGUAGES_MAX) {
        let shown: String = language.chars().take(50).collect();
        check_content(&format!("localizedTemplates[{shown}]"), content, &mut wrong);
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(TemplateFault::Invalid(wrong)),
    }
}

fn check_content(path: &str, content: &Value, wrong: &mut Vec<Violation>) {
    let Some(members) = content.as_object() else {
        wrong.push(violation(
            path,
            "must be an object with header and body",
            "",
        ));
        return;
    };
    for name in members.keys().take(10) {
        if !["header", "body", "attachments"].contains(&name.as_str()) {
            let name: String = name.chars().take(100).collect();
            wrong.push(violation(
                &format!("{path}.{name}"),
                "Unrecognized field",
                "",
            ));
        }
    }
    for name in ["header", "body"] {
        let at = format!("{path}.{name}");
        match content[name].as_str() {
            None => wrong.push(Violation::missing(&at)),
            Some(text) if !fits(name, text) => {
                let pattern = if name == "header" { HEADER } else { BODY };
                wrong.push(Violation {
                    code: "jakarta.validation.constraints.Pattern.message",
                    ..violation(
                        &at,
                        &format!("must match \"{pattern}\""),
                        &text.chars().take(40).collect::<String>(),
                    )
                });
            }
            Some(_) => {}
        }
    }
    let text = |name: &str| content[name].as_str().unwrap_or_default();
    if let Err(Unrendered::Unreadable { part, error }) = parsed(text("header"), text("body")) {
        let message = format!("is no Mustache template: {error}");
        let lines = text(part).lines();
        let line: String = lines.skip(error.line - 1).take(1).collect();
        let shown: String = line.chars().take(100).collect();
        wrong.push(violation(&format!("{path}.{part}"), &message, &shown));
    }
}

/// FOLIO's patterns of a header and a body.
const HEADER: &str = "\\S+.*";
const BODY: &str = "(?s)\\S+.*";

/// Whether a text begins with a non-blank character; a header must be one line.
fn fits(part: &str, text: &str) -> bool {
    let blank = |one: char| matches!(one, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r');
    let ends = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
    !text.is_empty() && !text.starts_with(blank) && (part == "body" || !text.contains(ends))
}

fn violation(path: &str, message: &str, value: &str) -> Violation {
    Violation {
        message: message.to_owned(),
        code: "-1",
        path: path.to_owned(),
        value: value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrong(content: Value) -> Vec<(String, String)> {
        let template =
            json!({"templateResolver": "mustache", "localizedTemplates": {"en": content}});
        match check(&template) {
            Err(TemplateFault::Invalid(wrong)) => wrong
                .into_iter()
                .map(|one| (one.path, one.message))
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_fault_is_told_with_its_place() {
        let good = json!({"templateResolver": "mustache",
                          "localizedTemplates": {"en": {"header": "h", "body": "b {{c}}\n"}}});
        assert_eq!(check(&good), Ok(()));
        let other = json!({"templateResolver": "velocity"});
        assert_eq!(
            check(&other),
            Err(TemplateFault::Resolver("velocity".to_owned()))
        );
        assert_eq!(wrong(json!(1))[0].0, "localizedTemplates[en]");
        let found = wrong(json!({"header": " ", "colour": 1}));
        let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "localizedTemplates[en].colour",
                "localizedTemplates[en].header",
                "localizedTemplates[en].body"
            ]
        );
        assert_eq!(found[1].1, r#"must match "\S+.*""#);
        let found = wrong(json!({"header": "a\nb", "body": "\n"}));
        assert_eq!(found[0].1, r#"must match "\S+.*""#);
        assert_eq!(found[1].1, r#"must match "(?s)\S+.*""#);
        let found = wrong(json!({"header": "h", "body": "a\n {{#loans}}"}));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "localizedTemplates[en].body");
        assert!(
            found[0]
                .1
                .starts_with("is no Mustache template: line 2, column 2"),
            "{found:?}"
        );
    }
}
