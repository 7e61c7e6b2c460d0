//! An item as circulation sees it, with what its holdings, instance and location contribute.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::refusal::ItemReference;
use crate::wire_time;

/// An item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The item's id.
    pub id: Uuid,
    /// Its barcode.
    pub barcode: Option<String>,
    /// Its status.
    pub status: ItemStatus,
    /// Its material type.
    pub material_type_id: Option<Uuid>,
    /// The material type's name.
    pub material_type_name: Option<String>,
    /// Its effective loan type: the temporary one, else the permanent one.
    pub loan_type_id: Option<Uuid>,
    /// Its effective location.
    pub effective_location_id: Option<Uuid>,
    /// The effective location's record, if there is one.
    pub place: Option<Place>,
    /// Its holdings.
    pub holdings_record_id: Uuid,
    /// Its instance.
    pub instance_id: Uuid,
    /// The instance's title.
    pub title: Option<String>,
}

/// A location with the units above it and the service points that serve it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The institution.
    pub institution_id: Option<Uuid>,
    /// The campus.
    pub campus_id: Option<Uuid>,
    /// The library.
    pub library_id: Option<Uuid>,
    /// The service point that items of the location return to.
    pub primary_service_point: Option<Uuid>,
    /// All service points that serve the location.
    #[serde(default)]
    pub service_point_ids: Vec<Uuid>,
}

impl Place {
    /// Whether a service point serves the location.
    #[must_use]
    pub fn is_served_by(&self, service_point_id: Uuid) -> bool {
        self.primary_service_point == Some(service_point_id)
            || self.service_point_ids.contains(&service_point_id)
    }
}

/// An item's status and since when.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ItemStatus {
    /// The status.
    pub name: String,
    /// Since when.
    #[serde(default, with = "wire_time::optional")]
    pub date: Option<Timestamp>,
}

/// The status an item gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ItemStatusChange {
    /// The status.
    pub name: &'static str,
    /// Since when: now, or as before when the status stays.
    #[serde(with = "wire_time::optional", skip_serializing_if = "Option::is_none")]
    pub date: Option<Timestamp>,
}

impl Item {
    /// Whether the item has a status.
    pub fn is(&self, status: &str) -> bool {
        self.status.name == status
    }

    /// The item as refusals name it.
    pub fn reference(&self) -> ItemReference {
        ItemReference {
            title: self.title.clone(),
            material_type: self.material_type_name.clone(),
            barcode: self.barcode.clone(),
        }
    }

    /// Whether a service point serves the item's effective location.
    pub fn is_served_by(&self, service_point_id: Uuid) -> bool {
        let place = self.place.as_ref();
        place.is_some_and(|place| place.is_served_by(service_point_id))
    }

    /// A new status from now on.
    pub fn change_status(&self, name: &'static str, now: Timestamp) -> ItemStatusChange {
        let date = if self.is(name) {
            self.status.date.or(Some(now))
        } else {
            Some(now)
        };
        ItemStatusChange { name, date }
    }
}

impl ItemStatusChange {
    /// Writes the status into an item's document.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        let mut status = Map::new();
        status.insert("name".into(), self.name.into());
        if let Some(date) = self.date {
            status.insert("date".into(), wire_time::format(date).into());
        }
        document.insert("status".into(), Value::Object(status));
    }
}
