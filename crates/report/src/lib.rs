//! What is told of a run: tables on the terminal, a report in HTML and Markdown, comparisons.

mod assets;
mod comparison;
mod table;

pub use assets::{UPLOT_SCRIPT, UPLOT_STYLE};
pub use comparison::comparison;
pub use table::table;
