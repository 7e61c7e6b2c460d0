//! The record types of exports. In FOLIO they have shorter names in the module's own schema.

use octavo_records::{Collection, Index};

pub const EXECUTIONS: &str = "data_export_job_executions";
/// The table of job profiles.
pub const JOB_PROFILES: &str = "data_export_job_profiles";
/// The table of mapping profiles.
pub const MAPPING_PROFILES: &str = "data_export_mapping_profiles";
/// The files of ids and queries.
pub const DEFINITIONS: &str = "data_export_file_definitions";
/// The table of error logs.
pub const ERRORS: &str = "data_export_error_logs";

#[must_use]
pub fn mapping_profiles() -> Collection {
    named(Collection::new(
        MAPPING_PROFILES,
        "mappingProfiles",
        include_str!("shapes/mapping_profile.shape"),
    ))
    .index(Index::full_text("recordTypes"))
    .index(Index::plain("outputFormat"))
}

#[must_use]
pub fn job_profiles() -> Collection {
    named(Collection::new(
        JOB_PROFILES,
        "jobProfiles",
        include_str!("shapes/job_profile.shape"),
    ))
    .reference("mappingProfileId", MAPPING_PROFILES)
}

/// The indexes of both kinds of profiles.
fn named(collection: Collection) -> Collection {
    collection
        .dropping_unknown()
        .index(Index::plain("name"))
        .index(Index::full_text("name"))
        .index(Index::full_text("description"))
        .index(Index::plain("metadata.updatedDate").keep_accents())
        .index(Index::plain("userInfo.lastName"))
        .index(Index::plain("userInfo.firstName"))
}

/// The jobs. Their `jobProfileId` is not a foreign key, since they outlive profiles.
#[must_use]
pub fn executions() -> Collection {
    Collection::new(
        EXECUTIONS,
        "jobExecutions",
        include_str!("shapes/job_execution.shape"),
    )
    .index(Index::plain("status"))
    .index(Index::number("hrId"))
    .index(Index::plain("jobProfileId").keep_accents())
    .index(Index::plain("jobProfileName"))
    .index(Index::plain("runBy.userId").keep_accents())
    .index(Index::plain("runBy.lastName"))
    .index(Index::plain("startedDate").keep_accents())
    .index(Index::plain("completedDate").keep_accents())
    .index(Index::full_text("jobProfileName"))
    .index(Index::full_text("exportedFiles").over(&["exportedFiles[*].fileName"]))
}

/// The files of ids and queries.
#[must_use]
pub fn definitions() -> Collection {
    Collection::new(
        DEFINITIONS,
        "fileDefinitions",
        include_str!("shapes/file_definition.shape"),
    )
    .dropping_unknown()
    .reference("jobExecutionId", EXECUTIONS)
    .index(Index::plain("metadata.createdDate").keep_accents())
}

/// The error logs of jobs and their records.
#[must_use]
pub fn errors() -> Collection {
    Collection::new(ERRORS, "errorLogs", include_str!("shapes/error_log.shape"))
        .reference("jobExecutionId", EXECUTIONS)
        .index(Index::plain("errorMessageCode"))
        .index(Index::plain("createdDate").keep_accents())
}
