//! Creates exports: the job, its request, and its place in the queue.

use octavo_jobs::NewJob;
use octavo_library::{ExportJobId, ExportProfileId, FileDefinitionId, StoredFileId};
use octavo_postgres::Transaction;
use octavo_records::store::{fetch, fetch_locked, fetch_shared, insert, replace};
use octavo_records::{StoreError, instant};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Context;
use super::work::{ExportState, State};
use crate::collections::{DEFINITIONS, EXECUTIONS, JOB_PROFILES, MAPPING_PROFILES};
use crate::store::jobs::QUEUE;
use crate::store::{files, jobs, users};

/// FOLIO's default job profiles.
pub const INSTANCES: ExportProfileId =
    ExportProfileId::from_u128(0x6f7f3cd7_9f24_42eb_ae91_91af1cd54d0a);
pub const HOLDINGS: ExportProfileId =
    ExportProfileId::from_u128(0x5e9835fc_0e51_44c8_8a47_f7b8fce35da7);
pub const AUTHORITIES: ExportProfileId =
    ExportProfileId::from_u128(0x56944b1c_f3f9_475b_bed0_7387c33620ce);
/// That of deleted authorities.
pub const DELETED_AUTHORITIES: ExportProfileId =
    ExportProfileId::from_u128(0x2c9be114_6d35_4408_adac_9ead35f51a27);
/// The mapping profile of authorities.
const AUTHORITY_MAPPING: &str = "5d636597-a59d-4391-a270-4e79d5ba70e3";

/// Maximal number of a tenant's unfinished jobs.
const UNFINISHED_MAX: i64 = 100;
/// Ids that are listed in one statement.
pub(super) const LISTED_AT_ONCE: usize = 50_000;

/// The record type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    Instance,
    Holdings,
    Authority,
}

impl What {
    /// FOLIO's default job profile.
    #[must_use]
    pub fn default_profile(self) -> ExportProfileId {
        match self {
            What::Instance => INSTANCES,
            What::Holdings => HOLDINGS,
            What::Authority => AUTHORITIES,
        }
    }
}

/// Which records are exported.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Which {
    These(Vec<Uuid>),
    /// This number of records, listed when the job began.
    Listed(i64),
    /// Those of the uploaded file or its query.
    Uploaded,
    /// Those that CQL finds.
    Found(String),
    /// All, optionally without deleted or suppressed ones.
    All {
        /// Whether deleted records are exported.
        deleted: bool,
        /// Whether suppressed records are exported.
        suppressed: bool,
    },
    /// Titles that were marked as deleted on these days, `yyyymmdd`.
    Deleted {
        /// The first day.
        from: Option<String>,
        /// The last day.
        to: Option<String>,
    },
}

/// The request of a job, stored until it is done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// What kind of record.
    pub what: What,
    pub which: Which,
    /// The mapping profile as it was when the job began.
    pub profile: Value,
    /// The output file.
    pub file: StoredFileId,
    /// The file definition that it is exported by.
    pub definition: FileDefinitionId,
    /// The file definition's name.
    pub named: String,
    /// Whether the uploaded file holds CQL.
    pub is_cql: bool,
    /// Whether only deleted records are exported.
    pub only_deleted: bool,
}

/// Why a job is refused.
#[derive(Debug, thiserror::Error)]
pub enum JobRefusal {
    /// The store's reason.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A named record does not exist.
    #[error("Unable to find")]
    NotFound,
    /// Too many are unfinished.
    #[error(
        "{UNFINISHED_MAX} exports are not finished yet; wait until one of them is, and try again"
    )]
    Crowded,
    /// The file definition was used before, or is being used.
    #[error("The job of this file has been started already")]
    Started,
}

impl From<octavo_postgres::DatabaseError> for JobRefusal {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> JobRefusal {
        JobRefusal::Store(error.into())
    }
}

/// Creates a file definition with a new job.
pub async fn announce(
    context: &Context<'_>,
    transaction: &Transaction,
    mut definition: Map<String, Value>,
) -> Result<(FileDefinitionId, Value), StoreError> {
    let job = json!({"status": "NEW", "progress": progress(0)});
    let collection = context.collection(EXECUTIONS);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let (job, _) = insert(transaction, tenant, collection, object(job), stamp).await?;
    definition.insert("jobExecutionId".to_owned(), json!(job));
    definition.insert("status".to_owned(), json!("NEW"));
    let collection = context.collection(DEFINITIONS);
    let (id, stored) = insert(transaction, tenant, collection, definition, stamp).await?;
    let stored = serde_json::from_slice(&stored).unwrap_or_default();
    Ok((id.into(), stored))
}

/// A job's progress before it begins.
#[must_use]
pub fn progress(total: i64) -> Value {
    json!({"exported": 0, "failed": 0, "duplicatedSrs": 0, "total": total, "readIds": 0})
}

/// Starts the job of a file definition; returns its id and number.
///
/// # Errors
/// When file or profile do not exist, or too many jobs wait.
pub async fn begin(
    context: &Context<'_>,
    transaction: &Transaction,
    definition: FileDefinitionId,
    profile: ExportProfileId,
    what: What,
    which: Which,
) -> Result<(ExportJobId, i64), JobRefusal> {
    let tenant = context.tenant;
    let found = fetch_locked(
        transaction,
        tenant,
        context.collection(DEFINITIONS),
        definition.uuid(),
    );
    let file_definition = found.await?.ok_or(JobRefusal::NotFound)?;
    // Locked, so that it is not deleted while the job is created.
    let found = fetch_shared(
        transaction,
        tenant,
        context.collection(JOB_PROFILES),
        profile.uuid(),
    );
    let job_profile = found.await?.ok_or(JobRefusal::NotFound)?;
    let mapping_id: ExportProfileId =
        id_in(&job_profile["mappingProfileId"]).ok_or(JobRefusal::NotFound)?;
    let found = fetch(
        transaction,
        tenant,
        context.collection(MAPPING_PROFILES),
        mapping_id.uuid(),
    );
    let mapping = found.await?.ok_or(JobRefusal::NotFound)?;
    let job_id: ExportJobId =
        id_in(&file_definition["jobExecutionId"]).ok_or(JobRefusal::NotFound)?;
    let executions = context.collection(EXECUTIONS);
    let job = fetch_locked(transaction, tenant, executions, job_id.uuid()).await?;
    let mut job = object(job.ok_or(JobRefusal::NotFound)?);
    if job.get("status") != Some(&json!("NEW")) {
        return Err(JobRefusal::Started);
    }
    let number = jobs::next_number(transaction, tenant).await?;
    let named = file_definition["fileName"].as_str().unwrap_or_default();
    let base = named.rsplit_once('.').map_or(named, |(base, _)| base);
    let file = StoredFileId::from(Uuid::new_v4());
    let file_name = format!("{base}-{number}.mrc");
    let person = users::person(transaction, tenant, context.stamp.user_id).await?;
    let is_cql = file_definition["uploadFormat"] == "cql";
    let refusal = refusal(what, &which, is_cql, profile, &mapping);
    let now = instant::format(context.stamp.at);
    // The stored request is read for each portion, so the ids are stored in the job's list of records
    // instead.
    let (which, ids) = match which {
        Which::These(ids) => (Which::Listed(ids.len() as i64), ids),
        other => (other, Vec::new()),
    };
    let total = ids.len() as i64;
    for (name, value) in [
        ("hrId", json!(number)),
        ("jobProfileId", json!(profile)),
        ("jobProfileName", job_profile["name"].clone()),
        ("startedDate", json!(now)),
        ("lastUpdatedDate", json!(now)),
        (
            "status",
            json!(if refusal.is_some() {
                "FAIL"
            } else {
                "IN_PROGRESS"
            }),
        ),
        (
            "exportedFiles",
            json!([{"fileId": file, "fileName": file_name}]),
        ),
        ("progress", progress(total)),
        (
            "runBy",
            json!({"firstName": person.first_name, "lastName": person.last_name,
                "userId": context.stamp.user_id}),
        ),
    ] {
        job.insert(name.to_owned(), value);
    }
    if refusal.is_some() {
        job.insert("completedDate".to_owned(), json!(now));
    }
    replace(
        transaction,
        tenant,
        executions,
        job_id.uuid(),
        &job,
        &context.stamp,
    )
    .await?;
    if let Some((code, sentence)) = refusal {
        super::jobs::log(
            context,
            transaction,
            job_id,
            code,
            vec![sentence.to_owned()],
        )
        .await?;
        return Ok((job_id, number));
    }
    files::begin(transaction, tenant, file, job_id, &file_name).await?;
    let request = Request {
        what,
        which,
        profile: mapping,
        file,
        definition,
        named: named.to_owned(),
        is_cql,
        only_deleted: profile == DELETED_AUTHORITIES,
    };
    let export = ExportState {
        request,
        state: State::default(),
        reached: -1,
    };
    let new = NewJob {
        id: job_id.uuid(),
        key: None,
        progress: serde_json::to_value(export).map_err(|error| StoreError::json(error))?,
    };
    if !QUEUE
        .add_below(transaction, tenant, UNFINISHED_MAX, new)
        .await?
    {
        return Err(JobRefusal::Crowded);
    }
    list(context, transaction, job_id, 0, &ids).await?;
    Ok((job_id, number))
}

/// Appends ids to a job's records.
pub(super) async fn list(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
    behind: i64,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    for (at, part) in ids.chunks(LISTED_AT_ONCE).enumerate() {
        let behind = behind + (at * LISTED_AT_ONCE) as i64;
        jobs::gather_these(transaction, context.tenant, job, behind, part).await?;
    }
    Ok(())
}

/// Why such a job fails before it begins: FOLIO's code and message.
fn refusal(
    what: What,
    which: &Which,
    is_cql: bool,
    profile: ExportProfileId,
    mapping: &Value,
) -> Option<(&'static str, &'static str)> {
    let placeholder = "error.messagePlaceholder";
    match what {
        What::Holdings if is_cql && matches!(which, Which::Uploaded) => Some((
            "error.uploadedFile.invalidExtension",
            "Only csv format is supported for holdings export",
        )),
        What::Authority if is_cql && matches!(which, Which::Uploaded) => Some((
            "error.uploadedFile.invalidExtension",
            "Only csv format is supported for authority export",
        )),
        What::Authority if mapping["id"] != AUTHORITY_MAPPING => Some((
            placeholder,
            "For exporting authority records only the default authority job profile is supported",
        )),
        What::Instance | What::Holdings if profile == DELETED_AUTHORITIES => Some((
            "error.onlyForSetToDeletion",
            "This profile can only be used to export authority records set for deletion",
        )),
        _ if mapping["outputFormat"] == "LINKED_DATA" => Some((
            placeholder,
            "Linked Data is not exported here: no profile of it can be used",
        )),
        _ => None,
    }
}

pub(super) fn id_in<I: From<Uuid>>(value: &Value) -> Option<I> {
    Uuid::try_parse(value.as_str()?).ok().map(I::from)
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
