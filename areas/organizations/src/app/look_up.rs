//! Look-ups of organizations for the other areas of acquisitions.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::store;

/// An organization, as the other areas ask for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Organization {
    pub id: Uuid,
    pub name: String,
    pub code: String,
    /// Its status is `Active`, and neither `Inactive` nor `Pending`.
    pub is_active: bool,
    pub is_vendor: bool,
    /// The code of the organization in the library's accounting (`erpCode`).
    pub accounting_code: Option<String>,
    /// The whole record.
    pub document: Map<String, Value>,
}

impl Organization {
    fn read(id: Uuid, document: Map<String, Value>) -> Organization {
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        Organization {
            id,
            name: text("name").unwrap_or_default().to_owned(),
            code: text("code").unwrap_or_default().to_owned(),
            is_active: text("status") == Some("Active"),
            is_vendor: document.get("isVendor") == Some(&Value::Bool(true)),
            accounting_code: text("erpCode").map(str::to_owned),
            document,
        }
    }

    /// The accounts that the library has with it.
    pub fn accounts(&self) -> impl Iterator<Item = &Map<String, Value>> {
        self.objects("accounts")
    }

    /// The primary address, else the first.
    #[must_use]
    pub fn address(&self) -> Option<&Map<String, Value>> {
        let is_primary =
            |one: &&Map<String, Value>| one.get("isPrimary") == Some(&Value::Bool(true));
        let primary = self.objects("addresses").find(is_primary);
        primary.or_else(|| self.objects("addresses").next())
    }

    fn objects(&self, name: &str) -> impl Iterator<Item = &Map<String, Value>> {
        let list = self.document.get(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_object)
    }
}

/// The organizations with these ids that exist, whoever asks: units are not considered.
#[boxed]
pub async fn organizations(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Organization>, StoreError> {
    let rows = store::organizations(executor, tables, ids).await?;
    let found = rows
        .into_iter()
        .filter_map(|(id, document)| match document {
            Value::Object(document) => Some((id, Organization::read(id, document))),
            _ => None,
        });
    Ok(found.collect())
}

/// The organization with this id.
#[boxed]
pub async fn organization(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Organization>, StoreError> {
    Ok(organizations(executor, tables, &[id]).await?.remove(&id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_primary_address_comes_first() {
        let organization = |addresses: Value| {
            let document =
                json!({"name": "N", "code": "C", "status": "Pending", "addresses": addresses});
            let document = document.as_object().cloned().expect("an object");
            Organization::read(Uuid::nil(), document)
        };
        let city = |addresses| {
            let organization = organization(addresses);
            organization
                .address()
                .map(|address| address["city"].clone())
        };
        assert_eq!(city(json!([])), None);
        let both = json!([{"city": "A"}, {"city": "B", "isPrimary": true}]);
        assert_eq!(city(both), Some(json!("B")));
        let none = json!([{"city": "A"}, {"city": "B", "isPrimary": false}]);
        assert_eq!(city(none), Some(json!("A")));
        let read = organization(json!([]));
        assert!(!read.is_active && !read.is_vendor && read.accounting_code.is_none());
    }
}
