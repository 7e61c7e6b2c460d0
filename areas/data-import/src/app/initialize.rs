//! Creates jobs: one for each file, and a parent when there are several.

use octavo_library::{JobExecutionId, UserId};
use octavo_records::instant;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::snapshot::set_snapshot;
use super::{Context, Refusal};
use crate::rules::status;
use crate::store::{jobs, runs};

/// Files of one request.
const FILES_MAX: usize = 200;

/// The request.
#[derive(Debug, Default)]
pub(crate) struct NewJobs {
    /// The names of the files.
    pub files: Vec<String>,
    /// `FILES`, `ONLINE` or `COMPOSITE`.
    pub source_type: String,
    /// Who runs the jobs.
    pub user: UserId,
    /// The job profile as the client sent it.
    pub profile: Option<Value>,
    /// The parent job.
    pub parent: Option<JobExecutionId>,
    /// The number of this part, and of all.
    pub part: (Option<i64>, Option<i64>),
}

/// Creates jobs; returns the parent's id and their documents.
pub(crate) async fn initialize(
    context: &Context<'_>,
    wanted: NewJobs,
) -> Result<(JobExecutionId, Vec<Value>), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let begun = initialize_within(context, &transaction, wanted).await?;
    transaction.commit().await?;
    Ok(begun)
}

/// The same inside a transaction.
pub(crate) async fn initialize_within(
    context: &Context<'_>,
    transaction: &octavo_postgres::Transaction,
    wanted: NewJobs,
) -> Result<(JobExecutionId, Vec<Value>), Refusal> {
    if wanted.source_type != "ONLINE" && wanted.files.is_empty() {
        return Err(Refusal::NoFiles);
    }
    if wanted.files.len() > FILES_MAX {
        return Err(Refusal::Wrong(format!(
            "a request names at most {FILES_MAX} files"
        )));
    }
    let (tenant, user) = (context.tenant, wanted.user);
    let runner = jobs::runner(transaction, tenant, user).await?;
    let (first, last, _) = runner.ok_or(Refusal::NoUser(user))?;
    let parent = wanted.parent.unwrap_or_else(|| Uuid::new_v4().into());
    let now = instant::format(context.stamp.at);
    let make = |id: JobExecutionId, kind: &str, state: &str, file: Option<&str>| {
        let name = file.map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path));
        let mut job = json!({
            "id": id, "parentJobId": parent, "subordinationType": kind,
            "sourcePath": file, "fileName": name,
            "runBy": {"firstName": first, "lastName": last},
            "progress": {"jobExecutionId": id, "current": 0, "total": 100},
            "startedDate": now, "status": state, "uiStatus": status::ui(state), "userId": user,
            "totalRecordsInFile": 0,
        });
        if let Value::Object(job) = &mut job {
            job.retain(|_, value| !value.is_null());
            if let Some(Value::Object(runner)) = job.get_mut("runBy") {
                runner.retain(|_, value| !value.is_null());
            }
        }
        job
    };
    let mut begun = Vec::new();
    match wanted.source_type.as_str() {
        "ONLINE" => {
            let mut job = make(parent, "PARENT_SINGLE", "NEW", Some("No file name"));
            if let Some(profile) = wanted.profile {
                job["jobProfileInfo"] = profile;
            }
            begun.push(job);
        }
        "COMPOSITE" => {
            let file = wanted.files.first().map(String::as_str);
            let mut job = match wanted.parent {
                None => make(parent, "COMPOSITE_PARENT", "NEW", file),
                Some(_) => make(Uuid::new_v4().into(), "COMPOSITE_CHILD", "NEW", file),
            };
            for (name, number) in [
                ("jobPartNumber", wanted.part.0),
                ("totalJobParts", wanted.part.1),
            ] {
                if let Some(number) = number {
                    job[name] = json!(number);
                }
            }
            begun.push(job);
        }
        _ if wanted.files.len() == 1 => {
            let file = wanted.files.first().map(String::as_str);
            begun.push(make(parent, "PARENT_SINGLE", "NEW", file));
        }
        _ => {
            for file in &wanted.files {
                begun.push(make(Uuid::new_v4().into(), "CHILD", "NEW", Some(file)));
            }
            begun.push(make(parent, "PARENT_MULTIPLE", "PARENT", None));
        }
    }
    for job in &mut begun {
        job["hrId"] = json!(jobs::next_hrid(transaction, tenant).await?);
        let document: Map<String, Value> = job.as_object().cloned().unwrap_or_default();
        let id = job["id"].as_str().and_then(JobExecutionId::parse);
        let id = id.unwrap_or(parent);
        if !jobs::insert(transaction, tenant, id, &document).await? {
            return Err(Refusal::TakenId(id));
        }
        if job["subordinationType"] != "PARENT_MULTIPLE" {
            runs::begin(transaction, tenant, id).await?;
            set_snapshot(context, transaction, id, "NEW").await?;
        }
    }
    Ok((parent, begun))
}
