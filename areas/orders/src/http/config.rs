//! The small lists of mod-orders: prefixes, suffixes, reasons, acquisition methods, templates, units.

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use octavo_platform::records_http::{Hooks, Refused, Write};
use octavo_platform::respond::{created, empty, pretty};
use octavo_platform::{Answer, ApiError, Call};
use octavo_records::Collection;
use octavo_records::plan::{Predicate, TextMatch};
use octavo_records::store::fetch;
use serde_json::{Value, json};
use uuid::Uuid;

use super::acts::{act, body};
use super::lists::{Listed, list};
use crate::app::config_lists;
use crate::refusal::{Code, Refusal, is_taken};
use crate::rules::doc::{id as id_at, object, text};
use crate::rules::patterns::is_asked_number;
use crate::shapes::PO_NUMBER;
use crate::store::numbers::next_order_number;
use crate::store::usage::is_number_taken;

/// The body's id is the path's.
fn same_id(_: &Call, write: Write, document: &mut Value) -> Result<(), ApiError> {
    let sent = document
        .as_object()
        .and_then(|document| id_at(document, "id"));
    match (write, sent) {
        (Write::Replace(id), Some(sent)) if sent != id => {
            Err(Refusal::invalid(Code::IdMismatch).answer())
        }
        _ => Ok(()),
    }
}

fn placed(path: &str, id: Uuid, stored: Bytes) -> Response {
    created(stored, &format!("{path}/{id}"))
}

/// Prefixes.
pub const PREFIXES: Hooks = Hooks {
    before: same_id,
    created: |_, id, stored| placed("/orders/configuration/prefixes", id, stored),
    ..Hooks::NONE
};
/// Suffixes.
pub const SUFFIXES: Hooks = Hooks {
    before: same_id,
    created: |_, id, stored| placed("/orders/configuration/suffixes", id, stored),
    ..Hooks::NONE
};
/// Reasons that clients write are always users' own.
pub const REASONS: Hooks = Hooks {
    before: |call, write, document| {
        if let Some(document) = document.as_object_mut() {
            document.insert("source".to_owned(), json!("User"));
        }
        same_id(call, write, document)
    },
    created: |_, id, stored| placed("/orders/configuration/reasons-for-closure", id, stored),
    ..Hooks::NONE
};
/// Templates have names of their own.
pub const TEMPLATES: Hooks = Hooks {
    created: |_, id, stored| placed("/orders/order-templates", id, stored),
    wording: |refused: Refused<'_>| match is_taken(&refused.error, "templateName") {
        true => Refusal::invalid(Code::TemplateNameNotUnique).answer(),
        false => refused.as_stored(),
    },
    ..Hooks::NONE
};
/// Units that were deleted are shown to those who ask for them only.
pub const UNITS: Hooks = Hooks {
    plan: Some(|call: &Call, collection: &Collection, plan| {
        let asks = call
            .paging()?
            .query
            .is_some_and(|query| query.contains("isDeleted"));
        let by = collection
            .indexes
            .iter()
            .find(|index| index.field == "isDeleted");
        if let (false, Some(by)) = (asks, by) {
            let deleted = Predicate::Text(TextMatch::declared(by.clone(), "=", "true"));
            let found = std::mem::replace(&mut plan.predicate, Predicate::Everything);
            plan.predicate = Predicate::Except(Box::new(found), Box::new(deleted));
        }
        Ok(())
    }),
    created: |_, id, stored| placed("/acquisitions-units/units", id, stored),
    ..Hooks::NONE
};
/// Who belongs to units.
pub const MEMBERSHIPS: Hooks = Hooks {
    created: |_, id, stored| placed("/acquisitions-units/memberships", id, stored),
    ..Hooks::NONE
};
/// Acquisition methods.
pub const METHODS: Hooks = Hooks {
    created: |_, id, stored| placed("/orders/acquisition-methods", id, stored),
    ..Hooks::NONE
};

/// A prefix deleted, unless an order has it.
///
/// # Errors
/// 400 when one has.
pub async fn delete_prefix(call: Call) -> Result<Response, ApiError> {
    delete(&call, config_lists::PREFIXES).await
}

/// A suffix deleted, unless an order has it.
///
/// # Errors
/// 400 when one has.
pub async fn delete_suffix(call: Call) -> Result<Response, ApiError> {
    delete(&call, config_lists::SUFFIXES).await
}

async fn delete(call: &Call, affix: config_lists::Affix) -> Result<Response, ApiError> {
    let id = call.id()?;
    act(call, |act| {
        Box::pin(config_lists::delete_affix(act, affix, id))
    })
    .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// An acquisition method deleted, unless it is the system's or a line has it.
///
/// # Errors
/// 400 when it is.
pub async fn delete_method(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    act(&call, |act| Box::pin(config_lists::delete_method(act, id))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A unit that counts as deleted from now on.
///
/// # Errors
/// 404 when there is none.
pub async fn delete_unit(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    act(&call, |act| Box::pin(config_lists::delete_unit(act, id))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Whether a number can be that of a new order.
///
/// # Errors
/// 400 when it is taken, 422 when it is none.
pub async fn validate_number(call: Call) -> Result<Response, ApiError> {
    let sent = body(&call, &PO_NUMBER, |sent| {
        let number = text(sent, "poNumber").filter(|number| !is_asked_number(number));
        number
            .map(|number| octavo_records::Violation {
                message: "must match \"^[a-zA-Z0-9]{1,16}$\"".to_owned(),
                code: "jakarta.validation.constraints.Pattern.message",
                path: "poNumber".to_owned(),
                value: number.to_owned(),
            })
            .into_iter()
            .collect()
    })?;
    let number = text(&sent, "poNumber").unwrap_or_default();
    let database = &call.writer().database;
    match is_number_taken(database, call.tables(), number, None).await? {
        true => Err(Refusal::bad(Code::PoNumberNotUnique).answer()),
        false => Ok(empty(StatusCode::NO_CONTENT)),
    }
}

/// The next number of an order.
///
/// # Errors
/// On a database error.
pub async fn number(call: Call) -> Result<Response, ApiError> {
    let next = next_order_number(&call.writer().database, &call.tenant).await?;
    Ok(pretty(
        StatusCode::OK,
        &json!({"poNumber": next.to_string()}),
    ))
}

/// The exports of lines.
///
/// # Errors
/// When the query cannot be run.
pub async fn export_history(call: Call) -> Result<Response, ApiError> {
    list(&call, Listed::of("export_history")).await
}

/// A new routing list.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create_routing_list(call: Call) -> Result<Response, ApiError> {
    let sent = routing_list(&call)?;
    let (id, stored) = act(&call, |act| {
        Box::pin(config_lists::add_routing_list(act, sent))
    })
    .await?;
    Ok(placed("/orders/routing-lists", id, stored))
}

/// A routing list replaced.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace_routing_list(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let sent = routing_list(&call)?;
    act(&call, |act| {
        Box::pin(config_lists::change_routing_list(act, id, sent))
    })
    .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn routing_list(call: &Call) -> Result<crate::rules::doc::Doc, ApiError> {
    let context = call.context();
    Ok(crate::app::checked(
        &context,
        "routing_list",
        call.record()?,
    )?)
}

/// A routing list as its template prints it.
///
/// # Errors
/// 404 without the list or the setting of the address type.
pub async fn routing_list_template(call: Call) -> Result<Response, ApiError> {
    let context = call.context();
    let collection = context.collection("routing_list");
    let database = &context.store.database;
    let found = fetch(database, context.tenant, collection, call.id()?).await?;
    let found = object(found.ok_or_else(ApiError::not_found)?);
    let shown = config_lists::routing_list_view(&context, &found).await?;
    Ok(pretty(StatusCode::OK, &shown))
}
