//! Decisions and computations of finance. No clock, no database: times and ids are arguments.

pub mod batch;
pub mod exchange;
pub mod finance_data;
pub mod fiscal_years;
pub mod recalculation;
pub mod restriction;
pub mod rollover;
