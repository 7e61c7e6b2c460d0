//! Accounts, manual and automated patron blocks, overdue and lost item fee policies.
