//! What is told of a run: tables on the terminal, a report in HTML and Markdown, comparisons.

mod comparison;
mod table;

pub use comparison::comparison;
pub use table::table;
