//! Lists the records of a job before the first one is read.

use octavo_library::ExportJobId;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::plan::Predicate;

use super::Context;
use super::id_lines::IdLines;
use super::jobs::log;
use super::new_job::{LISTED_AT_ONCE, Request, What, Which, list};
use super::work::{ENTRIES_MAX, NAMED_MAX, State, kind};
use crate::store::records::ExportedKind;
use crate::store::{jobs, uploads};

/// Bytes of an uploaded query at most.
const QUERY_BYTES_MAX: usize = 1 << 20;

/// Lists the records of a job.
///
/// # Errors
/// When a query cannot be run.
pub(super) async fn gather(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
    request: &Request,
    state: &mut State,
) -> Result<(), StoreError> {
    let tenant = context.tenant;
    state.total = match &request.which {
        Which::Listed(count) => {
            without_repeated(context, transaction, job, state).await?;
            *count
        }
        // The form of requests stored by earlier releases.
        Which::These(ids) => {
            list(context, transaction, job, 0, ids).await?;
            without_repeated(context, transaction, job, state).await?;
            ids.len() as i64
        }
        Which::Uploaded => return uploaded(context, transaction, job, request, state).await,
        Which::Found(query) => found(context, transaction, job, request.what, query).await?,
        Which::Deleted { from, to } => {
            let (from, to) = (from.as_deref(), to.as_deref());
            jobs::gather_deleted(transaction, tenant, job, from, to).await?
        }
        Which::All { deleted, .. } if request.what == What::Authority => {
            let states: &[&str] = match (request.only_deleted, deleted) {
                (true, _) => &["DELETED"],
                (false, _) => &["ACTUAL"],
            };
            jobs::gather_authorities(transaction, tenant, job, states).await?
        }
        Which::All {
            deleted,
            suppressed,
        } => {
            let kind = kind(request.what);
            let collection = context.collection(kind.table());
            let mut predicate = Predicate::Everything;
            let deleted = *deleted || kind == ExportedKind::Holdings;
            for (taken, mark) in [
                (deleted, "deleted==true"),
                (*suppressed, "discoverySuppress==true"),
            ] {
                if !taken {
                    let marked = context
                        .store
                        .plan(tenant, collection, Some(mark))?
                        .predicate;
                    predicate = Predicate::Except(Box::new(predicate), Box::new(marked));
                }
            }
            jobs::gather_found(transaction, tenant, job, kind, &predicate).await?
        }
    };
    Ok(())
}

async fn found(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
    what: What,
    query: &str,
) -> Result<i64, StoreError> {
    let kind = kind(what);
    let Some(collection) = context.store.catalog.get(kind.table()) else {
        return Err(StoreError::Query(
            "there are no such records here".to_owned(),
        ));
    };
    let plan = context
        .store
        .plan(context.tenant, collection, Some(query))?;
    jobs::gather_found(transaction, context.tenant, job, kind, &plan.predicate).await
}

/// Removes duplicate ids, and logs them.
async fn without_repeated(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
    state: &mut State,
) -> Result<(), StoreError> {
    let most = ENTRIES_MAX.saturating_sub(state.entries) as i64;
    let tenant = context.tenant;
    let (gone, repeated) = jobs::drop_repeated(transaction, tenant, job, most).await?;
    state.failed += gone.unsigned_abs();
    for (id, times) in repeated {
        state.entries += 1;
        let values = vec![id.to_string(), times.to_string()];
        log(context, transaction, job, "error.duplicatedIds", values).await?;
    }
    Ok(())
}

async fn uploaded(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
    request: &Request,
    state: &mut State,
) -> Result<(), StoreError> {
    match request.is_cql {
        true => by_query(context, transaction, job, request, state).await,
        false => by_ids(context, transaction, job, request, state).await,
    }
}

async fn by_query(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
    request: &Request,
    state: &mut State,
) -> Result<(), StoreError> {
    let (tenant, definition) = (context.tenant, request.definition);
    let (mut bytes, mut number) = (Vec::new(), 1);
    while bytes.len() <= QUERY_BYTES_MAX
        && let Some(portion) = uploads::portion(transaction, tenant, definition, number).await?
    {
        bytes.extend_from_slice(&portion);
        number += 1;
    }
    let text = String::from_utf8(bytes).ok();
    let Some(text) = text.filter(|text| !text.is_empty() && text.len() <= QUERY_BYTES_MAX) else {
        state.unreadable = true;
        return Ok(());
    };
    let query = text.trim().trim_start_matches('\u{feff}');
    match found(context, transaction, job, request.what, query).await {
        Ok(total) => state.total = total,
        Err(StoreError::Query(_)) => {
            let values = vec![request.named.clone()];
            log(context, transaction, job, "error.invalidCqlSyntax", values).await?;
            state.entries += 1;
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The file is read in portions, so that its length is not limited by memory.
async fn by_ids(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
    request: &Request,
    state: &mut State,
) -> Result<(), StoreError> {
    let (tenant, definition) = (context.tenant, request.definition);
    let (mut lines, mut listed, mut number) = (IdLines::default(), 0, 1);
    loop {
        let portion = uploads::portion(transaction, tenant, definition, number).await?;
        number += 1;
        match &portion {
            Some(bytes) => lines.take(bytes),
            None => lines.end(),
        }
        if lines.ids.len() >= LISTED_AT_ONCE || portion.is_none() {
            list(context, transaction, job, listed, &lines.ids).await?;
            listed += lines.ids.len() as i64;
            lines.ids.clear();
        }
        let room = NAMED_MAX.saturating_sub(state.invalid.len());
        state.invalid.extend(lines.invalid.drain(..).take(room));
        if portion.is_none() {
            break;
        }
    }
    state.total = lines.lines;
    state.failed += (lines.lines - listed).unsigned_abs();
    state.unreadable = lines.lines == 0;
    without_repeated(context, transaction, job, state).await
}
