//! Modules declare which events they publish and to which they subscribe. What the module has declared before, in
//! any version, is replaced.

use octavo_boxed::boxed;
use octavo_records::Context;
use serde_json::Value;

use super::Outcome;
use crate::rules::descriptor::{complete, is_same, is_temporary, undescribed};
use crate::rules::{Refusal, Role};
use crate::store::{event_types, registered};

/// A type with the path to which its events are posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub event_type: String,
    pub callback: String,
}

/// Registers a publisher.
///
/// # Errors
/// When a type does not exist, or is described in another way.
#[boxed]
pub async fn declare_publisher(
    context: &Context<'_>,
    module: &str,
    descriptors: &[Value],
) -> Outcome<()> {
    let tables = context.tables();
    let transaction = context.store.database.transaction().await?;
    registered::forget_product(&transaction, tables, module, Role::Publisher).await?;
    let name = |descriptor: &Value| {
        descriptor["eventType"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let names: Vec<String> = descriptors.iter().map(name).collect();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let stored = event_types::held(&transaction, tables, &known).await?;
    let mut wrong = Vec::new();
    for (descriptor, name) in descriptors.iter().map(complete).zip(&names) {
        match stored.iter().find(|one| one["eventType"] == name.as_str()) {
            None => wrong.push(format!("Event type {name} does not exist")),
            Some(stored) if is_temporary(stored) || is_same(stored, &descriptor) => {}
            Some(stored) => wrong.push(format!(
                "Descriptor of event type {name} is different. Existing event descriptor: {stored}"
            )),
        }
    }
    if !wrong.is_empty() {
        return Err(Refusal::Descriptors(wrong).into());
    }
    for name in &names {
        let of = (name.as_str(), module);
        registered::register(&transaction, tables, of, Role::Publisher, None).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Registers a subscriber; types that nobody has described yet come into being.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn declare_subscriber(
    context: &Context<'_>,
    module: &str,
    subscriptions: &[Subscription],
) -> Outcome<()> {
    let tables = context.tables();
    let transaction = context.store.database.transaction().await?;
    registered::forget_product(&transaction, tables, module, Role::Subscriber).await?;
    for Subscription {
        event_type,
        callback,
    } in subscriptions
    {
        let descriptor = undescribed(event_type);
        event_types::add(&transaction, tables, event_type, &descriptor).await?;
        let (of, callback) = ((event_type.as_str(), module), Some(callback.as_str()));
        registered::register(&transaction, tables, of, Role::Subscriber, callback).await?;
    }
    transaction.commit().await?;
    Ok(())
}
