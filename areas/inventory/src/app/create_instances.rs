//! Many instances at once, with their links to others, in one transaction. Unlike the storage's batches,
//! refused instances are reported and the others stored.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{insert, insert_many};
use octavo_records::{StoreError, new_id};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::link_instance::{LINKS_MAX, LISTS, RELATIONSHIP, TITLE};
use super::relate_instances::refuse_circle;
use super::store_batch::RECORDS_MAX;
use super::{Context, Refusal, checked, id_in, object, store_instance};
use crate::rules::instance_form::{Links, wrong_in_batch};
use crate::rules::instance_links::stored_form;
use crate::store::instance_links;

/// The result for a batch.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The ids of the instances that were stored, in their order.
    pub created: Vec<Uuid>,
    /// Why other instances or links were refused.
    pub errors: Vec<String>,
}

/// One instance that can be stored.
struct Accepted {
    id: Uuid,
    instance: Map<String, Value>,
    links: Links,
}

/// The savepoint to return to when a statement is refused.
const TRIED: &str = "tried";

/// Stores instances given as forms.
///
/// # Errors
/// When there are too many: then none is stored.
#[boxed]
pub async fn create_instances(
    context: &Context<'_>,
    forms: Vec<Value>,
) -> Result<Outcome, Refusal> {
    if forms.len() > RECORDS_MAX {
        return Err(Refusal::TooMany {
            most: RECORDS_MAX,
            sent: forms.len(),
        });
    }
    let mut outcome = Outcome::default();
    let mut accepted = Vec::with_capacity(forms.len());
    for form in forms {
        match accept(context, form) {
            Ok(one) => accepted.push(one),
            Err(wrong) => outcome.errors.push(format!(
                "Instance is not valid for further processing: [{}]",
                wrong.join(", ")
            )),
        }
    }
    let links = accepted.iter().map(|one| count(&one.links)).sum();
    if links > LINKS_MAX {
        return Err(Refusal::TooMany {
            most: LINKS_MAX,
            sent: links,
        });
    }
    if accepted.is_empty() {
        return Ok(outcome);
    }
    let transaction = context.store.database.transaction().await?;
    let stored = store(&transaction, context, accepted, &mut outcome).await?;
    link(&transaction, context, &stored, &mut outcome).await?;
    transaction.commit().await?;
    outcome.created = stored.into_iter().map(|(id, _)| id).collect();
    Ok(outcome)
}

fn accept(context: &Context<'_>, mut form: Value) -> Result<Accepted, Vec<String>> {
    let Value::Object(object_) = &mut form else {
        return Err(vec!["must be of type object".to_owned()]);
    };
    let links = Links::take(object_);
    let wrong = wrong_in_batch(&form, &links);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let instance = checked(context.collection("instance"), form);
    let mut instance = instance.map_err(|refusal| reasons(&refusal))?;
    let id = id_in(&instance, "id").unwrap_or_else(new_id);
    store_instance::complete(&mut instance, None, &context.now());
    let mut instance = object(instance);
    instance.insert("id".to_owned(), json!(id));
    Ok(Accepted {
        id,
        instance,
        links,
    })
}

fn count(links: &Links) -> usize {
    let lists = [
        &links.parents,
        &links.children,
        &links.preceding,
        &links.succeeding,
    ];
    lists.into_iter().flatten().map(Vec::len).sum()
}

/// Stores all in one statement. A refused batch is halved until the refused instances are single: a few
/// invalid ones among thousands cost a few statements.
async fn store(
    transaction: &Transaction,
    context: &Context<'_>,
    mut instances: Vec<Accepted>,
    outcome: &mut Outcome,
) -> Result<Vec<(Uuid, Links)>, Refusal> {
    let collection = context.collection("instance");
    let mut refused = vec![false; instances.len()];
    let mut tries = Vec::new();
    let mut next = Some(0..instances.len());
    let mut marked = false;
    while let Some(range) = next.take().or_else(|| tries.pop()) {
        let wanted = &instances[range.clone()];
        let documents = wanted.iter().map(|one| one.instance.clone()).collect();
        if !marked {
            transaction.savepoint(TRIED).await?;
        }
        let (tenant, stamp) = (context.tenant, &context.stamp);
        let tried = insert_many(transaction, tenant, collection, documents, stamp).await;
        let Err(error) = tried else {
            marked = false;
            continue;
        };
        if !is_about_records(&error) {
            return Err(error.into());
        }
        transaction.rollback_to(TRIED).await?;
        marked = true;
        match range.len() {
            1 => {
                refused[range.start] = true;
                let id = instances[range.start].id;
                outcome.errors.push(about(id, &Refusal::Store(error)));
            }
            many => {
                let middle = range.start + many / 2;
                tries.push(middle..range.end);
                tries.push(range.start..middle);
            }
        }
    }
    let mut refused = refused.into_iter();
    instances.retain(|_| refused.next() == Some(false));
    let stored = instances.into_iter().map(|one| (one.id, one.links));
    Ok(stored.collect())
}

/// Links the stored instances: all in one statement, and if one link is refused, instance by instance.
/// An instance whose links are refused stays without them, as in FOLIO.
async fn link(
    transaction: &Transaction,
    context: &Context<'_>,
    stored: &[(Uuid, Links)],
    outcome: &mut Outcome,
) -> Result<(), Refusal> {
    let linked: Vec<&(Uuid, Links)> = stored.iter().filter(|(_, it)| count(it) > 0).collect();
    if linked.is_empty() {
        return Ok(());
    }
    transaction.savepoint(TRIED).await?;
    match insert_links(transaction, context, &linked).await {
        Ok(()) => return Ok(()),
        Err(refusal) if is_of_links(&refusal) => transaction.rollback_to(TRIED).await?,
        Err(other) => return Err(other),
    }
    for one in linked {
        transaction.savepoint(TRIED).await?;
        match insert_links(transaction, context, &[one]).await {
            Ok(()) => {}
            Err(refusal) if is_of_links(&refusal) => {
                transaction.rollback_to(TRIED).await?;
                outcome.errors.push(about(one.0, &refusal));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

async fn insert_links(
    transaction: &Transaction,
    context: &Context<'_>,
    instances: &[&(Uuid, Links)],
) -> Result<(), Refusal> {
    for table in [RELATIONSHIP, TITLE] {
        let collection = context.collection(table);
        let mut documents = Vec::new();
        for (id, links) in instances {
            let lists = [
                &links.parents,
                &links.children,
                &links.preceding,
                &links.succeeding,
            ];
            for (list, (of, own, other)) in lists.into_iter().zip(LISTS) {
                for link in list.iter().flatten().filter(|_| of == table) {
                    let link = stored_form(link, own, other, *id);
                    documents.push(object(checked(collection, link)?));
                }
            }
        }
        let (tenant, stamp) = (context.tenant, &context.stamp);
        if table != RELATIONSHIP {
            insert_many(transaction, tenant, collection, documents, stamp).await?;
            continue;
        }
        instance_links::one_at_a_time(transaction, tenant).await?;
        // One by one: two links of a batch may form a cycle together.
        for link in documents {
            let link = Value::Object(link);
            refuse_circle(transaction, context, &link, None).await?;
            insert(transaction, tenant, collection, object(link), stamp).await?;
        }
    }
    Ok(())
}

fn is_of_links(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Store(error) => is_about_records(error),
        _ => true,
    }
}

/// Whether the records caused the error, and not the database or a concurrent transaction.
fn is_about_records(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Duplicate { .. }
            | StoreError::Invalid(_)
            | StoreError::MissingReference { .. }
            | StoreError::TooLarge(_)
    )
}

fn about(id: Uuid, why: &Refusal) -> String {
    format!("Instance {id}: {}", reasons(why).join(", "))
}

fn reasons(refusal: &Refusal) -> Vec<String> {
    match refusal {
        Refusal::Store(StoreError::Invalid(violations)) => violations
            .iter()
            .map(|one| format!("{}: {}", one.path, one.message))
            .collect(),
        other => vec![other.to_string()],
    }
}
