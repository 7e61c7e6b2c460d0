//! What must hold of orders, each as a statement that returns the checked records and their faults:
//! `octavo doctor` reads them in one snapshot with those of circulation.

use super::Tables;

/// A rule for an operator, its remedy, and the statement with the columns `id` and `fault`.
pub type Rule = (&'static str, &'static str, String);

/// The rules of orders.
#[must_use]
pub fn rules(tables: Tables<'_>) -> Vec<Rule> {
    let mut rules = lines(tables);
    rules.extend(encumbrances(tables));
    rules
}

fn lines(tables: Tables<'_>) -> Vec<Rule> {
    let (order, line) = (tables.table("purchase_order"), tables.table("po_line"));
    let (title, piece) = (tables.table("titles"), tables.table("pieces"));
    vec![
        (
            "a line has its order's number and a place of its own",
            "save the order again, which numbers its lines anew",
            format!(
                "SELECT line.id, line.jsonb->>'poLineNumber' NOT LIKE ordered.jsonb->>'poNumber' || '-%'
                   OR count(*) OVER (PARTITION BY line.jsonb->>'poLineNumber') > 1 AS fault
                 FROM {line} AS line JOIN {order} AS ordered ON ordered.id = line.purchaseorderid
                 WHERE line.jsonb ? 'poLineNumber' AND ordered.jsonb ? 'poNumber'"
            ),
        ),
        (
            "the next number of an order's lines is not used",
            "delete the property nextPolNumber of the order: the next line looks for a free one",
            format!(
                "SELECT ordered.id, max(substring(line.jsonb->>'poLineNumber' FROM '[0-9]+$')::bigint)
                   >= (ordered.jsonb->>'nextPolNumber')::bigint AS fault
                 FROM {order} AS ordered JOIN {line} AS line ON line.purchaseorderid = ordered.id
                 WHERE ordered.jsonb ? 'nextPolNumber' GROUP BY ordered.id"
            ),
        ),
        (
            "a line that is no package has one title, with its number",
            "save the line again",
            format!(
                "SELECT line.id, count(title.id) <> 1
                   OR bool_or(title.jsonb->>'poLineNumber' IS DISTINCT FROM line.jsonb->>'poLineNumber')
                   AS fault
                 FROM {line} AS line LEFT JOIN {title} AS title ON title.polineid = line.id
                 WHERE NOT coalesce((line.jsonb->>'isPackage')::boolean, false) GROUP BY line.id"
            ),
        ),
        (
            "a piece belongs to a title of its line",
            "give the piece the title of its line",
            format!(
                "SELECT piece.id, title.polineid <> piece.polineid AS fault
                 FROM {piece} AS piece JOIN {title} AS title ON title.id = piece.titleid"
            ),
        ),
        (
            "an item belongs to one piece",
            "take the item out of all pieces but the one that it came with",
            format!(
                "SELECT piece.id, count(*) OVER (PARTITION BY piece.jsonb->>'itemId') > 1 AS fault
                 FROM {piece} AS piece WHERE piece.jsonb ? 'itemId'"
            ),
        ),
        (
            "an open order has a line that is not resolved",
            "save one of its lines again: the order closes",
            format!(
                "SELECT ordered.id, bool_and(
                     line.jsonb->>'paymentStatus' IN ('Cancelled', 'Payment Not Required', 'Fully Paid')
                     AND line.jsonb->>'receiptStatus' IN ('Cancelled', 'Receipt Not Required',
                       'Fully Received')) AS fault
                 FROM {order} AS ordered JOIN {line} AS line ON line.purchaseorderid = ordered.id
                 WHERE ordered.jsonb->>'workflowStatus' = 'Open' GROUP BY ordered.id"
            ),
        ),
    ]
}

fn encumbrances(tables: Tables<'_>) -> Vec<Rule> {
    let (order, line) = (tables.table("purchase_order"), tables.table("po_line"));
    let transaction = tables.table("transaction");
    vec![
        (
            "an encumbrance that a line names is the line's, and on the fund that it names",
            "save the line again, which encumbers it anew",
            format!(
                "SELECT line.id, one.id IS NULL
                   OR one.jsonb->'encumbrance'->>'sourcePoLineId' <> line.id::text
                   OR one.jsonb->>'fromFundId' IS DISTINCT FROM row->>'fundId' AS fault
                 FROM {line} AS line
                 CROSS JOIN jsonb_array_elements(line.jsonb->'fundDistribution') AS row
                 LEFT JOIN {transaction} AS one ON one.id = (row->>'encumbrance')::uuid
                 WHERE row ? 'encumbrance'"
            ),
        ),
        (
            "the distributions of an open order's lines name their encumbrances",
            "encumber the order again",
            format!(
                "SELECT line.id, NOT row ? 'encumbrance' AS fault
                 FROM {line} AS line JOIN {order} AS ordered ON ordered.id = line.purchaseorderid
                 CROSS JOIN jsonb_array_elements(line.jsonb->'fundDistribution') AS row
                 WHERE ordered.jsonb->>'workflowStatus' = 'Open'"
            ),
        ),
        (
            "the encumbrances of a closed order are released",
            "open the order and close it again",
            format!(
                "SELECT one.id, one.jsonb->'encumbrance'->>'status' = 'Unreleased'
                   AND (one.jsonb->>'amount')::numeric <> 0 AS fault
                 FROM {transaction} AS one JOIN {order} AS ordered
                   ON ordered.id = (one.jsonb->'encumbrance'->>'sourcePurchaseOrderId')::uuid
                 WHERE one.jsonb->>'transactionType' = 'Encumbrance'
                   AND one.jsonb->'encumbrance'->>'orderStatus' = 'Closed'
                   AND ordered.jsonb->>'workflowStatus' = 'Closed'"
            ),
        ),
    ]
}
