//! The refusals of a batch, in their order.

use super::*;

#[test]
fn refusals_before_anything_is_read_come_in_order() {
    let refused = |batch: Batch| check_sent(&batch).expect_err("it is refused");
    let one = |change: fn(&mut FundTransaction), base: FundTransaction| {
        let mut base = base;
        change(&mut base);
        base
    };
    assert_eq!(refused(Batch::default()), BatchRefusal::Empty);
    let bare = one(|it| it.encumbrance = None, encumbrance("1"));
    let id = bare.id;
    assert_eq!(
        refused(Batch::creating(vec![bare])),
        BatchRefusal::OrderMissing(id)
    );
    for base in [pending("1", None, false), paid(Kind::Payment, "1", None)] {
        let bare = one(|it| it.source_invoice_id = None, base);
        let id = bare.id;
        assert_eq!(
            refused(Batch::creating(vec![bare])),
            BatchRefusal::InvoiceMissing(id)
        );
    }
    let twice = encumbrance("1");
    let ids = vec![twice.id];
    assert_eq!(
        refused(Batch::creating(vec![twice.clone(), twice])),
        BatchRefusal::Twice("create", ids)
    );
    for value in ["0", "-5"] {
        let batch = Batch::creating(vec![allocation(value, None, Some(HIST))]);
        assert_eq!(refused(batch), BatchRefusal::AllocationNotPositive);
    }
    let batch = Batch::creating(vec![allocation("5", None, None)]);
    assert_eq!(refused(batch), BatchRefusal::FundMissing);
    let bare = transfer("5", Some(HIST), None);
    let id = bare.id;
    assert_eq!(
        refused(Batch::creating(vec![bare])),
        BatchRefusal::TransferWithoutTarget(id)
    );
    let negative = paid(Kind::Payment, "-1", None);
    let id = negative.id;
    assert_eq!(
        refused(Batch::creating(vec![negative])),
        BatchRefusal::NegativePayment(id)
    );
    assert_eq!(
        check_sent(&Batch::creating(vec![transfer("5", None, Some(HIST))])),
        Ok(())
    );
}

#[test]
fn refusals_of_what_is_stored_come_in_order() {
    let mut office = Office::new(&[(HIST, "HIST"), (LAW, "LAW")]);
    office.create(allocation("1000", None, Some(HIST)));
    let order = office.create(encumbrance("10"));
    let (unknown, elsewhere) = (Uuid::from_u128(404), Uuid::from_u128(9));
    let gone = Batch {
        delete: vec![unknown],
        ..Batch::default()
    };
    assert_eq!(office.act(&gone), Err(BatchRefusal::DeleteUnknown));
    let stored = office.stored[&order].clone();
    assert_eq!(
        office.act(&Batch::creating(vec![stored])),
        Err(BatchRefusal::AlreadyExists(order))
    );
    let strange = encumbrance("1");
    let id = strange.id;
    assert_eq!(
        office.act(&Batch::updating(vec![strange])),
        Err(BatchRefusal::UpdateUnknown(id))
    );
    let linked = Batch::creating(vec![pending("1", Some(unknown), false)]);
    assert_eq!(
        office.act(&linked),
        Err(BatchRefusal::EncumbrancesNotFound(vec![unknown]))
    );
    for one in [
        allocation("1", None, Some(elsewhere)),
        transfer("1", None, Some(elsewhere)),
    ] {
        let refused = office.act(&Batch::creating(vec![one])).expect_err("N11");
        assert_eq!(refused, BatchRefusal::NoBudget(vec![elsewhere]));
        assert_eq!(
            (refused.status(), refused.code()),
            (500, Some("genericError"))
        );
    }
    let first = office
        .stored
        .values()
        .find(|one| one.kind == Kind::Allocation);
    let first = first.expect("the allocation").clone();
    assert_eq!(
        office.act(&Batch::updating(vec![first])),
        Err(BatchRefusal::UpdateOf(Kind::Allocation))
    );
    let patched = Batch {
        patches: 1,
        ..Batch::default()
    };
    assert_eq!(office.act(&patched), Err(BatchRefusal::Patches));
    let budget = &mut office.accounts.get_mut(&HIST).expect("it").budget;
    budget.status = crate::records::BudgetStatus::Frozen;
    let refused = office
        .act(&Batch::creating(vec![encumbrance("1")]))
        .expect_err("N10");
    assert_eq!(refused, BatchRefusal::BudgetNotActive("HIST".to_owned()));
    let deletion = Batch {
        delete: vec![order],
        ..Batch::default()
    };
    assert!(budget_keys(&deletion, &office.books(&deletion)).is_empty());
    assert_eq!(office.act(&deletion), Ok(()), "a deletion needs no budget");
    assert!(
        office.shows(HIST).contains("| 10 0 0 0 |"),
        "and changes none: N20"
    );
}
