//! The circulation rules that every tenant starts with name policies that it starts with.

use std::collections::HashSet;

use octavo_circulation::rules::{CompiledRules, PolicyIds};
use serde_json::Value;
use uuid::Uuid;

/// The policies of octavo-fees' reference data, which this area only knows by id.
const OVERDUE_FINE: Uuid = Uuid::from_u128(0xcd3f6cac_fa17_4079_9fae_2fb28e521412);
const LOST_ITEM: Uuid = Uuid::from_u128(0xed892c0e_52e0_4cd9_8133_c0ef07b4a709);

fn reference(table: &str) -> Vec<Value> {
    let modules = octavo_circulation::modules();
    let data = modules
        .iter()
        .flat_map(|module| &module.reference)
        .find(|one| one.table == table);
    let collection = modules
        .iter()
        .flat_map(|module| &module.collections)
        .find(|collection| collection.table == table);
    data.expect("the table has reference data")
        .records(collection.expect("the table is declared"))
        .expect("the records fit")
}

fn ids(table: &str) -> HashSet<Uuid> {
    reference(table)
        .iter()
        .filter_map(|record| record["id"].as_str()?.parse().ok())
        .collect()
}

#[test]
fn the_default_rules_compile_and_name_existing_policies() {
    let known = PolicyIds {
        loan: ids("loan_policy"),
        request: ids("request_policy"),
        notice: ids("patron_notice_policy"),
        overdue_fine: HashSet::from([OVERDUE_FINE]),
        lost_item: HashSet::from([LOST_ITEM]),
    };
    let records = reference("circulation_rules");
    let text = records[0]["rulesAsText"]
        .as_str()
        .expect("the rules are text");
    let rules = CompiledRules::compile(text, Some(&known)).expect("the rules compile");
    assert_eq!(records.len(), 1);
    assert_eq!(rules.rule_count(), 2);
}
