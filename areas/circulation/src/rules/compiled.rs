//! Rules ready to be asked: sorted by score, indexed by criteria. Compile once when the text
//! changes, ask for every loan.

use serde::Serialize;
use uuid::Uuid;

use super::check::{FlatRule, Policies, flatten};
use super::index::Index;
use super::parser::parse;
use super::priority::Used;
use super::syntax::{Criterion, Position};
use super::{PolicyIds, PolicyKind, RuleError, TEXT_BYTES_MAX, lexer};

/// What the rules are asked about: a patron's group, an item's types and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Criteria {
    /// The borrower's patron group.
    pub patron_group: Uuid,
    /// The item's material type.
    pub material_type: Uuid,
    /// The item's effective loan type.
    pub loan_type: Uuid,
    /// The item's effective location.
    pub location: Uuid,
    /// The location's institution; `None` for an unknown location: then no rule that mentions
    /// an institution can match, not even one that excludes some. The same holds below.
    pub institution: Option<Uuid>,
    /// The location's campus.
    pub campus: Option<Uuid>,
    /// The location's library.
    pub library: Option<Uuid>,
}

impl Criteria {
    fn values(&self) -> [Option<Uuid>; Criterion::COUNT] {
        Criterion::ALL.map(|criterion| match criterion {
            Criterion::PatronGroup => Some(self.patron_group),
            Criterion::MaterialType => Some(self.material_type),
            Criterion::LoanType => Some(self.loan_type),
            Criterion::Institution => self.institution,
            Criterion::Campus => self.campus,
            Criterion::Library => self.library,
            Criterion::Location => Some(self.location),
        })
    }
}

/// Which of three criteria the winning rule (with its ancestors) mentions. FOLIO's
/// `appliedRuleConditions`; the item limit counts only what the rule mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchConditions {
    /// The rule mentions material types.
    pub material_type_match: bool,
    /// The rule mentions loan types.
    pub loan_type_match: bool,
    /// The rule mentions patron groups.
    pub patron_group_match: bool,
}

/// A policy found, and by which line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The policy of the kind asked for.
    pub policy_id: Uuid,
    /// The rule's line in the text, counted from 1.
    pub line: u32,
    /// What the rule mentions. FOLIO tells this for loan policies only, so all are `false`
    /// for the other kinds.
    pub conditions: MatchConditions,
}

#[derive(Debug, Clone)]
struct Rule {
    line: u32,
    used: Used,
    policies: Policies,
}

/// A compiled rules text. It always has an answer, because a text has a fallback.
#[derive(Debug, Clone)]
pub struct CompiledRules {
    /// By rank, best first.
    rules: Vec<Rule>,
    /// Rank of the fallback, which matches everything.
    fallback: usize,
    index: Index,
}

impl CompiledRules {
    /// Compiles a text. Give the ids of existing policies when someone saves the text; leave them
    /// out for a text that was checked when it was stored.
    ///
    /// # Errors
    /// The first mistake, form before meaning, each in the order of the text.
    pub fn compile(text: &str, known: Option<&PolicyIds>) -> Result<Self, RuleError> {
        if text.len() > TEXT_BYTES_MAX {
            let message = format!("The rules are longer than {TEXT_BYTES_MAX} bytes.");
            return Err(lexer::error(message, Position { line: 1, column: 1 }));
        }
        let mut flat = flatten(&parse(text)?, known)?;
        flat.sort_by_key(|rule| std::cmp::Reverse(rule.score));
        let fallback = flat
            .iter()
            .position(|rule| rule.conditions.is_empty())
            .expect("invariant: the parser refuses a text without fallback");
        let index = Index::new(&flat);
        let rules = flat.into_iter().map(Rule::from).collect();
        Ok(Self {
            rules,
            fallback,
            index,
        })
    }

    /// The loan policy of the winning rule.
    pub fn match_loan_policy(&self, criteria: &Criteria) -> Match {
        self.match_policy(PolicyKind::Loan, criteria)
    }

    /// The request policy of the winning rule.
    pub fn match_request_policy(&self, criteria: &Criteria) -> Match {
        self.match_policy(PolicyKind::Request, criteria)
    }

    /// The patron notice policy of the winning rule.
    pub fn match_notice_policy(&self, criteria: &Criteria) -> Match {
        self.match_policy(PolicyKind::Notice, criteria)
    }

    /// The overdue fine policy of the winning rule.
    pub fn match_overdue_fine_policy(&self, criteria: &Criteria) -> Match {
        self.match_policy(PolicyKind::OverdueFine, criteria)
    }

    /// The lost item fee policy of the winning rule.
    pub fn match_lost_item_policy(&self, criteria: &Criteria) -> Match {
        self.match_policy(PolicyKind::LostItem, criteria)
    }

    /// The policy of one kind of the winning rule.
    pub fn match_policy(&self, kind: PolicyKind, criteria: &Criteria) -> Match {
        let rank = self
            .index
            .matches(criteria.values())
            .next()
            .unwrap_or(self.fallback);
        self.rules[rank].found(kind)
    }

    /// The policies of one kind of every rule that matches, in order of priority.
    pub fn match_all<'a>(
        &'a self,
        kind: PolicyKind,
        criteria: &Criteria,
    ) -> impl Iterator<Item = Match> + 'a {
        self.index
            .matches(criteria.values())
            .map(move |rank| self.rules[rank].found(kind))
    }

    /// How many rules there are, the fallback among them.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }
}

impl Rule {
    fn found(&self, kind: PolicyKind) -> Match {
        let conditions = match kind {
            PolicyKind::Loan => MatchConditions {
                material_type_match: self.used.contains(Criterion::MaterialType),
                loan_type_match: self.used.contains(Criterion::LoanType),
                patron_group_match: self.used.contains(Criterion::PatronGroup),
            },
            _ => MatchConditions::default(),
        };
        Match {
            policy_id: self.policies[kind as usize],
            line: self.line,
            conditions,
        }
    }
}

impl From<FlatRule> for Rule {
    fn from(rule: FlatRule) -> Self {
        Self {
            line: rule.line,
            used: rule.used,
            policies: rule.policies,
        }
    }
}
