//! One stage of a run: a load and its length, in readable notation.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::arrivals::Rate;
use crate::duration;

/// The most virtual users: each has a connection and a task.
pub const USERS_MAX: usize = 50_000;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Load {
    /// Virtual users, each of whom continues when it is answered; their number changes linearly.
    Users {
        /// At the stage's beginning.
        from: usize,
        /// At its end.
        to: usize,
    },
    /// Iterations a second, due whether the server keeps up or not.
    Rate(Rate),
}

/// One stage of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Its name; numbered when it has none.
    pub name: Option<String>,
    pub load: Load,
    pub length: Duration,
    /// Whether it is included in the figures.
    pub counted: bool,
    /// Whether users pause, if they do so in the run at all.
    pub pauses: bool,
}

impl Stage {
    /// The most virtual users at once; `None` in the open model.
    pub fn users(&self) -> Option<usize> {
        match self.load {
            Load::Users { from, to } => Some(from.max(to)),
            Load::Rate(_) => None,
        }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Load::Users { from, to } if from == to => write!(out, "{from} users"),
            Load::Users { from, to } => write!(out, "{from}..{to} users"),
            Load::Rate(rate) => write!(out, "{rate}"),
        }
    }
}

impl FromStr for Stage {
    type Err = String;

    /// `20 users for 2m`, `peak: 100..500/s for 30s`, `growth: 50 users for 5m, without pauses, not
    /// counted`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is not a stage; write '20 users for 2m', 'peak: 100..500/s for 30s' or \
                 'growth: 50 users for 5m, without pauses, not counted'"
            )
        };
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (Some(name.trim().to_owned()), rest),
            None => (None, text),
        };
        if name.as_ref().is_some_and(String::is_empty) {
            return Err(wrong());
        }
        let mut parts = rest.split(',').map(str::trim);
        let (load, length) = parts
            .next()
            .and_then(|part| part.split_once(" for "))
            .ok_or_else(wrong)?;
        let mut stage = Stage {
            name,
            load: read_load(load.trim()).ok_or_else(wrong)??,
            length: duration::parse(length.trim()).map_err(|error| error.to_string())?,
            counted: true,
            pauses: true,
        };
        for part in parts {
            match part {
                "not counted" => stage.counted = false,
                "without pauses" => stage.pauses = false,
                _ => return Err(wrong()),
            }
        }
        match stage.length.is_zero() {
            true => Err(format!("`{text}`: a stage takes some time")),
            false => Ok(stage),
        }
    }
}

fn read_load(text: &str) -> Option<Result<Load, String>> {
    if let Some(rate) = text.strip_suffix("/s") {
        return Some(rate.trim().parse().map(Load::Rate));
    }
    let users = text
        .strip_suffix("users")
        .or(text.strip_suffix("user"))?
        .trim();
    let (from, to) = users.split_once("..").unwrap_or((users, users));
    let number = |part: &str| part.trim().parse::<usize>().ok();
    let (from, to) = number(from).zip(number(to))?;
    Some(match from.max(to) {
        0 => Err("a stage without users has no load".to_owned()),
        most if most > USERS_MAX => Err(format!("{most} users are more than {USERS_MAX}")),
        _ => Ok(Load::Users { from, to }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_read_as_people_write_them() {
        let stage: Stage = "peak: 100..500/s for 2m".parse().unwrap();
        assert_eq!(stage.name.as_deref(), Some("peak"));
        assert_eq!(
            (stage.load.to_string(), stage.length.as_secs()),
            ("100..500/s".to_owned(), 120)
        );
        let stage: Stage = "5..20 users for 30s, without pauses, not counted"
            .parse()
            .unwrap();
        assert_eq!(stage.load, Load::Users { from: 5, to: 20 });
        assert!(!stage.counted && !stage.pauses && stage.name.is_none());
        assert_eq!("1 user for 1s".parse::<Stage>().unwrap().users(), Some(1));
        for text in [
            "",
            "20 users",
            "users for 2m",
            "20 users for soon",
            "20 for 2m",
            ": 5 users for 1s",
            "0 users for 1s",
            "5 users for 0s",
            "5 users for 1s, quickly",
            "999999999 users for 1s",
            "fast/s for 1s",
        ] {
            assert!(text.parse::<Stage>().is_err(), "{text}");
        }
    }
}
