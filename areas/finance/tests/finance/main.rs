//! The routes of this area over HTTP, on a real PostgreSQL.

mod batches;
mod budgets;
mod bulk;
mod moves;
mod office;
mod plans;
mod refusals;
mod rollover_cases;
mod rollovers;
mod storage;
mod together;
mod totals;
mod units;
