//! Errors in records, and repairs that are worth reporting.

use thiserror::Error;

use crate::Tag;

/// A record that could not be read, and its position. Reading continues with the next record,
/// unless the input itself failed.
#[derive(Debug, Error)]
#[error("record {number} at byte {offset} is malformed")]
pub struct RecordError {
    /// The record's number in the input, from 1.
    pub number: u64,
    /// The record's first byte in the input, from 0.
    pub offset: u64,
    /// What is wrong with it.
    #[source]
    pub reason: Malformed,
}

#[derive(Debug, Error)]
pub enum Malformed {
    /// Too few bytes for a leader and a directory.
    #[error("{bytes} bytes are too few for a record")]
    TooShort {
        /// The actual number of bytes.
        bytes: usize,
    },
    /// More bytes than a record may have.
    #[error("the record is longer than {limit} bytes")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// More fields than a record may have.
    #[error("the record has more than {limit} fields")]
    TooManyFields {
        /// The limit.
        limit: usize,
    },
    /// The input ended inside the record.
    #[error("the input ends inside the record")]
    Truncated,
    /// No field terminator after the directory.
    #[error("the directory has no end")]
    DirectoryUnterminated,
    /// The directory lists another number of fields than there are.
    #[error("the directory lists {listed} fields, but {found} are there")]
    DirectoryMismatch {
        /// Entries in the directory.
        listed: usize,
        /// Terminated fields after it.
        found: usize,
    },
    /// A tag that is not three letters or digits.
    #[error("{0:?} is not a tag")]
    Tag(String),
    /// Most of the text is in no supported character set.
    #[error("the text is neither UTF-8 nor MARC-8")]
    Undecodable,
    /// MARCXML that is not well-formed, or not MARCXML.
    #[error("{0}")]
    Xml(String),
    /// The input could not be read further.
    #[error("the input cannot be read")]
    Io(#[source] std::io::Error),
}

/// A repair made while a record was read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Warning {
    /// The leader declares another length than the record has.
    #[error("the leader declares {declared} bytes, the record has {actual}")]
    LengthDiffers {
        /// The declared length in bytes.
        declared: usize,
        /// The real length in bytes.
        actual: usize,
    },
    /// The directory's lengths or addresses are wrong; field terminators were trusted instead.
    #[error("the directory's lengths are wrong, fields were separated by their terminators")]
    DirectoryIgnored,
    /// Terminated fields that the directory does not list were left out.
    #[error("{0} fields that the directory does not list were left out")]
    UnlistedFields(usize),
    /// The last record has no record terminator.
    #[error("the record has no terminator")]
    MissingTerminator,
    /// A field's bytes are not valid UTF-8; replacement characters stand in for them.
    #[error("{count} characters of field {tag} are not valid UTF-8 and were replaced")]
    Utf8Repaired {
        /// The field.
        tag: Tag,
        /// Characters replaced.
        count: usize,
    },
    /// Bytes of a field are undefined in MARC-8; replacement characters stand in for them.
    #[error("{count} characters of field {tag} are not in MARC-8 and were replaced")]
    Marc8Repaired {
        /// The field.
        tag: Tag,
        /// Characters replaced.
        count: usize,
    },
    /// The leader says MARC-8, but the text is UTF-8 and was read as such.
    #[error("the text is UTF-8 although the leader says MARC-8")]
    Utf8DespiteLeader,
    /// Text between the indicators and the first subfield was left out.
    #[error("text before the first subfield of field {0} was left out")]
    TextBeforeSubfields(Tag),
    /// A subfield without a code was left out.
    #[error("a subfield of field {0} has no code and was left out")]
    SubfieldWithoutCode(Tag),
}

/// Why a record cannot be written in the requested format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WriteError {
    /// ISO 2709 has four digits for a field's length.
    #[error("field {tag} takes {bytes} bytes, ISO 2709 allows 9999")]
    FieldTooLong {
        /// The field.
        tag: Tag,
        /// Its length in bytes with its terminator.
        bytes: usize,
    },
    /// ISO 2709 has five digits for a record's length.
    #[error("the record takes {bytes} bytes, ISO 2709 allows 99999")]
    RecordTooLong {
        /// The length in bytes.
        bytes: usize,
    },
    /// A value contains one of the format's delimiters.
    #[error("field {tag} contains a delimiter of ISO 2709")]
    DelimiterInValue {
        /// The field.
        tag: Tag,
    },
}
