//! The relay on a real PostgreSQL, with a sink in memory.

mod documented;
mod fixture;
mod leases;
mod relaying;
mod topics;
mod windows;
