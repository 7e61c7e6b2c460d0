//! Pieces by themselves: added, changed and deleted, with their items and holdings, and with the copies of a
//! line that counts its pieces. Locked in one order: the order, the line, then pieces.

use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use octavo_organizations::units::Operation;
use octavo_records::new_id;
use octavo_records::store::{delete as delete_record, insert, replace};
use serde_json::json;
use uuid::Uuid;

use super::settle::{MayReopen, settle, settle_by_id};
use super::{Act, guard, inventory, items, keep_line, keep_order, lines};
use crate::refusal::{Code, Declined, Found, Refusal, Wrong};
use crate::rules::doc::{Doc, at, clear, id as id_at, object, set, set_or_clear, text};
use crate::rules::line::{Kind, Line, kind_of_piece};
use crate::rules::piece::{count, count_at, describe_item, is_counted, place_of, wrong_with};
use crate::rules::price;
use crate::rules::receipt::{By, Pieces, follow, is_expected, is_received, set_status};
use crate::rules::statuses::{Workflow, is_ongoing};
use crate::rules::wanted::{self, Copies};
use crate::store::inventory::{items as items_by_id, open_requests};
use crate::store::lines::{Held, by_ids};
use crate::store::pieces as stored;

/// What a piece belongs to, locked.
#[derive(Debug)]
pub struct Whole {
    pub order_id: Uuid,
    pub order: Doc,
    pub line: Doc,
}

/// Locks the order and the line of pieces.
///
/// # Errors
/// 404 when there is none.
#[boxed]
pub async fn hold_line(act: Act<'_>, line_id: Uuid) -> Result<Whole, Declined> {
    let (work, tables) = (act.work, act.work.context.tables());
    let found = by_ids(work.transaction, tables, &[line_id], Held::No).await?;
    let order_id = found
        .first()
        .and_then(|line| Line(line).order_id())
        .found()?;
    let order = keep_order::hold(work, order_id).await?.found()?;
    let line = keep_line::hold(work, line_id).await?.found()?;
    Ok(Whole {
        order_id,
        order,
        line,
    })
}

/// The title of a piece.
async fn title_of(act: Act<'_>, piece: &Doc) -> Result<Doc, Declined> {
    let context = act.work.context;
    let id = id_at(piece, "titleId").unwrap_or_default();
    let collection = context.collection("titles");
    let found =
        octavo_records::store::fetch(act.work.transaction, context.tenant, collection, id).await?;
    let wrong = || Refusal::new(404, Wrong::of(Code::TitleNotFound));
    Ok(object(found.ok_or_else(wrong)?))
}

/// Checks an operation on pieces by the units of their title.
///
/// # Errors
/// 403.
#[boxed]
pub async fn protect(act: Act<'_>, piece: &Doc, operation: Operation) -> Result<(), Declined> {
    let title = title_of(act, piece).await?;
    guard::protect(act, &guard::units_of(&title), &[operation]).await
}

/// Adds pieces of one line and title; returns them as they are stored.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn create(
    act: Act<'_>,
    pieces: Vec<Doc>,
    makes_items: bool,
) -> Result<Vec<Doc>, Declined> {
    let Some(first) = pieces.first() else {
        return Ok(pieces);
    };
    let of = |piece: &Doc| (id_at(piece, "poLineId"), id_at(piece, "titleId"));
    if pieces.iter().any(|piece| of(piece) != of(first)) {
        let code = Code::AllPiecesMustHaveTheSamePoLineIdAndTitleId;
        return Err(Refusal::invalid(code).into());
    }
    let line_id = id_at(first, "poLineId").unwrap_or_default();
    let Whole {
        order_id: _,
        order,
        line: old,
    } = hold_line(act, line_id).await?;
    let wrong: Vec<Wrong> = pieces
        .iter()
        .flat_map(|piece| wrong_with(piece, Line(&old), &order, makes_items))
        .collect();
    Refusal::any(400, wrong)?;
    let mut title = title_of(act, first).await?;
    guard::protect(act, &guard::units_of(&title), &[Operation::Create]).await?;
    let mut line = old.clone();
    let mut done = Vec::with_capacity(pieces.len());
    for mut piece in pieces {
        take_place(act, &mut piece, &mut line, &mut title).await?;
        if makes_items && at(&piece, "itemId").is_none() {
            let item = make_item(act, &piece, &line).await?;
            set(&mut piece, "itemId", json!(item));
        }
        if at(&piece, "id").is_none() {
            set(&mut piece, "id", json!(new_id()));
        }
        let context = act.work.context;
        let collection = context.collection("pieces");
        let (_, bytes) = insert(
            act.work.transaction,
            context.tenant,
            collection,
            piece.clone(),
            &context.stamp,
        )
        .await?;
        if is_counted(Line(&line)) {
            count(&mut line, &piece, 1);
        }
        let stored: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(octavo_records::StoreError::from)?;
        done.push(object(stored));
    }
    write_counted(act, &order, &old, line).await?;
    Ok(done)
}

/// Gives a piece holdings where its line makes them: found or made at its location.
async fn take_place(
    act: Act<'_>,
    piece: &mut Doc,
    line: &mut Doc,
    title: &mut Doc,
) -> Result<(), Declined> {
    let kind = kind_of_piece(text(piece, "format").unwrap_or_default());
    let Some(location) = id_at(piece, "locationId") else {
        return Ok(());
    };
    if !Line(line).makes_holdings(kind) {
        return Ok(());
    }
    let instance = match id_at(title, "instanceId") {
        Some(instance) => instance,
        None => {
            let instance = inventory::instance(act, line, true).await?;
            set(title, "instanceId", json!(instance));
            instance
        }
    };
    let holdings = inventory::find_or_make_holdings(act, instance, location).await?;
    set(piece, "holdingId", json!(holdings));
    clear(piece, "locationId");
    Ok(())
}

/// Makes the item of a piece.
#[boxed]
pub async fn make_item(act: Act<'_>, piece: &Doc, line: &Doc) -> Result<Uuid, Declined> {
    let kind = kind_of_piece(text(piece, "format").unwrap_or_default());
    let holdings = id_at(piece, "holdingId");
    let holdings = holdings.ok_or_else(|| Refusal::bad(Code::LocationIdAndHoldingIdAbsentError))?;
    let copies = Copies {
        kind,
        holdings_id: Some(holdings),
        location_id: None,
        tenant_id: None,
        count: 1,
    };
    let loan_type = inventory::loan_type(act).await?;
    let status = ItemStatus::OnOrder.name();
    let mut item = object(wanted::item(
        Line(line),
        &copies,
        holdings,
        loan_type,
        status,
    ));
    describe_item(&mut item, piece);
    inventory::make_item(act, serde_json::Value::Object(item)).await
}

/// Writes a line whose copies its pieces have changed: its price and encumbrances follow.
async fn write_counted(
    act: Act<'_>,
    order: &Doc,
    old: &Doc,
    mut line: Doc,
) -> Result<(), Declined> {
    if line == *old {
        return Ok(());
    }
    price::complete(&mut line);
    let encumbers = crate::rules::encumbrance::is_changed(old, &line);
    lines::write_changed(act, (order, old), line, encumbers).await
}

/// How a piece is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changing {
    pub makes_item: bool,
    /// Holdings that are empty afterwards are deleted.
    pub deletes_holdings: bool,
}

/// Replaces a piece.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn change(act: Act<'_>, id: Uuid, mut piece: Doc, how: Changing) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    set(&mut piece, "id", json!(id));
    let line_id = id_at(&piece, "poLineId").unwrap_or_default();
    let found = stored::by_ids(transaction, tables, &[id], Held::No).await?;
    let left_id = found.first().found()?;
    let left_id = id_at(left_id, "poLineId").filter(|left| *left != line_id);
    let (whole, left) = hold_both(act, line_id, left_id).await?;
    let Whole {
        order_id,
        order,
        line: old_line,
    } = whole;
    let found = stored::by_ids(transaction, tables, &[id], Held::Yes).await?;
    let old = found.into_iter().next().found()?;
    if id_at(&old, "poLineId") != left_id.or(Some(line_id)) {
        return Err(Refusal::text(409, "The piece has moved to another line meanwhile.").into());
    }
    let wrong = wrong_with(&piece, Line(&old_line), &order, how.makes_item);
    Refusal::any(400, wrong)?;
    let mut title = title_of(act, &piece).await?;
    guard::protect(act, &guard::units_of(&title), &[Operation::Update]).await?;
    if let Some(left) = &left {
        protect(act, &old, Operation::Update).await?;
        may_move(left, &title, line_id)?;
    }
    let mut line = old_line.clone();
    take_place(act, &mut piece, &mut line, &mut title).await?;
    let status_changed = text(&old, "receivingStatus") != text(&piece, "receivingStatus");
    match status_changed {
        true => set(&mut piece, "statusUpdatedDate", act.now()),
        false => {
            let since = at(&old, "statusUpdatedDate").cloned();
            set_or_clear(&mut piece, "statusUpdatedDate", since);
        }
    }
    if how.makes_item && at(&piece, "itemId").is_none() {
        let item = make_item(act, &piece, &line).await?;
        set(&mut piece, "itemId", json!(item));
    }
    follow_item(act, &piece, left_id.map(|_| line_id)).await?;
    match (is_counted(Line(&line)), &left) {
        (true, Some(_)) => count(&mut line, &piece, 1),
        (true, None) => {
            let kind = |piece: &Doc| kind_of_piece(text(piece, "format").unwrap_or_default());
            let (before, now) = (kind(&old), kind(&piece));
            if before != now {
                // Of a line with both kinds: it has one copy less of one and one more of the other.
                count(&mut line, &old, -1);
                count(&mut line, &piece, 1);
            } else if place_of(&old) != place_of(&piece) {
                count_at(&mut line, place_of(&old), now, -1);
                count_at(&mut line, place_of(&piece), now, 1);
            }
        }
        (false, _) => {}
    }
    let collection = context.collection("pieces");
    replace(
        transaction,
        context.tenant,
        collection,
        id,
        &piece,
        &context.stamp,
    )
    .await?;
    let (before, now) = (id_at(&old, "holdingId"), id_at(&piece, "holdingId"));
    if how.deletes_holdings
        && let Some(before) = before.filter(|before| Some(*before) != now)
    {
        inventory::delete_empty_holdings(act, &[before], &[]).await?;
    }
    let open_once = Workflow::of(&order) == Workflow::Open && !is_ongoing(&order);
    if status_changed || open_once || left.is_some() {
        follow_receipt(act, &mut line, By::Piece).await?;
    }
    write_counted(act, &order, &old_line, line).await?;
    if let Some(left) = left {
        leave_line(act, left, &old, order_id).await?;
    }
    settle(act, order_id, order, MayReopen::Yes).await
}

/// Locks the line of a piece and, where it is moved, the line that it leaves.
async fn hold_both(
    act: Act<'_>,
    line_id: Uuid,
    left_id: Option<Uuid>,
) -> Result<(Whole, Option<Whole>), Declined> {
    let Some(left_id) = left_id else {
        return Ok((hold_line(act, line_id).await?, None));
    };
    let mut both = hold_lines(act, &[line_id, left_id]).await?;
    let at = both.iter().position(|one| Line(&one.line).id() == line_id);
    let whole = both.swap_remove(at.found()?);
    Ok((whole, Some(both.pop().found()?)))
}

/// FOLIO moves a piece under any title, and leaves its copy with the line before. Here it has a title of its new line,
/// and a line that counts its pieces keeps one, as when pieces are deleted.
fn may_move(left: &Whole, title: &Doc, line_id: Uuid) -> Result<(), Refusal> {
    if id_at(title, "poLineId") != Some(line_id) {
        return Err(Refusal::invalid(Code::PiecePolMismatch));
    }
    let left = Line(&left.line);
    refuse_last(left)
}

/// Refuses to take the only piece of a line that counts its pieces.
fn refuse_last(line: Line<'_>) -> Result<(), Refusal> {
    let copies: i64 = Kind::BOTH.into_iter().map(|kind| line.copies(kind)).sum();
    match !line.is_independent() && copies == 1 {
        true => {
            let wrong = Wrong::of(Code::LastPiece)
                .with("OverallCostQuantity", copies)
                .with("PoLineId", line.id());
            Err(Refusal::invalid(wrong))
        }
        false => Ok(()),
    }
}

/// Writes the line that a piece has left: its copies, price and encumbrances, and what it still waits for.
async fn leave_line(
    act: Act<'_>,
    left: Whole,
    piece: &Doc,
    order_id: Uuid,
) -> Result<(), Declined> {
    let (work, mut line) = (act.work, left.line.clone());
    let id = Line(&line).id();
    if is_counted(Line(&line)) {
        count(&mut line, piece, -1);
    }
    let tables = work.context.tables();
    let others = stored::of_lines(work.transaction, tables, &[id], Held::No).await?;
    if !others.is_empty() {
        follow_receipt(act, &mut line, By::Piece).await?;
    }
    write_counted(act, &left.order, &left.line, line).await?;
    match left.order_id == order_id {
        true => Ok(()),
        false => settle(act, left.order_id, left.order, MayReopen::Yes).await,
    }
}

/// Lets the item of a piece follow it: its holdings, barcode and the like, and the line that the piece was moved to.
async fn follow_item(act: Act<'_>, piece: &Doc, line_id: Option<Uuid>) -> Result<(), Declined> {
    let Some(id) = id_at(piece, "itemId") else {
        return Ok(());
    };
    let tables = act.work.context.tables();
    let found = items_by_id(act.work.transaction, tables, &[id], Held::Yes).await?;
    let Some(old) = found.into_iter().next() else {
        return Ok(());
    };
    let mut new = old.clone();
    describe_item(&mut new, piece);
    if let Some(holdings) = at(piece, "holdingId") {
        set(&mut new, "holdingsRecordId", holdings.clone());
    }
    if let Some(line_id) = line_id {
        set(&mut new, "purchaseOrderLineIdentifier", json!(line_id));
    }
    match new == old {
        true => Ok(()),
        false => items::replace(act.work, id, new).await,
    }
}

/// Computes the receipt status of a line that will be written; returns whether it changed.
#[boxed]
pub async fn follow_receipt(act: Act<'_>, line: &mut Doc, by: By) -> Result<bool, Declined> {
    let tables = act.work.context.tables();
    let id = Line(line).id();
    let pieces = stored::of_lines(act.work.transaction, tables, &[id], Held::No).await?;
    let counted = |test: fn(&str) -> bool| {
        let all = pieces.iter();
        let count = all
            .filter(|piece| test(text(piece, "receivingStatus").unwrap_or_default()))
            .count();
        i64::try_from(count).unwrap_or(i64::MAX)
    };
    let pieces = Pieces {
        expected: counted(is_expected),
        received: counted(is_received),
    };
    Ok(follow(line, pieces, by, &act.now()))
}

/// Deletes a piece with its item, if that is On order.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn delete(act: Act<'_>, id: Uuid, deletes_holdings: bool) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let found = stored::by_ids(transaction, tables, &[id], Held::No).await?;
    let line_id = found
        .first()
        .and_then(|piece| id_at(piece, "poLineId"))
        .found()?;
    let Whole {
        order, line: old, ..
    } = hold_line(act, line_id).await?;
    let found = stored::by_ids(transaction, tables, &[id], Held::Yes).await?;
    let piece = found.into_iter().next().found()?;
    protect(act, &piece, Operation::Delete).await?;
    refuse_last(Line(&old))?;
    let item_id = id_at(&piece, "itemId");
    if let Some(item_id) = item_id {
        if !open_requests(transaction, tables, &[item_id])
            .await?
            .is_empty()
        {
            return Err(Refusal::invalid(Code::ThereAreRequestsOnItem).into());
        }
        let items = items_by_id(transaction, tables, &[item_id], Held::Yes).await?;
        let on_order = |item: &Doc| items::status_of(item) == Some(ItemStatus::OnOrder);
        if items.iter().any(on_order) {
            let collection = context.collection("item");
            delete_record(transaction, context.tenant, collection, item_id).await?;
        }
    }
    let collection = context.collection("pieces");
    delete_record(transaction, context.tenant, collection, id).await?;
    let mut line = old.clone();
    if is_counted(Line(&line)) {
        count(&mut line, &piece, -1);
    }
    write_counted(act, &order, &old, line).await?;
    if deletes_holdings && let Some(holdings) = id_at(&piece, "holdingId") {
        inventory::delete_empty_holdings(act, &[holdings], &[]).await?;
    }
    Ok(())
}

/// What many pieces get.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStatus {
    pub ids: Vec<Uuid>,
    pub status: String,
    /// The interval of a claim and notes, by name.
    pub more: Doc,
}

/// Gives many pieces a status.
///
/// # Errors
/// 400 for unknown pieces, 403 for pieces that units protect.
#[boxed]
pub async fn set_statuses(act: Act<'_>, wanted: &NewStatus) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let found = stored::by_ids(transaction, tables, &wanted.ids, Held::No).await?;
    let unknown: Vec<String> = wanted
        .ids
        .iter()
        .filter(|id| !found.iter().any(|piece| id_at(piece, "id") == Some(**id)))
        .map(Uuid::to_string)
        .collect();
    if !unknown.is_empty() {
        let wrong = Wrong::of(Code::PieceNotFound).with("pieceIds", unknown.join(", "));
        return Err(Refusal::bad(wrong).into());
    }
    let line_ids: Vec<Uuid> = found
        .iter()
        .filter_map(|piece| id_at(piece, "poLineId"))
        .collect();
    let mut orders: Vec<Uuid> = Vec::new();
    for whole in hold_lines(act, &line_ids).await? {
        let line_id = Line(&whole.line).id();
        let own: Vec<Uuid> = found
            .iter()
            .filter(|piece| id_at(piece, "poLineId") == Some(line_id))
            .filter_map(|piece| id_at(piece, "id"))
            .collect();
        let mut changed = false;
        for mut piece in stored::by_ids(transaction, tables, &own, Held::Yes).await? {
            protect(act, &piece, Operation::Update).await?;
            changed |= set_status(&mut piece, &wanted.status, &act.now());
            for (name, value) in &wanted.more {
                set(&mut piece, name, value.clone());
            }
            let id = id_at(&piece, "id").unwrap_or_default();
            let collection = context.collection("pieces");
            replace(
                transaction,
                context.tenant,
                collection,
                id,
                &piece,
                &context.stamp,
            )
            .await?;
        }
        let mut line = whole.line;
        if changed && follow_receipt(act, &mut line, By::Piece).await? {
            keep_line::write(work, line_id, line).await?;
            orders.push(whole.order_id);
        }
    }
    settle_orders(act, orders).await
}

/// Lets orders, which are locked, follow their lines; each once.
#[boxed]
pub async fn settle_orders(act: Act<'_>, mut orders: Vec<Uuid>) -> Result<(), Declined> {
    orders.sort_unstable();
    orders.dedup();
    for order in orders {
        settle_by_id(act, order).await?;
    }
    Ok(())
}

/// Locks lines with their orders: all orders by id, then the lines by id.
///
/// # Errors
/// 404 when one is missing.
#[boxed]
pub async fn hold_lines(act: Act<'_>, line_ids: &[Uuid]) -> Result<Vec<Whole>, Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let mut ids = line_ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let found = by_ids(transaction, tables, &ids, Held::No).await?;
    let mut orders: Vec<Uuid> = found
        .iter()
        .filter_map(|line| Line(line).order_id())
        .collect();
    orders.sort_unstable();
    orders.dedup();
    let orders = super::look_up::hold_orders(transaction, context, &orders).await?;
    let lines = by_ids(transaction, tables, &ids, Held::Yes).await?;
    let whole = |line: Doc| {
        let order_id = Line(&line).order_id()?;
        let order = orders.get(&order_id)?.clone();
        Some(Whole {
            order_id,
            order,
            line,
        })
    };
    Ok(lines.into_iter().filter_map(whole).collect())
}
