//! The accounts that a library has with an organization.

use std::collections::HashSet;

use serde_json::Value;

/// Whether each account of an organization has a number of its own. A missing number is a value like any
/// other, as in FOLIO.
#[must_use]
pub fn have_distinct_numbers(organization: &Value) -> bool {
    let accounts = organization["accounts"].as_array();
    let mut seen = HashSet::new();
    let mut numbers = accounts
        .into_iter()
        .flatten()
        .map(|account| account["accountNo"].as_str());
    numbers.all(|number| seen.insert(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_distinct() {
        for (accounts, distinct) in [
            (json!(null), true),
            (json!([]), true),
            (json!([{"accountNo": "1"}, {"accountNo": "2"}]), true),
            (json!([{"accountNo": "1"}, {"accountNo": "1"}]), false),
            (json!([{"accountNo": "a"}, {"accountNo": "A"}]), true),
            (json!([{"name": "x"}]), true),
            (json!([{"name": "x"}, {"name": "y"}]), false),
            (json!([{"name": "x"}, {"accountNo": null}]), false),
        ] {
            let organization = json!({"accounts": accounts});
            assert_eq!(
                have_distinct_numbers(&organization),
                distinct,
                "{organization}"
            );
        }
    }
}
