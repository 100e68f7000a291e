//! `Intl.Locale`, and the lists of what is supported.

use icu_locale::LanguageIdentifier;
use icu_locale::subtags::{Language, Region, Script};
use serde_json::{Map, Value, json};

use crate::archive::{Section, Topic, common};
use crate::collate::collations;
use crate::decimal::shown;
use crate::error::{Error, Result};
use crate::locale::{self, expander};
use crate::number::UNITS;
use crate::options::Options;

/// Makes the parts of an `Intl.Locale`: a tag with options that replace parts of it.
pub(crate) fn describe(options: &Options) -> Result<Value> {
    let mut tag =
        options.locales().first().cloned().ok_or_else(|| Error::type_error("Intl.Locale takes a language tag"))?;
    let invalid = |name: &str, value: &str| {
        Error::range(format!("Incorrect locale information provided: {name} {}", shown(value)))
    };
    if let Some(text) = options.text("language") {
        tag.id.language = Language::try_from_str(text).map_err(|_| invalid("language", text))?;
    }
    if let Some(text) = options.text("script") {
        tag.id.script = Some(Script::try_from_str(text).map_err(|_| invalid("script", text))?);
    }
    if let Some(text) = options.text("region") {
        tag.id.region = Some(Region::try_from_str(text).map_err(|_| invalid("region", text))?);
    }
    options.choice("hourCycle", &["h11", "h12", "h23", "h24"])?;
    options.choice("caseFirst", &["upper", "lower", "false"])?;
    let numeric = options.boolean("numeric").map(|value| if value { "true" } else { "false" }.to_owned());
    let wanted = [
        ("ca", options.keyword("calendar")?),
        ("co", options.keyword("collation")?),
        ("hc", options.text("hourCycle").map(str::to_owned)),
        ("kf", options.text("caseFirst").map(str::to_owned)),
        ("kn", numeric),
        ("nu", options.keyword("numberingSystem")?),
    ];
    for (key, value) in wanted {
        if let (Some(value), Ok(key)) = (value, key.parse()) {
            let value = value.parse().map_err(|_| invalid("the option", &value))?;
            tag.extensions.unicode.keywords.set(key, value);
        }
    }
    let tag = locale::parse(&tag.to_string())?;
    let mut shown = Map::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            shown.insert(name.to_owned(), json!(value));
        }
    };
    put("tag", Some(tag.to_string()));
    put("baseName", Some(tag.id.to_string()));
    put("language", Some(tag.id.language.to_string()));
    put("script", tag.id.script.map(|script| script.to_string()));
    put("region", tag.id.region.map(|region| region.to_string()));
    for (name, key) in [
        ("calendar", "ca"),
        ("collation", "co"),
        ("hourCycle", "hc"),
        ("caseFirst", "kf"),
        ("numeric", "kn"),
        ("numberingSystem", "nu"),
    ] {
        let value = key.parse().ok().and_then(|key| tag.extensions.unicode.keywords.get(&key));
        put(name, value.map(|value| value.to_string()));
    }
    Ok(Value::Object(shown))
}

/// Adds or removes likely subtags.
pub(crate) fn likely(options: &Options, is_maximal: bool) -> Result<Value> {
    let mut tag = options.locales().first().cloned().ok_or_else(|| Error::type_error("there is no locale"))?;
    if is_maximal {
        expander().maximize(&mut tag.id);
    } else {
        expander().minimize(&mut tag.id);
    }
    Ok(json!(tag.to_string()))
}

/// Returns what is usual in a locale: calendars, hours, weeks, the direction of its script.
pub(crate) fn customs(options: &Options) -> Result<Value> {
    let tag = options.locales().first().ok_or_else(|| Error::type_error("there is no locale"))?;
    let mut id: LanguageIdentifier = tag.id.clone();
    expander().maximize(&mut id);
    let region = id.region.map_or_else(|| "001".to_owned(), |region| region.to_string());
    let script = id.script.map_or_else(String::new, |script| script.to_string());
    let language = id.language.to_string();
    let get = |kind: &str| common().get(&format!("{kind}/{region}")).or_else(|| common().get(&format!("{kind}/001")));
    let calendars: Vec<String> = get("calendars")
        .unwrap_or("gregorian")
        .split(' ')
        .map(|name| if name == "gregorian" { "gregory".to_owned() } else { name.to_owned() })
        .collect();
    let hours = common().get(&format!("allowed/{language}-{region}")).or_else(|| get("allowed")).unwrap_or("H");
    let mut cycles: Vec<&str> = Vec::new();
    for word in hours.split(' ') {
        let cycle = match word.chars().next() {
            Some('h') => "h12",
            Some('K') => "h11",
            Some('k') => "h24",
            _ => "h23",
        };
        if !cycles.contains(&cycle) {
            cycles.push(cycle);
        }
    }
    const RIGHT_TO_LEFT: [&str; 12] =
        ["Adlm", "Arab", "Aran", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"];
    let zones: Vec<&str> =
        common().under("region/").into_iter().filter(|(_, of)| *of == region).map(|(zone, _)| zone).collect();
    let name = locale::best_available(&tag.id).unwrap_or_else(|| locale::DEFAULT.to_owned());
    let numbers = Section::load(Topic::Numbers, &locale::chain(&name));
    let day = |kind: &str| {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
        let name = get(&format!("week/{kind}")).unwrap_or("mon");
        names.iter().position(|known| *known == name).unwrap_or(0) + 1
    };
    let (start, end) = (day("weekendStart"), day("weekendEnd"));
    let weekend: Vec<usize> = (0..7).map(|by| (start - 1 + by) % 7 + 1).take((end + 7 - start) % 7 + 1).collect();
    Ok(json!({
        "calendars": calendars,
        "collations": collations(&language),
        "hourCycles": cycles,
        "numberingSystems": [numbers.get("default").unwrap_or("latn")],
        "timeZones": tag.id.region.map(|_| zones),
        "textInfo": { "direction": if RIGHT_TO_LEFT.contains(&script.as_str()) { "rtl" } else { "ltr" } },
        "weekInfo": { "firstDay": day("firstDay"), "weekend": weekend },
    }))
}

/// Returns every value that an option may have.
pub(crate) fn supported_values(kind: &str) -> Result<Value> {
    let keys =
        |prefix: &str| -> Vec<String> { common().under(prefix).into_iter().map(|(key, _)| key.to_owned()).collect() };
    let mut values: Vec<String> = match kind {
        "calendar" => ["buddhist", "gregory", "japanese", "persian"].map(str::to_owned).to_vec(),
        "collation" => {
            ["compat", "dict", "emoji", "eor", "phonebk", "phonetic", "pinyin", "stroke", "trad", "unihan", "zhuyin"]
                .map(str::to_owned)
                .to_vec()
        }
        "currency" => {
            let names = Section::load(Topic::Currencies, &locale::chain("en"));
            names.under("").into_iter().filter_map(|(key, _)| key.strip_suffix("/name")).map(str::to_owned).collect()
        }
        "numberingSystem" => keys("digits/"),
        "timeZone" => {
            let zones = common().under("zone/");
            let canonical = zones.into_iter().filter_map(|(_, row)| row.split(' ').next());
            canonical
                .filter(|name| !matches!(*name, "Etc/UTC" | "Etc/GMT" | "Etc/Unknown"))
                .map(str::to_owned)
                .chain(["UTC".to_owned()])
                .collect()
        }
        "unit" => UNITS.map(str::to_owned).to_vec(),
        _ => return Err(Error::range(format!("Invalid key : {}", shown(kind)))),
    };
    values.sort();
    values.dedup();
    Ok(json!(values))
}
