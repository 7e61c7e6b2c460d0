//! Parses text to nodes. A section tag alone on a line (standalone) leaves no blank line.

use super::{NESTING_MAX, Node, ParseError, Path, TAGS_MAX, TEMPLATE_BYTES_MAX};

struct Tag<'a> {
    /// Where it begins and ends, blanks of its line included if it has the line for itself.
    cut: (usize, usize),
    at: usize,
    kind: TagKind<'a>,
}

enum TagKind<'a> {
    Value { name: &'a str, escaped: bool },
    Open { name: &'a str, inverted: bool },
    Close(&'a str),
    Silent,
}

pub(super) fn parse(text: &str) -> Result<Vec<Node>, ParseError> {
    if text.len() > TEMPLATE_BYTES_MAX {
        let message = format!("the text has more than {TEMPLATE_BYTES_MAX} bytes; shorten it");
        return Err(ParseError {
            line: 1,
            column: 1,
            message,
        });
    }
    tree(text, tags(text)?)
}

fn error(text: &str, at: usize, message: impl Into<String>) -> ParseError {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    ParseError {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message: message.into(),
    }
}

fn tags(text: &str) -> Result<Vec<Tag<'_>>, ParseError> {
    let (mut open, mut close) = ("{{", "}}");
    let mut tags = Vec::new();
    let mut from = 0;
    while let Some(found) = text[from..].find(open) {
        let at = from + found;
        if tags.len() == TAGS_MAX {
            let message = format!("there are more than {TAGS_MAX} tags; make two templates of it");
            return Err(error(text, at, message));
        }
        let inside = at + open.len();
        let triple = open == "{{" && text[inside..].starts_with('{');
        let delimiters = text[inside..].starts_with('=');
        let ending = match (triple, delimiters) {
            (true, _) => "}}}".to_owned(),
            (_, true) => format!("={close}"),
            _ => close.to_owned(),
        };
        let begin = inside + usize::from(triple || delimiters);
        let Some(length) = text[begin..].find(&ending) else {
            let message = format!("the tag is not closed; end it with {ending}");
            return Err(error(text, at, message));
        };
        let content = &text[begin..begin + length];
        let end = begin + length + ending.len();
        let kind = if triple {
            TagKind::Value {
                name: content.trim(),
                escaped: false,
            }
        } else if delimiters {
            let mut parts = content.split_whitespace();
            match (parts.next(), parts.next(), parts.next()) {
                (Some(first), Some(second), None) if !content.contains('=') => {
                    (open, close) = (first, second);
                }
                _ => {
                    let expected = "delimiters are changed so: {{=<% %>=}}";
                    return Err(error(text, at, expected));
                }
            }
            TagKind::Silent
        } else {
            kind(content).map_err(|message| error(text, at, message))?
        };
        let named = match &kind {
            TagKind::Value { name, .. } | TagKind::Open { name, .. } | TagKind::Close(name) => {
                Some(*name)
            }
            TagKind::Silent => None,
        };
        if let Some(name) = named
            && (name.is_empty() || name.contains(|one: char| one.is_whitespace() || one == '{'))
        {
            let message = format!("{:?} is no name of a token", shown(name));
            return Err(error(text, at, message));
        }
        let cut = match kind {
            TagKind::Value { .. } => (at, end),
            _ => whole_line(text, at, end).unwrap_or((at, end)),
        };
        tags.push(Tag { cut, at, kind });
        from = end;
    }
    Ok(tags)
}

fn shown(name: &str) -> String {
    name.chars().take(60).collect()
}

fn kind(content: &str) -> Result<TagKind<'_>, String> {
    let content = content.trim();
    let rest = content.get(1..).unwrap_or_default().trim();
    Ok(match content.chars().next() {
        Some('#') => TagKind::Open {
            name: rest,
            inverted: false,
        },
        Some('^') => TagKind::Open {
            name: rest,
            inverted: true,
        },
        Some('/') => TagKind::Close(rest),
        Some('!') => TagKind::Silent,
        Some('&') => TagKind::Value {
            name: rest,
            escaped: false,
        },
        Some('>' | '<' | '$') => {
            return Err(format!(
                "{{{{{}}}}} takes in another template, which is not supported; write its text here",
                shown(content)
            ));
        }
        _ => TagKind::Value {
            name: content,
            escaped: true,
        },
    })
}

/// From the first character of a tag's line to after its end, if the line has nothing else.
fn whole_line(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    let blank = |part: &str| {
        part.bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
    };
    let begin = text[..at].rfind('\n').map_or(0, |line| line + 1);
    let behind = text[end..]
        .find('\n')
        .map_or(text.len(), |line| end + line + 1);
    let after = text[end..behind].trim_end_matches('\n');
    (blank(&text[begin..at]) && blank(after)).then_some((begin, behind))
}

struct Open<'a> {
    name: &'a str,
    inverted: bool,
    at: usize,
    before: Vec<Node>,
}

fn tree(text: &str, tags: Vec<Tag<'_>>) -> Result<Vec<Node>, ParseError> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut nodes = Vec::new();
    let mut from = 0;
    for tag in tags {
        // Two tags on one line both end with it, so this cut may begin before the previous one's end.
        push_text(&mut nodes, text.get(from..tag.cut.0));
        from = tag.cut.1.max(from);
        match tag.kind {
            TagKind::Silent => {}
            TagKind::Value { name, escaped } => nodes.push(Node::Value {
                path: Path::new(name),
                escaped,
            }),
            TagKind::Open { name, inverted } => {
                if open.len() == NESTING_MAX {
                    let message =
                        format!("sections lie within each other at most {NESTING_MAX} deep");
                    return Err(error(text, tag.at, message));
                }
                open.push(Open {
                    name,
                    inverted,
                    at: tag.at,
                    before: std::mem::take(&mut nodes),
                });
            }
            TagKind::Close(name) => match open.pop() {
                Some(section) if section.name == name => {
                    let inner = std::mem::replace(&mut nodes, section.before);
                    nodes.push(Node::Section {
                        path: Path::new(name),
                        inverted: section.inverted,
                        nodes: inner,
                    });
                }
                Some(section) => {
                    let message = format!(
                        "{{{{/{}}}}} ends no section: {{{{#{}}}}} is to be ended first",
                        shown(name),
                        shown(section.name)
                    );
                    return Err(error(text, tag.at, message));
                }
                None => {
                    let message =
                        format!("{{{{/{}}}}} ends a section that was not begun", shown(name));
                    return Err(error(text, tag.at, message));
                }
            },
        }
    }
    if let Some(section) = open.pop() {
        let name = shown(section.name);
        let message =
            format!("the section {{{{#{name}}}}} is not ended; end it with {{{{/{name}}}}}");
        return Err(error(text, section.at, message));
    }
    push_text(&mut nodes, text.get(from..));
    Ok(nodes)
}

fn push_text(nodes: &mut Vec<Node>, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        nodes.push(Node::Text(text.to_owned()));
    }
}

impl Path {
    fn new(name: &str) -> Path {
        let steps = match name {
            "." => Vec::new(),
            _ => name.split('.').map(str::to_owned).collect(),
        };
        Path {
            name: name.to_owned(),
            steps,
        }
    }
}
