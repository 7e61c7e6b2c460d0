//! The shelves of the demo library, and the properties of items that follow from their shelf.

use uuid::Uuid;

use crate::record::{Identifier, Medium, Role};
use crate::reference::{call_number_type, loan_type, location};

/// A part of the collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shelf {
    Fiction,
    NonFiction,
    Children,
    Cookery,
    Travel,
    Film,
    Music,
    Journals,
}

impl Shelf {
    pub(super) fn medium(self) -> Medium {
        match self {
            Self::Film => Medium::Dvd,
            Self::Music => Medium::Cd,
            Self::Journals => Medium::Journal,
            _ => Medium::Book,
        }
    }

    /// The location of the first copies; further copies are in the Annex.
    pub(super) fn location(self) -> Uuid {
        match self {
            Self::Fiction | Self::Cookery | Self::Travel => location::MAIN_LIBRARY,
            Self::NonFiction | Self::Journals => location::SECOND_FLOOR,
            Self::Children | Self::Film => location::POPULAR_READING,
            Self::Music => location::ETHNO_CD,
        }
    }

    /// The prefix on the spine label.
    pub(super) fn prefix(self) -> Option<&'static str> {
        match self {
            Self::Children => Some("J"),
            Self::Film => Some("DVD"),
            Self::Music => Some("CD"),
            Self::Journals => Some("PER"),
            _ => None,
        }
    }

    /// Fiction is shelved by author, everything else by class.
    pub(super) fn call_number(self, dewey: &str, letters: &str) -> String {
        match self {
            Self::Fiction | Self::Children => format!("FIC {letters}"),
            _ => format!("{dewey} {letters}"),
        }
    }

    pub(super) fn call_number_type(self) -> Uuid {
        match self {
            Self::Fiction | Self::Children => call_number_type::OTHER,
            _ => call_number_type::DEWEY,
        }
    }

    pub(super) fn loan_type(self, textbook: bool) -> Uuid {
        match self {
            Self::Journals => loan_type::READING_ROOM,
            _ if textbook => loan_type::COURSE_RESERVES,
            _ => loan_type::CAN_CIRCULATE,
        }
    }

    /// The fewest copies of a title, and how many more there may be.
    pub(super) fn copies(self) -> (u64, u64) {
        match self {
            Self::Fiction | Self::Children => (3, 3),
            Self::NonFiction => (2, 2),
            Self::Cookery | Self::Travel => (1, 3),
            Self::Film => (1, 2),
            Self::Music => (1, 1),
            Self::Journals => (6, 0),
        }
    }

    /// The role of a contributor without a stated one.
    pub(super) fn usual_role(self) -> Role {
        match self {
            Self::Film => Role::FilmDirector,
            Self::Music => Role::Performer,
            _ => Role::Author,
        }
    }

    /// Journals have an ISSN, everything else an ISBN.
    pub(super) fn identifier(self, value: &str) -> Identifier<'_> {
        match self {
            Self::Journals => Identifier::Issn(value),
            _ => Identifier::Isbn(value),
        }
    }
}
