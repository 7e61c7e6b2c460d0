//! The options of Okapi's `install`, `upgrade` and `modules` requests.

use crate::registry::module_id::ModuleId;

/// Okapi's options.
#[derive(Debug, Clone)]
pub struct InstallOptions {
    /// Return the plan without carrying it out.
    pub simulate: bool,
    /// Respond at once and continue in the background.
    pub asynchronous: bool,
    /// Delete the data of disabled modules.
    pub purge: bool,
    /// Whether all modules are purged, so that none needs to delete its own data.
    pub whole: bool,
    /// Enable and disable dependencies too.
    pub check_dependencies: bool,
    /// Continue after a step that fails.
    pub ignore_errors: bool,
    /// Enable again what is enabled already.
    pub reinstall: bool,
    /// `loadReference=true` and the like, passed to modules.
    pub parameters: Vec<(String, String)>,
    /// Whose `_tenant` interface is called: all, none, or one; a name may end in `.*`.
    pub invoke: Option<String>,
    /// Whether pre-release versions are accepted.
    pub pre_release: bool,
    /// Whether front-end builds are accepted.
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
    /// Parses `loadReference=true,loadSample=true`.
    #[must_use]
    pub fn parameters_of(text: &str) -> Vec<(String, String)> {
        let pairs = text.split(',').filter(|pair| !pair.trim().is_empty());
        let pair = |pair: &str| match pair.split_once('=') {
            Some((key, value)) => (key.trim().to_owned(), value.trim().to_owned()),
            None => (pair.trim().to_owned(), String::new()),
        };
        pairs.map(pair).collect()
    }

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

    /// Whether a module's `_tenant` interface is called.
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
