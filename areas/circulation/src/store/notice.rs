//! The records for notices about loans, and the names of templates.

use std::collections::HashMap;

use jiff::Timestamp;
use octavo_library::{
    FeeFineActionId, HoldingsId, InstanceId, ItemJoins, Loan, LoanId, Patron, ProxyRelationship,
    TemplateId, UserId,
};
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::item::{ItemAtDesk, TITLE};
use super::loss::LOSS_FEE_TYPES;
use super::{Tables, read, slip};
use crate::notice::Preferences;

/// The subject of a notice about a loan.
#[derive(Debug, Clone)]
pub struct LoanSubject {
    pub loan: Loan,
    /// Its item with its title; `None` if deleted.
    pub item: Option<ItemAtDesk>,
    /// Its borrower; `None` if deleted, or when the loan is anonymous.
    pub borrower: Option<Person>,
    /// The last information that was added for the borrower.
    pub comment: Option<String>,
    /// Immediate notices are sent to the proxy.
    pub to_proxy: bool,
    /// A fee for the lost item was charged.
    pub charged_as_lost: bool,
}

/// A recipient of notices.
#[derive(Debug, Clone)]
pub struct Person {
    /// The facts.
    pub patron: Patron,
    /// Template tokens with FOLIO's names; the country of the address as a code.
    pub tokens: Value,
    /// The formats that they prefer.
    pub preferences: Preferences,
}

impl LoanSubject {
    /// The recipient of immediate notices.
    #[must_use]
    pub fn recipient(&self) -> Option<UserId> {
        let borrower = self.borrower.as_ref().map(|borrower| borrower.patron.id);
        let proxy = self.loan.proxy_user_id.filter(|_| self.to_proxy);
        borrower.map(|borrower| proxy.unwrap_or(borrower))
    }
}

impl Person {
    /// Reads a user's record and tokens.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(super) fn read(user: Option<Value>, tokens: Value) -> Result<Option<Person>, StoreError> {
        let Some(user) = user else { return Ok(None) };
        let preferences = user["personal"].as_object().map(Preferences::of);
        Ok(Some(Person {
            patron: read("user", user)?,
            tokens,
            preferences: preferences.unwrap_or_default(),
        }))
    }
}

/// The subjects of notices about those of these loans that exist, in one statement.
pub async fn loans(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_ids: &[LoanId],
    now: Timestamp,
) -> Result<HashMap<LoanId, LoanSubject>, StoreError> {
    if loan_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT {ITEM}, {TITLE} AS title, loan.id AS loan_id, loan.jsonb AS loan,
           borrower.jsonb AS borrower, jsonb_strip_nulls(jsonb_build_object({person})) AS person,
           {comment} AS comment,
           CASE WHEN loan.jsonb->>'proxyUserId' <> loan.jsonb->>'userId' THEN {proxies} END
           AS proxies,
           EXISTS (SELECT FROM {accounts} WHERE {of_loan} AND jsonb->>'feeFineType' = ANY($2))
             AS charged_as_lost
         FROM {loans} AS loan
         {title}
         LEFT JOIN {users} AS borrower ON borrower.id = (loan.jsonb->>'userId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (borrower.jsonb->>'patronGroup')::uuid{more}
         WHERE loan.id = ANY($1)",
        person = slip::person("borrower"),
        comment = comment(tables),
        proxies = proxies(tables, "loan", "userId"),
        accounts = tables.table("accounts"),
        of_loan = tables.equals("accounts", "loanId", "loan.id::text"),
        loans = tables.table("loan"),
        title = ItemJoins::outer(tables)
            .item("(loan.jsonb->>'itemId')::uuid")
            .title(),
        users = tables.table("users"),
        groups = tables.table("groups"),
        more = slip::person_joins(tables, "borrower"),
    );
    let fees: Vec<&str> = LOSS_FEE_TYPES.to_vec();
    let rows = executor.rows(&sql, &[&loan_ids, &fees]).await?;
    let subject = |row: &Row| {
        let subject = LoanSubject {
            loan: read("loan", row.get("loan"))?,
            item: item_of(row),
            borrower: Person::read(row.get("borrower"), row.get("person"))?,
            comment: row.get("comment"),
            to_proxy: notifies_proxy(row.get("proxies"), now),
            charged_as_lost: row.get("charged_as_lost"),
        };
        Ok((row.get("loan_id"), subject))
    };
    rows.iter().map(subject).collect()
}

/// The first columns of a statement that reads an item with its title; [`TITLE`] comes sixth.
pub(super) const ITEM: &str = "item.id AS item_id, item.jsonb AS item, \
    holdings.id AS holdings_id, holdings.jsonb->>'copyNumber' AS copy_number, \
    instance.id AS instance_id";

/// The item of these columns.
pub(super) fn item_of(row: &Row) -> Option<ItemAtDesk> {
    let document: Option<Value> = row.get("item");
    let Some(Value::Object(document)) = document else {
        return None;
    };
    Some(ItemAtDesk {
        id: row.get("item_id"),
        document,
        holdings_record_id: row.get::<_, Option<HoldingsId>>("holdings_id")?,
        holdings_copy_number: row.get("copy_number"),
        instance_id: row.get::<_, Option<InstanceId>>("instance_id")?,
        instance: row.get("title"),
    })
}

/// The last information that was added to a loan for its borrower: SQL.
pub(super) fn comment(tables: Tables<'_>) -> String {
    format!(
        "CASE WHEN loan.jsonb->>'action' = 'patronInfoAdded' THEN loan.jsonb->>'actionComment'
           ELSE (SELECT jsonb->'loan'->>'actionComment' FROM {} WHERE {}
             AND jsonb->'loan'->>'action' = 'patronInfoAdded'
             ORDER BY jsonb->>'createdDate' DESC LIMIT 1) END",
        tables.table("audit_loan"),
        tables.equals("audit_loan", "loan.id", "loan.id::text"),
    )
}

/// The relationships of a record's user and proxy: SQL.
pub(super) fn proxies(tables: Tables<'_>, record: &str, user: &str) -> String {
    format!(
        "(SELECT jsonb_agg(jsonb) FROM {} WHERE {}
           AND jsonb->>'proxyUserId' = {record}.jsonb->>'proxyUserId')",
        tables.table("proxyfor"),
        tables.equals(
            "proxyfor",
            "userId",
            &format!("({record}.jsonb->>'{user}')")
        ),
    )
}

/// Whether one of these relationships is active, and its notifications go to the proxy.
pub(super) fn notifies_proxy(relationships: Option<Value>, now: Timestamp) -> bool {
    let Some(Value::Array(all)) = relationships else {
        return false;
    };
    all.iter().any(|one| {
        let to = one["notificationsTo"].as_str().unwrap_or_default();
        let active = ProxyRelationship::deserialize(one).is_ok_and(|one| one.is_active(now));
        active && to.eq_ignore_ascii_case("Proxy")
    })
}

/// The names of the existing ones of these templates.
pub async fn template_names(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[TemplateId],
) -> Result<HashMap<TemplateId, String>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT id, coalesce(jsonb->>'name', '') AS name FROM {} WHERE id = ANY($1)",
        tables.table("template")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("name")))
        .collect())
}

/// A fee that a notice is about.
#[derive(Debug, Clone, Default)]
pub struct FeeSubject {
    /// The action of the notice: a charge or a later action.
    pub action: Map<String, Value>,
    /// Its account; `None` if deleted.
    pub account: Option<Map<String, Value>>,
    /// The action that charged it.
    pub charge: Option<Map<String, Value>>,
}

/// The subjects of notices about these actions on accounts.
pub async fn fees(
    executor: &dyn Executor,
    tables: Tables<'_>,
    action_ids: &[FeeFineActionId],
) -> Result<HashMap<FeeFineActionId, FeeSubject>, StoreError> {
    if action_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT {FEE} FROM {} WHERE action.id = ANY($1)",
        fee_from(tables),
    );
    let rows = executor.rows(&sql, &[&action_ids]).await?;
    let subject = |row: &Row| (row.get("action_id"), FeeSubject::read(row));
    Ok(rows.iter().map(subject).collect())
}

/// The columns of an action on an account, with the account and the action that charged it.
pub(super) const FEE: &str = "action.id AS action_id, action.jsonb AS action, \
    account.jsonb AS account, charge.jsonb AS charge";

/// Where these columns come from: SQL.
pub(super) fn fee_from(tables: Tables<'_>) -> String {
    let actions = tables.table("feefineactions");
    format!(
        "{actions} AS action
         LEFT JOIN {} AS account ON account.id = (action.jsonb->>'accountId')::uuid
         LEFT JOIN LATERAL (SELECT jsonb FROM {actions} WHERE {}
             AND jsonb->>'typeAction' = account.jsonb->>'feeFineType' LIMIT 1) AS charge ON true",
        tables.table("accounts"),
        tables.equals("feefineactions", "accountId", "account.id::text"),
    )
}

impl FeeSubject {
    /// Reads action, account and charge.
    pub(super) fn read(row: &Row) -> FeeSubject {
        let object = |column| match row.get(column) {
            Some(Value::Object(document)) => Some(document),
            _ => None,
        };
        FeeSubject {
            action: object("action").unwrap_or_default(),
            account: object("account"),
            charge: object("charge"),
        }
    }
}
