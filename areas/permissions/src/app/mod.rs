//! The operations on permissions and those who hold them, each one transaction.

pub mod announce;
pub mod change_definition;
pub mod change_holder;

use std::sync::Arc;

use octavo_platform::Grants;
use octavo_records::{Collection, Executor, Stamp, Store, Tenant};

use crate::refusal::{Failure, Refusal};
use crate::rules::assigning::{Defined, GATEWAYS, Unowned, may_give, may_give_all_of};
use crate::store::definitions;

/// Who changes permissions, where and when.
#[derive(Debug)]
pub struct Change<'a> {
    /// The records.
    pub store: &'a Store,
    /// The tenant.
    pub tenant: &'a Tenant,
    /// The instant and the user.
    pub stamp: Stamp,
    /// What the operating user may do.
    pub grants: Option<Arc<Grants>>,
}

impl Change<'_> {
    /// Whether the operating user may give these permissions.
    ///
    /// # Errors
    /// What the user may not give.
    fn may_give<'d>(&self, added: impl Iterator<Item = &'d Defined>) -> Result<(), Refusal> {
        let has = |name: &str| self.grants.as_ref().is_some_and(|grants| grants.has(name));
        may_give(added, has).map_err(|unowned| self.unowned(unowned))
    }

    /// Whether the operating user may give what these permissions hold through others, too.
    ///
    /// # Errors
    /// What the user may not give.
    async fn may_give_all_of(
        &self,
        executor: &impl Executor,
        names: &[String],
    ) -> Result<(), Failure> {
        if names.is_empty() {
            return Ok(());
        }
        let all = definitions::gateways_within(executor, self.tenant, names, &GATEWAYS).await?;
        let has = |name: &str| self.grants.as_ref().is_some_and(|grants| grants.has(name));
        may_give_all_of(&all, has).map_err(|unowned| self.unowned(unowned).into())
    }

    fn unowned(&self, unowned: Unowned) -> Refusal {
        Refusal::Unowned {
            unowned,
            operator: match self.stamp.user_id {
                Some(id) => id.to_string(),
                None => "null".to_owned(),
            },
        }
    }

    fn collection(&self, table: &str) -> &Collection {
        self.store
            .catalog
            .get(table)
            .expect("invariant: the area declares its own tables")
    }
}

/// The names in an array of a document.
fn names(document: &serde_json::Map<String, serde_json::Value>, property: &str) -> Vec<String> {
    let array = document.get(property).and_then(serde_json::Value::as_array);
    let mut seen = std::collections::HashSet::new();
    array
        .into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_str)
        .filter(|name| seen.insert(*name))
        .map(str::to_owned)
        .collect()
}

/// Those of some names that are not among others.
fn missing(wanted: &[String], among: &[String]) -> Vec<String> {
    let among: std::collections::HashSet<&String> = among.iter().collect();
    let wanted = wanted.iter().filter(|name| !among.contains(name));
    wanted.cloned().collect()
}
