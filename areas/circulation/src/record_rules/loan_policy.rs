//! What the periods of a loan policy must be.

use serde_json::Value;

/// The least that a period lasts, in its unit.
const LEAST: i64 = 1;

/// Where a loan policy keeps periods.
const PERIODS: [&str; 12] = [
    "/loansPolicy/period",
    "/loansPolicy/gracePeriod",
    "/loansPolicy/openingTimeOffset",
    "/renewalsPolicy/period",
    "/requestManagement/recalls/alternateGracePeriod",
    "/requestManagement/recalls/minimumGuaranteedLoanPeriod",
    "/requestManagement/recalls/recallReturnInterval",
    "/requestManagement/recalls/alternateRecallReturnInterval",
    "/requestManagement/holds/alternateCheckoutLoanPeriod",
    "/requestManagement/holds/alternateRenewalLoanPeriod",
    "/requestManagement/pages/alternateCheckoutLoanPeriod",
    "/requestManagement/pages/alternateRenewalLoanPeriod",
];

/// The durations that are below the least: property and value.
#[must_use]
pub fn periods_too_short(policy: &Value) -> Vec<(String, i64)> {
    let found = PERIODS.iter().filter_map(|place| {
        let duration = policy.pointer(place)?.get("duration")?.as_i64()?;
        let property = format!("{}.duration", place[1..].replace('/', "."));
        (duration < LEAST).then_some((property, duration))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_period_lasts_one_of_its_units_at_least() {
        let of = |duration: i64| json!({"duration": duration, "intervalId": "Days"});
        let policy = json!({
            "loansPolicy": {"period": of(1), "gracePeriod": of(0)},
            "renewalsPolicy": {"period": null},
            "requestManagement": {"recalls": {"recallReturnInterval": of(-1)}, "holds": {}},
        });
        assert_eq!(
            periods_too_short(&policy),
            [
                ("loansPolicy.gracePeriod.duration".to_owned(), 0),
                (
                    "requestManagement.recalls.recallReturnInterval.duration".to_owned(),
                    -1
                ),
            ]
        );
        assert_eq!(periods_too_short(&json!({"loanable": false})), []);
    }
}
