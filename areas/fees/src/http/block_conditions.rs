//! `/patron-block-conditions`: its special rules.

use octavo_platform::records_http::Hooks;

use crate::app::block_rules::check_condition;

/// A condition has a message exactly when it blocks something.
pub const HOOKS: Hooks = Hooks {
    body: |call, _| call.json(),
    before: |_, _, condition| check_condition(condition).map_err(super::refused),
    ..Hooks::NONE
};
