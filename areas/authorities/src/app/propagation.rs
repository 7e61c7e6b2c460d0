//! The worker that propagates changes of authorities to linked records, in portions, each a transaction
//! that also stores the progress. A failing instance is recorded with the reason and does not stop the
//! others. If the process ends, another continues.

use std::sync::Arc;
use std::time::Duration;

use octavo_boxed::boxed;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::fetch;
use octavo_records::{Contention, Stamp, Store, StoreError, Tenant, retried};
use uuid::Uuid;

use super::{Context, sources};
use crate::collections::AUTHORITY;
use crate::link_followers::{Changed, Follower};
use crate::rules::headings;
use crate::rules::linking::{self, Rule, Source};
use crate::store::links::{self, Next};
use crate::store::{self, queue};

/// Links of one portion.
const PORTION: i64 = 20;
/// A pause between portions, so that other requests get the database.
const PAUSE: Duration = Duration::from_millis(5);
/// Characters of a reason.
const REASON_CHARS_MAX: usize = 500;

/// Starts the worker in the background, unless one is running. Call it after the commit of a change of
/// an authority; a timer calls it too.
pub fn begin(store: &Store, tenant: &Tenant, follower: &Arc<dyn Follower>) {
    let (store, tenant, follower) = (store.clone(), tenant.clone(), Arc::clone(follower));
    tokio::spawn(async move {
        if let Err(error) = work(&store, &tenant, &follower).await {
            tracing::warn!(tenant = tenant.id(), %error, "linked records follow later; the timer goes on");
        }
    });
}

/// Processes the queue until it is empty, or until another worker runs; returns the number of portions.
///
/// # Errors
/// On a database error; what was committed before stays.
#[boxed]
pub async fn work(
    store: &Store,
    tenant: &Tenant,
    follower: &Arc<dyn Follower>,
) -> Result<usize, StoreError> {
    let mut portions = 0;
    if !queue::is_anything(&store.database, tenant).await? {
        return Ok(portions);
    }
    while portion(store, tenant, follower).await? {
        portions += 1;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(portions)
}

/// Processes the next portion. If it fails, its links are processed one by one, and failing ones are
/// recorded.
async fn portion(
    store: &Store,
    tenant: &Tenant,
    follower: &Arc<dyn Follower>,
) -> Result<bool, StoreError> {
    match retried(|| attempt(store, tenant, follower, PORTION)).await {
        Err(error) if is_of_the_record(&error) => {
            retried(|| attempt(store, tenant, follower, 1)).await
        }
        outcome => outcome,
    }
}

/// Whether another attempt would fail in the same way.
fn is_of_the_record(error: &StoreError) -> bool {
    let is_passing = error.is_contention()
        || matches!(
            error,
            StoreError::Timeout(_)
                | StoreError::TooSlow(_)
                | StoreError::Unavailable(..)
                | StoreError::Busy(_)
        );
    !is_passing
}

async fn attempt(
    store: &Store,
    tenant: &Tenant,
    follower: &Arc<dyn Follower>,
    most: i64,
) -> Result<bool, StoreError> {
    let transaction = store.database.transaction().await?;
    let Some(change) = queue::hold_oldest(&transaction, tenant).await? else {
        return Ok(false);
    };
    let context = Context {
        store,
        tenant,
        stamp: Stamp::now(change.user_id),
    };
    let range = (change.reached, change.until);
    let mut links = links::next(&transaction, tenant, change.authority_id, range, most).await?;
    let Some(last) = links.iter().map(|one| one.id).max() else {
        queue::end(&transaction, tenant, change.number).await?;
        transaction.commit().await?;
        return Ok(true);
    };
    // Lock order: instances by id, as everywhere.
    links.sort_by_key(|one| (one.instance_id, one.id));
    let worker = Worker {
        context,
        transaction: &transaction,
        follower,
        rules: store::rules::all(&transaction, tenant).await?,
        authority_id: change.authority_id,
    };
    // A savepoint, so that the failure of this link can be recorded and skipped in the same transaction.
    if most == 1 {
        transaction.savepoint("one").await?;
    }
    let done = if change.unlinks {
        worker.unlink(&links).await
    } else {
        worker.follow(&links).await
    };
    if let Err(error) = done {
        if most > 1 || !is_of_the_record(&error) {
            return Err(error);
        }
        tracing::warn!(tenant = tenant.id(), authority = %change.authority_id, %error, "a linked record did not follow");
        transaction.rollback_to("one").await?;
        let ids: Vec<i64> = links.iter().map(|one| one.id).collect();
        links::note(
            &transaction,
            tenant,
            &ids,
            Some(&reason(&error.to_string())),
        )
        .await?;
    }
    queue::reach(&transaction, tenant, change.number, last).await?;
    transaction.commit().await?;
    Ok(true)
}

fn reason(text: &str) -> String {
    text.chars().take(REASON_CHARS_MAX).collect()
}

struct Worker<'a> {
    context: Context<'a>,
    transaction: &'a Transaction,
    follower: &'a Arc<dyn Follower>,
    rules: Vec<Rule>,
    authority_id: Uuid,
}

/// The current state of an authority.
struct Current {
    zero: String,
    record: Option<Record>,
    tag: Option<&'static str>,
}

impl Worker<'_> {
    fn rule(&self, id: i32) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// Updates linked fields to the authority's current state, whatever it was when the change was
    /// queued.
    async fn follow(&self, links: &[Next]) -> Result<(), StoreError> {
        let Some(authority) = self.current().await? else {
            // Deleted meanwhile: a later queued change removes the links.
            return Ok(());
        };
        let id = self.authority_id.to_string();
        for of_one in links.chunk_by(|one, other| one.instance_id == other.instance_id) {
            let ids: Vec<i64> = of_one.iter().map(|one| one.id).collect();
            let outcome = self.follow_one(of_one, &authority, &id).await?;
            let tenant = self.context.tenant;
            links::note(self.transaction, tenant, &ids, outcome.as_deref()).await?;
        }
        Ok(())
    }

    /// Updates one instance; returns the reason if it fails.
    async fn follow_one(
        &self,
        links: &[Next],
        authority: &Current,
        id: &str,
    ) -> Result<Option<String>, StoreError> {
        let instance_id = links[0].instance_id;
        let Some(held) = self.hold(instance_id).await? else {
            return Ok(Some(format!(
                "Source record not found for [instanceId: {instance_id}]"
            )));
        };
        let Some(mut marc) = held.marc else {
            return Ok(Some(format!(
                "The record of [instanceId: {instance_id}] is no MARC"
            )));
        };
        let Some(record) = &authority.record else {
            return Ok(Some(format!(
                "Source record not found for [authorityId: {id}]"
            )));
        };
        let mut changed = false;
        for rule in links.iter().filter_map(|one| self.rule(one.rule)) {
            let field = rule.authority_field.as_str();
            // A change of the heading's type is unlinked by its own queued change.
            let heading = record
                .data(field)
                .next()
                .filter(|_| authority.tag == Some(field));
            if heading.is_none() && authority.tag == Some(field) {
                return Ok(Some(format!(
                    "Source record don't contains [authorityId: {id}, tag: {field}]"
                )));
            }
            let source = Source {
                id,
                zero: &authority.zero,
                heading,
            };
            changed |= linking::follow(&mut marc, rule, source);
        }
        if changed {
            self.write(instance_id, held.id, marc).await?;
        }
        Ok(None)
    }

    async fn unlink(&self, links: &[Next]) -> Result<(), StoreError> {
        let id = self.authority_id.to_string();
        for of_one in links.chunk_by(|one, other| one.instance_id == other.instance_id) {
            let instance_id = of_one[0].instance_id;
            let Some(held) = self.hold(instance_id).await? else {
                continue;
            };
            let Some(mut marc) = held.marc else { continue };
            let mut changed = false;
            for rule in of_one.iter().filter_map(|one| self.rule(one.rule)) {
                changed |= linking::unlink(&mut marc, &rule.bib_field, &id);
            }
            if changed {
                self.write(instance_id, held.id, marc).await?;
            }
        }
        let ids: Vec<i64> = links.iter().map(|one| one.id).collect();
        links::remove(self.transaction, self.context.tenant, &ids).await
    }

    /// Lock order: the instance, then its source record.
    async fn hold(&self, instance_id: Uuid) -> Result<Option<sources::HeldBibRecord>, StoreError> {
        links::hold_instance(self.transaction, self.context.tenant, instance_id).await?;
        sources::hold_of_instance(&self.context, self.transaction, instance_id).await
    }

    async fn write(
        &self,
        instance_id: Uuid,
        record_id: Uuid,
        record: Record,
    ) -> Result<(), StoreError> {
        let changed = Changed {
            instance_id,
            record_id,
            record,
        };
        self.follower
            .write(self.context, self.transaction, changed)
            .await
    }

    async fn current(&self) -> Result<Option<Current>, StoreError> {
        let (tenant, id) = (self.context.tenant, self.authority_id);
        let authorities = self.context.collection(AUTHORITY);
        let (known, document, record) = tokio::try_join!(
            store::authorities::of_ids(self.transaction, tenant, std::slice::from_ref(&id)),
            fetch(self.transaction, tenant, authorities, id),
            sources::marc_of_authority(&self.context, self.transaction, id)
        )?;
        let Some((known, document)) = known.into_iter().next().zip(document) else {
            return Ok(None);
        };
        let tag = document
            .as_object()
            .and_then(headings::of)
            .map(|(kind, _)| kind.tag);
        Ok(Some(Current {
            zero: linking::zero(&known.natural_id, known.base_url.as_deref()),
            record,
            tag,
        }))
    }
}
