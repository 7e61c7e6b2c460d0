//! Prometheus' text format: families of samples with labels.

use std::fmt::{Display, Write};

/// The content type of the text.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The kind of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Counter,
    Gauge,
    Histogram,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        }
    }
}

/// A text that is being written. All samples of a family follow its head.
#[derive(Debug, Default)]
pub struct Exposition(String);

impl Exposition {
    /// Begins a family.
    pub fn family(&mut self, name: &str, kind: Kind, help: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            self.0,
            "# HELP {name} {help}\n# TYPE {name} {}",
            kind.word()
        );
    }

    /// Adds a sample of the last family.
    pub fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (at, (label, text)) in labels.iter().enumerate() {
            let _ = write!(self.0, "{}{label}=\"", if at == 0 { '{' } else { ',' });
            for character in text.chars() {
                match character {
                    '\\' => self.0.push_str("\\\\"),
                    '"' => self.0.push_str("\\\""),
                    '\n' => self.0.push_str("\\n"),
                    other => self.0.push(other),
                }
            }
            self.0.push('"');
        }
        if !labels.is_empty() {
            self.0.push('}');
        }
        let _ = writeln!(self.0, " {value}");
    }

    /// A family with one sample.
    pub fn single(&mut self, name: &str, kind: Kind, help: &str, value: impl Display) {
        self.family(name, kind, help);
        self.sample(name, &[], value);
    }

    /// The text.
    #[must_use]
    pub fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_follow_their_head_and_labels_are_escaped() {
        let mut text = Exposition::default();
        text.family("a_total", Kind::Counter, "As.");
        text.sample("a_total", &[("route", "/x/\"{id}\""), ("m", "a\\b\nc")], 3);
        text.single("b", Kind::Gauge, "B.", 0.5);
        assert_eq!(
            text.into_text(),
            "# HELP a_total As.\n# TYPE a_total counter\n\
             a_total{route=\"/x/\\\"{id}\\\"\",m=\"a\\\\b\\nc\"} 3\n\
             # HELP b B.\n# TYPE b gauge\nb 0.5\n"
        );
    }
}
