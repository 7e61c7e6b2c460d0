//! Budgets with what their funds and ledgers say about them, and funds.

use octavo_records::expression::AMONG_IDS;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use crate::records::Budget;
use crate::rules::batch::Account;

/// Whether rows are locked until the transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    No,
    /// Against changes and other locks.
    Yes,
}

/// A fund with its ledger, as other areas see it.
#[derive(Debug, Clone, PartialEq)]
pub struct FundFacts {
    pub id: Uuid,
    pub code: String,
    pub name: String,
    pub status: String,
    pub description: Option<String>,
    pub tags: Vec<String>,
    pub ledger_id: Uuid,
    pub ledger_code: String,
    /// The acquisitions units of the ledger.
    pub ledger_units: Vec<Uuid>,
    pub fund_type_id: Option<Uuid>,
    pub external_account_no: Option<String>,
    /// Whether orders may use it only for its locations.
    pub restrict_by_locations: bool,
    /// The locations, for all tenants.
    pub location_ids: Vec<Uuid>,
    pub acq_unit_ids: Vec<Uuid>,
    /// Funds that it may be allocated to; all when empty.
    pub allocated_to_ids: Vec<Uuid>,
    /// Funds that it may be allocated from; all when empty.
    pub allocated_from_ids: Vec<Uuid>,
    pub restrict_encumbrance: bool,
    pub restrict_expenditures: bool,
}

/// The budgets of funds in fiscal years, locked in the order of their ids when they are held.
#[boxed]
pub async fn accounts(
    executor: &dyn Executor,
    tables: Tables<'_>,
    keys: &BTreeSet<(Uuid, Uuid)>,
    hold: Hold,
) -> Result<BTreeMap<(Uuid, Uuid), Account>, StoreError> {
    if keys.is_empty() {
        return Ok(BTreeMap::new());
    }
    let (funds, years): (Vec<Uuid>, Vec<Uuid>) = keys.iter().copied().unzip();
    let locking = match hold {
        Hold::No => "",
        Hold::Yes => "FOR NO KEY UPDATE OF budget",
    };
    let sql = format!(
        "SELECT budget.jsonb, fund.jsonb->>'code' AS fund_code, \
         coalesce((ledger.jsonb->>'restrictEncumbrance')::boolean, true) AS encumbrance, \
         coalesce((ledger.jsonb->>'restrictExpenditures')::boolean, true) AS expenditures \
         FROM {} AS budget JOIN unnest($1::uuid[], $2::uuid[]) AS wanted(fund, year) \
         ON budget.fundid = wanted.fund AND budget.fiscalyearid = wanted.year \
         JOIN {} AS fund ON fund.id = budget.fundid \
         JOIN {} AS ledger ON ledger.id = fund.ledgerid ORDER BY budget.id {locking}",
        tables.table("budget"),
        tables.table("fund"),
        tables.table("ledger"),
    );
    let rows = executor.rows(&sql, &[&funds, &years]).await?;
    let mut accounts = BTreeMap::new();
    for row in rows {
        let account = Account {
            budget: Budget::read(object(row.get("jsonb")))?,
            fund_code: row.get("fund_code"),
            restrict_encumbrance: row.get("encumbrance"),
            restrict_expenditures: row.get("expenditures"),
        };
        accounts.insert(account.budget.key(), account);
    }
    Ok(accounts)
}

/// The properties of a stored document.
pub(crate) fn object(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The existing ones of these funds.
#[boxed]
pub async fn funds(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, FundFacts>, StoreError> {
    let sql = format!(
        "SELECT fund.id, fund.jsonb, fund.ledgerid, fund.fundtypeid, \
         ledger.jsonb->>'code' AS ledger_code, ledger.jsonb->'acqUnitIds' AS ledger_units, \
         coalesce((ledger.jsonb->>'restrictEncumbrance')::boolean, true) AS encumbrance, \
         coalesce((ledger.jsonb->>'restrictExpenditures')::boolean, true) AS expenditures \
         FROM {} AS fund JOIN {} AS ledger ON ledger.id = fund.ledgerid WHERE fund.id {AMONG_IDS}",
        tables.table("fund"),
        tables.table("ledger"),
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    let facts = rows.iter().map(|row| {
        let fund = object(row.get("jsonb"));
        let text = |name: &str| fund.get(name).and_then(Value::as_str).map(str::to_owned);
        let id: Uuid = row.get("id");
        let facts = FundFacts {
            id,
            code: text("code").unwrap_or_default(),
            name: text("name").unwrap_or_default(),
            status: text("fundStatus").unwrap_or_default(),
            description: text("description"),
            tags: tags_in(fund.get("tags")),
            ledger_id: row.get("ledgerid"),
            ledger_code: row.get("ledger_code"),
            ledger_units: ids_in(row.get::<_, Option<Value>>("ledger_units").as_ref(), None),
            fund_type_id: row.get("fundtypeid"),
            external_account_no: text("externalAccountNo"),
            restrict_by_locations: fund.get("restrictByLocations") == Some(&Value::Bool(true)),
            location_ids: ids_in(fund.get("locations"), Some("locationId")),
            acq_unit_ids: ids_in(fund.get("acqUnitIds"), None),
            allocated_to_ids: ids_in(fund.get("allocatedToIds"), None),
            allocated_from_ids: ids_in(fund.get("allocatedFromIds"), None),
            restrict_encumbrance: row.get("encumbrance"),
            restrict_expenditures: row.get("expenditures"),
        };
        (id, facts)
    });
    Ok(facts.collect())
}

/// The words of a record's tags.
fn tags_in(tags: Option<&Value>) -> Vec<String> {
    let list = tags.and_then(|tags| tags["tagList"].as_array());
    let words = list.into_iter().flatten().filter_map(Value::as_str);
    words.map(str::to_owned).collect()
}

/// The ids in a list: its elements, or a property of each.
pub(crate) fn ids_in(list: Option<&Value>, property: Option<&str>) -> Vec<Uuid> {
    let elements = list.and_then(Value::as_array);
    let elements = elements.map_or(&[][..], Vec::as_slice);
    let id = |element: &Value| {
        let element = property.map_or(Some(element), |name| element.get(name));
        Uuid::try_parse(element?.as_str()?).ok()
    };
    elements.iter().filter_map(id).collect()
}

/// The budgets of funds in fiscal years that contain an instant, locked in the order of their ids.
#[boxed]
pub async fn hold_current(
    executor: &dyn Executor,
    tables: Tables<'_>,
    funds: &[Uuid],
    now: Timestamp,
) -> Result<Vec<Budget>, StoreError> {
    let sql = format!(
        "SELECT budget.jsonb FROM {} AS budget JOIN {} AS year ON year.id = budget.fiscalyearid \
         WHERE budget.fundid {AMONG_IDS} AND (year.jsonb->>'periodStart')::timestamptz <= $2 \
         AND (year.jsonb->>'periodEnd')::timestamptz >= $2 \
         ORDER BY budget.id FOR NO KEY UPDATE OF budget",
        tables.table("budget"),
        tables.table("fiscal_year"),
    );
    let rows = executor.rows(&sql, &[&funds, &now]).await?;
    let budgets = rows
        .iter()
        .map(|row| Budget::read(object(row.get("jsonb"))));
    budgets.collect()
}
