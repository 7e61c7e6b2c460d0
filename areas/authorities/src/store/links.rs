//! The links between fields of instances' records and authorities.

use jiff::Timestamp;
use octavo_library::{AuthorityId, InstanceId};
use octavo_postgres::{Row, Transaction};
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;

/// A link with its status.
#[derive(Debug, Clone)]
pub struct Link {
    /// Its number.
    pub id: i64,
    pub authority_id: AuthorityId,
    /// The authority's natural id.
    pub natural_id: Option<String>,
    pub instance_id: InstanceId,
    pub rule: i32,
    /// `ACTUAL`, or `ERROR` when the record did not follow.
    pub status: String,
    /// Why it did not.
    pub error_cause: Option<String>,
}

/// Locks an instance, if it exists, and its links until the transaction ends.
pub async fn hold(
    transaction: &Transaction,
    tenant: &Tenant,
    instance_id: InstanceId,
) -> Result<(), StoreError> {
    hold_instance(transaction, tenant, instance_id).await?;
    // An advisory lock, since links may be stored for instances that do not exist.
    let key = format!("{} links {instance_id}", tenant.id());
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    transaction.query(sql, &[&key]).await?;
    Ok(())
}

/// Locks an instance until the transaction ends; returns whether it exists.
pub async fn hold_instance(
    transaction: &Transaction,
    tenant: &Tenant,
    instance_id: InstanceId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {}.instance WHERE id = $1 FOR NO KEY UPDATE",
        tenant.schema()
    );
    Ok(!transaction.query(&sql, &[&instance_id]).await?.is_empty())
}

/// Locks authorities against changes and deletion; returns existing ones.
pub async fn hold_authorities(
    transaction: &Transaction,
    tenant: &Tenant,
    ids: &[AuthorityId],
) -> Result<Vec<AuthorityId>, StoreError> {
    // `FOR SHARE`: other instances may be linked to the same authorities meanwhile. The order by id
    // prevents deadlocks.
    let sql = format!(
        "SELECT id FROM {}.authority WHERE id = ANY($1) ORDER BY id FOR SHARE",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The links of an instance to existing authorities, in order.
pub async fn of_instance(
    executor: &dyn Executor,
    tenant: &Tenant,
    instance_id: InstanceId,
) -> Result<Vec<Link>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT link.id, link.authority_id, authority.jsonb->>'naturalId' AS natural_id, \
         link.instance_id, \
         link.linking_rule_id, link.status, link.error_cause \
         FROM {schema}.instance_authority_link AS link \
         JOIN {schema}.authority ON authority.id = link.authority_id \
         WHERE link.instance_id = $1 ORDER BY link.id"
    );
    let rows = executor.rows(&sql, &[&instance_id]).await?;
    Ok(rows.iter().map(link).collect())
}

fn link(row: &Row) -> Link {
    Link {
        id: row.get("id"),
        authority_id: row.get("authority_id"),
        natural_id: row.get("natural_id"),
        instance_id: row.get("instance_id"),
        rule: row.get("linking_rule_id"),
        status: row.get("status"),
        error_cause: row.get("error_cause"),
    }
}

/// Sets the links of an instance; existing ones are unchanged.
///
/// # Errors
/// When there is no such rule.
pub async fn put(
    transaction: &Transaction,
    tenant: &Tenant,
    instance_id: InstanceId,
    authorities: &[AuthorityId],
    rules: &[i32],
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let gone = format!(
        "DELETE FROM {schema}.instance_authority_link AS link WHERE instance_id = $1 AND NOT EXISTS \
         (SELECT FROM unnest($2::uuid[], $3::integer[]) AS sent (authority, rule) \
         WHERE sent.authority = link.authority_id AND sent.rule = link.linking_rule_id)"
    );
    let added = format!(
        "INSERT INTO {schema}.instance_authority_link (instance_id, authority_id, linking_rule_id) \
         SELECT DISTINCT $1::uuid, authority, rule \
         FROM unnest($2::uuid[], $3::integer[]) AS _ (authority, rule) \
         ON CONFLICT (instance_id, authority_id, linking_rule_id) DO NOTHING"
    );
    let values: [&(dyn octavo_postgres::ToSql + Sync); 3] = [&instance_id, &authorities, &rules];
    tokio::try_join!(
        transaction.execute(&gone, &values),
        transaction.execute(&added, &values)
    )?;
    Ok(())
}

/// How many instances each of these authorities is linked to; none for those without.
pub async fn counts(
    executor: &dyn Executor,
    tenant: &Tenant,
    authorities: &[AuthorityId],
) -> Result<Vec<(AuthorityId, i64)>, StoreError> {
    let sql = format!(
        "SELECT authority_id, count(DISTINCT instance_id) FROM {}.instance_authority_link \
         WHERE authority_id = ANY($1) GROUP BY authority_id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&authorities]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("authority_id"), row.get("count")))
        .collect())
}

/// The last link of an authority, if anything is linked to it.
pub async fn last(
    executor: &dyn Executor,
    tenant: &Tenant,
    authority_id: AuthorityId,
) -> Result<Option<i64>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.instance_authority_link WHERE authority_id = $1 ORDER BY id DESC LIMIT 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&authority_id]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// The next instances of an authority, by the numbers of their links.
#[derive(Debug, Clone)]
pub struct Next {
    /// The link.
    pub id: i64,
    pub instance_id: InstanceId,
    pub rule: i32,
}

/// The links of an authority after a number and up to another, in their order.
pub async fn next(
    executor: &dyn Executor,
    tenant: &Tenant,
    authority_id: AuthorityId,
    (behind, until): (i64, i64),
    most: i64,
) -> Result<Vec<Next>, StoreError> {
    let sql = format!(
        "SELECT id, instance_id, linking_rule_id FROM {}.instance_authority_link \
         WHERE authority_id = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT $4",
        tenant.schema()
    );
    let rows = executor
        .rows(&sql, &[&authority_id, &behind, &until, &most])
        .await?;
    let links = rows.iter().map(|row| Next {
        id: row.get("id"),
        instance_id: row.get("instance_id"),
        rule: row.get("linking_rule_id"),
    });
    Ok(links.collect())
}

/// Stores the status of links.
pub async fn note(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[i64],
    error: Option<&str>,
) -> Result<(), StoreError> {
    let status = if error.is_some() { "ERROR" } else { "ACTUAL" };
    let sql = format!(
        "UPDATE {}.instance_authority_link SET status = $2, error_cause = $3, updated = clock_timestamp() \
         WHERE id = ANY($1)",
        tenant.schema()
    );
    executor.rows(&sql, &[&ids, &status, &error]).await?;
    Ok(())
}

/// Deletes links.
pub async fn remove(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[i64],
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.instance_authority_link WHERE id = ANY($1)",
        tenant.schema()
    );
    executor.rows(&sql, &[&ids]).await?;
    Ok(())
}

/// Links updated in a time range, the newest first, each with its instance's title.
pub async fn report(
    executor: &dyn Executor,
    tenant: &Tenant,
    status: Option<&str>,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
    most: i64,
) -> Result<Vec<Value>, StoreError> {
    let schema = tenant.schema();
    let (from, to) = (super::stats::text(from), super::stats::text(to));
    let of_status = if status.is_some() {
        "link.status = $1::text"
    } else {
        "$1::text IS NULL"
    };
    let sql = format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object('instanceId', instance.id, \
         'instanceTitle', instance.jsonb->'title', 'bibRecordTag', rule.bib_field, \
         'authorityNaturalId', (SELECT jsonb->'naturalId' FROM {schema}.authority \
         WHERE authority.id = link.authority_id), 'updatedAt', {at}, 'errorCause', \
         link.error_cause)) AS jsonb \
         FROM {schema}.instance_authority_link AS link \
         JOIN {schema}.instance ON instance.id = link.instance_id \
         JOIN {schema}.instance_authority_linking_rule AS rule ON rule.id = link.linking_rule_id \
         WHERE {of_status} AND link.updated >= coalesce($2::text::timestamptz, '-infinity') \
         AND link.updated <= coalesce($3::text::timestamptz, 'infinity') \
         ORDER BY link.updated DESC, link.id DESC LIMIT $4",
        at = super::stats::shown("link.updated"),
    );
    let rows = executor.rows(&sql, &[&status, &from, &to, &most]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}
