//! The routes of this area over HTTP, on a real PostgreSQL.

mod batches;
mod office;
mod storage;
mod together;
