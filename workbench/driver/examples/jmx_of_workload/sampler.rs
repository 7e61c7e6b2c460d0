//! Converts one request: the sampler and its children.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result, bail};

use super::property::{escaped, flag, list, text};
use super::workload::{Expect, Extract, Headers, Request, Think};
use super::{Arguments, Plan};

impl Plan {
    pub(super) fn request(
        &mut self,
        request: &Request,
        outer: &[&Headers],
        arguments: &Arguments,
    ) -> Result<()> {
        let (method, target) = request
            .send
            .split_once(' ')
            .context("`send` is METHOD /path")?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let with_query_in_path = request.body.is_some() && !query.is_empty();
        if with_query_in_path {
            bail!(
                "{}: a body and a query together are not known here",
                request.label
            );
        }
        let items = match &request.body {
            Some(body) => argument("", &in_jmeter(body)?, false, true),
            None => query
                .split('&')
                .filter(|part| !part.is_empty())
                .map(|part| {
                    let (name, value) = part.split_once('=').unwrap_or((part, ""));
                    let (name, value) = (in_jmeter(name)?, in_jmeter(value)?);
                    Ok(argument(&name, &value, true, part.contains('=')))
                })
                .collect::<Result<String>>()?,
        };
        let properties = [
            text("HTTPSampler.path", &in_jmeter(path)?),
            text("HTTPSampler.method", method),
            flag("HTTPSampler.follow_redirects", false),
            flag("HTTPSampler.auto_redirects", false),
            flag("HTTPSampler.use_keepalive", true),
            flag("HTTPSampler.postBodyRaw", request.body.is_some()),
            list(
                "HTTPsampler.Arguments",
                "Arguments",
                "Arguments.arguments",
                &items,
            ),
        ];
        let sampler = ["HTTPSamplerProxy", "HttpTestSampleGui", &request.label];
        self.element(sampler, &properties, |plan| {
            plan.headers(outer, &request.headers)?;
            if !arguments.no_pauses {
                plan.pause(&request.think)?;
            }
            for expect in &request.expect {
                plan.expect(expect)?;
            }
            for extract in &request.extract {
                plan.extract(extract)?;
            }
            Ok(())
        })
    }

    /// One manager with all headers of this request, which costs JMeter less than several.
    fn headers(&mut self, outer: &[&Headers], own: &Headers) -> Result<()> {
        let mut merged: BTreeMap<String, (&str, &str)> = BTreeMap::new();
        for (name, value) in outer.iter().copied().chain([own]).flatten() {
            merged.insert(name.to_lowercase(), (name, value));
        }
        let mut items = String::new();
        for (name, value) in merged.values() {
            write!(
                items,
                "<elementProp name=\"\" elementType=\"Header\">{}{}</elementProp>",
                text("Header.name", name),
                text("Header.value", &in_jmeter(value)?)
            )?;
        }
        let items =
            format!("<collectionProp name=\"HeaderManager.headers\">{items}</collectionProp>");
        self.leaf(["HeaderManager", "HeaderPanel", "Headers"], &[items])
    }

    fn pause(&mut self, think: &Think) -> Result<()> {
        if think.constant_ms == 0 && think.uniform_ms == 0 {
            return Ok(());
        }
        self.leaf(
            ["UniformRandomTimer", "UniformRandomTimerGui", "Pause"],
            &[
                text("ConstantTimer.delay", &think.constant_ms.to_string()),
                text("RandomTimer.range", &format!("{}.0", think.uniform_ms)),
            ],
        )
    }

    fn expect(&mut self, expect: &Expect) -> Result<()> {
        match expect {
            Expect {
                json: Some(path),
                is,
                ..
            } => {
                let (validated, inverted, value) = match is.as_deref() {
                    None | Some("present") => (false, false, ""),
                    Some("absent") => (false, true, ""),
                    Some("whole-number") => (true, false, "[0-9]+"),
                    Some(other) => bail!("`is = \"{other}\"` is not known here"),
                };
                self.leaf(
                    ["JSONPathAssertion", "JSONPathAssertionGui", "JSON"],
                    &[
                        text("JSON_PATH", path),
                        text("EXPECTED_VALUE", value),
                        flag("JSONVALIDATION", validated),
                        flag("EXPECT_NULL", false),
                        flag("INVERT", inverted),
                        flag("ISREGEX", true),
                    ],
                )
            }
            Expect {
                status: Some(status),
                ..
            } => self.response("response_code", 8, &status.to_string(), *status >= 400),
            Expect {
                body_contains: Some(wanted),
                ..
            } => self.response("response_data", 16, wanted, false),
            Expect {
                body_lacks: Some(unwanted),
                ..
            } => self.response("response_data", 16 | 4, unwanted, false),
            _ => bail!("an `expect` without a subject that is known here"),
        }
    }

    /// 8 is JMeter's "equals", 16 its "substring", 4 its "not".
    fn response(&mut self, field: &str, kind: u8, value: &str, error_wanted: bool) -> Result<()> {
        let strings = format!(
            "<collectionProp name=\"Asserion.test_strings\">{}</collectionProp>",
            text("0", value)
        );
        self.leaf(
            ["ResponseAssertion", "AssertionGui", "Response"],
            &[
                strings,
                text("Assertion.test_field", &format!("Assertion.{field}")),
                flag("Assertion.assume_success", error_wanted),
                format!("<intProp name=\"Assertion.test_type\">{kind}</intProp>"),
            ],
        )
    }

    fn extract(&mut self, extract: &Extract) -> Result<()> {
        let number = match extract.pick.as_deref() {
            None | Some("first") => "1",
            Some("random") => "0",
            Some(other) => bail!("`match = \"{other}\"` is not known here"),
        };
        match (&extract.json, &extract.header) {
            (Some(path), None) => self.leaf(
                [
                    "JSONPostProcessor",
                    "JSONPostProcessorGui",
                    &extract.variable,
                ],
                &[
                    text("JSONPostProcessor.referenceNames", &extract.variable),
                    text("JSONPostProcessor.jsonPathExprs", path),
                    text("JSONPostProcessor.match_numbers", number),
                    text("JSONPostProcessor.defaultValues", &extract.default),
                ],
            ),
            (None, Some(header)) => self.leaf(
                ["RegexExtractor", "RegexExtractorGui", &extract.variable],
                &[
                    text("RegexExtractor.useHeaders", "true"),
                    text("RegexExtractor.refname", &extract.variable),
                    text("RegexExtractor.regex", &header_pattern(header)),
                    text("RegexExtractor.template", "$1$"),
                    text("RegexExtractor.default", &extract.default),
                    text("RegexExtractor.match_number", number),
                ],
            ),
            _ => bail!("an `extract` needs either `json` or `header`"),
        }
    }
}

/// A pattern for a header's line, ignoring case, with its value as the first group.
fn header_pattern(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        match letter.is_ascii_alphabetic() {
            true => {
                let (upper, lower) = (letter.to_ascii_uppercase(), letter.to_ascii_lowercase());
                pattern.extend(['[', upper, lower, ']']);
            }
            false => pattern.push(letter),
        }
    }
    pattern + ": *(\\S+)"
}

fn argument(name: &str, value: &str, encoded: bool, with_equals: bool) -> String {
    format!(
        "<elementProp name=\"{}\" elementType=\"HTTPArgument\">{}{}{}{}{}</elementProp>",
        escaped(name),
        flag("HTTPArgument.always_encode", encoded),
        text("Argument.name", name),
        text("Argument.value", value),
        text("Argument.metadata", "="),
        flag("HTTPArgument.use_equals", with_equals)
    )
}

/// Variables have the same notation; functions have other names in JMeter.
fn in_jmeter(template: &str) -> Result<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("${") {
        let (inside, after) = after.split_once('}').context("`${` is not closed")?;
        out.push_str(before);
        match inside {
            "uuid()" => out.push_str("${__UUID()}"),
            "time()" => out.push_str("${__time(yyyy-MM-dd'T'HH:mm:ss.SSS'Z',)}"),
            "time_12h()" => out.push_str("${__time(yyyy-MM-dd'T'hh:mm:ss'Z',)}"),
            call if call.contains('(') => bail!("`${{{call}}}` is not known here"),
            variable => write!(out, "${{{variable}}}")?,
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
