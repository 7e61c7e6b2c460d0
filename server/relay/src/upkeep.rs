//! The topics themselves: made when a module is enabled for a tenant, removed when it is purged.

use std::collections::HashSet;

use octavo_postgres::DatabaseError;

use crate::pump::Parts;
use crate::run::Subscriber;
use crate::sink::NewTopic;
use crate::store::topics::{self, MadeTopic, Purge};
use crate::topics::made_by;

/// Why topics were not made or removed.
#[derive(Debug, thiserror::Error)]
pub enum UpkeepError {
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error("{0}")]
    Sink(String),
}

/// Removes the topics of what was purged.
pub(crate) async fn remove_purged(parts: &Parts, purges: &[Purge]) -> Result<(), UpkeepError> {
    if purges.is_empty() {
        return Ok(());
    }
    let database = &parts.store.database;
    let made = topics::all(database).await?;
    let gone = made.into_iter().filter(|made| {
        purges.iter().any(|purge| {
            let module = purge.module.as_ref();
            purge.tenant == made.tenant && module.is_none_or(|module| *module == made.module)
        })
    });
    let names: Vec<String> = gone.map(|made| made.topic).collect();
    // Topics that all tenants share stay, as in FOLIO.
    if !parts.naming.is_shared() && !names.is_empty() {
        let removed = parts.sink.remove(&names).await;
        removed.map_err(UpkeepError::Sink)?;
    }
    topics::forget(database, &names).await?;
    let numbers: Vec<i64> = purges.iter().map(|purge| purge.number).collect();
    topics::end_purges(database, &numbers).await?;
    Ok(())
}

/// Makes the topics of enabled modules that were not made yet.
pub(crate) async fn make(parts: &Parts, subscribers: &[Subscriber]) -> Result<(), UpkeepError> {
    let database = &parts.store.database;
    let made: HashSet<String> = topics::all(database)
        .await?
        .into_iter()
        .filter(|one| one.made)
        .map(|one| one.topic)
        .collect();
    let mut noted = Vec::new();
    let mut missing = Vec::new();
    for subscriber in subscribers {
        let tenant = subscriber.tenant.id();
        for module in &subscriber.modules {
            for topic in made_by(module) {
                let name = parts.naming.topic(topic, tenant);
                if made.contains(&name) || missing.iter().any(|one: &NewTopic| one.name == name) {
                    continue;
                }
                noted.push(MadeTopic {
                    tenant: tenant.to_owned(),
                    module: module.clone(),
                    topic: name.clone(),
                    made: false,
                });
                missing.push(NewTopic::of(topic, name));
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    topics::note(database, &noted).await?;
    let making = parts.sink.make(&missing).await;
    making.map_err(UpkeepError::Sink)?;
    let names: Vec<String> = missing.iter().map(|topic| topic.name.clone()).collect();
    topics::note_made(database, &names).await?;
    tracing::info!(topics = missing.len(), "topics are made");
    Ok(())
}
