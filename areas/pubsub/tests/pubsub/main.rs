//! The routes of this area over HTTP, on a real PostgreSQL.
