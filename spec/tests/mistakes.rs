//! Keeps `docs/mistakes.md` as the cases of common mistakes are.

use std::path::Path;

use isobox_spec::{Case, CaseProgram, Correction, ExpectedError, load_cases};

const WRITE: &str = "ISOBOX_WRITE_DOCS";

/// The sections of the page: the name in the cases, the title, and what the mistakes have in common.
const GROUPS: [(&str, &str, &str); 9] = [
    ("tools", "Calling tools", "A tool is called by its path below `tools`, with one object."),
    ("promises", "Waiting", "A call returns a promise. Await every call before the program returns."),
    ("missing", "Missing values", "Answers lack properties, lists are empty. Check before you read."),
    ("kinds", "Values of another kind", "The message says what the value is."),
    ("names", "Names and variables", "Programs run in strict mode."),
    ("absent", "What a program does not have", "A program has tools and the language, and nothing else."),
    ("results", "Results and JSON", "Inputs, outputs and results are JSON."),
    ("builtins", "Built-in functions", "The standard library refuses these values."),
    ("syntax", "Syntax", "These programs do not start."),
];

#[test]
fn the_page_of_mistakes_is_what_the_cases_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../docs/mistakes.md");
    let cases = load_cases(root).expect("the cases can be read");
    let page = page(&cases);
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let other = page.lines().zip(kept.lines()).find(|(line, kept)| line != kept);
    assert!(
        page == kept,
        "docs/mistakes.md is not what the cases say, first at {other:?}: run {WRITE}=1 cargo test -p isobox-spec --test mistakes"
    );
}

/// A mistake with its explanation.
struct Entry<'a> {
    /// The name of the file, which is the anchor.
    name: &'a str,
    title: &'a str,
    /// The program without the header, and the number of the line before its first.
    program: String,
    lines_before: u32,
    error: &'a ExpectedError,
    correction: &'a Correction,
}

impl<'a> Entry<'a> {
    fn of(case: &'a Case) -> Option<Self> {
        let name = case.name.strip_prefix("mistakes/")?;
        let CaseProgram::Itself(text) = &case.program else { panic!("{name} is not a program") };
        let program: Vec<&str> = text.lines().filter(|line| !line.starts_with("//#")).collect();
        let before = text.lines().take_while(|line| line.starts_with("//#")).count();
        Some(Self {
            name,
            title: &case.header.title,
            program: program.join("\n"),
            lines_before: u32::try_from(before).expect("a header is short"),
            error: case.header.expect.error.as_ref().unwrap_or_else(|| panic!("{name} has no error")),
            correction: case.header.correction.as_ref().unwrap_or_else(|| panic!("{name} has no [correction]")),
        })
    }

    fn text(&self) -> String {
        let Self { name, program, correction, .. } = self;
        format!(
            "\n<a id=\"{name}\"></a>\n\n### {}\n\n```ts\n{program}\n```\n\n```text\n{}\n```\n\n{}\n\n```ts\n{}\n```\n",
            self.heading(),
            self.message(),
            correction.why,
            correction.program.trim_end()
        )
    }

    fn heading(&self) -> String {
        let mut letters = self.title.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    fn message(&self) -> String {
        let ExpectedError { code, name, message, line, column, hint, .. } = self.error;
        let own_name = if *code == isobox::Code::Thrown { format!("{name}: ") } else { String::new() };
        let place = match (line, column) {
            (Some(line), Some(column)) => format!(" (line {}, column {column})", line - self.lines_before),
            _ => String::new(),
        };
        let hint = hint.as_ref().map_or_else(String::new, |hint| format!("\nhint: {hint}"));
        format!("{code}: {own_name}{message}{place}{hint}")
    }
}

fn page(cases: &[Case]) -> String {
    let entries: Vec<Entry<'_>> = cases.iter().filter_map(Entry::of).collect();
    for Entry { name, correction, .. } in &entries {
        assert!(GROUPS.iter().any(|(group, ..)| *group == correction.group), "{name}: there is no such group");
    }
    let mut page = format!(
        "# Common mistakes\n\nThis page shows mistakes that authors of programs make, the error that each gives, and a corrected \
         program. It is generated\nfrom the cases in `spec/mistakes`, which the tests run: after a change, write it with\n\
         `{WRITE}=1 cargo test -p isobox-spec --test mistakes`. [Error codes](errors/README.md) explains the codes.\n\n\
         Every mistake has a stable anchor: the name of its case.\n"
    );
    let of = |group: &str| entries.iter().filter(move |entry| entry.correction.group == group).collect::<Vec<_>>();
    for (group, title, _) in GROUPS {
        page += &format!("\n**{title}**\n\n");
        for entry in of(group) {
            page += &format!("- [{}](#{})\n", entry.heading(), entry.name);
        }
    }
    for (group, title, about) in GROUPS {
        page += &format!("\n## {title}\n\n{about}\n");
        page.extend(of(group).iter().map(|entry| entry.text()));
    }
    page
}
