//! Rules and events for users of a tenant that is a member of a consortium. For other tenants these
//! functions do nothing.

use octavo_records::store::emit;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Refusal, UserContext};
use crate::rules::consortium::{self, UserChange};
use crate::store::user_tenants::{Membership, is_name_taken};

/// Refuses a user that the consortium's rules do not allow.
pub(super) async fn check(
    context: &UserContext<'_>,
    executor: &dyn Executor,
    membership: Option<&Membership>,
    new: &Map<String, Value>,
    old: Option<&Map<String, Value>>,
) -> Result<(), Refusal> {
    // Without a central tenant there are no names to compare with, and mod-users skips the check too.
    let Some(central) = membership.and_then(|one| one.central.as_deref()) else {
        return Ok(());
    };
    let id = || {
        new.get("id")
            .and_then(Value::as_str)
            .unwrap_or("null")
            .to_owned()
    };
    consortium::check(new).map_err(|refusal| Refusal::Member(refusal, id()))?;
    let (Some(name), Ok(central)) = (consortium::name_to_check(new, old), Tenant::new(central))
    else {
        return Ok(());
    };
    let tenants = &context.platform.tenants;
    let here = tenants.exists(&central).await?;
    if here && is_name_taken(executor, &central, name).await? {
        return Err(Refusal::NameTakenElsewhere(name.to_owned()));
    }
    Ok(())
}

/// Writes an event for the other members when they have to be notified.
pub(super) async fn emit_to_consortium(
    context: &UserContext<'_>,
    executor: &dyn Executor,
    membership: Option<&Membership>,
    happened: UserChange,
    new: &Map<String, Value>,
    old: Option<&Map<String, Value>>,
) -> Result<(), StoreError> {
    let heard = happened == UserChange::Deleted || consortium::is_notified(new, old);
    if membership.is_none() || !heard {
        return Ok(());
    }
    let id = new.get("id").and_then(Value::as_str).unwrap_or_default();
    let Ok(key) = Uuid::try_parse(id) else {
        return Ok(());
    };
    let at = context.now();
    let payload = json!({
        "action": happened.action(),
        "tenantId": context.tenant.id(),
        "performedBy": context.stamp.user_id,
        "eventDate": at,
        "actionDate": at,
        "userDto": match happened {
            UserChange::Deleted => json!({"id": id}),
            _ => consortium::shared_part(new),
        },
        "isPersonalDataChanged": old.is_some_and(|old| consortium::is_renamed(new, old)),
    });
    let (topic, action) = (happened.topic(), happened.action());
    emit(executor, context.tenant, topic, key, action, &payload).await
}
