//! Tests of authorities.
