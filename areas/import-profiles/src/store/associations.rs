//! Nodes and edges of trees.

use octavo_library::{AssociationId, ProfileId, ProfileWrapperId};
use octavo_postgres::{Row, ToSql};
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

use crate::kind::{ProfileKind, ReactTo};
use crate::relation::{AssociationRequest, Relation};

const COLUMNS: &str = "id, master_profile_id, detail_profile_id, master_profile_type, \
                       detail_profile_type, master_wrapper_id, detail_wrapper_id, job_profile_id, \
                       detail_order, react_to";

fn relation(row: &Row) -> Option<Relation> {
    Some(Relation {
        id: row.get("id"),
        master_profile_id: row.get("master_profile_id"),
        detail_profile_id: row.get("detail_profile_id"),
        master: ProfileKind::named(row.get("master_profile_type"))?,
        detail: ProfileKind::named(row.get("detail_profile_type"))?,
        master_wrapper_id: row.get("master_wrapper_id"),
        detail_wrapper_id: row.get("detail_wrapper_id"),
        job_profile_id: row.get("job_profile_id"),
        order: row.get("detail_order"),
        react_to: row
            .get::<_, Option<&str>>("react_to")
            .and_then(ReactTo::named),
    })
}

pub async fn of_id(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: AssociationId,
) -> Result<Option<Relation>, StoreError> {
    let schema = tenant.schema();
    let sql = format!("SELECT {COLUMNS} FROM {schema}.profile_associations WHERE id = $1");
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().and_then(relation))
}

/// Maximal number of listed associations.
pub const LISTED_MAX: i64 = 10_000;

/// The associations between profiles of two kinds, the oldest first.
pub async fn of_kinds(
    executor: &dyn Executor,
    tenant: &Tenant,
    master: ProfileKind,
    detail: ProfileKind,
) -> Result<Vec<Relation>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {}.profile_associations WHERE master_profile_type = $1 \
         AND detail_profile_type = $2 ORDER BY added LIMIT {LISTED_MAX}",
        tenant.schema()
    );
    let rows = executor
        .rows(&sql, &[&master.name(), &detail.name()])
        .await?;
    Ok(rows.iter().filter_map(relation).collect())
}

/// The associations of a profile's tree, without the profiles: as [`super::tree::tree`].
pub async fn below(
    executor: &dyn Executor,
    tenant: &Tenant,
    kind: ProfileKind,
    profile_id: ProfileId,
    job_profile_id: Option<ProfileId>,
) -> Result<Vec<Relation>, StoreError> {
    let schema = tenant.schema();
    let rooted = "edge.job_profile_id IS NOT DISTINCT FROM \
                  CASE WHEN edge.master_profile_type = 'MATCH_PROFILE' THEN $2::uuid END";
    let columns: Vec<String> = COLUMNS
        .split(", ")
        .map(|column| format!("edge.{}", column.trim()))
        .collect();
    let sql = format!(
        "WITH RECURSIVE node(id) AS (\
         SELECT id FROM {schema}.profile_wrappers WHERE profile_id = $1 AND profile_type = $3 \
         AND profile_type <> 'MATCH_PROFILE' \
         UNION SELECT edge.detail_wrapper_id FROM node \
         JOIN {schema}.profile_associations AS edge ON edge.master_wrapper_id = node.id AND {rooted}) \
         SELECT {} FROM node JOIN {schema}.profile_associations AS edge \
         ON edge.master_wrapper_id = node.id AND {rooted} ORDER BY edge.detail_order, edge.added \
         LIMIT {LISTED_MAX}",
        columns.join(", ")
    );
    let rows = executor
        .rows(&sql, &[&profile_id, &job_profile_id, &kind.name()])
        .await?;
    Ok(rows.iter().filter_map(relation).collect())
}

/// Whether a profile is below another.
pub async fn is_detail(
    executor: &dyn Executor,
    tenant: &Tenant,
    profile_id: ProfileId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {}.profile_associations WHERE detail_profile_id = $1 LIMIT 1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&profile_id]).await?.is_empty())
}

/// The node of a profile that is one node in all trees.
pub async fn the_node_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    kind: ProfileKind,
    profile_id: ProfileId,
) -> Result<Option<ProfileWrapperId>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.profile_wrappers WHERE profile_id = $1 AND profile_type = $2 LIMIT 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&profile_id, &kind.name()]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// The profile of a node.
pub async fn profile_at(
    executor: &dyn Executor,
    tenant: &Tenant,
    wrapper_id: ProfileWrapperId,
) -> Result<Option<ProfileId>, StoreError> {
    let sql = format!(
        "SELECT profile_id FROM {}.profile_wrappers WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&wrapper_id]).await?;
    Ok(rows.first().map(|row| row.get("profile_id")))
}

/// Creates a node for a profile.
pub async fn add_node(
    executor: &dyn Executor,
    tenant: &Tenant,
    kind: ProfileKind,
    profile_id: ProfileId,
) -> Result<ProfileWrapperId, StoreError> {
    let id = ProfileWrapperId::from(Uuid::new_v4());
    let sql = format!(
        "INSERT INTO {}.profile_wrappers (id, profile_type, profile_id) VALUES ($1, $2, $3)",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&id, &kind.name(), &profile_id])
        .await?;
    Ok(id)
}

/// Creates or replaces an association; returns false when an equal one exists at the same place.
pub async fn put(
    executor: &dyn Executor,
    tenant: &Tenant,
    relation: &Relation,
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH taken AS (SELECT 1 FROM {schema}.profile_associations WHERE id <> $1 \
         AND master_wrapper_id = $6 AND detail_wrapper_id = $7 \
         AND job_profile_id IS NOT DISTINCT FROM $8 AND detail_order = $9 \
         AND react_to IS NOT DISTINCT FROM $10) \
         INSERT INTO {schema}.profile_associations ({COLUMNS}) \
         SELECT $1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::uuid, $7::uuid, $8::uuid, \
         $9::integer, $10::text WHERE NOT EXISTS (SELECT 1 FROM taken) \
         ON CONFLICT (id) DO UPDATE SET master_profile_id = excluded.master_profile_id, \
         detail_profile_id = excluded.detail_profile_id, \
         master_profile_type = excluded.master_profile_type, \
         detail_profile_type = excluded.detail_profile_type, \
         master_wrapper_id = excluded.master_wrapper_id, \
         detail_wrapper_id = excluded.detail_wrapper_id, \
         job_profile_id = excluded.job_profile_id, detail_order = excluded.detail_order, \
         react_to = excluded.react_to RETURNING 1"
    );
    let (master, detail) = (relation.master.name(), relation.detail.name());
    let react_to = relation.react_to.map(ReactTo::name);
    let values: [&(dyn ToSql + Sync); 10] = [
        &relation.id,
        &relation.master_profile_id,
        &relation.detail_profile_id,
        &master,
        &detail,
        &relation.master_wrapper_id,
        &relation.detail_wrapper_id,
        &relation.job_profile_id,
        &relation.order,
        &react_to,
    ];
    Ok(!executor.rows(&sql, &values).await?.is_empty())
}

/// Whether one of these nodes is in a cycle.
pub async fn leads_back(
    executor: &dyn Executor,
    tenant: &Tenant,
    wrapper_ids: &[ProfileWrapperId],
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH RECURSIVE below(start, id) AS (\
         SELECT edge.master_wrapper_id, edge.detail_wrapper_id FROM {schema}.profile_associations AS edge \
         WHERE edge.master_wrapper_id = ANY($1) \
         UNION SELECT below.start, edge.detail_wrapper_id FROM below \
         JOIN {schema}.profile_associations AS edge ON edge.master_wrapper_id = below.id) \
         SELECT 1 FROM below WHERE start = id LIMIT 1"
    );
    Ok(!executor.rows(&sql, &[&wrapper_ids]).await?.is_empty())
}

/// Removes an association; returns whether there was one.
pub async fn remove(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: AssociationId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "DELETE FROM {}.profile_associations WHERE id = $1 RETURNING 1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&id]).await?.is_empty())
}

/// Removes the node of a match or a mapping that no association leads to any more.
pub async fn remove_stray(
    executor: &dyn Executor,
    tenant: &Tenant,
    wrapper_id: ProfileWrapperId,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "DELETE FROM {schema}.profile_wrappers WHERE id = $1 \
         AND profile_type IN ('MATCH_PROFILE', 'MAPPING_PROFILE') AND NOT EXISTS (\
         SELECT 1 FROM {schema}.profile_associations WHERE detail_wrapper_id = $1)"
    );
    executor.rows(&sql, &[&wrapper_id]).await?;
    Ok(())
}

/// Removes the mapping of an action.
pub async fn remove_mappings(
    executor: &dyn Executor,
    tenant: &Tenant,
    action_profile_id: ProfileId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.profile_associations WHERE master_profile_id = $1 \
         AND master_profile_type = 'ACTION_PROFILE' AND detail_profile_type = 'MAPPING_PROFILE'",
        tenant.schema()
    );
    executor.rows(&sql, &[&action_profile_id]).await?;
    Ok(())
}

/// Removes the associations that a client lists: the mapping of an action by its profiles, everything
/// else by nodes and position. A missing one is no error.
pub async fn remove_unwanted(
    executor: &dyn Executor,
    tenant: &Tenant,
    unwanted: &AssociationRequest,
) -> Result<(), StoreError> {
    let table = format!("{}.profile_associations", tenant.schema());
    if (unwanted.master, unwanted.detail) == (Some(ProfileKind::Action), Some(ProfileKind::Mapping))
    {
        let sql =
            format!("DELETE FROM {table} WHERE master_profile_id = $1 AND detail_profile_id = $2");
        let ids: [&(dyn ToSql + Sync); 2] =
            [&unwanted.master_profile_id, &unwanted.detail_profile_id];
        executor.rows(&sql, &ids).await?;
        return Ok(());
    }
    let sql = format!(
        "DELETE FROM {table} WHERE master_wrapper_id = $1 AND detail_wrapper_id = $2 \
         AND detail_order = $3 AND (job_profile_id = $4 OR job_profile_id IS NULL) \
         AND ($5::text IS NULL OR react_to = $5)"
    );
    let react_to = unwanted.react_to.map(ReactTo::name);
    let values: [&(dyn ToSql + Sync); 5] = [
        &unwanted.master_wrapper_id,
        &unwanted.detail_wrapper_id,
        &unwanted.order,
        &unwanted.job_profile_id,
        &react_to,
    ];
    executor.rows(&sql, &values).await?;
    Ok(())
}

/// The actions of a mapping.
pub async fn actions_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    mapping_profile_id: ProfileId,
) -> Result<Vec<ProfileId>, StoreError> {
    let sql = format!(
        "SELECT DISTINCT master_profile_id FROM {}.profile_associations WHERE detail_profile_id = $1 \
         AND master_profile_type = 'ACTION_PROFILE' AND detail_profile_type = 'MAPPING_PROFILE'",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&mapping_profile_id]).await?;
    Ok(rows
        .iter()
        .map(|row| row.get("master_profile_id"))
        .collect())
}
