//! The limits on a query. Each bounds memory or stack that the text of a query could otherwise make
//! large; exceeding one is an [`Error`](crate::Error), never a panic.

/// Longest query text, in bytes: room for more than 20,000 UUIDs joined by `or`.
pub const MAX_LENGTH: usize = 1 << 20;

/// Deepest nesting of parentheses. Parsing needs no stack for them, but printing, cloning and
/// dropping recurse once per level, and so do the planner and PostgreSQL. Chains of operators are
/// flat and do not count.
pub const MAX_DEPTH: usize = 128;

/// Most search clauses in one query.
pub const MAX_CLAUSES: usize = 1 << 15;

/// Most bytes of index names and relation modifiers, summed over all clauses.
///
/// `index = (a or b or …)` copies index and relation into every clause, so a long index before a
/// long list would otherwise grow with the square of the text. Each modifier counts
/// [`MODIFIER_LENGTH`] bytes in addition to its text.
pub const MAX_SCOPE_LENGTH: usize = 8 << 20;

/// What a modifier counts against [`MAX_SCOPE_LENGTH`] in addition to its text, in bytes: about its
/// size in memory.
pub const MODIFIER_LENGTH: usize = 64;
