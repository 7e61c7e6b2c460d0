//! The sums of a report.

use serde_json::{Map, Value, json};

use crate::accounting::Money;

/// A grouping: the response's property, and the name of the total of its groups.
pub type Group = (&'static str, &'static str);

/// The sum of one group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Total {
    /// The index of the grouping.
    pub group: usize,
    /// The name of the group.
    pub name: String,
    /// The sum.
    pub amount: Money,
    /// How many actions.
    pub count: i64,
}

/// All sums, each grouping followed by its total.
#[must_use]
pub fn stats(groups: &[Group], totals: &[Total]) -> Value {
    let entry = |name: &str, amount: Money, count: i64| json!({"name": name, "totalAmount": amount.to_string(), "totalCount": count.to_string()});
    let mut stats = Map::new();
    for (at, (property, heading)) in groups.iter().enumerate() {
        let own = || totals.iter().filter(|total| total.group == at);
        let mut entries: Vec<Value> = own()
            .map(|total| entry(&total.name, total.amount, total.count))
            .collect();
        let amount = own().map(|total| total.amount).sum();
        entries.push(entry(heading, amount, own().map(|total| total.count).sum()));
        stats.insert((*property).to_owned(), Value::Array(entries));
    }
    Value::Object(stats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_of_grouping_ends_with_its_sum() {
        let total = |group: usize, name: &str, amount: &str, count: i64| Total {
            group,
            name: name.to_owned(),
            amount: Money::parse(amount).expect("an amount"),
            count,
        };
        let totals = [total(0, "Jane", "1.5", 2), total(0, "John", "0.1", 1)];
        let rendered = stats(
            &[("bySource", "Source totals"), ("byOwner", "Owner totals")],
            &totals,
        );
        let entry = |name: &str, amount: &str, count: &str| json!({"name": name, "totalAmount": amount, "totalCount": count});
        let meant = json!({
            "bySource": [entry("Jane", "1.50", "2"), entry("John", "0.10", "1"),
                         entry("Source totals", "1.60", "3")],
            "byOwner": [entry("Owner totals", "0.00", "0")]});
        assert_eq!(rendered, meant);
    }
}
