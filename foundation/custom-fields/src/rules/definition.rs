//! Definitions of custom fields: allowed properties of each type, the reference under which users store
//! values, and the ids of options.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde_json::{Map, Value, json};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub type Definition = Map<String, Value>;

const NAME_CHARS_MAX: usize = 65;
const HELP_CHARS_MAX: usize = 100;
const OPTION_CHARS_MAX: usize = 100;
const RADIO_OPTIONS_MAX: usize = 5;
const DROPDOWN_OPTIONS_MAX: usize = 200;
/// Where the staff interface can show a field of a user.
const ACCORDIONS: [&str; 7] = [
    "user_information",
    "extended_information",
    "contact_information",
    "default",
    "fees_fines",
    "loans",
    "requests",
];
/// Properties that all types have.
const COMMON: [&str; 12] = [
    "id",
    "name",
    "refId",
    "type",
    "entityType",
    "visible",
    "required",
    "isRepeatable",
    "order",
    "helpText",
    "metadata",
    "displayInAccordion",
];
/// Properties that only some types have.
const PARTS: [&str; 3] = ["checkboxField", "selectField", "textField"];
/// The prefix of option ids.
const OPTION: &str = "opt_";
/// Maximal number of digits in an option's number.
const OPTION_DIGITS_MAX: usize = 5;

/// What kind of value a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One or several of a list.
    Select,
    /// Yes or no.
    Checkbox,
    Text,
    Date,
}

/// The kind of a definition.
#[must_use]
pub fn form(definition: &Definition) -> Form {
    match text(definition, "type") {
        "SINGLE_CHECKBOX" => Form::Checkbox,
        "TEXTBOX_SHORT" | "TEXTBOX_LONG" => Form::Text,
        "DATE_PICKER" => Form::Date,
        _ => Form::Select,
    }
}

/// A text property; empty when absent.
#[must_use]
pub fn text<'a>(definition: &'a Definition, name: &str) -> &'a str {
    definition
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Sets FOLIO's default values.
pub fn complete(definition: &mut Definition) {
    for (name, value) in [
        ("visible", true),
        ("required", false),
        ("isRepeatable", false),
    ] {
        if !definition.contains_key(name) {
            definition.insert(name.to_owned(), Value::Bool(value));
        }
    }
    if form(definition) == Form::Text && !definition.contains_key("textField") {
        definition.insert("textField".to_owned(), json!({"fieldFormat": "TEXT"}));
    }
    if let Some(Value::Object(checkbox)) = definition.get_mut("checkboxField")
        && !checkbox.contains_key("default")
    {
        checkbox.insert("default".to_owned(), Value::Bool(false));
    }
    if let Some(Value::Object(choices)) = definition
        .get_mut("selectField")
        .and_then(|field| field.get_mut("options"))
        && !choices.contains_key("sortingOrder")
    {
        choices.insert("sortingOrder".to_owned(), json!("CUSTOM"));
    }
    for option in options_mut(definition) {
        if let Value::Object(option) = option
            && !option.contains_key("default")
        {
            option.insert("default".to_owned(), Value::Bool(false));
        }
    }
}

/// Checks the rules that the shape cannot express.
///
/// # Errors
/// FOLIO's message about the first error.
pub fn check(definition: &Definition) -> Result<(), String> {
    if chars(text(definition, "name")) > NAME_CHARS_MAX {
        return Err(format!(
            "The 'name' length cannot be more than {NAME_CHARS_MAX}"
        ));
    }
    if chars(text(definition, "helpText")) > HELP_CHARS_MAX {
        return Err(format!(
            "The 'helpText' length cannot be more than {HELP_CHARS_MAX}"
        ));
    }
    if let Some(place) = definition.get("displayInAccordion").and_then(Value::as_str)
        && !ACCORDIONS.contains(&place)
    {
        let all = ACCORDIONS.join(", ");
        return Err(format!(
            "Display in accordion value must be one of: [{all}]"
        ));
    }
    let kind = text(definition, "type");
    let own = match form(definition) {
        Form::Checkbox => Some("checkboxField"),
        Form::Select => Some("selectField"),
        Form::Text => Some("textField"),
        Form::Date => None,
    };
    if let Some(strange) = PARTS
        .iter()
        .find(|part| own != Some(**part) && definition.contains_key(**part))
    {
        let allowed: Vec<&str> = COMMON.into_iter().chain(own).collect();
        return Err(format!(
            "Attribute {strange} is not allowed, following attributes are allowed for field of \
             type {kind} : [{}]",
            allowed.join(", ")
        ));
    }
    let once_only = matches!(
        kind,
        "SINGLE_CHECKBOX" | "RADIO_BUTTON" | "MULTI_SELECT_DROPDOWN"
    );
    if once_only && definition.get("isRepeatable") == Some(&Value::Bool(true)) {
        return Err(format!(
            "Repeatable is not supported by custom field of type {kind}"
        ));
    }
    match form(definition) {
        Form::Checkbox if !definition.contains_key("checkboxField") => Err(format!(
            "The 'checkBox' property should be defined for '{kind}' custom field type."
        )),
        Form::Select => check_options(definition, kind),
        _ => Ok(()),
    }
}

fn check_options(definition: &Definition, kind: &str) -> Result<(), String> {
    let Some(select) = definition.get("selectField") else {
        return Err("The 'selectField' property should be defined".to_owned());
    };
    let options = options(definition);
    let most = match kind {
        "RADIO_BUTTON" => RADIO_OPTIONS_MAX,
        _ => DROPDOWN_OPTIONS_MAX,
    };
    if options.is_empty() || options.len() > most {
        return Err(format!("The options amount should be in range 1 - {most}"));
    }
    let values: Vec<&str> = options.iter().map(|one| of(one, "value")).collect();
    if values
        .iter()
        .any(|value| value.trim().is_empty() || chars(value) > OPTION_CHARS_MAX)
    {
        return Err(format!(
            "The option value cannot be blank or have more than {OPTION_CHARS_MAX} length"
        ));
    }
    if !are_unique(values) {
        return Err("Option values should be unique".to_owned());
    }
    let ids: Vec<&str> = options
        .iter()
        .map(|one| of(one, "id"))
        .filter(|id| !id.is_empty())
        .collect();
    if let Some(wrong) = ids.iter().find(|id| number_of(id).is_none()) {
        let shown: String = wrong.chars().take(NAME_CHARS_MAX).collect();
        return Err(format!(
            "Option ID {shown} must match \"{OPTION}\\d{{1,{OPTION_DIGITS_MAX}}}\""
        ));
    }
    if !are_unique(ids) {
        return Err("Option IDs should be unique".to_owned());
    }
    let several = kind == "MULTI_SELECT_DROPDOWN";
    let defaults = options.iter().filter(|one| one["default"] == true).count();
    if !several && defaults > 1 {
        return Err("The max defaults amount is 1".to_owned());
    }
    if select["multiSelect"] != several {
        return Err(format!("The 'multiSelect' property should be '{several}'"));
    }
    Ok(())
}

fn are_unique(mut texts: Vec<&str>) -> bool {
    let all = texts.len();
    texts.sort_unstable();
    texts.dedup();
    texts.len() == all
}

/// The length as FOLIO's Java counts it: in UTF-16 units.
fn chars(text: &str) -> usize {
    text.encode_utf16().count()
}

fn of<'a>(option: &'a Value, name: &str) -> &'a str {
    option.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[must_use]
pub fn options(definition: &Definition) -> &[Value] {
    definition
        .get("selectField")
        .and_then(|field| field.get("options"))
        .and_then(|options| options.get("values"))
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn options_mut(definition: &mut Definition) -> &mut [Value] {
    definition
        .get_mut("selectField")
        .and_then(|field| field.get_mut("options"))
        .and_then(|options| options.get_mut("values"))
        .and_then(Value::as_array_mut)
        .map_or(&mut [], Vec::as_mut_slice)
}

#[must_use]
pub fn option_ids(definition: &Definition) -> Vec<&str> {
    options(definition)
        .iter()
        .map(|one| of(one, "id"))
        .collect()
}

/// The ids of the default options.
#[must_use]
pub fn default_ids(definition: &Definition) -> Vec<&str> {
    options(definition)
        .iter()
        .filter(|one| one["default"] == true)
        .map(|one| of(one, "id"))
        .collect()
}

fn number_of(id: &str) -> Option<u32> {
    let digits = id.strip_prefix(OPTION)?;
    let fits = (1..=OPTION_DIGITS_MAX).contains(&digits.len());
    let fits = fits && digits.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| digits.parse().ok())?
}

/// Sorts the options as the definition says, and numbers new ones after the highest id.
pub fn arrange_options(definition: &mut Definition) {
    let order = definition
        .get("selectField")
        .and_then(|field| field["options"]["sortingOrder"].as_str())
        .unwrap_or("CUSTOM")
        .to_owned();
    let highest = option_ids(definition)
        .into_iter()
        .filter_map(number_of)
        .max();
    let options = options_mut(definition);
    match order.as_str() {
        "ASC" => options.sort_by(|a, b| of(a, "value").cmp(of(b, "value"))),
        "DESC" => options.sort_by(|a, b| of(b, "value").cmp(of(a, "value"))),
        _ => {}
    }
    let mut number = highest.unwrap_or(0);
    for option in options {
        if of(option, "id").trim().is_empty() {
            number += 1;
            option["id"] = json!(format!("{OPTION}{number}"));
        }
    }
}

/// The reference derived from a name: its Latin letters in camel case. A name without any is encoded.
#[must_use]
pub fn reference(name: &str) -> String {
    let mut words = Vec::new();
    let bare: String = name.nfd().filter(|one| !is_combining_mark(*one)).collect();
    for word in bare.split_whitespace() {
        // The word's first letter becomes upper case, even if characters before it were left out.
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let rest = letters.flat_map(char::to_lowercase);
        let kept: String = first
            .chain(rest)
            .filter(char::is_ascii_alphabetic)
            .collect();
        words.push(kept);
    }
    let joined = words.concat();
    let mut letters = joined.chars();
    match letters.next() {
        Some(first) => first.to_ascii_lowercase().to_string() + letters.as_str(),
        None => STANDARD_NO_PAD.encode(name),
    }
}

/// The reference, with a number appended when it is taken: `colour`, `colour_2`, …
#[must_use]
pub fn free_reference(base: &str, taken: &[String]) -> String {
    let numbers = taken.iter().filter_map(|one| {
        let rest = one.strip_prefix(base)?;
        match rest.strip_prefix('_') {
            None => rest.is_empty().then_some(1),
            Some(number) => number.parse::<u32>().ok().filter(|number| *number > 1),
        }
    });
    match numbers.max() {
        None => base.to_owned(),
        Some(highest) => format!("{base}_{}", highest.saturating_add(1)),
    }
}

/// Checks the replacement of a definition: type and format of a field are fixed.
///
/// # Errors
/// The property, its new value, and FOLIO's message.
pub fn check_change(
    new: &Definition,
    old: &Definition,
) -> Result<(), (&'static str, String, String)> {
    let (kind, before) = (text(new, "type"), text(old, "type"));
    if kind != before {
        let message = format!(
            "The type of the custom field can not be changed: newType = {kind}, oldType = {before}"
        );
        return Err(("type", kind.to_owned(), message));
    }
    let format = |one: &Definition| {
        let field = one
            .get("textField")
            .map(|field| field["fieldFormat"].clone());
        field.and_then(|format| format.as_str().map(str::to_owned))
    };
    let (given, before) = (
        format(new),
        format(old).unwrap_or_else(|| "TEXT".to_owned()),
    );
    let given = given.unwrap_or_else(|| "TEXT".to_owned());
    if form(new) == Form::Text && given != before {
        let message = format!(
            "The format of the custom field can not be changed: newFormat = {given}, \
             oldFormat = {before}"
        );
        return Err(("fieldFormat", given, message));
    }
    Ok(())
}

/// The options of the old definition that the new one lacks.
#[must_use]
pub fn removed_options(new: &Definition, old: &Definition) -> Vec<String> {
    let left = option_ids(new);
    let gone = option_ids(old).into_iter().filter(|id| !left.contains(id));
    gone.map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "definition_tests.rs"]
mod tests;
