//! Tests of cataloging.
