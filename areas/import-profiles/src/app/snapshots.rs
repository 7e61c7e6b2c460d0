//! Trees of profiles: current ones, and snapshots taken when a job began.

use octavo_boxed::boxed;
use octavo_library::ProfileId;
use octavo_records::Executor;
use octavo_records::store::{fetch, insert};
use serde_json::Value;
use uuid::Uuid;

use super::{Context, Refusal};
use crate::kind::ProfileKind;
use crate::store::tree::{Reading, tree};
use crate::tree::{Tree, build};

/// The table of snapshots.
pub const KEPT: &str = "profile_snapshots";

/// The tree of a job profile as it is now; `None` when there is no such profile. One statement.
///
/// # Errors
/// When the tree is larger than a tree may be.
#[boxed]
pub async fn profile_tree(
    context: Context<'_>,
    job_profile_id: ProfileId,
) -> Result<Option<Tree>, Refusal> {
    let database = &context.store.database;
    tree_of(
        database,
        context,
        ProfileKind::Job,
        job_profile_id,
        Some(job_profile_id),
    )
    .await
}

/// The tree of any profile; what is below matches depends on this job.
#[boxed]
pub async fn tree_of(
    executor: &dyn Executor,
    context: Context<'_>,
    kind: ProfileKind,
    profile_id: ProfileId,
    job_profile_id: Option<ProfileId>,
) -> Result<Option<Tree>, Refusal> {
    let read = tree(
        executor,
        context.tenant,
        kind,
        profile_id,
        job_profile_id,
        Reading::Whole,
    )
    .await?;
    let Some((root, edges)) = read else {
        return Ok(None);
    };
    Ok(Some(Tree::of(build(root, &edges, Uuid::new_v4)?)))
}

/// Stores a snapshot of a job profile's tree, so that changes of profiles do not affect a running job;
/// `None` when there is no such profile. Inside the caller's transaction, if there is one.
#[boxed]
pub async fn start_snapshot(
    executor: &dyn Executor,
    context: Context<'_>,
    job_profile_id: ProfileId,
) -> Result<Option<Tree>, Refusal> {
    let kind = ProfileKind::Job;
    let read = tree_of(
        executor,
        context,
        kind,
        job_profile_id,
        Some(job_profile_id),
    )
    .await?;
    let Some(tree) = read else {
        return Ok(None);
    };
    let collection = context.collection(KEPT);
    if let Value::Object(document) = tree.json().clone() {
        insert(
            executor,
            context.tenant,
            collection,
            document,
            &context.stamp,
        )
        .await?;
    }
    Ok(Some(tree))
}

/// The snapshot of this id.
#[boxed]
pub async fn stored_tree(context: Context<'_>, id: Uuid) -> Result<Option<Tree>, Refusal> {
    let collection = context.collection(KEPT);
    let kept = fetch(&context.store.database, context.tenant, collection, id).await?;
    Ok(kept.map(Tree::of))
}
