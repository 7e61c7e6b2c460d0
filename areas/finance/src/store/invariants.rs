//! What must hold between budgets, transactions and rollovers, each as a statement that returns the checked
//! records and their faults.

use super::Tables;
use crate::records::{Computed, Sums};

/// A rule, its remedy, and its statement.
type Rule = (&'static str, &'static str, String);

/// The rules of finance.
#[must_use]
pub fn rules(tables: Tables<'_>) -> Vec<Rule> {
    vec![sums(tables), computed(tables), rollovers(tables)]
}

fn sums(tables: Tables<'_>) -> Rule {
    let (budget, transaction) = (tables.table("budget"), tables.table("transaction"));
    let of = |kinds: &str, sign: &str| {
        format!("coalesce(sum({sign}amount) FILTER (WHERE kind IN ({kinds})), 0)")
    };
    let stored = |name: &str| format!("coalesce((budget.jsonb->>'{name}')::numeric, 0)");
    let side = |column: &str, sign: &str, kinds: &str| {
        format!(
            "SELECT {column} AS fund, fiscalyearid AS year, jsonb->>'transactionType' AS kind, \
             {sign}(jsonb->>'amount')::numeric AS amount FROM {transaction} \
             WHERE {column} IS NOT NULL AND jsonb->>'transactionType' IN ({kinds})"
        )
    };
    let (moves, spends) = (
        "'Allocation', 'Transfer', 'Rollover transfer'",
        "'Encumbrance', 'Pending payment', 'Payment'",
    );
    let sql = format!(
        "SELECT budget.id, NOT (moved.allocated = {} + {} - {} AND moved.net = {} \
           AND moved.encumbered = {} AND moved.awaiting = {} AND moved.expended = {} \
           AND moved.credited = {}) AS fault \
         FROM {budget} AS budget JOIN LATERAL (SELECT \
           {} AS allocated, {} AS net, {} AS encumbered, {} AS awaiting, {} AS expended, \
           {} AS credited FROM ({} UNION ALL {} UNION ALL {} UNION ALL {}) AS moved \
           WHERE moved.fund = budget.fundid AND moved.year = budget.fiscalyearid) AS moved ON true",
        stored(Sums::NAMES[0]),
        stored(Sums::NAMES[1]),
        stored(Sums::NAMES[2]),
        stored(Sums::NAMES[3]),
        stored(Sums::NAMES[4]),
        stored(Sums::NAMES[5]),
        stored(Sums::NAMES[6]),
        stored(Sums::NAMES[7]),
        of("'Allocation'", ""),
        of("'Transfer', 'Rollover transfer'", ""),
        of("'Encumbrance'", ""),
        of("'Pending payment'", ""),
        of("'Payment'", ""),
        of("'Credit'", ""),
        side("tofundid", "", moves),
        side("fromfundid", "-", moves),
        side("fromfundid", "", spends),
        side("tofundid", "", "'Credit'"),
    );
    (
        "a budget's sums are those of its transactions",
        "recalculate the budget, unless it was opened with sums of another system",
        sql,
    )
}

fn computed(tables: Tables<'_>) -> Rule {
    let stored = |name: &str| format!("coalesce((jsonb->>'{name}')::numeric, 0)");
    let [
        initial,
        to,
        from,
        net,
        encumbered,
        awaiting,
        expended,
        credits,
    ] = Sums::NAMES.map(stored);
    let allocated = format!("({initial} + {to} - {from})");
    let funding = format!("({allocated} + {net})");
    let used = format!("({encumbered} + {awaiting} + {expended} - {credits})");
    let values = [
        allocated.clone(),
        funding.clone(),
        format!("greatest(0, {used})"),
        format!("({funding} - {used})"),
        format!("({funding} - {expended} + {credits})"),
    ];
    let names = Computed::NAMES.into_iter().zip(values);
    let same: Vec<String> = names
        .map(|(name, value)| format!("{} = {value}", stored(name)))
        .collect();
    (
        "what is computed from a budget's sums agrees with them",
        "recalculate the budget",
        format!(
            "SELECT id, NOT ({}) AS fault FROM {}",
            same.join(" AND "),
            tables.table("budget")
        ),
    )
}

fn rollovers(tables: Tables<'_>) -> Rule {
    (
        "a ledger is rolled over from a fiscal year once",
        "report it: the second one is refused",
        format!(
            "SELECT ledgerid AS id, count(*) > 1 AS fault FROM {} \
             WHERE coalesce(jsonb->>'rolloverType', 'Commit') = 'Commit' \
             GROUP BY ledgerid, fromfiscalyearid",
            tables.table("ledger_fiscal_year_rollover")
        ),
    )
}
