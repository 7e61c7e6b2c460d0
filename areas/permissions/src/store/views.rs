//! Permissions as clients see them: with `grantedTo`, which is computed and not stored (else assigning a
//! permission would rewrite its definition each time), and with their parts.

use bytes::Bytes;
use octavo_platform::identity::ALL_PERMISSIONS;
use octavo_postgres::RawJson;
use octavo_records::expression::{folded, quote};
use octavo_records::plan::{Plan, Predicate, Sql, TextMatch, WordMatch};
use octavo_records::{Executor, Index, IndexKind, StoreError, Tenant};

use super::{Holder, NAME, parts_of_granted};

/// How the parts of a set are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    Names,
    /// The names of all parts of parts.
    All,
    /// The definitions of the parts.
    Definitions,
}

/// How a user's permissions are shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// With all parts of sets.
    pub expanded: bool,
    /// As definitions, not as names.
    pub full: bool,
}

/// The definition in the row `of`, with the ids of the permission users who hold it.
fn definition(schema: &str, of: &str) -> String {
    format!(
        "{of}.jsonb || jsonb_build_object('grantedTo', {})",
        granted_to(schema, of)
    )
}

fn granted_to(schema: &str, of: &str) -> String {
    format!(
        "(SELECT coalesce(jsonb_agg(holder.id ORDER BY holder.id), '[]') \
         FROM (SELECT id FROM {schema}.permissions_users \
           WHERE jsonb->'permissions' ? ({of}.jsonb->>'permissionName')) AS holder)"
    )
}

/// The array `parts` if it is one.
fn array(parts: &str) -> String {
    format!("CASE jsonb_typeof({parts}) WHEN 'array' THEN {parts} ELSE '[]' END")
}

/// A page of permissions.
#[must_use]
pub fn permissions(schema: &str, plan: &Plan, parts: Parts, limit: i64, offset: i64) -> Sql {
    let names = array("page.jsonb->'subPermissions'");
    let shown = match parts {
        Parts::Names => None,
        Parts::All => Some(format!(
            "(WITH RECURSIVE granted(name) AS (\
               SELECT jsonb_array_elements_text({names}) UNION {}) \
             SELECT coalesce(jsonb_agg(name ORDER BY name COLLATE \"C\"), '[]') FROM granted)",
            parts_of_granted(schema)
        )),
        // `OFFSET 0` makes the planner look up each name instead of scanning all definitions.
        Parts::Definitions => Some(format!(
            "(SELECT coalesce(jsonb_agg({} ORDER BY named.at), '[]') \
             FROM jsonb_array_elements_text({names}) WITH ORDINALITY AS named(name, at) \
             CROSS JOIN LATERAL (SELECT jsonb FROM {schema}.permissions \
               WHERE {NAME} = named.name OFFSET 0) AS part)",
            definition(schema, "part")
        )),
    };
    let mut columns = definition(schema, "page");
    if let Some(shown) = shown {
        columns.push_str(&format!(
            " || jsonb_build_object('subPermissions', {shown})"
        ));
    }
    let page = Sql::page(schema, "permissions", plan, limit, offset);
    page.within(|page| format!("SELECT {columns} AS jsonb FROM ({page}) AS page"))
}

pub async fn permission(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: uuid::Uuid,
) -> Result<Option<Bytes>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT {} AS jsonb FROM {schema}.permissions AS page WHERE id = $1",
        definition(schema, "page")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(bytes))
}

fn bytes(row: &octavo_postgres::Row) -> Bytes {
    Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)
}

/// A permission user; `None` when there is none.
pub async fn holder(
    executor: &dyn Executor,
    tenant: &Tenant,
    holder: &Holder,
) -> Result<Option<Bytes>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {}.permissions_users WHERE {}",
        tenant.schema(),
        holder.condition()
    );
    let rows = executor.rows(&sql, &[&holder.value()]).await?;
    Ok(rows.first().map(bytes))
}

/// The permissions of a permission user, `{"permissionNames": […], "totalRecords": n}`; `None` when
/// there is none. [`ALL_PERMISSIONS`] expands to all defined permissions.
pub async fn held(
    executor: &dyn Executor,
    tenant: &Tenant,
    holder: &Holder,
    shown: Shown,
) -> Result<Option<Bytes>, StoreError> {
    let schema = tenant.schema();
    let given = format!(
        "jsonb_array_elements_text((SELECT {} FROM holder))",
        array("permissions")
    );
    let (granted, named) = match shown.expanded {
        false => (
            String::new(),
            format!(
                "SELECT name, min(at) AS at FROM {given} WITH ORDINALITY AS one(name, at) \
                 GROUP BY name"
            ),
        ),
        true => (
            format!(
                "granted(name) AS (SELECT {given} UNION {}), ",
                parts_of_granted(schema)
            ),
            format!(
                "SELECT name, row_number() OVER (ORDER BY name COLLATE \"C\") AS at FROM (\
                   SELECT name FROM granted UNION \
                   SELECT jsonb->>'permissionName' FROM {schema}.permissions \
                   WHERE (jsonb->>'dummy')::boolean IS NOT TRUE AND jsonb ? 'permissionName' \
                     AND EXISTS (SELECT FROM granted WHERE name = {})) AS every",
                quote(ALL_PERMISSIONS)
            ),
        ),
    };
    let (one, from) = match shown.full {
        false => ("to_jsonb(named.name)".to_owned(), "named".to_owned()),
        // `OFFSET 0` as above.
        true => (
            definition(schema, "page"),
            format!(
                "named CROSS JOIN LATERAL (SELECT jsonb FROM {schema}.permissions \
                 WHERE {NAME} = named.name OFFSET 0) AS page"
            ),
        ),
    };
    let sql = format!(
        "WITH RECURSIVE holder AS (\
           SELECT jsonb->'permissions' AS permissions FROM {schema}.permissions_users WHERE {}), \
         {granted}named AS ({named}) \
         SELECT (SELECT jsonb_build_object(\
             'permissionNames', coalesce(jsonb_agg({one} ORDER BY named.at), '[]'), \
             'totalRecords', count(*)) FROM {from}) AS jsonb FROM holder",
        holder.condition()
    );
    let rows = executor.rows(&sql, &[&holder.value()]).await?;
    Ok(rows.first().map(bytes))
}

/// The names of the permissions that users of these names were given.
pub async fn owned_by(
    executor: &dyn Executor,
    tenant: &Tenant,
    usernames: &[String],
) -> Result<Vec<String>, StoreError> {
    let schema = tenant.schema();
    let username = folded(&Index::unique("username"));
    let sql = format!(
        "SELECT DISTINCT one.name FROM (SELECT id FROM {schema}.users \
           WHERE {username} = ANY(SELECT lower(public.f_unaccent(name)) \
             FROM unnest($1::text[]) AS wanted(name))) AS owner \
         JOIN {schema}.permissions_users AS holder \
           ON (holder.jsonb->>'userId') COLLATE \"C\" = owner.id::text \
         CROSS JOIN LATERAL jsonb_array_elements_text(holder.jsonb->'permissions') AS one(name)"
    );
    let rows = executor.rows(&sql, &[&usernames]).await?;
    Ok(rows.iter().map(|row| row.get("name")).collect())
}

/// Restricts to permissions that one of these sets contains.
#[must_use]
pub fn member_of(sets: &[String]) -> Predicate {
    let held = |set: &String| {
        Predicate::Contains(
            "(jsonb->'childOf')".to_owned(),
            serde_json::Value::from(set.as_str()).to_string(),
        )
    };
    Predicate::Any(sets.iter().map(held).collect())
}

/// Restricts to permissions of these names.
#[must_use]
pub fn named(names: Vec<String>) -> Predicate {
    let index = Index::unique("permissionName")
        .case_sensitive()
        .keep_accents();
    Predicate::TextIn(TextMatch::declared(index, "=", ""), names)
}

/// Turns conditions on `grantedTo`, which is not stored, into conditions on permission users.
#[must_use]
pub fn with_holders(schema: &str, predicate: Predicate) -> Predicate {
    const FIELD: &str = "grantedTo";
    let all = |parts: Vec<Predicate>| {
        let parts = parts.into_iter().map(|part| with_holders(schema, part));
        parts.collect()
    };
    let of_holders = |index: &Index, kind: IndexKind| {
        let mut index = index.clone();
        index.kind = kind;
        index.expression = Some(format!("{}::text", granted_to(schema, "permissions")));
        index
    };
    let text = |one: TextMatch| match one.index.field == FIELD {
        // Marked as served by an index, so that no index is advised for it.
        true => {
            let index = of_holders(&one.index, IndexKind::GinIndex);
            TextMatch::declared(index, one.operator, one.value)
        }
        false => one,
    };
    match predicate {
        Predicate::All(parts) => Predicate::All(all(parts)),
        Predicate::Any(parts) => Predicate::Any(all(parts)),
        Predicate::Except(wanted, unwanted) => Predicate::Except(
            Box::new(with_holders(schema, *wanted)),
            Box::new(with_holders(schema, *unwanted)),
        ),
        Predicate::Present(path) if path == FIELD => Predicate::Everything,
        Predicate::Readable(index) if index.field == FIELD => Predicate::Everything,
        Predicate::Text(one) => Predicate::Text(text(one)),
        Predicate::Like(one) => Predicate::Like(text(one)),
        Predicate::TextIn(one, values) if one.index.field == FIELD => {
            Predicate::TextIn(text(one), values)
        }
        Predicate::Words(words) if words.index.field == FIELD => Predicate::Words(WordMatch {
            index: Box::new(of_holders(&words.index, words.index.kind)),
            declared: true,
            ..words
        }),
        other => other,
    }
}
