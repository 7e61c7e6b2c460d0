//! How many users have a value of a custom field.

use octavo_boxed::boxed;
use octavo_library::CustomFieldId;
use octavo_records::store::fetch;

use super::{Refusal, UserContext, object};
use crate::rules::custom_field::{self, Definition, Form};
use crate::store::custom_fields;

/// The record type that has the values; other types' values are not in this area.
pub const ENTITY: &str = "user";

#[boxed]
pub async fn definition(
    context: &UserContext<'_>,
    id: CustomFieldId,
) -> Result<Definition, Refusal> {
    let (store, collection) = (context.store, context.collection("custom_fields"));
    let found = fetch(&store.database, context.tenant, collection, id.uuid()).await?;
    found.map(object).ok_or_else(|| Refusal::NotFound {
        kind: "CustomField",
        id: id.to_string(),
    })
}

/// A definition, and the number of users who have a value of it.
#[boxed]
pub async fn count(
    context: &UserContext<'_>,
    id: CustomFieldId,
) -> Result<(Definition, i64), Refusal> {
    let definition = definition(context, id).await?;
    let reference = custom_field::text(&definition, "refId");
    let database = &context.store.database;
    let count = match custom_field::text(&definition, "entityType") {
        ENTITY => custom_fields::count_values(database, context.tenant, reference).await?,
        _ => 0,
    };
    Ok((definition, count))
}

/// A definition, and the number of users who chose an option of it.
///
/// # Errors
/// When there is no such definition or option.
#[boxed]
pub async fn count_option(
    context: &UserContext<'_>,
    id: CustomFieldId,
    option: &str,
) -> Result<(Definition, i64), Refusal> {
    let definition = definition(context, id).await?;
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
    let count = match custom_field::text(&definition, "entityType") {
        ENTITY => custom_fields::count_option(database, context.tenant, reference, option).await?,
        _ => 0,
    };
    Ok((definition, count))
}
