//! Routes of mod-configuration and mod-settings over HTTP, on real PostgreSQL.

mod configuration;
mod settings;
