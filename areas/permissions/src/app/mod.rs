//! The operations on permissions and permission users, each in one transaction.

pub mod announce;
pub mod change_definition;
pub mod change_holder;

use std::ops::Deref;
use std::sync::Arc;

use octavo_platform::Grants;
use octavo_records::{Context, Executor};

use crate::refusal::{Failure, Refusal};
use crate::rules::assigning::{Defined, GATEWAYS, Unowned, may_give, may_give_all_of};
use crate::store::definitions;

/// The context of a change of permissions.
#[derive(Debug)]
pub struct Change<'a> {
    /// Store, tenant, user and instant.
    pub context: Context<'a>,
    /// On whose authority.
    pub giver: Grantor,
}

/// On whose authority permissions are assigned.
#[derive(Debug)]
pub enum Grantor {
    /// A user's or a module's, with these permissions.
    Holds(Arc<Grants>),
    /// None: the tenant requires tokens and the request has none.
    Nobody,
    /// Not checked: the tenant does not require tokens and none was sent. This is how a tenant gets its
    /// first users before mod-authtoken is enabled.
    Anyone,
}

impl<'a> Deref for Change<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        &self.context
    }
}

impl Change<'_> {
    /// Checks whether the operating user may assign these permissions.
    ///
    /// # Errors
    /// The permissions that the user may not assign.
    fn may_give<'d>(&self, added: impl Iterator<Item = &'d Defined>) -> Result<(), Refusal> {
        may_give(added, |name| self.has(name)).map_err(|unowned| self.unowned(unowned))
    }

    /// Checks the same for all permissions that these contain through sets.
    ///
    /// # Errors
    /// The permissions that the user may not assign.
    async fn may_give_all_of(
        &self,
        executor: &dyn Executor,
        names: &[String],
    ) -> Result<(), Failure> {
        if names.is_empty() {
            return Ok(());
        }
        let all = definitions::gateways_within(executor, self.tenant, names, &GATEWAYS).await?;
        may_give_all_of(&all, |name| self.has(name)).map_err(|unowned| self.unowned(unowned).into())
    }

    fn has(&self, name: &str) -> bool {
        match &self.giver {
            Grantor::Holds(grants) => grants.has(name),
            Grantor::Nobody => false,
            Grantor::Anyone => true,
        }
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

/// The names that are not among others.
fn missing(wanted: &[String], among: &[String]) -> Vec<String> {
    let among: std::collections::HashSet<&String> = among.iter().collect();
    let wanted = wanted.iter().filter(|name| !among.contains(name));
    wanted.cloned().collect()
}
