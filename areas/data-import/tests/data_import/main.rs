//! Imports over HTTP, on real PostgreSQL: jobs, `octavo load marc`, serials, hostile files.

mod hostile;
mod jobs;
mod load;
mod serials;
