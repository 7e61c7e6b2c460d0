//! Charging: an account with the action that made it, within the transaction of what gave rise to it.
//! For reminders, late returns and lost items alike; what is charged for is the caller's business.

use octavo_records::store::insert_many;
use octavo_records::{Catalog, Executor, Stamp, StoreError, Tenant, instant};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value, json};
use uuid::Uuid;

/// The largest amount, in hundredths; FOLIO's limits of balances end far below.
const HUNDREDTHS_MAX: i64 = 100_000_000_000_000;

/// An amount of money in hundredths of its unit, exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount {
    hundredths: i64,
}

impl Amount {
    /// Nothing.
    pub const ZERO: Amount = Amount { hundredths: 0 };

    /// So many hundredths.
    #[must_use]
    pub const fn hundredths(hundredths: i64) -> Amount {
        Amount { hundredths }
    }

    /// A number as JSON has it, by its decimal digits; what is beyond hundredths is rounded, half to
    /// even, as FOLIO's amounts are. Nothing where it is larger than any amount.
    #[must_use]
    pub fn of(number: &Number) -> Option<Amount> {
        // Never in the notation with an exponent, unlike the number's own.
        let text = match number.as_f64() {
            Some(number) if number.is_finite() => number.to_string(),
            _ => return None,
        };
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.as_str()),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let (kept, rest) = fraction.split_at(fraction.len().min(2));
        let whole = whole.parse::<i64>().ok()?.checked_mul(100)?;
        let hundredths = whole.checked_add(format!("{kept:0<2}").parse().ok()?)?;
        let half = rest.starts_with('5') && rest[1..].bytes().all(|digit| digit == b'0');
        let up = if half {
            hundredths % 2 == 1
        } else {
            rest.as_bytes().first().is_some_and(|digit| *digit >= b'5')
        };
        let hundredths = hundredths + i64::from(up);
        let fits = hundredths <= HUNDREDTHS_MAX;
        let sign = if negative { -1 } else { 1 };
        fits.then_some(Amount::hundredths(sign * hundredths))
    }

    /// Whether something is owed.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.hundredths > 0
    }

    /// The number as JSON has it.
    #[must_use]
    pub fn number(self) -> Value {
        // The nearest of all such numbers, so that it is written with the very digits.
        #[allow(clippy::cast_precision_loss)]
        let number = self.hundredths as f64 / 100.0;
        json!(number)
    }
}

/// With two digits behind the point, as lines for staff have it.
impl std::fmt::Display for Amount {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.hundredths < 0 { "-" } else { "" };
        let all = self.hundredths.unsigned_abs();
        write!(formatter, "{sign}{}.{:02}", all / 100, all % 100)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        let number = Number::deserialize(deserializer)?;
        Amount::of(&number)
            .ok_or_else(|| serde::de::Error::custom(format_args!("not an amount: {number}")))
    }
}

/// A fee or fine that somebody is to owe.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge<'a> {
    /// The type of fee, by the id that FOLIO knows the automatic ones by, and its name.
    pub fee_type: (Uuid, &'a str),
    /// Whom it is owed to: an owner of fees, and its name.
    pub owner: (Uuid, Option<&'a str>),
    /// How much.
    pub amount: Amount,
    /// Who owes it.
    pub user_id: Uuid,
    /// What else the account keeps: `loanId`, `itemId`, `title`, the policies and the like.
    pub about: Map<String, Value>,
    /// The service point that the action names.
    pub service_point_id: Option<Uuid>,
    /// Who the action names: a person's name, or `System`.
    pub source: &'a str,
    /// The action's comment, in FOLIO's form `STAFF : …` and `PATRON : …`.
    pub comments: Option<String>,
}

/// A charge that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charged {
    /// The account.
    pub account_id: Uuid,
    /// Its first action.
    pub action_id: Uuid,
}

/// Makes an account for a charge, open and outstanding, with its first action. `transaction` is that
/// of what gave rise to it: accounts come after all other records that it holds.
///
/// # Errors
/// When the database does not answer.
pub async fn charge(
    transaction: &impl Executor,
    tenant: &Tenant,
    catalog: &Catalog,
    charge: &Charge<'_>,
    stamp: &Stamp,
) -> Result<Charged, StoreError> {
    let charges = std::slice::from_ref(charge);
    let made = charge_all(transaction, tenant, catalog, charges, stamp).await?;
    made.first().copied().ok_or(StoreError::NotFound)
}

/// The same for many at once, with two statements; what was made is in the order of the charges.
///
/// # Errors
/// When the database does not answer; the caller's transaction must then be given up.
pub async fn charge_all(
    transaction: &impl Executor,
    tenant: &Tenant,
    catalog: &Catalog,
    charges: &[Charge<'_>],
    stamp: &Stamp,
) -> Result<Vec<Charged>, StoreError> {
    let collection = |table: &str| {
        let undeclared = || StoreError::Database(format!("the table {table} is not declared"));
        catalog.get(table).ok_or_else(undeclared)
    };
    let made: Vec<Charged> = charges
        .iter()
        .map(|_| Charged {
            account_id: Uuid::new_v4(),
            action_id: Uuid::new_v4(),
        })
        .collect();
    let both = || charges.iter().zip(&made);
    let accounts = both()
        .map(|(charge, made)| account(charge, *made))
        .collect();
    let actions = both().map(|(charge, made)| action(charge, *made, stamp));
    let actions = actions.collect();
    insert_many(
        transaction,
        tenant,
        collection("accounts")?,
        accounts,
        stamp,
    )
    .await?;
    insert_many(
        transaction,
        tenant,
        collection("feefineactions")?,
        actions,
        stamp,
    )
    .await?;
    Ok(made)
}

fn account(charge: &Charge<'_>, made: Charged) -> Map<String, Value> {
    let mut account = charge.about.clone();
    let own = json!({
        "id": made.account_id,
        "userId": charge.user_id,
        "ownerId": charge.owner.0,
        "feeFineId": charge.fee_type.0,
        "feeFineType": charge.fee_type.1,
        "amount": charge.amount.number(),
        "remaining": charge.amount.number(),
        "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"},
    });
    put(&mut account, own);
    if let Some(owner) = charge.owner.1 {
        account.insert("feeFineOwner".to_owned(), json!(owner));
    }
    account
}

fn action(charge: &Charge<'_>, made: Charged, stamp: &Stamp) -> Map<String, Value> {
    let mut action = Map::new();
    let own = json!({
        "id": made.action_id,
        "accountId": made.account_id,
        "userId": charge.user_id,
        "typeAction": charge.fee_type.1,
        "amountAction": charge.amount.number(),
        "balance": charge.amount.number(),
        "dateAction": instant::format(stamp.at),
        "source": charge.source,
        "notify": false,
    });
    put(&mut action, own);
    if let Some(point) = charge.service_point_id {
        action.insert("createdAt".to_owned(), json!(point));
    }
    if let Some(comments) = &charge.comments {
        action.insert("comments".to_owned(), json!(comments));
    }
    action
}

fn put(document: &mut Map<String, Value>, properties: Value) {
    if let Value::Object(properties) = properties {
        document.extend(properties);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(number: Value) -> Option<Amount> {
        serde_json::from_value(number).ok()
    }

    #[test]
    fn amounts_are_read_by_their_digits_and_rounded_half_to_even() {
        for (number, hundredths) in [
            (json!(0), 0),
            (json!(1.5), 150),
            (json!(0.1), 10),
            (json!(0.29), 29),
            (json!(1.005), 100),
            (json!(1.015), 102),
            (json!(1.025), 102),
            (json!(1.0251), 103),
            (json!(2.999), 300),
            (json!(-3.25), -325),
            (json!(1e-9), 0),
            (json!(1e6), 100_000_000),
            (json!(999_999.99), 99_999_999),
        ] {
            assert_eq!(
                amount(number.clone()),
                Some(Amount::hundredths(hundredths)),
                "{number}"
            );
        }
        for number in [json!(1e300), json!(1e13), json!("1"), json!(null)] {
            assert_eq!(amount(number.clone()), None, "{number}");
        }
    }

    #[test]
    fn amounts_are_written_with_the_digits_that_they_have() {
        for hundredths in [0, 1, 10, 29, 115, 57, 99_999_999, 1_234_567_890_123, -325] {
            let amount = Amount::hundredths(hundredths);
            assert_eq!(self::amount(amount.number()), Some(amount));
            let digits = amount.to_string();
            let short = amount.number().to_string();
            assert!(
                format!("{short:0<2}").len() <= digits.len() + 1,
                "{short} {digits}"
            );
        }
        assert_eq!(Amount::hundredths(29).number().to_string(), "0.29");
        assert_eq!(Amount::hundredths(150).to_string(), "1.50");
        assert_eq!(Amount::hundredths(-5).to_string(), "-0.05");
    }

    #[test]
    fn an_account_is_open_and_its_action_says_the_same() {
        let about = json!({"title": "Middlemarch", "amount": 99, "status": {"name": "Closed"}});
        let charge = Charge {
            fee_type: (Uuid::from_u128(1), "Reminder fee"),
            owner: (Uuid::from_u128(2), Some("Town library")),
            amount: Amount::hundredths(150),
            user_id: Uuid::from_u128(3),
            about: about.as_object().cloned().unwrap_or_default(),
            service_point_id: Some(Uuid::from_u128(4)),
            source: "System",
            comments: Some("STAFF: Reminder fee 1".to_owned()),
        };
        let made = Charged {
            account_id: Uuid::from_u128(5),
            action_id: Uuid::from_u128(6),
        };
        let account = Value::Object(account(&charge, made));
        assert_eq!(account["title"], "Middlemarch");
        assert_eq!(
            (&account["amount"], &account["remaining"]),
            (&json!(1.5), &json!(1.5))
        );
        assert_eq!(account["status"]["name"], "Open");
        assert_eq!(account["paymentStatus"]["name"], "Outstanding");
        assert_eq!(account["feeFineOwner"], "Town library");
        let stamp = Stamp {
            user_id: None,
            at: instant::parse("2026-03-01T10:00:00Z").expect("an instant"),
        };
        let action = Value::Object(action(&charge, made, &stamp));
        let expected = json!({"id": made.action_id, "accountId": made.account_id,
            "userId": charge.user_id, "typeAction": "Reminder fee", "amountAction": 1.5,
            "balance": 1.5, "dateAction": "2026-03-01T10:00:00.000+00:00", "source": "System",
            "notify": false, "createdAt": Uuid::from_u128(4), "comments": "STAFF: Reminder fee 1"});
        assert_eq!(action, expected);
    }
}
