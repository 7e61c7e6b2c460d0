//! Updates the links of an instance from a form: series and parts, preceding and succeeding titles.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{delete, insert_many, replace};
use serde_json::Value;
use uuid::Uuid;

use super::relate_instances::refuse_circle;
use super::{Context, Refusal, all_checked, checked, object, object_of};
use crate::rules::blocked_fields::instance_refusal;
use crate::rules::instance_form::Links;
use crate::rules::instance_links::{compare, stored_form};
use crate::store::instance_links;

/// One request changes at most this many links.
pub(super) const LINKS_MAX: usize = 10_000;

/// The table whose relationships must not form cycles.
pub(super) const RELATIONSHIP: &str = "instance_relationship";
/// The table of preceding and succeeding titles.
pub(super) const TITLE: &str = "preceding_succeeding_title";

/// The four lists of a form in their order: the table, and the properties of the instance's own id and
/// of the other's.
pub(super) const LISTS: [(&str, &str, &str); 4] = [
    (RELATIONSHIP, "subInstanceId", "superInstanceId"),
    (RELATIONSHIP, "superInstanceId", "subInstanceId"),
    (TITLE, "succeedingInstanceId", "precedingInstanceId"),
    (TITLE, "precedingInstanceId", "succeedingInstanceId"),
];

/// One of the four lists of a form.
struct List {
    table: &'static str,
    own: &'static str,
    other: &'static str,
    wanted: Option<Vec<Value>>,
    from_marc: bool,
}

/// Sets the links of an instance; omitted lists stay as they are. Titles of an instance that MARC
/// controls cannot change.
///
/// # Errors
/// When a link does not fit or leads to an instance that does not exist.
#[boxed]
pub async fn link_instance(
    transaction: &Transaction,
    context: &Context<'_>,
    id: Uuid,
    links: Links,
    marc: bool,
) -> Result<(), Refusal> {
    let wanted = [
        links.parents,
        links.children,
        links.preceding,
        links.succeeding,
    ];
    for ((table, own, other), wanted) in LISTS.into_iter().zip(wanted) {
        let list = List {
            table,
            own,
            other,
            wanted,
            from_marc: marc && table == TITLE,
        };
        store(transaction, context, id, list).await?;
    }
    Ok(())
}

/// The links of an instance to preceding or succeeding titles: `own` is the property with its id.
#[boxed]
pub async fn titles_of(
    transaction: &Transaction,
    context: &Context<'_>,
    instance: Uuid,
    own: &'static str,
) -> Result<Vec<(Uuid, Value)>, Refusal> {
    Ok(instance_links::read(transaction, context.tenant, TITLE, own, instance).await?)
}

async fn store(
    transaction: &Transaction,
    context: &Context<'_>,
    id: Uuid,
    list: List,
) -> Result<(), Refusal> {
    let Some(wanted) = list.wanted else {
        return Ok(());
    };
    if wanted.len() > LINKS_MAX {
        return Err(Refusal::TooMany {
            most: LINKS_MAX,
            sent: wanted.len(),
        });
    }
    let wanted: Vec<Value> = wanted
        .iter()
        .map(|link| stored_form(link, list.own, list.other, id))
        .collect();
    let stored =
        instance_links::read(transaction, context.tenant, list.table, list.own, id).await?;
    let changes = compare(&stored, wanted);
    if changes.is_empty() {
        return Ok(());
    }
    if list.from_marc {
        return Err(Refusal::property(instance_refusal(), "null", "null"));
    }
    let collection = context.collection(list.table);
    for id in changes.gone {
        delete(transaction, context.tenant, collection, id).await?;
    }
    if list.table == RELATIONSHIP {
        instance_links::one_at_a_time(transaction, context.tenant).await?;
        let changed = changes.changed.iter().map(|(id, link)| (Some(*id), link));
        // All new links lead to or from this instance, so two of them cannot form a cycle together.
        for (id, link) in changed.chain(changes.new.iter().map(|link| (None, link))) {
            refuse_circle(transaction, context, link, id).await?;
        }
    }
    for (id, link) in changes.changed {
        let link = object_of(id, checked(collection, link)?);
        replace(
            transaction,
            context.tenant,
            collection,
            id,
            &link,
            &context.stamp,
        )
        .await?;
    }
    let new = all_checked(collection, changes.new)?
        .into_iter()
        .map(|(_, link)| object(link));
    let new = new.collect();
    insert_many(transaction, context.tenant, collection, new, &context.stamp).await?;
    Ok(())
}
