//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "search.authority-browse-item",
        include_str!("answers/authority-browse-item.shape"),
    ),
    (
        "search.authority-browse-result",
        include_str!("answers/authority-browse-result.shape"),
    ),
    (
        "search.authority-search-result",
        include_str!("answers/authority-search-result.shape"),
    ),
    ("search.authority", include_str!("answers/authority.shape")),
    (
        "search.call-number-browse-item",
        include_str!("answers/call-number-browse-item.shape"),
    ),
    (
        "search.call-number-browse-result",
        include_str!("answers/call-number-browse-result.shape"),
    ),
    (
        "search.classification-number-browse-item",
        include_str!("answers/classification-number-browse-item.shape"),
    ),
    (
        "search.classification-number-browse-result",
        include_str!("answers/classification-number-browse-result.shape"),
    ),
    (
        "search.contributor-browse-result",
        include_str!("answers/contributor-browse-result.shape"),
    ),
    (
        "search.facet-result",
        include_str!("answers/facet-result.shape"),
    ),
    ("search.holding", include_str!("answers/holding.shape")),
    (
        "search.instance-contributor-browse-item",
        include_str!("answers/instance-contributor-browse-item.shape"),
    ),
    (
        "search.instance-search-result",
        include_str!("answers/instance-search-result.shape"),
    ),
    ("search.instance", include_str!("answers/instance.shape")),
    ("search.item", include_str!("answers/item.shape")),
    (
        "search.resource-ids-job",
        include_str!("answers/resource-ids-job.shape"),
    ),
    (
        "search.resource-ids",
        include_str!("answers/resource-ids.shape"),
    ),
    (
        "search.subject-browse-item",
        include_str!("answers/subject-browse-item.shape"),
    ),
    (
        "search.subject-browse-result",
        include_str!("answers/subject-browse-result.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-search" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-search.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
