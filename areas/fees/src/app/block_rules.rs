//! mod-patron-blocks' rules for conditions and limits.

use serde_json::Value;

/// The one condition whose limit is an amount of money.
const BALANCE: &str = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";
const AMOUNT_MAX: f64 = 999_999.99;
const COUNT_MAX: f64 = 999_999.0;

/// A rule that a record breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// FOLIO's message.
    pub message: &'static str,
    /// The property.
    pub key: &'static str,
    pub value: String,
}

/// A condition has a message exactly when it blocks something.
pub fn check_condition(condition: &Value) -> Result<(), Broken> {
    let blocks = ["blockBorrowing", "blockRenewals", "blockRequests"]
        .iter()
        .any(|flag| condition[*flag].as_bool() == Some(true));
    let message_of_condition = condition["message"]
        .as_str()
        .is_some_and(|message| !message.trim().is_empty());
    let message = match (blocks, message_of_condition) {
        (true, false) => {
            "Message to be displayed is a required field if one or more blocked actions selected"
        }
        (false, true) => {
            "One or more blocked actions must be selected for message to be displayed to be used"
        }
        _ => return Ok(()),
    };
    let value = condition["id"].as_str().unwrap_or("null").to_owned();
    Err(Broken {
        message,
        key: "patron block condition id",
        value,
    })
}

/// A limit is a whole number, or an amount for the balance of fees and fines.
pub fn check_limit(limit: &Value) -> Result<(), Broken> {
    let Some(value) = limit["value"].as_f64() else {
        return Ok(());
    };
    let money = limit["conditionId"]
        .as_str()
        .is_some_and(|id| id.eq_ignore_ascii_case(BALANCE));
    let message = if money {
        if (0.0..=AMOUNT_MAX).contains(&value) {
            return Ok(());
        }
        "Must be blank or a number from 0.00 to 999999.99"
    } else {
        if value.fract() == 0.0 && (0.0..=COUNT_MAX).contains(&value) {
            return Ok(());
        }
        "Must be blank or an integer from 0 to 999999"
    };
    Err(Broken {
        message,
        key: "value",
        value: limit["value"].to_string(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_condition_has_blocks_and_a_message_or_neither() {
        let condition = |blocks: bool, message: Option<&str>| {
            check_condition(&json!({"id": "7", "blockRequests": blocks, "message": message}))
                .is_ok()
        };
        assert!(condition(true, Some("Too many")));
        assert!(condition(false, None));
        assert!(condition(false, Some(" ")));
        assert!(!condition(true, None));
        assert!(!condition(true, Some("")));
        assert!(!condition(false, Some("Too many")));
    }

    #[test]
    fn limits_have_the_range_of_their_condition() {
        let fits = |condition: &str, value: Value| {
            check_limit(&json!({"conditionId": condition, "value": value})).is_ok()
        };
        for value in [json!(0), json!(5.0), json!(999_999)] {
            assert!(fits("other", value.clone()) && fits(BALANCE, value));
        }
        assert!(fits(BALANCE, json!(999_999.99)) && !fits("other", json!(12.5)));
        for value in [json!(-1), json!(1_000_000)] {
            assert!(!fits("other", value.clone()) && !fits(BALANCE, value));
        }
    }
}
