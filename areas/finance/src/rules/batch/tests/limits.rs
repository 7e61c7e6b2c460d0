//! The limits of restricted ledgers at their borders.

use super::*;

/// Allocated 200, net 40; encumbrance 95 %, expenditure 90 %.
fn limited() -> (Office, Uuid) {
    let mut office = Office::new(&[(HIST, "HIST"), (LAW, "LAW")]);
    office.create(allocation("1000", None, Some(LAW)));
    office.create(allocation("200", None, Some(HIST)));
    office.create(transfer("40", Some(LAW), Some(HIST)));
    office.create(pending("20", None, false));
    office.create(paid(Kind::Payment, "20", None));
    office.create(pending("-5", None, false));
    office.create(paid(Kind::Credit, "5", None));
    let order = office.create(encumbrance("150"));
    office.create(pending("30", None, false));
    let budget = &mut office.accounts.get_mut(&HIST).expect("it").budget;
    budget.allowable_encumbrance = Some(amount("95"));
    budget.allowable_expenditure = Some(amount("90"));
    assert!(
        office
            .shows(HIST)
            .ends_with("| 150 30 20 5 | 240 195 45 225 0 0")
    );
    (office, order)
}

#[test]
fn limits_at_their_borders() {
    use BatchRefusal::{EncumbranceRestricted, ExpenditureRestricted};
    let tries = |change: fn(&mut Office), one: FundTransaction| {
        let (mut office, _) = limited();
        change(&mut office);
        office.act(&Batch::creating(vec![one]))
    };
    let as_is = |_: &mut Office| {};
    let only_expenditures = |office: &mut Office| {
        office
            .accounts
            .get_mut(&HIST)
            .expect("it")
            .restrict_encumbrance = false;
    };
    assert_eq!(tries(as_is, encumbrance("33.00")), Ok(()), "F1");
    let refused = tries(as_is, encumbrance("33.01")).expect_err("F2");
    assert_eq!(refused.code(), Some("budgetRestrictedEncumbranceError"));
    let parameters = refused.parameters();
    let told = |name: &str| {
        let mut parameters = parameters.iter();
        parameters
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
    };
    for (name, value) in [
        ("fundCode", "HIST"),
        ("remaining", "-0.01"),
        ("allowableEncumbered", "0.95"),
        ("allocated", "200"),
        ("netTransfers", "40"),
        ("encumbered", "183.01"),
        ("awaitingPayment", "30"),
        ("credited", "5"),
        ("expended", "20"),
    ] {
        assert_eq!(told(name).as_deref(), Some(value), "{name}");
    }
    assert!(
        matches!(
            tries(as_is, pending("171", None, false)),
            Err(EncumbranceRestricted(_))
        ),
        "F5"
    );
    assert_eq!(
        tries(only_expenditures, pending("171", None, false)),
        Ok(()),
        "F6"
    );
    match tries(only_expenditures, pending("171.01", None, false)) {
        Err(ExpenditureRestricted(limit)) => assert_eq!(limit.remaining, amount("-0.01")),
        other => panic!("F6: {other:?}"),
    }
    assert_eq!(tries(as_is, paid(Kind::Payment, "30", None)), Ok(()), "F7");
    assert_eq!(
        tries(as_is, transfer("30", Some(HIST), Some(LAW))),
        Ok(()),
        "F8"
    );
    let refused = tries(as_is, transfer("40", Some(HIST), Some(LAW)));
    assert!(matches!(refused, Err(EncumbranceRestricted(_))), "F9");
    let unlimited = |office: &mut Office| {
        office
            .accounts
            .get_mut(&HIST)
            .expect("it")
            .budget
            .allowable_encumbrance = None;
    };
    assert_eq!(tries(unlimited, encumbrance("500")), Ok(()), "F10");
}

#[test]
fn edits_and_releases_of_one_batch_net_out() {
    for (initial, passes) in [("183", true), ("183.01", false)] {
        let (mut office, order) = limited();
        let mut one = office.stored[&order].clone();
        one.amount = amount(initial);
        let done = office.act(&Batch::updating(vec![one]));
        assert_eq!(done.is_ok(), passes, "F4 {initial}");
    }
    let (mut office, order) = limited();
    let mut released = office.stored[&order].clone();
    released.encumbrance.as_mut().expect("it").status = EncumbranceStatus::Released;
    let batch = Batch {
        create: vec![encumbrance("180")],
        update: vec![released],
        ..Batch::default()
    };
    assert_eq!(office.act(&batch), Ok(()), "F14");
    assert!(office.shows(HIST).contains("| 180 30 20 5 |"));
    let (mut office, _) = limited();
    let three = ["10", "20", "3.01"].map(encumbrance).to_vec();
    assert!(office.act(&Batch::creating(three)).is_err(), "N18");
    assert!(office.shows(HIST).contains("| 150 30 20 5 |"));
}

/// F13: what is credited above what is used leaves more to encumber.
#[test]
fn credits_above_use_count_in_storage() {
    for (value, passes) in [("250", true), ("268", true), ("268.01", false)] {
        let mut office = Office::new(&[(HIST, "HIST"), (LAW, "LAW")]);
        office.create(allocation("1000", None, Some(LAW)));
        office.create(allocation("200", None, Some(HIST)));
        office.create(transfer("40", Some(LAW), Some(HIST)));
        office.create(pending("20", None, false));
        office.create(paid(Kind::Payment, "20", None));
        office.create(pending("-60", None, false));
        office.create(paid(Kind::Credit, "60", None));
        let budget = &mut office.accounts.get_mut(&HIST).expect("it").budget;
        budget.allowable_encumbrance = Some(amount("95"));
        budget.allowable_expenditure = Some(amount("90"));
        assert!(
            office
                .shows(HIST)
                .ends_with("| 0 0 20 60 | 240 0 280 280 0 0")
        );
        let done = office.act(&Batch::creating(vec![encumbrance(value)]));
        assert_eq!(done.is_ok(), passes, "F13 {value}");
    }
}
