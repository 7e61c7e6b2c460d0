//! Composite users, composed by the database in one statement for one user or a page.

use octavo_records::plan::{Plan, Sql};
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;
use crate::rules::parts::Parts;

/// Sponsors and proxies of one user that are shown at most.
const PROXIES_MAX: u32 = 1_000;

/// FOLIO's forms of a composite user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In a list, with the user under `users` too.
    Listed,
    /// Alone.
    Single,
    /// In the response of a log-in, with the whole permission user.
    LoggedIn,
}

/// A user of a remote module. It has no `Debug`: users belong in no log.
#[derive(Clone)]
pub struct ForeignUser {
    /// The user's id.
    pub id: Uuid,
    /// The user's patron group.
    pub patron_group: Option<Uuid>,
    /// The record.
    pub document: Value,
}

/// A page of users.
#[must_use]
pub fn page(tables: Tables<'_>, parts: Parts, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let (schema, view) = (tables.tenant.schema(), view(tables, parts, Form::Listed));
    let columns = "id, patrongroup, jsonb";
    Sql::select(columns, schema, "users", plan, limit, offset)
        .within(|page| format!("SELECT {view} AS jsonb FROM ({page}) AS page"))
}

/// One user by id.
pub async fn by_id(
    executor: &dyn Executor,
    tables: Tables<'_>,
    parts: Parts,
    form: Form,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT {} AS jsonb FROM {} AS page WHERE page.id = $1",
        view(tables, parts, form),
        tables.table("users")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

/// One user by name, folded as names are.
pub async fn by_username(
    executor: &dyn Executor,
    tables: Tables<'_>,
    parts: Parts,
    form: Form,
    username: &str,
) -> Result<Option<Value>, StoreError> {
    let users = tables.table("users");
    let sql = format!(
        "SELECT {} AS jsonb FROM (SELECT id, patrongroup, jsonb FROM {users} WHERE {}) AS page",
        view(tables, parts, form),
        tables.equals("users", "username", "$1::text")
    );
    let rows = executor.rows(&sql, &[&username]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

/// Users of a remote module with our parts of them, in their order.
pub async fn of_given(
    executor: &dyn Executor,
    tables: Tables<'_>,
    parts: Parts,
    form: Form,
    users: &[ForeignUser],
) -> Result<Vec<Value>, StoreError> {
    let ids: Vec<Uuid> = users.iter().map(|user| user.id).collect();
    let groups: Vec<Option<Uuid>> = users.iter().map(|user| user.patron_group).collect();
    let documents: Vec<&Value> = users.iter().map(|user| &user.document).collect();
    let sql = format!(
        "SELECT {} AS jsonb FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[]) WITH ORDINALITY \
         AS page(id, patrongroup, jsonb, at) ORDER BY page.at",
        view(tables, parts, form)
    );
    let rows = executor.rows(&sql, &[&ids, &groups, &documents]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}

/// The composite of a row `page(id, patrongroup, jsonb)`. Each part is a look-up by an index. Small
/// objects are concatenated before the large one, since each `||` copies both operands.
fn view(tables: Tables<'_>, parts: Parts, form: Form) -> String {
    let mut view = match form {
        Form::Listed => "jsonb_build_object('user', page.jsonb, 'users', page.jsonb)".to_owned(),
        Form::Single | Form::LoggedIn => "jsonb_build_object('user', page.jsonb)".to_owned(),
    };
    if parts.groups {
        view.push_str(&format!(
            " || coalesce((SELECT jsonb_build_object('patronGroup', jsonb) FROM {} \
             WHERE id = page.patrongroup), '{{}}')",
            tables.table("groups")
        ));
    }
    if parts.permissions {
        let permissions = permissions(tables, parts, form);
        view.push_str(&format!(
            " || jsonb_build_object('permissions', {permissions})"
        ));
    } else if form == Form::Single {
        view.push_str(" || '{\"permissions\": {\"permissions\": []}}'");
    }
    if parts.proxies {
        view.push_str(&format!(
            " || coalesce((SELECT jsonb_build_object('proxiesFor', jsonb_agg(jsonb ORDER BY id)) \
             FROM (SELECT id, jsonb FROM {} WHERE {} LIMIT {PROXIES_MAX}) AS proxies \
             HAVING count(*) > 0), '{{}}')",
            tables.table("proxyfor"),
            tables.equals("proxyfor", "userId", "page.id::text")
        ));
    }
    if parts.service_points {
        view.push_str(&service_points(tables));
    }
    view
}

fn permissions(tables: Tables<'_>, parts: Parts, form: Form) -> String {
    let users = tables.table("permissions_users");
    let mine = tables.equals("permissions_users", "userId", "page.id::text");
    let names = format!("coalesce((SELECT jsonb->'permissions' FROM {users} WHERE {mine}), '[]')");
    match (parts.expanded, form) {
        (false, Form::LoggedIn) => {
            format!("coalesce((SELECT jsonb FROM {users} WHERE {mine}), '{{\"permissions\": []}}')")
        }
        (false, _) => format!("jsonb_build_object('permissions', {names})"),
        (true, Form::LoggedIn) => format!(
            "jsonb_build_object('permissions', {expanded}) || coalesce((SELECT \
             jsonb_build_object('userId', id) FROM {users} WHERE {mine}), '{{}}')",
            expanded = expanded(tables, &names)
        ),
        (true, _) => format!(
            "jsonb_build_object('permissions', {})",
            expanded(tables, &names)
        ),
    }
}

/// The permissions of a list expanded to records, each visited once; an undefined one is shown by its
/// name. The permission for everything expands to all defined ones.
fn expanded(tables: Tables<'_>, names: &str) -> String {
    let defined = tables.table("permissions");
    let by_name = tables.equals("permissions", "permissionName", "granted.name");
    let everything = octavo_platform::identity::ALL_PERMISSIONS;
    format!(
        "(WITH RECURSIVE granted(name) AS (
           SELECT jsonb_array_elements_text({names})
           UNION
           SELECT part.name FROM granted CROSS JOIN LATERAL
             (SELECT jsonb FROM {defined} WHERE {by_name}) AS held
             CROSS JOIN LATERAL jsonb_array_elements_text(
               CASE jsonb_typeof(held.jsonb->'subPermissions') WHEN 'array'
                 THEN held.jsonb->'subPermissions' ELSE '[]' END) AS part(name)
         ), shown(name, record) AS (
           SELECT granted.name, coalesce((SELECT jsonb FROM {defined} WHERE {by_name}),
             jsonb_build_object('permissionName', granted.name)) FROM granted
           UNION
           SELECT jsonb->>'permissionName', jsonb FROM {defined}
           WHERE EXISTS (SELECT FROM granted WHERE name = '{everything}')
         )
         SELECT coalesce(jsonb_agg(record ORDER BY name COLLATE \"C\"), '[]') FROM shown)"
    )
}

/// The user's service points, spelled out in the order of the user's list.
fn service_points(tables: Tables<'_>) -> String {
    format!(
        " || coalesce((SELECT jsonb_build_object('servicePointsUser', mine.jsonb ||
           jsonb_build_object('servicePoints', coalesce((
             SELECT jsonb_agg(point.jsonb ORDER BY wanted.at) FROM (
               SELECT named.id::uuid AS id, min(named.at) AS at FROM (
                 SELECT id, at FROM jsonb_array_elements_text(
                   coalesce(mine.jsonb->'servicePointsIds', '[]')) WITH ORDINALITY AS _(id, at)
                 UNION ALL SELECT mine.jsonb->>'defaultServicePointId', 1000000) AS named
               WHERE named.id IS NOT NULL GROUP BY 1) AS wanted
             JOIN {points} AS point ON point.id = wanted.id), '[]')))
           FROM (SELECT jsonb FROM {users} WHERE {by_user}) AS mine), '{{}}')",
        points = tables.table("service_point"),
        users = tables.table("service_point_user"),
        by_user = tables.equals("service_point_user", "userId", "page.id::text")
    )
}
