//! Tests of export.
