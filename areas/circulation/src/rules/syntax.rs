//! The rules text as a tree: what was written, with positions, before semantic checks.

/// A place in the text; line and column are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub line: u32,
    pub column: u32,
}

/// The seven things a rule can ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Criterion {
    PatronGroup,
    MaterialType,
    LoanType,
    Institution,
    Campus,
    Library,
    Location,
}

impl Criterion {
    pub const COUNT: usize = 7;

    pub const ALL: [Criterion; Self::COUNT] = [
        Self::PatronGroup,
        Self::MaterialType,
        Self::LoanType,
        Self::Institution,
        Self::Campus,
        Self::Library,
        Self::Location,
    ];

    pub fn letter(self) -> char {
        match self {
            Self::PatronGroup => 'g',
            Self::MaterialType => 'm',
            Self::LoanType => 't',
            Self::Institution => 'a',
            Self::Campus => 'b',
            Self::Library => 'c',
            Self::Location => 's',
        }
    }

    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|criterion| criterion.letter() == letter)
    }

    /// Institution, campus, library and location are one criterion when criteria are counted.
    pub fn is_place(self) -> bool {
        matches!(
            self,
            Self::Institution | Self::Campus | Self::Library | Self::Location
        )
    }
}

/// Which values of a criterion are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selection {
    /// `all`: any value, yet it counts for the priority.
    All,
    /// One of these names.
    AnyOf(Vec<String>),
    /// None of these names (`!x !y`).
    NoneOf(Vec<String>),
}

/// `m book dvd`, one part of a rule's condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Condition {
    pub criterion: Criterion,
    pub selection: Selection,
}

/// `l <id>` within a list of policies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PolicyName {
    pub letter: char,
    pub name: String,
}

/// `: l <id> r <id> …`; the position is that of the colon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PolicyList {
    pub position: Position,
    pub policies: Vec<PolicyName>,
}

/// One line of rules: its conditions are joined with those of its ancestors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub position: Position,
    /// Index of the statement this one is indented under.
    pub parent: Option<usize>,
    pub has_children: bool,
    pub conditions: Vec<Condition>,
    pub policies: Option<PolicyList>,
}

/// The `fallback-policy` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fallback {
    pub position: Position,
    pub list: PolicyList,
}

/// Which of two rules that are otherwise equal wins: the earlier or the later line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinePriority {
    First,
    Last,
}

/// Letters in the order of weight, each with its position.
pub(super) type Letters = Vec<(Criterion, Position)>;

/// One of the priorities named before the line priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CriteriumPriority {
    /// `criterium(t, s, c, b, a, m, g)`.
    Weights(Letters),
    /// `number-of-criteria`.
    Count,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PriorityLine {
    /// `first-line` or `last-line` alone.
    Line(LinePriority),
    /// One or two priorities with their positions, then the line priority.
    Listed(Vec<(CriteriumPriority, Position)>, LinePriority),
    /// Seven letters alone: criterium, number-of-criteria, last-line.
    Letters(Letters),
}

/// A whole rules text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RuleText {
    pub priority: PriorityLine,
    pub fallback: Fallback,
    /// In the order of the text; a parent comes before its children.
    pub statements: Vec<Statement>,
    /// Whether the fallback follows the statements (`priority: first-line`).
    pub fallback_is_last: bool,
}
