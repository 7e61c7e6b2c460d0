//! The four kinds of profiles and the two outcomes of a match, under FOLIO's names.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProfileKind {
    /// A job profile: what an import does; the root of a tree.
    Job,
    /// A match profile: how an existing record is found.
    Match,
    /// An action profile: what is done to one kind of record.
    Action,
    /// A mapping profile: which values a record gets.
    Mapping,
}

impl ProfileKind {
    /// All kinds, in FOLIO's order.
    pub const ALL: [ProfileKind; 4] = [
        ProfileKind::Action,
        ProfileKind::Mapping,
        ProfileKind::Match,
        ProfileKind::Job,
    ];

    /// FOLIO's name of the kind, `JOB_PROFILE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ProfileKind::Job => "JOB_PROFILE",
            ProfileKind::Match => "MATCH_PROFILE",
            ProfileKind::Action => "ACTION_PROFILE",
            ProfileKind::Mapping => "MAPPING_PROFILE",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<ProfileKind> {
        ProfileKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// The table of its records.
    #[must_use]
    pub fn table(self) -> &'static str {
        match self {
            ProfileKind::Job => "job_profiles",
            ProfileKind::Match => "match_profiles",
            ProfileKind::Action => "action_profiles",
            ProfileKind::Mapping => "mapping_profiles",
        }
    }

    /// Its name in "not found" messages, `Job Profile`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            ProfileKind::Job => "Job Profile",
            ProfileKind::Match => "Match Profile",
            ProfileKind::Action => "Action Profile",
            ProfileKind::Mapping => "Mapping Profile",
        }
    }

    /// Its class in FOLIO's storage, `JobProfile`.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            ProfileKind::Job => "JobProfile",
            ProfileKind::Match => "MatchProfile",
            ProfileKind::Action => "ActionProfile",
            ProfileKind::Mapping => "MappingProfile",
        }
    }

    /// Its name at the beginning of error messages, `Job profile`.
    #[must_use]
    pub fn subject(self) -> &'static str {
        match self {
            ProfileKind::Job => "Job profile",
            ProfileKind::Match => "Match profile",
            ProfileKind::Action => "Action profile",
            ProfileKind::Mapping => "The field mapping profile",
        }
    }

    /// Whether a profile of this kind is the same node in all trees: an action always has its mapping
    /// below it. A match has a node for each place in a tree.
    #[must_use]
    pub fn is_one_node(self) -> bool {
        matches!(self, ProfileKind::Job | ProfileKind::Action)
    }
}

/// The outcome of a match that a profile below it requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReactTo {
    /// A record was found.
    Match,
    /// None was.
    NonMatch,
}

impl ReactTo {
    /// FOLIO's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ReactTo::Match => "MATCH",
            ReactTo::NonMatch => "NON_MATCH",
        }
    }

    /// The outcome of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<ReactTo> {
        match name {
            "MATCH" => Some(ReactTo::Match),
            "NON_MATCH" => Some(ReactTo::NonMatch),
            _ => None,
        }
    }
}
