//! Refusals of operations on jobs and files, with FOLIO's messages.

use octavo_library::{
    ChunkId, FileDefinitionId, JobExecutionId, ProfileId, UploadDefinitionId, UserId,
};
use octavo_records::{Contention, StoreError};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// There is no such job.
    #[error("JobExecution with id '{0}' was not found")]
    NoJob(JobExecutionId),
    /// The same with another FOLIO message.
    #[error("Couldn't find JobExecution with id {0}")]
    NoJobForChunk(JobExecutionId),
    /// There is no such user.
    #[error("No user found by user id :{0}")]
    NoUser(UserId),
    /// The request has no files.
    #[error("Received files must not be empty")]
    NoFiles,
    /// The id is another job's.
    #[error("a job with the id {0} exists already")]
    TakenId(JobExecutionId),
    /// A parent has no state of its own.
    #[error("Cannot update JobExecution status to PARENT")]
    ToParent,
    /// The same, for the parent.
    #[error("JobExecution {0} current status is PARENT and cannot be updated")]
    IsParent(JobExecutionId),
    /// The same, for the whole job.
    #[error("JobExecution {id} current status is {from} and cannot be updated to {to}")]
    BetweenParents {
        /// The job.
        id: JobExecutionId,
        /// The current type.
        from: String,
        /// The new type.
        to: String,
    },
    /// Another profile has been chosen.
    #[error("JobExecution already associated to JobProfile with id '{0}'")]
    HasProfile(ProfileId),
    /// There is no such profile.
    #[error("Error loading JobProfile by JobProfile id '{0}', response code 404")]
    NoProfile(ProfileId),
    /// The tree of a profile could not be built.
    #[error("Error creating ProfileSnapshotWrapper by JobProfile id '{0}': {1}")]
    NoTree(ProfileId, String),
    /// A chunk was sent before a profile was set.
    #[error(
        "JobExecution with id '{0}' has no job profile yet; choose one with PUT \
         /change-manager/jobExecutions/{0}/jobProfile before records are sent"
    )]
    ProfileMissing(JobExecutionId),
    /// A match that FOLIO does not support.
    #[error("Unsupported type of Job Profile.")]
    ProfileUnsupported,
    /// The job has failed.
    #[error("Couldn't update JobExecution status, JobExecution already marked as ERROR")]
    Failed,
    /// The job was cancelled.
    #[error("Couldn't update JobExecution status, JobExecution already marked as CANCELLED")]
    Cancelled,
    /// A chunk was sent again.
    #[error("Source chunk with {0} id for {1} jobExecution is already exists")]
    KnownChunk(ChunkId, JobExecutionId),
    /// The queue is full.
    #[error(
        "{0} chunks of this job wait to be worked on; wait a moment, or send fewer at the same time"
    )]
    Crowded(i64),
    /// A chunk is too large.
    #[error("a chunk holds at most {0} records")]
    LargeChunk(usize),
    /// Another invalid request.
    #[error("{0}")]
    Wrong(String),
    /// There is no such upload definition.
    #[error("UploadDefinition with id '{0}' was not found")]
    NoUpload(UploadDefinitionId),
    /// There is no such file.
    #[error("FileDefinition not found. FileDefinition ID: {0}")]
    NoFile(FileDefinitionId),
    /// Its files are being imported.
    #[error("Cannot delete uploadDefinition {0} - linked files are already being processed")]
    UploadInUse(UploadDefinitionId),
    /// A file that exists already.
    #[error("the file {0} has been uploaded already; delete it first, or define another one")]
    UploadedAlready(FileDefinitionId),
    /// A concurrent upload of the same file took over.
    #[error("another upload of the file {0} began after this one; that one counts")]
    Overtaken(FileDefinitionId),
    /// A file that is not uploaded yet.
    #[error("the file {0} has not been uploaded yet")]
    NotUploaded(String),
    /// A file is too large.
    #[error(
        "a file may have at most {0} bytes; split it, and upload its parts one after the other"
    )]
    LargeFile(u64),
    /// An upload in parts that does not exist.
    #[error(
        "there is no upload of the key {0} under way; ask for a new one with GET /data-import/uploadUrl"
    )]
    NoParts(String),
    /// Other parts than those received.
    #[error("the tags are not those of the parts that came, from the first to the last")]
    OtherParts,
    /// An expired or replaced link.
    #[error("This link holds no longer")]
    LinkOver,
    /// Too many multipart uploads are running.
    #[error(
        "{0} uploads in parts are under way; put them together, or wait until they are forgotten"
    )]
    ManyUploads(i64),
    /// File names that cannot be imported: the code of front ends, and the names.
    #[error("{0}")]
    FilesRefused(&'static str, Vec<String>),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<octavo_postgres::DatabaseError> for Refusal {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Refusal {
        Refusal::Store(error.into())
    }
}

impl Contention for Refusal {
    fn is_contention(&self) -> bool {
        matches!(self, Refusal::Store(error) if error.is_contention())
    }
}
