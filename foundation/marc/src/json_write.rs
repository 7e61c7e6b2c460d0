//! Writes a record straight as the text of FOLIO's MARC in JSON, without a tree in between: loads
//! and exports do so by the million.

use crate::{Field, Record};

impl Record {
    /// The text of [`Record::to_json`], byte for byte.
    pub fn to_json_text(&self) -> String {
        let mut text = String::with_capacity(64 + self.fields.len() * 64);
        self.write_json(&mut text);
        text
    }

    /// Appends the text of [`Record::to_json`].
    pub fn write_json(&self, text: &mut String) {
        text.push_str("{\"leader\":");
        push_string(text, self.leader.as_str());
        text.push_str(",\"fields\":[");
        for (at, field) in self.fields.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            push_field(text, field);
        }
        text.push_str("]}");
    }
}

fn push_field(text: &mut String, field: &Field) {
    text.push_str("{\"");
    // A tag is letters and digits, so it needs no escaping.
    text.push_str(field.tag().as_str());
    text.push_str("\":");
    match field {
        Field::Control(control) => push_string(text, &control.value),
        Field::Data(data) => {
            let [first, second] = data.indicators;
            text.push_str("{\"ind1\":");
            push_character(text, first);
            text.push_str(",\"ind2\":");
            push_character(text, second);
            text.push_str(",\"subfields\":[");
            for (at, subfield) in data.subfields.iter().enumerate() {
                text.push_str(if at > 0 { ",{" } else { "{" });
                push_character(text, subfield.code);
                text.push(':');
                push_string(text, &subfield.value);
                text.push('}');
            }
            text.push_str("]}");
        }
    }
    text.push('}');
}

fn push_character(text: &mut String, character: char) {
    push_string(text, character.encode_utf8(&mut [0; 4]));
}

/// A JSON string: runs without characters to escape are copied whole.
fn push_string(text: &mut String, value: &str) {
    text.push('"');
    let mut copied = 0;
    for (at, byte) in value.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0C => "\\f",
            0..0x20 => "",
            _ => continue,
        };
        text.push_str(&value[copied..at]);
        copied = at + 1;
        if escape.is_empty() {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            text.push_str("\\u00");
            text.push(char::from(DIGITS[usize::from(byte >> 4)]));
            text.push(char::from(DIGITS[usize::from(byte & 15)]));
        } else {
            text.push_str(escape);
        }
    }
    text.push_str(&value[copied..]);
    text.push('"');
}
