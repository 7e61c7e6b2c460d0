//! Source records over HTTP, on real PostgreSQL: routes, MARC storage, searches.

mod source_records;
mod storage;
