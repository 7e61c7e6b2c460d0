//! Bulk changes of funds and budgets of one fiscal year: what is wrong in the rows, and what they compute.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::money::Amount;
use crate::records::BudgetStatus;

/// A row: a fund with its budget. Unknown properties are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub fiscal_year_id: Uuid,
    pub fund_id: Uuid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fund_code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fund_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fund_description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fund_status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fund_tags: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_initial_allocation: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_current_allocation: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_allocation_change: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_allowable_expenditure: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_allowable_encumbrance: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_after_allocation: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_tag: Option<Value>,
    /// Whether it changes the fund, or the budget: said in answers and logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_fund_changed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_budget_changed: Option<bool>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What is wrong in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFault {
    pub message: String,
    pub code: Option<&'static str>,
    /// `financeData[0].fundCode`.
    pub key: String,
    pub value: String,
}

/// A stored fund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFund {
    pub code: String,
    pub name: String,
    pub status: String,
    pub description: Option<String>,
    pub tags: Vec<String>,
    pub ledger_id: Uuid,
    pub ledger_code: String,
    /// The acquisitions units of the fund's ledger.
    pub ledger_units: Vec<Uuid>,
}

/// A stored budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownBudget {
    pub name: String,
    pub fund_id: Uuid,
    pub status: BudgetStatus,
    pub initial: Amount,
    pub allocated: Amount,
    pub allowable_expenditure: Option<Amount>,
    pub allowable_encumbrance: Option<Amount>,
}

/// What is stored of the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    pub funds: HashMap<Uuid, KnownFund>,
    pub budgets: HashMap<Uuid, KnownBudget>,
}

impl Row {
    /// The id of its budget, where that is one.
    #[must_use]
    pub fn budget(&self) -> Option<Uuid> {
        Uuid::try_parse(self.budget_id.as_deref()?).ok()
    }

    /// The change of the allocation.
    #[must_use]
    pub fn change(&self) -> Amount {
        self.budget_allocation_change.unwrap_or_default()
    }

    /// Fills in what the allocation becomes, and what changes.
    pub fn compute(&mut self, known: &Known) {
        let stored = self.budget().and_then(|id| known.budgets.get(&id));
        let current = stored.map_or(Amount::ZERO, |budget| budget.allocated);
        self.budget_current_allocation = Some(current);
        self.budget_after_allocation = Some(current + self.change());
        if let Some(stored) = stored {
            self.budget_initial_allocation = Some(stored.initial);
        }
        let fund = known.funds.get(&self.fund_id);
        self.is_fund_changed = Some(fund.is_some_and(|fund| self.changes_fund(fund)));
        self.is_budget_changed = Some(match stored {
            Some(budget) => self.changes_budget(budget),
            None => self.budget_status.is_some() || !self.change().is_zero(),
        });
    }

    fn changes_fund(&self, fund: &KnownFund) -> bool {
        let differs = |sent: Option<&String>, stored: Option<&str>| {
            sent.is_some_and(|sent| !sent.is_empty() && Some(sent.as_str()) != stored)
        };
        let listed = self.fund_tags.as_ref();
        let listed = listed.and_then(|tags| tags["tagList"].as_array());
        let tags: Vec<&str> = listed
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        differs(self.fund_status.as_ref(), Some(&fund.status))
            || differs(self.fund_description.as_ref(), fund.description.as_deref())
            // No tags leave those that there are.
            || !tags.is_empty() && tags != fund.tags
    }

    fn changes_budget(&self, budget: &KnownBudget) -> bool {
        let status = self.budget_status.as_ref();
        status.is_some_and(|status| json!(budget.status) != json!(status))
            || self.budget_allowable_encumbrance != budget.allowable_encumbrance
            || self.budget_allowable_expenditure != budget.allowable_expenditure
            || !self.change().is_zero()
    }
}

/// Everything that is wrong in the rows.
#[must_use]
pub fn faults(rows: &[Row], known: &Known) -> Vec<RowFault> {
    let mut faults = Vec::new();
    let mut seen = HashSet::new();
    let key = |row: &Row| (row.fund_id, row.budget_id.clone(), row.fiscal_year_id);
    if rows.iter().any(|row| !seen.insert(key(row))) {
        faults.push(RowFault {
            message: "Finance data collection contains duplicate fund, budget and fiscal year IDs"
                .to_owned(),
            code: None,
            key: "financeData".to_owned(),
            value: "duplicate".to_owned(),
        });
    }
    let year = rows.first().map(|row| row.fiscal_year_id);
    for (at, row) in rows.iter().enumerate() {
        let mut checked = Checked {
            at,
            faults: &mut faults,
        };
        if let Some(year) = year.filter(|year| *year != row.fiscal_year_id) {
            let message = format!(
                "Fiscal year ID must be the same as other fiscal year ID(s) '[{year}]' in the request"
            );
            checked.add(&message, "fiscalYearId", row.fiscal_year_id.to_string());
        }
        checked.fund(row, known);
        checked.budget(row, known);
    }
    faults
}

struct Checked<'a> {
    at: usize,
    faults: &'a mut Vec<RowFault>,
}

impl Checked<'_> {
    fn add(&mut self, message: &str, field: &str, value: String) {
        self.push(message, None, field, value);
    }

    fn push(&mut self, message: &str, code: Option<&'static str>, field: &str, value: String) {
        self.faults.push(RowFault {
            message: message.to_owned(),
            code,
            key: format!("financeData[{}].{field}", self.at),
            value,
        });
    }

    fn required(&mut self, is_given: bool, field: &str) {
        if !is_given {
            self.add(&format!("{field} is required"), field, "null".to_owned());
        }
    }

    fn same(&mut self, sent: Option<&String>, stored: &str, field: &str, what: &str) {
        if let Some(sent) = sent.filter(|sent| *sent != stored) {
            let message = format!("{field} must be the same as existing {what}");
            self.add(&message, field, sent.clone());
        }
    }

    fn fund(&mut self, row: &Row, known: &Known) {
        const STATUSES: [&str; 3] = ["Active", "Frozen", "Inactive"];
        self.required(row.fund_code.is_some(), "fundCode");
        self.required(row.fund_name.is_some(), "fundName");
        self.required(row.fund_status.is_some(), "fundStatus");
        self.required(row.ledger_id.is_some(), "ledgerId");
        if let Some(status) = row
            .fund_status
            .as_deref()
            .filter(|it| !STATUSES.contains(it))
        {
            let code = Some("fundStatusIncorrect");
            self.push(
                "Fund status is incorrect",
                code,
                "fundStatus",
                status.to_owned(),
            );
        }
        let Some(fund) = known.funds.get(&row.fund_id) else {
            self.add("Fund ID not found", "fundId", row.fund_id.to_string());
            return;
        };
        self.same(row.fund_code.as_ref(), &fund.code, "fundCode", "fund code");
        self.same(row.fund_name.as_ref(), &fund.name, "fundName", "fund name");
        if let Some(ledger) = row.ledger_id.filter(|ledger| *ledger != fund.ledger_id) {
            let message = "Fund ledger ID must be the same as ledger ID";
            self.add(message, "fundId", ledger.to_string());
        }
    }

    fn budget(&mut self, row: &Row, known: &Known) {
        const STATUSES: [&str; 5] = ["Active", "Frozen", "Inactive", "Planned", "Closed"];
        if let Some(status) = row
            .budget_status
            .as_deref()
            .filter(|it| !STATUSES.contains(it))
        {
            let code = Some("budgetStatusIncorrect");
            self.push(
                "Budget status is incorrect",
                code,
                "budgetStatus",
                status.to_owned(),
            );
        }
        for (percentage, field) in [
            (
                row.budget_allowable_expenditure,
                "budgetAllowableExpenditure",
            ),
            (
                row.budget_allowable_encumbrance,
                "budgetAllowableEncumbrance",
            ),
        ] {
            if let Some(percentage) = percentage.filter(|one| one.is_negative()) {
                let message = format!("{field} cannot be negative");
                self.add(&message, field, percentage.to_string());
            }
        }
        let mut current = Amount::ZERO;
        if let Some(text) = &row.budget_id {
            self.required(row.budget_name.is_some(), "budgetName");
            self.required(row.budget_status.is_some(), "budgetStatus");
            let has_initial = row.budget_initial_allocation.is_some();
            self.required(has_initial, "budgetInitialAllocation");
            let Some(id) = row.budget() else {
                self.add("Invalid UUID format", "budgetId", text.clone());
                return;
            };
            let Some(budget) = known.budgets.get(&id) else {
                self.add("Budget ID not found", "budgetId", text.clone());
                return;
            };
            self.same(
                row.budget_name.as_ref(),
                &budget.name,
                "budgetName",
                "budget name",
            );
            if budget.fund_id != row.fund_id {
                let message = "Budget fund ID must be the same as fund ID";
                self.add(message, "budgetId", text.clone());
            }
            current = budget.allocated;
        }
        if (current + row.change()).is_negative() {
            let message = "New total allocation cannot be negative";
            self.add(message, "budgetAllocationChange", row.change().to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        let fund = KnownFund {
            code: "HIST".to_owned(),
            name: "History".to_owned(),
            status: "Active".to_owned(),
            description: None,
            tags: vec!["old".to_owned()],
            ledger_id: Uuid::from_u128(3),
            ledger_code: "MAIN".to_owned(),
            ledger_units: Vec::new(),
        };
        let budget = KnownBudget {
            name: "HIST-FY2026".to_owned(),
            fund_id: Uuid::from_u128(1),
            status: BudgetStatus::Active,
            initial: Amount::cents(9_000),
            allocated: Amount::cents(10_000),
            allowable_expenditure: None,
            allowable_encumbrance: Some(Amount::cents(10_000)),
        };
        Known {
            funds: [(Uuid::from_u128(1), fund)].into(),
            budgets: [(Uuid::from_u128(2), budget)].into(),
        }
    }

    fn row(change: impl FnOnce(&mut Value)) -> Row {
        let mut row = json!({"fiscalYearId": Uuid::from_u128(9), "fiscalYearCode": "FY2026",
            "fundId": Uuid::from_u128(1), "fundCode": "HIST", "fundName": "History",
            "fundStatus": "Active", "ledgerId": Uuid::from_u128(3),
            "budgetId": Uuid::from_u128(2), "budgetName": "HIST-FY2026",
            "budgetStatus": "Active", "budgetInitialAllocation": 100});
        change(&mut row);
        serde_json::from_value(row).expect("a row")
    }

    #[test]
    fn a_row_says_what_it_changes() {
        let unchanged = |row: &mut Value| row["budgetAllowableEncumbrance"] = json!(100);
        type Change = fn(&mut Value);
        let changes: [(Change, (bool, bool)); 8] = [
            (|_| (), (false, false)),
            (|row| row["fundStatus"] = json!("Frozen"), (true, false)),
            (|row| row["fundDescription"] = json!("Old"), (true, false)),
            (
                |row| row["fundTags"] = json!({"tagList": ["new"]}),
                (true, false),
            ),
            (
                |row| row["fundTags"] = json!({"tagList": []}),
                (false, false),
            ),
            (|row| row["budgetStatus"] = json!("Frozen"), (false, true)),
            (
                |row| row["budgetAllocationChange"] = json!(-1),
                (false, true),
            ),
            (
                |row| row["budgetAllowableExpenditure"] = json!(90),
                (false, true),
            ),
        ];
        for (at, (change, expected)) in changes.into_iter().enumerate() {
            let mut row = row(|row| {
                unchanged(row);
                change(row);
            });
            row.compute(&known());
            let found = (row.is_fund_changed, row.is_budget_changed);
            assert_eq!(found, (Some(expected.0), Some(expected.1)), "{at}");
            assert_eq!(row.budget_initial_allocation, Some(Amount::cents(9_000)));
        }
        let mut bare = row(|row| {
            row["budgetId"] = json!(null);
            row["budgetStatus"] = json!(null);
        });
        bare.compute(&known());
        assert_eq!(bare.is_budget_changed, Some(false));
    }

    #[test]
    fn each_fault_names_its_row_and_field() {
        type Change = fn(&mut Value);
        let changes: [(Change, &str, &str); 14] = [
            (
                |row| row["fundCode"] = json!("LAW"),
                "financeData[0].fundCode",
                "fundCode must be the same as existing fund code",
            ),
            (
                |row| row["fundName"] = json!(null),
                "financeData[0].fundName",
                "fundName is required",
            ),
            (
                |row| row["fundStatus"] = json!("Red"),
                "financeData[0].fundStatus",
                "Fund status is incorrect",
            ),
            (
                |row| row["ledgerId"] = json!(Uuid::from_u128(4)),
                "financeData[0].fundId",
                "Fund ledger ID must be the same as ledger ID",
            ),
            (
                |row| row["fundId"] = json!(Uuid::from_u128(5)),
                "financeData[0].fundId",
                "Fund ID not found",
            ),
            (
                |row| row["budgetId"] = json!("x"),
                "financeData[0].budgetId",
                "Invalid UUID format",
            ),
            (
                |row| row["budgetId"] = json!(Uuid::from_u128(6)),
                "financeData[0].budgetId",
                "Budget ID not found",
            ),
            (
                |row| row["budgetName"] = json!("B"),
                "financeData[0].budgetName",
                "budgetName must be the same as existing budget name",
            ),
            (
                |row| row["budgetStatus"] = json!("Red"),
                "financeData[0].budgetStatus",
                "Budget status is incorrect",
            ),
            (
                |row| row["budgetInitialAllocation"] = json!(null),
                "financeData[0].budgetInitialAllocation",
                "budgetInitialAllocation is required",
            ),
            (
                |row| row["budgetAllowableEncumbrance"] = json!(-1),
                "financeData[0].budgetAllowableEncumbrance",
                "budgetAllowableEncumbrance cannot be negative",
            ),
            (
                |row| row["budgetAllocationChange"] = json!(-100.01),
                "financeData[0].budgetAllocationChange",
                "New total allocation cannot be negative",
            ),
            (
                |row| row["ledgerId"] = json!(null),
                "financeData[0].ledgerId",
                "ledgerId is required",
            ),
            (
                |row| row["budgetStatus"] = json!(null),
                "financeData[0].budgetStatus",
                "budgetStatus is required",
            ),
        ];
        for (change, key, message) in changes {
            let found = faults(&[row(change)], &known());
            let fault = found.first().expect("a fault");
            assert_eq!((fault.key.as_str(), fault.message.as_str()), (key, message));
        }
        let fine = row(|row| row["budgetAllocationChange"] = json!(-100));
        assert_eq!(faults(std::slice::from_ref(&fine), &known()), []);
        let twice = faults(&[fine.clone(), fine], &known());
        assert_eq!(twice[0].value, "duplicate");
        let years = [
            row(|_| ()),
            row(|row| row["fiscalYearId"] = json!(Uuid::from_u128(8))),
        ];
        assert_eq!(
            faults(&years, &known())[0].key,
            "financeData[1].fiscalYearId"
        );
    }
}
