//! The bodies of the fuzz targets, compiled and run here, because no other build includes their workspace.

#[path = "../../../../fuzz/bodies/checks.rs"]
mod checks;
#[path = "../../../../fuzz/bodies/declarations.rs"]
mod declarations;
#[path = "../../../../fuzz/bodies/execution.rs"]
mod execution;
#[path = "../../../../fuzz/bodies/modules.rs"]
mod modules;
#[path = "../../../../fuzz/bodies/prepare.rs"]
mod prepare;
#[path = "../../../../fuzz/bodies/survey.rs"]
mod survey;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use isobox_core::Driver;
use isobox_core::program::{Preparation, Program};
use isobox_sandbox::{Sandbox, SandboxOptions};

use crate::preparing;

/// Returns reproducible bytes.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[test]
fn every_seed_of_the_fuzzer_is_a_program_or_a_syntax_error() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/prepare");
    let seeds: Vec<_> = std::fs::read_dir(folder).expect("there are seeds").flatten().collect();
    assert!(seeds.len() >= 8);
    let prepare = sandbox_of_its_own();
    for seed in seeds {
        prepare::fuzz(&std::fs::read(seed.path()).expect("it can be read"), &prepare);
    }
}

#[test]
fn preparing_takes_time_and_memory_in_proportion_to_the_text() {
    let prepare = sandbox_of_its_own();
    for part in
        ["f(1);\n", "const [a] = [{ b: `${1}` }];\n", "({ a: (b) => [c, 1] });\n", "type A<B> = B[];\n", "// x\n"]
    {
        let text = format!("{{ {part} }}").repeat(64_000 / part.len());
        let program = Program::single(text.clone());
        let (_, cost) = prepare(&program);
        assert!(cost.is_some_and(|cost| cost.cpu > Duration::ZERO), "{part}");
        prepare::fuzz(format!("//\n{text}").as_bytes(), &prepare);
    }
}

/// Returns a function that prepares programs in a sandbox that no other test uses, and tells what that has cost.
fn sandbox_of_its_own() -> impl Fn(&Program) -> prepare::Outcome {
    let options = SandboxOptions::default().instances(1.try_into().expect("it is not zero"));
    let sandbox = Sandbox::new(options).expect("there is a sandbox");
    move |program| {
        let prepared = preparing::survey_in(&sandbox, Preparation::new(program)).map(|surveyed| surveyed.program);
        (prepared, sandbox.take_preparation_cost())
    }
}

/// Runs a body on the seeds of a target, and on each of them with some bytes left out.
fn on_seeds(folder: &str, least: usize, body: impl Fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let seeds: Vec<_> = std::fs::read_dir(root.join(folder)).expect("there are seeds").flatten().collect();
    assert!(seeds.len() >= least);
    for seed in seeds {
        let text = std::fs::read(seed.path()).expect("it can be read");
        body(&text);
        for (round, place) in noise(7, 6).into_iter().enumerate() {
            let mut damaged = text.clone();
            let at = (usize::from(place) * 37 + round * 101) % damaged.len().max(1);
            damaged.drain(at..(at + 1 + round % 9).min(damaged.len()));
            body(&damaged);
        }
    }
}

#[test]
fn surveying_changes_nothing_about_any_seed_of_the_fuzzer_or_a_damaged_one() {
    on_seeds("survey", 3, |text| survey::fuzz(text, preparing::survey));
    on_seeds("prepare", 8, |text| survey::fuzz(text, preparing::survey));
}

#[test]
fn a_check_of_any_seed_of_the_fuzzer_ends_with_findings_or_a_syntax_error() {
    let driver = driver_of_its_own();
    for (folder, least) in [("checks", 4), ("survey", 3), ("prepare", 8)] {
        on_seeds(folder, least, |text| checks::fuzz(text, &driver));
    }
}

#[test]
fn a_check_of_many_mistakes_behind_many_lines_takes_little_time_and_says_where_it_ended() {
    let schema = r#"{"type":"object","properties":{"known":{}},"additionalProperties":false}"#;
    let reads: String = (0..32).map(|read| format!("r.p{read};")).collect();
    let call = |number: usize| {
        format!("const r{number}=await tools.a({{}});{}\n", reads.replace("r.", &format!("r{number}.")))
    };
    let calls: String = (0..256).map(call).collect();
    let lines = "\n".repeat((256 << 10) - calls.len() - schema.len());
    let findings = checks::findings_of(&format!("{schema}{lines}{calls}"), &driver_of_its_own());
    assert_eq!(findings.len(), 512, "the last call that is checked has all of its findings");
    let last = findings.last().expect("there are findings");
    assert!(last.message.ends_with("; the check ends here (calls that were not checked: 240)"), "{}", last.message);
}

/// Returns a sandbox that no other test uses: what waits for another test would use CPU time.
fn driver_of_its_own() -> Arc<dyn Driver> {
    let options = SandboxOptions::default().instances(1.try_into().expect("it is not zero"));
    Arc::new(Sandbox::new(options).expect("there is a sandbox"))
}

#[test]
fn modules_of_any_seed_of_the_fuzzer_are_linked_or_refused() {
    for (folder, least) in [("modules", 3), ("prepare", 8)] {
        on_seeds(folder, least, |text| modules::fuzz(text, &preparing::DRIVER));
    }
}

#[test]
fn every_seed_of_the_fuzzer_is_a_schema_whose_type_parses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/declarations");
    let seeds: Vec<_> = std::fs::read_dir(folder).expect("there are seeds").flatten().collect();
    assert!(seeds.len() >= 3);
    for seed in seeds {
        let text = std::fs::read(seed.path()).expect("it can be read");
        declarations::fuzz(&text, |text| preparing::declarations_in(text).is_some());
    }
}

#[test]
fn any_script_of_steps_ends_in_an_outcome() {
    for seed in 0..2_000 {
        execution::fuzz(&noise(seed, 200));
    }
}

#[test]
fn every_target_of_the_fuzzer_is_run_by_the_soak_and_described() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect(path);
    let (soak, page) = (read("soak"), read("docs/fuzzing.md"));
    let line = soak.lines().find(|line| line.contains("for target in ")).expect("it runs targets");
    let run: Vec<&str> = line.trim_end_matches("; do").split_whitespace().skip(3).collect();
    let targets = std::fs::read_dir(root.join("fuzz/fuzz_targets")).expect("there are targets").flatten();
    let targets: Vec<String> = targets.filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned())).collect();
    assert!(targets.len() >= 10, "{targets:?}");
    for target in &targets {
        assert!(run.contains(&target.as_str()), "`./soak` does not run {target}");
        assert!(page.contains(&format!("| `{target}` |")), "docs/fuzzing.md does not describe {target}");
        assert!(
            page.contains(&format!("--sanitizer none {target} ")),
            "docs/fuzzing.md does not say how to run {target}"
        );
    }
    assert_eq!(run.len(), targets.len(), "{line}");
}
