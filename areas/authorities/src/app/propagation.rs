//! Propagates changes of an authority to linked records: some instances per transaction, which also
//! stores the progress. An instance that cannot be updated is recorded with the reason and does not
//! stop the others.

use std::sync::Arc;
use std::time::Duration;

use octavo_jobs::{GivenUp, Job, NewJob, Outcome, Progress, Queue, Work};
use octavo_library::{AuthorityId, InstanceId, SourceRecordId};
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::fetch;
use octavo_records::{Stamp, StoreError};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Context, sources};
use crate::collections::AUTHORITY;
use crate::link_followers::{Changed, Follower};
use crate::rules::headings;
use crate::rules::linking::{self, Rule, Source};
use crate::store;
use crate::store::links::{self, Next};

/// Changes whose linked records have yet to follow: the authority is the key of the job, so that of two
/// changes of an authority the later one is last. Others come to the database between two portions.
pub static QUEUE: Queue = Queue {
    pause: Duration::from_millis(5),
    ..Queue::named("authority-links")
};
/// Links of one portion.
const PORTION: i64 = 20;
/// Characters of a reason.
const REASON_CHARS_MAX: usize = 500;

/// What has changed, and how far linked records have followed.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Change {
    /// Whether what is linked follows no longer.
    unlinks: bool,
    /// Who changed it.
    user_id: Option<Uuid>,
    /// The last link that is done.
    reached: i64,
    /// The last link that there was.
    until: i64,
}

impl Change {
    /// The change after this link.
    fn behind(self, reached: i64) -> Result<Progress, StoreError> {
        let change = Change { reached, ..self };
        Ok(Progress::More(serde_json::to_value(change)?))
    }
}

/// Queues the propagation of a change in the transaction of the change, if anything is linked.
pub(super) async fn line_up(
    context: &Context<'_>,
    transaction: &Transaction,
    authority_id: AuthorityId,
    unlinks: bool,
) -> Result<(), StoreError> {
    let Some(until) = links::last(transaction, context.tenant, authority_id).await? else {
        return Ok(());
    };
    let change = Change {
        unlinks,
        user_id: context.stamp.user_id,
        reached: 0,
        until,
    };
    let job = NewJob {
        id: Uuid::new_v4(),
        key: Some(authority_id.uuid()),
        progress: serde_json::to_value(change)?,
    };
    QUEUE.add(transaction, context.tenant, job).await?;
    Ok(())
}

/// The worker that propagates changes.
#[derive(Debug)]
pub struct Propagation {
    follower: Arc<dyn Follower>,
}

impl Propagation {
    /// Records are written by this follower.
    #[must_use]
    pub fn through(follower: &Arc<dyn Follower>) -> Arc<Propagation> {
        Arc::new(Propagation {
            follower: Arc::clone(follower),
        })
    }

    async fn follow_some(
        &self,
        context: Context<'_>,
        transaction: &Transaction,
        job: &Job,
    ) -> Result<Progress, StoreError> {
        let Some(authority_id) = job.key.map(AuthorityId::from) else {
            return Ok(Progress::Done);
        };
        let change: Change = job.state()?;
        let (tenant, range) = (context.tenant, (change.reached, change.until));
        let most = job.at_most(PORTION);
        let mut links = links::next(transaction, tenant, authority_id, range, most).await?;
        let Some(last) = links.last().map(|one| one.id) else {
            return Ok(Progress::Done);
        };
        // Everybody holds instances in the order of their ids.
        links.sort_by_key(|one| (one.instance_id, one.id));
        let worker = Worker {
            context: Context {
                stamp: Stamp::now(change.user_id),
                ..context
            },
            transaction,
            follower: &self.follower,
            rules: store::rules::all(transaction, tenant).await?,
            authority_id,
            unlinks: change.unlinks,
        };
        transaction.savepoint("portion").await?;
        if let Err(error) = worker.follow_all(&links).await {
            if error.is_transient() {
                return Err(error);
            }
            transaction.rollback_to("portion").await?;
            worker.follow_each(&links).await?;
        }
        change.behind(last)
    }

    /// Marks the links that could not be processed, and continues with those after them.
    async fn leave_out(
        &self,
        context: Context<'_>,
        transaction: &Transaction,
        job: &Job,
        reason: &GivenUp,
    ) -> Result<Progress, StoreError> {
        let (Some(authority_id), Ok(change)) =
            (job.key.map(AuthorityId::from), job.state::<Change>())
        else {
            return Ok(Progress::Done);
        };
        let (tenant, range) = (context.tenant, (change.reached, change.until));
        let most = job.at_most(PORTION);
        let links = links::next(transaction, tenant, authority_id, range, most).await?;
        let Some(last) = links.last().map(|one| one.id) else {
            return Ok(Progress::Done);
        };
        let ids: Vec<i64> = links.iter().map(|one| one.id).collect();
        let why = shortened(&reason.to_string());
        links::note(transaction, tenant, &ids, Some(&why)).await?;
        change.behind(last)
    }
}

impl Work for Propagation {
    fn queue(&self) -> &'static Queue {
        &QUEUE
    }

    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Outcome<'a> {
        Box::pin(self.follow_some(context, transaction, job))
    }

    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
        reason: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(self.leave_out(context, transaction, job, reason))
    }
}

fn shortened(reason: &str) -> String {
    reason.chars().take(REASON_CHARS_MAX).collect()
}

struct Worker<'a> {
    context: Context<'a>,
    transaction: &'a Transaction,
    follower: &'a Arc<dyn Follower>,
    rules: Vec<Rule>,
    authority_id: AuthorityId,
    unlinks: bool,
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

    async fn follow_all(&self, links: &[Next]) -> Result<(), StoreError> {
        match self.unlinks {
            true => self.unlink(links).await,
            false => self.follow(links).await,
        }
    }

    /// Lets each instance follow by itself, and notes those that cannot.
    async fn follow_each(&self, links: &[Next]) -> Result<(), StoreError> {
        let tenant = self.context.tenant;
        for of_one in links.chunk_by(|one, other| one.instance_id == other.instance_id) {
            self.transaction.savepoint("one").await?;
            if let Err(error) = self.follow_all(of_one).await {
                if error.is_transient() {
                    return Err(error);
                }
                tracing::warn!(tenant = tenant.id(), authority = %self.authority_id, %error, "a linked record did not follow");
                self.transaction.rollback_to("one").await?;
                let ids: Vec<i64> = of_one.iter().map(|one| one.id).collect();
                let why = shortened(&error.to_string());
                links::note(self.transaction, tenant, &ids, Some(&why)).await?;
            }
            self.transaction.release("one").await?;
        }
        Ok(())
    }

    /// Brings linked fields to what the authority is now, whatever it was when the change was lined up.
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
    async fn hold(
        &self,
        instance_id: InstanceId,
    ) -> Result<Option<sources::HeldBibRecord>, StoreError> {
        links::hold_instance(self.transaction, self.context.tenant, instance_id).await?;
        sources::hold_of_instance(&self.context, self.transaction, instance_id).await
    }

    async fn write(
        &self,
        instance_id: InstanceId,
        record_id: SourceRecordId,
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
        let (tenant, id) = (self.context.tenant, self.authority_id.uuid());
        let authorities = self.context.collection(AUTHORITY);
        let (known, document, record) = tokio::try_join!(
            store::authorities::of_ids(self.transaction, tenant, std::slice::from_ref(&id)),
            fetch(self.transaction, tenant, authorities, id),
            sources::marc_of_authority(&self.context, self.transaction, self.authority_id)
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
