//! Where an item that comes from a storage is checked in.

use uuid::Uuid;

use super::Refusal;

/// A location of a storage, with the service point that serves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub location: Uuid,
    pub service_point: Option<Uuid>,
}

/// The service point for a check-in: that of the storage's only location, or of the item's, if it is one of them.
///
/// # Errors
/// When there is none.
pub fn service_point(places: &[Place], item_at: Option<Uuid>) -> Result<Uuid, Refusal> {
    let place = match places {
        [] => return Err(Refusal::NoLocation),
        [only] => only,
        several => {
            let mut several = several.iter();
            let of_item = several.find(|place| Some(place.location) == item_at);
            of_item.ok_or(Refusal::OtherLocation)?
        }
    };
    place.service_point.ok_or(Refusal::NoServicePoint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_location_serves_all_items_and_several_their_own() {
        let id = Uuid::from_u128;
        let place = |location, point: Option<u128>| Place {
            location: id(location),
            service_point: point.map(id),
        };
        let (a, b, unserved) = (place(1, Some(11)), place(2, Some(12)), place(3, None));
        let at = |places: &[Place], item: Option<u128>| {
            let found = service_point(places, item.map(id));
            found.map_err(|refusal| refusal.message())
        };
        let refused = |refusal: Refusal| Err(refusal.message());
        assert_eq!(at(&[], Some(1)), refused(Refusal::NoLocation));
        assert_eq!(at(std::slice::from_ref(&a), Some(9)), Ok(id(11)));
        assert_eq!(at(std::slice::from_ref(&a), None), Ok(id(11)));
        assert_eq!(at(&[a.clone(), b.clone()], Some(2)), Ok(id(12)));
        assert_eq!(
            at(&[a.clone(), b], Some(9)),
            refused(Refusal::OtherLocation)
        );
        assert_eq!(
            at(std::slice::from_ref(&unserved), None),
            refused(Refusal::NoServicePoint)
        );
        assert_eq!(
            at(&[a, unserved], Some(3)),
            refused(Refusal::NoServicePoint)
        );
    }
}
