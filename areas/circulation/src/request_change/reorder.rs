//! Decides on reordering a queue.

use std::collections::HashMap;

use octavo_library::{RequestId, RequestStatus};
use serde_json::{Map, Value};

use super::decide::status_of;
use crate::queue_upkeep::QueueOf;
use crate::refusal::UpkeepRefusal;

/// A request with its wanted position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedPosition {
    /// The request; none when what was sent is not an id.
    pub id: Option<RequestId>,
    pub place: Option<i64>,
}

/// The changed positions, if the order is valid.
///
/// # Errors
/// The first refusal, in FOLIO's order.
pub fn reorder(
    of: QueueOf,
    queue: &[(RequestId, Map<String, Value>)],
    wanted: &[WantedPosition],
) -> Result<Vec<(RequestId, i64)>, UpkeepRefusal> {
    let mut places: Vec<Option<i64>> = wanted.iter().map(|one| one.place).collect();
    places.sort_unstable();
    if (1..)
        .zip(&places)
        .any(|(place, given)| *given != Some(place))
    {
        return Err(UpkeepRefusal::NotSequential);
    }
    let by_id: HashMap<RequestId, i64> = wanted
        .iter()
        .filter_map(|one| Some((one.id?, one.place?)))
        .collect();
    let all = queue.iter().all(|(id, _)| by_id.contains_key(id));
    if wanted.len() != queue.len() || !all {
        return Err(UpkeepRefusal::Inconsistent);
    }
    let place = |id: &RequestId| by_id.get(id).copied().unwrap_or_default();
    let places_of = |which: &dyn Fn(&Map<String, Value>) -> bool| {
        let found = queue.iter().filter(|(_, request)| which(request));
        let mut places: Vec<i64> = found.map(|(id, _)| place(id)).collect();
        places.sort_unstable();
        places
    };
    let begun = places_of(&|request| status_of(request) != Ok(RequestStatus::NotYetFilled));
    match of {
        QueueOf::Item => {
            let pages = places_of(&|request| {
                request
                    .get("requestType")
                    .is_some_and(|kind| kind == "Page")
            });
            if pages.iter().any(|place| *place != 1) {
                return Err(UpkeepRefusal::PageDisplaced);
            }
            if begun.iter().any(|place| *place != 1) {
                return Err(UpkeepRefusal::FilledDisplaced);
            }
        }
        QueueOf::Title => {
            if (1..).zip(&begun).any(|(top, place)| *place != top) {
                return Err(UpkeepRefusal::FilledDisplacedFromTop);
            }
        }
    }
    let changed = queue.iter().filter_map(|(id, request)| {
        let before = request.get("position").and_then(Value::as_i64);
        let place = place(id);
        (before != Some(place)).then_some((*id, place))
    });
    Ok(changed.collect())
}
