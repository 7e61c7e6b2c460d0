//! Segments in FOLIO's JSON: `{"segments": [{"tag", "dataElements": [{"components": [{"data"}]}]}]}`.

use serde_json::{Value, json};

use crate::messages::Message;

impl Message {
    /// The message as FOLIO shows it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let segments: Vec<Value> = self
            .segments
            .iter()
            .map(|segment| {
                let elements: Vec<Value> = segment
                    .elements
                    .iter()
                    .map(|element| {
                        let components = element.iter().map(|data| json!({"data": data}));
                        json!({"components": components.collect::<Vec<_>>()})
                    })
                    .collect();
                json!({"tag": segment.tag, "dataElements": elements})
            })
            .collect();
        json!({"segments": segments})
    }
}
