//! A mapping profile as rules: which stored MARC it exports, and what it generates from inventory.

use serde_json::Value;

use super::defaults::{holdings_rules, instance_rules};
use super::functions::Function;
use super::path::Path;
use super::{From, Rule, Source};
use crate::marc::Shaping;

/// A compiled profile.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// The record types that it reads.
    pub takes: Takes,
    /// Removed fields.
    pub shaping: Shaping,
    /// Rules for fields added to stored MARC.
    pub beside: Vec<Rule>,
    /// Rules for whole records of instances without MARC.
    pub whole: Vec<Rule>,
}

/// Which records a profile reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Takes {
    /// Stored MARC.
    pub marc: bool,
    pub holdings: bool,
    pub items: bool,
    /// Whether generated records include the instance's fields.
    pub instance: bool,
}

impl Profile {
    /// Compiles a checked profile.
    #[must_use]
    pub fn of(document: &Value) -> Profile {
        let types = document["recordTypes"].as_array();
        let has = |name: &str| types.is_some_and(|types| types.iter().any(|one| one == name));
        let is_default = document["default"] == true;
        let shaping = Shaping {
            suppressed: document["fieldsSuppression"]
                .as_str()
                .unwrap_or_default()
                .split(',')
                .map(|tag| tag.trim().to_owned())
                .filter(|tag| !tag.is_empty())
                .collect(),
            without_own: document["suppress999ff"] == true,
        };
        let takes = Takes {
            marc: is_default || has("SRS"),
            holdings: has("HOLDINGS") || has("ITEM"),
            items: has("ITEM"),
            instance: has("INSTANCE") || has("SRS"),
        };
        let transformations = document["transformations"].as_array();
        let transformations = transformations.map_or(&[][..], Vec::as_slice);
        let of_instance: &[Rule] = if takes.instance {
            instance_rules()
        } else {
            &[]
        };
        let of_holdings: &[Rule] = if has("HOLDINGS") {
            holdings_rules()
        } else {
            &[]
        };
        let custom = rules_of(transformations, of_instance);
        let mut whole = custom.clone();
        if transformations.is_empty() {
            whole.extend_from_slice(of_instance);
            whole.extend_from_slice(of_holdings);
        } else if has("SRS") || is_default {
            whole.extend_from_slice(instance_rules());
        }
        Profile {
            takes,
            shaping,
            beside: custom,
            whole,
        }
    }
}

/// Transformations as rules: those of the same tag and indicators make one field together. One without a
/// target uses the default rule of its field.
fn rules_of(transformations: &[Value], defaults: &[Rule]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    let temporary = transformations
        .iter()
        .find(|one| one["fieldId"] == "holdings.temporarylocation.name")
        .map(|one| &one["transformation"]);
    for one in transformations.iter().filter(|one| one["enabled"] == true) {
        let word = |name: &str| one[name].as_str().unwrap_or_default();
        let (id, target) = (word("fieldId"), word("transformation"));
        let shadowed = id == "holdings.permanentlocation.name"
            && !target.is_empty()
            && temporary.is_some_and(|temporary| temporary == target);
        if shadowed {
            continue;
        }
        if target.trim().is_empty() {
            let is_instance = word("recordType") == "INSTANCE";
            let default = defaults.iter().find(|rule| is_instance && rule.id == id);
            rules.extend(default.cloned());
            continue;
        }
        let (Ok(path), Some((tag, indicators, code))) =
            (Path::parse(word("path")), target_of(target))
        else {
            continue;
        };
        let source = Source {
            code,
            from: From::Path(path),
            function: Function::of_field(&id.to_lowercase()),
        };
        let same = |rule: &&mut Rule| {
            rule.id.is_empty() && rule.tag == tag && rule.indicators == indicators
        };
        if let Some(rule) = rules.iter_mut().find(same) {
            rule.sources.push(source);
            // Letters before digits, as FOLIO orders them.
            rule.sources
                .sort_by_key(|source| source.code.map(|code| (code.is_ascii_digit(), code)));
        } else {
            rules.push(Rule {
                id: String::new(),
                tag,
                indicators,
                encodes_relationship: false,
                sources: vec![source],
            });
        }
    }
    rules
}

/// `900ff$a` as tag, indicators and subfield; a control field needs no subfield.
fn target_of(target: &str) -> Option<(String, [char; 2], Option<char>)> {
    let characters: Vec<char> = target.chars().collect();
    let tag: String = characters.get(..3)?.iter().collect();
    let indicator = |at: usize| characters.get(at).copied().unwrap_or(' ');
    let code = match characters.get(5) {
        Some('$') => characters.get(6).copied(),
        _ => None,
    };
    (code.is_some() || tag.starts_with("00")).then(|| (tag, [indicator(3), indicator(4)], code))
}
