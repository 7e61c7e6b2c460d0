//! How many records have a value of a custom field.

use octavo_boxed::boxed;
use octavo_library::CustomFieldId;
use octavo_records::Context;
use octavo_records::store::fetch;

use super::{Refusal, object};
use crate::rules::definition::{self as custom_field, Definition, Form};
use crate::{CustomFields, store as stored};

#[boxed]
pub async fn definition(
    fields: &CustomFields,
    context: &Context<'_>,
    id: CustomFieldId,
) -> Result<Definition, Refusal> {
    let (store, collection) = (context.store, context.collection(fields.table));
    let found = fetch(&store.database, context.tenant, collection, id.uuid()).await?;
    found.map(object).ok_or(Refusal::NotFound(id))
}

/// A definition, and the number of records that have a value of it.
#[boxed]
pub async fn count(
    fields: &CustomFields,
    context: &Context<'_>,
    id: CustomFieldId,
) -> Result<(Definition, i64), Refusal> {
    let definition = definition(fields, context, id).await?;
    let reference = custom_field::text(&definition, "refId");
    let database = &context.store.database;
    let count = match fields.holder(&definition) {
        Some(holder) => stored::count_values(database, context.tenant, holder, reference).await?,
        None => 0,
    };
    Ok((definition, count))
}

/// A definition, and the number of records with an option of it.
///
/// # Errors
/// When there is no such definition or option.
#[boxed]
pub async fn count_option(
    fields: &CustomFields,
    context: &Context<'_>,
    id: CustomFieldId,
    option: &str,
) -> Result<(Definition, i64), Refusal> {
    let definition = definition(fields, context, id).await?;
    if custom_field::form(&definition) != Form::Select {
        return Err(Refusal::DefinitionChanged {
            property: "type".to_owned(),
            value: custom_field::text(&definition, "type").to_owned(),
            message: "The type of the custom field must be one of:SINGLE_SELECT_DROPDOWN, \
                      MULTI_SELECT_DROPDOWN, RADIO_BUTTON"
                .to_owned(),
        });
    }
    let options = custom_field::option_ids(&definition);
    if !options.contains(&option) {
        let shown: String = option.chars().take(100).collect();
        return Err(Refusal::DefinitionChanged {
            property: "optId".to_owned(),
            value: options.join(", "),
            message: format!("Option with id '{shown}' not found in custom field '{id}'"),
        });
    }
    let reference = custom_field::text(&definition, "refId");
    let database = &context.store.database;
    let count = match fields.holder(&definition) {
        Some(holder) => {
            let wanted = (reference, option);
            stored::count_option(database, context.tenant, holder, wanted).await?
        }
        None => 0,
    };
    Ok((definition, count))
}
