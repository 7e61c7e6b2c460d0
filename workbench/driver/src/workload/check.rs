//! Checks of a response and extractions from it. Pure functions of status, head and body; the text
//! of a failed check becomes the failure message in reports and JTL files.

use std::fmt;

use rand::Rng;
use rand::rngs::SmallRng;

use super::change::change;
use super::format::Pick;
use super::json_path::{JsonPath, plain_text};
use super::template::Template;
use super::variables::Variables;

/// A response as checks see it.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    pub status: u16,
    /// Status line and headers.
    pub head: &'a [u8],
    /// The body, decoded from its transfer coding.
    pub body: &'a [u8],
}

impl Answer<'_> {
    /// The value of a header, found by name ignoring case.
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

    /// The value of a cookie that the response sets.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let mut headers = [httparse::EMPTY_HEADER; octavo_client::HEADERS_MAX];
        let mut parsed = httparse::Response::new(&mut headers);
        parsed.parse(self.head).ok()?;
        let cookies = parsed
            .headers
            .iter()
            .filter(|header| header.name.eq_ignore_ascii_case("set-cookie"));
        cookies
            .filter_map(|header| std::str::from_utf8(header.value).ok())
            .filter_map(|cookie| cookie.split(';').next()?.split_once('='))
            .find(|(other, _)| other.trim() == name)
            .map(|(_, value)| value.trim().to_owned())
    }
}

/// One condition.
#[derive(Debug, Clone)]
pub enum Check {
    /// The exact status code: one of these.
    Status(Vec<u16>),
    /// A value in the response.
    Value(ValueSource, Expectation),
    /// Text in the body.
    BodyContains(Template),
    /// Text not in the body.
    BodyLacks(Template),
}

/// The expected value.
#[derive(Debug, Clone)]
pub enum Expectation {
    Present,
    Absent,
    /// Decimal digits only.
    WholeNumber,
    /// It is one of these texts.
    OneOf(Vec<Template>),
}

impl Check {
    /// Checks the response.
    ///
    /// # Errors
    /// The failure message.
    pub fn judge(&self, answer: Answer<'_>, variables: &Variables) -> Result<(), String> {
        match self {
            Check::Status(wanted) if wanted.contains(&answer.status) => Ok(()),
            Check::Status(wanted) => {
                let wanted: Vec<_> = wanted.iter().map(u16::to_string).collect();
                let wanted = wanted.join(" or ");
                Err(format!("status {} instead of {wanted}", answer.status))
            }
            Check::Value(ValueSource::Json(path), Expectation::Present) => {
                match path.is_in(answer.body) {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(format!("no value at {path}")),
                    Err(error) => Err(format!("no value at {path}: {error}")),
                }
            }
            // As with JMeter's inverted assertion, a body that is not JSON has no value either.
            Check::Value(ValueSource::Json(path), Expectation::Absent) => {
                match path.is_in(answer.body) {
                    Ok(true) => Err(format!("there is a value at {path}")),
                    Ok(false) | Err(_) => Ok(()),
                }
            }
            Check::Value(place, wanted) => judge_value(place, wanted, answer, variables),
            Check::BodyContains(text) => match occurs(text, answer.body, variables) {
                (true, _) => Ok(()),
                (false, text) => Err(format!("the body does not contain `{text}`")),
            },
            Check::BodyLacks(text) => match occurs(text, answer.body, variables) {
                (false, _) => Ok(()),
                (true, text) => Err(format!("the body contains `{text}`")),
            },
        }
    }

    /// The variables it uses.
    pub(super) fn variables(&self) -> Vec<usize> {
        match self {
            Check::BodyContains(text) | Check::BodyLacks(text) => text.variables().collect(),
            Check::Value(_, Expectation::OneOf(texts)) => {
                texts.iter().flat_map(Template::variables).collect()
            }
            Check::Status(_) | Check::Value(..) => Vec::new(),
        }
    }
}

/// Whether the text is in the body, and the text for a message.
fn occurs(text: &Template, body: &[u8], variables: &Variables) -> (bool, String) {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match text.literal() {
        Some(text) if contains(body, text) => (true, String::new()),
        Some(text) => (false, shown(text)),
        None => {
            let text = text.text(variables);
            (contains(body, &text), shown(&text))
        }
    }
}

fn judge_value(
    place: &ValueSource,
    wanted: &Expectation,
    answer: Answer<'_>,
    variables: &Variables,
) -> Result<(), String> {
    let found = place.first(answer)?;
    match (wanted, found) {
        (Expectation::Present, Some(_)) | (Expectation::Absent, None) => Ok(()),
        (Expectation::Present, None) => Err(format!("no {place}")),
        (Expectation::Absent, Some(_)) => Err(format!("there is a {place}")),
        (Expectation::WholeNumber, Some(value))
            if value.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Ok(())
        }
        (Expectation::WholeNumber, _) => Err(format!("no whole number at {place}")),
        (Expectation::OneOf(texts), found) => {
            let texts: Vec<_> = texts.iter().map(|text| text.text(variables)).collect();
            let is_one = |found: &String| texts.iter().any(|text| *text == found.as_bytes());
            if found.as_ref().is_some_and(is_one) {
                return Ok(());
            }
            let texts: Vec<_> = texts
                .iter()
                .map(|text| String::from_utf8_lossy(text))
                .collect();
            let (found, texts) = (found.unwrap_or("nothing".to_owned()), texts.join(" or "));
            Err(format!("{found} at {place} instead of {texts}"))
        }
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

/// One variable extracted from a response.
#[derive(Debug, Clone)]
pub struct Extract {
    pub slot: usize,
    /// The source of its value.
    pub from: ValueSource,
    /// Which of several matches.
    pub pick: Pick,
    /// Members of the extracted JSON object that get another value.
    pub change: Vec<(Vec<String>, Template)>,
    /// The value without a match.
    pub default: String,
}

/// The source of a value in a response.
#[derive(Debug, Clone)]
pub enum ValueSource {
    /// In the JSON body.
    Json(JsonPath),
    /// In a header.
    Header(String),
    /// In a cookie that is set.
    Cookie(String),
}

impl ValueSource {
    /// The first value there, as the text that a variable holds.
    fn first(&self, answer: Answer<'_>) -> Result<Option<String>, String> {
        match self {
            ValueSource::Header(name) => Ok(answer.header(name)),
            ValueSource::Cookie(name) => Ok(answer.cookie(name)),
            ValueSource::Json(path) => match path.first(answer.body) {
                Ok(value) => Ok(value.and_then(plain_text)),
                Err(error) => Err(format!("no value at {path}: {error}")),
            },
        }
    }
}

impl fmt::Display for ValueSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueSource::Json(path) => write!(out, "{path}"),
            ValueSource::Header(name) => write!(out, "header {name}"),
            ValueSource::Cookie(name) => write!(out, "cookie {name}"),
        }
    }
}

impl Extract {
    /// Sets the variable from the response, or to its default. Returns whether there was a value.
    pub fn apply(
        &self,
        answer: Answer<'_>,
        variables: &mut Variables,
        random: &mut SmallRng,
    ) -> bool {
        let found = match (&self.from, self.pick) {
            (ValueSource::Json(path), Pick::Random) => {
                let all = path.all(answer.body).unwrap_or_default();
                let chosen = (!all.is_empty()).then(|| random.random_range(0..all.len()));
                chosen.and_then(|at| plain_text(all[at]))
            }
            (place, _) => place.first(answer).ok().flatten(),
        };
        let found = match self.change.is_empty() {
            true => found,
            false => found.and_then(|object| change(&object, &self.change, variables)),
        };
        variables.set(self.slot, found.as_deref().unwrap_or(&self.default));
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::template::Encoding;
    use super::super::variables::Names;
    use super::*;

    fn answer(body: &str) -> Answer<'_> {
        Answer {
            status: 201,
            head:
                b"HTTP/1.1 201 Created\r\nX-Okapi-Token:  abc \r\nSet-Cookie: other=1; Path=/\r\n\
                    set-cookie: folioAccessToken=t=1; HttpOnly\r\n\r\n",
            body: body.as_bytes(),
        }
    }

    fn json(path: &str, wanted: Expectation) -> Check {
        Check::Value(ValueSource::Json(JsonPath::parse(path).unwrap()), wanted)
    }

    fn text(text: &str) -> Template {
        Template::parse(text, Encoding::Raw, true, &mut Names::default()).unwrap()
    }

    fn judged(check: &Check, body: &str) -> Result<(), String> {
        check.judge(answer(body), &Variables::new(&Names::default()))
    }

    #[test]
    fn judges_as_the_plan_does() {
        let check = |check: Check, body: &str, ok: bool| {
            assert_eq!(judged(&check, body).is_ok(), ok, "{check:?} on {body}");
        };
        check(
            json("$..group", Expectation::Present),
            r#"{"usergroups":[]}"#,
            false,
        );
        check(
            json("$..group", Expectation::Present),
            r#"{"usergroups":[{"group":"staff"}]}"#,
            true,
        );
        check(
            json("$.servicepoints", Expectation::Present),
            r#"{"servicepoints":[]}"#,
            true,
        );
        check(
            json("$.errors", Expectation::Absent),
            r#"{"errors":[]}"#,
            false,
        );
        check(json("$.errors", Expectation::Absent), "not JSON", true);
        check(
            json("$.totalRecords", Expectation::WholeNumber),
            r#"{"totalRecords":0}"#,
            true,
        );
        check(
            json("$.totalRecords", Expectation::WholeNumber),
            r#"{"totalRecords":-1}"#,
            false,
        );
        check(
            Check::BodyContains(text("\"id\" : ")),
            r#"{"id":"x"}"#,
            false,
        );
        check(
            Check::BodyContains(text("\"id\" : ")),
            r#"{ "id" : "x" }"#,
            true,
        );
        check(
            Check::BodyLacks(text("java.lang.NullPointerException")),
            "{}",
            true,
        );
        check(Check::Status(vec![200, 201]), "", true);
        check(Check::Status(vec![200]), "", false);
    }

    #[test]
    fn values_are_compared_and_the_message_says_with_what() {
        let one_of =
            |texts: &[&str]| Expectation::OneOf(texts.iter().map(|one| text(one)).collect());
        let done = json("$.jobs[0].status", one_of(&["COMPLETED", "FAIL"]));
        assert_eq!(judged(&done, r#"{"jobs":[{"status":"FAIL"}]}"#), Ok(()));
        let error = judged(&done, r#"{"jobs":[{"status":"NEW"}]}"#).unwrap_err();
        assert_eq!(
            error,
            "NEW at $.jobs[0].status instead of COMPLETED or FAIL"
        );
        let error = judged(&done, "{}").unwrap_err();
        assert!(error.starts_with("nothing at"), "{error}");
        assert!(judged(&done, "<html>").is_err());
        let flag = json("$.blocked", one_of(&["false"]));
        assert_eq!(judged(&flag, r#"{"blocked":false}"#), Ok(()));
        let header =
            |name: &str, wanted| Check::Value(ValueSource::Header(name.to_owned()), wanted);
        assert_eq!(
            judged(&header("x-okapi-token", one_of(&["abc"])), ""),
            Ok(())
        );
        assert_eq!(judged(&header("location", Expectation::Absent), ""), Ok(()));
        let error = judged(&header("location", Expectation::Present), "").unwrap_err();
        assert_eq!(error, "no header location");
        assert!(judged(&header("x-okapi-token", Expectation::WholeNumber), "").is_err());
    }

    #[test]
    fn conditions_may_read_variables() {
        let mut names = Names::default();
        let wanted = Template::parse("\"${id}\"", Encoding::Raw, true, &mut names).unwrap();
        let slot = names.used("id");
        let mut variables = Variables::new(&names);
        variables.set(slot, "7");
        let check = Check::BodyContains(wanted);
        assert_eq!(check.variables(), [slot]);
        assert!(check.judge(answer(r#"["7"]"#), &variables).is_ok());
        let error = check.judge(answer("[]"), &variables).unwrap_err();
        assert_eq!(error, "the body does not contain `\"7\"`");
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
                change: Vec::new(),
                default: default.to_owned(),
            };
            extract.apply(answer(body), &mut variables, &mut random);
            variables.text(slot).to_owned()
        };
        let place = |path| ValueSource::Json(JsonPath::parse(path).unwrap());
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
            apply(
                ValueSource::Header("x-okapi-token".into()),
                Pick::First,
                "",
                ""
            ),
            "abc"
        );
        let cookie = |name: &str| ValueSource::Cookie(name.to_owned());
        assert_eq!(
            apply(cookie("folioAccessToken"), Pick::First, "", ""),
            "t=1"
        );
        assert_eq!(apply(cookie("none"), Pick::First, "no", ""), "no");
        let list = r#"{"servicepoints":[{"id":"1"},{"id":"2"},{"id":"3"}]}"#;
        let mut seen: Vec<_> = (0..60)
            .map(|_| apply(place("$.servicepoints[*].id"), Pick::Random, "", list))
            .collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen, ["1", "2", "3"]);
    }
}
