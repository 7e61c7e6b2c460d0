//! Bodies of mod-pubsub, checked against their shapes: a property that is missing or unknown is 422.

use std::sync::LazyLock;

use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, StoreError};
use serde_json::Value;

macro_rules! shapes {
    ($($name:ident $file:literal)+) => {
        $(pub(super) static $name: LazyLock<Shape> = LazyLock::new(|| {
            let text = include_str!(concat!("../shapes/bodies/", $file, ".shape"));
            Shape::parse(text).expect("invariant: the shapes of this area are well formed")
        });)+
    };
}

shapes! {
    EVENT "event"
    DESCRIPTOR "event-descriptor"
    PUBLISHER "publisher-descriptor"
    SUBSCRIBER "subscriber-descriptor"
}

pub(super) fn read(call: &Call, shape: &Shape) -> Result<Value, ApiError> {
    let mut body = call.record()?;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    Ok(body)
}

/// A text of a checked body.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
