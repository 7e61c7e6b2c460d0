//! Instances in the form of `/inventory/instances`: with links to other instances, which are separate
//! records, and additional rules.

use serde_json::{Map, Value};

use super::filled;

/// A refusal with FOLIO's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormRefusal {
    /// Answered with an error for this property.
    Property(&'static str, &'static str),
}

/// Read-only properties that clients send back.
const SHOWN_ONLY: [&str; 1] = ["isBoundWith"];

/// The links in a form; `None` for an absent list.
#[derive(Debug, Default, PartialEq)]
pub struct Links {
    /// Series and other wholes: `{id?, superInstanceId, instanceRelationshipTypeId}`.
    pub parents: Option<Vec<Value>>,
    /// Parts: `{id?, subInstanceId, instanceRelationshipTypeId}`.
    pub children: Option<Vec<Value>>,
    /// Earlier titles: `{id?, precedingInstanceId?, title?, hrid?, identifiers?}`.
    pub preceding: Option<Vec<Value>>,
    /// Later titles: `{id?, succeedingInstanceId?, title?, hrid?, identifiers?}`.
    pub succeeding: Option<Vec<Value>>,
}

impl Links {
    /// Removes the links from a form, leaving the instance.
    pub fn take(form: &mut Map<String, Value>) -> Links {
        for property in SHOWN_ONLY {
            form.shift_remove(property);
        }
        let mut list = |property: &str| match form.shift_remove(property)? {
            Value::Array(elements) => Some(elements),
            _ => Some(Vec::new()),
        };
        Links {
            parents: list("parentInstances"),
            children: list("childInstances"),
            preceding: list("precedingTitles"),
            succeeding: list("succeedingTitles"),
        }
    }

    /// The same links with absent lists as empty ones: a PUT replaces them all.
    #[must_use]
    pub fn complete(self) -> Links {
        Links {
            parents: Some(self.parents.unwrap_or_default()),
            children: Some(self.children.unwrap_or_default()),
            preceding: Some(self.preceding.unwrap_or_default()),
            succeeding: Some(self.succeeding.unwrap_or_default()),
        }
    }
}

/// FOLIO's refusal of a form's links that needs no look-up.
///
/// # Errors
/// The first error.
pub fn accept(links: &Links) -> Result<(), FormRefusal> {
    if nameless(&links.preceding, "precedingInstanceId") {
        return Err(FormRefusal::Property(
            NAMELESS_PRECEDING,
            "precedingTitles.title",
        ));
    }
    if nameless(&links.succeeding, "succeedingInstanceId") {
        return Err(FormRefusal::Property(
            NAMELESS_SUCCEEDING,
            "succeedingTitles.title",
        ));
    }
    Ok(())
}

const NAMELESS_PRECEDING: &str = "Title is required for unconnected preceding title";
const NAMELESS_SUCCEEDING: &str = "Title is required for unconnected succeeding title";

fn nameless(titles: &Option<Vec<Value>>, other: &str) -> bool {
    let mut titles = titles.iter().flatten();
    titles.any(|title| filled(title, other).is_none() && filled(title, "title").is_none())
}

/// All errors of one instance of a batch, with FOLIO's messages; in a batch FOLIO checks only titles.
#[must_use]
pub fn wrong_in_batch(instance: &Value, links: &Links) -> Vec<String> {
    let mut wrong = Vec::new();
    if filled(instance, "title").is_none() {
        let id = instance.get("id").and_then(Value::as_str);
        wrong.push(format!(
            "Title must be provided for an instance: {}",
            id.unwrap_or("null")
        ));
    }
    if nameless(&links.preceding, "precedingInstanceId") {
        wrong.push(NAMELESS_PRECEDING.to_owned());
    }
    if nameless(&links.succeeding, "succeedingInstanceId") {
        wrong.push(NAMELESS_SUCCEEDING.to_owned());
    }
    wrong
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn links_leave_the_instance() {
        let mut form = json!({"title": "a", "isBoundWith": true, "parentInstances": [{"id": "1"}]});
        let links = Links::take(form.as_object_mut().expect("an object"));
        assert_eq!(form, json!({"title": "a"}));
        assert_eq!(links.parents, Some(vec![json!({"id": "1"})]));
        assert_eq!(links.children, None);
        assert_eq!(links.complete().children, Some(Vec::new()));
    }

    #[test]
    fn unconnected_titles_have_a_title() {
        assert_eq!(accept(&Links::default()), Ok(()));
        let links = |title: Value| Links {
            preceding: Some(vec![title]),
            ..Links::default()
        };
        assert_eq!(accept(&links(json!({"title": "Before"}))), Ok(()));
        assert_eq!(accept(&links(json!({"precedingInstanceId": "1"}))), Ok(()));
        assert!(accept(&links(json!({"title": " "}))).is_err());
    }

    #[test]
    fn all_that_is_wrong_in_a_batch_is_told_at_once() {
        let links = Links {
            preceding: Some(vec![json!({})]),
            succeeding: Some(vec![json!({"succeedingInstanceId": "1"})]),
            ..Links::default()
        };
        let wrong = wrong_in_batch(&json!({"id": "7", "title": " "}), &links);
        let title = "Title must be provided for an instance: 7";
        assert_eq!(wrong, [title, NAMELESS_PRECEDING]);
        let wrong = wrong_in_batch(&json!({}), &Links::default());
        assert_eq!(wrong, ["Title must be provided for an instance: null"]);
        assert!(wrong_in_batch(&json!({"title": "a"}), &Links::default()).is_empty());
    }
}
