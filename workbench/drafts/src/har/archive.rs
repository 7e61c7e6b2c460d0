//! The parts of an HTTP Archive that a draft reads, as serde types. Browsers add and leave out
//! much; only addresses and methods are required.

use serde::{Deserialize, Deserializer};

use crate::draft::DraftError;

/// Some browsers write null for unknown values.
fn or_default<'d, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'d>,
    T: Default + Deserialize<'d>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[derive(Debug, Deserialize)]
pub(super) struct Archive {
    pub(super) log: Log,
}

#[derive(Debug, Deserialize)]
pub(super) struct Log {
    #[serde(default, deserialize_with = "or_default")]
    pages: Vec<Page>,
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Page {
    #[serde(default, deserialize_with = "or_default")]
    id: String,
    #[serde(default, deserialize_with = "or_default")]
    title: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    #[serde(default, rename = "pageref", deserialize_with = "or_default")]
    pub(super) page: Option<String>,
    #[serde(default, rename = "startedDateTime", deserialize_with = "or_default")]
    started: String,
    #[serde(default, deserialize_with = "or_default")]
    time: f64,
    #[serde(default, rename = "_resourceType", deserialize_with = "or_default")]
    pub(super) resource: String,
    pub(super) request: Request,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) response: Response,
}

#[derive(Debug, Deserialize)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) url: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) headers: Vec<Pair>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) cookies: Vec<Pair>,
    #[serde(default, rename = "postData", deserialize_with = "or_default")]
    pub(super) post_data: Option<PostData>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Response {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) status: i64,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) headers: Vec<Pair>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) cookies: Vec<Pair>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) content: Content,
}

#[derive(Debug, Deserialize)]
pub(super) struct Pair {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) value: String,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Content {
    #[serde(default, rename = "mimeType", deserialize_with = "or_default")]
    pub(super) kind: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) text: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) encoding: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PostData {
    #[serde(default, rename = "mimeType", deserialize_with = "or_default")]
    pub(super) kind: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) text: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    params: Vec<Pair>,
}

impl PostData {
    /// The body as it was sent, if the recording has it.
    pub(super) fn body(&self) -> Option<String> {
        match &self.text {
            Some(text) if !text.is_empty() => Some(text.clone()),
            _ if self.params.is_empty() => None,
            _ => {
                let pairs = self.params.iter();
                let pairs = pairs.map(|pair| format!("{}={}", pair.name, pair.value));
                Some(pairs.collect::<Vec<_>>().join("&"))
            }
        }
    }
}

impl Archive {
    /// The title of a page.
    pub(super) fn title(&self, id: &str) -> Option<String> {
        let page = self.log.pages.iter().find(|page| page.id == id)?;
        let title = page.title.trim();
        // Browsers write the address where a page has no title.
        let title = title.split(['?', '#']).next().unwrap_or_default();
        let title = title.rsplit_once("://").map_or(title, |(_, rest)| rest);
        let title = match title.is_empty() {
            true => page.id.as_str(),
            false => title,
        };
        let title: String = title
            .chars()
            .filter(|one| !one.is_control())
            .take(80)
            .collect();
        (!title.is_empty()).then_some(title)
    }
}

impl Entry {
    /// When it was sent, in milliseconds since 1970.
    pub(super) fn started_ms(&self) -> Option<i64> {
        let time: jiff::Timestamp = self.started.parse().ok()?;
        Some(time.as_millisecond())
    }

    pub(super) fn length_ms(&self) -> i64 {
        self.time.clamp(0.0, 1e12) as i64
    }

    /// The response body as JSON.
    pub(super) fn json(&self) -> Option<serde_json::Value> {
        const BODY_BYTES_MAX: usize = 8 << 20;
        let content = &self.response.content;
        let text = content.text.as_ref()?;
        let is_text = content.encoding.as_deref().is_none_or(str::is_empty);
        if text.len() > BODY_BYTES_MAX {
            return None;
        }
        match is_text {
            true => serde_json::from_str(text).ok(),
            false => serde_json::from_slice(&base64(text)?).ok(),
        }
    }
}

/// Decodes base64, in which some browsers write every body.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' | b'\r' | b'\n' => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

/// Parses a recording.
pub(super) fn parse(text: &str) -> Result<Archive, DraftError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => DraftError::Other {
            wanted: "recording in the form HAR",
            // The message has the position, but no values of the recording.
            found: without_values(&error),
            remedy: "save it with the browser's developer tools, \"Save all as HAR with content\"",
        },
        _ => DraftError::Malformed {
            line: error.line(),
            column: error.column(),
            reason: without_values(&error),
            remedy: "save the recording again, to its end",
        },
    })
}

/// Serde's message without the values that it quotes.
fn without_values(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.find(['"', '`']) {
        Some(at) if text.starts_with("invalid") => {
            format!(
                "{}… at line {}, column {}",
                &text[..at],
                error.line(),
                error.column()
            )
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        assert_eq!(base64("eyJpZCI6MX0=").as_deref(), Some(&b"{\"id\":1}"[..]));
        assert_eq!(base64("e yJ"), None);
    }

    #[test]
    fn what_is_no_recording_is_refused_with_its_place() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert!(message("{\"log\":").contains("line 1"));
        assert!(message("{}").contains("missing field `log`"));
        let sparse = r#"{"log":{"pages":null,"entries":[{"pageref":null,"time":null,"request":
            {"method":"GET","url":"https://h/","headers":null,"postData":null},"response":null}]}}"#;
        assert_eq!(parse(sparse).unwrap().log.entries[0].length_ms(), 0);
        assert!(message("[1]").contains("not a recording"));
        assert!(!message("{\"log\":\"secret\"}").contains("secret"));
    }
}
