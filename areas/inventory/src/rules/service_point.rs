//! Rules for service points.

use serde_json::Value;

const WITHOUT_EXPIRY: &str =
    "Hold shelf expiry period must be specified when service point can be used for pickup.";
const NOT_FOR_PICKUP: &str =
    "Hold shelf expiry period cannot be specified when service point cannot be used for pickup";

/// FOLIO's refusal of a service point whose hold shelf and pickup do not agree.
#[must_use]
pub fn refuse(service_point: &Value) -> Option<&'static str> {
    let pickup = service_point.get("pickupLocation").and_then(Value::as_bool) == Some(true);
    let expires = service_point
        .get("holdShelfExpiryPeriod")
        .is_some_and(|period| !period.is_null());
    match (pickup, expires) {
        (true, false) => Some(WITHOUT_EXPIRY),
        (false, true) => Some(NOT_FOR_PICKUP),
        (true, true) | (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_hold_shelf_belongs_to_pickup() {
        let period = json!({"duration": 3, "intervalId": "Weeks"});
        for (service_point, refused) in [
            (json!({}), None),
            (json!({"pickupLocation": false}), None),
            (json!({"pickupLocation": true}), Some(WITHOUT_EXPIRY)),
            (
                json!({"pickupLocation": true, "holdShelfExpiryPeriod": period}),
                None,
            ),
            (
                json!({"holdShelfExpiryPeriod": period}),
                Some(NOT_FOR_PICKUP),
            ),
            (
                json!({"pickupLocation": false, "holdShelfExpiryPeriod": period}),
                Some(NOT_FOR_PICKUP),
            ),
        ] {
            assert_eq!(refuse(&service_point), refused, "{service_point}");
        }
    }
}
