//! Compiles the syntax tree of an expression to a program.

use super::Unreadable;
use super::class::Class;
use super::parse::Node;

/// Maximal size of a program: repetitions are unrolled.
const PROGRAM_MAX: usize = 20_000;
/// Maximal number of saved positions: two per group, one per loop.
const SLOTS_MAX: usize = 200;

#[derive(Debug)]
pub(super) enum Step {
    Set(Class, bool),
    Dot(bool),
    /// Tries the first target, then the second.
    Fork(usize, usize),
    Jump(usize),
    /// Saves the position in a slot.
    Keep(usize),
    /// Jumps back, unless nothing was consumed since the position was saved: such a loop would not end.
    Loop(usize, usize),
    /// A look-around: matches up to the step without consuming.
    Look {
        ahead: bool,
        negative: bool,
        end: usize,
    },
    /// An atomic group up to the step.
    Atomic(usize),
    Again(usize, bool),
    LineStart(bool),
    LineEnd(bool),
    TextEnd,
    WordEdge(bool),
    /// The end of a part or of the program.
    Done,
}

struct Maker {
    steps: Vec<Step>,
    /// Two of each group and one of each loop.
    slots: usize,
}

/// Compiles an expression.
pub(super) fn made(node: &Node) -> Result<super::Expression, Unreadable> {
    let mut maker = Maker {
        steps: Vec::new(),
        slots: 2 * (groups(node) + 1),
    };
    maker.add(node)?;
    maker.push(Step::Done)?;
    Ok(super::Expression {
        steps: maker.steps,
        slots: maker.slots,
    })
}

/// The highest number of a group.
fn groups(node: &Node) -> usize {
    match node {
        Node::Sequence(nodes) | Node::Either(nodes) => {
            nodes.iter().map(groups).max().unwrap_or_default()
        }
        Node::Group(number, node) => groups(node).max(*number),
        Node::Repeat { node, .. } | Node::Look { node, .. } | Node::Atomic(node) => groups(node),
        _ => 0,
    }
}

impl Maker {
    fn push(&mut self, step: Step) -> Result<usize, Unreadable> {
        if self.steps.len() == PROGRAM_MAX {
            let why = "it repeats too much";
            return Err(Unreadable { at: 1, why });
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    fn add(&mut self, node: &Node) -> Result<(), Unreadable> {
        match node {
            Node::Empty => {}
            Node::Set(class, any_case) => {
                self.push(Step::Set(class.clone(), *any_case))?;
            }
            Node::Dot(all) => {
                self.push(Step::Dot(*all))?;
            }
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.add(node)?;
                }
            }
            Node::Either(ways) => self.either(ways)?,
            Node::Repeat {
                node,
                least,
                most,
                lazy,
            } => self.repeat(node, *least, *most, *lazy)?,
            Node::Group(number, node) => {
                self.push(Step::Keep(2 * number))?;
                self.add(node)?;
                self.push(Step::Keep(2 * number + 1))?;
            }
            Node::Look {
                ahead,
                negative,
                node,
            } => {
                let at = self.push(Step::Done)?;
                self.add(node)?;
                let end = self.push(Step::Done)? + 1;
                self.steps[at] = Step::Look {
                    ahead: *ahead,
                    negative: *negative,
                    end,
                };
            }
            Node::Atomic(node) => {
                let at = self.push(Step::Done)?;
                self.add(node)?;
                self.steps[at] = Step::Atomic(self.push(Step::Done)? + 1);
            }
            Node::Again(group, any_case) => {
                self.push(Step::Again(*group, *any_case))?;
            }
            Node::LineStart(lines) => {
                self.push(Step::LineStart(*lines))?;
            }
            Node::LineEnd(lines) => {
                self.push(Step::LineEnd(*lines))?;
            }
            Node::TextEnd => {
                self.push(Step::TextEnd)?;
            }
            Node::WordEdge(is) => {
                self.push(Step::WordEdge(*is))?;
            }
        }
        Ok(())
    }

    fn either(&mut self, ways: &[Node]) -> Result<(), Unreadable> {
        let mut jumps = Vec::new();
        for (at, way) in ways.iter().enumerate() {
            if at + 1 == ways.len() {
                self.add(way)?;
                break;
            }
            let fork = self.push(Step::Done)?;
            self.add(way)?;
            jumps.push(self.push(Step::Done)?);
            self.steps[fork] = Step::Fork(fork + 1, self.steps.len());
        }
        let end = self.steps.len();
        for jump in jumps {
            self.steps[jump] = Step::Jump(end);
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        node: &Node,
        least: usize,
        most: Option<usize>,
        lazy: bool,
    ) -> Result<(), Unreadable> {
        for _ in 0..least {
            // A repeated part that compiles to no instruction needs no repetition.
            let before = self.steps.len();
            self.add(node)?;
            if self.steps.len() == before {
                break;
            }
        }
        let fork = |inside: usize, outside: usize| match lazy {
            false => Step::Fork(inside, outside),
            true => Step::Fork(outside, inside),
        };
        let Some(most) = most else {
            if self.slots == SLOTS_MAX {
                let why = "too many loops within loops";
                return Err(Unreadable { at: 1, why });
            }
            let slot = self.slots;
            self.slots += 1;
            let top = self.push(Step::Done)?;
            self.push(Step::Keep(slot))?;
            self.add(node)?;
            self.push(Step::Loop(top, slot))?;
            self.steps[top] = fork(top + 1, self.steps.len());
            return Ok(());
        };
        let mut forks = Vec::new();
        for _ in least..most {
            forks.push(self.push(Step::Done)?);
            self.add(node)?;
        }
        let end = self.steps.len();
        for at in forks {
            self.steps[at] = fork(at + 1, end);
        }
        Ok(())
    }
}
