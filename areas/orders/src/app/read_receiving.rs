//! What readers see of receiving: titles, requests on pieces, and who ordered holdings.

use octavo_boxed::boxed;
use octavo_organizations::units::{Operation, standing};
use octavo_records::Context;
use octavo_records::store::fetch;
use serde_json::{Value, json};
use uuid::Uuid;

use super::guard;
use super::terms::Rights;
use crate::refusal::{Declined, Found};
use crate::rules::doc::{Doc, at, id as id_at, object, text};
use crate::rules::units::protect;
use crate::store::inventory::open_requests;
use crate::store::lines::Held;
use crate::store::pieces;
use crate::store::usage::ordered_holdings;

/// A title.
///
/// # Errors
/// 404 when there is none, 403 when units protect it.
#[boxed]
pub async fn title(context: &Context<'_>, id: Uuid, rights: Rights) -> Result<Doc, Declined> {
    let database = &context.store.database;
    let found = fetch(database, context.tenant, context.collection("titles"), id).await?;
    let title = object(found.found()?);
    let of_title = guard::units_of(&title);
    if !rights.bypass_units && !of_title.is_empty() {
        let user = context.stamp.user_id;
        let known = standing(database, context.tables(), &of_title, user).await?;
        protect(&known, &of_title, Operation::Read)?;
    }
    Ok(title)
}

/// The open requests on the items of pieces; those with a status that begins like the wanted one.
#[boxed]
pub async fn requests(
    context: &Context<'_>,
    piece_ids: &[Uuid],
    status: Option<&str>,
) -> Result<Vec<Doc>, Declined> {
    let database = &context.store.database;
    let pieces = pieces::by_ids(database, context.tables(), piece_ids, Held::No).await?;
    let items: Vec<Uuid> = pieces
        .iter()
        .filter_map(|piece| id_at(piece, "itemId"))
        .collect();
    let mut found = open_requests(database, context.tables(), &items).await?;
    if let Some(status) = status {
        let wanted = status
            .trim_end_matches('*')
            .trim_matches('"')
            .to_lowercase();
        found.retain(|request| {
            let status = text(request, "status").unwrap_or_default().to_lowercase();
            status.starts_with(&wanted)
        });
    }
    Ok(found)
}

/// The lines that ordered holdings, by their locations or pieces.
#[boxed]
pub async fn holding_summary(
    context: &Context<'_>,
    holdings_id: Uuid,
) -> Result<Vec<Value>, Declined> {
    let database = &context.store.database;
    let rows = ordered_holdings(database, context.tables(), holdings_id).await?;
    let summary = |(line, order): &(Doc, Doc)| {
        let mut summary = json!({
            "poLineId": at(line, "id"),
            "poLineNumber": at(line, "poLineNumber"),
            "polReceiptStatus": at(line, "receiptStatus"),
            "orderType": at(order, "orderType"),
            "orderStatus": at(order, "workflowStatus"),
            "orderSentDate": at(order, "dateOrdered"),
            "orderCloseReason": at(order, "closeReason"),
        });
        if let Value::Object(summary) = &mut summary {
            summary.retain(|_, value| !value.is_null());
        }
        summary
    };
    Ok(rows.iter().map(summary).collect())
}
