//! Reads an uploaded file, one chunk of records per transaction: the position is stored together with
//! the results. At most one portion and one record are in memory.

use octavo_edifact::INTERCHANGE_BYTES_MAX;
use octavo_library::StoredFileId;
use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::json;

use super::Context;
use super::change_job::put_status;
use super::chunk::{Read, do_records};
use super::finish::count;
use super::snapshot::set_snapshot;
use crate::rules::parse::{Format, RECORD_BYTES_MAX};
use crate::rules::record_splitter::{cut, split_messages};
use crate::store::files;
use crate::store::jobs::{self, Job};
use crate::store::runs::{self, Run};

/// Records of one transaction.
pub(crate) const RECORDS: usize = 100;

/// Counts a file's records when it is begun, and does some of them; says whether the job is over. What has been
/// read is removed.
pub(crate) async fn read_some(
    context: &Context<'_>,
    transaction: &Transaction,
    job: &Job,
    run: &mut Run,
    most: usize,
) -> Result<bool, StoreError> {
    let format = run
        .format
        .as_deref()
        .and_then(Format::named)
        .unwrap_or(Format::Raw);
    let Some(file) = run.file else {
        return Ok(false);
    };
    if format == Format::Edifact {
        return read_messages(context, transaction, job, (run, file), most).await;
    }
    let tenant = context.tenant;
    let data_type = job.document["jobProfileInfo"]["dataType"]
        .as_str()
        .unwrap_or("MARC");
    if run.read_records == 0 && run.read_bytes == 0 {
        let total = match data_type {
            "MARC" => total(transaction, tenant, file, format).await?,
            _ => 0,
        };
        let Some(mut job) = jobs::hold(transaction, tenant, job.id).await? else {
            return Ok(true);
        };
        if total == 0 {
            // The file is empty or of another type.
            put_status(&mut job, "ERROR", Some("FILE_PROCESSING_ERROR"), context);
            jobs::write(transaction, tenant, &job).await?;
            set_snapshot(context, transaction, job.id, "ERROR").await?;
            runs::end(transaction, tenant, job.id).await?;
            files::remove(transaction, tenant, &[file]).await?;
            return Ok(true);
        }
        let progress = json!({"jobExecutionId": job.id, "current": 0, "total": total});
        job.document.insert("progress".to_owned(), progress);
        jobs::write(transaction, tenant, &job).await?;
    }
    let piece = piece(transaction, tenant, file, run.read_bytes, format, most).await?;
    let first = run.read_records;
    let records: Vec<Read> = piece
        .records
        .into_iter()
        .zip(first..)
        .map(|(bytes, position)| Read { bytes, position })
        .collect();
    run.read_bytes = piece.next;
    run.read_records += records.len() as i64;
    let (succeeded, failed) = do_records(context, transaction, job, format, records).await?;
    if piece.is_last {
        run.file = None;
        files::remove(transaction, tenant, &[file]).await?;
    } else {
        // Removed in portions, since removing a large file at once takes long.
        files::remove_before(transaction, tenant, file, run.read_bytes).await?;
    }
    count(
        context,
        transaction,
        job.id,
        succeeded,
        failed,
        piece.is_last,
    )
    .await
}

/// Does some messages of an interchange, which is read as a whole each time: its beginning says how its
/// messages are to be read, and it is small.
async fn read_messages(
    context: &Context<'_>,
    transaction: &Transaction,
    job: &Job,
    (run, file): (&mut Run, StoredFileId),
    most: usize,
) -> Result<bool, StoreError> {
    let tenant = context.tenant;
    let Some(text) = whole(transaction, tenant, file).await? else {
        return refuse_file(context, transaction, job, file).await;
    };
    // Those that cannot be told apart are one, and refused.
    let records = split_messages(&text);
    if run.read_records == 0 {
        if text.trim_ascii().is_empty() {
            return refuse_file(context, transaction, job, file).await;
        }
        let Some(mut job) = jobs::hold(transaction, tenant, job.id).await? else {
            return Ok(true);
        };
        let total = records.len();
        let progress = json!({"jobExecutionId": job.id, "current": 0, "total": total});
        job.document.insert("progress".to_owned(), progress);
        jobs::write(transaction, tenant, &job).await?;
    }
    let first = run.read_records;
    let done = usize::try_from(first).unwrap_or(usize::MAX);
    let records: Vec<Vec<u8>> = records.into_iter().skip(done).collect();
    let is_last = records.len() <= most;
    let records = records.into_iter().take(most).zip(first..);
    let records: Vec<Read> = records
        .map(|(bytes, position)| Read { bytes, position })
        .collect();
    run.read_records += records.len() as i64;
    let format = Format::Edifact;
    let (succeeded, failed) = do_records(context, transaction, job, format, records).await?;
    if is_last {
        run.file = None;
        files::remove(transaction, tenant, &[file]).await?;
    }
    count(context, transaction, job.id, succeeded, failed, is_last).await
}

/// Ends a job whose file is empty, too large, or of another type.
async fn refuse_file(
    context: &Context<'_>,
    transaction: &Transaction,
    job: &Job,
    file: StoredFileId,
) -> Result<bool, StoreError> {
    let tenant = context.tenant;
    if let Some(mut job) = jobs::hold(transaction, tenant, job.id).await? {
        put_status(&mut job, "ERROR", Some("FILE_PROCESSING_ERROR"), context);
        jobs::write(transaction, tenant, &job).await?;
        set_snapshot(context, transaction, job.id, "ERROR").await?;
    }
    runs::end(transaction, tenant, job.id).await?;
    files::remove(transaction, tenant, &[file]).await?;
    Ok(true)
}

/// A whole file, unless it is larger than an interchange may be.
async fn whole(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
) -> Result<Option<Vec<u8>>, StoreError> {
    let mut held: Vec<u8> = Vec::new();
    while let Some((begins, bytes)) =
        files::portion(executor, tenant, file, held.len() as i64).await?
    {
        let skipped = usize::try_from(held.len() as i64 - begins).unwrap_or(0);
        held.extend_from_slice(&bytes[skipped.min(bytes.len())..]);
        if held.len() > INTERCHANGE_BYTES_MAX {
            return Ok(None);
        }
    }
    Ok(Some(held))
}

/// Some records of a file, and where the next one begins.
struct Piece {
    records: Vec<Vec<u8>>,
    next: i64,
    is_last: bool,
}

/// The records from a position on: as many as one transaction processes, within the memory limit.
async fn piece(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
    from: i64,
    format: Format,
    most: usize,
) -> Result<Piece, StoreError> {
    let mut held: Vec<u8> = Vec::new();
    let mut read = from;
    loop {
        let portion = files::portion(executor, tenant, file, read).await?;
        let ended = portion.is_none();
        if let Some((begins, bytes)) = portion {
            let skipped = usize::try_from(read - begins).unwrap_or(0);
            held.extend_from_slice(&bytes[skipped.min(bytes.len())..]);
            read = begins + bytes.len() as i64;
        }
        // An unterminated record is treated as too long.
        let is_full = held.len() > RECORD_BYTES_MAX;
        let found = cut(format, &held, most, ended);
        if found.records.is_empty() && !ended && !is_full {
            // Bytes between records are dropped.
            held.drain(..found.done);
            continue;
        }
        let skipped = read - held.len() as i64;
        if found.records.is_empty() && is_full && !ended {
            let record = std::mem::take(&mut held);
            let next = read + rest_of(executor, tenant, file, read, format).await?;
            let is_last = files::portion(executor, tenant, file, next)
                .await?
                .is_none();
            return Ok(Piece {
                records: vec![record],
                next,
                is_last,
            });
        }
        let next = skipped + found.done as i64;
        let is_last = ended && found.done == held.len()
            || files::portion(executor, tenant, file, next)
                .await?
                .is_none();
        let records = found
            .records
            .iter()
            .map(|(a, b)| held[*a..*b].to_vec())
            .collect();
        return Ok(Piece {
            records,
            next,
            is_last,
        });
    }
}

/// The length of the rest of a too long record. Only ISO 2709 has an end mark that can be found
/// anywhere; in other formats it is the rest of the file.
async fn rest_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
    from: i64,
    format: Format,
) -> Result<i64, StoreError> {
    let mut at = from;
    while let Some((begins, bytes)) = files::portion(executor, tenant, file, at).await? {
        let skipped = usize::try_from(at - begins).unwrap_or(0).min(bytes.len());
        let end = bytes[skipped..].iter().position(|byte| *byte == 0x1D);
        if let (Format::Raw, Some(end)) = (format, end) {
            return Ok(at - from + end as i64 + 1);
        }
        at = begins + bytes.len() as i64;
    }
    Ok(at - from)
}

/// How many records a file has.
async fn total(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
    format: Format,
) -> Result<i64, StoreError> {
    let (mut from, mut total) = (0, 0);
    loop {
        let piece = piece(executor, tenant, file, from, format, RECORDS).await?;
        total += piece.records.len() as i64;
        if piece.is_last || piece.next <= from {
            return Ok(total);
        }
        from = piece.next;
    }
}
