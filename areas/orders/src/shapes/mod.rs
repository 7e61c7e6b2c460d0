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

const ORDER: &str = include_str!("composite_order.shape");
const LINE: &str = include_str!("composite_line.shape");
const NUMBER: &str = include_str!("answers/po-number.shape");
const DISTRIBUTIONS: &str = include_str!("bodies/fund-distributions.shape");

/// An order with its lines.
pub(crate) static COMPOSITE_ORDER: Parsed = LazyLock::new(|| parsed(ORDER));
/// A line.
pub(crate) static COMPOSITE_LINE: Parsed = LazyLock::new(|| parsed(LINE));
/// The number of an order.
pub(crate) static PO_NUMBER: Parsed = LazyLock::new(|| parsed(NUMBER));
/// Distributions with their cost.
pub(crate) static FUND_DISTRIBUTIONS: Parsed = LazyLock::new(|| parsed(DISTRIBUTIONS));

const SHAPES: &[(&str, &str)] = &[
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
