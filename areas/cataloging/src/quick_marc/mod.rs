//! Quick.
