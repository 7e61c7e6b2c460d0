//! Builds small plans, and loads drafts.

use octavo_drafts::{Draft, Note};
use octavo_driver::workload::{self, Workload};

/// Loads a draft as `workload check` does.
pub fn load(draft: &Draft) -> Workload {
    match workload::parse("draft.toml", &draft.toml) {
        Ok(workload) => workload,
        Err(error) => panic!("{error}\n{}", draft.toml),
    }
}

/// Notes of a group, as text.
pub fn notes_of(notes: &[Note], group: &str) -> Vec<String> {
    let notes = notes.iter().filter(|note| note.group.starts_with(group));
    notes
        .map(|note| format!("{}: {}", note.line, note.what))
        .collect()
}

/// Names of a workload's transactions with the labels of their requests.
pub fn steps(workload: &Workload) -> Vec<(String, Vec<String>)> {
    let steps = workload.transactions.iter().map(|one| {
        let labels = one.requests.iter().map(|request| request.label.clone());
        (one.name.clone(), labels.collect())
    });
    steps.collect()
}

/// Names and weights of its branches.
pub fn branches(workload: &Workload) -> Vec<(String, u32)> {
    let branches = workload.branches.iter();
    branches.map(|one| (one.name.clone(), one.weight)).collect()
}

/// A plan with these elements below its `TestPlan`.
pub fn plan(below: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<jmeterTestPlan version=\"1.2\">\n<hashTree>\n\
         <TestPlan testname=\"A plan\" enabled=\"true\"/>\n<hashTree>\n{below}\n</hashTree>\n\
         </hashTree>\n</jmeterTestPlan>\n"
    )
}

/// An element with properties and what is below it.
pub fn element(kind: &str, name: &str, properties: &str, below: &str) -> String {
    format!(
        "<{kind} testname=\"{name}\" enabled=\"true\">{properties}</{kind}>\n\
         <hashTree>{below}</hashTree>\n"
    )
}

/// A property.
pub fn text(name: &str, value: &str) -> String {
    let value = value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    format!("<stringProp name=\"{name}\">{value}</stringProp>")
}

/// A thread group with options.
pub fn group(name: &str, users: &str, below: &str) -> String {
    let properties = text("ThreadGroup.num_threads", users)
        + &text("ThreadGroup.ramp_time", "${__P(RAMP_UP,80)}")
        + "<boolProp name=\"ThreadGroup.scheduler\">true</boolProp>"
        + &text("ThreadGroup.duration", "1800")
        + &text("ThreadGroup.on_sample_error", "startnextloop");
    element("ThreadGroup", name, &properties, below)
}

/// A sampler; `below` is in its scope.
pub fn sampler(name: &str, method: &str, path: &str, more: &str, below: &str) -> String {
    let properties = text("HTTPSampler.method", method) + &text("HTTPSampler.path", path) + more;
    element("HTTPSamplerProxy", name, &properties, below)
}

/// The property that holds a raw body.
pub fn raw(body: &str) -> String {
    format!(
        "<boolProp name=\"HTTPSampler.postBodyRaw\">true</boolProp>{}",
        arguments(&[("", body)])
    )
}

/// Query arguments.
pub fn arguments(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().map(|(name, value)| {
        format!(
            "<elementProp name=\"{name}\" elementType=\"HTTPArgument\">{}{}{}</elementProp>",
            "<boolProp name=\"HTTPArgument.always_encode\">true</boolProp>",
            text("Argument.name", name),
            text("Argument.value", value)
        )
    });
    list(
        "HTTPsampler.Arguments",
        "Arguments.arguments",
        &pairs.collect::<String>(),
    )
}

/// A list inside an element that is a property.
pub fn list(outer: &str, inner: &str, items: &str) -> String {
    format!(
        "<elementProp name=\"{outer}\"><collectionProp name=\"{inner}\">{items}</collectionProp>\
         </elementProp>"
    )
}

/// A header manager.
pub fn headers(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().map(|(name, value)| {
        format!(
            "<elementProp name=\"\">{}{}</elementProp>",
            text("Header.name", name),
            text("Header.value", value)
        )
    });
    let items = pairs.collect::<String>();
    let list = format!("<collectionProp name=\"HeaderManager.headers\">{items}</collectionProp>");
    element("HeaderManager", "Headers", &list, "")
}

/// User-defined variables.
pub fn variables(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().map(|(name, value)| {
        format!(
            "<elementProp name=\"{name}\">{}{}</elementProp>",
            text("Argument.name", name),
            text("Argument.value", value)
        )
    });
    let items = pairs.collect::<String>();
    let list = format!("<collectionProp name=\"Arguments.arguments\">{items}</collectionProp>");
    element("Arguments", "Variables", &list, "")
}

/// A CSV data set.
pub fn data_set(file: &str, names: &str, recycle: &str) -> String {
    let properties = text("filename", file)
        + &text("variableNames", names)
        + &text("recycle", recycle)
        + &text("delimiter", ",");
    element("CSVDataSet", "Rows", &properties, "")
}

/// A response assertion on the status.
pub fn status(code: &str) -> String {
    let properties = text("Assertion.test_field", "Assertion.response_code")
        + "<intProp name=\"Assertion.test_type\">8</intProp>"
        + &format!(
            "<collectionProp name=\"Asserion.test_strings\">{}</collectionProp>",
            text("1", code)
        );
    element("ResponseAssertion", "Status", &properties, "")
}

/// A JSON extractor.
pub fn extractor(names: &str, paths: &str, matches: &str) -> String {
    let properties = text("JSONPostProcessor.referenceNames", names)
        + &text("JSONPostProcessor.jsonPathExprs", paths)
        + &text("JSONPostProcessor.match_numbers", matches);
    element("JSONPostProcessor", "Extractor", &properties, "")
}

/// A login as in FOLIO's plans.
pub fn login() -> String {
    let token = element(
        "RegexExtractor",
        "Token",
        &(text("RegexExtractor.useHeaders", "true")
            + &text("RegexExtractor.refname", "okapi-token")
            + &text("RegexExtractor.regex", "x-okapi-token: (.*)")
            + &text("RegexExtractor.template", "$1$")),
        "",
    );
    let body = raw("{\"username\":\"${username}\",\"password\":\"${password}\"}");
    sampler(
        "Log in",
        "POST",
        "/authn/login",
        &body,
        &(status("201") + &token),
    )
}
