//! Ids of modules: a product and usually a semantic version, as in `mod-users-19.5.0`.

use std::cmp::Ordering;
use std::fmt;

/// A parsed module id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleId {
    /// The part before the version: `mod-users`.
    pub product: String,
    /// The version; a client may leave it out to mean the latest.
    pub version: Option<Version>,
    text: String,
}

/// A semantic version as Okapi parses it: numbers, pre-release parts, build metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    numbers: Vec<u64>,
    pre_release: Vec<String>,
    metadata: Option<String>,
}

/// A text that is not a module id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid semver: {0}")]
pub struct VersionError(String);

impl ModuleId {
    /// Parses an id. The version begins after the first hyphen that a digit follows.
    ///
    /// # Errors
    /// When that part is not a version.
    pub fn parse(text: &str) -> Result<ModuleId, VersionError> {
        let bytes = text.as_bytes();
        let at = bytes
            .windows(2)
            .position(|pair| pair[0] == b'-' && pair[1].is_ascii_digit());
        let (product, version) = match at {
            Some(at) => (&text[..at], Some(Version::parse(&text[at + 1..])?)),
            None => (text, None),
        };
        Ok(ModuleId {
            product: product.to_owned(),
            version,
            text: text.to_owned(),
        })
    }

    /// The product of an id, whatever its version looks like.
    #[must_use]
    pub fn product_of(text: &str) -> &str {
        let at = text
            .as_bytes()
            .windows(2)
            .position(|pair| pair[0] == b'-' && pair[1].is_ascii_digit());
        at.map_or(text, |at| &text[..at])
    }

    /// Whether a filter matches this id: `mod-users`, `mod-users-19` or a whole id.
    #[must_use]
    pub fn is_meant_by(&self, filter: &ModuleId) -> bool {
        self.product == filter.product
            && match (&self.version, &filter.version) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(version), Some(filter)) => version.begins_with(filter),
            }
    }

    /// The latest version of this product among `ids`; the id itself when none is later.
    #[must_use]
    pub fn latest<'a>(&self, ids: impl Iterator<Item = &'a str>) -> String {
        let mut latest = self.clone();
        for id in ids.filter_map(|id| ModuleId::parse(id).ok()) {
            if id.product == self.product && id > latest {
                latest = id;
            }
        }
        latest.text
    }
}

impl fmt::Display for ModuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Ord for ModuleId {
    fn cmp(&self, other: &ModuleId) -> Ordering {
        (self.product.cmp(&other.product)).then_with(|| self.version.cmp(&other.version))
    }
}

impl PartialOrd for ModuleId {
    fn partial_cmp(&self, other: &ModuleId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Version {
    /// Parses a version.
    pub fn parse(text: &str) -> Result<Version, VersionError> {
        let error = || VersionError(text.chars().take(100).collect());
        let (rest, metadata) = match text.split_once('+') {
            Some((rest, metadata)) => (rest, Some(metadata.to_owned())),
            None => (text, None),
        };
        let (numbers, pre_release) = match rest.split_once('-') {
            Some((numbers, pre_release)) => (numbers, Some(pre_release)),
            None => (rest, None),
        };
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().ok()).flatten()
        };
        let numbers: Option<Vec<u64>> = numbers.split('.').map(number).collect();
        let pre_release: Vec<String> = match pre_release {
            None => Vec::new(),
            Some(parts) => parts.split('.').map(str::to_owned).collect(),
        };
        if pre_release.iter().any(String::is_empty) {
            return Err(error());
        }
        Ok(Version {
            numbers: numbers.ok_or_else(error)?,
            pre_release,
            metadata,
        })
    }

    /// Whether it is not a release: `1.0.0-SNAPSHOT`, or FOLIO's front-end builds such as
    /// `1.0.100045`.
    #[must_use]
    pub fn is_snapshot(&self) -> bool {
        !self.pre_release.is_empty() || self.is_front_end_build()
    }

    #[must_use]
    pub fn has_pre_release(&self) -> bool {
        !self.pre_release.is_empty()
    }

    /// Whether it is one of FOLIO's front-end builds, whose patch number has five digits or more.
    #[must_use]
    pub fn is_front_end_build(&self) -> bool {
        self.numbers.len() == 3 && self.numbers[2] >= 10_000
    }

    fn begins_with(&self, other: &Version) -> bool {
        if other.pre_release.is_empty() && other.metadata.is_none() {
            return self.numbers.starts_with(&other.numbers);
        }
        self.numbers == other.numbers
            && self.pre_release.starts_with(&other.pre_release)
            && (other.metadata.is_none() || self.metadata == other.metadata)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        let release = |version: &Version| version.pre_release.is_empty();
        (self.numbers.cmp(&other.numbers))
            // A release is later than its pre-releases.
            .then_with(|| release(self).cmp(&release(other)))
            .then_with(|| compare_parts(&self.pre_release, &other.pre_release))
            .then_with(|| self.metadata.cmp(&other.metadata))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Numbers sort before texts and are compared numerically.
fn compare_parts(one: &[String], other: &[String]) -> Ordering {
    for (one, other) in one.iter().zip(other) {
        let ordering = match (one.parse::<u64>(), other.parse::<u64>()) {
            (Ok(one), Ok(other)) => one.cmp(&other),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => one.cmp(other),
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
    one.len().cmp(&other.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ModuleId {
        ModuleId::parse(text).expect(text)
    }

    #[test]
    fn versions_are_ordered_as_okapi_orders_them() {
        let rising = [
            "mod-a-1.0.0-SNAPSHOT",
            "mod-a-1.0.0-SNAPSHOT.2",
            "mod-a-1.0.0-SNAPSHOT.10",
            "mod-a-1.0.0",
            "mod-a-1.0.0+1",
            "mod-a-1.0.1",
            "mod-a-1.2.0",
            "mod-a-1.10.0",
            "mod-a-2.0.0-alpha",
            "mod-b-1.0.0",
        ];
        for pair in rising.windows(2) {
            assert!(id(pair[0]) < id(pair[1]), "{pair:?}");
        }
        assert!(id("mod-a") < id("mod-a-0.0.1"));
        assert_eq!(id("mod-a").latest(rising.into_iter()), "mod-a-2.0.0-alpha");
        assert_eq!(id("mod-c").latest(rising.into_iter()), "mod-c");
    }

    #[test]
    fn filters_mean_products_and_beginnings_of_versions() {
        for (module, filter, meant) in [
            ("mod-users-19.5.0", "mod-users", true),
            ("mod-users-19.5.0", "mod-users-19", true),
            ("mod-users-19.5.0", "mod-users-19.5.0", true),
            ("mod-users-19.5.0", "mod-users-19.4", false),
            ("mod-users-19.5.0", "mod-user", false),
            ("mod-users-bl-7.1.0", "mod-users", false),
            ("mod-a-1.0.0-SNAPSHOT.3", "mod-a-1.0.0-SNAPSHOT", true),
            ("mod-a-1.0.0", "mod-a-1.0.0-SNAPSHOT", false),
        ] {
            assert_eq!(
                id(module).is_meant_by(&id(filter)),
                meant,
                "{module} {filter}"
            );
        }
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for text in ["mod-1x", "mod-1.", "mod-1..2", "mod-1.0.0-", "mod-1.0-a..b"] {
            assert!(ModuleId::parse(text).is_err(), "{text}");
        }
        assert!(
            id("folio_users-2.3.100045")
                .version
                .is_some_and(|one| one.is_snapshot())
        );
        assert_eq!(ModuleId::product_of("mod-users-bl-7.1.0"), "mod-users-bl");
    }
}
