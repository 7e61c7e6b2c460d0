//! Starts the import of a definition's files.

use octavo_library::{ProfileId, UploadDefinitionId, UserId};
use serde_json::{Map, Value};

use super::change_job::{put_status, set_profile_within};
use super::snapshot::set_snapshot;
use super::upload::hand_over;
use super::{Context, Refusal};
use crate::rules::parse::Format;
use crate::store::{jobs, runs};

/// Gives each file's job its profile and its file. A worker reads it from there.
pub(crate) async fn process(
    context: &Context<'_>,
    upload: UploadDefinitionId,
    info: Map<String, Value>,
) -> Result<(), Refusal> {
    let profile = info.get("id").and_then(Value::as_str);
    let profile = profile
        .and_then(ProfileId::parse)
        .ok_or_else(|| Refusal::Wrong("jobProfileInfo.id must be a UUID".to_owned()))?;
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    let user = context.stamp.user_id.map(UserId::from);
    let data_type = info.get("dataType").and_then(Value::as_str);
    let data_type = data_type.unwrap_or("MARC").to_owned();
    for (file, id, name) in hand_over(context, &transaction, upload).await? {
        let format = Format::of_file(&data_type, &name);
        if !runs::read_file(&transaction, tenant, id, file, format.name(), user).await? {
            return Err(Refusal::UploadInUse(upload));
        }
        let mut job = set_profile_within(context, &transaction, id, profile, info.clone()).await?;
        put_status(&mut job, "PARSING_IN_PROGRESS", None, context);
        jobs::write(&transaction, tenant, &job).await?;
        set_snapshot(context, &transaction, id, "PARSING_IN_PROGRESS").await?;
    }
    transaction.commit().await?;
    Ok(())
}
