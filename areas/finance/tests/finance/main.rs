//! The routes of this area over HTTP, on a real PostgreSQL.

mod batches;
mod budgets;
mod moves;
mod office;
mod storage;
mod together;
mod totals;
