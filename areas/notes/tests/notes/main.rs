//! Routes of mod-notes and mod-tags over HTTP, on real PostgreSQL.

mod notes;
mod tags;
