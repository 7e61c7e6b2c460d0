//! The life of encumbrances, and budgets after each type of transaction.

use super::*;

#[test]
fn a_budget_after_each_type_of_transaction() {
    let mut office = Office::new(&[(HIST, "HIST"), (LAW, "LAW")]);
    let mut told = Vec::new();
    let mut note = |office: &Office, name: &str| told.push((name.to_owned(), office.shows(HIST)));
    office.create(allocation("1000", None, Some(HIST)));
    note(&office, "E0");
    office.create(allocation("250", None, Some(HIST)));
    note(&office, "E1");
    office.create(allocation("100", Some(HIST), Some(LAW)));
    note(&office, "E2");
    office.create(transfer("50", Some(LAW), Some(HIST)));
    note(&office, "E3");
    let order = office.create(encumbrance("400"));
    note(&office, "E4");
    office.create(pending("150", Some(order), false));
    note(&office, "E5");
    let payment = office.create(paid(Kind::Payment, "150", Some(order)));
    note(&office, "E6");
    office.create(pending("-40", None, false));
    note(&office, "E7");
    let credit = office.create(paid(Kind::Credit, "40", None));
    note(&office, "E8");
    office.status(order, EncumbranceStatus::Released);
    note(&office, "E9");
    office.status(order, EncumbranceStatus::Unreleased);
    note(&office, "E10");
    let large = office.create(pending("1300", None, false));
    note(&office, "E11");
    office.cancel(large);
    note(&office, "E12");
    office.cancel(payment);
    note(&office, "E13");
    office.cancel(credit);
    note(&office, "E14");
    let expected = [
        ("E0", "1000 0 0 0 | 0 0 0 0 | 1000 0 1000 1000 0 0"),
        ("E1", "1000 250 0 0 | 0 0 0 0 | 1250 0 1250 1250 0 0"),
        ("E2", "1000 250 100 0 | 0 0 0 0 | 1150 0 1150 1150 0 0"),
        ("E3", "1000 250 100 50 | 0 0 0 0 | 1200 0 1200 1200 0 0"),
        ("E4", "1000 250 100 50 | 400 0 0 0 | 1200 400 800 1200 0 0"),
        (
            "E5",
            "1000 250 100 50 | 250 150 0 0 | 1200 400 800 1200 0 0",
        ),
        (
            "E6",
            "1000 250 100 50 | 250 0 150 0 | 1200 400 800 1050 0 0",
        ),
        (
            "E7",
            "1000 250 100 50 | 250 -40 150 0 | 1200 360 840 1050 0 0",
        ),
        (
            "E8",
            "1000 250 100 50 | 250 0 150 40 | 1200 360 840 1090 0 0",
        ),
        (
            "E9",
            "1000 250 100 50 | 0 0 150 40 | 1200 110 1090 1090 0 0",
        ),
        (
            "E10",
            "1000 250 100 50 | 250 0 150 40 | 1200 360 840 1090 0 0",
        ),
        (
            "E11",
            "1000 250 100 50 | 250 1300 150 40 | 1200 1660 -460 1090 210 250",
        ),
        (
            "E12",
            "1000 250 100 50 | 250 0 150 40 | 1200 360 840 1090 0 0",
        ),
        (
            "E13",
            "1000 250 100 50 | 400 0 0 40 | 1200 360 840 1240 0 0",
        ),
        ("E14", "1000 250 100 50 | 400 0 0 0 | 1200 400 800 1200 0 0"),
    ];
    for (seen, (name, expected)) in told.iter().zip(expected) {
        assert_eq!((seen.0.as_str(), seen.1.as_str()), (name, expected));
    }
    assert!(office.shows(LAW).starts_with("0 100 0 -50"));
    office.create(allocation("70", None, Some(LAW)));
    assert!(office.shows(LAW).starts_with("70 100 0 -50"));
    let voided = &office.stored[&payment];
    assert_eq!(voided.amount, Amount::ZERO);
    assert_eq!(voided.voided_amount, Some(amount("150")));
}

#[test]
fn the_life_of_one_encumbrance() {
    use EncumbranceStatus::{Pending, Released, Unreleased};
    let mut office = Office::new(&[(HIST, "HIST")]);
    office.create(allocation("1000", None, Some(HIST)));
    let order = office.create(encumbrance("100"));
    let is = |office: &Office, name: &str, record: &str, budget: &str| {
        assert_eq!(office.encumbrance(order), record, "{name}");
        let shown = office.shows(HIST);
        let sums = shown.split(" | ").nth(1).expect("the sums");
        assert_eq!(sums, budget, "{name}");
    };
    is(&office, "D1", "100/100/0/0/0 Unreleased", "100 0 0 0");
    office.price(order, "120");
    is(&office, "D2", "120/120/0/0/0 Unreleased", "120 0 0 0");
    office.create(pending("50", Some(order), false));
    is(&office, "D3", "70/120/50/0/0 Unreleased", "70 50 0 0");
    let first = office.create(paid(Kind::Payment, "50", Some(order)));
    is(&office, "D4", "70/120/0/50/0 Unreleased", "70 0 50 0");
    let second = office.create(pending("90", Some(order), false));
    is(&office, "D5", "0/120/90/50/0 Unreleased", "0 90 50 0");
    office.cancel(second);
    is(&office, "D6", "90/120/0/50/0 Unreleased", "90 0 50 0");
    office.status(order, Released);
    is(&office, "D7", "0/120/0/50/0 Released", "0 0 50 0");
    office.status(order, Unreleased);
    is(&office, "D8", "70/120/0/50/0 Unreleased", "70 0 50 0");
    office.price(order, "150");
    is(&office, "D9", "100/150/0/50/0 Unreleased", "100 0 50 0");
    office.status(order, Released);
    is(&office, "D10", "0/150/0/50/0 Released", "0 0 50 0");
    office.status(order, Unreleased);
    is(&office, "D11", "100/150/0/50/0 Unreleased", "100 0 50 0");
    office.status(order, Pending);
    is(&office, "D12", "0/0/0/50/0 Pending", "0 0 50 0");
    office.update(order, |one| {
        let encumbrance = one.encumbrance.as_mut().expect("an encumbrance");
        encumbrance.status = Unreleased;
        encumbrance.initial_amount_encumbered = amount("150");
        encumbrance.amount_expended = Amount::ZERO;
    });
    is(&office, "D13", "100/150/0/50/0 Unreleased", "100 0 50 0");
    office.create(pending("-30", Some(order), false));
    is(
        &office,
        "D14",
        "130/150/-30/50/0 Unreleased",
        "130 -30 50 0",
    );
    let credit = office.create(paid(Kind::Credit, "30", Some(order)));
    is(&office, "D15", "130/150/0/50/30 Unreleased", "130 0 50 30");
    office.cancel(credit);
    is(&office, "D16", "100/150/0/50/0 Unreleased", "100 0 50 0");
    office.cancel(first);
    is(&office, "D17", "150/150/0/0/0 Unreleased", "150 0 0 0");
    let third = office.create(pending("60", Some(order), true));
    is(&office, "D18", "0/150/60/0/0 Released", "0 60 0 0");
    office.cancel(third);
    is(&office, "cancelled", "0/150/0/0/0 Released", "0 0 0 0");
    office.status(order, Unreleased);
    is(&office, "D19", "150/150/0/0/0 Unreleased", "150 0 0 0");
}

#[test]
fn what_was_overspent_is_unreleased_below_zero() {
    let mut office = Office::new(&[(HIST, "HIST")]);
    office.create(allocation("1000", None, Some(HIST)));
    let mut one = encumbrance("40");
    one.amount = Amount::ZERO;
    let of = one.encumbrance.as_mut().expect("an encumbrance");
    (of.status, of.amount_expended) = (EncumbranceStatus::Released, amount("65"));
    let order = office.create(one);
    office.status(order, EncumbranceStatus::Unreleased);
    assert_eq!(office.encumbrance(order), "-25/40/0/65/0 Unreleased");
    assert!(office.shows(HIST).contains("| -25 0 0 0 |"));
}

/// Pending payments that were voided do not await payment any more.
#[test]
fn a_payment_takes_only_what_awaits_it() {
    let mut office = Office::new(&[(HIST, "HIST")]);
    office.create(allocation("1000", None, Some(HIST)));
    let order = office.create(encumbrance("100"));
    let is = |office: &Office, record: &str, budget: &str| {
        assert_eq!(office.encumbrance(order), record);
        let shown = office.shows(HIST);
        assert_eq!(shown.split(" | ").nth(1), Some(budget));
    };
    let void = office.create(pending("40", Some(order), false));
    is(&office, "60/100/40/0/0 Unreleased", "60 40 0 0");
    office.cancel(void);
    is(&office, "100/100/0/0/0 Unreleased", "100 0 0 0");
    office.create(paid(Kind::Payment, "40", Some(order)));
    is(&office, "60/100/0/40/0 Unreleased", "60 0 40 0");
}
