//! Tests of changes and orders.
