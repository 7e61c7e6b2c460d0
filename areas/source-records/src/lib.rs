//! MARC source records and their mapping to instances.
