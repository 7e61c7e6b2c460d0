//! mod-orders: titles, pieces and receiving.

use octavo_platform::Interface;

/// The interfaces.
pub(super) fn interfaces() -> Vec<Interface> {
    Vec::new()
}
