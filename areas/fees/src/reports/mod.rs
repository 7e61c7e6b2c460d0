//! Reports on what was paid, waived, transferred and refunded: what is asked, how days and dates are
//! meant, and how sums are told. Nothing here reads.

mod body;
mod period;
mod request;
mod style;
mod totals;

pub use body::Commas;
pub use period::{Period, PeriodError};
pub use request::{CashDrawer, Financial, Refunds, Sources};
pub use style::Style;
pub use totals::{Group, Total, stats};
