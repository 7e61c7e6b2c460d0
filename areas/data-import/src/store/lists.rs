//! Lists of jobs, of their profiles, and of their users.

use bytes::Bytes;
use octavo_library::JobExecutionId;
use octavo_postgres::{RawJson, ToSql};
use octavo_records::{Executor, StoreError, Tenant};

use crate::rules::filter::{By, Filter, Sort, like};

/// A page of jobs in FOLIO's list form.
pub(crate) async fn jobs(
    executor: &dyn Executor,
    tenant: &Tenant,
    filter: &Filter,
    limit: i64,
    offset: i64,
) -> Result<Bytes, StoreError> {
    let mut wanted = ListFilter::default();
    wanted.all(filter);
    page(
        executor,
        tenant,
        wanted,
        &order(&filter.sort),
        limit,
        offset,
    )
    .await
}

/// The children of a job.
pub(crate) async fn children(
    executor: &dyn Executor,
    tenant: &Tenant,
    parent: JobExecutionId,
    limit: i64,
    offset: i64,
) -> Result<Bytes, StoreError> {
    let mut wanted = ListFilter::default();
    wanted.with("parent = $", parent);
    wanted
        .clauses
        .push("kind IN ('CHILD', 'COMPOSITE_CHILD')".to_owned());
    page(executor, tenant, wanted, "hrid", limit, offset).await
}

async fn page(
    executor: &dyn Executor,
    tenant: &Tenant,
    mut wanted: ListFilter,
    order: &str,
    limit: i64,
    offset: i64,
) -> Result<Bytes, StoreError> {
    let clauses = format!("NOT is_deleted AND {}", wanted.clauses.join(" AND "));
    wanted.values.push(Box::new(limit));
    wanted.values.push(Box::new(offset));
    let last = wanted.values.len();
    let schema = tenant.schema();
    let sql = format!(
        "SELECT jsonb_build_object('jobExecutions', coalesce((SELECT jsonb_agg(document ORDER BY at) \
         FROM (SELECT row_number() OVER (ORDER BY {order}) AS at, document || CASE WHEN kind = \
         'COMPOSITE_PARENT' THEN {composite} ELSE '{{}}' END AS document FROM {schema}.import_job AS job \
         WHERE {clauses} ORDER BY {order} LIMIT ${} OFFSET ${}) AS page), '[]'), 'totalRecords', \
         (SELECT count(*) FROM {schema}.import_job WHERE {clauses})) AS jsonb",
        last - 1,
        last,
        composite = composite(schema)
    );
    let values: Vec<&(dyn ToSql + Sync)> =
        wanted.values.iter().map(|value| &**value as _).collect();
    one(executor, &sql, &values).await
}

/// The states of a composite job's parts.
fn composite(schema: &str) -> String {
    format!(
        "coalesce((SELECT jsonb_build_object('compositeDetails', jsonb_object_agg(state, parts), \
         'progress', jsonb_build_object('jobExecutionId', job.id, 'current', \
         sum((parts->>'currentlyProcessedCount')::bigint), 'total', \
         sum((parts->>'totalRecordsCount')::bigint))) \
         FROM (SELECT CASE status WHEN 'NEW' THEN 'newState' WHEN 'FILE_UPLOADED' THEN \
         'fileUploadedState' WHEN 'PARSING_IN_PROGRESS' THEN 'parsingInProgressState' WHEN \
         'PARSING_FINISHED' THEN 'parsingFinishedState' WHEN 'PROCESSING_IN_PROGRESS' THEN \
         'processingInProgressState' WHEN 'PROCESSING_FINISHED' THEN 'processingFinishedState' WHEN \
         'COMMIT_IN_PROGRESS' THEN 'commitInProgressState' WHEN 'COMMITTED' THEN 'committedState' WHEN \
         'ERROR' THEN 'errorState' WHEN 'DISCARDED' THEN 'discardedState' ELSE 'cancelledState' END \
         AS state, jsonb_build_object('chunksCount', count(*), 'totalRecordsCount', \
         sum(progress_total), \
         'currentlyProcessedCount', sum(progress_current)) AS parts FROM {schema}.import_job AS part \
         WHERE part.parent = job.id AND part.kind = 'COMPOSITE_CHILD' GROUP BY status) AS states \
         HAVING count(*) > 0), '{{}}')"
    )
}

#[derive(Default)]
struct ListFilter {
    clauses: Vec<String>,
    values: Vec<Box<dyn ToSql + Sync + Send>>,
}

impl ListFilter {
    /// Adds a condition; its `$` becomes the value's number.
    fn with(&mut self, clause: &str, value: impl ToSql + Sync + Send + 'static) {
        self.values.push(Box::new(value));
        let number = format!("${}", self.values.len());
        self.clauses.push(clause.replace('$', &number));
    }

    fn all(&mut self, filter: &Filter) {
        self.clauses
            .push("kind <> 'PARENT_MULTIPLE' AND NOT hidden".to_owned());
        for (clause, values) in [
            ("status = ANY($::text[])", &filter.status_any),
            ("ui_status = ANY($::text[])", &filter.ui_status_any),
            ("kind <> ALL($::text[])", &filter.kind_not_any),
            ("file_name <> ALL($::text[])", &filter.file_name_not_any),
        ] {
            if !values.is_empty() {
                self.with(clause, values.clone());
            }
        }
        for (clause, values) in [
            ("profile_id = ANY($::uuid[])", &filter.profile_any),
            ("profile_id <> ALL($::uuid[])", &filter.profile_not_any),
        ] {
            if !values.is_empty() {
                self.with(clause, values.clone());
            }
        }
        for (clause, value) in [
            ("status <> $::text", &filter.status_not),
            ("completed >= $::text", &filter.completed_after),
            ("completed <= $::text", &filter.completed_before),
        ] {
            if let Some(value) = value {
                self.with(clause, value.clone());
            }
        }
        if let Some(user) = filter.user {
            self.with("user_id = $", user);
        }
        // Front ends send both for one search field.
        match (&filter.hrid, &filter.file_name) {
            (Some(hrid), Some(name)) => {
                self.with("(hrid::text LIKE $::text", like(hrid));
                self.with("file_name ILIKE $::text)", like(name));
                let second = self.clauses.pop().unwrap_or_default();
                let first = self.clauses.pop().unwrap_or_default();
                self.clauses.push(format!("{first} OR {second}"));
            }
            (Some(hrid), None) => self.with("hrid::text LIKE $::text", like(hrid)),
            (None, Some(name)) => self.with("file_name ILIKE $::text", like(name)),
            (None, None) => {}
        }
        if let Some(name) = &filter.excluded_profile_name {
            self.with("profile_name NOT ILIKE $::text", like(name));
        }
    }
}

fn order(sort: &[Sort]) -> String {
    let mut terms: Vec<String> = sort
        .iter()
        .map(|term| {
            let by = match term.by {
                By::Completed => "completed",
                By::Started => "started",
                By::Total => "progress_total",
                By::Current => "progress_current",
                By::Status => "status",
                By::Hrid => "hrid",
                By::FileName => "lower(file_name)",
                By::ProfileName => "lower(profile_name)",
                By::FirstName => "lower(first_name)",
                By::LastName => "lower(last_name)",
            };
            format!("{by} {}", if term.descending { "DESC" } else { "ASC" })
        })
        .collect();
    // A unique tie-breaker, so that pages neither repeat nor skip jobs.
    terms.push("id".to_owned());
    terms.join(", ")
}

/// The profiles that finished jobs ran with.
pub(crate) async fn profiles(
    executor: &dyn Executor,
    tenant: &Tenant,
    limit: i64,
    offset: i64,
) -> Result<Bytes, StoreError> {
    let found = format!(
        "SELECT DISTINCT document->'jobProfileInfo' AS found FROM {}.import_job WHERE profile_id \
         IS NOT NULL AND NOT hidden AND NOT is_deleted AND status IN ('COMMITTED', 'ERROR', \
         'CANCELLED')",
        tenant.schema()
    );
    distinct(executor, "jobProfilesInfo", &found, limit, offset).await
}

/// The users of finished jobs.
pub(crate) async fn users(
    executor: &dyn Executor,
    tenant: &Tenant,
    limit: i64,
    offset: i64,
) -> Result<Bytes, StoreError> {
    let found = format!(
        "SELECT DISTINCT jsonb_build_object('userId', user_id, 'jobUserFirstName', \
         coalesce(first_name, ''), 'jobUserLastName', coalesce(last_name, '')) AS found \
         FROM {}.import_job WHERE NOT hidden AND NOT is_deleted AND kind NOT IN \
         ('PARENT_MULTIPLE', 'COMPOSITE_PARENT') AND status IN ('COMMITTED', 'ERROR', 'CANCELLED')",
        tenant.schema()
    );
    distinct(executor, "jobExecutionUsersInfo", &found, limit, offset).await
}

async fn distinct(
    executor: &dyn Executor,
    key: &str,
    found: &str,
    limit: i64,
    offset: i64,
) -> Result<Bytes, StoreError> {
    let sql = format!(
        "WITH found AS MATERIALIZED ({found}) SELECT jsonb_build_object('{key}', coalesce((SELECT \
         jsonb_agg(found) FROM (SELECT found FROM found ORDER BY found LIMIT $1 OFFSET $2) AS page), \
         '[]'), 'totalRecords', (SELECT count(*) FROM found)) AS jsonb"
    );
    one(executor, &sql, &[&limit, &offset]).await
}

async fn one(
    executor: &dyn Executor,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Bytes, StoreError> {
    let rows = executor.rows(sql, values).await?;
    Ok(rows.first().map_or_else(Bytes::new, |row| {
        Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)
    }))
}
