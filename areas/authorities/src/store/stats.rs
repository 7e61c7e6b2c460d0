//! What changed of authorities, for the report about headings.

use jiff::Timestamp;
use octavo_library::AuthorityId;
use octavo_records::{Executor, Stamp, StoreError, Tenant, instant};
use serde_json::Value;

use crate::rules::change::Change;

/// An instant as the database reads it.
pub(super) fn text(at: Option<Timestamp>) -> Option<String> {
    at.map(|at| at.to_string())
}

/// SQL of an instant in FOLIO's notation, to a microsecond: `next` of a page begins exactly there.
pub(super) fn shown(column: &str) -> String {
    format!("to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
}

/// Keeps what changed of an authority.
pub async fn add(
    executor: &dyn Executor,
    tenant: &Tenant,
    authority_id: AuthorityId,
    change: &Change,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let [old, new] = change.headings_before_and_after();
    let value = |one: Option<(&'static str, &str)>| {
        one.map(|(_, value)| value.to_owned())
            .filter(|value| !value.is_empty())
    };
    let tag = |one: Option<(&'static str, &str)>| one.map(|(tag, _)| tag);
    let sql = format!(
        "INSERT INTO {}.authority_data_stat (id, authority_id, action, natural_id_old, \
         natural_id_new, heading_old, heading_new, heading_type_old, heading_type_new, \
         source_file_old, source_file_new, started_by, started) \
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::text::timestamptz)",
        tenant.schema()
    );
    executor
        .rows(
            &sql,
            &[
                &authority_id,
                &change.action().name(),
                &change.natural_ids.0,
                &change.natural_ids.1,
                &value(old),
                &value(new),
                &tag(old),
                &tag(new),
                &change.source_files.0,
                &change.source_files.1,
                &stamp.user_id,
                &instant::format(stamp.at),
            ],
        )
        .await?;
    Ok(())
}

/// Forgets what changed of an authority that is deleted.
pub async fn forget(
    executor: &dyn Executor,
    tenant: &Tenant,
    authority_id: AuthorityId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.authority_data_stat WHERE authority_id = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&authority_id]).await?;
    Ok(())
}

/// What changed in a time, the newest first, with names of files and users.
pub async fn report(
    executor: &dyn Executor,
    tenant: &Tenant,
    action: &str,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
    most: i64,
) -> Result<Vec<Value>, StoreError> {
    let schema = tenant.schema();
    let (from, to) = (text(from), text(to));
    let file = |column: &str| {
        format!(
            "coalesce((SELECT jsonb->>'name' FROM {schema}.authority_source_file \
             WHERE id = stat.{column}), 'Not specified')"
        )
    };
    let sql = format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object('id', stat.id, 'authorityId', stat.authority_id, \
         'action', stat.action, 'naturalIdOld', stat.natural_id_old, \
         'naturalIdNew', stat.natural_id_new, 'headingOld', stat.heading_old, \
         'headingNew', stat.heading_new, 'headingTypeOld', stat.heading_type_old, \
         'headingTypeNew', stat.heading_type_new, 'sourceFileOld', {}, 'sourceFileNew', {}, \
         'metadata', jsonb_build_object('startedAt', {at}, 'startedByUserId', stat.started_by, \
         'startedByUserFirstName', who.jsonb->'personal'->'firstName', \
         'startedByUserLastName', who.jsonb->'personal'->'lastName'))) AS jsonb \
         FROM {schema}.authority_data_stat AS stat \
         LEFT JOIN {schema}.users AS who ON who.id = stat.started_by \
         WHERE stat.action = $1 AND stat.started >= coalesce($2::text::timestamptz, '-infinity') \
         AND stat.started <= coalesce($3::text::timestamptz, 'infinity') \
         ORDER BY stat.started DESC, stat.id DESC LIMIT $4",
        file("source_file_old"),
        file("source_file_new"),
        at = shown("stat.started"),
    );
    let rows = executor.rows(&sql, &[&action, &from, &to, &most]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}
