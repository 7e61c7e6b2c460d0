//! Loans, requests, loan policies, circulation rules; check-out and check-in.

pub mod allowed_points;
pub mod anonymization;
pub mod app;
pub mod check_in;
pub mod check_out;
pub mod circulation_config;
pub mod circulation_log;
pub mod collections;
pub mod config_cache;
mod countries;
pub mod due_date;
pub mod facts;
mod http;
pub mod instance_request;
pub mod loan_change;
pub mod loan_policy;
pub mod loss;
pub mod notice;
pub mod overdue_fine;
pub mod placing;
pub mod queue_upkeep;
pub mod record_rules;
pub mod refusal;
pub mod reminder;
pub mod renewal;
pub mod representation;
pub mod request_change;
pub mod request_policy;
pub mod routes;
pub mod rules;
pub mod scan;
pub mod settings;
mod shapes;
pub mod store;

pub use routes::modules;
