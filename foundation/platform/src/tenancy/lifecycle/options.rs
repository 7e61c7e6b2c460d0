//! How modules are installed: the query of Okapi's `install`, `upgrade` and `modules` requests.

use crate::registry::module_id::ModuleId;

/// Okapi's options.
#[derive(Debug, Clone)]
pub struct InstallOptions {
    /// Say what would be done.
    pub simulate: bool,
    /// Answer at once and go on.
    pub asynchronous: bool,
    /// Remove what disabled modules have stored.
    pub purge: bool,
    /// Whether all modules go with all that they have stored, so that none need clear up by itself.
    pub whole: bool,
    /// Enable and disable what others need.
    pub check_dependencies: bool,
    /// Go on behind a step that fails.
    pub ignore_errors: bool,
    /// Enable again what is enabled.
    pub reinstall: bool,
    /// `loadReference=true` and the like, for modules.
    pub parameters: Vec<(String, String)>,
    /// Which modules are told: all, none, or one; a name may end in `.*`.
    pub invoke: Option<String>,
    /// Whether versions with pre-release parts are taken.
    pub pre_release: bool,
    /// Whether front-end builds are taken.
    pub front_end_builds: bool,
}

impl Default for InstallOptions {
    fn default() -> InstallOptions {
        InstallOptions {
            simulate: false,
            asynchronous: false,
            purge: false,
            whole: false,
            check_dependencies: true,
            ignore_errors: false,
            reinstall: false,
            parameters: Vec::new(),
            invoke: None,
            pre_release: true,
            front_end_builds: true,
        }
    }
}

impl InstallOptions {
    /// Reads `loadReference=true,loadSample=true`.
    #[must_use]
    pub fn parameters_of(text: &str) -> Vec<(String, String)> {
        let pairs = text.split(',').filter(|pair| !pair.trim().is_empty());
        let pair = |pair: &str| match pair.split_once('=') {
            Some((key, value)) => (key.trim().to_owned(), value.trim().to_owned()),
            None => (pair.trim().to_owned(), String::new()),
        };
        pairs.map(pair).collect()
    }

    /// Whether a parameter is given as true.
    #[must_use]
    pub fn parameter(&self, name: &str) -> bool {
        self.parameters
            .iter()
            .any(|(key, value)| key == name && value == "true")
    }

    /// Whether a version may be installed.
    #[must_use]
    pub fn takes(&self, id: &ModuleId) -> bool {
        let version = id.version.as_ref();
        (self.pre_release || !version.is_some_and(|one| one.has_pre_release()))
            && (self.front_end_builds || !version.is_some_and(|one| one.is_front_end_build()))
    }

    /// Whether a module is told of the tenant.
    #[must_use]
    pub fn invokes(&self, id: &str) -> bool {
        match self.invoke.as_deref() {
            None | Some("true") => true,
            Some("false") => false,
            Some(pattern) => match pattern.strip_suffix(".*") {
                Some(beginning) => id.starts_with(beginning),
                None => id == pattern,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_pairs() {
        let options = InstallOptions {
            parameters: InstallOptions::parameters_of("loadReference=true, loadSample=false,x"),
            ..InstallOptions::default()
        };
        assert!(options.parameter("loadReference"));
        assert!(!options.parameter("loadSample") && !options.parameter("x"));
        assert!(options.invokes("mod-a-1.0.0"));
        let invoke = |text: &str| InstallOptions {
            invoke: Some(text.to_owned()),
            ..InstallOptions::default()
        };
        assert!(!invoke("false").invokes("mod-a-1.0.0"));
        assert!(invoke("mod-a.*").invokes("mod-a-1.0.0"));
        assert!(!invoke("mod-b.*").invokes("mod-a-1.0.0"));
    }
}
