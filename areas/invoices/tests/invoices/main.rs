//! The routes of this area over HTTP, on a real PostgreSQL.

mod approval;
mod desk;
mod exports;
mod imports;
mod life;
mod lines;
mod orders;
mod plans;
mod refusals;
mod servers;
mod storage;
mod together;
mod units;
mod uploads;
mod vouchers;
