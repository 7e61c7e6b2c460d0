//! The four kinds of profile and the two ways in which what follows a match is reached, under FOLIO's
//! names.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProfileKind {
    /// What is done to the records of a file: the root of a tree.
    Job,
    /// How a record that is there already is found.
    Match,
    /// What is done to one kind of record.
    Action,
    /// Which values a record gets.
    Mapping,
}

impl ProfileKind {
    /// All of them, in the order in which FOLIO names them.
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

    /// How a profile of this kind is called where one is missing, `Job Profile`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            ProfileKind::Job => "Job Profile",
            ProfileKind::Match => "Match Profile",
            ProfileKind::Action => "Action Profile",
            ProfileKind::Mapping => "Mapping Profile",
        }
    }

    /// How FOLIO's storage calls it, `JobProfile`.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            ProfileKind::Job => "JobProfile",
            ProfileKind::Match => "MatchProfile",
            ProfileKind::Action => "ActionProfile",
            ProfileKind::Mapping => "MappingProfile",
        }
    }

    /// How the sentences about what is wrong with one begin, `Job profile`.
    #[must_use]
    pub fn subject(self) -> &'static str {
        match self {
            ProfileKind::Job => "Job profile",
            ProfileKind::Match => "Match profile",
            ProfileKind::Action => "Action profile",
            ProfileKind::Mapping => "The field mapping profile",
        }
    }

    /// Whether a profile of this kind stands in all trees as the same node: an action always has its
    /// mapping below it. Of a match each place in a tree is a node of its own.
    #[must_use]
    pub fn is_one_node(self) -> bool {
        matches!(self, ProfileKind::Job | ProfileKind::Action)
    }
}

/// What the outcome of a match has to be for a profile below it to be carried out.
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

    /// The reaction of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<ReactTo> {
        match name {
            "MATCH" => Some(ReactTo::Match),
            "NON_MATCH" => Some(ReactTo::NonMatch),
            _ => None,
        }
    }
}
