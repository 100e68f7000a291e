//! `rules`: what programs may be written with.

use isobox_core::program::{About, Rules, SYNTAX, Stance, SyntaxRule, WrongRule};
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section, Text, nearest};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys { known: &["allow", "deny", "names", "message"], tolerated: &[], later: &[] };

const ABOUT: [(&str, About); 4] = [
    (About::Globals.as_str(), About::Globals),
    (About::Members.as_str(), About::Members),
    (About::Syntax.as_str(), About::Syntax),
    (About::Imports.as_str(), About::Imports),
];

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> Rules {
    let Value::Array(array) = value else {
        reader.mismatch("", "rules", value, "a list of rules");
        return Rules::default();
    };
    if let Some(excess) = array.elements.get(Rules::MAXIMUM) {
        reader.problem(excess.start(), "`rules`", format!("there are more than {} rules", Rules::MAXIMUM));
    }
    let numbered = array.elements.iter().take(Rules::MAXIMUM).enumerate();
    Rules::new(numbered.filter_map(|(index, value)| rule(reader, index + 1, value)).collect())
}

fn rule<'d>(reader: &mut ConfigReader<'_>, number: usize, value: &'d Value<'d>) -> Option<SyntaxRule> {
    let section = reader.section(format!("rule {number} of `rules`"), value, &KEYS)?;
    let names = reader.texts(&section, "names");
    let message = reader.text(&section, "message");
    let stance = match (section.get("allow").is_some(), section.get("deny").is_some()) {
        (true, false) => ("allow", Stance::Allow),
        (false, true) => ("deny", Stance::Deny),
        _ => {
            let message = "a rule has either `allow` or `deny`, with what it is about: \"globals\", \"members\", \
                           \"syntax\" or \"imports\"";
            reader.problem(section.start, &section.owner, message);
            return None;
        }
    };
    let about = reader.choice(&section, stance.0, &ABOUT)?;
    let Some(names) = names else {
        if section.get("names").is_none() {
            reader.problem(section.start, &section.owner, "there is no `names`; list what the rule is about");
        }
        return None;
    };
    let rule = SyntaxRule::new(stance.1, about, names.iter().map(|name| name.value.clone()));
    let rule = match &message {
        Some(message) => rule.message(message.value.clone()),
        None => rule,
    };
    match rule.check() {
        Ok(()) => Some(rule),
        Err(wrong) => {
            report(reader, &section, &names, &wrong);
            None
        }
    }
}

fn report(reader: &mut ConfigReader<'_>, section: &Section<'_>, names: &[Text], wrong: &WrongRule) {
    let place = |index: usize| names.get(index).map_or(section.start, |name| name.start);
    let (start, advice) = match wrong {
        WrongRule::Empty | WrongRule::TooMany => {
            (section.get("names").map_or(section.start, Ranged::start), String::new())
        }
        WrongRule::Message => (section.get("message").map_or(section.start, Ranged::start), String::new()),
        WrongRule::Name(index) => (place(*index), String::new()),
        WrongRule::Syntax { index, name } => {
            let meant = nearest(name, SYNTAX).map(|meant| format!("; did you mean `{meant}`?"));
            (place(*index), meant.unwrap_or_else(|| format!("; known are {}", SYNTAX.join(", "))))
        }
    };
    reader.problem(start, &section.owner, format!("it {wrong}{advice}"));
}
