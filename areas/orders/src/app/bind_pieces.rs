//! Pieces that are bound together: they become one item, and the items that they had are Unavailable.

use octavo_boxed::boxed;
use octavo_circulation::app::Desk;
use octavo_circulation::app::move_request::move_request_within;
use octavo_circulation::config_cache::ConfigCache;
use octavo_circulation::placing::MoveRequest;
use octavo_library::ItemStatus;
use octavo_organizations::units::Operation;
use octavo_records::store::replace;
use serde_json::{Value, json};
use uuid::Uuid;

use super::pieces::{hold_line, protect};
use super::{Act, inventory, items};
use crate::refusal::{Code, Declined, Found, Refusal, of_circulation};
use crate::rules::doc::{Doc, at, clear, id as id_at, ids, list_in, object, set, text, whole};
use crate::rules::receipt::is_received;
use crate::store::inventory::{items as items_by_id, open_requests};
use crate::store::lines::Held;
use crate::store::pieces as stored;

/// What is bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    pub line_id: Uuid,
    pub piece_ids: Vec<Uuid>,
    pub item: Doc,
    pub requests: Option<Requests>,
}

/// What becomes of requests on the items of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requests {
    Transfer,
    /// They stay as they are.
    Stay,
}

impl Binding {
    /// Reads a request.
    #[must_use]
    pub fn read(body: &Doc) -> Binding {
        let item = at(body, "bindItem").cloned().map(object);
        Binding {
            line_id: id_at(body, "poLineId").unwrap_or_default(),
            piece_ids: ids(body, "bindPieceIds"),
            item: item.unwrap_or_default(),
            requests: match text(body, "requestsAction") {
                Some("Transfer") => Some(Requests::Transfer),
                Some(_) => Some(Requests::Stay),
                None => None,
            },
        }
    }
}

/// Binds pieces; returns the new item.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn bind(act: Act<'_>, binding: &Binding, cache: &ConfigCache) -> Result<Uuid, Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let has = |name| at(&binding.item, name).is_some();
    if !has("holdingId") && !has("locationId") {
        let code = Code::BindItemMustIncludeEitherHoldingIdOrLocationId;
        return Err(Refusal::invalid(code).into());
    }
    let held = hold_line(act, binding.line_id).await?;
    let pieces = stored::by_ids(transaction, tables, &binding.piece_ids, Held::Yes).await?;
    let is_done = |piece: &Doc| is_received(text(piece, "receivingStatus").unwrap_or_default());
    if pieces.len() < binding.piece_ids.len() || !pieces.iter().all(is_done) {
        return Err(Refusal::invalid(Code::PiecesMustHaveReceivedStatus).into());
    }
    for piece in &pieces {
        protect(act, piece, Operation::Update).await?;
    }
    let item_ids: Vec<Uuid> = pieces
        .iter()
        .filter_map(|piece| id_at(piece, "itemId"))
        .collect();
    let requests = open_requests(transaction, tables, &item_ids).await?;
    let moves = match (requests.is_empty(), binding.requests) {
        (true, _) | (false, Some(Requests::Stay)) => Vec::new(),
        (false, None) => return Err(Refusal::invalid(Code::RequestsActionRequired).into()),
        (false, Some(Requests::Transfer)) => {
            check_tenants(&pieces, &binding.item)?;
            requests
        }
    };
    let bound = make_item(act, &held.line, binding).await?;
    move_requests(act, moves, bound, cache).await?;
    for mut item in items_by_id(transaction, tables, &item_ids, Held::Yes).await? {
        let id = id_at(&item, "id").unwrap_or_default();
        items::set_status(&mut item, ItemStatus::Unavailable, context.stamp.at);
        items::write(work, &[(id, item)]).await?;
    }
    let mut title_id = None;
    for mut piece in pieces {
        title_id = id_at(&piece, "titleId");
        set(&mut piece, "isBound", true);
        set(&mut piece, "bindItemId", json!(bound));
        let tenant = at(&binding.item, "tenantId").cloned();
        let own = Value::String(context.tenant.id().to_owned());
        set(&mut piece, "bindItemTenantId", tenant.unwrap_or(own));
        write_piece(act, piece).await?;
    }
    if let Some(id) = title_id {
        change_title(act, id, |items| items.push(json!(bound))).await?;
    }
    Ok(bound)
}

/// Moves requests to the bound item, in the order of their queues, as the desk would: circulation closes
/// their old queues, tells the patrons and keeps its log.
async fn move_requests(
    act: Act<'_>,
    mut requests: Vec<Doc>,
    item: Uuid,
    cache: &ConfigCache,
) -> Result<(), Declined> {
    requests.sort_by_key(|request| whole(request, "position").unwrap_or(i64::MAX));
    let desk = Desk {
        context: *act.work.context,
        cache,
    };
    let to = MoveRequest {
        destination: item.into(),
        kind: None,
    };
    for request in requests {
        let id = id_at(&request, "id").unwrap_or_default();
        Box::pin(move_request_within(
            desk,
            act.work.transaction,
            id.into(),
            to,
        ))
        .await
        .map_err(of_circulation)?;
    }
    Ok(())
}

/// Refuses to move requests between tenants.
fn check_tenants(pieces: &[Doc], item: &Doc) -> Result<(), Refusal> {
    let mut tenants: Vec<&str> = pieces
        .iter()
        .filter_map(|piece| text(piece, "receivingTenantId"))
        .chain(text(item, "tenantId"))
        .collect();
    tenants.sort_unstable();
    tenants.dedup();
    match tenants.len() > 1 {
        true => Err(Refusal::invalid(
            Code::PiecesHaveDifferentReceivingTenantIds,
        )),
        false => Ok(()),
    }
}

async fn make_item(act: Act<'_>, line: &Doc, binding: &Binding) -> Result<Uuid, Declined> {
    let sent = &binding.item;
    let holdings = match (id_at(sent, "holdingId"), id_at(sent, "locationId")) {
        (Some(holdings), _) => holdings,
        (None, Some(location)) => {
            let instance = inventory::instance(act, line, true).await?;
            inventory::find_or_make_holdings(act, instance, location).await?
        }
        (None, None) => return Err(Refusal::missing().into()),
    };
    let mut item = object(json!({
        "holdingsRecordId": holdings,
        "status": {"name": ItemStatus::InProcess.name()},
        "purchaseOrderLineIdentifier": binding.line_id,
    }));
    for (name, property) in [
        ("barcode", "barcode"),
        ("callNumber", "itemLevelCallNumber"),
        ("materialTypeId", "materialTypeId"),
        ("permanentLoanTypeId", "permanentLoanTypeId"),
    ] {
        if let Some(value) = at(sent, name) {
            set(&mut item, property, value.clone());
        }
    }
    if at(&item, "permanentLoanTypeId").is_none() {
        set(
            &mut item,
            "permanentLoanTypeId",
            json!(inventory::loan_type(act).await?),
        );
    }
    inventory::make_item(act, Value::Object(item)).await
}

/// Takes one piece out of its binding.
///
/// # Errors
/// 404 when there is none.
#[boxed]
pub async fn unbind(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let (transaction, tables) = (act.work.transaction, act.work.context.tables());
    let found = stored::by_ids(transaction, tables, &[id], Held::No).await?;
    let line_id = found
        .first()
        .and_then(|piece| id_at(piece, "poLineId"))
        .found()?;
    let _whole = hold_line(act, line_id).await?;
    let found = stored::by_ids(transaction, tables, &[id], Held::Yes).await?;
    let mut piece = found.into_iter().next().found()?;
    protect(act, &piece, Operation::Update).await?;
    let item = id_at(&piece, "bindItemId");
    set(&mut piece, "isBound", false);
    clear(&mut piece, "bindItemId");
    clear(&mut piece, "bindItemTenantId");
    let title_id = id_at(&piece, "titleId").unwrap_or_default();
    write_piece(act, piece).await?;
    let Some(item) = item else { return Ok(()) };
    let others = stored::of_lines(transaction, tables, &[line_id], Held::No).await?;
    if others
        .iter()
        .any(|piece| id_at(piece, "bindItemId") == Some(item))
    {
        return Ok(());
    }
    let gone = json!(item);
    change_title(act, title_id, |items| items.retain(|one| *one != gone)).await
}

async fn write_piece(act: Act<'_>, piece: Doc) -> Result<(), Declined> {
    let context = act.work.context;
    let id = id_at(&piece, "id").unwrap_or_default();
    let collection = context.collection("pieces");
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(act.work.transaction, tenant, collection, id, &piece, stamp).await?;
    Ok(())
}

async fn change_title(
    act: Act<'_>,
    id: Uuid,
    change: impl FnOnce(&mut Vec<Value>) + Send,
) -> Result<(), Declined> {
    let context = act.work.context;
    let collection = context.collection("titles");
    let (transaction, tenant) = (act.work.transaction, context.tenant);
    let found = octavo_records::store::fetch_locked(transaction, tenant, collection, id).await?;
    let mut title = object(found.found()?);
    change(list_in(&mut title, "bindItemIds"));
    replace(transaction, tenant, collection, id, &title, &context.stamp).await?;
    Ok(())
}
