//! The context of a job's records, read once per chunk.

use octavo_cataloging::app::Mapping;
use octavo_cataloging::app::job_rules::{keep_for_job, mapping_of_job};
use octavo_import_profiles::protection::Protection;
use octavo_mapping::RecordKind;
use octavo_permissions::grants_of;
use octavo_platform::Grants;
use octavo_records::{Context, StoreError};

use super::profile;
use crate::rules::mapping_profile::{ACQUISITION_LISTS, Accepted, LISTS};
use crate::rules::match_profile::Detail;
use crate::rules::parse::MarcRecordKind;
use crate::rules::tree::Tree;
use crate::store::existing;
use crate::store::jobs::Job;

/// The common context of a chunk.
#[derive(Debug)]
pub(crate) struct JobContext {
    /// The profile's tree.
    pub tree: Tree,
    /// The mapping rules for the profile's kind of records.
    pub mapping: Mapping,
    /// The protected fields.
    pub protections: Vec<Protection>,
    /// The reference lists of mapping profiles.
    pub accepted: Accepted,
    /// The number of the job's records, if it is known.
    pub total: Option<i64>,
    /// The permissions of who sent the records, where the job's actions ask for them: in orders and invoices.
    pub grants: Grants,
    /// Whether records may set the ids of created instances.
    pub accepts_ids: bool,
}

/// Reads the context of a job. Its rules are those stored when it began.
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
    let orders = tree.any(&|node| node.is_action("CREATE", "ORDER"));
    let updates = tree.any(&|node| node.text("action") == "UPDATE");
    let database = &context.store.database;
    let lists: Vec<&str> = match (names || orders) && kind == RecordKind::Bib {
        true if orders => [&LISTS[..], &ACQUISITION_LISTS].concat(),
        true => LISTS.to_vec(),
        false => Vec::new(),
    };
    let accepted = match lists.is_empty() {
        false => existing::accepted(database, context.tenant, &lists).await?,
        true => Accepted::default(),
    };
    let protections = match updates {
        true => profile::settings(context).await?,
        false => Vec::new(),
    };
    let asks = orders || tree.any(&|node| node.is_action("CREATE", "INVOICE"));
    let grants = match context.stamp.user_id.filter(|_| asks) {
        Some(user) => grants_of(database, context.tenant, user).await?,
        None => None,
    };
    Ok(JobContext {
        tree,
        mapping,
        protections,
        accepted,
        total: job.document["progress"]["total"]
            .as_i64()
            .filter(|total| *total > 0),
        grants: grants.unwrap_or_default(),
        accepts_ids: job.accepts_ids,
    })
}
