//! Stores a profile with added and removed associations, in one transaction: all or nothing.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_library::ProfileId;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch, insert, replace};
use octavo_records::{Collection, StoreError, retried};
use serde_json::{Map, Value};

use super::associate::{add, within_limits};
use super::{Context, Refusal};
use crate::kind::ProfileKind;
use crate::relation::{AssociationRequest, Relation};
use crate::rules::{action, defaults, form, job, mapping_profile};
use crate::store::associations::{actions_of, below, remove_mappings, remove_unwanted};
use crate::store::profiles::{hold, is_taken, of_ids, user_info};
use crate::tree::NODES_MAX;

/// The body of a request: FOLIO's `…ProfileUpdateDto`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub profile: Map<String, Value>,
    /// The associations to add.
    pub added: Vec<AssociationRequest>,
    /// The associations to remove.
    pub deleted: Vec<AssociationRequest>,
}

/// The result.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    pub id: ProfileId,
    pub profile: Value,
    /// The added associations.
    pub added: Vec<Relation>,
}

/// Creates or replaces a profile.
#[boxed]
pub async fn save(
    context: Context<'_>,
    kind: ProfileKind,
    id: Option<ProfileId>,
    sent: &Sent,
) -> Result<Saved, Refusal> {
    retried(|| async {
        let transaction = context.store.database.transaction().await?;
        hold(&transaction, context.tenant).await?;
        let saved = save_within(&transaction, context, kind, id, sent.clone()).await?;
        transaction.commit().await?;
        Ok(saved)
    })
    .await
}

/// The same inside a transaction that holds the lock on profiles.
///
/// # Errors
/// A refusal; the caller must roll back.
#[boxed]
pub async fn save_within(
    transaction: &Transaction,
    context: Context<'_>,
    kind: ProfileKind,
    id: Option<ProfileId>,
    sent: Sent,
) -> Result<Saved, Refusal> {
    let Sent {
        profile,
        mut added,
        mut deleted,
    } = sent;
    if added.len() > NODES_MAX || deleted.len() > NODES_MAX {
        let most = format!("At most {NODES_MAX} associations can be changed at a time");
        return Err(Refusal::invalid(most));
    }
    let collection = context.collection(kind.table());
    let above_and_below = above_and_below(&profile);
    let mut profile = checked(collection, kind, profile)?;
    if let Some(id) = id {
        profile.insert("id".to_owned(), Value::String(id.to_string()));
        may_be_changed(transaction, context, kind, id, &profile).await?;
    }
    let own_id = id.or_else(|| uuid(&profile));
    let looking = SaveChecks {
        transaction,
        context,
        kind,
        id: own_id,
        is_new: id.is_none(),
    };
    let mut named = profile.clone();
    named.extend(above_and_below);
    looking.validate(&named, &added, &deleted).await?;
    let user = match context.stamp.user_id {
        Some(user) => user_info(transaction, context.tenant, user.into()).await?,
        None => None,
    };
    if let Some(user) = user {
        profile.insert("userInfo".to_owned(), user);
    }
    let (id, profile) = looking.write(collection, profile).await?;
    for one in added.iter_mut().chain(&mut deleted) {
        place(kind, id, one)?;
    }
    for one in &deleted {
        remove_unwanted(transaction, context.tenant, one).await?;
    }
    if kind == ProfileKind::Mapping {
        // An action has at most one mapping: an added one replaces the old.
        for one in &added {
            if let (Some(ProfileKind::Action), Some(action)) = (one.master, one.master_profile_id) {
                remove_mappings(transaction, context.tenant, action).await?;
            }
        }
    }
    let added = add(transaction, context, &added).await?;
    if kind == ProfileKind::Job {
        within_limits(transaction, context, id).await?;
    }
    Ok(Saved { id, profile, added })
}

fn uuid(profile: &Map<String, Value>) -> Option<ProfileId> {
    ProfileId::parse(profile.get("id")?.as_str()?)
}

/// The relations in a profile's document, which clients may not send there.
fn above_and_below(profile: &Map<String, Value>) -> Map<String, Value> {
    ["childProfiles", "parentProfiles"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), profile.get(name)?.clone())))
        .collect()
}

fn checked(
    collection: &Collection,
    kind: ProfileKind,
    mut profile: Map<String, Value>,
) -> Result<Map<String, Value>, Refusal> {
    // A blank id counts as absent.
    let blank = |id: &Value| id.as_str().is_some_and(|id| id.trim().is_empty());
    if profile.get("id").is_some_and(blank) {
        profile.remove("id");
    }
    let mut document = Value::Object(profile);
    collection
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    let Value::Object(mut profile) = document else {
        return Err(Refusal::invalid("A profile is a JSON object"));
    };
    form::complete(kind, &mut profile);
    Ok(profile)
}

/// Only the tags of default profiles can be changed.
async fn may_be_changed(
    transaction: &Transaction,
    context: Context<'_>,
    kind: ProfileKind,
    id: ProfileId,
    profile: &Map<String, Value>,
) -> Result<(), Refusal> {
    if !defaults::is_default(kind, id) {
        return Ok(());
    }
    let collection = context.collection(kind.table());
    let stored = fetch(transaction, context.tenant, collection, id.uuid()).await?;
    let stored = stored.as_ref().and_then(Value::as_object);
    let may = stored.is_some_and(|stored| {
        let mut stored = stored.clone();
        form::complete(kind, &mut stored);
        form::differs_in_tags_only(profile, &stored)
    });
    if may {
        return Ok(());
    }
    Err(Refusal::Improper(format!(
        "Can`t update default {} with id {id}",
        kind.name()
    )))
}

/// Fills in an association: an omitted end is the profile being stored.
fn place(kind: ProfileKind, id: ProfileId, one: &mut AssociationRequest) -> Result<(), Refusal> {
    match (one.master_profile_id, one.detail_profile_id) {
        (None, None) => {
            let message = "A profile association needs masterProfileId or detailProfileId";
            return Err(Refusal::invalid(message));
        }
        (None, Some(_)) => {
            one.master_profile_id = Some(id);
            one.master = one.master.or(Some(kind));
        }
        (Some(_), None) => {
            one.detail_profile_id = Some(id);
            one.detail = one.detail.or(Some(kind));
        }
        (Some(_), Some(_)) => {}
    }
    if kind == ProfileKind::Job && one.master == Some(ProfileKind::Match) {
        one.job_profile_id = Some(id);
    }
    Ok(())
}

struct SaveChecks<'a> {
    transaction: &'a Transaction,
    context: Context<'a>,
    kind: ProfileKind,
    id: Option<ProfileId>,
    is_new: bool,
}

impl SaveChecks<'_> {
    async fn validate(
        &self,
        profile: &Map<String, Value>,
        added: &[AssociationRequest],
        deleted: &[AssociationRequest],
    ) -> Result<(), Refusal> {
        let own = self.own(profile).await?;
        let problems = match self.kind {
            ProfileKind::Job => self.of_job(own, added, deleted).await?,
            ProfileKind::Action => self.of_action(own, profile, added, deleted).await?,
            ProfileKind::Mapping => self.of_mapping(own, profile, added, deleted).await?,
            ProfileKind::Match => own,
        };
        match problems.is_empty() {
            true => Ok(()),
            false => Err(Refusal::Invalid(problems)),
        }
    }

    async fn own(&self, profile: &Map<String, Value>) -> Result<Vec<String>, Refusal> {
        let (tables, name) = (self.context.tables(), form::name(profile));
        let name_is_taken = is_taken(self.transaction, tables, self.kind, name, self.id).await?;
        let id_is_taken = match (self.is_new, self.id) {
            (true, Some(id)) => !self.profiles(self.kind, &[id]).await?.is_empty(),
            _ => false,
        };
        Ok(form::problems(
            self.kind,
            profile,
            name_is_taken,
            id_is_taken,
        ))
    }

    async fn profiles(
        &self,
        kind: ProfileKind,
        ids: &[ProfileId],
    ) -> Result<HashMap<ProfileId, Value>, Refusal> {
        let found = of_ids(self.transaction, self.context.tenant, kind, ids).await?;
        Ok(found.into_iter().collect())
    }

    async fn of_job(
        &self,
        own: Vec<String>,
        added: &[AssociationRequest],
        deleted: &[AssociationRequest],
    ) -> Result<Vec<String>, Refusal> {
        let existing = match self.id {
            Some(id) => {
                below(
                    self.transaction,
                    self.context.tenant,
                    ProfileKind::Job,
                    id,
                    Some(id),
                )
                .await?
            }
            None => Vec::new(),
        };
        let resulting = job::resulting_associations(existing, deleted, added);
        let mut found = HashMap::new();
        for kind in [ProfileKind::Action, ProfileKind::Match] {
            let ids: Vec<ProfileId> = job::ids(&resulting, kind).flatten().collect();
            let existing = self.profiles(kind, &ids).await?;
            if let Some(missing) = job::missing(&resulting, kind, &existing) {
                return Err(Refusal::NotFound(missing));
            }
            if kind == ProfileKind::Action {
                found = existing;
            }
        }
        let mut problems: Vec<String> = job::nothing(&resulting).into_iter().collect();
        problems.extend(own);
        problems.extend(job::misplaced(&resulting, &found));
        problems.extend(job::no_action(&resulting));
        Ok(problems)
    }

    async fn of_action(
        &self,
        own: Vec<String>,
        profile: &Map<String, Value>,
        added: &[AssociationRequest],
        deleted: &[AssociationRequest],
    ) -> Result<Vec<String>, Refusal> {
        let action = Value::Object(profile.clone());
        let mut problems = own;
        problems.extend(action::problem(&action));
        let coming = added
            .iter()
            .filter(|one| one.detail == Some(ProfileKind::Mapping));
        let coming: Vec<ProfileId> = coming.filter_map(|one| one.detail_profile_id).collect();
        for mapping in self.profiles(ProfileKind::Mapping, &coming).await?.values() {
            let sentence = || action::mapping_does_not_fit(mapping);
            problems.extend(action::misfit(&action, mapping, sentence));
        }
        if let (false, Some(id)) = (self.is_new, self.id) {
            self.is_there("Action", id).await?;
            let relations = below(
                self.transaction,
                self.context.tenant,
                ProfileKind::Action,
                id,
                None,
            )
            .await?;
            let goes = |mapping: ProfileId| {
                let mut deleted = deleted.iter();
                deleted.any(|one| one.detail_profile_id == Some(mapping))
            };
            let staying: Vec<ProfileId> = relations
                .iter()
                .filter(|one| one.master_profile_id == id && one.detail == ProfileKind::Mapping)
                .map(|one| one.detail_profile_id)
                .filter(|mapping| !goes(*mapping))
                .collect();
            for mapping in self
                .profiles(ProfileKind::Mapping, &staying)
                .await?
                .values()
            {
                let sentence = action::action_parts_from_mapping;
                problems.extend(action::misfit(&action, mapping, sentence));
            }
        }
        Ok(problems)
    }

    async fn of_mapping(
        &self,
        own: Vec<String>,
        profile: &Map<String, Value>,
        added: &[AssociationRequest],
        deleted: &[AssociationRequest],
    ) -> Result<Vec<String>, Refusal> {
        let mapping = Value::Object(profile.clone());
        let mut problems = Vec::new();
        let coming = added
            .iter()
            .filter(|one| one.master == Some(ProfileKind::Action));
        let coming: Vec<ProfileId> = coming.filter_map(|one| one.master_profile_id).collect();
        for action in self.profiles(ProfileKind::Action, &coming).await?.values() {
            let sentence = || action::action_does_not_fit(action);
            problems.extend(action::misfit(action, &mapping, sentence));
        }
        problems.extend(own);
        problems.extend(mapping_profile::problems(&mapping));
        if let (false, Some(id)) = (self.is_new, self.id) {
            self.is_there("Mapping", id).await?;
            let actions = actions_of(self.transaction, self.context.tenant, id).await?;
            let goes = |action: ProfileId| {
                let mut deleted = deleted.iter();
                deleted.any(|one| one.master_profile_id == Some(action))
            };
            let staying: Vec<ProfileId> = actions.into_iter().filter(|id| !goes(*id)).collect();
            for action in self.profiles(ProfileKind::Action, &staying).await?.values() {
                let sentence = action::mapping_parts_from_action;
                problems.extend(action::misfit(action, &mapping, sentence));
            }
        }
        Ok(problems)
    }

    async fn is_there(&self, what: &str, id: ProfileId) -> Result<(), Refusal> {
        if self.profiles(self.kind, &[id]).await?.is_empty() {
            let message = format!("{what} profile with id '{id}' was not found");
            return Err(Refusal::NotFound(message));
        }
        Ok(())
    }

    async fn write(
        &self,
        collection: &Collection,
        profile: Map<String, Value>,
    ) -> Result<(ProfileId, Value), Refusal> {
        let Context { tenant, stamp, .. } = self.context;
        let name = form::name(&profile).to_owned();
        let (id, stored) = match (self.is_new, self.id) {
            (false, Some(id)) => {
                let outcome = replace(
                    self.transaction,
                    tenant,
                    collection,
                    id.uuid(),
                    &profile,
                    &stamp,
                )
                .await;
                let replaced = outcome.map_err(|error| self.refused(error, &name))?;
                (id, replaced.new)
            }
            _ => {
                let outcome = insert(self.transaction, tenant, collection, profile, &stamp).await;
                let (id, stored) = outcome.map_err(|error| self.refused(error, &name))?;
                (ProfileId::from(id), stored)
            }
        };
        let stored = serde_json::from_slice(&stored).map_err(|error| StoreError::json(error))?;
        Ok((id, stored))
    }

    fn refused(&self, error: StoreError, name: &str) -> Refusal {
        match error {
            StoreError::NotFound => Refusal::NotFound(format!(
                "updateProfile:: {} with id '{}' was not found",
                self.kind.class(),
                self.id.unwrap_or_default()
            )),
            StoreError::Duplicate { .. } => Refusal::invalid(form::taken(self.kind, name)),
            other => other.into(),
        }
    }
}
