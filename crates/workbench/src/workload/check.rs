//! What a plan demands of an answer and what it takes from it. Pure functions over status, head
//! and body; the words of a failed check become the failure message in reports and JTL files.

use rand::Rng;
use rand::rngs::SmallRng;

use super::format::{JsonIs, Pick};
use super::json_path::{JsonPath, plain_text};
use super::variables::Variables;

/// An answer as checks see it.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The status code.
    pub status: u16,
    /// Status line and headers.
    pub head: &'a [u8],
    /// The body, decoded from its transfer coding.
    pub body: &'a [u8],
}

impl Answer<'_> {
    /// The value of a header, found by name in any case.
    pub fn header(&self, name: &str) -> Option<String> {
        let mut headers = [httparse::EMPTY_HEADER; octavo_client::HEADERS_MAX];
        let mut parsed = httparse::Response::new(&mut headers);
        parsed.parse(self.head).ok()?;
        let found = parsed
            .headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case(name))?;
        Some(String::from_utf8_lossy(found.value).into_owned())
    }
}

/// One condition.
#[derive(Debug, Clone)]
pub enum Check {
    /// The exact status code.
    Status(u16),
    /// A JSON value.
    Json(JsonPath, JsonIs),
    /// Text in the body.
    BodyContains(String),
    /// Text not in the body.
    BodyLacks(String),
}

impl Check {
    /// Whether the answer meets the condition; if not, what was missed.
    ///
    /// # Errors
    /// The failure message.
    pub fn judge(&self, answer: Answer<'_>) -> Result<(), String> {
        match self {
            Check::Status(wanted) if answer.status == *wanted => Ok(()),
            Check::Status(wanted) => Err(format!("status {} instead of {wanted}", answer.status)),
            Check::Json(path, is) => judge_json(path, *is, answer.body),
            Check::BodyContains(text) if contains(answer.body, text.as_bytes()) => Ok(()),
            Check::BodyContains(text) => Err(format!("the body does not contain `{text}`")),
            Check::BodyLacks(text) if !contains(answer.body, text.as_bytes()) => Ok(()),
            Check::BodyLacks(text) => Err(format!("the body contains `{text}`")),
        }
    }
}

fn judge_json(path: &JsonPath, is: JsonIs, body: &[u8]) -> Result<(), String> {
    match is {
        JsonIs::Present => match path.is_in(body) {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("no value at {path}")),
            Err(error) => Err(format!("no value at {path}: {error}")),
        },
        // Like JMeter's inverted assertion, a body that is not JSON has no value either.
        JsonIs::Absent => match path.is_in(body) {
            Ok(true) => Err(format!("there is a value at {path}")),
            Ok(false) | Err(_) => Ok(()),
        },
        JsonIs::WholeNumber => match path.first(body) {
            Ok(Some(value)) if value.get().bytes().all(|byte| byte.is_ascii_digit()) => Ok(()),
            Ok(_) => Err(format!("no whole number at {path}")),
            Err(error) => Err(format!("no whole number at {path}: {error}")),
        },
    }
}

/// Whether `text` occurs in `body`; the empty text occurs everywhere.
pub(crate) fn contains(body: &[u8], text: &[u8]) -> bool {
    let Some((&first, rest)) = text.split_first() else {
        return true;
    };
    let mut from = 0;
    while let Some(at) = body[from..].iter().position(|byte| *byte == first) {
        if body[from + at + 1..].starts_with(rest) {
            return true;
        }
        from += at + 1;
    }
    false
}

/// One variable taken from an answer.
#[derive(Debug, Clone)]
pub struct Extract {
    /// The variable to set.
    pub slot: usize,
    /// Where its value stands.
    pub from: Place,
    /// Which of several matches.
    pub pick: Pick,
    /// The value when nothing matches.
    pub default: String,
}

/// Where an extracted value stands.
#[derive(Debug, Clone)]
pub enum Place {
    /// In the JSON body.
    Json(JsonPath),
    /// In a header.
    Header(String),
}

impl Extract {
    /// Sets the variable from the answer, or to its default. Tells whether there was a value.
    pub fn apply(
        &self,
        answer: Answer<'_>,
        variables: &mut Variables,
        random: &mut SmallRng,
    ) -> bool {
        let found = match &self.from {
            Place::Header(name) => answer.header(name),
            Place::Json(path) => match self.pick {
                Pick::First => path.first(answer.body).ok().flatten().and_then(plain_text),
                Pick::Random => {
                    let all = path.all(answer.body).unwrap_or_default();
                    let chosen = (!all.is_empty()).then(|| random.random_range(0..all.len()));
                    chosen.and_then(|at| plain_text(all[at]))
                }
            },
        };
        variables.set(self.slot, found.as_deref().unwrap_or(&self.default));
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::variables::Names;
    use super::*;

    fn answer(body: &str) -> Answer<'_> {
        Answer {
            status: 201,
            head: b"HTTP/1.1 201 Created\r\nX-Okapi-Token:  abc \r\n\r\n",
            body: body.as_bytes(),
        }
    }

    fn json(path: &str, is: JsonIs) -> Check {
        Check::Json(JsonPath::parse(path).unwrap(), is)
    }

    #[test]
    fn judges_as_the_plan_does() {
        let check = |check: Check, body: &str, ok: bool| {
            assert_eq!(check.judge(answer(body)).is_ok(), ok, "{check:?} on {body}");
        };
        check(
            json("$..group", JsonIs::Present),
            r#"{"usergroups":[]}"#,
            false,
        );
        check(
            json("$..group", JsonIs::Present),
            r#"{"usergroups":[{"group":"staff"}]}"#,
            true,
        );
        check(
            json("$.servicepoints", JsonIs::Present),
            r#"{"servicepoints":[]}"#,
            true,
        );
        check(json("$.errors", JsonIs::Absent), r#"{"errors":[]}"#, false);
        check(json("$.errors", JsonIs::Absent), "not JSON", true);
        check(
            json("$.totalRecords", JsonIs::WholeNumber),
            r#"{"totalRecords":0}"#,
            true,
        );
        check(
            json("$.totalRecords", JsonIs::WholeNumber),
            r#"{"totalRecords":-1}"#,
            false,
        );
        check(
            Check::BodyContains("\"id\" : ".into()),
            r#"{"id":"x"}"#,
            false,
        );
        check(
            Check::BodyContains("\"id\" : ".into()),
            r#"{ "id" : "x" }"#,
            true,
        );
        check(
            Check::BodyLacks("java.lang.NullPointerException".into()),
            "{}",
            true,
        );
        check(Check::Status(201), "", true);
        check(Check::Status(200), "", false);
    }

    #[test]
    fn finds_text_whose_beginning_repeats() {
        assert!(contains(b"aaab", b"aab"));
        assert!(!contains(b"aaa", b"aab"));
        assert!(contains(b"", b""));
        assert!(!contains(b"", b"a"));
    }

    #[test]
    fn extracts_or_falls_back() {
        let mut names = Names::default();
        let slot = names.set_often("v");
        let mut variables = Variables::new(&names);
        let mut random = SmallRng::seed_from_u64(7);
        let mut apply = |from, pick, default: &str, body: &str| {
            let extract = Extract {
                slot,
                from,
                pick,
                default: default.to_owned(),
            };
            extract.apply(answer(body), &mut variables, &mut random);
            variables.text(slot).to_owned()
        };
        let place = |path| Place::Json(JsonPath::parse(path).unwrap());
        assert_eq!(
            apply(
                place("$.loan.id"),
                Pick::First,
                "NOT_FOUND",
                r#"{"item":1}"#
            ),
            "NOT_FOUND"
        );
        assert_eq!(
            apply(
                place("$.loan.id"),
                Pick::First,
                "0",
                r#"{"loan":{"id":"a"}}"#
            ),
            "a"
        );
        assert_eq!(apply(place("$.loan.id"), Pick::First, "", ""), "");
        assert_eq!(
            apply(Place::Header("x-okapi-token".into()), Pick::First, "", ""),
            "abc"
        );
        let list = r#"{"servicepoints":[{"id":"1"},{"id":"2"},{"id":"3"}]}"#;
        let mut seen: Vec<_> = (0..60)
            .map(|_| apply(place("$.servicepoints[*].id"), Pick::Random, "", list))
            .collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen, ["1", "2", "3"]);
    }
}
