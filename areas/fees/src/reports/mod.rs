//! Reports on what was paid, waived, transferred and refunded: requests, periods, formats and sums.
//! Nothing here reads.

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
