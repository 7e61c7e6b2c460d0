//! Walks a plan's tree and makes sequences, choices and requests: applies the configuration in
//! scope, inserts modules, and notes scripts and other unsupported elements.

use std::collections::{BTreeMap, HashSet};

use super::checks;
use super::conditions;
use super::sampler;
use super::script;
use super::timers;
use super::tree::Element;
use super::values::Values;
use crate::draft::DraftError;
use crate::finish::Knowledge;
use crate::model::{Call, Think};
use crate::note::Notes;

const CONTROLLERS: &str = "controllers taken otherwise than they stand";
const SCRIPTS: &str = "scripts not taken: what they do is to be done otherwise";
const SAMPLERS: &str = "requests not taken";
const LOGINS: &str = "logins";
const OTHERS: &str = "elements without meaning for a draft";

/// The most requests after modules and loops are expanded.
const CALLS_MAX: usize = 20_000;
const MODULES_NESTED_MAX: usize = 24;
const REPEATED_MAX: u64 = 10;
const REPEATED_CALLS_MAX: usize = 200;

/// The steps of a plan.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Call(Call),
    /// A controller's content; a transaction is timed as one.
    Group {
        name: String,
        transaction: bool,
        items: Vec<Item>,
    },
    /// One of these, with their shares.
    Choice(Vec<(f64, Vec<Item>)>),
    /// Repeated until the user's time is over.
    Forever(Vec<Item>),
    /// Once for each user.
    Once(Vec<Item>),
}

/// The plan's samplers and the requests made of them.
#[derive(Debug, Default)]
pub(super) struct Count {
    /// HTTP samplers that were reached, by their addresses in memory: modules lead to one
    /// repeatedly.
    pub(super) taken: HashSet<usize>,
    /// Requests made of them.
    calls: usize,
}

pub(super) struct Walker<'p> {
    pub(super) plan: &'p [Element],
    pub(super) values: Values,
    pub(super) notes: Notes,
    pub(super) knowledge: Knowledge,
    pub(super) count: Count,
    pub(super) login: Option<Call>,
    /// Logins that did not become the draft's login.
    pub(super) logins: Vec<Call>,
    /// Requests by server.
    pub(super) origins: BTreeMap<sampler::Origin, (usize, usize)>,
    /// The scope: the content of each element on the path from the root.
    scope: Vec<&'p Element>,
    scope_lists: Vec<&'p [Element]>,
    pause: Think,
    modules: usize,
}

impl<'p> Walker<'p> {
    pub(super) fn new(plan: &'p [Element], values: Values) -> Self {
        Self {
            plan,
            values,
            notes: Notes::default(),
            knowledge: Knowledge::default(),
            count: Count::default(),
            login: None,
            logins: Vec::new(),
            origins: BTreeMap::new(),
            scope: Vec::new(),
            scope_lists: Vec::new(),
            pause: Think::default(),
            modules: 0,
        }
    }

    /// Walks a thread group with the plan's configuration in scope.
    pub(super) fn thread_group(
        &mut self,
        top: &'p [Element],
        group: &'p Element,
    ) -> Result<Vec<Item>, DraftError> {
        self.scope_lists = vec![top];
        self.pause = Think::default();
        let items = self.below(group);
        if self.pause != Think::default() {
            self.note(
                group,
                timers::TIMERS,
                "a pause after the last request is left out",
            );
        }
        items
    }

    fn below(&mut self, element: &'p Element) -> Result<Vec<Item>, DraftError> {
        self.scope_lists.push(&element.children);
        let items = self.items(&element.children);
        self.scope_lists.pop();
        items
    }

    fn note(&mut self, element: &Element, group: &'static str, what: &str) {
        let what = format!("{}: {what}", element.label());
        self.notes.add(element.line, group, what);
    }

    fn items(&mut self, elements: &'p [Element]) -> Result<Vec<Item>, DraftError> {
        let alternatives = conditions::alternatives(elements, &self.values);
        let mut items = Vec::new();
        let mut choice: Vec<(f64, Vec<Item>)> = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            if !element.enabled {
                continue;
            }
            let Some(alternative) = alternatives.get(&at) else {
                self.element(element, &mut items)?;
                continue;
            };
            if alternative.is_first {
                choice.clear();
                if alternative.is_guess {
                    let message =
                        "one of several: equal shares, because the plan decides as it runs";
                    self.note(element, CONTROLLERS, message);
                }
            }
            let inner = self.below(element)?;
            choice.push((alternative.share, inner));
            if alternative.is_last {
                if alternative.rest > 0.0 {
                    choice.push((alternative.rest, Vec::new()));
                }
                items.push(Item::Choice(std::mem::take(&mut choice)));
            }
        }
        Ok(items)
    }

    fn element(&mut self, element: &'p Element, items: &mut Vec<Item>) -> Result<(), DraftError> {
        let kind = element.short_kind();
        let group = |items, transaction| Item::Group {
            name: element.name.trim().to_owned(),
            transaction,
            items,
        };
        match kind {
            _ if sampler::is_http(kind) => {
                if let Some(call) = self.sampler(element)? {
                    items.push(Item::Call(call));
                }
            }
            "TransactionController" => items.push(group(self.below(element)?, true)),
            "GenericController" | "RecordingController" | "CriticalSectionController" => {
                items.push(group(self.below(element)?, false));
            }
            "OnceOnlyController" => items.push(Item::Once(self.below(element)?)),
            "LoopController" => self.repeat(element, items)?,
            "IfController" => {
                let condition = element.text("IfController.condition").trim();
                let condition: String = condition.chars().take(100).collect();
                if !condition.is_empty() && condition != "true" {
                    self.note(
                        element,
                        CONTROLLERS,
                        &format!("always taken, not only if {condition}"),
                    );
                }
                items.push(group(self.below(element)?, false));
            }
            "WhileController" | "ForeachController" | "RunTime" => {
                self.note(element, CONTROLLERS, "taken once, not repeated");
                if kind == "ForeachController" {
                    self.each_is_one(element);
                }
                items.push(group(self.below(element)?, false));
            }
            "ThroughputController" => {
                self.note(element, CONTROLLERS, "taken in each iteration");
                items.push(group(self.below(element)?, false));
            }
            "SwitchController" | "RandomController" | "InterleaveControl" => {
                self.note(element, CONTROLLERS, "one of its parts, with equal shares");
                let parts = self.below(element)?;
                items.push(Item::Choice(
                    parts.into_iter().map(|part| (1.0, vec![part])).collect(),
                ));
            }
            "RandomOrderController" | "ParallelSampler" => {
                self.note(
                    element,
                    CONTROLLERS,
                    "its parts in order, one after the other",
                );
                items.push(group(self.below(element)?, false));
            }
            "ModuleController" => self.module(element, items)?,
            "IncludeController" => {
                if element.children.is_empty() {
                    let path = element.text("IncludeController.includepath");
                    self.note(element, SAMPLERS, &format!("the file {path} was not read"));
                }
                items.push(group(self.below(element)?, false));
            }
            // Only modules lead into fragments.
            "TestFragmentController" => {}
            "TestAction" => self.action(element),
            _ => self.other(element),
        }
        Ok(())
    }

    /// Handles elements that are neither controllers nor HTTP samplers. Their children are in their
    /// scope only.
    fn other(&mut self, element: &'p Element) {
        let kind = element.short_kind();
        if kind.starts_with("JSR223") || kind.starts_with("BeanShell") || kind.starts_with("BSF") {
            self.script(element);
        } else if kind == "CookieManager" {
            self.note(element, OTHERS, "the driver keeps no cookies");
        } else if kind == "AuthManager" {
            self.note(element, OTHERS, "the draft logs in by [login]");
        } else if kind == "RandomVariableConfig" || kind == "CounterConfig" {
            let what = "its variable keeps its first value";
            self.note(element, super::values::FUNCTIONS, what);
        } else if kind == "UserParameters" {
            self.note(
                element,
                super::values::FUNCTIONS,
                "all users have the first one's values",
            );
        } else if !has_a_meaning(kind) && !is_a_report(kind) {
            let group = match kind.ends_with("Sampler") || kind.ends_with("Controller") {
                true => SAMPLERS,
                false => OTHERS,
            };
            self.note(element, group, "not taken");
        }
    }

    fn script(&mut self, element: &Element) {
        self.note(element, SCRIPTS, "not taken");
        for property in &element.properties {
            script::read(
                &property.text,
                &mut self.knowledge.aliases,
                &mut self.values.constants,
            );
        }
    }

    fn each_is_one(&mut self, element: &Element) {
        let [from, to] = ["ForeachController.inputVal", "ForeachController.returnVal"]
            .map(|name| crate::reference::variable(element.text(name)));
        if from != to {
            self.knowledge.aliases.insert(to, from);
        }
    }

    fn repeat(&mut self, element: &'p Element, items: &mut Vec<Item>) -> Result<(), DraftError> {
        let inner = self.below(element)?;
        let loops = element.text("LoopController.loops").trim();
        if loops == "-1" {
            items.push(Item::Forever(inner));
            return Ok(());
        }
        let name = element.name.trim().to_owned();
        let once = |items| Item::Group {
            name,
            transaction: false,
            items,
        };
        match self.values.number(loops) {
            Some(1) => items.push(once(inner)),
            Some(0) => self.note(element, CONTROLLERS, "not taken: no loops"),
            Some(number)
                if number <= REPEATED_MAX
                    && calls(&inner) * number as usize <= REPEATED_CALLS_MAX =>
            {
                let number = number as usize;
                self.count.calls += calls(&inner) * (number - 1);
                let repeated = std::iter::repeat_n(inner, number).flatten();
                items.push(once(repeated.collect()));
            }
            number => {
                let times = number.map_or(loops.to_owned(), |number| number.to_string());
                self.note(
                    element,
                    CONTROLLERS,
                    &format!("taken once, not {times} times"),
                );
                items.push(once(inner));
            }
        }
        Ok(())
    }

    fn module(&mut self, element: &'p Element, items: &mut Vec<Item>) -> Result<(), DraftError> {
        let path = element.property("ModuleController.node_path");
        let path: Vec<&str> = path
            .iter()
            .flat_map(|path| &path.items)
            .map(|one| one.text.trim())
            .collect();
        let Some(target) = find(self.plan, &path) else {
            let what = format!("its module `{}` was not found", path.join("/"));
            self.note(element, SAMPLERS, &what);
            return Ok(());
        };
        if self.modules >= MODULES_NESTED_MAX {
            self.note(element, CONTROLLERS, "modules lie too deep in each other");
            return Ok(());
        }
        self.modules += 1;
        let inner = match target.kind.as_str() {
            "TestFragmentController" => {
                let inner = self.below(target)?;
                vec![Item::Group {
                    name: target.name.trim().to_owned(),
                    transaction: false,
                    items: inner,
                }]
            }
            _ => {
                let mut inner = Vec::new();
                self.element(target, &mut inner)?;
                inner
            }
        };
        self.modules -= 1;
        items.extend(inner);
        Ok(())
    }

    fn action(&mut self, element: &Element) {
        let pauses = matches!(element.text("ActionProcessor.action").trim(), "" | "1");
        if !pauses {
            self.note(element, CONTROLLERS, "not taken");
            return;
        }
        let (pause, is_number) =
            timers::delay(element.text("ActionProcessor.duration"), &self.values);
        if !is_number {
            self.note(
                element,
                timers::TIMERS,
                "its length is not known before the plan runs",
            );
        }
        self.pause = self.pause.plus(pause);
    }

    fn sampler(&mut self, element: &'p Element) -> Result<Option<Call>, DraftError> {
        self.scope_lists.push(&element.children);
        let made = self.sampler_in_scope(element);
        self.scope_lists.pop();
        made
    }

    fn sampler_in_scope(&mut self, element: &'p Element) -> Result<Option<Call>, DraftError> {
        self.scope.clear();
        for list in &self.scope_lists {
            self.scope.extend(list.iter().filter(|one| one.enabled));
        }
        let scope = std::mem::take(&mut self.scope);
        let of = |kinds: &dyn Fn(&str) -> bool| -> Vec<&'p Element> {
            scope
                .iter()
                .copied()
                .filter(|one| kinds(&one.kind))
                .collect()
        };
        let defaults = of(&|kind| kind == "ConfigTestElement");
        let managers = of(&|kind| kind == "HeaderManager");
        let made = sampler::call(
            element,
            &defaults,
            &managers,
            &mut self.values,
            &mut self.notes,
        );
        let (mut call, origin) = match made {
            Ok(made) => made,
            Err(reason) => {
                self.note(element, SAMPLERS, &reason);
                self.scope = scope;
                return Ok(None);
            }
        };
        for one in &scope {
            self.apply(one, &mut call);
        }
        self.scope = scope;
        call.think = call.think.plus(std::mem::take(&mut self.pause));
        self.count.taken.insert(std::ptr::from_ref(element).addr());
        self.count.calls += 1;
        if self.count.calls > CALLS_MAX {
            return Err(DraftError::TooMany {
                of: "requests after modules are put in their places",
                limit: CALLS_MAX,
                remedy: "remove modules that call each other",
            });
        }
        let entry = self.origins.entry(origin).or_insert((element.line, 0));
        entry.1 += 1;
        Ok(self.not_login(call, element))
    }

    fn apply(&mut self, element: &'p Element, call: &mut Call) {
        let kind = element.short_kind();
        if timers::is_timer(kind) {
            let pause = timers::pause(element, &self.values, &mut self.notes);
            call.think = call.think.plus(pause);
        } else if kind.starts_with("JSR223") || kind.starts_with("BeanShell") {
            if !kind.ends_with("Sampler") {
                self.script(element);
            }
        } else if kind.contains("Assertion") {
            checks::assertion(element, call, &mut self.notes);
        } else if kind.ends_with("Extractor") || kind == "JSONPostProcessor" {
            checks::extractor(element, call, &self.values, &mut self.notes);
        }
    }

    /// Makes the first login the draft's own; others are left out.
    fn not_login(&mut self, call: Call, element: &Element) -> Option<Call> {
        if !crate::login::is_login(&call.method, &call.target) {
            return Some(call);
        }
        match &self.login {
            None => self.login = Some(call),
            Some(first) => {
                if first.line != call.line {
                    self.note(
                        element,
                        LOGINS,
                        "left out: each user logs in once, by [login]",
                    );
                }
                self.logins.push(call);
            }
        }
        None
    }
}

/// Requests in items.
fn calls(items: &[Item]) -> usize {
    let below = |item: &Item| match item {
        Item::Call(_) => 1,
        Item::Group { items, .. } | Item::Forever(items) | Item::Once(items) => calls(items),
        Item::Choice(parts) => parts.iter().map(|(_, items)| calls(items)).sum(),
    };
    items.iter().map(below).sum()
}

/// The element that a module names: by its path from the plan, or otherwise the only one with that
/// name.
fn find<'p>(plan: &'p [Element], path: &[&str]) -> Option<&'p Element> {
    let named = |elements: &'p [Element], name: &str| -> Option<&'p Element> {
        let mut found = elements.iter().filter(|one| one.name.trim() == name);
        found.next()
    };
    let mut at: Option<&'p Element> = None;
    // The first name is that of the root, which has no element in the file.
    for (number, name) in path.iter().enumerate().skip(1) {
        let below = at.map_or(plan, |one| &one.children[..]);
        let next = named(below, name).or_else(|| (number == 1).then(|| plan.first()).flatten());
        match next {
            Some(next) => at = Some(next),
            None => {
                at = None;
                break;
            }
        }
    }
    at.filter(|_| path.len() > 2)
        .or_else(|| only(plan, path.last()?))
}

fn only<'p>(elements: &'p [Element], name: &str) -> Option<&'p Element> {
    fn all<'p>(elements: &'p [Element], name: &str, found: &mut Vec<&'p Element>) {
        for element in elements {
            if element.name.trim() == name
                && element.short_kind().ends_with("Controller")
                && element.kind != "ModuleController"
            {
                found.push(element);
            }
            all(&element.children, name, found);
        }
    }
    let mut found = Vec::new();
    all(elements, name, &mut found);
    match &found[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// Elements that a draft applies elsewhere: in scope, or before it begins.
fn has_a_meaning(kind: &str) -> bool {
    let taken = [
        "HeaderManager",
        "ConfigTestElement",
        "Arguments",
        "CSVDataSet",
        "RandomCSVDataSetConfig",
        "JSONPostProcessor",
        "RegexExtractor",
        "BoundaryExtractor",
    ];
    taken.contains(&kind)
        || kind.contains("Assertion")
        || kind.ends_with("Extractor")
        || kind.ends_with("Timer")
        || kind.ends_with("ThreadGroup")
}

/// Listeners: a run has reports of its own.
fn is_a_report(kind: &str) -> bool {
    let reports = [
        "ResultCollector",
        "Summariser",
        "CacheManager",
        "DNSCacheManager",
        "DebugSampler",
        "DebugPostProcessor",
    ];
    reports.contains(&kind) || kind.ends_with("Listener") || kind.ends_with("ResultCollector")
}
