//! The event of a manual block, in the form of mod-feesfines. The log has no line of it.

use octavo_fees::account_followers::BlockAct;
use serde_json::{Value, json};

/// The event of an act on a block: the whole record.
#[must_use]
pub fn block_record(act: BlockAct, block: Value) -> Value {
    let kind = match act {
        BlockAct::Created => "MANUAL_BLOCK_CREATED_EVENT",
        BlockAct::Modified => "MANUAL_BLOCK_MODIFIED_EVENT",
        BlockAct::Deleted => "MANUAL_BLOCK_DELETED_EVENT",
    };
    json!({"logEventType": kind, "payload": block})
}
