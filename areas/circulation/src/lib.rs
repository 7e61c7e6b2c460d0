//! Loans, requests, loan policies, circulation rules; check-out and check-in.

pub mod anonymization;
pub mod app;
pub mod books;
pub mod check_in;
pub mod check_out;
pub mod circulation_log;
pub mod collections;
mod countries;
pub mod due_date;
pub mod facts;
pub mod house;
mod http;
pub mod loan_change;
pub mod loan_policy;
pub mod loss;
pub mod notice;
pub mod queue_upkeep;
pub mod refusal;
pub mod reminder;
pub mod renewal;
pub mod routes;
pub mod rules;
pub mod settings;
pub mod shown;
pub mod store;
pub mod wire_time;

pub use routes::modules;
