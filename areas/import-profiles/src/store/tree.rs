//! Reads a tree in one statement: from the root's node down the associations, each by index.

use octavo_library::{ProfileId, ProfileWrapperId};
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;

use super::content;
use crate::kind::{ProfileKind, ReactTo};
use crate::tree::{Edge, NODES_MAX, Root};

/// Whether profiles are read, or only associations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// With the profiles.
    Whole,
    /// Only the associations.
    Form,
}

/// A profile and the associations below it, in the order of siblings; `None` when there is no such
/// profile. Associations below matches are read only for this job.
pub async fn tree(
    executor: &dyn Executor,
    tenant: &Tenant,
    kind: ProfileKind,
    profile_id: ProfileId,
    job_profile_id: Option<ProfileId>,
    reading: Reading,
) -> Result<Option<(Root, Vec<Edge>)>, StoreError> {
    let schema = tenant.schema();
    let (root_content, edge_content) = match reading {
        Reading::Whole => (
            "root.jsonb".to_owned(),
            content(schema, "edge.detail_profile_type", "edge.detail_profile_id"),
        ),
        Reading::Form => ("NULL::jsonb".to_owned(), "NULL::jsonb".to_owned()),
    };
    let rooted = "edge.job_profile_id IS NOT DISTINCT FROM \
                  CASE WHEN edge.master_profile_type = 'MATCH_PROFILE' THEN $2::uuid END";
    let sql = format!(
        "WITH RECURSIVE node(id) AS (\
         SELECT id FROM {schema}.profile_wrappers WHERE profile_id = $1 AND profile_type = $3 \
         AND profile_type <> 'MATCH_PROFILE' \
         UNION SELECT edge.detail_wrapper_id FROM node \
         JOIN {schema}.profile_associations AS edge ON edge.master_wrapper_id = node.id AND {rooted}) \
         SELECT NULL::uuid AS master_wrapper_id, \
         (SELECT id FROM {schema}.profile_wrappers WHERE profile_id = $1 \
         AND profile_type = $3 AND profile_type <> 'MATCH_PROFILE' LIMIT 1) AS detail_wrapper_id, \
         root.id AS detail_profile_id, $3::text AS detail_profile_type, 0 AS detail_order, \
         NULL::text AS react_to, {root_content} AS content, 0::bigint AS added \
         FROM {schema}.{} AS root WHERE root.id = $1 \
         UNION ALL (SELECT edge.master_wrapper_id, edge.detail_wrapper_id, edge.detail_profile_id, \
         edge.detail_profile_type, edge.detail_order, edge.react_to, {edge_content}, edge.added \
         FROM node JOIN {schema}.profile_associations AS edge ON edge.master_wrapper_id = node.id \
         AND {rooted} ORDER BY edge.detail_order, edge.added LIMIT {NODES_MAX})",
        kind.table()
    );
    let kind_name = kind.name();
    let rows = executor
        .rows(&sql, &[&profile_id, &job_profile_id, &kind_name])
        .await?;
    let mut root = None;
    let mut edges = Vec::with_capacity(rows.len());
    for row in &rows {
        let content = row.get::<_, Option<Value>>("content").unwrap_or_default();
        match row.get::<_, Option<ProfileWrapperId>>("master_wrapper_id") {
            None => {
                root = Some(Root {
                    profile_id,
                    kind,
                    wrapper_id: row.get("detail_wrapper_id"),
                    content,
                });
            }
            Some(master_wrapper_id) => {
                let Some(kind) = ProfileKind::named(row.get("detail_profile_type")) else {
                    continue;
                };
                edges.push(Edge {
                    master_wrapper_id,
                    detail_wrapper_id: row.get("detail_wrapper_id"),
                    profile_id: row.get("detail_profile_id"),
                    kind,
                    order: row.get("detail_order"),
                    react_to: row
                        .get::<_, Option<&str>>("react_to")
                        .and_then(ReactTo::named),
                    content,
                });
            }
        }
    }
    Ok(root.map(|root| (root, edges)))
}
