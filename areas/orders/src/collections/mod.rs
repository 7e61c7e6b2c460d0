//! The record types of orders, in an order in which each comes after those it refers to.

mod lines;
mod orders;
mod receiving;
mod settings;
mod units;

use octavo_records::Collection;

pub use orders::MOST_COUNTED;

/// All of them.
#[must_use]
pub fn all() -> Vec<Collection> {
    let mut all = settings::all();
    all.extend(units::all());
    all.extend(orders::all());
    all.extend(lines::all());
    all.extend(receiving::all());
    all
}
