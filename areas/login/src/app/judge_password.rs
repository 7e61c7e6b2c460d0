//! Checks a new password against the tenant's validation rules.

use http::Method;
use octavo_library::UserId;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::password_history::was_used;
use crate::expression::Budget;
use crate::store::rules::enabled;
use crate::validation_rule::{CheckMethod, Rule, keeps, shipped};

/// The code for a current or recent password.
pub const USED_BEFORE: &str = "password.lastTenPasswords.invalid";

/// A proposed password. It has no `Debug`: passwords belong in no log.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The user, if it is for an existing one.
    pub user_id: Option<UserId>,
    pub user_name: Option<&'a str>,
    pub password: &'a str,
}

/// Which rules are checked, and how many violations are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// All rules, up to the first violated strong one.
    All,
    /// The same, without rules that need more than the password and the username.
    Text,
    /// As [`Depth::Text`], but with all violations.
    EveryText,
}

#[derive(Debug, Default)]
pub struct Verdict {
    /// The codes of the violated rules, in their order.
    pub codes: Vec<String>,
    /// How many rules were checked.
    pub looked_at: usize,
    /// Whether a skipped rule is about the user's earlier passwords.
    pub leaves_history: bool,
    /// Whether a skipped rule calls a module.
    pub leaves_asking: bool,
}

/// Checks a password against the tenant's rules.
///
/// # Errors
/// When a module that a strong rule calls does not answer.
pub async fn judge_password(
    call: &Call,
    candidate: Candidate<'_>,
    depth: Depth,
) -> Result<Verdict, ApiError> {
    // Without mod-password-validator a tenant has FOLIO's default rules.
    let rules = match call.view.serves("password-validator") {
        true => enabled(&call.writer().database, &call.tenant).await?,
        false => shipped(),
    };
    let mut verdict = Verdict::default();
    let mut budget = Budget::default();
    let mut is_decided = false;
    for rule in rules.iter().map(Rule::of) {
        if depth != Depth::All {
            verdict.leaves_history |= rule.means == CheckMethod::History;
            verdict.leaves_asking |= matches!(rule.means, CheckMethod::Asked(_));
            if matches!(rule.means, CheckMethod::History | CheckMethod::Asked(_)) {
                continue;
            }
        }
        if is_decided {
            continue;
        }
        verdict.looked_at += 1;
        let codes = broken(call, candidate, &rule, &mut budget).await?;
        is_decided = !codes.is_empty() && rule.is_strong && depth != Depth::EveryText;
        verdict.codes.extend(codes);
    }
    Ok(verdict)
}

/// The codes to report when the password violates this rule.
async fn broken(
    call: &Call,
    candidate: Candidate<'_>,
    rule: &Rule,
    budget: &mut Budget,
) -> Result<Vec<String>, ApiError> {
    match (&rule.means, candidate.user_id) {
        (CheckMethod::Expression(text), _) => {
            if keeps(text, candidate.user_name, candidate.password, budget) {
                return Ok(Vec::new());
            }
            Ok(vec![rule.code.clone()])
        }
        (CheckMethod::History, Some(id)) => {
            let used = was_used(&call.platform, &call.tenant, id, candidate.password).await?;
            Ok(used.then(|| USED_BEFORE.to_owned()).into_iter().collect())
        }
        (CheckMethod::Asked(path), Some(id)) => {
            asked(call, rule, path, (id, candidate.password)).await
        }
        // The service for leaked passwords is never called: this process sends no passwords out.
        (CheckMethod::Leaks, _) | (_, None) => Ok(Vec::new()),
    }
}

/// The result of the module that serves the rule's path.
async fn asked(
    call: &Call,
    rule: &Rule,
    path: &str,
    about: (UserId, &str),
) -> Result<Vec<String>, ApiError> {
    let (id, password) = about;
    let answer = match call.remote_at(&Method::POST, path) {
        None => Err(ApiError::fault(format!(
            "no module answers at {path}, where the rule {} for passwords asks",
            rule.name
        ))),
        Some(module) => {
            let body = json!({"password": password, "userId": id});
            let answer = module.send(call, Method::POST, path, Some(&body)).await;
            answer.and_then(|answer| match answer.status.as_u16() {
                200..=202 => answer.json(),
                status => Err(ApiError::fault(format!(
                    "the module asked by the rule {} for passwords answered {status}",
                    rule.name
                ))),
            })
        }
    };
    match answer {
        Ok(from_module) => {
            let from_module = from_module["messages"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let code = |one: &Value| one.as_str().map(str::to_owned);
            Ok(from_module.iter().filter_map(code).collect())
        }
        // A soft rule whose module fails refuses nobody.
        Err(_) if !rule.is_strong => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
