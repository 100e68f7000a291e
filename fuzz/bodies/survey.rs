//! Whatever a program is, surveying it changes nothing about it, and what was seen is bounded and inside its text.

use std::borrow::Cow;

use isobox_core::Failure;
use isobox_core::program::{About, Preparation, Program, Rules, Stance, Surveyed, SyntaxRule};

pub(crate) fn fuzz(data: &[u8], survey: impl Fn(Preparation<'_>) -> Result<Surveyed, Failure>) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // The first line may name what the rules are about.
    let (head, source) = text.split_once('\n').unwrap_or(("", text));
    let rules = Rules::new(rules_of(head));
    let program = Program::single(source);
    let namespaces = ["github".to_owned(), "a".to_owned()];
    let surveying = Preparation {
        rules: Cow::Borrowed(&rules),
        namespaces: Some(Cow::Borrowed(&namespaces)),
        ..Preparation::new(&program)
    };
    let (plain, surveyed) = match (survey(Preparation::new(&program)), survey(surveying)) {
        (Ok(plain), Ok(surveyed)) => (plain, surveyed),
        (Err(plain), Err(surveyed)) => return assert_eq!(plain, surveyed),
        // Surveying takes more time, memory and stack than preparing.
        (Ok(_), Err(surveyed)) => return assert!(surveyed.details.contains_key("limit"), "{surveyed}"),
        (Err(plain), Ok(_)) => panic!("it is a program only if it is surveyed: {plain}"),
    };
    assert!(plain.survey.is_empty());
    assert_eq!(plain.program, surveyed.program);
    let survey = surveyed.survey;
    assert!(survey.calls.len() <= 256 && survey.violations.len() <= 100);
    let lines = u32::try_from(source.matches(['\n', '\r']).count() + 1).unwrap_or(u32::MAX);
    let places = survey.calls.iter().map(|call| &call.place);
    for place in places.chain(survey.violations.iter().map(|violation| &violation.place)) {
        assert!((1..=lines).contains(&place.line) && place.column >= 1, "{place:?}");
        assert_eq!(place.file, "main.ts");
    }
    assert!(survey.violations.iter().all(|violation| violation.rule < rules.list().len()));
    assert!(survey.calls.iter().flat_map(|call| &call.reads).all(|read| read.names.len() == read.places.len()));
}

/// Reads rules from a line such as `-globals:fetch,set* +syntax:if`.
fn rules_of(line: &str) -> Vec<SyntaxRule> {
    let rule = |word: &str| {
        let (head, names) = word.split_once(':')?;
        let (stance, about) = match head.split_at_checked(1)? {
            ("+", about) => (Stance::Allow, about),
            ("-", about) => (Stance::Deny, about),
            _ => return None,
        };
        let about = About::ALL.into_iter().find(|one| one.as_str() == about)?;
        let rule = SyntaxRule::new(stance, about, names.split(','));
        rule.check().is_ok().then_some(rule)
    };
    line.split(' ').take(Rules::MAXIMUM).filter_map(rule).collect()
}
