//! Locations: where items are.

use serde::Deserialize;

use crate::{CampusId, InstitutionId, LibraryId, ServicePointId};

/// A stored location: the units above it and the service points that serve it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub institution_id: Option<InstitutionId>,
    pub campus_id: Option<CampusId>,
    pub library_id: Option<LibraryId>,
    /// The service point that items of the location return to.
    pub primary_service_point: Option<ServicePointId>,
    #[serde(default)]
    pub service_point_ids: Vec<ServicePointId>,
}

impl Place {
    #[must_use]
    pub fn is_served_by(&self, service_point_id: ServicePointId) -> bool {
        self.primary_service_point == Some(service_point_id)
            || self.service_point_ids.contains(&service_point_id)
    }
}
