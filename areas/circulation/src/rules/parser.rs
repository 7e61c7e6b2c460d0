//! Builds the tree of a rules text: priority line, fallback, and statements nested by indentation.
//! It checks form only; whether letters and policies make sense is `check`'s business.
//! Statements never nest on the call stack, so depth needs no limit of its own.

use super::RuleError;
use super::lexer::{Line, Token, TokenKind, error, lines};
use super::syntax::{
    Condition, CriteriumPriority, Fallback, Letters, LinePriority, PolicyList, PolicyName,
    Position, PriorityLine, RuleText, Selection, Statement,
};

const NOT_BEFORE_EACH: &str = "A '!' must precede each name or no name.";

/// Parses a whole text.
pub(super) fn parse(text: &str) -> Result<RuleText, RuleError> {
    let lines = lines(text)?;
    let end = end_of(text);
    let mut lines = lines.iter();
    let first = lines
        .next()
        .ok_or_else(|| error("Expected 'priority' but the text ends.", end))?;
    refuse_indent(first)?;
    let mut cursor = Cursor::new(&first.tokens);
    let priority = priority_line(&mut cursor)?;
    // What follows the priority may stand on the same line.
    let rest = Line {
        indent: 0,
        tokens: cursor.rest().to_vec(),
    };
    let mut body: Vec<&Line<'_>> = Vec::new();
    if rest.tokens.len() > 1 {
        body.push(&rest);
    }
    body.extend(lines);
    match priority {
        PriorityLine::Line(LinePriority::First) => fallback_last(priority, &body, end),
        _ => fallback_first(priority, &body, end),
    }
}

fn fallback_first(
    priority: PriorityLine,
    body: &[&Line<'_>],
    end: Position,
) -> Result<RuleText, RuleError> {
    let (line, others) = body.split_first().ok_or_else(|| missing_fallback(end))?;
    let fallback = fallback_line(line)?;
    let mut builder = Statements::default();
    for line in others {
        builder.add(line)?;
    }
    Ok(RuleText {
        priority,
        fallback,
        statements: builder.statements,
        fallback_is_last: false,
    })
}

fn fallback_last(
    priority: PriorityLine,
    body: &[&Line<'_>],
    end: Position,
) -> Result<RuleText, RuleError> {
    let at = body
        .iter()
        .position(|line| line.tokens[0].kind == TokenKind::FallbackPolicy)
        .unwrap_or(body.len());
    let mut builder = Statements::default();
    for line in &body[..at] {
        builder.add(line)?;
    }
    let line = body.get(at).ok_or_else(|| missing_fallback(end))?;
    let fallback = fallback_line(line)?;
    if let Some(after) = body.get(at + 1) {
        let message = "For 'priority: first-line' the fallback-policy must be after the last rule.";
        return Err(error(message, after.tokens[0].position));
    }
    Ok(RuleText {
        priority,
        fallback,
        statements: builder.statements,
        fallback_is_last: true,
    })
}

fn missing_fallback(end: Position) -> RuleError {
    error("Expected 'fallback-policy' but the text ends.", end)
}

/// The place just after the last character.
fn end_of(text: &str) -> Position {
    let line = text.rsplit(['\n', '\r']).next().unwrap_or_default();
    let lines = text
        .split('\n')
        .map(|l| l.strip_suffix('\r').unwrap_or(l).split('\r').count());
    Position {
        line: u32::try_from(lines.sum::<usize>()).unwrap_or(u32::MAX),
        column: u32::try_from(line.chars().count() + 1).unwrap_or(u32::MAX),
    }
}

fn refuse_indent(line: &Line<'_>) -> Result<(), RuleError> {
    if line.indent == 0 {
        return Ok(());
    }
    Err(error(
        "This line must not be indented.",
        line.tokens[0].position,
    ))
}

/// Reads the tokens of one line; the end-of-line token is never passed.
struct Cursor<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
}

impl<'t, 'a> Cursor<'t, 'a> {
    fn new(tokens: &'t [Token<'a>]) -> Self {
        Self { tokens, at: 0 }
    }

    fn peek(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.tokens[self.at];
        if token.kind != TokenKind::EndOfLine {
            self.at += 1;
        }
        token
    }

    fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.peek().kind == kind;
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Result<Token<'a>, RuleError> {
        let token = self.peek();
        if token.kind == kind {
            Ok(self.next())
        } else {
            Err(unexpected(token, what))
        }
    }

    fn rest(&self) -> &'t [Token<'a>] {
        &self.tokens[self.at..]
    }
}

fn unexpected(token: Token<'_>, what: &str) -> RuleError {
    let message = match token.kind {
        TokenKind::EndOfLine => format!("Expected {what} but the line ends."),
        _ => format!("Expected {what} but found '{}'.", token.text),
    };
    error(message, token.position)
}

fn priority_line(cursor: &mut Cursor<'_, '_>) -> Result<PriorityLine, RuleError> {
    cursor.expect(TokenKind::Priority, "'priority'")?;
    cursor.expect(TokenKind::Colon, "':'")?;
    match cursor.peek().kind {
        TokenKind::FirstLine | TokenKind::LastLine => {
            Ok(PriorityLine::Line(line_priority(cursor)?))
        }
        TokenKind::CriterionLetter(_) => Ok(PriorityLine::Letters(letters(cursor)?)),
        TokenKind::Criterium | TokenKind::NumberOfCriteria => listed_priorities(cursor),
        _ => Err(unexpected(cursor.peek(), "a priority")),
    }
}

fn listed_priorities(cursor: &mut Cursor<'_, '_>) -> Result<PriorityLine, RuleError> {
    let mut listed = vec![criterium_priority(cursor)?];
    cursor.expect(TokenKind::Comma, "','")?;
    if matches!(
        cursor.peek().kind,
        TokenKind::Criterium | TokenKind::NumberOfCriteria
    ) {
        listed.push(criterium_priority(cursor)?);
        cursor.expect(TokenKind::Comma, "','")?;
    }
    Ok(PriorityLine::Listed(listed, line_priority(cursor)?))
}

fn criterium_priority(
    cursor: &mut Cursor<'_, '_>,
) -> Result<(CriteriumPriority, Position), RuleError> {
    let token = cursor.next();
    if token.kind == TokenKind::NumberOfCriteria {
        return Ok((CriteriumPriority::Count, token.position));
    }
    cursor.expect(TokenKind::Open, "'('")?;
    let letters = letters(cursor)?;
    cursor.expect(TokenKind::Close, "')'")?;
    Ok((CriteriumPriority::Weights(letters), token.position))
}

fn line_priority(cursor: &mut Cursor<'_, '_>) -> Result<LinePriority, RuleError> {
    let token = cursor.peek();
    let priority = match token.kind {
        TokenKind::FirstLine => LinePriority::First,
        TokenKind::LastLine => LinePriority::Last,
        _ => return Err(unexpected(token, "'first-line' or 'last-line'")),
    };
    cursor.next();
    Ok(priority)
}

/// One or more letters, commas between them optional. How many they are is checked later.
fn letters(cursor: &mut Cursor<'_, '_>) -> Result<Letters, RuleError> {
    let mut found = Letters::new();
    loop {
        let token = cursor.peek();
        let TokenKind::CriterionLetter(criterion) = token.kind else {
            return Err(unexpected(token, "one of the letters t, a, b, c, s, m, g"));
        };
        cursor.next();
        found.push((criterion, token.position));
        let comma = cursor.take(TokenKind::Comma);
        if !comma && !matches!(cursor.peek().kind, TokenKind::CriterionLetter(_)) {
            return Ok(found);
        }
    }
}

fn fallback_line(line: &Line<'_>) -> Result<Fallback, RuleError> {
    let mut cursor = Cursor::new(&line.tokens);
    let token = cursor.expect(TokenKind::FallbackPolicy, "'fallback-policy'")?;
    refuse_indent(line)?;
    if cursor.peek().kind == TokenKind::EndOfLine {
        return Err(error("Policy missing", cursor.peek().position));
    }
    let list = policy_list(&mut cursor)?;
    cursor.expect(TokenKind::EndOfLine, "the end of the line")?;
    Ok(Fallback {
        position: token.position,
        list,
    })
}

fn policy_list(cursor: &mut Cursor<'_, '_>) -> Result<PolicyList, RuleError> {
    let colon = cursor.expect(TokenKind::Colon, "':'")?;
    let mut policies = Vec::new();
    while let TokenKind::PolicyLetter(letter) = cursor.peek().kind {
        cursor.next();
        let name = cursor.peek();
        if name.kind != TokenKind::Name {
            return Err(error("Name missing.", name.position));
        }
        cursor.next();
        policies.push(PolicyName {
            letter,
            name: name.text.to_owned(),
        });
    }
    if policies.is_empty() {
        return Err(error("Policy missing after ':'", cursor.peek().position));
    }
    Ok(PolicyList {
        position: colon.position,
        policies,
    })
}

/// Collects statements and keeps the chain of those that a following line may be indented under.
#[derive(Default)]
struct Statements {
    statements: Vec<Statement>,
    /// Indentation and index of the last statement of each open level, outermost first.
    open: Vec<(u32, usize)>,
}

impl Statements {
    fn add(&mut self, line: &Line<'_>) -> Result<(), RuleError> {
        let parent = self.enter(line)?;
        let mut cursor = Cursor::new(&line.tokens);
        let position = cursor.peek().position;
        let mut conditions = vec![condition(&mut cursor)?];
        while cursor.take(TokenKind::Plus) {
            conditions.push(condition(&mut cursor)?);
        }
        let policies = match cursor.peek().kind {
            TokenKind::Colon => Some(policy_list(&mut cursor)?),
            _ => None,
        };
        cursor.expect(TokenKind::EndOfLine, "'+', ':' or the end of the line")?;
        let index = self.statements.len();
        if let Some(parent) = parent {
            self.statements[parent].has_children = true;
        }
        self.open.push((line.indent, index));
        self.statements.push(Statement {
            position,
            parent,
            has_children: false,
            conditions,
            policies,
        });
        Ok(())
    }

    /// Closes the levels that this line ends and returns its parent statement.
    fn enter(&mut self, line: &Line<'_>) -> Result<Option<usize>, RuleError> {
        let deepest = self.open.last().map_or(0, |(indent, _)| *indent);
        while self
            .open
            .last()
            .is_some_and(|(indent, _)| *indent > line.indent)
        {
            self.open.pop();
        }
        match self.open.last().copied() {
            Some((indent, _)) if indent == line.indent => {
                self.open.pop();
            }
            Some((_, index)) if line.indent > deepest => return Ok(Some(index)),
            None if line.indent == 0 => return Ok(None),
            None if self.statements.is_empty() => {
                refuse_indent(line)?;
            }
            _ => {
                let message = "The indentation matches no line above.";
                return Err(error(message, line.tokens[0].position));
            }
        }
        Ok(self.open.last().map(|(_, index)| *index))
    }
}

fn condition(cursor: &mut Cursor<'_, '_>) -> Result<Condition, RuleError> {
    let token = cursor.peek();
    let TokenKind::CriterionLetter(criterion) = token.kind else {
        return Err(unexpected(token, "one of the letters t, a, b, c, s, m, g"));
    };
    cursor.next();
    let selection = match cursor.peek().kind {
        TokenKind::All => {
            cursor.next();
            Selection::All
        }
        TokenKind::Not => Selection::NoneOf(excluded_names(cursor)?),
        TokenKind::Name => Selection::AnyOf(names(cursor)?),
        _ => return Err(error("Name missing.", cursor.peek().position)),
    };
    Ok(Condition {
        criterion,
        selection,
    })
}

fn names(cursor: &mut Cursor<'_, '_>) -> Result<Vec<String>, RuleError> {
    let mut found = Vec::new();
    while cursor.peek().kind == TokenKind::Name {
        found.push(cursor.next().text.to_owned());
    }
    if cursor.take(TokenKind::Not) {
        return Err(error(NOT_BEFORE_EACH, cursor.peek().position));
    }
    Ok(found)
}

fn excluded_names(cursor: &mut Cursor<'_, '_>) -> Result<Vec<String>, RuleError> {
    let mut found = Vec::new();
    while cursor.take(TokenKind::Not) {
        if cursor.peek().kind != TokenKind::Name {
            return Err(error("Name missing.", cursor.peek().position));
        }
        found.push(cursor.next().text.to_owned());
    }
    if cursor.take(TokenKind::Name) {
        return Err(error(NOT_BEFORE_EACH, cursor.peek().position));
    }
    Ok(found)
}
