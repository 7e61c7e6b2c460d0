//! A batch of users in one transaction. A refused batch is halved until single users are left; those are
//! reported, and the others stored.

use std::collections::HashMap;
use std::ops::Range;

use octavo_postgres::Transaction;
use octavo_records::store::{Locking, delete, insert_many, replace_many};
use octavo_records::{StoreError, Tenant};
use octavo_users::Writing;
use octavo_users::app::write_users::{self, Changed};
use octavo_users::app::{Refusal, UserContext};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::BatchOutcome;
use super::refusal::{Fault, is_fault, of_answer, sentence};
use crate::rules::known::ReferenceNames;
use crate::rules::mapping::{Failed, Mapped};
use crate::rules::merging::merge;
use crate::rules::preference::{Step, decide};
use crate::store;

const SAVEPOINT: &str = "part";

/// Stores a batch; returns the result after the commit.
pub(super) async fn write(
    context: &UserContext<'_>,
    known: &ReferenceNames,
    only_present: bool,
    batch: &[Mapped],
) -> Result<BatchOutcome, Fault> {
    let transaction = context.store.database.transaction().await?;
    let run = Run {
        context,
        transaction: &transaction,
        known,
        only_present,
    };
    let mut done = BatchOutcome::default();
    let mut settles = false;
    let mut parts: Vec<Range<usize>> = vec![Range {
        start: 0,
        end: batch.len(),
    }];
    while let Some(part) = parts.pop() {
        let users = &batch[part.clone()];
        transaction.savepoint(SAVEPOINT).await?;
        match run.store(users).await {
            Ok(stored) => {
                transaction.release(SAVEPOINT).await?;
                done.created += stored.done.created;
                done.updated += stored.done.updated;
                done.failed.extend(stored.done.failed);
                settles |= stored.settles;
            }
            Err(Refused::Fault(fault)) => return Err(fault),
            Err(Refused::User(why)) => {
                transaction.rollback_to(SAVEPOINT).await?;
                transaction.release(SAVEPOINT).await?;
                if let [one] = users {
                    done.failed.push(failed(one, why));
                } else {
                    // First half first: users are stored in the order of the import.
                    let middle = part.start + users.len() / 2;
                    parts.push(middle..part.end);
                    parts.push(part.start..middle);
                }
            }
        }
    }
    transaction.commit().await?;
    if settles {
        // Every process must act on the change before the client gets the response.
        context.platform.settle().await;
    }
    Ok(done)
}

fn failed(user: &Mapped, message: String) -> Failed {
    Failed {
        external_id: user.external_id.clone(),
        username: user.username.clone(),
        message,
    }
}

/// Why a part of a batch is not stored.
enum Refused {
    /// One of its users is refused; with the message of the last one tried alone.
    User(String),
    /// An error that every user would meet.
    Fault(Fault),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        match is_fault(&error) {
            true => Refused::Fault(error.into()),
            false => Refused::User(of_answer(error.into())),
        }
    }
}

/// The result for a part.
struct Stored {
    done: BatchOutcome,
    settles: bool,
}

/// The state of one transaction.
struct Run<'a> {
    context: &'a UserContext<'a>,
    transaction: &'a Transaction,
    known: &'a ReferenceNames,
    only_present: bool,
}

impl Run<'_> {
    async fn store(&self, users: &[Mapped]) -> Result<Stored, Refused> {
        let (context, transaction, tables) =
            (self.context, self.transaction, self.context.tables());
        // Several users: halving finds the refused one. A single user gets its message.
        let mut checked = Vec::with_capacity(users.len());
        for one in users {
            let document = Value::Object(one.user.clone());
            let user = write_users::checked(context, document)
                .map_err(|refusal| self.refused(refusal, one, Writing::New))?;
            checked.push(user);
        }
        let documents = checked.iter();
        let held = write_users::hold(context, transaction, documents).await;
        let held = held.map_err(|refusal| self.refused(refusal, &users[0], Writing::New))?;
        let external_ids: Vec<&str> = users.iter().map(|one| one.external_id.as_str()).collect();
        let there = store::users_by_external_id(transaction, tables, &external_ids).await?;
        let ids: Vec<Uuid> = there.values().copied().collect();
        let olds = write_users::hold_users(context, transaction, &ids).await;
        let olds = olds.map_err(|refusal| self.refused(refusal, &users[0], Writing::Changed))?;
        let mut olds: HashMap<Uuid, Map<String, Value>> = olds.into_iter().collect();
        let (mut new, mut changed, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (one, mut user) in users.iter().zip(checked) {
            let id = there.get(&one.external_id).copied();
            let old = id.and_then(|id| Some((id, olds.remove(&id)?)));
            match old {
                Some((id, old)) => {
                    if self.only_present {
                        let merged = Value::Object(merge(&old, user));
                        user = write_users::checked(context, merged)
                            .map_err(|refusal| self.refused(refusal, one, Writing::Changed))?;
                    }
                    user.insert("id".to_owned(), json!(id));
                    all.push((one, user.clone()));
                    changed.push(Changed { id, user, old });
                }
                None => {
                    let id = user.get("id").and_then(Value::as_str);
                    let id = id.and_then(|id| Uuid::try_parse(id).ok());
                    user.insert("id".to_owned(), json!(id.unwrap_or_else(Uuid::new_v4)));
                    all.push((one, user.clone()));
                    new.push(user);
                }
            }
        }
        let (created, updated) = (new.len(), changed.len());
        let new_ids: Vec<Uuid> = new.iter().filter_map(id_of).collect();
        self.permit(&new_ids).await?;
        let writing = match updated {
            0 => Writing::New,
            _ => Writing::Changed,
        };
        let settles = write_users::write(context, transaction, &held, new, changed).await;
        let settles = settles.map_err(|refusal| self.refused(refusal, &users[0], writing))?;
        let mut done = BatchOutcome {
            created,
            updated,
            failed: Vec::new(),
        };
        self.prefer(&all, &new_ids, &mut done).await?;
        Ok(Stored { done, settles })
    }

    /// Creates empty permission users for new users, as FOLIO does, unless they exist.
    async fn permit(&self, users: &[Uuid]) -> Result<(), Refused> {
        if users.is_empty() {
            return Ok(());
        }
        let tables = self.context.tables();
        let there = store::permission_users(self.transaction, tables, users).await?;
        let documents = users
            .iter()
            .filter(|id| !there.contains(id))
            .map(|id| store::object(json!({"userId": id, "permissions": []})));
        let holders = self.context.collection("permissions_users");
        let (tenant, stamp) = (self.context.tenant, &self.context.stamp);
        insert_many(
            self.transaction,
            tenant,
            holders,
            documents.collect(),
            stamp,
        )
        .await?;
        Ok(())
    }

    /// Stores request preferences. A user with an invalid one is reported as failed although the user is
    /// stored, as in FOLIO.
    async fn prefer(
        &self,
        users: &[(&Mapped, Map<String, Value>)],
        new: &[Uuid],
        done: &mut BatchOutcome,
    ) -> Result<(), Refused> {
        // A composition may lack the area of circulation.
        let catalog = &self.context.store.catalog;
        let Some(preferences) = catalog.get("user_request_preference") else {
            return Ok(());
        };
        let ids: Vec<Uuid> = users.iter().filter_map(|(_, user)| id_of(user)).collect();
        let stored = store::preferences(self.transaction, self.context.tables(), &ids).await?;
        let (mut added, mut replaced, mut removed) = (Vec::new(), Vec::new(), Vec::new());
        for (one, user) in users {
            let Some(id) = id_of(user) else { continue };
            let there = stored.get(&id).copied();
            let came = one.preference.as_ref();
            match decide(came, there, self.only_present, user, self.known) {
                Ok(Step::None) => {}
                Ok(Step::Add(preference)) => added.push(preference),
                Ok(Step::Replace(id, preference)) => replaced.push((id, preference)),
                Ok(Step::Remove(id)) => removed.push(id),
                Err(why) => {
                    match new.contains(&id) {
                        true => done.created -= 1,
                        false => done.updated -= 1,
                    }
                    done.failed.push(failed(one, why));
                }
            }
        }
        let (tenant, stamp): (&Tenant, _) = (self.context.tenant, &self.context.stamp);
        insert_many(self.transaction, tenant, preferences, added, stamp).await?;
        let locking = Locking::Suppressed;
        let transaction = self.transaction;
        replace_many(transaction, tenant, preferences, &replaced, stamp, locking).await?;
        for id in removed {
            match delete(self.transaction, tenant, preferences, id).await {
                // A concurrent request has deleted it.
                Err(StoreError::NotFound) => {}
                other => other?,
            }
        }
        Ok(())
    }

    /// FOLIO's message about a user, followed by mod-users' message.
    fn refused(&self, refusal: Refusal, one: &Mapped, writing: Writing) -> Refused {
        let refusal = match refusal {
            Refusal::Store(error) if is_fault(&error) => return Refused::Fault(error.into()),
            other => other,
        };
        let begins = match writing {
            Writing::New => "Failed to create new user with externalSystemId: ",
            Writing::Changed => "Failed to update user with externalSystemId: ",
        };
        let why = sentence(refusal, writing);
        Refused::User(format!("{begins}{}: {why}", one.external_id))
    }
}

fn id_of(user: &Map<String, Value>) -> Option<Uuid> {
    Uuid::try_parse(user.get("id")?.as_str()?).ok()
}
