//! FOLIO's expressions that search in MARC: `035.a ^= '(OCoLC)' and 008.35_03 not= 'eng'`. Parses text
//! to a tree; knows nothing of records.

mod error;
mod operand;
mod parse;

pub use error::{ExpressionError, Fault};
pub use parse::parse;

/// The longest expression, in bytes.
pub const LENGTH_MAX: usize = 10_000;
/// Comparisons in one expression.
pub const OPERANDS_MAX: usize = 50;
/// Parentheses inside each other.
pub const DEPTH_MAX: usize = 20;

/// A condition on a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// All of these.
    All(Vec<Expression>),
    /// One of these.
    Any(Vec<Expression>),
    /// One comparison.
    Is(Operand),
}

/// A comparison. A record matches if one of its fields does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// Characters of the leader: `p_05 = 'c'`. Lower case, and a blank is `#`.
    Leader {
        /// The position of the first one, from 0.
        at: u8,
        /// How many.
        length: u8,
        /// The value.
        value: String,
        /// Whether they must differ from it.
        negated: bool,
    },
    /// An indicator: `245.ind1 = '1'`; a blank is `#`.
    Indicator {
        /// The field.
        tag: Tag,
        /// 1 or 2.
        number: u8,
        /// The test.
        test: Test,
    },
    /// A subfield: `245.a ^= 'Harry'`.
    Subfield {
        /// The field.
        tag: Tag,
        /// Its code, a small letter or a digit.
        code: char,
        /// The test.
        test: Test,
    },
    /// A control field's value, or that of any subfield: `001.value = '393893'`.
    Value {
        /// The field.
        tag: Tag,
        /// What is asked of it.
        test: Test,
    },
    /// Characters of a value: `008.35_03 = 'eng'`.
    Position {
        /// The field.
        tag: Tag,
        /// The position of the first one, from 0.
        at: u16,
        /// The value, which also gives the number of compared characters.
        value: String,
        /// Whether they must differ from it.
        negated: bool,
    },
    /// The date that a value begins with: `005.date from '20141106'`.
    Date {
        /// The field.
        tag: Tag,
        /// What is asked of it.
        test: DateTest,
    },
}

/// A test of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    Equals(String),
    /// A value differs from this.
    Differs(String),
    Begins(String),
    /// It is there.
    Present,
    /// It is absent.
    Absent,
}

/// A test of a date, represented by its digits as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateTest {
    /// It is this day.
    On(i32),
    /// It is another one.
    NotOn(i32),
    /// It is this day or later.
    From(i32),
    /// It is this day or earlier.
    To(i32),
    /// It is one of these days and those between.
    Between(i32, i32),
}

/// A tag of three digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag([u8; 3]);

impl Tag {
    /// Three digits, or nothing.
    #[must_use]
    pub fn new(text: &str) -> Option<Tag> {
        let bytes: [u8; 3] = text.as_bytes().try_into().ok()?;
        bytes.iter().all(u8::is_ascii_digit).then_some(Tag(bytes))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("invariant: digits are ASCII")
    }

    /// Whether fields of this tag have a bare value.
    #[must_use]
    pub fn is_control(&self) -> bool {
        self.0.starts_with(b"00")
    }
}
