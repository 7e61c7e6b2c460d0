//! Presents runs: tables on the terminal, a report in HTML, Markdown and JSON, comparisons, trends
//! over many runs. Nothing here does I/O.

mod assets;
mod bullets;
mod comparison;
mod document;
mod escape;
mod html;
mod json;
mod markdown;
mod number;
mod plot;
mod report;
mod section;
mod side_by_side;
mod table;
mod trends;

pub use assets::{UPLOT_SCRIPT, UPLOT_STYLE};
pub use comparison::comparison;
pub use report::{Baseline, Report};
pub use side_by_side::{html_comparison, markdown_comparison};
pub use table::table;
pub use trends::{html_trends, markdown_trends};

/// The report as one self-contained HTML file.
pub fn html(report: &Report<'_>) -> String {
    html::page(&report.document())
}

/// The report as Markdown.
pub fn markdown(report: &Report<'_>) -> String {
    markdown::page(&report.document())
}

/// The report as JSON: the run's figures and the analysis, without histograms and timeline, which
/// are in the run's own record.
pub fn json(report: &Report<'_>) -> String {
    json::text(report)
}
