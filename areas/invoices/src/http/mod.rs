//! mod-invoice-storage and mod-invoice over HTTP.

pub mod credentials;
pub mod document_body;
pub mod numbers;
mod refusal;
pub mod storage;
