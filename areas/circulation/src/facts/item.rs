//! An item as circulation sees it, with facts of its holdings, instance and location.

use jiff::Timestamp;
use octavo_library::{
    DatedStatus, HoldingsId, InstanceId, ItemId, ItemStatus, LoanTypeId, LocationId,
    MaterialTypeId, Place, ServicePointId,
};

use crate::refusal::ItemReference;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The item's id.
    pub id: ItemId,
    pub barcode: Option<String>,
    pub status: DatedStatus,
    pub material_type_id: Option<MaterialTypeId>,
    /// The material type's name.
    pub material_type_name: Option<String>,
    /// Its effective loan type: the temporary one, else the permanent one.
    pub loan_type_id: Option<LoanTypeId>,
    pub effective_location_id: Option<LocationId>,
    /// The effective location's record, if there is one.
    pub place: Option<Place>,
    pub holdings_record_id: HoldingsId,
    pub instance_id: InstanceId,
    /// The instance's title.
    pub title: Option<String>,
}

impl Item {
    /// Whether the item has this status.
    pub fn is(&self, status: ItemStatus) -> bool {
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
    pub fn is_served_by(&self, service_point_id: ServicePointId) -> bool {
        let place = self.place.as_ref();
        place.is_some_and(|place| place.is_served_by(service_point_id))
    }

    pub fn change_status(&self, name: ItemStatus, now: Timestamp) -> DatedStatus {
        self.status.become_at(name, now)
    }
}
