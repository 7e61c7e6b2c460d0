//! Validates settings of mod-email: the only key, and a mail server as value.

use std::collections::HashSet;
use std::sync::LazyLock;

use octavo_records::Shape;
use serde_json::{Value, json};

/// The key of the settings of the mail server.
pub const KEY: &str = "smtp-configuration";

static VALUE: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/smtp_configuration.shape"))
        .expect("invariant: the shape is well formed")
});

/// A refusal: a message with parameters (key and value).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingFault {
    /// FOLIO's message.
    pub message: String,
    /// What of it, and why.
    pub parameters: Vec<(String, String)>,
}

/// Checks a setting that fits its shape, and removes what FOLIO removes.
///
/// # Errors
/// FOLIO's message.
pub fn check(setting: &mut Value) -> Result<(), SettingFault> {
    let fault = |message: &str, parameters| SettingFault {
        message: message.to_owned(),
        parameters,
    };
    if setting["key"] != KEY {
        let parameters = vec![("key".to_owned(), "invalid value".to_owned())];
        return Err(fault(&format!("Key must be one of: [{KEY}]"), parameters));
    }
    let wrong = "Invalid value in setting";
    let Some(value) = setting["value"].as_object_mut() else {
        let parameters = vec![("value".to_owned(), "must be an object".to_owned())];
        return Err(fault(wrong, parameters));
    };
    value.remove("id");
    let mut checked = Value::Object(value.clone());
    let mut parameters = Vec::new();
    if let Err(violations) = VALUE.check(&mut checked) {
        let told = violations.into_iter();
        parameters.extend(told.map(|one| (format!("value.{}", one.path), one.message)));
    }
    let mut seen = HashSet::new();
    for identity in checked["identities"].as_array().into_iter().flatten() {
        let address = identity["address"].as_str().unwrap_or_default();
        if !seen.insert(address.to_owned()) {
            parameters.push((
                "value.identities".to_owned(),
                format!("duplicate address: {address}"),
            ));
        }
    }
    match parameters.is_empty() {
        true => Ok(()),
        false => Err(fault(wrong, parameters)),
    }
}

impl SettingFault {
    /// The body of the response.
    #[must_use]
    pub fn body(&self) -> Value {
        let parameters = self.parameters.iter();
        let parameters: Vec<Value> = parameters
            .map(|(key, value)| json!({"key": key, "value": value}))
            .collect();
        json!({"errors": [{"message": self.message, "code": "validation_error",
                           "parameters": parameters}]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_and_a_mail_server() {
        let mut setting = json!({"key": "colour", "value": {}});
        let fault = check(&mut setting).expect_err("another key");
        assert_eq!(fault.message, "Key must be one of: [smtp-configuration]");
        let told = |value: Value| {
            let mut setting = json!({"key": KEY, "value": value});
            check(&mut setting)
                .map(|()| setting)
                .map_err(|fault| fault.parameters)
        };
        assert_eq!(
            told(json!(7)).expect_err("no object")[0].1,
            "must be an object"
        );
        let missing = told(json!({"host": "mail"})).expect_err("it is not whole");
        let keys: Vec<&str> = missing.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["value.password", "value.port", "value.username"]);
        let mut whole = json!({"id": "x", "host": "h", "port": 1, "username": "u", "password": "p",
                               "identities": [{"address": "a"}, {"address": "a"}]});
        let twice = told(whole.clone()).expect_err("an address is there twice");
        assert_eq!(twice[0].1, "duplicate address: a");
        whole["identities"] = json!([]);
        let kept = told(whole).expect("it is whole");
        assert!(kept["value"].get("id").is_none());
    }
}
