//! Errors of expressions, with FOLIO's messages and the position.

/// An error with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault} (position {position})")]
pub struct ExpressionError {
    /// What is wrong.
    pub fault: Fault,
    /// The character at which it is, from 1.
    pub position: usize,
}

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is blank. The message is FOLIO's, verbatim.
    #[error("The input expression should not be black or empty [expression: {0}]")]
    Blank(&'static str),
    /// Parentheses do not match.
    #[error(
        "The number of opened brackets should be equal to number of closed brackets \
         [expression: {0}]"
    )]
    Brackets(&'static str),
    /// Quotes do not match.
    #[error("Each value in the expression should be surrounded by single quotes [expression: {0}]")]
    Quotes(&'static str),
    /// A value without a character.
    #[error("Empty values are not allowed [expression: {0}]")]
    EmptyValue(&'static str),
    /// An unexpected token.
    #[error("The given expression [{0}] is not parsable")]
    NotParsable(String),
    /// It is longer, deeper or has more comparisons than is allowed.
    #[error("The given expression is too large: {0}")]
    TooLarge(&'static str),
    /// An unknown key.
    #[error("The given key is not supported [key: {key}, operator: {operator}, value: {value}]")]
    Key {
        key: String,
        operator: String,
        value: String,
    },
    /// An unknown operator.
    #[error(
        "The given binary operator is not supported [key: {key}, operator: {operator}, \
         value: {value}]. Supported operators: [=, ^=, not=, from, to, in, is]"
    )]
    Operator {
        key: String,
        operator: String,
        value: String,
    },
    /// An operator that this kind of key does not have.
    #[error("Operator [{operator}] is not supported for the given {kind} operand")]
    OperatorOf {
        operator: String,
        /// The kind of key.
        kind: &'static str,
    },
    /// The same of a position of the leader.
    #[error(
        "Operator [{0}] is not supported for the given Leader operand. Supported operators: [=]"
    )]
    OperatorOfLeader(String),
    /// Neither `present` nor `absent`.
    #[error("Value [{0}] is not supported for the given Presence operand")]
    Presence(String),
    /// As many characters are compared as the key says.
    #[error(
        "The length of the value [{value}] should be equal to the end position \
         [expected length = {length}]"
    )]
    Length {
        value: String,
        /// The length that the key says.
        length: usize,
    },
    /// An invalid date.
    #[error("The given date [{0}] is in a wrong format. Expected date pattern: [yyyymmdd]")]
    Date(String),
    /// An operator that does not go with a date or with a range of them.
    #[error("The given expression [{key} {operator} '{value}'] is not supported")]
    DateTest {
        key: String,
        operator: String,
        value: String,
    },
}
