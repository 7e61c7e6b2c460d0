//! The mapping rules of a job, fixed for its duration.

use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_library::JobExecutionId;
use octavo_mapping::{RecordKind, Rules};
use octavo_records::StoreError;
use octavo_records::store::insert_if_absent;
use serde_json::{Map, Value, json};

use super::change_rules::current_rules;
use super::parameters::current_parameters;
use super::{Context, Mapping, references_of};
use crate::store::rules;

/// The table of jobs' rules.
pub const TABLE: &str = "mapping_snapshot";

/// Stores the current rules and reference lists for a job, unless the job has some already.
#[boxed]
pub async fn keep_for_job(
    context: &Context<'_>,
    job: JobExecutionId,
    kind: RecordKind,
) -> Result<(), StoreError> {
    let (mapping_rules, parameters) =
        tokio::try_join!(current_rules(context, kind), current_parameters(context))?;
    let mut document = Map::new();
    document.insert("id".to_owned(), json!(job));
    document.insert("recordType".to_owned(), json!(kind.name()));
    document.insert("mappingRules".to_owned(), mapping_rules);
    document.insert("mappingParams".to_owned(), Value::Object(parameters));
    let (database, collection) = (&context.store.database, context.collection(TABLE));
    // Of two concurrent calls for one job, the rules of the first stay.
    insert_if_absent(
        database,
        context.tenant,
        collection,
        document,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// The mapping of a job; the current one when none is stored for it. Its rules are those stored; the
/// reference lists are the tenant's current ones.
#[boxed]
pub async fn mapping_of_job(
    context: &Context<'_>,
    job: JobExecutionId,
    kind: RecordKind,
) -> Result<Mapping, StoreError> {
    let kept = rules::of_job(&context.store.database, context.tables(), job).await?;
    let kept = kept.filter(|(of, _, _)| of == kind.name());
    let Some((_, kept, _)) = kept else {
        return super::mapping_of(context, kind).await;
    };
    let rules = Rules::parse(kind, &kept).map_err(|problems| {
        let problem = problems.first().map(ToString::to_string);
        StoreError::fault(format!(
            "the rules of job {job}: {}",
            problem.unwrap_or_default()
        ))
    })?;
    Ok(Mapping {
        rules: Arc::new(rules),
        references: references_of(context).await?,
    })
}

/// The rules and parameters stored for a job.
#[boxed]
pub async fn stored_rules_of_job(
    context: &Context<'_>,
    job: JobExecutionId,
) -> Result<Option<(Value, Value)>, StoreError> {
    let kept = rules::of_job(&context.store.database, context.tables(), job).await?;
    Ok(kept.map(|(_, rules, parameters)| (rules, parameters)))
}
