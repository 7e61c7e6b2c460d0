//! mod-feesfines' rules for accounts, fee types and policies beyond their shapes.

use serde_json::Value;
use uuid::Uuid;

use super::block_rules::Broken;
use crate::accounting::Money;

/// The automatic fee types, with the same ids in every library.
pub const AUTOMATIC_TYPES: [Uuid; 6] = [
    Uuid::from_u128(0x9523cb96_e752_40c2_89da_60f3961a488d),
    Uuid::from_u128(0xd20df2fb_45fd_4184_b238_0d25747ffdd9),
    Uuid::from_u128(0xcf238f9f_7018_47b7_b815_bb2db798e19f),
    Uuid::from_u128(0xc7dede15_aa48_45ed_860b_f996540180e0),
    Uuid::from_u128(0x73785370_d3bd_4d92_942d_ae2268e02ded),
    Uuid::from_u128(0x6b830703_f828_4e38_a0bb_ee81deacbd03),
];

/// FOLIO's message for automatic fee types.
pub const AUTOMATIC_TYPE: &str = "Attempt to change an automatic fee/fine type";

/// Checks an account: its amount must be exact as a JSON number.
pub fn check_account(account: &Value) -> Result<(), Broken> {
    amounts(account, &["amount", "remaining"])
}

/// The same for an action.
pub fn check_action(action: &Value) -> Result<(), Broken> {
    amounts(action, &["amountAction", "balance"])
}

fn amounts(document: &Value, names: &[&'static str]) -> Result<(), Broken> {
    let too_large = |name: &&&'static str| match document.get(**name) {
        Some(value @ (Value::Number(_) | Value::String(_))) => {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            // The shape refuses what is not a number.
            let read = Money::parse(&text);
            read.map_or(value.is_number(), |amount| !amount.fits())
        }
        _ => false,
    };
    match names.iter().find(too_large) {
        None => Ok(()),
        Some(name) => Err(Broken {
            message: "must be between -9999999999999.99 and 9999999999999.99",
            key: name,
            value: document[*name].to_string(),
        }),
    }
}

/// An overdue fine must not be negative.
pub fn check_overdue_policy(policy: &Value) -> Result<(), Broken> {
    let kinds = [
        ("overdueFine", "overdueFine.quantity"),
        ("overdueRecallFine", "overdueRecallFine.quantity"),
    ];
    for (kind, key) in kinds {
        let quantity = Money::of(policy.get(kind).and_then(|fine| fine.get("quantity")));
        if quantity.is_negative() {
            return Err(Broken {
                message: "Quantity must not be negative.",
                key,
                value: quantity.to_string(),
            });
        }
    }
    Ok(())
}

/// The processing fee for a lost item must not be negative.
pub fn check_lost_policy(policy: &Value) -> Result<(), Broken> {
    let fee = Money::of(policy.get("lostItemProcessingFee"));
    match fee.is_negative() {
        false => Ok(()),
        true => Err(Broken {
            message: "The value must greater than or equal to 0",
            key: "lostItemProcessingFee",
            value: fee.to_string(),
        }),
    }
}

/// Whether this is the id of an automatic fee type.
#[must_use]
pub fn is_automatic(id: Option<&Value>) -> bool {
    let id = id.and_then(Value::as_str).map(Uuid::try_parse);
    matches!(id, Some(Ok(id)) if AUTOMATIC_TYPES.contains(&id))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_are_what_json_holds_exactly() {
        let fits =
            |amount: Value| check_account(&json!({"amount": 1, "remaining": amount})).is_ok();
        for amount in [
            json!(0),
            json!(-3.5),
            json!("12.5"),
            json!(9_999_999_999_999.99),
            json!("x"),
            json!(null),
        ] {
            assert!(fits(amount.clone()), "{amount}");
        }
        for amount in [json!(10_000_000_000_000_i64), json!(1e300), json!("-1e14")] {
            assert!(!fits(amount.clone()), "{amount}");
        }
        let broken = check_action(&json!({"balance": 1e20})).expect_err("too large");
        assert_eq!((broken.key, broken.value.as_str()), ("balance", "1e+20"));
    }

    #[test]
    fn policies_charge_nothing_negative() {
        let fine = |name: &str, quantity: Value| json!({name: {"quantity": quantity, "intervalId": "day"}});
        assert_eq!(check_overdue_policy(&fine("overdueFine", json!(0))), Ok(()));
        let broken = check_overdue_policy(&fine("overdueRecallFine", json!(-1.5)));
        let broken = broken.expect_err("negative");
        assert_eq!(
            (broken.key, broken.value.as_str()),
            ("overdueRecallFine.quantity", "-1.50")
        );
        assert_eq!(check_lost_policy(&json!({})), Ok(()));
        assert!(check_lost_policy(&json!({"lostItemProcessingFee": -0.01})).is_err());
    }

    #[test]
    fn automatic_types_are_known_by_their_ids() {
        assert!(is_automatic(Some(&json!(
            "9523CB96-e752-40c2-89da-60f3961a488d"
        ))));
        assert!(!is_automatic(Some(&json!(
            "9523cb96-e752-40c2-89da-60f3961a488e"
        ))));
        assert!(!is_automatic(Some(&json!(7))) && !is_automatic(None));
        let reference = include_str!("../reference/feefines.tsv");
        assert!(
            AUTOMATIC_TYPES
                .iter()
                .all(|id| reference.contains(&id.to_string()))
        );
    }
}
