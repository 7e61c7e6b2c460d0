//! Pieces that arrive, are received, or are expected again. Each piece succeeds or fails by itself; the
//! statuses of their lines and orders follow in the same transaction.

use std::collections::{HashMap, HashSet};

use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use octavo_organizations::units::Operation;
use octavo_records::StoreError;
use octavo_records::store::replace;
use serde_json::json;
use uuid::Uuid;

use super::pieces::{Whole, follow_receipt, hold_lines, make_item, protect, settle_orders};
use super::{Act, inventory, items, keep_line};
use crate::refusal::{Code, Declined, Refusal, Wrong};
use crate::rules::arrival::{Arrival, Becomes, How, apply, becomes};
use crate::rules::doc::{Doc, at, clear, flag, id as id_at, set, text};
use crate::rules::line::{Line, kind_of_piece};
use crate::rules::piece::describe_item;
use crate::rules::receipt::By;
use crate::rules::statuses::Workflow;
use crate::store::inventory::items as items_by_id;
use crate::store::lines::Held;
use crate::store::pieces as stored;
use crate::store::titles::of_lines;

/// The savepoint to which a piece that fails returns.
const PIECE: &str = "piece";

/// What became of the pieces of a line.
#[derive(Debug)]
pub struct LineResult {
    pub line_id: Uuid,
    pub pieces: Vec<(Uuid, Option<Wrong>)>,
}

/// Handles the pieces of a request.
///
/// # Errors
/// 400 for a line with several titles that is no package.
#[boxed]
pub async fn handle(
    act: Act<'_>,
    how: How,
    lines: Vec<(Uuid, Vec<Arrival>)>,
) -> Result<Vec<LineResult>, Declined> {
    let line_ids: Vec<Uuid> = lines.iter().map(|(id, _)| *id).collect();
    let mut held: HashMap<Uuid, Whole> = hold_lines(act, &line_ids)
        .await?
        .into_iter()
        .map(|whole| (Line(&whole.line).id(), whole))
        .collect();
    if how != How::Expect {
        refuse_several_titles(act, &held).await?;
    }
    let piece_ids: Vec<Uuid> = lines
        .iter()
        .flat_map(|(_, arrivals)| arrivals.iter().map(|one| one.piece_id))
        .collect();
    let tables = act.work.context.tables();
    let found = stored::by_ids(act.work.transaction, tables, &piece_ids, Held::Yes).await?;
    let mut pieces: HashMap<Uuid, Doc> = found
        .into_iter()
        .filter_map(|piece| Some((id_at(&piece, "id")?, piece)))
        .collect();
    let mut results = Vec::with_capacity(lines.len());
    let mut orders = Vec::new();
    for (line_id, arrivals) in lines {
        let whole = held.get_mut(&line_id);
        let mut outcomes = Vec::with_capacity(arrivals.len());
        let Some(whole) = whole else {
            let unknown = |one: &Arrival| (one.piece_id, Some(Code::PieceNotFound.into()));
            results.push(LineResult {
                line_id,
                pieces: arrivals.iter().map(unknown).collect(),
            });
            continue;
        };
        for arrival in &arrivals {
            let wrong = one_piece(act, how, whole, arrival, &mut pieces).await?;
            outcomes.push((arrival.piece_id, wrong));
        }
        let some_succeeded = outcomes.iter().any(|(_, wrong)| wrong.is_none());
        if some_succeeded && follow_receipt(act, &mut whole.line, By::Desk).await? {
            keep_line::write(act.work, line_id, whole.line.clone()).await?;
            if how != How::Expect {
                orders.push(whole.order_id);
            }
        }
        results.push(LineResult {
            line_id,
            pieces: outcomes,
        });
    }
    settle_orders(act, orders).await?;
    Ok(results)
}

/// A line that is no package has one title: one that was a package may have kept several.
async fn refuse_several_titles(act: Act<'_>, held: &HashMap<Uuid, Whole>) -> Result<(), Declined> {
    let single = |whole: &&Whole| !Line(&whole.line).is_package();
    let lines: Vec<Uuid> = held
        .values()
        .filter(single)
        .map(|whole| Line(&whole.line).id())
        .collect();
    let tables = act.work.context.tables();
    let titles = of_lines(act.work.transaction, tables, &lines, Held::No).await?;
    let mut seen = HashSet::new();
    let is_second = |title: &Doc| !seen.insert(id_at(title, "poLineId"));
    match titles.iter().any(is_second) {
        true => Err(Refusal::bad(Code::MultipleNonPackageTitles).into()),
        false => Ok(()),
    }
}

/// Handles one piece; what is refused is undone.
async fn one_piece(
    act: Act<'_>,
    how: How,
    whole: &Whole,
    arrival: &Arrival,
    pieces: &mut HashMap<Uuid, Doc>,
) -> Result<Option<Wrong>, Declined> {
    let Some(piece) = pieces.get(&arrival.piece_id) else {
        return Ok(Some(Code::PieceNotFound.into()));
    };
    if id_at(piece, "poLineId") != Some(arrival.line_id) {
        return Ok(Some(Code::PiecePolMismatch.into()));
    }
    if how == How::Expect && text(piece, "receivingStatus") == Some("Received") {
        return Ok(Some(Code::PieceAlreadyReceived.into()));
    }
    let transaction = act.work.transaction;
    transaction.savepoint(PIECE).await?;
    let done = arrive(act, how, whole, arrival, piece.clone()).await;
    match done {
        Ok(piece) => {
            transaction.release(PIECE).await?;
            pieces.insert(arrival.piece_id, piece);
            Ok(None)
        }
        Err(Declined::Refused(refusal)) => {
            transaction.rollback_to(PIECE).await?;
            Ok(Some(reason(refusal)))
        }
        Err(fault) => Err(fault),
    }
}

fn reason(refusal: Refusal) -> Wrong {
    match refusal {
        Refusal::Listed { mut wrong, .. } if !wrong.is_empty() => match wrong[0].code {
            Code::UserNotAMemberOfTheAcq => Code::UserHasNoPermission.into(),
            _ => wrong.remove(0),
        },
        other => Wrong::of(Code::ItemUpdateFailed).with("cause", other.said()),
    }
}

async fn arrive(
    act: Act<'_>,
    how: How,
    whole: &Whole,
    arrival: &Arrival,
    mut piece: Doc,
) -> Result<Doc, Declined> {
    protect(act, &piece, Operation::Update).await?;
    let line = Line(&whole.line);
    let said = &arrival.said;
    let is_closed = Workflow::of(&whole.order) == Workflow::Closed || line.is_cancelled();
    let outcome = becomes(how, said, at(&piece, "itemId").is_some(), is_closed);
    if how != How::Expect {
        place(act, &whole.line, said, &mut piece).await?;
        if flag(said, "createItem") && at(&piece, "itemId").is_none() {
            let item = make_item(act, &piece, &whole.line).await;
            let item = item.map_err(|declined| of_item(declined, Code::ItemCreationFailed))?;
            set(&mut piece, "itemId", json!(item));
        }
    }
    apply(&mut piece, how, said, outcome, &act.now());
    let status = match outcome {
        Becomes::Received(status) | Becomes::Expected(status) => status,
    };
    if how != How::Expect
        && let Some(item_id) = id_at(&piece, "itemId")
    {
        let changed = change_item(act, item_id, &piece, said, status).await;
        changed.map_err(|declined| of_item(declined, Code::ItemUpdateFailed))?;
    }
    let context = act.work.context;
    let collection = context.collection("pieces");
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let id = arrival.piece_id;
    replace(act.work.transaction, tenant, collection, id, &piece, stamp).await?;
    Ok(piece)
}

/// What the inventory refuses of an item fails its piece, and not the others of the request.
fn of_item(declined: Declined, code: Code) -> Declined {
    let cause = match declined {
        Declined::Refused(refusal) if refusal.code() == Some(Code::GenericError) => refusal.said(),
        Declined::Store(
            error @ (StoreError::Invalid(_)
            | StoreError::Duplicate { .. }
            | StoreError::MissingReference { .. }),
        ) => error.to_string(),
        other => return other,
    };
    Refusal::bad(Wrong::of(code).with("cause", cause)).into()
}

/// Lets a piece lie where the body says; with a location of a line that makes holdings, in holdings there.
async fn place(act: Act<'_>, line: &Doc, said: &Doc, piece: &mut Doc) -> Result<(), Declined> {
    let kind = kind_of_piece(text(piece, "format").unwrap_or_default());
    let makes_holdings = Line(line).makes_holdings(kind);
    if let Some(holdings) = id_at(said, "holdingId") {
        set(piece, "holdingId", json!(holdings));
        clear(piece, "locationId");
    } else if let Some(location) = id_at(said, "locationId") {
        match makes_holdings {
            true => {
                let instance = inventory::instance(act, line, true).await?;
                let holdings = inventory::find_or_make_holdings(act, instance, location).await?;
                set(piece, "holdingId", json!(holdings));
                clear(piece, "locationId");
            }
            false => {
                set(piece, "locationId", json!(location));
                clear(piece, "holdingId");
            }
        }
    }
    let lies = at(piece, "holdingId").is_some() || at(piece, "locationId").is_some();
    match makes_holdings && !lies {
        true => Err(Refusal::bad(Code::LocNotProvided).into()),
        false => Ok(()),
    }
}

async fn change_item(
    act: Act<'_>,
    id: Uuid,
    piece: &Doc,
    said: &Doc,
    status: Option<ItemStatus>,
) -> Result<(), Declined> {
    let tables = act.work.context.tables();
    let found = items_by_id(act.work.transaction, tables, &[id], Held::Yes).await?;
    let item = found.into_iter().next();
    let mut item = item.ok_or_else(|| Refusal::bad(Code::ItemNotRetrieved))?;
    describe_item(&mut item, said);
    if let Some(holdings) = at(piece, "holdingId") {
        set(&mut item, "holdingsRecordId", holdings.clone());
    }
    if let Some(material) = at(said, "materialTypeId") {
        set(&mut item, "materialTypeId", material.clone());
    }
    if let Some(status) = status.filter(|status| items::status_of(&item) != Some(*status)) {
        items::set_status(&mut item, status, act.work.context.stamp.at);
    }
    items::replace(act.work, id, item).await
}
