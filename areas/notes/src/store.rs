//! The statements of this area: notes with the names of their type and author, types with their usage,
//! links. Users' names are read from the table of users.

use octavo_records::expression::key;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Executor, Index, Stamp, StoreError, Tables, Tenant};
use serde_json::json;
use uuid::Uuid;

/// A record that notes are linked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linked<'a> {
    /// Its type, `user`.
    pub kind: &'a str,
    /// Its id; any text, for not all records have a UUID.
    pub id: &'a str,
}

/// Notes whose link to a record changes; the lists are disjoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkChanges {
    /// Those that are linked afterwards.
    pub assigned: Vec<Uuid>,
    /// Those that are not.
    pub unassigned: Vec<Uuid>,
}

/// The view of a note: with the name of its type. Rows are `page(jsonb, typeid)`.
fn note_view(schema: &str) -> String {
    // Notes stored by older releases may lack the pop-up flags.
    format!(
        "jsonb_build_object('popUpOnCheckOut', false, 'popUpOnUser', false) || page.jsonb \
         || jsonb_build_object('type', (SELECT type.jsonb->'name' \
         FROM {schema}.note_type AS type WHERE type.id = page.typeid))"
    )
}

/// The view of a single note: with the names of its author and editor. Rows are `page(jsonb, typeid)`.
fn whole_note_view(schema: &str) -> String {
    let named = |change: &str| {
        format!(
            "coalesce((SELECT jsonb_strip_nulls(jsonb_build_object(\
             '{change}ByUsername', person.jsonb->'username', '{change}By', \
             CASE WHEN person.jsonb ? 'personal' THEN jsonb_build_object(\
             'lastName', person.jsonb->'personal'->'lastName', \
             'firstName', person.jsonb->'personal'->'firstName', \
             'middleName', person.jsonb->'personal'->'middleName') END)) \
             FROM {schema}.users AS person \
             WHERE person.id = (page.jsonb->'metadata'->>'{change}ByUserId')::uuid), '{{}}')"
        )
    };
    format!(
        "{} || jsonb_build_object('metadata', coalesce(page.jsonb->'metadata', '{{}}') || {} || {})",
        note_view(schema),
        named("created"),
        named("updated")
    )
}

/// The view of a type: with whether notes use it. Rows are `page(id, jsonb)`.
fn type_view(schema: &str) -> String {
    format!(
        "page.jsonb || jsonb_build_object('usage', jsonb_build_object('isAssigned', \
         EXISTS (SELECT 1 FROM {schema}.note WHERE note.typeid = page.id)))"
    )
}

/// The name of a note's type, folded, for ordering. Rows are `note(typeid)`.
#[must_use]
pub fn folded_type_name(schema: &str) -> String {
    format!(
        "(SELECT lower(public.f_unaccent(type.jsonb->>'name')) \
         FROM {schema}.note_type AS type WHERE type.id = typeid) COLLATE \"C\""
    )
}

/// A page of notes.
#[must_use]
pub fn notes(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let schema = tables.tenant.schema();
    shown(
        &note_view(schema),
        Sql::select("jsonb, typeid", schema, "note", plan, limit, offset),
    )
}

/// A page of note types.
#[must_use]
pub fn note_types(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let schema = tables.tenant.schema();
    shown(
        &type_view(schema),
        Sql::select("id, jsonb", schema, "note_type", plan, limit, offset),
    )
}

fn shown(view: &str, page: Sql) -> Sql {
    page.within(|page| format!("SELECT {view} AS jsonb FROM ({page}) AS page"))
}

/// Notes with who wrote and changed them.
#[must_use]
pub fn whole_note(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let schema = tables.tenant.schema();
    shown(
        &whole_note_view(schema),
        Sql::select("jsonb, typeid", schema, "note", plan, limit, offset),
    )
}

/// Takes the lock on the list of note types until the transaction ends.
pub async fn hold_note_types(executor: &dyn Executor, tenant: &Tenant) -> Result<(), StoreError> {
    let table = format!("{}.note_type", tenant.schema());
    let sql = format!("LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE");
    executor.rows(&sql, &[]).await?;
    Ok(())
}

/// The number of note types.
pub async fn count_note_types(executor: &dyn Executor, tenant: &Tenant) -> Result<i64, StoreError> {
    let sql = format!("SELECT count(*) FROM {}.note_type", tenant.schema());
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}

/// The configured limit of note types as text, also of a disabled entry.
pub async fn configured_limit(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'value' AS value FROM {}.config_data \
         WHERE {} = 'note-type-limit' AND lower(jsonb->>'module') = 'notes' ORDER BY id LIMIT 1",
        tenant.schema(),
        key(&Index::like("configName").keep_accents()),
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().and_then(|row| row.get("value")))
}

/// Changes links in one statement. A note without links left is deleted.
pub async fn change_links(
    executor: &dyn Executor,
    tenant: &Tenant,
    record: &Linked<'_>,
    changes: &LinkChanges,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let table = format!("{}.note", tenant.schema());
    // The links of a note other than the one in $3.
    let others = "(SELECT jsonb_agg(link ORDER BY at) \
                  FROM jsonb_array_elements(coalesce(jsonb->'links', '[]')) \
                  WITH ORDINALITY AS _(link, at) WHERE NOT link @> ($3::jsonb->0))";
    let stamped = "'metadata', coalesce(jsonb->'metadata', '{}') || $4::jsonb";
    let sql = format!(
        "WITH assigned AS (UPDATE {table} SET jsonb = jsonb || jsonb_build_object(\
         'links', coalesce(jsonb->'links', '[]') || $3::jsonb, {stamped}) \
         WHERE id = ANY($1) AND (jsonb->'links' @> $3::jsonb) IS NOT TRUE), \
         unassigned AS (UPDATE {table} SET jsonb = jsonb || jsonb_build_object(\
         'links', {others}, {stamped}) \
         WHERE id = ANY($2) AND jsonb->'links' @> $3::jsonb AND {others} IS NOT NULL) \
         DELETE FROM {table} WHERE id = ANY($2) AND {others} IS NULL"
    );
    let link = json!([{"id": record.id, "type": record.kind}]);
    let updated = stamp.updated();
    executor
        .rows(
            &sql,
            &[&changes.assigned, &changes.unassigned, &link, &updated],
        )
        .await?;
    Ok(())
}
