//! Relationships between instances: a whole above its parts, without cycles of any length.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{insert, replace};
use serde_json::Value;
use uuid::Uuid;

use super::link_instance::RELATIONSHIP;
use super::{Context, Refusal, checked, id_in, object, object_of};
use crate::store::instance_links;

/// Maximal number of ancestors that are checked for a cycle.
const ABOVE_MAX: i64 = 10_000;

/// Stores a new relationship; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit, an instance of it does not exist, or it would form a cycle.
#[boxed]
pub async fn create_relationship(
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection(RELATIONSHIP);
    let link = checked(collection, document)?;
    let transaction = context.store.database.transaction().await?;
    instance_links::one_at_a_time(&transaction, context.tenant).await?;
    refuse_circle(&transaction, context, &link, None).await?;
    let created = insert(
        &transaction,
        context.tenant,
        collection,
        object(link),
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(created)
}

/// Replaces a relationship.
///
/// # Errors
/// As [`create_relationship`], and when there is no such relationship.
#[boxed]
pub async fn replace_relationship(
    context: &Context<'_>,
    id: Uuid,
    document: Value,
) -> Result<(), Refusal> {
    let collection = context.collection(RELATIONSHIP);
    let link = checked(collection, document)?;
    let transaction = context.store.database.transaction().await?;
    instance_links::one_at_a_time(&transaction, context.tenant).await?;
    refuse_circle(&transaction, context, &link, Some(id)).await?;
    let link = object_of(id, link);
    replace(
        &transaction,
        context.tenant,
        collection,
        id,
        &link,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// Refuses a relationship that would form a cycle. Call [`instance_links::one_at_a_time`] first in the
/// same transaction, before other links are written.
///
/// # Errors
/// When it would form a cycle, or has too many ancestors to check.
pub(super) async fn refuse_circle(
    transaction: &Transaction,
    context: &Context<'_>,
    link: &Value,
    without: Option<Uuid>,
) -> Result<(), Refusal> {
    let (Some(whole), Some(part)) = (id_in(link, "superInstanceId"), id_in(link, "subInstanceId"))
    else {
        return Ok(());
    };
    let refused = |sentence: &str| {
        Err(Refusal::property(
            sentence,
            "superInstanceId",
            whole.to_string(),
        ))
    };
    if whole == part {
        return refused("An instance cannot be related to itself; name another one");
    }
    let tenant = context.tenant;
    let above = instance_links::above(transaction, tenant, whole, without, ABOVE_MAX).await?;
    if above.contains(&part) {
        return refused(
            "The instance of subInstanceId stands above that of superInstanceId already: remove \
             that relationship first",
        );
    }
    if above.len() as i64 >= ABOVE_MAX {
        return refused("Too many instances stand above this one to relate it to a further one");
    }
    Ok(())
}
