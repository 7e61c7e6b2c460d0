//! Parses an expression.

use super::class::{self, Class};
use super::{USER_NAME, Unreadable};

/// Maximal nesting of groups and sets: the parser is recursive.
const DEPTH_MAX: usize = 50;
/// Maximal number of capturing groups.
const GROUPS_MAX: usize = 30;

/// One part of an expression.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Empty,
    Set(Class, bool),
    Dot(bool),
    Sequence(Vec<Node>),
    Either(Vec<Node>),
    Repeat {
        node: Box<Node>,
        least: usize,
        most: Option<usize>,
        lazy: bool,
    },
    Group(usize, Box<Node>),
    Look {
        ahead: bool,
        negative: bool,
        node: Box<Node>,
    },
    /// An atomic group: no backtracking into it.
    Atomic(Box<Node>),
    Again(usize, bool),
    LineStart(bool),
    LineEnd(bool),
    TextEnd,
    WordEdge(bool),
}

/// Flags that can be set within an expression.
#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    any_case: bool,
    dot_all: bool,
    lines: bool,
}

struct Parser<'a> {
    text: Vec<char>,
    at: usize,
    name: &'a str,
    flags: Flags,
    groups: usize,
    names: Vec<(String, usize)>,
    depth: usize,
}

type Read<T> = Result<T, Unreadable>;

/// Reads an expression.
pub(super) fn read(text: &str, name: &str) -> Read<Node> {
    let mut parser = Parser {
        text: text.chars().collect(),
        at: 0,
        name,
        flags: Flags::default(),
        groups: 0,
        names: Vec::new(),
        depth: 0,
    };
    let node = parser.either()?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => parser.fault("a bracket is closed that was not opened"),
    }
}

impl Parser<'_> {
    fn fault<T>(&self, why: &'static str) -> Read<T> {
        let at = self.at.min(self.text.len()) + 1;
        Err(Unreadable { at, why })
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Read<char> {
        let Some(one) = self.peek() else {
            return self.fault("it ends too early");
        };
        self.at += 1;
        Ok(one)
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let rest = &self.text[self.at..];
        let mut length = 0;
        for one in wanted.chars() {
            if rest.get(length) != Some(&one) {
                return false;
            }
            length += 1;
        }
        self.at += length;
        true
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEPTH_MAX {
            return self.fault("too many groups within each other");
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }

    fn either(&mut self) -> Read<Node> {
        // Flags that are set within a group end with it.
        let flags = self.flags;
        let mut ways = vec![self.sequence()?];
        while self.eat("|") {
            ways.push(self.sequence()?);
        }
        self.flags = flags;
        Ok(match ways.len() {
            1 => ways.remove(0),
            _ => Node::Either(ways),
        })
    }

    fn sequence(&mut self) -> Read<Node> {
        let mut nodes = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            if self.eat("\\Q") {
                self.quoted(&mut nodes)?;
                continue;
            }
            let node = self.atom()?;
            nodes.push(self.repeated(node)?);
        }
        Ok(Node::Sequence(nodes))
    }

    fn literal(&self, one: char) -> Node {
        Node::Set(Class::One(one), self.flags.any_case)
    }

    fn user_name(&self) -> Node {
        Node::Sequence(self.name.chars().map(|one| self.literal(one)).collect())
    }

    /// Text up to `\E`, which stands for itself.
    fn quoted(&mut self, nodes: &mut Vec<Node>) -> Read<()> {
        while self.peek().is_some() && !self.eat("\\E") {
            if self.eat(USER_NAME) {
                nodes.push(self.user_name());
            } else {
                let one = self.next()?;
                nodes.push(self.literal(one));
            }
        }
        Ok(())
    }

    fn atom(&mut self) -> Read<Node> {
        if self.eat(USER_NAME) {
            return Ok(self.user_name());
        }
        match self.next()? {
            '(' => self.deeper(Parser::group),
            '[' => {
                let class = self.deeper(Parser::set)?;
                Ok(Node::Set(class, self.flags.any_case))
            }
            '.' => Ok(Node::Dot(self.flags.dot_all)),
            '^' => Ok(Node::LineStart(self.flags.lines)),
            '$' => Ok(Node::LineEnd(self.flags.lines)),
            '\\' => self.escape(),
            '*' | '+' | '?' => self.fault("there is nothing to repeat"),
            '{' => self.fault("a brace that repeats nothing is written \\{"),
            one => Ok(self.literal(one)),
        }
    }

    fn group(&mut self) -> Read<Node> {
        if !self.eat("?") {
            return self.kept(None);
        }
        if self.eat(":") {
            return self.closed();
        }
        if self.eat(">") {
            return Ok(Node::Atomic(Box::new(self.closed()?)));
        }
        for (sign, ahead, negative) in [
            ("=", true, false),
            ("!", true, true),
            ("<=", false, false),
            ("<!", false, true),
        ] {
            if self.eat(sign) {
                let node = Box::new(self.closed()?);
                return Ok(Node::Look {
                    ahead,
                    negative,
                    node,
                });
            }
        }
        if self.eat("<") {
            let name = self.until('>')?;
            return self.kept(Some(name));
        }
        self.flagged()
    }

    /// `(?i)` and `(?i:…)`.
    fn flagged(&mut self) -> Read<Node> {
        let mut flags = self.flags;
        let mut on = true;
        loop {
            match self.next()? {
                '-' => on = false,
                'i' => flags.any_case = on,
                's' => flags.dot_all = on,
                'm' => flags.lines = on,
                ')' => {
                    self.flags = flags;
                    return Ok(Node::Empty);
                }
                ':' => {
                    let before = std::mem::replace(&mut self.flags, flags);
                    let node = self.closed();
                    self.flags = before;
                    return node;
                }
                _ => return self.fault("only the flags i, m and s are known"),
            }
        }
    }

    fn kept(&mut self, name: Option<String>) -> Read<Node> {
        if self.groups == GROUPS_MAX {
            return self.fault("too many groups");
        }
        self.groups += 1;
        let number = self.groups;
        if let Some(name) = name {
            self.names.push((name, number));
        }
        Ok(Node::Group(number, Box::new(self.closed()?)))
    }

    fn closed(&mut self) -> Read<Node> {
        let node = self.either()?;
        if !self.eat(")") {
            return self.fault("a group is not closed");
        }
        Ok(node)
    }

    fn until(&mut self, end: char) -> Read<String> {
        let mut text = String::new();
        loop {
            match self.next()? {
                one if one == end => return Ok(text),
                one => text.push(one),
            }
        }
    }

    fn repeated(&mut self, node: Node) -> Read<Node> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.at += 1;
                let bounds = self.bounds()?;
                return self.repetition(node, bounds);
            }
            _ => return Ok(node),
        };
        self.at += 1;
        self.repetition(node, (least, most))
    }

    fn repetition(&mut self, node: Node, bounds: (usize, Option<usize>)) -> Read<Node> {
        let (least, most) = bounds;
        let (lazy, possessive) = (self.eat("?"), self.eat("+"));
        let node = Node::Repeat {
            node: Box::new(node),
            least,
            most,
            lazy,
        };
        Ok(match possessive {
            true => Node::Atomic(Box::new(node)),
            false => node,
        })
    }

    /// `n}`, `n,}` or `n,m}`.
    fn bounds(&mut self) -> Read<(usize, Option<usize>)> {
        let text = self.until('}')?;
        let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number <= 1_000);
        let bounds = match text.split_once(',') {
            None => number(&text).map(|count| (count, Some(count))),
            Some((least, "")) => number(least).map(|least| (least, None)),
            Some((least, most)) => number(least)
                .zip(number(most))
                .map(|(least, most)| (least, Some(most))),
        };
        match bounds {
            Some((least, most)) if most.is_none_or(|most| least <= most) => Ok((least, most)),
            _ => self.fault("the braces hold no number of times up to 1000"),
        }
    }

    fn escape(&mut self) -> Read<Node> {
        let any_case = self.flags.any_case;
        let one = self.next()?;
        match one {
            'b' => Ok(Node::WordEdge(true)),
            'B' => Ok(Node::WordEdge(false)),
            'A' => Ok(Node::LineStart(false)),
            'Z' => Ok(Node::LineEnd(false)),
            'z' => Ok(Node::TextEnd),
            '1'..='9' => self.again(one),
            'k' => {
                if !self.eat("<") {
                    return self.fault("the name of a group stands in < and >");
                }
                let name = self.until('>')?;
                match self.names.iter().find(|(known, _)| *known == name) {
                    Some((_, number)) => Ok(Node::Again(*number, any_case)),
                    None => self.fault("no group has this name"),
                }
            }
            _ => Ok(Node::Set(self.escaped(one)?, any_case)),
        }
    }

    /// The number of a group: of one digit, and of more where there are so many groups.
    fn again(&mut self, first: char) -> Read<Node> {
        let mut number = first.to_digit(10).unwrap_or_default() as usize;
        while let Some(digit) = self.peek().and_then(|one| one.to_digit(10)) {
            let longer = number * 10 + digit as usize;
            if longer > self.groups {
                break;
            }
            number = longer;
            self.at += 1;
        }
        if number > self.groups {
            return self.fault("there is no such group before it");
        }
        Ok(Node::Again(number, self.flags.any_case))
    }

    /// What follows a backslash, within a set and outside.
    fn escaped(&mut self, one: char) -> Read<Class> {
        if let Some(class) = class::escaped(one) {
            return Ok(class);
        }
        let code = match one {
            'p' | 'P' => {
                let name = match self.next()? {
                    '{' => self.until('}')?,
                    letter => letter.to_string(),
                };
                let Some(class) = class::named(&name) else {
                    return self.fault("a set of this name is not known");
                };
                return Ok(match one {
                    'P' => Class::Not(Box::new(class)),
                    _ => class,
                });
            }
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            'x' => self.code(2)?,
            'u' => self.code(4)?,
            one if one.is_ascii_alphanumeric() => {
                return self.fault("this letter behind a backslash is not known");
            }
            one => one,
        };
        Ok(Class::One(code))
    }

    fn code(&mut self, digits: usize) -> Read<char> {
        let mut code = 0;
        for _ in 0..digits {
            let Some(digit) = self.next()?.to_digit(16) else {
                return self.fault("the code of a character has other digits");
            };
            code = code * 16 + digit;
        }
        match char::from_u32(code) {
            Some(one) => Ok(one),
            None => self.fault("no character has this code"),
        }
    }

    /// A set after its opening bracket.
    fn set(&mut self) -> Read<Class> {
        let negative = self.eat("^");
        let mut all = Vec::new();
        let mut any = Vec::new();
        loop {
            // A bracket that would close an empty set stands for itself.
            if self.peek() == Some(']') && !(any.is_empty() && all.is_empty()) {
                self.at += 1;
                break;
            }
            if self.eat("&&") {
                all.push(Class::Any(std::mem::take(&mut any)));
                continue;
            }
            self.element(&mut any)?;
        }
        all.push(Class::Any(any));
        let class = match all.len() {
            1 => all.remove(0),
            _ => Class::All(all),
        };
        Ok(match negative {
            true => Class::Not(Box::new(class)),
            false => class,
        })
    }

    fn element(&mut self, any: &mut Vec<Class>) -> Read<()> {
        if self.eat(USER_NAME) {
            any.extend(self.name.chars().map(Class::One));
            return Ok(());
        }
        let class = match self.next()? {
            '[' => self.deeper(Parser::set)?,
            '\\' => {
                let one = self.next()?;
                self.escaped(one)?
            }
            one => Class::One(one),
        };
        let Class::One(first) = class else {
            any.push(class);
            return Ok(());
        };
        let after = self.text.get(self.at + 1).copied();
        if self.peek() != Some('-') || matches!(after, None | Some(']' | '[')) {
            any.push(Class::One(first));
            return Ok(());
        }
        self.at += 1;
        let last = match self.next()? {
            '\\' => {
                let one = self.next()?;
                self.escaped(one)?
            }
            one => Class::One(one),
        };
        match last {
            Class::One(last) if first <= last => {
                any.push(Class::Range(first, last));
                Ok(())
            }
            _ => self.fault("the range ends before it begins"),
        }
    }
}
