//! Adds and removes associations, in a transaction that holds the lock on profiles ([`hold`]).

use std::collections::{HashMap, HashSet};

use octavo_boxed::boxed;
use octavo_library::{AssociationId, ProfileId, ProfileWrapperId};
use octavo_postgres::Transaction;
use octavo_records::retried;
use uuid::Uuid;

use super::{Context, Refusal};
use crate::kind::ProfileKind;
use crate::relation::{AssociationRequest, Relation};
use crate::store::associations::{
    add_node, leads_back, of_id, profile_at, put, remove, remove_stray, the_node_of,
};
use crate::store::profiles::{hold, of_ids};
use crate::store::tree::{Reading, tree};
use crate::tree::{NODES_MAX, build};

const BELOW_ITSELF: &str = "A profile cannot stand below itself";

/// Stores associations in the order of the request.
///
/// # Errors
/// When one is invalid, forms a cycle, exists already or makes a tree too large.
#[boxed]
pub async fn add(
    transaction: &Transaction,
    context: Context<'_>,
    wanted: &[AssociationRequest],
) -> Result<Vec<Relation>, Refusal> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    if wanted.len() > NODES_MAX {
        let most = format!("At most {NODES_MAX} associations can be added at a time");
        return Err(Refusal::invalid(most));
    }
    exist(transaction, context, wanted).await?;
    let mut nodes = HashMap::new();
    let mut added = Vec::with_capacity(wanted.len());
    for one in wanted {
        let relation = resolved(transaction, context, one, &mut nodes).await?;
        store(transaction, context, &relation).await?;
        added.push(relation);
    }
    let masters: Vec<ProfileWrapperId> = added.iter().map(|one| one.master_wrapper_id).collect();
    if leads_back(transaction, context.tenant, &masters).await? {
        return Err(Refusal::invalid(BELOW_ITSELF));
    }
    Ok(added)
}

async fn store(
    transaction: &Transaction,
    context: Context<'_>,
    relation: &Relation,
) -> Result<(), Refusal> {
    match put(transaction, context.tenant, relation).await? {
        true => Ok(()),
        false => Err(Refusal::invalid(format!(
            "Profile '{}' is already associated with profile '{}' at this place",
            relation.detail_profile_id, relation.master_profile_id
        ))),
    }
}

/// Checks that all named profiles exist.
async fn exist(
    transaction: &Transaction,
    context: Context<'_>,
    wanted: &[AssociationRequest],
) -> Result<(), Refusal> {
    let mut named: HashMap<ProfileKind, HashSet<ProfileId>> = HashMap::new();
    for one in wanted {
        let ends = [
            (one.master, one.master_profile_id),
            (one.detail, one.detail_profile_id),
        ];
        for (kind, id) in ends {
            if let (Some(kind), Some(id)) = (kind, id) {
                named.entry(kind).or_default().insert(id);
            }
        }
        if let Some(job) = one.job_profile_id {
            named.entry(ProfileKind::Job).or_default().insert(job);
        }
    }
    for kind in ProfileKind::ALL {
        let ids: Vec<ProfileId> = named
            .remove(&kind)
            .unwrap_or_default()
            .into_iter()
            .collect();
        let found = of_ids(transaction, context.tenant, kind, &ids).await?;
        let found: HashSet<ProfileId> = found.into_iter().map(|(id, _)| id).collect();
        if let Some(id) = ids.iter().find(|id| !found.contains(id)) {
            let message = format!("{} with id '{id}' was not found", kind.title());
            return Err(Refusal::invalid(message));
        }
    }
    Ok(())
}

/// An association with its nodes. `nodes` has the nodes just created for matches: associations below
/// such a match name only the profile.
async fn resolved(
    transaction: &Transaction,
    context: Context<'_>,
    wanted: &AssociationRequest,
    nodes: &mut HashMap<ProfileId, ProfileWrapperId>,
) -> Result<Relation, Refusal> {
    let said = |what: &str| Refusal::invalid(format!("A profile association needs {what}"));
    let (Some(master), Some(detail)) = (wanted.master, wanted.detail) else {
        return Err(said("masterProfileType and detailProfileType"));
    };
    if !AssociationRequest::fits(master, detail) {
        return Err(Refusal::invalid(format!(
            "{} cannot stand below {}",
            detail.name(),
            master.name()
        )));
    }
    let (Some(master_profile_id), Some(detail_profile_id)) =
        (wanted.master_profile_id, wanted.detail_profile_id)
    else {
        return Err(said("masterProfileId and detailProfileId"));
    };
    let at = (transaction, context);
    let master_wrapper_id = match wanted.master_wrapper_id {
        Some(given) => belonging(at, given, master_profile_id).await?,
        None => match nodes.get(&master_profile_id) {
            Some(made) => *made,
            None => node(at, master, master_profile_id).await?,
        },
    };
    nodes.insert(master_profile_id, master_wrapper_id);
    let detail_wrapper_id = match wanted.detail_wrapper_id {
        Some(given) => belonging(at, given, detail_profile_id).await?,
        None => node(at, detail, detail_profile_id).await?,
    };
    nodes.insert(detail_profile_id, detail_wrapper_id);
    let of_match = master == ProfileKind::Match;
    Ok(Relation {
        id: AssociationId::from(Uuid::new_v4()),
        master_profile_id,
        detail_profile_id,
        master,
        detail,
        master_wrapper_id,
        detail_wrapper_id,
        job_profile_id: wanted.job_profile_id.filter(|_| of_match),
        order: wanted.order,
        react_to: wanted.react_to,
    })
}

async fn belonging(
    (transaction, context): (&Transaction, Context<'_>),
    wrapper_id: ProfileWrapperId,
    profile_id: ProfileId,
) -> Result<ProfileWrapperId, Refusal> {
    match profile_at(transaction, context.tenant, wrapper_id).await? {
        Some(stands) if stands == profile_id => Ok(wrapper_id),
        _ => Err(Refusal::invalid(format!(
            "Profile wrapper '{wrapper_id}' does not belong to profile '{profile_id}'"
        ))),
    }
}

/// The node of a job or an action, or a new one for a match or a mapping.
async fn node(
    (transaction, context): (&Transaction, Context<'_>),
    kind: ProfileKind,
    profile_id: ProfileId,
) -> Result<ProfileWrapperId, Refusal> {
    if kind.is_one_node()
        && let Some(node) = the_node_of(transaction, context.tenant, kind, profile_id).await?
    {
        return Ok(node);
    }
    Ok(add_node(transaction, context.tenant, kind, profile_id).await?)
}

/// Checks that the tree of a job is within its limits.
#[boxed]
pub async fn within_limits(
    transaction: &Transaction,
    context: Context<'_>,
    job_profile_id: ProfileId,
) -> Result<(), Refusal> {
    let read = tree(
        transaction,
        context.tenant,
        ProfileKind::Job,
        job_profile_id,
        Some(job_profile_id),
        Reading::Form,
    )
    .await?;
    if let Some((root, edges)) = read {
        build(root, &edges, Uuid::nil)?;
    }
    Ok(())
}

/// Stores a single association: a new one, or a replacement of the one of an id. The associations below
/// a profile that is not deleted stay.
///
/// # Errors
/// As [`add`], and when there is none of that id.
#[boxed]
pub async fn put_one(
    context: Context<'_>,
    id: Option<AssociationId>,
    wanted: &AssociationRequest,
) -> Result<Relation, Refusal> {
    retried(|| async {
        let transaction = context.store.database.transaction().await?;
        hold(&transaction, context.tenant).await?;
        let relation = match id {
            None => {
                let added = add(&transaction, context, std::slice::from_ref(wanted)).await?;
                let first = added.into_iter().next();
                first.ok_or_else(|| Refusal::invalid("Nothing was associated"))?
            }
            Some(id) => change(&transaction, context, id, wanted).await?,
        };
        let jobs = [Some(relation.master_profile_id), relation.job_profile_id];
        for job in jobs.into_iter().flatten() {
            within_limits(&transaction, context, job).await?;
        }
        transaction.commit().await?;
        Ok(relation)
    })
    .await
}

async fn change(
    transaction: &Transaction,
    context: Context<'_>,
    id: AssociationId,
    wanted: &AssociationRequest,
) -> Result<Relation, Refusal> {
    let stored = of_id(transaction, context.tenant, id).await?;
    let stored = stored.ok_or_else(|| {
        let class = "class org.folio.rest.jaxrs.model.ProfileAssociation";
        Refusal::NotFound(format!("update:: {class} with id '{id}' was not found"))
    })?;
    exist(transaction, context, std::slice::from_ref(wanted)).await?;
    let mut wanted = wanted.clone();
    let stays = |profile: Option<ProfileId>, was: ProfileId, node: ProfileWrapperId| {
        (profile == Some(was)).then_some(node)
    };
    wanted.master_wrapper_id = wanted.master_wrapper_id.or_else(|| {
        let (was, node) = (stored.master_profile_id, stored.master_wrapper_id);
        stays(wanted.master_profile_id, was, node)
    });
    wanted.detail_wrapper_id = wanted.detail_wrapper_id.or_else(|| {
        let (was, node) = (stored.detail_profile_id, stored.detail_wrapper_id);
        stays(wanted.detail_profile_id, was, node)
    });
    let relation = resolved(transaction, context, &wanted, &mut HashMap::new()).await?;
    let relation = Relation { id, ..relation };
    store(transaction, context, &relation).await?;
    if leads_back(transaction, context.tenant, &[relation.master_wrapper_id]).await? {
        return Err(Refusal::invalid(BELOW_ITSELF));
    }
    if stored.detail_wrapper_id != relation.detail_wrapper_id {
        remove_stray(transaction, context.tenant, stored.detail_wrapper_id).await?;
    }
    Ok(relation)
}

/// Removes an association, below a match with everything under it; returns whether there was one.
#[boxed]
pub async fn remove_association(context: Context<'_>, id: AssociationId) -> Result<bool, Refusal> {
    retried(|| async {
        let transaction = context.store.database.transaction().await?;
        hold(&transaction, context.tenant).await?;
        let was = remove(&transaction, context.tenant, id).await?;
        transaction.commit().await?;
        Ok(was)
    })
    .await
}
