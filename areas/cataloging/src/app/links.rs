//! The links of a record's fields with authorities, as the editor shows and sends them.

use std::collections::HashSet;

use octavo_authorities::app::links::links_of;
use octavo_authorities::app::suggest::suggest as suggest_links;
use octavo_authorities::app::{NewLink, put_links};
use octavo_authorities::rules::suggest::By;
use octavo_authorities::store::links::Link;
use octavo_authorities::store::rules;
use octavo_boxed::boxed;
use octavo_library::{AuthorityId, InstanceId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::{Map, Value, json};

use super::Context;
use crate::derive::Refusal;
use crate::quick_marc::{content_of, subfields_of};

/// Adds to each field of a bibliographic record its linked authority and the link's status.
#[boxed]
pub async fn show_links(
    context: &Context<'_>,
    instance: InstanceId,
    fields: &mut [Value],
) -> Result<(), StoreError> {
    let links = links_of(context, instance).await?;
    if links.is_empty() {
        return Ok(());
    }
    let rules = rules::all(&context.store.database, context.tenant).await?;
    for link in &links {
        let Some(rule) = rules.iter().find(|rule| rule.id == link.rule) else {
            continue;
        };
        let of_tag = |field: &&mut Value| field["tag"] == rule.bib_field.as_str();
        let only = fields.iter_mut().filter(of_tag).count() == 1;
        let id = link.authority_id.to_string();
        for field in fields.iter_mut().filter(of_tag) {
            if only || field["linkDetails"]["authorityId"] == id.as_str() {
                field["linkDetails"] = details(link);
            }
        }
    }
    Ok(())
}

fn details(link: &Link) -> Value {
    let mut details = json!({
        "authorityId": link.authority_id,
        "linkingRuleId": link.rule,
        "status": link.status,
    });
    if let Some(id) = &link.natural_id {
        details["authorityNaturalId"] = json!(id);
    }
    if let Some(cause) = &link.error_cause {
        details["errorCause"] = json!(cause);
    }
    details
}

/// Updates the links of an instance from the fields of its record, in the transaction of the record's
/// change.
///
/// # Errors
/// When there is no such authority or rule.
#[boxed]
pub async fn keep_links(
    context: &Context<'_>,
    transaction: &Transaction,
    instance: InstanceId,
    fields: &[Value],
) -> Result<(), Refusal> {
    let mut wanted: Vec<NewLink> = Vec::new();
    let mut named: HashSet<(AuthorityId, i32)> = HashSet::new();
    for details in fields.iter().map(|field| &field["linkDetails"]) {
        let authority = details["authorityId"].as_str();
        let authority = authority.and_then(AuthorityId::parse);
        let rule = details["linkingRuleId"].as_i64();
        let rule = rule.and_then(|rule| i32::try_from(rule).ok());
        if let (Some(authority_id), Some(rule)) = (authority, rule)
            && named.insert((authority_id, rule))
        {
            wanted.push(NewLink { authority_id, rule });
        }
    }
    put_links(context, transaction, instance, &wanted).await?;
    Ok(())
}

/// Marks in a record which field could follow which authority.
///
/// # Errors
/// When it names too many.
#[boxed]
pub async fn suggested(
    context: &Context<'_>,
    fields: &mut [Value],
    by: By,
    all_rules: bool,
) -> Result<(), Refusal> {
    let asked: Vec<Value> = fields.iter().map(source_field).collect();
    let mut records = [json!({ "fields": asked })];
    suggest_links(context, &mut records, by, all_rules).await?;
    let answered = records[0]["fields"].as_array().cloned().unwrap_or_default();
    for ((field, asked), answered) in fields.iter_mut().zip(&asked).zip(answered) {
        let tag = field["tag"].as_str().unwrap_or_default();
        let (before, after) = (&asked[tag], &answered[tag]);
        if before["subfields"] != after["subfields"] {
            field["content"] = json!(content_of(&after["subfields"]));
        }
        if !after["linkDetails"].is_null() {
            field["linkDetails"] = after["linkDetails"].clone();
        }
    }
    Ok(())
}

/// A field of the editor in the form of the linking rules.
fn source_field(field: &Value) -> Value {
    let tag = field["tag"].as_str().unwrap_or_default();
    let mut content = Map::new();
    for (at, name) in ["ind1", "ind2"].into_iter().enumerate() {
        if let Some(indicator) = field["indicators"].get(at) {
            content.insert(name.to_owned(), indicator.clone());
        }
    }
    let subfields = subfields_of(field["content"].as_str().unwrap_or_default());
    let subfields: Vec<Value> = subfields
        .into_iter()
        .map(|one| Value::Object(Map::from_iter([(one.code.to_string(), json!(one.value))])))
        .collect();
    content.insert("subfields".to_owned(), json!(subfields));
    if !field["linkDetails"].is_null() {
        content.insert("linkDetails".to_owned(), field["linkDetails"].clone());
    }
    Value::Object(Map::from_iter([(tag.to_owned(), Value::Object(content))]))
}
