//! Normalises a note before it is stored: sanitised HTML, complete links without duplicates. Also checks
//! the lengths of its texts.

use serde_json::{Value, json};

use crate::sanitize::sanitized;

/// Characters of a title, and of the two parts of a link.
const TITLE_CHARS_MAX: usize = 255;
/// Characters of a domain.
const DOMAIN_CHARS_MAX: usize = 100;
/// Links that one note may have.
const LINKS_MAX: usize = 1_000;

/// Normalises a note; returns the number of its links.
pub fn complete(note: &mut Value) -> usize {
    let Some(note) = note.as_object_mut() else {
        return 0;
    };
    if let Some(Value::String(content)) = note.get_mut("content") {
        *content = sanitized(content);
    }
    for name in ["popUpOnCheckOut", "popUpOnUser"] {
        if note.get(name).is_none_or(Value::is_null) {
            note.insert(name.to_owned(), json!(false));
        }
    }
    let links = note
        .entry("links")
        .or_insert_with(|| Value::Array(Vec::new()));
    if links.is_null() {
        *links = Value::Array(Vec::new());
    }
    let Some(links) = links.as_array_mut() else {
        return 0;
    };
    let mut known = std::collections::HashSet::new();
    // Links are compared as JSON: they have no other properties, since the shape refuses them.
    links.retain(|link| known.insert(link.to_string()));
    links.len()
}

/// A text that is too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLong {
    /// Its path.
    pub path: String,
    /// The maximal length.
    pub most: usize,
}

impl TooLong {
    /// A sentence for the client.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{}: size must be between 0 and {}", self.path, self.most)
    }
}

/// Checks the lengths of a note's texts.
///
/// # Errors
/// Names the first property that is too long.
pub fn check_lengths(note: &Value) -> Result<(), TooLong> {
    fits("title", &note["title"], TITLE_CHARS_MAX)?;
    fits("domain", &note["domain"], DOMAIN_CHARS_MAX)?;
    let links = note["links"].as_array().map_or(&[][..], Vec::as_slice);
    if links.len() > LINKS_MAX {
        return Err(TooLong {
            path: "links".to_owned(),
            most: LINKS_MAX,
        });
    }
    for (at, link) in links.iter().enumerate() {
        for name in ["id", "type"] {
            fits(&format!("links[{at}].{name}"), &link[name], TITLE_CHARS_MAX)?;
        }
    }
    Ok(())
}

/// Checks the length of one text; the shape refuses other types.
///
/// # Errors
/// When it has more characters.
pub fn fits(path: &str, value: &Value, most: usize) -> Result<(), TooLong> {
    let text = value.as_str().unwrap_or_default();
    if text.chars().nth(most).is_some() {
        return Err(TooLong {
            path: path.to_owned(),
            most,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_counts_once() {
        let link = json!({"id": "7", "type": "user"});
        let mut note = json!({"links": [link, {"id": "7", "type": "item"}, link]});
        assert_eq!(complete(&mut note), 2);
        assert_eq!(note["links"], json!([link, {"id": "7", "type": "item"}]));
        for links in [json!({}), json!({"links": null})] {
            let mut bare = links;
            assert_eq!(complete(&mut bare), 0);
            assert_eq!(
                bare,
                json!({"links": [], "popUpOnCheckOut": false, "popUpOnUser": false})
            );
        }
    }

    #[test]
    fn what_is_said_about_pop_ups_stays() {
        let mut note = json!({"popUpOnUser": true, "content": "a<img>"});
        complete(&mut note);
        assert_eq!(note["popUpOnUser"], true);
        assert_eq!(note["popUpOnCheckOut"], false);
        assert_eq!(note["content"], "a");
    }

    #[test]
    fn lengths_are_counted_in_characters() {
        let refused = |note: Value| check_lengths(&note).map_err(|long| long.message());
        assert_eq!(refused(json!({"title": "é".repeat(255)})), Ok(()));
        for (note, sentence) in [
            (
                json!({"title": "é".repeat(256)}),
                "title: size must be between 0 and 255",
            ),
            (
                json!({"domain": "d".repeat(101)}),
                "domain: size must be between 0 and 100",
            ),
            (
                json!({"links": [{"id": "1"}, {"id": "i".repeat(256)}]}),
                "links[1].id: size must be between 0 and 255",
            ),
            (
                json!({"links": vec![json!({}); 1_001]}),
                "links: size must be between 0 and 1000",
            ),
        ] {
            assert_eq!(refused(note), Err(sentence.to_owned()));
        }
    }
}
