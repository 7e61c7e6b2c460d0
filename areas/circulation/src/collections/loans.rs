//! Loans and their history.

use octavo_records::{Collection, Index};

/// The name of the index of closed loans with a borrower by their date of closing, those without a date
/// first.
pub const WHEN_CLOSED: &str = "closedWithBorrower";
/// The condition of that partial index.
pub const CLOSED_WITH_BORROWER: &str = "lower(public.f_unaccent(jsonb->'status'->>'name')) = 'closed' AND jsonb->>'userId' IS NOT NULL";

/// The loans. An item has at most one open loan; the trigger of this area's migration `loan_history`
/// writes a history row for every change.
#[must_use]
pub fn loans() -> Collection {
    Collection::new("loan", "loans", include_str!("../shapes/loan.shape"))
        .path_id_wins()
        .listed_conflicts()
        .upsert()
        .events("circulation.loan")
        .index(
            Index::unique("itemId")
                .keep_accents()
                .when("lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open'")
                .refusing("Cannot have more than one open loan for the same item"),
        )
        .index(Index::plain("userId").keep_accents())
        .index(open_of_user())
        .index(Index::plain("itemId").keep_accents())
        .index(Index::plain("loanPolicyId").keep_accents().on_demand())
        .index(
            Index::plain("checkinServicePointId")
                .keep_accents()
                .on_demand(),
        )
        .index(
            Index::plain("checkoutServicePointId")
                .keep_accents()
                .on_demand(),
        )
        .index(Index::plain("dueDate").keep_accents())
        .index(Index::plain("loanDate").keep_accents().on_demand())
        .index(Index::plain("status.name").few(&["open", "closed"]))
        // What nearly every loan has at some time narrows no search.
        .index(Index::plain("itemStatus").except(&[
            "Checked out",
            "Available",
            "In transit",
            "Awaiting pickup",
        ]))
        .index(Index::plain("action").on_demand())
        .index(
            Index::plain(WHEN_CLOSED)
                .keep_accents()
                .expression("coalesce(jsonb->>'systemReturnDate', '')")
                .with(&["id"])
                .when(CLOSED_WITH_BORROWER),
        )
        .index(
            Index::plain("agedToLostDelayedBilling.lostItemHasBeenBilled")
                .keep_accents()
                .on_demand(),
        )
        .index(
            Index::plain("agedToLostDelayedBilling.dateLostItemShouldBeBilled")
                .keep_accents()
                .on_demand(),
        )
        .index(aging())
        .index(billing())
}

/// Open loans that can age to lost, by policy, whether a recall changed the due date, due date and id,
/// for the timer that ages loans. The policy comes first, so that loans of policies without aging are
/// not read.
#[must_use]
pub fn aging() -> Index {
    Index::plain("aging")
        .case_sensitive()
        .keep_accents()
        .expression(
            "lower(jsonb->>'lostItemPolicyId') || ' ' \
             || coalesce(jsonb->>'dueDateChangedByRecall', 'false') || ' ' \
             || (jsonb->>'dueDate') || ' ' || (jsonb->>'id')",
        )
        .when(
            "lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open' \
             AND jsonb->>'itemStatus' NOT IN ('Claimed returned', 'Aged to lost', 'Declared lost')",
        )
}

/// Loans that have aged to lost and whose borrowers are not billed yet, by billing date and id, for the
/// timer that bills them.
#[must_use]
pub fn billing() -> Index {
    Index::plain("billing")
        .case_sensitive()
        .keep_accents()
        .expression(
            "(jsonb->'agedToLostDelayedBilling'->>'dateLostItemShouldBeBilled') || ' ' \
             || (jsonb->>'id')",
        )
        .when(
            "jsonb->>'itemStatus' = 'Aged to lost' \
             AND jsonb->'agedToLostDelayedBilling'->>'lostItemHasBeenBilled' = 'false'",
        )
}

/// A patron's open loans, which every check-out reads. Partial, since a patron's closed loans may be
/// many. Clients query `userId==… and status.name<>Closed`, or `==Open`.
fn open_of_user() -> Index {
    Index::plain("openOfUser")
        .keep_accents()
        .expression("jsonb->>'userId'")
        .when(
            "(lower(public.f_unaccent(jsonb->'status'->>'name'))) COLLATE \"C\" <> 'closed'::text",
        )
}

/// The history of loans.
#[must_use]
pub fn loan_history() -> Collection {
    Collection::new(
        "audit_loan",
        "loansHistory",
        include_str!("../shapes/audit_loan.shape"),
    )
    .plain_conflicts()
    .index(Index::plain("loan.id").keep_accents())
    .index(Index::plain("loan.userId").keep_accents().on_demand())
    .index(Index::plain("loan.action").on_demand())
    .index(Index::plain("createdDate").keep_accents().on_demand())
}
