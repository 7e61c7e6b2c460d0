//! Changes members of a JSON object from a response, so that it can be sent back.

use serde_json::Value;

use super::template::Template;
use super::variables::Variables;

/// The object's text with other values at the dotted names; `None` when it is not an object.
pub(super) fn change(
    object: &str,
    changes: &[(Vec<String>, Template)],
    variables: &Variables,
) -> Option<String> {
    let mut value: Value = serde_json::from_str(object).ok()?;
    value.as_object()?;
    for (names, text) in changes {
        let text = String::from_utf8_lossy(&text.text(variables)).into_owned();
        set(&mut value, names, text);
    }
    Some(value.to_string())
}

fn set(value: &mut Value, names: &[String], text: String) {
    let Some((last, before)) = names.split_last() else {
        return;
    };
    let mut inner = value;
    for name in before {
        // A value of another type in the path is replaced by an object.
        if !inner.is_object() {
            *inner = Value::Object(serde_json::Map::new());
        }
        inner = &mut inner[name.as_str()];
    }
    if !inner.is_object() {
        *inner = Value::Object(serde_json::Map::new());
    }
    inner[last.as_str()] = Value::String(text);
}

#[cfg(test)]
mod tests {
    use super::super::template::Encoding;
    use super::super::variables::Names;
    use super::*;

    #[test]
    fn members_get_other_values_wherever_they_stand() {
        let mut names = Names::default();
        let text = Template::parse("${who}@x.org", Encoding::Raw, true, &mut names).unwrap();
        let mut variables = Variables::new(&names);
        variables.set(names.used("who"), "a\"b");
        let check = |object: &str, at: &str, expected: Option<&str>| {
            let names = at.split('.').map(str::to_owned).collect();
            let changed = change(object, &[(names, text.clone())], &variables);
            assert_eq!(changed.as_deref(), expected, "{object}");
        };
        check(
            r#"{"id":1,"personal":{"email":"old","lastName":"N"}}"#,
            "personal.email",
            Some(r#"{"id":1,"personal":{"email":"a\"b@x.org","lastName":"N"}}"#),
        );
        check("{}", "a.b", Some(r#"{"a":{"b":"a\"b@x.org"}}"#));
        check(r#"{"a":5}"#, "a.b", Some(r#"{"a":{"b":"a\"b@x.org"}}"#));
        check("[]", "a", None);
        check("text", "a", None);
    }
}
