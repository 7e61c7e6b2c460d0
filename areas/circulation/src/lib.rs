//! Loans, requests, loan policies, circulation rules; check-out and check-in.

pub mod collections;
pub mod loan_policy;
pub mod refusal;
pub mod routes;
pub mod rules;
pub mod wire_time;

pub use routes::modules;
