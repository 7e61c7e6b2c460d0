//! `/tags`. Records store the labels themselves: a change here does not change them.

use octavo_platform::records_http::{Hooks, Write};
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use super::refusal::{Subject, too_long};
use super::stored;
use crate::app::note_form::fits;

/// Characters of a label, and of a description.
const CHARS_MAX: usize = 255;

/// Every new tag gets a new id: the body's is ignored.
pub const HOOKS: Hooks = Hooks {
    before: complete,
    wording: |refused| stored(refused, Subject::Tag),
    ..super::HOOKS
};

fn complete(_: &Call, _: Write, tag: &mut Value) -> Result<(), ApiError> {
    for name in ["label", "description"] {
        fits(name, &tag[name], CHARS_MAX).map_err(|text| too_long(&text))?;
    }
    if let Some(tag) = tag.as_object_mut() {
        tag.remove("id");
    }
    Ok(())
}
