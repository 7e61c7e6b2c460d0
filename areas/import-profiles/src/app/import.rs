//! Imports a whole tree: creates or updates its profiles and associates them as in the tree. All or
//! nothing.

use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_library::ProfileId;
use octavo_postgres::Transaction;
use octavo_records::retried;
use serde_json::Value;

use super::save::{Sent, save_within};
use super::snapshots::tree_of;
use super::{Context, Refusal};
use crate::kind::ProfileKind;
use crate::relation::AssociationRequest;
use crate::store::associations::below;
use crate::store::profiles::{hold, of_ids};
use crate::tree::{LEVELS_MAX, NODES_MAX, Node, Tree, TreeError};

/// The order in which profiles are stored: a profile must exist before it is associated.
const ORDER: [ProfileKind; 4] = [
    ProfileKind::Mapping,
    ProfileKind::Action,
    ProfileKind::Match,
    ProfileKind::Job,
];

/// Imports a job profile's tree; returns the resulting tree.
///
/// # Errors
/// When it is not the tree of a job profile, or one of its profiles is invalid.
#[boxed]
pub async fn import(context: Context<'_>, sent: Value) -> Result<Tree, Refusal> {
    let tree = Tree::of(sent);
    let root = tree.root();
    if root.kind() != Some(ProfileKind::Job) {
        let kind = tree.json()["contentType"].as_str().unwrap_or("null");
        let kind: String = kind.chars().take(100).collect();
        return Err(Refusal::Improper(format!(
            "Cannot import profile snapshot of {kind} required type is JOB_PROFILE"
        )));
    }
    let mut places = Vec::new();
    flatten(root, 1, &mut places)?;
    let job = id_of(root)?;
    retried(|| async {
        let transaction = context.store.database.transaction().await?;
        hold(&transaction, context.tenant).await?;
        for kind in ORDER {
            let mut done = HashSet::new();
            for node in places.iter().filter(|node| node.kind() == Some(kind)) {
                if done.insert(id_of(*node)?) {
                    take_over(&transaction, context, kind, *node).await?;
                }
            }
        }
        let tree = tree_of(&transaction, context, ProfileKind::Job, job, Some(job)).await?;
        transaction.commit().await?;
        tree.ok_or_else(|| Refusal::invalid("The job profile was not stored"))
    })
    .await
}

/// All nodes of the tree, within the limits of one.
fn flatten<'a>(node: Node<'a>, level: usize, into: &mut Vec<Node<'a>>) -> Result<(), Refusal> {
    if level > LEVELS_MAX {
        return Err(TreeError::TooManyLevels.into());
    }
    if into.len() >= NODES_MAX {
        return Err(TreeError::TooManyNodes.into());
    }
    if node.kind().is_none() || !node.content().is_object() {
        return Err(unmappable("a node has no contentType or no content"));
    }
    id_of(node)?;
    into.push(node);
    for child in node.children() {
        flatten(child, level + 1, into)?;
    }
    Ok(())
}

fn unmappable(why: &str) -> Refusal {
    Refusal::Improper(format!("Cannot map profile content, error: {why}"))
}

/// The id of a node's profile: the node names it, and the profile itself has it.
fn id_of(node: Node<'_>) -> Result<ProfileId, Refusal> {
    let own = node.text("id").map(ProfileId::parse);
    match (own, node.profile_id()) {
        (Some(Some(own)), None) => Ok(own),
        (None, Some(named)) => Ok(named),
        (Some(Some(own)), Some(named)) if own == named => Ok(own),
        _ => Err(unmappable("profileId is not the id of the profile")),
    }
}

/// The associations below a node, parents first. Associations of actions with mappings belong to the
/// actions, and are left out of a job's.
fn associations(
    node: Node<'_>,
    of: ProfileKind,
    into: &mut Vec<AssociationRequest>,
) -> Result<(), Refusal> {
    for child in node.children() {
        let is_mapping = child.kind() == Some(ProfileKind::Mapping);
        if is_mapping && of != ProfileKind::Action {
            continue;
        }
        into.push(AssociationRequest {
            master_profile_id: Some(id_of(node)?),
            detail_profile_id: Some(id_of(child)?),
            master: node.kind(),
            detail: child.kind(),
            order: i32::try_from(child.order()).unwrap_or(i32::MAX),
            react_to: child.react_to(),
            ..AssociationRequest::default()
        });
        associations(child, of, into)?;
    }
    Ok(())
}

async fn take_over(
    transaction: &Transaction,
    context: Context<'_>,
    kind: ProfileKind,
    node: Node<'_>,
) -> Result<(), Refusal> {
    let id = id_of(node)?;
    let Value::Object(mut profile) = node.content().clone() else {
        return Err(unmappable("the profile is no JSON object"));
    };
    profile.insert("id".to_owned(), Value::String(id.to_string()));
    for relation in ["childProfiles", "parentProfiles"] {
        // Snapshots may contain a profile's relations; the tree itself has them.
        profile.remove(relation);
    }
    let mut added = Vec::new();
    if matches!(kind, ProfileKind::Job | ProfileKind::Action) {
        associations(node, kind, &mut added)?;
    }
    let is_there = !of_ids(transaction, context.tenant, kind, &[id])
        .await?
        .is_empty();
    let deleted = match (is_there, kind) {
        (true, ProfileKind::Job) => below(transaction, context.tenant, kind, id, Some(id)).await?,
        (true, ProfileKind::Action) => below(transaction, context.tenant, kind, id, None).await?,
        _ => Vec::new(),
    };
    let deleted = deleted
        .into_iter()
        .filter(|one| kind == ProfileKind::Action || one.detail != ProfileKind::Mapping)
        .map(AssociationRequest::from)
        .collect();
    let sent = Sent {
        profile,
        added,
        deleted,
    };
    save_within(transaction, context, kind, is_there.then_some(id), sent).await?;
    Ok(())
}
