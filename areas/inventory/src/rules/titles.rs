//! Rules for links between preceding and succeeding titles.

use serde_json::Value;
use uuid::Uuid;

/// FOLIO's refusal of a link that names neither.
pub const BOTH_EMPTY: &str =
    "The precedingInstanceId and succeedingInstanceId can't be empty at the same time";

/// The two properties that name an instance.
const SIDES: [&str; 2] = ["precedingInstanceId", "succeedingInstanceId"];

/// Whether a link names no instance at all. An empty text names none.
#[must_use]
pub fn is_empty(link: &Value) -> bool {
    let named = |side: &&str| {
        let id = link.get(*side).and_then(Value::as_str);
        id.is_some_and(|id| !id.is_empty())
    };
    !SIDES.iter().any(named)
}

/// Whether one side of a link is this instance.
#[must_use]
pub fn names(link: &Value, instance: Uuid) -> bool {
    let is = |side: &&str| {
        let id = link.get(*side).and_then(Value::as_str);
        id.and_then(|id| Uuid::try_parse(id).ok()) == Some(instance)
    };
    SIDES.iter().any(is)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_link_names_an_instance() {
        let [a, b] = [1, 2].map(Uuid::from_u128);
        for (link, empty, names_a) in [
            (json!({}), true, false),
            (
                json!({"title": "x", "precedingInstanceId": ""}),
                true,
                false,
            ),
            (json!({"precedingInstanceId": null}), true, false),
            (json!({"precedingInstanceId": a}), false, true),
            (json!({"succeedingInstanceId": a}), false, true),
            (json!({"succeedingInstanceId": b}), false, false),
        ] {
            assert_eq!(is_empty(&link), empty, "{link}");
            assert_eq!(names(&link, a), names_a, "{link}");
        }
    }
}
