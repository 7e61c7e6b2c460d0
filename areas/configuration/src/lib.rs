//! Configuration entries of a tenant.
