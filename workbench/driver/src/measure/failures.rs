//! Errors by label and kind, each with the first body.

use std::collections::BTreeMap;

/// A body is kept up to this many bytes.
const BODY_BYTES_KEPT: usize = 2048;
/// Further kinds are counted together, so that messages cannot fill the memory.
const KINDS_MAX: usize = 200;
const OTHER: &str = "other errors";

/// One kind of error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub count: u64,
    /// The status of the first; 0 without a response.
    pub first_status: u16,
    /// The beginning of the first body.
    pub first_body: String,
}

/// All errors of a run, by label number and kind.
#[derive(Debug, Clone, Default)]
pub struct Failures {
    kinds: BTreeMap<(usize, String), Failure>,
}

impl Failures {
    /// Counts one error.
    pub fn record(&mut self, label: usize, kind: &str, status: u16, body: &[u8]) {
        let full = self.kinds.len() >= KINDS_MAX;
        let mut key = (label, kind.to_owned());
        if full && !self.kinds.contains_key(&key) {
            key.1 = OTHER.to_owned();
        }
        let failure = self.kinds.entry(key).or_insert_with(|| Failure {
            count: 0,
            first_status: status,
            first_body: cut(body),
        });
        failure.count += 1;
    }

    /// Adds the errors of another worker.
    pub fn add(&mut self, other: &Failures) {
        for (key, failure) in &other.kinds {
            let full = self.kinds.len() >= KINDS_MAX && !self.kinds.contains_key(key);
            let key = match full {
                true => (key.0, OTHER.to_owned()),
                false => key.clone(),
            };
            match self.kinds.get_mut(&key) {
                Some(known) => known.count += failure.count,
                None => {
                    self.kinds.insert(key, failure.clone());
                }
            }
        }
    }

    /// Label number, kind and failure, by label.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str, &Failure)> {
        self.kinds
            .iter()
            .map(|((label, kind), failure)| (*label, kind.as_str(), failure))
    }
}

fn cut(body: &[u8]) -> String {
    if body.len() <= BODY_BYTES_KEPT {
        return String::from_utf8_lossy(body).into_owned();
    }
    let kept = String::from_utf8_lossy(&body[..BODY_BYTES_KEPT]);
    format!("{kept}… ({} bytes)", body.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_body_is_kept_and_cut() {
        let mut failures = Failures::default();
        failures.record(3, "HTTP 500", 500, &[b'a'; 5000]);
        failures.record(3, "HTTP 500", 500, b"second");
        let (label, kind, failure) = failures.iter().next().unwrap();
        assert_eq!((label, kind, failure.count), (3, "HTTP 500", 2));
        assert!(failure.first_body.starts_with("aaa"));
        assert!(failure.first_body.ends_with("… (5000 bytes)"));
    }

    #[test]
    fn endless_kinds_are_counted_together() {
        let mut failures = Failures::default();
        for number in 0..1000 {
            failures.record(0, &format!("kind {number}"), 0, b"");
        }
        assert_eq!(failures.iter().count(), KINDS_MAX + 1);
        assert_eq!(
            failures
                .iter()
                .map(|(_, _, failure)| failure.count)
                .sum::<u64>(),
            1000
        );
        let mut sum = failures.clone();
        sum.add(&failures);
        assert_eq!(
            sum.iter().map(|(_, _, failure)| failure.count).sum::<u64>(),
            2000
        );
    }
}
