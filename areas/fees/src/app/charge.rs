//! Charging: creates an account with its first action, inside the transaction of the cause. Used for
//! reminders, late returns and lost items.

use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_library::{
    AccountId, AccountStatus, FeeFineActionId, FeeFineOwnerId, FeeFineTypeId, ServicePointId,
    UserId,
};
use octavo_records::store::insert_many;
use octavo_records::{Catalog, Executor, Stamp, StoreError, Tenant, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::accounting::Money;
use crate::store::accounts::{AccountEvent, emit_events};

/// A fee or fine to charge.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge<'a> {
    /// The type of fee, by the id that FOLIO knows the automatic ones by, and its name.
    pub fee_type: (FeeFineTypeId, &'a str),
    /// The fee/fine owner, and its name.
    pub owner: (FeeFineOwnerId, Option<&'a str>),
    /// The amount.
    pub amount: Money,
    /// The patron.
    pub user_id: UserId,
    /// Other properties of the account: `loanId`, `itemId`, `title`, the policies and the like.
    pub about: Map<String, Value>,
    /// The service point that the action names.
    pub service_point_id: Option<ServicePointId>,
    /// The action's source: a person's name, or `System`; may be empty.
    pub source: &'a str,
    /// The action's comment, in FOLIO's form `STAFF : …` and `PATRON : …`.
    pub comments: Option<String>,
    /// Its additional information: FOLIO writes `-` for charges from loans.
    pub information: Option<&'a str>,
}

/// A charge that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charged {
    pub account_id: AccountId,
    /// Its first action.
    pub action_id: FeeFineActionId,
}

/// An account and its first action, as they are to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAccount {
    /// Their ids.
    pub charged: Charged,
    pub account: Map<String, Value>,
    pub action: Map<String, Value>,
}

/// Makes an account for a charge, open and outstanding, with its first action. `transaction` is that of
/// the cause. Lock order: accounts after all other records.
#[boxed]
pub async fn charge(
    transaction: &dyn Executor,
    tenant: &Tenant,
    catalog: &Catalog,
    charge: &Charge<'_>,
    stamp: &Stamp,
) -> Result<Charged, StoreError> {
    let charges = std::slice::from_ref(charge);
    let made = charge_all(transaction, tenant, catalog, charges, stamp).await?;
    made.first().copied().ok_or(StoreError::NotFound)
}

/// The same for many, with three statements: the accounts, their actions, and the balance events. The
/// result is in the order of the charges.
///
/// # Errors
/// On a database error; the caller's transaction must then be given up.
#[boxed]
pub async fn charge_all(
    transaction: &dyn Executor,
    tenant: &Tenant,
    catalog: &Catalog,
    charges: &[Charge<'_>],
    stamp: &Stamp,
) -> Result<Vec<Charged>, StoreError> {
    let made: Vec<NewAccount> = charges.iter().map(|charge| make(charge, stamp)).collect();
    store(transaction, tenant, catalog, &made, stamp).await?;
    Ok(made.into_iter().map(|made| made.charged).collect())
}

/// Makes the documents of a charge.
#[must_use]
pub fn make(charge: &Charge<'_>, stamp: &Stamp) -> NewAccount {
    let charged = Charged {
        account_id: Uuid::new_v4().into(),
        action_id: Uuid::new_v4().into(),
    };
    NewAccount {
        charged,
        account: account(charge, charged),
        action: action(charge, charged, stamp),
    }
}

/// Stores new accounts, as [`charge_all`] does.
///
/// # Errors
/// On a database error; the caller's transaction must then be given up.
#[boxed]
pub async fn store(
    transaction: &dyn Executor,
    tenant: &Tenant,
    catalog: &Catalog,
    made: &[NewAccount],
    stamp: &Stamp,
) -> Result<(), StoreError> {
    if made.is_empty() {
        return Ok(());
    }
    let collection = |table: &str| {
        let undeclared = || StoreError::fault(format!("the table {table} is not declared"));
        catalog.get(table).ok_or_else(undeclared)
    };
    let (accounts, actions) = (collection("accounts")?, collection("feefineactions")?);
    let of_accounts = made.iter().map(|one| one.account.clone()).collect();
    let of_actions = made.iter().map(|one| one.action.clone()).collect();
    let events: Vec<AccountEvent> = made
        .iter()
        .map(|one| AccountEvent::balance(one.charged.account_id, Some(&one.account)))
        .collect();
    try_join!(
        insert_many(transaction, tenant, accounts, of_accounts, stamp),
        insert_many(transaction, tenant, actions, of_actions, stamp),
        emit_events(transaction, tenant, &events),
    )?;
    Ok(())
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
        "status": {"name": AccountStatus::Open},
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
        "notify": false,
    });
    put(&mut action, own);
    if !charge.source.is_empty() {
        action.insert("source".to_owned(), json!(charge.source));
    }
    if let Some(information) = charge.information {
        action.insert("transactionInformation".to_owned(), json!(information));
    }
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
            fee_type: (FeeFineTypeId::from_u128(1), "Reminder fee"),
            owner: (FeeFineOwnerId::from_u128(2), Some("Town library")),
            amount: Money::cents(150),
            user_id: UserId::from_u128(3),
            about: about.as_object().cloned().unwrap_or_default(),
            service_point_id: Some(ServicePointId::from_u128(4)),
            source: "System",
            comments: Some("STAFF: Reminder fee 1".to_owned()),
            information: None,
        };
        let made = Charged {
            account_id: AccountId::from_u128(5),
            action_id: FeeFineActionId::from_u128(6),
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
