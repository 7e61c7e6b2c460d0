//! The record store: declared collections to tables, indexes and SQL.
