//! `/patron-block-limits`: its special rules.

use octavo_platform::records_http::Hooks;

use crate::app::block_rules::check_limit;

/// A limit must fit its condition.
pub const HOOKS: Hooks = Hooks {
    body: |call, _| call.json(),
    before: |_, _, limit| check_limit(limit).map_err(super::refused),
    ..Hooks::NONE
};
