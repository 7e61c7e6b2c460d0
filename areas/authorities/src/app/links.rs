//! Replaces the links of an instance.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_library::{AuthorityId, InstanceId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;

use super::{Context, Refusal};
use crate::store::{self, links};

/// FOLIO's message about a link to an unknown authority or rule.
const UNKNOWN: Refusal = Refusal::Taken {
    message: "Unknown constraint.",
    code: "-1",
};

/// Links of one instance.
pub const LINKS_MAX: usize = 10_000;

/// A link to store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewLink {
    pub authority_id: AuthorityId,
    /// The rule, by its number.
    pub rule: i32,
}

/// Sets the links of an instance, inside the caller's transaction. Lock order: the instance, then the
/// authorities. Existing links are unchanged.
///
/// # Errors
/// When there is no such authority or rule, or there are too many links.
#[boxed]
pub async fn put_links(
    context: &Context<'_>,
    transaction: &Transaction,
    instance_id: InstanceId,
    wanted: &[NewLink],
) -> Result<(), Refusal> {
    if wanted.len() > LINKS_MAX {
        let message = format!("An instance has at most {LINKS_MAX} links");
        return Err(Refusal::invalid(message, "links", wanted.len()));
    }
    let tenant = context.tenant;
    links::hold(transaction, tenant, instance_id).await?;
    let ids: BTreeSet<AuthorityId> = wanted.iter().map(|one| one.authority_id).collect();
    let ids: Vec<AuthorityId> = ids.into_iter().collect();
    let (known, rules) = tokio::try_join!(
        links::hold_authorities(transaction, tenant, &ids),
        store::rules::all(transaction, tenant)
    )?;
    // As the foreign keys of R1-2025 refuse them.
    let is_known = |one: &NewLink| {
        known.contains(&one.authority_id) && rules.iter().any(|rule| rule.id == one.rule)
    };
    if !wanted.iter().all(is_known) {
        return Err(UNKNOWN);
    }
    let authorities: Vec<AuthorityId> = wanted.iter().map(|one| one.authority_id).collect();
    let rules: Vec<i32> = wanted.iter().map(|one| one.rule).collect();
    links::put(transaction, tenant, instance_id, &authorities, &rules).await?;
    Ok(())
}

#[boxed]
pub async fn links_of(
    context: &Context<'_>,
    instance_id: InstanceId,
) -> Result<Vec<links::Link>, StoreError> {
    links::of_instance(&context.store.database, context.tenant, instance_id).await
}
