//! The reading lists of all tenants, kept in memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::answer::Refusal;
use http::StatusCode;

/// The most lists of a tenant.
pub const LISTS_MAX: usize = 10_000;
/// The most items of a list.
pub const ITEMS_MAX: usize = 1_000;
/// The most characters of a name.
pub const NAME_CHARACTERS_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadingList {
    /// From the client, or generated.
    #[serde(default = "Uuid::new_v4")]
    pub id: Uuid,
    pub name: String,
    /// The id of the patron whom the list is for …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patron_id: Option<Uuid>,
    /// … or the barcode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patron_barcode: Option<String>,
    /// The items, in the order of reading.
    #[serde(default)]
    pub item_ids: Vec<Uuid>,
    /// Whether everything has been read; the timer deletes such lists.
    #[serde(default)]
    pub done: bool,
    /// The user who created it; set by the module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_id: Option<String>,
}

impl ReadingList {
    /// Checks the properties.
    ///
    /// # Errors
    /// 422 naming the property.
    pub fn check(&self) -> Result<(), Refusal> {
        let invalid = |message: String, key: &str, value: String| {
            Err(Refusal::Invalid(message, key.to_owned(), value))
        };
        if self.name.trim().is_empty() {
            return invalid("must not be empty".to_owned(), "name", self.name.clone());
        }
        let characters = self.name.chars().count();
        if characters > NAME_CHARACTERS_MAX {
            let message = format!("must have {NAME_CHARACTERS_MAX} characters at most");
            return invalid(message, "name", format!("{characters} characters"));
        }
        if self.item_ids.len() > ITEMS_MAX {
            let message = format!("must have {ITEMS_MAX} items at most");
            return invalid(message, "itemIds", format!("{} items", self.item_ids.len()));
        }
        Ok(())
    }
}

/// The lists of one tenant.
pub type Shelf = BTreeMap<Uuid, ReadingList>;

/// The lists of each tenant that has enabled the module.
#[derive(Debug, Default)]
pub struct Shelves {
    by_tenant: Mutex<HashMap<String, TenantShelves>>,
}

#[derive(Debug, Default)]
struct TenantShelves {
    enabled: bool,
    shelf: Shelf,
}

impl Shelves {
    /// Enables a tenant. Lists from before it was last disabled are still there, unless purged.
    pub fn open(&self, tenant: &str) {
        self.lock().entry(tenant.to_owned()).or_default().enabled = true;
    }

    /// Disables a tenant; with `purge` its lists are deleted.
    pub fn close(&self, tenant: &str, purge: bool) {
        let mut tenants = self.lock();
        if purge {
            tenants.remove(tenant);
        } else if let Some(kept) = tenants.get_mut(tenant) {
            kept.enabled = false;
        }
    }

    /// Runs `work` on the lists of a tenant, under the lock.
    ///
    /// # Errors
    /// 400 for a tenant that has not enabled the module, and the errors of `work`.
    pub fn of<T>(
        &self,
        tenant: &str,
        work: impl FnOnce(&mut Shelf) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        match self.lock().get_mut(tenant) {
            Some(kept) if kept.enabled => work(&mut kept.shelf),
            _ => Err(Refusal::bad_request(format!(
                "The module is not enabled for tenant {tenant}"
            ))),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, TenantShelves>> {
        self.by_tenant
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds a list to a shelf.
///
/// # Errors
/// 422 when its id exists, 507 when the shelf is full.
pub fn put(shelf: &mut Shelf, list: ReadingList) -> Result<(), Refusal> {
    if shelf.contains_key(&list.id) {
        return Err(Refusal::Invalid(
            "a list with this id exists".to_owned(),
            "id".to_owned(),
            list.id.to_string(),
        ));
    }
    if shelf.len() >= LISTS_MAX {
        return Err(Refusal::Text(
            StatusCode::INSUFFICIENT_STORAGE,
            format!("There are {LISTS_MAX} lists already; delete some"),
        ));
    }
    shelf.insert(list.id, list);
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn list(name: &str) -> ReadingList {
        serde_json::from_value(json!({"name": name})).expect("a list")
    }

    #[test]
    fn what_was_there_is_kept_until_it_is_purged() {
        let shelves = Shelves::default();
        let count = || shelves.of("diku", |shelf| Ok(shelf.len()));
        assert!(count().is_err());
        shelves.open("diku");
        shelves.open("other");
        shelves
            .of("diku", |shelf| put(shelf, list("Summer")))
            .expect("room");
        shelves.close("diku", false);
        assert!(count().is_err());
        shelves.open("diku");
        assert_eq!(count(), Ok(1));
        assert_eq!(shelves.of("other", |shelf| Ok(shelf.len())), Ok(0));
        shelves.close("diku", true);
        shelves.open("diku");
        assert_eq!(count(), Ok(0));
    }

    #[test]
    fn lists_are_checked_and_their_ids_are_taken_once() {
        assert!(list("Summer").check().is_ok());
        assert!(list("  ").check().is_err());
        assert!(list(&"x".repeat(NAME_CHARACTERS_MAX + 1)).check().is_err());
        let mut long = list("Long");
        long.item_ids = vec![Uuid::nil(); ITEMS_MAX + 1];
        assert!(long.check().is_err());
        let (mut shelf, one) = (Shelf::new(), list("One"));
        assert!(put(&mut shelf, one.clone()).is_ok());
        assert!(matches!(put(&mut shelf, one), Err(Refusal::Invalid(..))));
        let unknown = json!({"name": "x", "colour": "red"});
        assert!(serde_json::from_value::<ReadingList>(unknown).is_err());
    }

    #[test]
    fn a_shelf_has_an_end() {
        let mut shelf = Shelf::new();
        for _ in 0..LISTS_MAX {
            put(&mut shelf, list("x")).expect("room");
        }
        assert!(matches!(
            put(&mut shelf, list("x")),
            Err(Refusal::Text(StatusCode::INSUFFICIENT_STORAGE, _))
        ));
    }
}
