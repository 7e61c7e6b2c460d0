//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use std::sync::LazyLock;

use octavo_platform::Module;
use octavo_records::Shape;

/// A shape that is parsed when it is first needed.
pub(crate) type Parsed = LazyLock<Shape>;

fn parsed(text: &str) -> Shape {
    Shape::parse(text)
        .unwrap_or_else(|error| panic!("invariant: the shapes of orders are well formed: {error}"))
}

const ORDER: &str = include_str!("bodies/composite-order.shape");
const LINE: &str = include_str!("bodies/composite-line.shape");
const NUMBER: &str = include_str!("answers/po-number.shape");
const DISTRIBUTIONS: &str = include_str!("bodies/fund-distributions.shape");

const RECEIVE_TEXT: &str = include_str!("bodies/receive.shape");
const CHECK_IN_TEXT: &str = include_str!("bodies/check-in.shape");
const EXPECT_TEXT: &str = include_str!("bodies/expect.shape");
const BIND_TEXT: &str = include_str!("bodies/bind-pieces.shape");
const CLAIM_TEXT: &str = include_str!("bodies/claim.shape");
const STATUSES_TEXT: &str = include_str!("bodies/piece-statuses.shape");
const PATCH_LINE_TEXT: &str = include_str!("bodies/patch-line.shape");

/// An order with its lines.
pub(crate) static COMPOSITE_ORDER: Parsed = LazyLock::new(|| parsed(ORDER));
/// A line.
pub(crate) static COMPOSITE_LINE: Parsed = LazyLock::new(|| parsed(LINE));
/// Pieces that are received.
pub(crate) static RECEIVE: Parsed = LazyLock::new(|| parsed(RECEIVE_TEXT));
/// Pieces that arrive.
pub(crate) static CHECK_IN: Parsed = LazyLock::new(|| parsed(CHECK_IN_TEXT));
/// Pieces that are expected again.
pub(crate) static EXPECT: Parsed = LazyLock::new(|| parsed(EXPECT_TEXT));
/// Pieces that are bound.
pub(crate) static BIND: Parsed = LazyLock::new(|| parsed(BIND_TEXT));
/// Pieces that are claimed.
pub(crate) static CLAIM: Parsed = LazyLock::new(|| parsed(CLAIM_TEXT));
/// A status for pieces.
pub(crate) static STATUSES: Parsed = LazyLock::new(|| parsed(STATUSES_TEXT));
/// Another instance for a line.
pub(crate) static PATCH_LINE: Parsed = LazyLock::new(|| parsed(PATCH_LINE_TEXT));
/// The number of an order.
pub(crate) static PO_NUMBER: Parsed = LazyLock::new(|| parsed(NUMBER));
/// Distributions with their cost.
pub(crate) static FUND_DISTRIBUTIONS: Parsed = LazyLock::new(|| parsed(DISTRIBUTIONS));

const SHAPES: &[(&str, &str)] = &[
    ("orders.receive", RECEIVE_TEXT),
    ("orders.check-in", CHECK_IN_TEXT),
    ("orders.expect", EXPECT_TEXT),
    ("orders.bind-pieces", BIND_TEXT),
    ("orders.claim", CLAIM_TEXT),
    ("orders.piece-statuses", STATUSES_TEXT),
    ("orders.patch-line", PATCH_LINE_TEXT),
    (
        "orders.receiving-results",
        include_str!("answers/receiving-results.shape"),
    ),
    (
        "orders.holding-summaries",
        include_str!("answers/holding-summaries.shape"),
    ),
    (
        "orders.bind-pieces-result",
        include_str!("answers/bind-pieces-result.shape"),
    ),
    (
        "orders.claiming-results",
        include_str!("answers/claiming-results.shape"),
    ),
    (
        "orders.circulation-requests",
        include_str!("answers/circulation-requests.shape"),
    ),
    (
        "orders.routing-list-template",
        include_str!("answers/routing-list-template.shape"),
    ),
    ("orders.composite-order", ORDER),
    ("orders.composite-line", LINE),
    ("orders.fund-distributions", DISTRIBUTIONS),
    (
        "orders.receiving-history",
        include_str!("answers/receiving-history.shape"),
    ),
    (
        "orders.wrapper-pieces",
        include_str!("answers/wrapper-pieces.shape"),
    ),
    (
        "orders.wrapper-piece",
        include_str!("answers/wrapper-piece.shape"),
    ),
    ("orders.po-number", NUMBER),
    (
        "orders.line-numbers",
        include_str!("answers/line-numbers.shape"),
    ),
    (
        "orders.storage-patch-line",
        include_str!("bodies/storage-patch-line.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-orders-storage" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-orders-storage.tsv")),
        "mod-orders" => module.contents(include_str!("mod-orders.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
