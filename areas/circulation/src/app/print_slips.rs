//! The slips of a service point: pick slips and search slips.

use octavo_library::{LocationId, RequestType, ServicePointId};
use octavo_platform::trace;
use octavo_records::StoreError;
use serde_json::{Value, json};

use super::Desk;
use crate::circulation_config::CirculationConfig;
use crate::representation;
use crate::store::waiting::at_locations;
use crate::store::{policy, settings};

/// Maximal number of pick slips, as in FOLIO.
pub const PICK_SLIPS_MAX: i64 = 2_500;
/// Maximal number of search slips, as in FOLIO.
pub const SEARCH_SLIPS_MAX: i64 = 2_000;

/// The pages that wait for an item of a service point.
pub async fn pick_slips(desk: Desk<'_>, point: ServicePointId) -> Result<Value, StoreError> {
    slips(desk, point, RequestType::Page, PICK_SLIPS_MAX).await
}

/// The holds that wait for an item of a service point, or for a title that it has; empty if the settings
/// disable search slips.
pub async fn search_slips(desk: Desk<'_>, point: ServicePointId) -> Result<Value, StoreError> {
    let set = settings::settings(&desk.store.database, desk.tables()).await?;
    if !set.prints_hold_requests() {
        return Ok(json!([]));
    }
    slips(desk, point, RequestType::Hold, SEARCH_SLIPS_MAX).await
}

async fn slips(
    desk: Desk<'_>,
    point: ServicePointId,
    kind: RequestType,
    most: i64,
) -> Result<Value, StoreError> {
    let (database, tables) = (&desk.store.database, desk.tables());
    let terms = policy::tenant_terms(database, tables).await?;
    let config = desk.cache.config(database, tables, &terms).await?;
    let locations = locations_of(&config, point);
    if locations.is_empty() {
        return Ok(json!([]));
    }
    let titles = kind == RequestType::Hold;
    let waiting = at_locations(database, tables, kind, &locations, titles, most).await?;
    let _composing = trace::span("compose the slips");
    let name = config.point_name(point);
    Ok(representation::slips(
        waiting,
        name.as_deref(),
        &config,
        desk.stamp.at,
    ))
}

/// The locations whose primary service point this is.
fn locations_of(config: &CirculationConfig, point: ServicePointId) -> Vec<LocationId> {
    let locations = config.locations.iter();
    let locations = locations.filter(|(_, one)| one.place.primary_service_point == Some(point));
    locations.map(|(id, _)| *id).collect()
}
