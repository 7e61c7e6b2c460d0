//! Text with `${variables}` and `${functions()}`, parsed once and rendered without allocation.
//! Constant parts are folded into the literals before a virtual user starts.

use rand::rngs::SmallRng;

use super::functions::{Function, KNOWN};
use super::variables::{Names, Variables};

/// How a variable's value is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Unchanged, but without control characters, which could end a header line.
    Header,
    /// As a part of a path: percent-encoded.
    Path,
    /// As a part of a query: percent-encoded, a blank as `+`, as JMeter and HTML forms do.
    Query,
    /// Inside a JSON string: quotes, backslashes and control characters escaped.
    Json,
    /// Unchanged.
    Raw,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(Vec<u8>),
    Variable {
        slot: usize,
        encoding: Encoding,
    },
    Call(Function),
    /// A text several times, with commas between: the elements of a list.
    Times {
        count: usize,
        of: Template,
    },
}

/// The most elements of one list.
const TIMES_MAX: usize = 10_000;
/// What ends the text of an element.
const END: &str = "${end()}";

/// Why a text is not a template.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TemplateError {
    /// `${` without `}`.
    #[error("`${{` is not closed by `}}`")]
    Unclosed,
    /// `${times(n)}` without `${end()}`, or in another one.
    #[error("`${{times(…)}}` is closed by `${{end()}}`, and contains no other")]
    Unended,
    /// A function that does not exist or has other arguments.
    #[error("`${{{0}}}` is no function; there are {KNOWN}")]
    NoSuchFunction(String),
}

/// A parsed template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

impl Template {
    /// Parses `text`. Literal parts are encoded now, values at rendering; with `literal` the
    /// literal parts stay unchanged.
    ///
    /// # Errors
    /// When a `${` is not closed or a function does not exist.
    pub fn parse(
        text: &str,
        encoding: Encoding,
        literal: bool,
        names: &mut Names,
    ) -> Result<Self, TemplateError> {
        let mut template = Self::default();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            template.push_text(before, encoding, literal);
            let (inside, after) = after.split_once('}').ok_or(TemplateError::Unclosed)?;
            let Some(count) = times(inside, encoding) else {
                template.parts.push(part(inside, encoding, names)?);
                rest = after;
                continue;
            };
            let (element, after) = after.split_once(END).ok_or(TemplateError::Unended)?;
            let of = Template::parse(element, encoding, literal, names)?;
            if of
                .parts
                .iter()
                .any(|part| matches!(part, Part::Times { .. }))
            {
                return Err(TemplateError::Unended);
            }
            template.parts.push(Part::Times { count, of });
            rest = after;
        }
        template.push_text(rest, encoding, literal);
        Ok(template)
    }

    /// Appends literal bytes.
    pub fn push_literal(&mut self, bytes: &[u8]) {
        if let Some(Part::Literal(last)) = self.parts.last_mut() {
            last.extend_from_slice(bytes);
        } else if !bytes.is_empty() {
            self.parts.push(Part::Literal(bytes.to_vec()));
        }
    }

    /// Appends another template.
    pub fn append(&mut self, other: Template) {
        for part in other.parts {
            match part {
                Part::Literal(bytes) => self.push_literal(&bytes),
                part => self.parts.push(part),
            }
        }
    }

    /// The variables it uses.
    pub fn variables(&self) -> impl Iterator<Item = usize> {
        let of_elements = self.parts.iter().filter_map(|part| match part {
            Part::Times { of, .. } => Some(&of.parts),
            _ => None,
        });
        let all = self.parts.iter().chain(of_elements.flatten());
        all.filter_map(|part| match part {
            Part::Variable { slot, .. } => Some(*slot),
            Part::Literal(_) | Part::Call(_) | Part::Times { .. } => None,
        })
    }

    /// Its text, if it is constant.
    pub fn literal(&self) -> Option<&[u8]> {
        match &self.parts[..] {
            [] => Some(b""),
            [Part::Literal(bytes)] => Some(bytes),
            _ => None,
        }
    }

    /// Its text with the present values; functions, which no condition needs, are left out.
    pub fn text(&self, variables: &Variables) -> Vec<u8> {
        let mut out = Vec::new();
        for part in &self.parts {
            match part {
                Part::Literal(bytes) => out.extend_from_slice(bytes),
                Part::Variable { slot, encoding } => {
                    encode(variables.text(*slot), *encoding, &mut out);
                }
                Part::Call(_) => {}
                Part::Times { count, of } => {
                    let element = of.text(variables);
                    out.extend_from_slice(&vec![element; *count].join(&b','));
                }
            }
        }
        out
    }

    /// Whether it contains a function, whose value differs each time.
    pub fn has_call(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Call(_) => true,
            Part::Times { of, .. } => of.has_call(),
            Part::Literal(_) | Part::Variable { .. } => false,
        })
    }

    fn push_text(&mut self, text: &str, encoding: Encoding, literal: bool) {
        let mut bytes = Vec::with_capacity(text.len());
        match (literal, encoding) {
            // A template's own slashes separate path segments, its own quotes are JSON's.
            (false, Encoding::Path) => encode_path_literal(text, &mut bytes),
            (false, Encoding::Query) => encode(text, encoding, &mut bytes),
            _ => bytes.extend_from_slice(text.as_bytes()),
        }
        self.push_literal(&bytes);
    }

    /// A copy in which variables that are constant by `is_constant` have become literal text.
    pub fn fold(&self, variables: &Variables, is_constant: &impl Fn(usize) -> bool) -> Template {
        let mut folded = Template::default();
        for part in &self.parts {
            match part {
                Part::Literal(bytes) => folded.push_literal(bytes),
                Part::Variable { slot, encoding } if is_constant(*slot) => {
                    let mut bytes = Vec::new();
                    encode(variables.text(*slot), *encoding, &mut bytes);
                    folded.push_literal(&bytes);
                }
                Part::Times { count, of } => folded.parts.push(Part::Times {
                    count: *count,
                    of: of.fold(variables, is_constant),
                }),
                part => folded.parts.push(part.clone()),
            }
        }
        folded
    }

    /// Appends the text with its values to `out`.
    pub fn render(&self, variables: &Variables, random: &mut SmallRng, out: &mut Vec<u8>) {
        for part in &self.parts {
            match part {
                Part::Literal(bytes) => out.extend_from_slice(bytes),
                Part::Variable { slot, encoding } => encode(variables.text(*slot), *encoding, out),
                Part::Call(function) => function.write(random, out),
                Part::Times { count, of } => {
                    for at in 0..*count {
                        if at > 0 {
                            out.push(b',');
                        }
                        of.render(variables, random, out);
                    }
                }
            }
        }
    }
}

/// The number of elements, where a list begins. Only bodies have lists.
fn times(inside: &str, encoding: Encoding) -> Option<usize> {
    let count = inside.strip_prefix("times(")?.strip_suffix(')')?;
    let count = count.trim().parse().ok()?;
    (encoding == Encoding::Json && (1..=TIMES_MAX).contains(&count)).then_some(count)
}

/// Parses the text between `${` and `}`.
fn part(inside: &str, encoding: Encoding, names: &mut Names) -> Result<Part, TemplateError> {
    if !inside.contains('(') {
        let slot = names.used(inside);
        return Ok(Part::Variable { slot, encoding });
    }
    let raw = inside
        .strip_prefix("raw(")
        .and_then(|rest| rest.strip_suffix(')'));
    match raw {
        Some(name) if encoding == Encoding::Json && !name.contains('(') => Ok(Part::Variable {
            slot: names.used(name),
            encoding: Encoding::Raw,
        }),
        _ => Function::parse(inside, encoding)
            .map(Part::Call)
            .ok_or_else(|| TemplateError::NoSuchFunction(inside.to_owned())),
    }
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

fn percent(byte: u8, out: &mut Vec<u8>) {
    out.push(b'%');
    out.push(HEX[usize::from(byte >> 4)]);
    out.push(HEX[usize::from(byte & 15)]);
}

/// Appends `text` to `out` in the given encoding.
pub fn encode(text: &str, encoding: Encoding, out: &mut Vec<u8>) {
    for &byte in text.as_bytes() {
        match encoding {
            Encoding::Header if byte < 0x20 || byte == 0x7f => {}
            Encoding::Header | Encoding::Raw => out.push(byte),
            Encoding::Query if byte == b' ' => out.push(b'+'),
            Encoding::Query | Encoding::Path => match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'*' => {
                    out.push(byte)
                }
                _ => percent(byte, out),
            },
            Encoding::Json => encode_json(byte, out),
        }
    }
}

fn encode_json(byte: u8, out: &mut Vec<u8>) {
    match byte {
        b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
        0..0x20 => {
            out.extend_from_slice(b"\\u00");
            out.push(HEX[usize::from(byte >> 4)]);
            out.push(HEX[usize::from(byte & 15)]);
        }
        _ => out.push(byte),
    }
}

fn encode_path_literal(text: &str, out: &mut Vec<u8>) {
    for (at, segment) in text.split('/').enumerate() {
        if at > 0 {
            out.push(b'/');
        }
        encode(segment, Encoding::Path, out);
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rand::SeedableRng;

    use super::*;

    fn render(text: &str, encoding: Encoding, literal: bool, values: &[(&str, &str)]) -> String {
        let mut names = Names::default();
        let template = Template::parse(text, encoding, literal, &mut names).unwrap();
        let slots: Vec<_> = values
            .iter()
            .map(|(name, value)| (names.used(name), value))
            .collect();
        let mut variables = Variables::new(&names);
        for (slot, value) in slots {
            variables.set(slot, value);
        }
        let mut out = Vec::new();
        template.render(&variables, &mut SmallRng::seed_from_u64(1), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn encodes_each_place_in_its_way() {
        let values = [("b", "a/\"b\"\r\nc&d"), ("n", "42")];
        let check = |text, encoding, expected: &str| {
            assert_eq!(render(text, encoding, false, &values), expected);
        };
        check(
            "/x/${b}/${n}",
            Encoding::Path,
            "/x/a%2F%22b%22%0D%0Ac%26d/42",
        );
        check(
            r#"(id=="${n}" and x)"#,
            Encoding::Query,
            "%28id%3D%3D%2242%22+and+x%29",
        );
        check("v ${b}", Encoding::Header, "v a/\"b\"c&d");
        check(
            r#"{"n":"${b}"}"#,
            Encoding::Json,
            "{\"n\":\"a/\\\"b\\\"\\u000D\\u000Ac&d\"}",
        );
    }

    #[test]
    fn an_encoded_literal_stays_and_its_values_are_encoded() {
        let text = render(
            "/i?query=b==%22${n}%22",
            Encoding::Path,
            true,
            &[("n", "a b")],
        );
        assert_eq!(text, "/i?query=b==%22a%20b%22");
    }

    #[test]
    fn raw_values_are_for_bodies_only() {
        let values = [("o", "{\"a\":\"\n\"}")];
        let body = render("[${raw(o)}]", Encoding::Json, false, &values);
        assert_eq!(body, "[{\"a\":\"\n\"}]");
        for encoding in [Encoding::Header, Encoding::Path, Encoding::Query] {
            let parsed = Template::parse("${raw(o)}", encoding, false, &mut Names::default());
            assert!(parsed.is_err(), "{encoding:?}");
        }
    }

    #[test]
    fn an_element_is_rendered_several_times_each_with_its_own_values() {
        let text = "[${times(3)}{\"a\":\"${n}\",\"id\":\"${uuid()}\"}${end()}]";
        let body = render(text, Encoding::Json, false, &[("n", "\"4")]);
        let list: Vec<serde_json::Value> = serde_json::from_str(&body).unwrap();
        assert_eq!(list.len(), 3);
        assert!(list.iter().all(|one| one["a"] == "\"4"));
        assert_ne!(list[0]["id"], list[1]["id"]);
        let mut names = Names::default();
        let template = Template::parse(text, Encoding::Json, false, &mut names).unwrap();
        assert!(template.has_call());
        let n = names.used("n");
        assert_eq!(template.variables().collect::<Vec<_>>(), [n]);
        let mut variables = Variables::new(&names);
        variables.set(n, "5");
        let folded = template.fold(&variables, &|slot| slot == n);
        assert_eq!(folded.variables().count(), 0);
        let parse = |text| Template::parse(text, Encoding::Json, false, &mut Names::default());
        for text in ["${times(2)}x", "${times(2)}${times(2)}x${end()}${end()}"] {
            assert_eq!(parse(text), Err(TemplateError::Unended), "{text}");
        }
        for text in [
            "${times(0)}x${end()}",
            "${times(10001)}x${end()}",
            "${end()}",
        ] {
            assert!(
                matches!(parse(text), Err(TemplateError::NoSuchFunction(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn an_undefined_variable_is_written_as_its_own_reference() {
        assert_eq!(
            render("${user_id}", Encoding::Query, false, &[]),
            "%24%7Buser_id%7D"
        );
    }

    #[test]
    fn folding_keeps_the_text() {
        let mut names = Names::default();
        let template = Template::parse("a${x}b${y}c", Encoding::Header, false, &mut names).unwrap();
        let mut variables = Variables::new(&names);
        variables.set(names.used("x"), "1");
        let x = names.used("x");
        let folded = template.fold(&variables, &|slot| slot == x);
        assert_eq!(folded.parts.len(), 3);
        assert_eq!(folded.parts[0], Part::Literal(b"a1b".to_vec()));
    }

    #[test]
    fn functions_have_the_shapes_of_the_plans() {
        let id = render("${uuid()}", Encoding::Json, false, &[]);
        assert_eq!(uuid::Uuid::parse_str(&id).unwrap().get_version_num(), 4);
        let hour = render("${time_12h()}", Encoding::Json, false, &[])[11..13]
            .parse::<u8>()
            .unwrap();
        assert!((1..=12).contains(&hour));
        let now: Timestamp = render("${time()}", Encoding::Json, false, &[])
            .parse()
            .unwrap();
        let later: Timestamp = render("${time(+60s)}", Encoding::Json, false, &[])
            .parse()
            .unwrap();
        assert!(later.duration_since(now).as_secs() >= 59);
    }

    #[test]
    fn broken_templates_are_refused() {
        let parse = |text| Template::parse(text, Encoding::Path, false, &mut Names::default());
        assert_eq!(parse("a${b"), Err(TemplateError::Unclosed));
        for text in [
            "${no()}",
            "${time(60s)}",
            "${time(+x)}",
            "${uuid(1)}",
            "${uuid(}",
        ] {
            assert!(
                matches!(parse(text), Err(TemplateError::NoSuchFunction(_))),
                "{text}"
            );
        }
    }
}
