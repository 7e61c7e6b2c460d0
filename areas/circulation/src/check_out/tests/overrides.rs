//! What overrides lift and what they need.

use octavo_library::LoanAction;

use super::*;

/// Overrides as a client sends them, by an operator with permissions for the blocks given.
fn overridden(body: Value, held: &[OverridableBlock]) -> Outcome {
    decide_with(|r, f| {
        r.override_blocks = serde_json::from_value(body).unwrap();
        f.manual_blocks = vec![manual("A", true, None)];
        f.open_loans.same_material_type = 1;
        let terms = terms_of(f);
        terms.conditions.material_type_match = true;
        terms.policy.loanable = false;
        terms.policy.loans_policy.as_mut().unwrap().item_limit = Some(1);
        f.operator_permissions = held
            .iter()
            .map(|block| block.permission().to_owned())
            .collect();
    })
}

#[test]
fn overrides_lift_what_they_name() {
    use OverridableBlock::{ItemLimit, ItemNotLoanable, Patron};
    let all = [Patron, ItemLimit, ItemNotLoanable];
    let body = json!({
        "patronBlock": {},
        "itemLimitBlock": {},
        "itemNotLoanableBlock": {"dueDate": "2024-06-05T12:00:00.000Z"},
        "comment": "the dean asked"
    });
    let plan = overridden(body, &all).unwrap();
    let lifted: Vec<_> = plan.lifted.iter().filter_map(Refusal::code).collect();
    let codes = [
        "USER_IS_BLOCKED_MANUALLY",
        "ITEM_LIMIT_MATERIAL_TYPE",
        "ITEM_NOT_LOANABLE",
    ];
    assert_eq!(lifted, codes);
    let loan = serde_json::to_value(&plan.loan).unwrap();
    assert_eq!(loan["action"], "checkedOutThroughOverride");
    assert_eq!(loan["actionComment"], "the dean asked");
    assert_eq!(loan["dueDate"], "2024-06-05T12:00:00.000+00:00");

    let partly = overridden(json!({"patronBlock": {}, "comment": "x"}), &all);
    let left = [
        "Patron has reached maximum limit of 1 items for material type",
        "Item is not loanable",
    ];
    assert_eq!(messages(&partly), left);
}

#[test]
fn overrides_need_permission_comment_and_due_date() {
    use OverridableBlock::{ItemLimit, ItemNotLoanable, Patron};
    let insufficient = "Insufficient override permissions";
    let comment = "Override should be performed with the comment specified";
    let all = [Patron, ItemLimit, ItemNotLoanable];
    let due = |date: Value| {
        json!({
            "patronBlock": {}, "itemLimitBlock": {}, "comment": "x",
            "itemNotLoanableBlock": {"dueDate": date}
        })
    };
    let every = json!({
        "patronBlock": {}, "itemLimitBlock": {},
        "itemNotLoanableBlock": {"dueDate": "2024-06-05T12:00:00Z"}
    });
    let no_due = "Override should be performed with due date specified";
    let late = "Due date should be later than loan date";
    let table: Vec<(Value, &[OverridableBlock], Vec<&str>)> = vec![
        // Each block's permission is named once, though the patron's blocks are checked twice.
        (every.clone(), &[], vec![insufficient; 3]),
        (
            every.clone(),
            &[Patron, ItemLimit],
            vec![comment, insufficient],
        ),
        (every, &all, vec![comment]),
        (due(Value::Null), &all, vec![no_due]),
        (due(json!("2024-06-01T10:00:00Z")), &all, vec![late]),
        (due(json!("2024-06-01T09:00:00Z")), &all, vec![late]),
        (due(json!("2024-06-01T10:00:00.001Z")), &all, vec![]),
    ];
    for (body, held, expected) in table {
        let outcome = overridden(body.clone(), held);
        let found = if outcome.is_ok() {
            Vec::new()
        } else {
            messages(&outcome)
        };
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn an_override_with_nothing_to_lift_is_still_told_by_the_action() {
    let plan = decide_with(|r, f| {
        r.override_blocks =
            serde_json::from_value(json!({"patronBlock": {}, "comment": "to be sure"})).unwrap();
        f.operator_permissions = [OverridableBlock::Patron.permission().to_owned()].into();
    })
    .unwrap();
    assert_eq!(plan.loan.action, LoanAction::CheckedOutThroughOverride);
    assert!(plan.lifted.is_empty());
    assert_eq!(plan.loan.due_date.to_string(), "2024-06-15T10:00:00Z");
}
