//! Late pieces that vendors are asked about.

use std::collections::BTreeMap;

use octavo_boxed::boxed;
use octavo_organizations::app::look_up::organizations;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Act;
use super::pieces::{NewStatus, hold_lines, set_statuses};
use crate::refusal::{Code, Declined, Refusal, Wrong};
use crate::rules::doc::{Doc, id as id_at, set, text};
use crate::rules::line::Line;
use crate::store::config::entries;
use crate::store::lines::Held;
use crate::store::pieces as stored;

/// The module whose entries say how claims are sent.
const EXPORTS: &str = "mod-data-export-spring";

/// A request to claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    pub piece_ids: Vec<Uuid>,
    /// The interval and notes that the pieces get.
    pub more: Doc,
}

/// Claims pieces; returns those that were claimed.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn claim(act: Act<'_>, claim: Claim) -> Result<Vec<Uuid>, Declined> {
    let (transaction, tables) = (act.work.transaction, act.work.context.tables());
    if claim.piece_ids.is_empty() {
        return Err(Refusal::bad(Code::CannotSendClaimsPieceIdsAreEmpty).into());
    }
    let configured = entries(transaction, tables, EXPORTS).await?;
    if configured.is_empty() {
        return Err(Refusal::bad(Code::CannotRetrieveConfigEntries).into());
    }
    let by_vendor = late_by_vendor(act, &claim.piece_ids).await?;
    let none = || Refusal::bad(Code::CannotFindPiecesWithLatestStatusToProcess);
    if by_vendor.is_empty() {
        return Err(none().into());
    }
    let vendor_ids: Vec<Uuid> = by_vendor.keys().copied().collect();
    let vendors = organizations(transaction, tables, &vendor_ids).await?;
    let mut wrong = Vec::new();
    let mut claimed: Vec<Uuid> = Vec::new();
    for (vendor_id, pieces) in by_vendor {
        let Some(vendor) = vendors.get(&vendor_id).filter(|one| one.is_vendor) else {
            continue;
        };
        let name = format!("CLAIMS_{vendor_id}");
        if !configured.keys().any(|key| key.starts_with(&name)) {
            wrong.push(
                Wrong::of(Code::UnableToGenerateClaimsForOrgNoIntegrationDetails)
                    .naming(&[&vendor.code])
                    .with("vendorCode", &vendor.code),
            );
        }
        claimed.extend(pieces);
    }
    Refusal::any(422, wrong)?;
    if claimed.is_empty() {
        return Err(none().into());
    }
    let status = NewStatus {
        ids: claimed.clone(),
        status: "Claim sent".to_owned(),
        more: claim.more,
    };
    set_statuses(act, &status).await?;
    Ok(claimed)
}

/// The late ones of pieces, by the vendor of their order.
async fn late_by_vendor(
    act: Act<'_>,
    piece_ids: &[Uuid],
) -> Result<BTreeMap<Uuid, Vec<Uuid>>, Declined> {
    let (transaction, tables) = (act.work.transaction, act.work.context.tables());
    let pieces = stored::by_ids(transaction, tables, piece_ids, Held::No).await?;
    let late: Vec<&Doc> = pieces
        .iter()
        .filter(|piece| text(piece, "receivingStatus") == Some("Late"))
        .collect();
    let line_ids: Vec<Uuid> = late
        .iter()
        .filter_map(|piece| id_at(piece, "poLineId"))
        .collect();
    let mut by_vendor: BTreeMap<Uuid, Vec<Uuid>> = BTreeMap::new();
    for whole in hold_lines(act, &line_ids).await? {
        let Some(vendor) = id_at(&whole.order, "vendor") else {
            continue;
        };
        let line_id = Some(Line(&whole.line).id());
        let own = late
            .iter()
            .filter(|piece| id_at(piece, "poLineId") == line_id);
        let ids = own.filter_map(|piece| id_at(piece, "id"));
        by_vendor.entry(vendor).or_default().extend(ids);
    }
    Ok(by_vendor)
}

/// The notes and the interval of a request.
#[must_use]
pub fn more_of(body: &Doc) -> Doc {
    let mut more = Doc::new();
    for name in ["claimingInterval", "internalNote", "externalNote"] {
        if let Some(value) = body.get(name).filter(|value| !value.is_null()) {
            set(&mut more, name, value.clone());
        }
    }
    more
}

/// What became of claimed pieces, as it is answered.
#[must_use]
pub fn results(pieces: &[Uuid]) -> Value {
    let results: Vec<Value> = pieces
        .iter()
        .map(|id| json!({"pieceId": id, "status": "success"}))
        .collect();
    json!({"claimingPieceResults": results})
}
