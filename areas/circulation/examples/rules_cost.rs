//! What many circulation rules cost: compiling them once, and naming the policy of a loan, in
//! microseconds. The first rule matches hardly any loan, the last but one matches all.
//!
//! ```text
//! cargo run --release -p octavo-circulation --example rules_cost
//! ```

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use octavo_circulation::rules::{CompiledRules, Criteria};
use uuid::Uuid;

const MATCHES: u32 = 200_000;

fn main() {
    for rules in [10, 100, 1_000, 10_000] {
        let text = text_of(rules);
        let started = Instant::now();
        let compiled = CompiledRules::compile(&text, None).expect("the rules are well formed");
        let compiling = started.elapsed();
        let started = Instant::now();
        for round in 0..MATCHES {
            black_box(compiled.match_loan_policy(&criteria(round, rules)));
        }
        let matching = started.elapsed().as_secs_f64() * 1e6 / f64::from(MATCHES);
        println!(
            "{rules:>6} rules: compiled in {:>9.1} µs, a policy named in {matching:>6.2} µs",
            compiling.as_secs_f64() * 1e6
        );
    }
}

/// A fallback, and rules that each ask for a group, a material type and a loan type.
fn text_of(rules: u32) -> String {
    let policies = format!("l {0} r {0} n {0} o {0} i {0}", id(0, 0));
    let mut text = format!("priority: last-line\nfallback-policy: {policies}\n");
    for rule in 0..rules {
        let (group, material, kind) = parts(rule);
        writeln!(text, "g {group} + m {material} + t {kind}: {policies}").expect("text grows");
    }
    text
}

fn criteria(round: u32, rules: u32) -> Criteria {
    // Every second loan is one that no rule but the fallback is for.
    let (patron_group, material_type, loan_type) = parts(round % (2 * rules));
    Criteria {
        patron_group: patron_group.into(),
        material_type: material_type.into(),
        loan_type: loan_type.into(),
        location: id(4, 1).into(),
        institution: None,
        campus: None,
        library: None,
    }
}

fn parts(rule: u32) -> (Uuid, Uuid, Uuid) {
    (id(1, rule % 20), id(2, rule / 20 % 25), id(3, rule / 500))
}

fn id(kind: u128, number: u32) -> Uuid {
    Uuid::from_u128(kind << 64 | u128::from(number) | 1 << 100)
}
