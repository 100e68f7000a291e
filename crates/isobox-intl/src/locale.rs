//! Language tags: canonical form, which locale of the data fits, and what it inherits from.

use std::collections::HashSet;
use std::sync::LazyLock;

use icu_locale::{LanguageIdentifier, Locale, LocaleCanonicalizer, LocaleExpander};

use crate::archive::common;
use crate::decimal::shown;
use crate::error::{Error, Result};

/// The locale that programs get who ask for none, or for one without data.
pub(crate) const DEFAULT: &str = "en-US";

const MAX_TAG: usize = 256;

/// Adds likely subtags, or takes them away. Its data is static, so making it costs nothing.
pub(crate) const fn expander() -> LocaleExpander {
    LocaleExpander::new_extended()
}

/// A locale of the data that was chosen for a request.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    /// The name without extensions.
    pub(crate) name: String,
    /// The locale of the data and its parents, nearest first.
    pub(crate) chain: Vec<String>,
    /// The Unicode extension of the request: keys and types.
    keywords: Vec<(String, String)>,
    /// The keywords that the result of `resolvedOptions` shows.
    shown: Vec<(String, String)>,
}

/// Parses a tag and gives it its canonical form.
pub(crate) fn parse(tag: &str) -> Result<Locale> {
    let invalid = || Error::range(format!("Incorrect locale information provided: {} is no language tag", shown(tag)));
    if tag.len() > MAX_TAG || tag.contains('_') {
        return Err(invalid());
    }
    let mut locale = Locale::try_from_str(tag).map_err(|_| invalid())?;
    if locale.id.language.is_unknown() && !tag.to_ascii_lowercase().starts_with("und") {
        return Err(invalid());
    }
    LocaleCanonicalizer::new_extended().canonicalize(&mut locale);
    Ok(locale)
}

/// Checks the tag of a locale whose texts are known. Returns it in its canonical form.
pub fn check_locale(tag: &str) -> std::result::Result<String, String> {
    let locale = parse(tag).map_err(|error| error.message)?;
    match best_available(&locale.id) {
        Some(_) => Ok(locale.to_string()),
        None => Err(format!("there are no texts for the locale {}", crate::decimal::shown(tag))),
    }
}

/// Finds the locale for a list of requests, which `parse` has accepted.
pub(crate) fn negotiate(requested: &[Locale]) -> Chosen {
    negotiate_among(requested, is_available)
}

/// Finds the locale for a list of requests among those that are known.
pub(crate) fn negotiate_among(requested: &[Locale], is_known: impl Fn(&str) -> bool) -> Chosen {
    for locale in requested {
        if let Some(name) = best_of(&locale.id, &is_known) {
            return Chosen { chain: chain(&name), name, keywords: keywords(locale), shown: Vec::new() };
        }
    }
    Chosen { name: DEFAULT.to_owned(), chain: chain(DEFAULT), keywords: Vec::new(), shown: Vec::new() }
}

/// Returns the longest beginning of a tag that is a locale of the data.
pub(crate) fn best_available(id: &LanguageIdentifier) -> Option<String> {
    best_of(id, is_available)
}

fn best_of(id: &LanguageIdentifier, is_known: impl Fn(&str) -> bool) -> Option<String> {
    let tag = id.to_string();
    let mut name = tag.as_str();
    loop {
        if is_known(name) {
            return Some(name.to_owned());
        }
        name = &name[..name.rfind('-')?];
    }
}

fn keywords(locale: &Locale) -> Vec<(String, String)> {
    locale.extensions.unicode.keywords.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

static AVAILABLE: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let listed = || common().get("locales").unwrap_or_default().split(' ').filter(|name| *name != "und");
    let mut names: HashSet<String> = listed().map(str::to_owned).collect();
    // "zh-TW" stands for "zh-Hant-TW".
    for name in listed() {
        let Ok(id) = LanguageIdentifier::try_from_str(name) else { continue };
        let (Some(script), Some(_)) = (id.script, id.region) else { continue };
        let mut short = id.clone();
        short.script = None;
        let mut likely = short.clone();
        expander().maximize(&mut likely);
        if likely.script == Some(script) {
            names.insert(short.to_string());
        }
    }
    names
});

/// Returns whether there is data for exactly this name.
pub(crate) fn is_available(name: &str) -> bool {
    AVAILABLE.contains(name)
}

/// Returns a locale of the data and everything that it inherits from, nearest first.
pub(crate) fn chain(name: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut current = with_unusual_script(name);
    while current != "und" && names.len() < 8 {
        let parent = match common().get(&format!("parent/{current}")) {
            Some(parent) => parent.to_owned(),
            None => current.rfind('-').map_or("und", |end| &current[..end]).to_owned(),
        };
        names.push(std::mem::replace(&mut current, parent));
    }
    names.push("und".to_owned());
    names
}

/// Adds the script that a region implies, where it is another than the language's own.
fn with_unusual_script(name: &str) -> String {
    let Ok(id) = LanguageIdentifier::try_from_str(name) else { return name.to_owned() };
    if id.script.is_some() || id.region.is_none() {
        return name.to_owned();
    }
    let (mut with_region, mut alone) = (id.clone(), id.clone());
    alone.region = None;
    expander().maximize(&mut with_region);
    expander().maximize(&mut alone);
    if with_region.script == alone.script { name.to_owned() } else { with_region.to_string() }
}

impl Chosen {
    /// Decides about a keyword: an option comes first, then the tag's extension, then the default.
    pub(crate) fn keyword(
        &mut self,
        key: &str,
        option: Option<&str>,
        is_supported: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let asked = self.keywords.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
        let asked = asked.map(|value| if value.is_empty() { "true".to_owned() } else { value });
        let asked = asked.filter(|value| is_supported(value));
        let option = option.filter(|value| is_supported(value)).map(str::to_owned);
        if let Some(value) = &asked
            && option.as_ref().is_none_or(|option| option == value)
        {
            let shown = if value == "true" { String::new() } else { value.clone() };
            self.shown.push((key.to_owned(), shown));
        }
        option.or(asked)
    }

    /// Drops a keyword from what is shown, because another option overrules it.
    pub(crate) fn hide(&mut self, key: &str) {
        self.shown.retain(|(name, _)| name != key);
    }

    /// Returns the tag that `resolvedOptions` shows.
    pub(crate) fn tag(&self) -> String {
        let mut shown = self.shown.clone();
        shown.sort();
        let mut tag = self.name.clone();
        for (at, (key, value)) in shown.iter().enumerate() {
            tag.push_str(if at == 0 { "-u-" } else { "-" });
            tag.push_str(key);
            if !value.is_empty() {
                tag.push('-');
                tag.push_str(value);
            }
        }
        tag
    }

    /// Returns the identifier with its likely script and region.
    pub(crate) fn likely(&self) -> LanguageIdentifier {
        let mut id = LanguageIdentifier::try_from_str(&self.name).unwrap_or(LanguageIdentifier::UNKNOWN);
        expander().maximize(&mut id);
        id
    }

    pub(crate) fn region(&self) -> String {
        // "en-001" and the like have data for their region, too.
        self.likely().region.map_or_else(|| "001".to_owned(), |region| region.to_string())
    }

    pub(crate) fn language(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(tag: &str) -> Chosen {
        negotiate(&[parse(tag).expect("a tag")])
    }

    #[test]
    fn the_nearest_locale_of_the_data_is_chosen() {
        assert_eq!(chosen("de-AT-1996").name, "de-AT");
        assert_eq!(chosen("de-XX").name, "de");
        assert_eq!(chosen("iw").name, "he");
        assert_eq!(chosen("zz").name, "en-US");
        assert_eq!(chosen("zh-TW").chain, ["zh-Hant-TW", "zh-Hant", "und"]);
        assert_eq!(chosen("en-AU").chain, ["en-AU", "en-001", "en", "und"]);
        assert_eq!(chosen("nb-NO").chain, ["nb", "no", "und"]);
        assert_eq!(chosen("hi-Latn-IN").chain[1..3], ["hi-Latn", "en-IN"]);
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        for tag in ["", "_", "en_US", "a", "en-", "x", "i-klingon", "123", "en-US-"] {
            assert!(parse(tag).is_err(), "{tag}");
        }
    }

    #[test]
    fn options_come_before_extensions() {
        let mut locale = chosen("de-u-nu-arab");
        assert_eq!(locale.keyword("nu", Some("latn"), |_| true).as_deref(), Some("latn"));
        assert_eq!(locale.tag(), "de");
        let mut locale = chosen("de-u-nu-arab");
        assert_eq!(locale.keyword("nu", None, |_| true).as_deref(), Some("arab"));
        assert_eq!(locale.tag(), "de-u-nu-arab");
    }
}
