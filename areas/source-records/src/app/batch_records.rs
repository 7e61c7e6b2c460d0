//! Many records in one request: stored as the next generations, or their parsed part replaced.
//! Unreadable records are stored as error records and reported.

use std::collections::{HashMap, HashSet};

use octavo_boxed::boxed;
use octavo_library::{MatchedId, SnapshotId, SourceRecordId};
use octavo_records::StoreError;
use octavo_records::store::{Hold, Locking, fetch, fetch_many, insert_many, replace_many};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::record_form::Form;
use super::search::IdType;
use super::store_record::{checked, given_id, snapshot_takes_records};
use super::{Context, Refusal};
use crate::store::batch;

const TABLE: &str = "source_record";
/// Records of one request.
pub const RECORDS_MAX: usize = 5_000;

/// The result for a batch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// The stored records or parsed parts.
    pub stored: Vec<Value>,
    /// The errors of the others.
    pub problems: Vec<String>,
}

/// Stores records as the next generations of those that describe the same, all in one transaction.
///
/// # Errors
/// When they are not of one snapshot and one type, one does not have a record's shape, the snapshot
/// takes no records, or an id or a generation is taken: then none is stored.
#[boxed]
pub async fn create_records(
    context: &Context<'_>,
    documents: Vec<Value>,
) -> Result<Outcome, Refusal> {
    let mut outcome = Outcome::default();
    let documents = of_one_kind(context, documents)?;
    let Some(first) = documents.first() else {
        return Ok(outcome);
    };
    let snapshot: SnapshotId = id_at(first, "snapshotId").unwrap_or_default();
    if documents
        .iter()
        .any(|one| id_at(one, "snapshotId") != Some(snapshot))
    {
        return Err(Refusal::SeveralSnapshots);
    }
    let mut forms: Vec<(SourceRecordId, Form)> = Vec::with_capacity(documents.len());
    for document in documents {
        let id = given_id(&document).unwrap_or_else(|| Uuid::new_v4().into());
        let form = Form::read(document);
        outcome.problems.extend(problem(id, &form));
        forms.push((id, form));
    }
    let transaction = context.store.database.transaction().await?;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let found = fetch(
        &transaction,
        tenant,
        context.collection("snapshot"),
        snapshot.uuid(),
    )
    .await?;
    snapshot_takes_records(snapshot, found)?;

    let described: Vec<String> = forms
        .iter()
        .filter_map(|(_, form)| form.described().map(|(_, id)| id.to_owned()))
        .collect();
    batch::lock_all(&transaction, tenant, &described, &[]).await?;
    let external: Vec<Uuid> = described
        .iter()
        .filter_map(|id| Uuid::try_parse(id).ok())
        .collect();
    let known = if external.is_empty() {
        HashMap::new()
    } else {
        let wanted = IdType::External.among(&external);
        batch::matched_ids_of(&transaction, tenant, &wanted).await?
    };
    for (id, form) in &mut forms {
        let named = form.matched_id_in_marc();
        let named = named.and_then(MatchedId::parse);
        let same = || {
            let (_, external) = form.described().filter(|_| form.is_actual())?;
            known.get(external).copied()
        };
        let matched_id = named.or_else(same).unwrap_or((*id).into());
        form.set_matched_id(matched_id);
    }
    let matched_ids: Vec<MatchedId> = forms
        .iter()
        .filter_map(|(_, form)| id_at(&form.document, "matchedId"))
        .collect();
    batch::lock_all(&transaction, tenant, &[], &matched_ids).await?;
    let newest = batch::newest_generations(&transaction, tenant, &matched_ids).await?;
    batch::retire_all(&transaction, tenant, &matched_ids, stamp).await?;
    let mut documents: Vec<Map<String, Value>> = Vec::with_capacity(forms.len());
    for ((id, mut form), matched_id) in forms.into_iter().zip(matched_ids) {
        let generation = newest.get(&matched_id).map_or(0, |newest| newest + 1);
        form.document
            .insert("generation".to_owned(), json!(generation));
        let mut document = form.finish(id);
        stamp.complete(context.collection(TABLE), &mut document);
        documents.push(document);
    }
    outcome.stored = documents.iter().cloned().map(Value::Object).collect();
    let collection = context.collection(TABLE);
    insert_many(&transaction, tenant, collection, documents, stamp)
        .await
        .map_err(|error| match error {
            StoreError::Duplicate { .. } => Refusal::AlreadySaved,
            other => other.into(),
        })?;
    transaction.commit().await?;
    Ok(outcome)
}

/// Replaces the parsed part of records, optionally with external ids and suppression.
///
/// # Errors
/// When they are not of one type, or one has no id of its parsed part: then none is changed.
#[boxed]
pub async fn replace_parsed(
    context: &Context<'_>,
    documents: Vec<Value>,
) -> Result<Outcome, Refusal> {
    let mut outcome = Outcome::default();
    for document in &documents {
        let id = document["parsedRecord"]["id"].as_str();
        if id.is_none_or(str::is_empty) {
            return Err(Refusal::ParsedIdMissing);
        }
    }
    let mut forms: Vec<(SourceRecordId, Form)> = Vec::with_capacity(documents.len());
    let mut seen = HashSet::new();
    for document in of_one_kind(context, documents)? {
        let own = id_at(&document, "id");
        let parsed = document["parsedRecord"]["id"].as_str();
        let parsed = parsed.and_then(SourceRecordId::parse);
        let id = parsed.or(own).unwrap_or_default();
        let form = Form::read(document);
        match problem(own.unwrap_or(id), &form) {
            Some(problem) => outcome.problems.push(problem),
            // The first of duplicates wins.
            None if seen.insert(id) => forms.push((id, form)),
            None => {}
        }
    }
    let transaction = context.store.database.transaction().await?;
    let (tenant, collection) = (context.tenant, context.collection(TABLE));
    let mut ids: Vec<Uuid> = forms.iter().map(|(id, _)| id.uuid()).collect();
    ids.sort_unstable();
    let mut old = fetch_many(&transaction, tenant, collection, &ids, Hold::Exclusive).await?;
    let mut changed = Vec::with_capacity(forms.len());
    for (id, form) in forms {
        let Some(mut record) = old
            .remove(&id.uuid())
            .and_then(|old| of_kind_of(&form, old))
        else {
            let problem = format!("Parsed Record with id '{id}' was not updated");
            outcome.problems.push(problem);
            continue;
        };
        let sent = form.finish(id);
        for name in ["externalIdsHolder", "additionalInfo"] {
            let (Some(Value::Object(new)), true) = (sent.get(name), record.contains_key(name))
            else {
                if let Some(new) = sent.get(name) {
                    record.insert(name.to_owned(), new.clone());
                }
                continue;
            };
            if let Some(Value::Object(stored)) = record.get_mut(name) {
                stored.extend(new.clone());
            }
        }
        for name in ["parsedRecord", "leaderRecordStatus"] {
            if let Some(new) = sent.get(name) {
                record.insert(name.to_owned(), new.clone());
            }
        }
        outcome.stored.push(record["parsedRecord"].clone());
        changed.push((id.uuid(), record));
    }
    let stamp = &context.stamp;
    replace_many(
        &transaction,
        tenant,
        collection,
        &changed,
        stamp,
        Locking::Declared,
    )
    .await?;
    transaction.commit().await?;
    Ok(outcome)
}

/// The documents, of the shape of records and of one type.
fn of_one_kind(
    context: &Context<'_>,
    documents: Vec<Value>,
) -> Result<Vec<Map<String, Value>>, Refusal> {
    if documents.len() > RECORDS_MAX {
        return Err(Refusal::TooMany(RECORDS_MAX));
    }
    let documents = documents
        .into_iter()
        .map(|document| checked(context, document))
        .collect::<Result<Vec<_>, _>>()?;
    let kind = documents.first().map(|one| one["recordType"].clone());
    if documents
        .iter()
        .any(|one| Some(&one["recordType"]) != kind.as_ref())
    {
        return Err(Refusal::SeveralTypes);
    }
    Ok(documents)
}

/// The stored record that a form may change: only one of its type, since the form was validated for that
/// type.
fn of_kind_of(form: &Form, stored: Value) -> Option<Map<String, Value>> {
    match stored {
        Value::Object(stored) if stored.get("recordType") == form.document.get("recordType") => {
            Some(stored)
        }
        _ => None,
    }
}

/// FOLIO's message for unreadable MARC.
fn problem(id: SourceRecordId, form: &Form) -> Option<String> {
    let wrong = form.unreadable.as_ref()?;
    Some(format!("Record {id} has invalid parsed record; {wrong}"))
}

fn id_at<I: From<Uuid>>(document: &Map<String, Value>, name: &str) -> Option<I> {
    Uuid::try_parse(document.get(name)?.as_str()?)
        .ok()
        .map(I::from)
}
