//! What every record of a chunk is done with, read once.

use octavo_cataloging::app::Mapping;
use octavo_cataloging::app::job_rules::{keep_for_job, mapping_of_job};
use octavo_import_profiles::protection::Protection;
use octavo_mapping::RecordKind;
use octavo_records::{Context, StoreError};

use super::profile;
use crate::rules::details::Accepted;
use crate::rules::matching::Detail;
use crate::rules::parse::MarcRecordKind;
use crate::rules::tree::Tree;
use crate::store::existing;
use crate::store::jobs::Job;

/// What is the same for all records of a chunk.
#[derive(Debug)]
pub(crate) struct JobContext {
    /// What is to be done.
    pub tree: Tree,
    /// What maps records of the kind that the profile is for.
    pub mapping: Mapping,
    /// What updates leave as it is.
    pub protections: Vec<Protection>,
    /// The names of what mapping profiles name.
    pub accepted: Accepted,
    /// Whether records may name the instances that they make.
    pub accepts_ids: bool,
}

/// Reads what a job needs. Its rules are those with which it began.
pub(crate) async fn job_context(
    context: &Context<'_>,
    tree: Tree,
    job: &Job,
) -> Result<JobContext, StoreError> {
    let kind = match () {
        () if tree.is_for(MarcRecordKind::Bib) => RecordKind::Bib,
        () if tree.is_for(MarcRecordKind::Authority) => RecordKind::Authority,
        () if tree.is_for(MarcRecordKind::Holdings) => RecordKind::Holdings,
        () => RecordKind::Bib,
    };
    if job.succeeded + job.failed == 0 {
        keep_for_job(context, job.id, kind).await?;
    }
    let mapping = mapping_of_job(context, job.id, kind).await?;
    let names = tree.any(&|node| {
        let matches_names =
            node.is_match() && Detail::of(node.content()).is_ok_and(|one| one.list().is_some());
        matches_names
            || ["INSTANCE", "HOLDINGS", "ITEM"]
                .iter()
                .any(|entity| node.is_action("CREATE", entity) || node.is_action("UPDATE", entity))
    });
    let updates = tree.any(&|node| node.text("action") == "UPDATE");
    let database = &context.store.database;
    let accepted = match names && kind == RecordKind::Bib {
        true => existing::accepted(database, context.tenant).await?,
        false => Accepted::default(),
    };
    let protections = match updates {
        true => profile::settings(context).await?,
        false => Vec::new(),
    };
    Ok(JobContext {
        tree,
        mapping,
        protections,
        accepted,
        accepts_ids: job.accepts_ids,
    })
}
