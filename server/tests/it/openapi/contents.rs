//! Shapes of bodies and answers: what they declare is enforced in every test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use http::StatusCode;
use octavo_host::compose::modules;
use octavo_platform::respond::pretty;
use octavo_platform::{Call, Composition, Contents, Handler, Interface, Module};
use octavo_records::Shape;
use octavo_server_testkit::start;
use reqwest::Method;
use serde_json::json;

const SHAPES: &[(&str, &str)] = &[
    (
        "probe.answer",
        "id uuid required\nname string one of a | b\npart =probe.part\n",
    ),
    ("probe.part", "count integer required\n"),
];
const CONTENTS: &str = "method\tpath\tbody\tanswer\nPOST\t/probe\tprobe.part\tprobe.answer\n";
const ID: &str = "11111111-2222-4333-8444-555555555555";

/// Answers with what a header asks for.
fn interface() -> Interface {
    let echo = Handler::call(|call: Call| async move {
        let wanted = call.headers.get("x-answer").map(|value| value.as_bytes());
        let answer = serde_json::from_slice(wanted.unwrap_or(b"{}")).unwrap_or_default();
        Ok(pretty(StatusCode::OK, &answer))
    });
    Interface::new("probe", "1.0").logged_in(Method::POST, "/probe", echo)
}

/// With a route of the first module, which every tenant has.
fn probed() -> Composition {
    let mut composition = octavo_server_testkit::composition();
    let first = composition.modules.remove(0);
    let first = first.interface(interface()).shapes(SHAPES);
    composition.modules.insert(0, first.contents(CONTENTS));
    composition
}

#[tokio::test]
async fn an_answer_that_departs_from_its_shape_is_a_500_that_says_where() {
    let library = start(probed).await;
    let client = library.client().await;
    let whole = json!({"count": 1});
    for (sent, answered, expected) in [
        (
            whole.clone(),
            json!({"id": ID, "name": "a", "part": {"count": 1}}),
            None,
        ),
        (
            whole.clone(),
            json!({"id": ID, "colour": 1}),
            Some("answer is not of the shape probe.answer: colour: is not declared"),
        ),
        (
            whole.clone(),
            json!({"id": ID, "part": {}}),
            Some("answer is not of the shape probe.answer: part.count: is required, and not there"),
        ),
        (
            whole.clone(),
            json!({"id": ID, "name": "c"}),
            Some("answer is not of the shape probe.answer: name: is a string, not one of a | b"),
        ),
        (
            json!({"count": 1, "more": 2}),
            json!({"id": ID}),
            Some("body is not of the shape probe.part: more: is not declared"),
        ),
    ] {
        let request = client
            .request(Method::POST, "/probe")
            .header("x-answer", answered.to_string())
            .json(&sent);
        let answer = client.send(request).await;
        match expected {
            None => assert_eq!(answer.status, 200, "{}", answer.text),
            Some(expected) => {
                assert_eq!(answer.status, 500, "{}", answer.text);
                assert_eq!(answer.text, format!("POST /probe: the {expected}"));
            }
        }
    }
}

#[test]
fn contents_that_nobody_declares_are_named() {
    let module = |contents: &'static str, shapes: &[(&'static str, &'static str)]| {
        let module = Module::new("mod-probe", "1.0.0").interface(interface());
        let declared = Contents::of(&[module.shapes(shapes).contents(contents)]);
        declared.expect_err("it is refused")
    };
    assert!(module(CONTENTS, &[]).contains("POST /probe is declared with probe."));
    assert!(
        module("\nGET\t/probe\t\tprobe.answer\n", SHAPES).contains("GET /probe, which is none")
    );
    assert!(module("", &[("a", "b =c\n")]).contains("the shape a refers to c"));
    assert!(
        module("", &[("a", "b string\n"), ("a", "c any\n")])
            .contains("the shape a is declared twice")
    );
    assert!(
        module("", &[("a", "* like b\n")]).contains("the shape a is like b, which is no record")
    );
    assert!(module("", &[("a", "b strange\n")]).contains("the shape a: line 1"));
}

#[test]
fn every_shape_is_declared_and_used() {
    let modules = modules();
    let declared = modules.iter().flat_map(|module| &module.shapes);
    let declared: BTreeMap<&str, &str> = declared.copied().collect();
    let routes = modules.iter().flat_map(|module| &module.interfaces);
    let contents = routes.flat_map(|interface| &interface.routes);
    let contents = contents.flat_map(|route| [route.takes, route.answers]);
    let mut open: Vec<String> = contents
        .flatten()
        .map(|one| one.name().to_owned())
        .collect();
    let mut used = BTreeSet::new();
    while let Some(name) = open.pop() {
        if let Some(text) = declared.get(name.as_str())
            && used.insert(name)
        {
            let shape = Shape::parse_referring(text).expect("well formed");
            open.extend(shape.names().into_iter().map(str::to_owned));
        }
    }
    let areas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../areas");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("host/src/workbench/shapes");
    let own = fs::read_dir(own).expect("the workbench's shapes").flatten();
    let own = own.map(|file| {
        file.path()
            .file_stem()
            .map(ToOwned::to_owned)
            .expect("a name")
    });
    let mut files: BTreeSet<String> = own
        .map(|name| format!("octavo.{}", name.to_string_lossy()))
        .collect();
    for area in fs::read_dir(areas).expect("the areas").flatten() {
        for folder in ["answers", "bodies"] {
            let shapes = area.path().join("src/shapes").join(folder);
            for file in fs::read_dir(shapes).into_iter().flatten().flatten() {
                let file = file.path();
                let name = file.file_stem().expect("a name").to_string_lossy();
                let area = area.file_name();
                files.insert(format!("{}.{name}", area.to_string_lossy()));
            }
        }
    }
    assert!(files.len() > 100, "only {} shapes", files.len());
    let names: BTreeSet<String> = declared.keys().map(|name| (*name).to_owned()).collect();
    assert_eq!(names, files, "declared in shapes/mod.rs, and files");
    assert_eq!(used, files, "used by a route, and files");
}
