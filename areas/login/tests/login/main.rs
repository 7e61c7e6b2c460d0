//! Log-in, tokens, sessions and credentials over HTTP, on real PostgreSQL.

mod credentials;
mod tokens;
