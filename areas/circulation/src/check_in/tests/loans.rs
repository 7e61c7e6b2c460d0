//! How loans are closed.

use octavo_library::{ItemStatus, LoanAction};

use super::*;

#[test]
fn the_loan_is_closed_with_folios_properties() {
    let mut document = json!({
        "id": LOAN,
        "status": {"name": "Open"},
        "loanDate": "2024-06-11T00:00:00.000+00:00",
        "action": "checkedOutThroughOverride",
        "actionComment": "the dean asked",
        "itemStatus": "Checked out",
        "agedToLostDelayedBilling": {
            "lostItemHasBeenBilled": false,
            "dateLostItemShouldBeBilled": "2024-07-01T00:00:00.000+00:00",
            "agedToLostDate": "2024-06-01T00:00:00.000+00:00"
        }
    });
    let billed = document["agedToLostDelayedBilling"].clone();
    // The check-in date lies before the loan date, which is accepted.
    let closure = plan_at(HOME, &facts(ItemStatus::CheckedOut)).loan.unwrap();
    closure.apply_to(document.as_object_mut().unwrap());
    assert_eq!(
        document,
        json!({
            "id": LOAN,
            "status": {"name": "Closed"},
            "loanDate": "2024-06-11T00:00:00.000+00:00",
            "action": "checkedin",
            "itemStatus": "Available",
            "agedToLostDelayedBilling": billed,
            "returnDate": "2024-06-10T08:00:00.000Z",
            "systemReturnDate": "2024-06-10T12:00:00.000+00:00",
            "checkinServicePointId": HOME
        })
    );
    let closure = plan_at(HOME, &facts(ItemStatus::AgedToLost)).loan.unwrap();
    closure.apply_to(document.as_object_mut().unwrap());
    let aged = json!({"agedToLostDate": "2024-06-01T00:00:00.000+00:00"});
    assert_eq!(document["agedToLostDelayedBilling"], aged);
}

#[test]
fn claims_need_a_resolution_and_name_the_action() {
    let table = [
        (
            ItemStatus::ClaimedReturned,
            None,
            Err(Refusal::ClaimedReturnedNotResolved),
        ),
        (
            ItemStatus::ClaimedReturned,
            Some(ClaimResolution::FoundByLibrary),
            Ok(LoanAction::CheckedInFoundByLibrary),
        ),
        (
            ItemStatus::ClaimedReturned,
            Some(ClaimResolution::ReturnedByPatron),
            Ok(LoanAction::CheckedInReturnedByPatron),
        ),
        (
            ItemStatus::CheckedOut,
            Some(ClaimResolution::FoundByLibrary),
            Ok(LoanAction::CheckedIn),
        ),
    ];
    for (status, resolution, expected) in table {
        let request = CheckInRequest {
            claimed_returned_resolution: resolution,
            ..request(HOME)
        };
        let found = decide(&request, &facts(status), now(), RECORD);
        let found = found
            .map(|plan| plan.loan.unwrap().action)
            .map_err(|refusals| {
                assert_eq!(refusals.len(), 1);
                refusals[0].clone()
            });
        assert_eq!(found, expected, "{status} {resolution:?}");
    }
}
