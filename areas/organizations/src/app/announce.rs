//! The events of organizations, in the form of FOLIO's audit.

use octavo_records::store::emit;
use octavo_records::{Context, Executor, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// What happened to an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Happened {
    Create,
    Edit,
}

/// Writes the event of a change in the transaction of the change.
pub(super) async fn announce(
    context: &Context<'_>,
    executor: &dyn Executor,
    happened: Happened,
    id: Uuid,
    mut organization: Map<String, Value>,
) -> Result<(), StoreError> {
    organization.remove("metadata");
    let action = match happened {
        Happened::Create => "Create",
        Happened::Edit => "Edit",
    };
    let at = context.now();
    let payload = json!({
        "action": action, "organizationId": id, "userId": context.stamp.user_id,
        "eventDate": at, "actionDate": at, "organizationSnapshot": organization,
    });
    let topic = "Default.ACQ_ORGANIZATION_CHANGED";
    emit(executor, context.tenant, topic, id, action, &payload).await
}
