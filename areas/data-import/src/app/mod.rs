//! The operations of imports, one per file. They know nothing of HTTP.

pub(crate) mod act;
pub(crate) mod assemble;
pub(crate) mod cancel;
pub(crate) mod candidates;
pub(crate) mod change_job;
pub(crate) mod chunk;
pub mod delete_jobs;
pub(crate) mod extensions;
pub(crate) mod finish;
pub(crate) mod holdings_and_items;
pub(crate) mod initialize;
pub(crate) mod invoices;
pub(crate) mod job_context;
pub(crate) mod match_existing;
pub(crate) mod orders;
pub(crate) mod post_chunk;
pub(crate) mod process_files;
pub(crate) mod profile;
pub(crate) mod profile_runner;
pub(crate) mod read_file;
pub(crate) mod refusal;
pub(crate) mod snapshot;
pub(crate) mod sweep_files;
pub(crate) mod upload;
pub mod work;

use octavo_records::Context;
pub(crate) use refusal::Refusal;
