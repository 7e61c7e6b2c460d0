//! The profiles directly above and below one, as FOLIO includes them.

use octavo_library::ProfileId;
use octavo_records::plan::{Parameter, Plan, Sql};
use octavo_records::{Store, StoreError, Tenant};
use serde_json::Value;

use super::content;
use crate::kind::ProfileKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the profiles below.
    Details,
    /// To the profiles above.
    Masters,
}

impl Direction {
    /// The kinds of profiles in that direction.
    #[must_use]
    pub fn kinds(self) -> [ProfileKind; 3] {
        match self {
            Direction::Details => [
                ProfileKind::Match,
                ProfileKind::Action,
                ProfileKind::Mapping,
            ],
            Direction::Masters => [ProfileKind::Job, ProfileKind::Match, ProfileKind::Action],
        }
    }
}

/// The neighbours of a profile: `(id, kind, wrapper, place, added)`. A job's include the actions below
/// its matches, as in FOLIO.
fn neighbours(schema: &str, direction: Direction, id: &str) -> String {
    let edges = format!("{schema}.profile_associations AS edge");
    let of_job = "edge.master_profile_type = 'MATCH_PROFILE' \
                  AND edge.detail_profile_type = 'ACTION_PROFILE'";
    match direction {
        Direction::Details => format!(
            "SELECT edge.detail_profile_id AS id, edge.detail_profile_type AS kind, \
             edge.detail_wrapper_id AS wrapper, edge.detail_order AS place, edge.added FROM {edges} \
             WHERE edge.master_profile_id = {id} \
             UNION ALL SELECT edge.detail_profile_id, edge.detail_profile_type, \
             edge.detail_wrapper_id, 0, edge.added FROM {edges} \
             WHERE edge.job_profile_id = {id} AND {of_job}"
        ),
        Direction::Masters => format!(
            "SELECT edge.master_profile_id AS id, edge.master_profile_type AS kind, \
             NULL::uuid AS wrapper, edge.detail_order AS place, edge.added FROM {edges} \
             WHERE edge.detail_profile_id = {id} \
             UNION ALL SELECT edge.job_profile_id, 'JOB_PROFILE', NULL, 0, edge.added FROM {edges} \
             WHERE edge.detail_profile_id = {id} AND edge.job_profile_id IS NOT NULL AND {of_job}"
        ),
    }
}

/// A neighbour as FOLIO's `profileSnapshotWrapper`. Rows are `found`.
fn shown(content: &str) -> String {
    format!(
        "jsonb_build_object('id', found.id, 'contentType', found.kind, 'content', {content}, \
         'order', 0, 'childSnapshotWrappers', '[]'::jsonb) || CASE WHEN found.wrapper IS NULL \
         THEN '{{}}'::jsonb ELSE jsonb_build_object('profileWrapperId', found.wrapper) END"
    )
}

/// Maximal number of included neighbours; FOLIO's figure.
const BESIDE_MAX: usize = 999;

/// A profile with those above and below it. Rows are `page(id, jsonb)`.
fn with_relations(schema: &str) -> String {
    let list = |direction| {
        let content = content(schema, "found.kind", "found.id");
        format!(
            "coalesce((SELECT jsonb_agg({} ORDER BY found.place, found.added) FROM (\
             SELECT * FROM ({}) AS all_of_them LIMIT {BESIDE_MAX}) AS found), '[]')",
            shown(&content),
            neighbours(schema, direction, "page.id")
        )
    };
    format!(
        "page.jsonb || jsonb_build_object('childProfiles', {}, 'parentProfiles', {})",
        list(Direction::Details),
        list(Direction::Masters)
    )
}

/// A page of profiles, each with those above and below it.
#[must_use]
pub fn page_with_relations(
    schema: &str,
    kind: ProfileKind,
    plan: &Plan,
    (limit, offset): (i64, i64),
) -> Sql {
    let page = Sql::select("id, jsonb", schema, kind.table(), plan, limit, offset);
    page.within(|page| {
        format!(
            "SELECT {} AS jsonb FROM ({page}) AS page",
            with_relations(schema)
        )
    })
}

/// The statement of one profile with those above and below it.
#[must_use]
pub fn one_with_relations(schema: &str, kind: ProfileKind) -> String {
    format!(
        "SELECT {} AS jsonb FROM (SELECT id, jsonb FROM {schema}.{} WHERE id = $1) AS page",
        with_relations(schema),
        kind.table()
    )
}

/// The neighbours of one kind that a query finds, the first `most`.
pub async fn of_kind(
    store: &Store,
    tenant: &Tenant,
    (direction, profile_id): (Direction, ProfileId),
    kind: ProfileKind,
    query: Option<&str>,
    most: i64,
) -> Result<Vec<Value>, StoreError> {
    let schema = tenant.schema();
    let collection = store
        .catalog
        .get(kind.table())
        .expect("invariant: a table of this area");
    let plan: Plan = store.plan(tenant, collection, query)?;
    let mut sql = Sql::default();
    let neighbours = neighbours(schema, direction, "(SELECT id FROM asked)");
    sql.push("WITH asked(id) AS (SELECT ");
    sql.bind(Parameter::Id(profile_id.uuid()), "uuid");
    sql.push(&format!(
        ") SELECT {} AS shown FROM ({neighbours}) AS found \
         JOIN (SELECT id AS profile_id, jsonb FROM {schema}.{}",
        shown("page.jsonb"),
        kind.table()
    ));
    sql.filter(schema, &plan.predicate);
    sql.push(&format!(
        ") AS page ON page.profile_id = found.id WHERE found.kind = '{}' ORDER BY ",
        kind.name()
    ));
    for term in &plan.sort {
        sql.push(&term.expression);
        sql.push(if term.descending { " DESC, " } else { ", " });
    }
    sql.push("found.place, found.added LIMIT ");
    sql.bind(Parameter::Integer(most), "bigint");
    let rows = store.database.query(&sql.text, &sql.bound()).await?;
    Ok(rows.iter().map(|row| row.get("shown")).collect())
}
