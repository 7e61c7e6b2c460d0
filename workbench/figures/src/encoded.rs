//! Histograms as text: HdrHistogram's own compressed format (V2, deflate) in Base64, which its
//! tools read.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};

/// Longer texts are not histograms of ours: the largest has some hundred thousand counters.
const TEXT_BYTES_MAX: usize = 16 << 20;

/// The text of a histogram.
pub(crate) fn encode(histogram: &Histogram<u64>) -> String {
    let mut bytes = Vec::new();
    V2DeflateSerializer::new()
        .serialize(histogram, &mut bytes)
        .expect("invariant: writing into memory does not fail");
    BASE64_STANDARD.encode(bytes)
}

/// A histogram from its text.
pub(crate) fn decode(text: &str) -> Result<Histogram<u64>, String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("a histogram of {} bytes is too large", text.len()));
    }
    let bytes = BASE64_STANDARD
        .decode(text)
        .map_err(|error| format!("a histogram is not Base64: {error}"))?;
    Deserializer::new()
        .deserialize(&mut bytes.as_slice())
        .map_err(|error| format!("a histogram cannot be read: {error}"))
}
