//! The kinds of MARC record that rules exist for.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `marc-bib`: an instance.
    Bib,
    /// `marc-holdings`: a holdings record.
    Holdings,
    /// `marc-authority`: an authority.
    Authority,
}

impl RecordKind {
    pub const ALL: [RecordKind; 3] = [RecordKind::Bib, RecordKind::Holdings, RecordKind::Authority];

    /// The kind's name in paths.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RecordKind::Bib => "marc-bib",
            RecordKind::Holdings => "marc-holdings",
            RecordKind::Authority => "marc-authority",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
