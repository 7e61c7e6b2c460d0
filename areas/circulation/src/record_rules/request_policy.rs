//! The lists of service points in a request policy.

use std::collections::{BTreeSet, HashSet};

use octavo_library::ServicePointId;
use octavo_records::Violation;
use serde_json::Value;

const KINDS: [&str; 3] = ["Page", "Hold", "Recall"];

/// Removes duplicate service points: lists are sets in FOLIO.
///
/// # Errors
/// When a list is empty: a request type without a list may be picked up anywhere, one with an empty list
/// nowhere.
pub fn tidied(mut policy: Value) -> Result<Value, Vec<Violation>> {
    let mut wrong = Vec::new();
    for kind in KINDS {
        let list = policy.get_mut("allowedServicePoints");
        let Some(Value::Array(list)) = list.and_then(|points| points.get_mut(kind)) else {
            continue;
        };
        if list.is_empty() {
            wrong.push(Violation {
                message: "size must be between 1 and 2147483647".to_owned(),
                code: "jakarta.validation.constraints.Size.message",
                path: format!("allowedServicePoints.{}", kind.to_lowercase()),
                value: "[]".to_owned(),
            });
        }
        let mut seen = HashSet::new();
        list.retain(|one| seen.insert(one.to_string()));
    }
    match wrong.is_empty() {
        true => Ok(policy),
        false => Err(wrong),
    }
}

#[must_use]
pub fn listed_points(policy: &Value) -> BTreeSet<ServicePointId> {
    let lists = KINDS.iter().filter_map(|kind| {
        let points = policy.get("allowedServicePoints")?;
        points.get(kind)?.as_array()
    });
    let ids = lists.flatten().filter_map(Value::as_str);
    ids.filter_map(ServicePointId::parse).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_a_set_and_not_empty() {
        let (one, other) = (ServicePointId::from_u128(1), ServicePointId::from_u128(2));
        let policy = json!({"allowedServicePoints": {"Page": [one, other, one], "Hold": [one]}});
        let tidy = tidied(policy).expect("nothing is wrong");
        assert_eq!(
            tidy["allowedServicePoints"],
            json!({"Page": [one, other], "Hold": [one]})
        );
        assert_eq!(listed_points(&tidy), BTreeSet::from([one, other]));
        let wrong = tidied(json!({"allowedServicePoints": {"Recall": [], "Hold": [one]}}));
        let wrong = wrong.expect_err("an empty list");
        assert_eq!(wrong.len(), 1);
        assert_eq!(wrong[0].path, "allowedServicePoints.recall");
        for without in [json!({}), json!({"allowedServicePoints": null})] {
            assert_eq!(listed_points(&tidied(without).expect("no list")).len(), 0);
        }
    }
}
