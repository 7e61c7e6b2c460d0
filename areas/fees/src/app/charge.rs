//! Charging: an account with the action that made it, within the transaction of what gave rise to it.
//! For reminders, late returns and lost items alike; what is charged for is the caller's business.

use octavo_records::store::insert_many;
use octavo_records::{Catalog, Executor, Stamp, StoreError, Tenant, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::accounting::Money;
use crate::store::accounts::{Tiding, tell};

/// A fee or fine that somebody is to owe.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge<'a> {
    /// The type of fee, by the id that FOLIO knows the automatic ones by, and its name.
    pub fee_type: (Uuid, &'a str),
    /// Whom it is owed to: an owner of fees, and its name.
    pub owner: (Uuid, Option<&'a str>),
    /// How much.
    pub amount: Money,
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

/// The same for many at once, with three statements: the accounts, their actions, and the events that
/// say that balances have changed. What was made is in the order of the charges.
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
    let accounts: Vec<Map<String, Value>> = both()
        .map(|(charge, made)| account(charge, *made))
        .collect();
    let tidings: Vec<Tiding> = accounts
        .iter()
        .zip(&made)
        .map(|(account, made)| Tiding::balance(made.account_id, Some(account)))
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
    tell(transaction, tenant, &tidings).await?;
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
        "amount": charge.amount.json(),
        "remaining": charge.amount.json(),
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
        "amountAction": charge.amount.json(),
        "balance": charge.amount.json(),
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

    #[test]
    fn an_account_is_open_and_its_action_says_the_same() {
        let about = json!({"title": "Middlemarch", "amount": 99, "status": {"name": "Closed"}});
        let charge = Charge {
            fee_type: (Uuid::from_u128(1), "Reminder fee"),
            owner: (Uuid::from_u128(2), Some("Town library")),
            amount: Money::cents(150),
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
