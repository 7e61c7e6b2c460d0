//! Places a request for any item of an instance: tries the items one after another until a request is
//! accepted. Each try is a transaction of its own; refused ones leave nothing.

use std::collections::HashSet;

use octavo_library::{ItemStatus, RequestType};
use octavo_records::StoreError;
use serde_json::{Map, Value, json};

use super::allowed_service_points::criteria;
use super::place::place;
use super::{Declined, Desk};
use crate::allowed_points::kinds_for_status;
use crate::circulation_config::CirculationConfig;
use crate::instance_request::{Candidate, Wish, in_order, tries};
use crate::placing::PlaceRequest;
use crate::refusal::{AroundRequests, Refusal};
use crate::rules::CompiledRules;
use crate::store::copies::{Copies, of_instance};
use crate::store::{policy, settings};

/// Maximal number of items of an instance that are considered.
const ITEMS_MAX: i64 = 10_000;
/// Maximal number of tries. Items that status or policies forbid are excluded before, so remaining
/// refusals are mostly about the requester and the same for every item.
const TRIES_MAX: usize = 100;

/// Why no request was placed.
#[derive(Debug)]
pub enum Unplaced {
    /// The request itself is refused, or an error of the store.
    Declined(Declined),
    /// All tries were refused: the distinct reasons.
    Tried(Vec<Value>),
}

impl<E: Into<Declined>> From<E> for Unplaced {
    fn from(error: E) -> Unplaced {
        Unplaced::Declined(error.into())
    }
}

/// Places a request for the item of the instance that is available soonest, or for the title if title
/// level requests are enabled; returns it as FOLIO shows it. `permissions` are those of the operator
/// that override blocks.
///
/// # Errors
/// When a property is missing, there is no item, or all tries were refused.
pub async fn place_for_instance(
    desk: Desk<'_>,
    body: Map<String, Value>,
    permissions: &HashSet<String>,
) -> Result<Value, Unplaced> {
    let set = settings::settings(&desk.store.database, desk.tables()).await?;
    let requests = match set.title_level_requests().enabled {
        true => Wish::for_title(&body),
        false => for_items(desk, Wish::read(body)?).await?,
    };
    let mut reasons: Vec<Value> = Vec::new();
    for request in requests {
        match place(desk, &PlaceRequest::new(request), permissions).await {
            Ok(placed) => return Ok(placed),
            Err(declined) => {
                for reason in attempt_errors(declined)? {
                    if !reasons.contains(&reason) {
                        reasons.push(reason);
                    }
                }
            }
        }
    }
    Err(Unplaced::Tried(reasons))
}

/// The requests for items that are tried, in their order.
async fn for_items(desk: Desk<'_>, wish: Wish) -> Result<Vec<Map<String, Value>>, Unplaced> {
    let (database, tables) = (&desk.store.database, desk.tables());
    let (terms, copies) = futures_util::try_join!(
        policy::tenant_terms(database, tables),
        of_instance(database, tables, wish.instance, wish.requester, ITEMS_MAX),
    )?;
    if !copies.holdings {
        return Err(AroundRequests::NoHoldings.into());
    }
    if copies.items.is_empty() {
        return Err(AroundRequests::NoItems.into());
    }
    if let Some(asked) = copies.items.iter().find(|copy| copy.asked) {
        return Err(AroundRequests::AskedBefore {
            requester: wish.requester,
            item: asked.item,
            instance: wish.instance,
        }
        .into());
    }
    let config = desk.config(database, &terms).await?;
    let rules = desk.rules(database, &terms).await?;
    let candidates = in_order(candidates(&wish, &copies, &config, &rules));
    let tried = tries(&candidates).take(TRIES_MAX);
    Ok(tried
        .map(|(candidate, kind)| wish.for_item(candidate, kind))
        .collect())
}

fn candidates(
    wish: &Wish,
    copies: &Copies,
    config: &CirculationConfig,
    rules: &CompiledRules,
) -> Vec<Candidate> {
    let copy = |copy: &crate::store::copies::Copy| {
        let location = copy.kind.location.and_then(|id| config.locations.get(&id));
        let served = location
            .zip(wish.pickup_point)
            .is_some_and(|(location, point)| location.place.is_served_by(point));
        let criteria = copies
            .patron_group
            .and_then(|group| criteria(config, group, &copy.kind));
        let policy = criteria.and_then(|criteria| {
            let policy = rules.match_request_policy(&criteria).policy_id;
            config.request_policies.get(&policy)
        });
        let allowed = kinds_for_status(copy.kind.status).iter().copied();
        let by_policy = |kind: &RequestType| policy.is_none_or(|policy| policy.allows(*kind));
        Candidate {
            item: copy.item,
            holdings: copy.holdings,
            available: copy.kind.status == ItemStatus::Available,
            served,
            queue: copy.queue,
            due: copy.due,
            allowed: allowed.filter(by_policy).collect(),
        }
    };
    copies.items.iter().map(copy).collect()
}

/// The reasons of a refused try.
///
/// # Errors
/// When it is not a refusal but a database error.
fn attempt_errors(declined: Declined) -> Result<Vec<Value>, StoreError> {
    match declined {
        // FOLIO stops at the first error of a try.
        Declined::Refused(refusals) => Ok(refusals.iter().take(1).map(Refusal::to_error).collect()),
        Declined::Store(error) => Err(error),
        other => Ok(vec![
            json!({"message": other.to_string(), "parameters": []}),
        ]),
    }
}
