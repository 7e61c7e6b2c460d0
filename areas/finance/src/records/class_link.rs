//! The expense classes that a budget uses.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use uuid::Uuid;

/// An expense class that a budget uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassLink {
    pub expense_class_id: Uuid,
    /// Active or Inactive.
    pub status: String,
}

impl ClassLink {
    /// The links of a checked body, each class once.
    #[must_use]
    pub fn of(list: Option<&Value>) -> Vec<ClassLink> {
        let elements = list.and_then(Value::as_array);
        let elements = elements.map_or(&[][..], Vec::as_slice);
        let links: BTreeMap<Uuid, ClassLink> = elements
            .iter()
            .filter_map(|one| {
                let id = Uuid::try_parse(one["expenseClassId"].as_str()?).ok()?;
                let status = one["status"].as_str().unwrap_or("Active").to_owned();
                let link = ClassLink {
                    expense_class_id: id,
                    status,
                };
                Some((id, link))
            })
            .collect();
        links.into_values().collect()
    }

    /// The document of the link.
    #[must_use]
    pub fn document(&self, budget: Uuid) -> Map<String, Value> {
        let link = json!({"budgetId": budget, "expenseClassId": self.expense_class_id,
            "status": self.status});
        match link {
            Value::Object(document) => document,
            _ => Map::new(),
        }
    }
}
