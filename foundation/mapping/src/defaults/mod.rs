//! The default rules of a new tenant.
//!
//! They are written in a notation of our own, one line for each property, in `rules/*.rules`, and
//! converted into FOLIO's notation here. The file for bibliographic records explains the notation.

mod line;
mod notation;

use std::sync::LazyLock;

use serde_json::Value;

use crate::{RecordKind, Rules};

static BIB: LazyLock<Value> = LazyLock::new(|| made(include_str!("../../rules/marc-bib.rules")));
static HOLDINGS: LazyLock<Value> =
    LazyLock::new(|| made(include_str!("../../rules/marc-holdings.rules")));
static AUTHORITY: LazyLock<Value> =
    LazyLock::new(|| made(include_str!("../../rules/marc-authority.rules")));

fn made(text: &str) -> Value {
    notation::rules(text).expect("invariant: the default rules are well written")
}

/// The default rules in FOLIO's notation.
pub(crate) fn rules(kind: RecordKind) -> &'static Value {
    match kind {
        RecordKind::Bib => &BIB,
        RecordKind::Holdings => &HOLDINGS,
        RecordKind::Authority => &AUTHORITY,
    }
}

/// The default rules, compiled.
pub(crate) fn compiled(kind: RecordKind) -> &'static Rules {
    static COMPILED: LazyLock<[Rules; 3]> = LazyLock::new(|| {
        RecordKind::ALL.map(|kind| {
            Rules::parse(kind, rules(kind)).expect("invariant: the default rules are right")
        })
    });
    match kind {
        RecordKind::Bib => &COMPILED[0],
        RecordKind::Holdings => &COMPILED[1],
        RecordKind::Authority => &COMPILED[2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_rules_are_well_written_and_right() {
        for kind in RecordKind::ALL {
            assert_eq!(compiled(kind).kind(), kind);
        }
        assert!(Rules::parse_extended_authority(rules(RecordKind::Authority)).is_ok());
    }
}
