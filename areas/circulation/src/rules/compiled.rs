//! Compiled rules: sorted by score, indexed by criteria. Compile once when the text changes, match for
//! every loan.

use octavo_library::{
    CampusId, InstitutionId, LibraryId, LoanPolicyId, LoanTypeId, LocationId, LostItemPolicyId,
    MaterialTypeId, NoticePolicyId, OverdueFinePolicyId, PatronGroupId, RequestPolicyId,
};
use serde::Serialize;
use uuid::Uuid;

use super::check::{FlatRule, Policies, flatten};
use super::index::Index;
use super::parser::parse;
use super::priority::Used;
use super::syntax::{Criterion, Position};
use super::{PolicyIds, PolicyKind, RuleError, TEXT_BYTES_MAX, lexer};

/// The criteria of a match: a patron's group, an item's types and location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Criteria {
    /// The borrower's patron group.
    pub patron_group: PatronGroupId,
    /// The item's material type.
    pub material_type: MaterialTypeId,
    /// The item's effective loan type.
    pub loan_type: LoanTypeId,
    /// The item's effective location.
    pub location: LocationId,
    /// The location's institution; `None` for an unknown location: then no rule that mentions
    /// an institution can match, not even one that excludes some. The same holds below.
    pub institution: Option<InstitutionId>,
    /// The location's campus.
    pub campus: Option<CampusId>,
    /// The location's library.
    pub library: Option<LibraryId>,
}

impl Criteria {
    fn values(&self) -> [Option<Uuid>; Criterion::COUNT] {
        Criterion::ALL.map(|criterion| match criterion {
            Criterion::PatronGroup => Some(self.patron_group.into()),
            Criterion::MaterialType => Some(self.material_type.into()),
            Criterion::LoanType => Some(self.loan_type.into()),
            Criterion::Institution => self.institution.map(Uuid::from),
            Criterion::Campus => self.campus.map(Uuid::from),
            Criterion::Library => self.library.map(Uuid::from),
            Criterion::Location => Some(self.location.into()),
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
pub struct Match<P = Uuid> {
    /// The policy of the kind asked for.
    pub policy_id: P,
    /// The rule's line in the text, counted from 1.
    pub line: u32,
    /// What the rule mentions. FOLIO reports this for loan policies only, so all are `false` for the
    /// other kinds.
    pub conditions: MatchConditions,
}

impl Match {
    fn of_kind<P: From<Uuid>>(self) -> Match<P> {
        Match {
            policy_id: self.policy_id.into(),
            line: self.line,
            conditions: self.conditions,
        }
    }
}

#[derive(Debug, Clone)]
struct Rule {
    line: u32,
    used: Used,
    policies: Policies,
}

/// A compiled rules text. Some rule always matches, because a text has a fallback.
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
    pub fn match_loan_policy(&self, criteria: &Criteria) -> Match<LoanPolicyId> {
        self.match_policy(PolicyKind::Loan, criteria).of_kind()
    }

    /// The request policy of the winning rule.
    pub fn match_request_policy(&self, criteria: &Criteria) -> Match<RequestPolicyId> {
        self.match_policy(PolicyKind::Request, criteria).of_kind()
    }

    /// The patron notice policy of the winning rule.
    pub fn match_notice_policy(&self, criteria: &Criteria) -> Match<NoticePolicyId> {
        self.match_policy(PolicyKind::Notice, criteria).of_kind()
    }

    /// The overdue fine policy of the winning rule.
    pub fn match_overdue_fine_policy(&self, criteria: &Criteria) -> Match<OverdueFinePolicyId> {
        self.match_policy(PolicyKind::OverdueFine, criteria)
            .of_kind()
    }

    /// The lost item fee policy of the winning rule.
    pub fn match_lost_item_policy(&self, criteria: &Criteria) -> Match<LostItemPolicyId> {
        self.match_policy(PolicyKind::LostItem, criteria).of_kind()
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
