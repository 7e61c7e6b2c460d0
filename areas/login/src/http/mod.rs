//! Requests and responses, no decisions.

pub mod attempts;
pub mod cookies;
pub mod credentials;
pub mod login;
pub mod password_check;
pub mod password_reset;
pub mod refresh;
pub mod rules;
pub mod tokens;
