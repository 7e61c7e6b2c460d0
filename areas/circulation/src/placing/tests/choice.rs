//! The item of a request for a title.

use octavo_library::{
    CampusId, InstitutionId, ItemId, ItemStatus, LibraryId, LocationId, RequestType,
};

use super::*;

fn at(id: u128, place: u128, library: u128, campus: u128) -> Copy {
    let mut copy = copy(ItemId::from_u128(id), ItemStatus::Available);
    copy.item.effective_location_id = Some(LocationId::from_u128(place));
    copy.item.place = Some(Place {
        institution_id: Some(InstitutionId::from_u128(9)),
        campus_id: Some(CampusId::from_u128(campus)),
        library_id: Some(LibraryId::from_u128(library)),
        ..Place::default()
    });
    copy
}

fn paged(copies: &[Copy]) -> Option<u128> {
    let near = Place {
        institution_id: Some(InstitutionId::from_u128(9)),
        campus_id: Some(CampusId::from_u128(300)),
        library_id: Some(LibraryId::from_u128(200)),
        ..Place::default()
    };
    let near = [(LocationId::from_u128(100), &near)];
    match choose(Some(RequestType::Page), "title", copies, &near, None) {
        Ok(Choice::Item(id)) => Some(id.uuid().as_u128()),
        _ => None,
    }
}

#[test]
fn a_page_takes_what_is_nearest() {
    let all = [
        at(11, 101, 201, 301),
        at(12, 101, 201, 300),
        at(13, 101, 200, 300),
        at(14, 100, 200, 300),
        at(15, 100, 200, 300),
    ];
    for (end, expected) in [(5, 14), (3, 13), (2, 12), (1, 11)] {
        assert_eq!(paged(&all[..end]), Some(expected));
    }
    let mut two = [all[3].clone(), all[0].clone()];
    two[0].policy = Some(policy(&[RequestType::Hold]));
    assert_eq!(paged(&two), Some(11));
    two[1].item.status.name = ItemStatus::Paged;
    assert_eq!(paged(&two), None);
}

#[test]
fn a_page_of_a_location_takes_nothing_else() {
    let copies = [at(11, 100, 200, 300)];
    let choice = |here: bool| {
        let at = move |_: LocationId| here;
        let code: (&str, &dyn Fn(LocationId) -> bool) = ("A", &at);
        choose(Some(RequestType::Page), "title", &copies, &[], Some(code))
    };
    assert_eq!(choice(true), Ok(Choice::Item(ItemId::from_u128(11))));
    let refusal = choice(false).expect_err("nothing is there");
    let code = crate::refusal::PlacingRefusal::NothingToPageAt { code: "A".into() };
    assert_eq!(refusal, code);
}

#[test]
fn a_recall_takes_what_is_due_first_and_was_not_recalled_then_what_was_least() {
    let lent = |id: u128, day: u32, recalls: u32| {
        let mut copy = copy(ItemId::from_u128(id), ItemStatus::CheckedOut);
        copy.loan = Some(CopyLoan {
            due_date: Some(
                format!("2026-03-{day:02}T00:00:00Z")
                    .parse()
                    .expect("a day"),
            ),
            user_id: None,
        });
        copy.recalls = recalls;
        copy
    };
    let chosen =
        |copies: &[Copy]| match choose(Some(RequestType::Recall), "title", copies, &[], None) {
            Ok(Choice::Item(id)) => Some(id.uuid().as_u128()),
            Ok(Choice::NothingToRecall) => None,
            other => panic!("{other:?}"),
        };
    assert_eq!(
        chosen(&[lent(1, 9, 0), lent(2, 5, 1), lent(3, 7, 0)]),
        Some(3)
    );
    assert_eq!(
        chosen(&[lent(1, 9, 2), lent(2, 5, 3), lent(3, 7, 2)]),
        Some(3)
    );
    // What was not recalled, but may not be, is ignored for what was.
    let mut kept = lent(1, 1, 0);
    kept.policy = Some(policy(&[RequestType::Hold]));
    assert_eq!(chosen(&[kept.clone(), lent(2, 5, 1)]), Some(2));
    let shelved = copy(ItemId::from_u128(4), ItemStatus::Available);
    assert_eq!(chosen(std::slice::from_ref(&shelved)), None);
    let ordered = copy(ItemId::from_u128(5), ItemStatus::OnOrder);
    assert_eq!(chosen(&[shelved, ordered]), Some(5));
    let hold = choose(Some(RequestType::Hold), "title", &[kept], &[], None);
    assert_eq!(hold, Ok(Choice::Any));
}

#[test]
fn what_is_on_the_shelf_is_neither_held_nor_recalled() {
    let mut facts = facts(ItemStatus::CheckedOut);
    facts.titles.enabled = true;
    facts.copies = vec![copy(OTHER, ItemStatus::Available)];
    let none = json!({"requestLevel": "Title", "itemId": null, "holdingsRecordId": null});
    let message = "Hold/Recall title level request not allowed: pageable available item found for \
                   instance";
    for kind in ["Hold", "Recall"] {
        let found = decided(&request(kind, none.clone()), &facts);
        assert_eq!(found, Err(vec![message.to_owned()]), "{kind}");
    }
    facts.copies[0].policy = Some(policy(&[RequestType::Recall]));
    assert!(decided(&request("Hold", none.clone()), &facts).is_ok());
    facts.titles.holds_follow_rules = true;
    let message = "Hold requests are not allowed for this patron and title combination";
    let found = decided(&request("Hold", none), &facts);
    assert_eq!(found, Err(vec![message.to_owned()]));
}
