//! The job execution of a load, for FOLIO's list of imports. Pure.

use jiff::Timestamp;
use octavo_library::UserId;
use octavo_records::instant;
use serde_json::{Value, json};

use super::options::Progress;

/// FOLIO's default profile for creating instances and source records.
const PROFILE: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";

/// The stage of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Running,
    Complete,
    Failed,
}

/// The job document of a load; the store assigns its number.
pub(super) fn job_execution(
    progress: &Progress,
    file_name: &str,
    user_id: Option<UserId>,
    started_at: Timestamp,
    now: Timestamp,
    stage: Stage,
) -> Value {
    let (status, ui_status) = match stage {
        Stage::Running => ("PROCESSING_IN_PROGRESS", "RUNNING"),
        Stage::Complete => ("COMMITTED", "RUNNING_COMPLETE"),
        Stage::Failed => ("ERROR", "ERROR"),
    };
    let mut job = json!({
        "id": progress.job_id,
        "parentJobId": progress.job_id,
        "subordinationType": "PARENT_SINGLE",
        "sourcePath": file_name,
        "fileName": file_name,
        "jobProfileInfo": {
            "id": PROFILE,
            "name": "Default - Create instance and SRS MARC Bib",
            "dataType": "MARC",
            "hidden": false,
        },
        "runBy": {"firstName": "octavo", "lastName": "load"},
        "progress": {
            "jobExecutionId": progress.job_id,
            "current": progress.position,
            "total": progress.position,
        },
        "startedDate": instant::format(started_at),
        "status": status,
        "uiStatus": ui_status,
    });
    if let Some(user_id) = user_id {
        job["userId"] = json!(user_id);
    }
    if stage != Stage::Running {
        job["completedDate"] = json!(instant::format(now));
    }
    if stage == Stage::Failed {
        job["errorStatus"] = json!("FILE_PROCESSING_ERROR");
    }
    job
}

#[cfg(test)]
mod tests {
    use octavo_library::JobExecutionId;

    use super::*;

    #[test]
    fn a_load_is_listed_as_a_job() {
        let progress = Progress {
            job_id: JobExecutionId::from_u128(1),
            position: 12,
            ..Progress::default()
        };
        let (started, now) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        let at_stage = |stage| job_execution(&progress, "a.mrc", None, started, now, stage);
        let running = at_stage(Stage::Running);
        assert_eq!(running["status"], "PROCESSING_IN_PROGRESS");
        assert_eq!(running["progress"]["current"], 12);
        assert_eq!(running.get("completedDate"), None);
        let complete = at_stage(Stage::Complete);
        assert_eq!(complete["uiStatus"], "RUNNING_COMPLETE");
        assert_eq!(complete["completedDate"], "1970-01-01T00:00:00.000+00:00");
        assert_eq!(
            at_stage(Stage::Failed)["errorStatus"],
            "FILE_PROCESSING_ERROR"
        );
    }
}
