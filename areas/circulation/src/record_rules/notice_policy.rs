//! Valid combinations of a notice's options. FOLIO checks only loan notices, and only when a policy is
//! changed.

use octavo_records::Violation;
use serde_json::Value;

/// Events that notices are sent before or after, and again.
const SCHEDULED: [&str; 2] = ["Due date", "Aged to lost"];

/// The errors of loan notices in a policy.
#[must_use]
pub fn wrong_notices(policy: &Value) -> Vec<Violation> {
    let notices = policy["loanNotices"].as_array();
    notices.into_iter().flatten().flat_map(wrong).collect()
}

fn wrong(notice: &Value) -> Vec<Violation> {
    let options = &notice["sendOptions"];
    let text = |value: &Value| value.as_str().map(str::to_owned).unwrap_or_default();
    let mut wrong = Vec::new();
    let mut add = |property: &str, value: &Value, of: &str| {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        wrong.push(Violation {
            message: format!("This option is not valid for selected {of}"),
            code: "-1",
            path: property.to_owned(),
            value,
        });
    };
    if SCHEDULED.contains(&text(&options["sendWhen"]).as_str()) {
        let again = ["Before", "After"].contains(&text(&options["sendHow"]).as_str());
        if !again && !notice["frequency"].is_null() {
            add("frequency", &notice["frequency"], "Send");
        }
    } else {
        let mut stray = ["sendHow", "sendBy", "sendEvery"].into_iter();
        if let Some(stray) = stray.find(|name| !options[*name].is_null()) {
            add(stray, &options[stray], "Triggering event");
        }
    }
    if notice["frequency"] == "One time" && !options["sendEvery"].is_null() {
        add("sendEvery", &options["sendEvery"], "Frequency");
    }
    wrong
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(notice: Value) -> Vec<(String, String)> {
        let wrong = wrong_notices(&json!({"loanNotices": [notice]}));
        let told = wrong.into_iter().map(|one| (one.path, one.message));
        told.collect()
    }

    fn because(property: &str, of: &str) -> (String, String) {
        let message = format!("This option is not valid for selected {of}");
        (property.to_owned(), message)
    }

    #[test]
    fn options_that_do_not_go_together_are_told() {
        let period = json!({"duration": 1, "intervalId": "Days"});
        assert_eq!(wrong_notices(&json!({"name": "Empty"})).len(), 0);
        assert_eq!(
            told(
                json!({"sendOptions": {"sendWhen": "Due date", "sendHow": "Before",
                "sendBy": period, "sendEvery": period}, "frequency": "Recurring"})
            ),
            []
        );
        assert_eq!(
            told(
                json!({"sendOptions": {"sendWhen": "Due date", "sendHow": "Upon At"},
                "frequency": "Recurring"})
            ),
            [because("frequency", "Send")]
        );
        assert_eq!(
            told(
                json!({"sendOptions": {"sendWhen": "Check out", "sendHow": "After",
                "sendBy": period}})
            ),
            [because("sendHow", "Triggering event")]
        );
        assert_eq!(
            told(
                json!({"sendOptions": {"sendWhen": "Renewed", "sendEvery": period},
                "frequency": "One time"})
            ),
            [
                because("sendEvery", "Triggering event"),
                because("sendEvery", "Frequency")
            ]
        );
        assert_eq!(told(json!({"sendOptions": {"sendWhen": "Renewed"}})), []);
    }
}
