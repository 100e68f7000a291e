//! `Intl.DateTimeFormat`.

mod civil;
mod days;
mod fields;
mod generator;
mod range;
mod skeleton;
mod zone;

use serde_json::{Map, Value, json};

use crate::archive::{Section, Topic, common};
use crate::error::{Error, Result};
use crate::locale::Chosen;
use crate::number::{Symbols, Use, default_system, is_numbering_system};
use crate::options::Options;
use crate::parts::{Part, text_of, tidy};

use civil::Calendar;
use generator::{Generator, HourLength, skeleton_of, style_pattern};
use skeleton::{Piece, pattern_of, pieces};
pub use zone::check_zone;
use zone::{Zone, ZoneNames};
pub(crate) use zone::{offset, offset_of_local};

/// Formats instants in one locale and time zone with one set of options.
pub(crate) struct DateTimeFormat {
    locale: Chosen,
    dates: Section,
    zone_names: ZoneNames,
    symbols: Symbols,
    calendar: Calendar,
    zone: Zone,
    generator: Generator,
    pattern: Vec<Piece>,
    date_style: Option<&'static str>,
    time_style: Option<&'static str>,
}

const TEXTS: [&str; 3] = ["narrow", "short", "long"];
const NUMERIC: [&str; 2] = ["2-digit", "numeric"];
const MONTHS: [&str; 5] = ["2-digit", "numeric", "narrow", "short", "long"];
const ZONE_NAMES: [&str; 6] = ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"];
const STYLES: [&str; 4] = ["full", "long", "medium", "short"];
const CYCLES: [&str; 4] = ["h11", "h12", "h23", "h24"];

impl DateTimeFormat {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        options.check_matcher()?;
        let mut locale = options.negotiate();
        let numbers = Section::load(Topic::Numbers, &locale.chain);
        let calendar = read_calendar(options, &mut locale)?;
        let system = options.keyword("numberingSystem")?;
        if let Some(system) = system.as_deref().filter(|name| !is_numbering_system(name)) {
            return Err(Error::range(format!("the numbering system {system} is not supported")));
        }
        let system = locale.keyword("nu", system.as_deref(), is_numbering_system);
        let symbols = Symbols::load(&numbers, &system.unwrap_or_else(|| default_system(&numbers)), Use::Plain);

        let default_hour = default_hour(&locale);
        let hour12 = options.boolean("hour12");
        let cycle = options.choice("hourCycle", &CYCLES)?;
        let is_cycle = |name: &str| CYCLES.contains(&name);
        let cycle = locale.keyword("hc", cycle.filter(|_| hour12.is_none()), is_cycle);
        let hour = match (hour12, cycle.as_deref()) {
            (Some(is_twelve), _) => {
                locale.hide("hc");
                hour_of_twelve(is_twelve, default_hour, &locale)
            }
            (None, Some("h11")) => 'K',
            (None, Some("h12")) => 'h',
            (None, Some("h23")) => 'H',
            (None, Some("h24")) => 'k',
            (None, _) => default_hour,
        };
        let zone = Zone::parse(options.text("timeZone").unwrap_or(DEFAULT_ZONE))?;

        let dates = Section::load(Topic::Dates, &locale.chain);
        let data_calendar = data_calendar(&dates, calendar);
        let fields = Section::load(Topic::Fields, &locale.chain);
        let generator = Generator::load(&dates, &fields, data_calendar, &symbols.decimal, default_hour);
        let skeleton = read_components(options, hour)?;
        options.choice("formatMatcher", &["basic", "best fit"])?;
        let date_style = options.choice("dateStyle", &STYLES)?;
        let time_style = options.choice("timeStyle", &STYLES)?;
        check_styles(options, &skeleton, date_style, time_style)?;
        let pattern = if date_style.is_some() || time_style.is_some() {
            let pattern = style(&dates, data_calendar, &generator, date_style, time_style);
            if time_style.is_some() { with_hour(&pattern, hour, &generator) } else { pattern }
        } else {
            replace_hour(&generator.best(&skeleton.text, HourLength::Asked), hour)
        };
        let zone_names = ZoneNames::load(&locale.chain, &locale.region());
        let pattern = pieces(&pattern);
        Ok(Self { locale, dates, zone_names, symbols, calendar, zone, generator, pattern, date_style, time_style })
    }

    pub(crate) fn format(&self, milliseconds: i64) -> String {
        // Node shows a plain space where CLDR has a narrow one, because programs expect it; but not in parts and ranges.
        text_of(&self.format_to_parts(milliseconds)).replace('\u{202f}', " ")
    }

    pub(crate) fn format_to_parts(&self, milliseconds: i64) -> Vec<Part> {
        tidy(self.fields_of(&self.pattern, milliseconds))
    }

    pub(crate) fn format_range(&self, start: i64, end: i64) -> Vec<Part> {
        range::format(self, start, end)
    }

    pub(crate) fn resolved(&self) -> Value {
        let mut shown = Map::new();
        let mut put = |name: &str, value: Value| shown.insert(name.to_owned(), value);
        put("locale", json!(self.locale.tag()));
        put("calendar", json!(self.calendar.name()));
        put("numberingSystem", json!(self.symbols.system));
        put("timeZone", json!(self.zone.shown()));
        let has = |letter: char| {
            self.pattern.iter().find_map(|piece| match piece {
                Piece::Field(found, length) if *found == letter => Some(*length),
                _ => None,
            })
        };
        for (letter, cycle, is_twelve) in
            [('K', "h11", true), ('h', "h12", true), ('H', "h23", false), ('k', "h24", false)]
        {
            if has(letter).is_some() && (self.date_style.is_none() || self.time_style.is_some()) {
                put("hourCycle", json!(cycle));
                put("hour12", json!(is_twelve));
                break;
            }
        }
        if self.date_style.is_none() && self.time_style.is_none() {
            let width = |length: usize| match length {
                5 => "narrow",
                4 => "long",
                3 => "short",
                2 => "2-digit",
                _ => "numeric",
            };
            let text = |length: usize| if length < 3 { "short" } else { width(length) };
            let mut first = |name: &str, letters: &str, width: &dyn Fn(usize) -> &'static str| {
                if let Some(length) = letters.chars().find_map(has) {
                    put(name, json!(width(length)));
                }
            };
            first("weekday", "Ec", &text);
            first("era", "G", &text);
            first("year", "y", &|length| if length == 2 { "2-digit" } else { "numeric" });
            first("month", "ML", &width);
            first("day", "d", &width);
            first("dayPeriod", "Bb", &text);
            first("hour", "HhkK", &width);
            first("minute", "m", &width);
            first("second", "s", &width);
            if let Some(digits) = has('S') {
                put("fractionalSecondDigits", json!(digits));
            }
            for (letter, long, short) in
                [('z', "long", "short"), ('O', "longOffset", "shortOffset"), ('v', "longGeneric", "shortGeneric")]
            {
                if let Some(length) = has(letter) {
                    put("timeZoneName", json!(if length == 4 { long } else { short }));
                }
            }
        }
        if let Some(style) = self.date_style {
            put("dateStyle", json!(style));
        }
        if let Some(style) = self.time_style {
            put("timeStyle", json!(style));
        }
        Value::Object(shown)
    }
}

/// The time zone of programs that name none.
const DEFAULT_ZONE: &str = "UTC";

fn read_calendar(options: &Options, locale: &mut Chosen) -> Result<Calendar> {
    let option = options.keyword("calendar")?;
    let asked = locale.keyword("ca", option.as_deref(), |_| true);
    let preferred = || {
        let region = locale.region();
        let names = common().get(&format!("calendars/{region}")).unwrap_or("gregorian");
        names.split(' ').next().unwrap_or("gregorian").to_owned()
    };
    let name = asked.unwrap_or_else(preferred);
    Calendar::named(&name).ok_or_else(|| {
        Error::range(format!(
            "the calendar {name} is not supported: pass {{ calendar: \"gregory\" }}, \"buddhist\", \"japanese\" or \"persian\""
        ))
    })
}

fn data_calendar(dates: &Section, calendar: Calendar) -> &'static str {
    let own = match calendar {
        Calendar::Gregory => return "gregorian",
        Calendar::Buddhist => "buddhist",
        Calendar::Japanese => "japanese",
        Calendar::Persian => "persian",
    };
    if dates.get(&format!("{own}/dateFormats/full")).is_some() { own } else { "generic" }
}

/// Returns the letter of the hours that the locale prefers.
fn default_hour(locale: &Chosen) -> char {
    let region = locale.region();
    let preferred = common()
        .get(&format!("hours/{}-{region}", locale.language()))
        .or_else(|| common().get(&format!("hours/{region}")))
        .or_else(|| common().get("hours/001"));
    preferred.and_then(|text| text.chars().next()).unwrap_or('H')
}

fn hour_of_twelve(is_twelve: bool, default: char, locale: &Chosen) -> char {
    let is_japan = locale.region() == "JP";
    match (is_twelve, default) {
        (true, 'h' | 'K') | (false, 'H' | 'k') => default,
        (true, _) if is_japan => 'K',
        (true, _) => 'h',
        (false, _) => 'H',
    }
}

/// The fields that are asked for, as a skeleton.
struct Components {
    text: String,
    /// The options that were given, without defaults.
    explicit: Vec<&'static str>,
}

fn read_components(options: &Options, hour: char) -> Result<Components> {
    let mut components = Components { text: String::new(), explicit: Vec::new() };
    let mut put = |name: &'static str, letter: char, value: Option<&str>| {
        let Some(value) = value else { return };
        let length = match (letter, value) {
            (_, "numeric") => 1,
            (_, "2-digit") => 2,
            (_, "narrow") => 5,
            (_, "long") => 4,
            ('B', _) => 1,
            _ => 3,
        };
        components.text.extend(std::iter::repeat_n(letter, length));
        components.explicit.push(name);
    };
    put("weekday", 'E', options.choice("weekday", &TEXTS)?);
    put("era", 'G', options.choice("era", &TEXTS)?);
    put("year", 'y', options.choice("year", &NUMERIC)?);
    put("month", 'M', options.choice("month", &MONTHS)?);
    put("day", 'd', options.choice("day", &NUMERIC)?);
    put("dayPeriod", 'B', options.choice("dayPeriod", &TEXTS)?);
    put("hour", hour, options.choice("hour", &NUMERIC)?);
    put("minute", 'm', options.choice("minute", &NUMERIC)?);
    put("second", 's', options.choice("second", &NUMERIC)?);
    if let Some(digits) = options.number("fractionalSecondDigits", 1, 3)? {
        components.text.extend(std::iter::repeat_n('S', digits.unsigned_abs() as usize));
        components.explicit.push("fractionalSecondDigits");
    }
    if let Some(name) = options.choice("timeZoneName", &ZONE_NAMES)? {
        components.text.push_str(match name {
            "short" => "z",
            "long" => "zzzz",
            "shortOffset" => "O",
            "longOffset" => "OOOO",
            "shortGeneric" => "v",
            _ => "vvvv",
        });
        components.explicit.push("timeZoneName");
    }
    let has = |names: &[&str]| names.iter().any(|name| components.explicit.contains(name));
    let required = options.choice_or("required", &["any", "date", "time"], "any")?;
    let defaults = options.choice_or("defaults", &["date", "time", "all"], "date")?;
    let has_date = has(&["weekday", "year", "month", "day"]);
    let has_time = has(&["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"]);
    let has_style = options.text("dateStyle").is_some() || options.text("timeStyle").is_some();
    let is_enough = match required {
        "date" => has_date,
        "time" => has_time,
        _ => has_date || has_time,
    };
    if !is_enough && !has_style {
        if defaults != "time" {
            components.text.push_str("yMd");
        }
        if defaults != "date" {
            components.text.push(hour);
            components.text.push_str("ms");
        }
    }
    Ok(components)
}

fn check_styles(
    options: &Options,
    components: &Components,
    date_style: Option<&str>,
    time_style: Option<&str>,
) -> Result<()> {
    let style = match (date_style, time_style) {
        (Some(_), _) => "dateStyle",
        (None, Some(_)) => "timeStyle",
        (None, None) => return Ok(()),
    };
    if let Some(name) = components.explicit.first() {
        return Err(Error::type_error(format!("Can't set option {name} when {style} is used")));
    }
    let required = options.text("required").unwrap_or("any");
    if (required == "date" && time_style.is_some()) || (required == "time" && date_style.is_some()) {
        let name = if required == "date" { "timeStyle" } else { "dateStyle" };
        return Err(Error::type_error(format!("Invalid option : {name}")));
    }
    Ok(())
}

fn style(
    dates: &Section,
    calendar: &str,
    generator: &Generator,
    date_style: Option<&str>,
    time_style: Option<&str>,
) -> String {
    let get = |kind: &str, style: &str| style_pattern(dates, calendar, kind, style).unwrap_or_default().to_owned();
    match (date_style, time_style) {
        (Some(date), Some(time)) => {
            generator.glue(date).replace("{1}", &get("dateFormats", date)).replace("{0}", &get("timeFormats", time))
        }
        (Some(date), None) => get("dateFormats", date),
        (None, time) => get("timeFormats", time.unwrap_or("short")),
    }
}

const HOURS: [char; 4] = ['K', 'h', 'H', 'k'];

/// Changes a pattern so that its hours are counted in another way.
fn with_hour(pattern: &str, hour: char, generator: &Generator) -> String {
    let has_hour = pieces(pattern).iter().any(|piece| matches!(piece, Piece::Field(letter, _) if *letter == hour));
    if has_hour {
        return pattern.to_owned();
    }
    let skeleton: String = skeleton_of(pattern)
        .chars()
        .filter(|letter| !matches!(letter, 'a' | 'b' | 'B'))
        .map(|letter| if HOURS.contains(&letter) { hour } else { letter })
        .collect();
    replace_hour(&generator.best(&skeleton, HourLength::Asked), hour)
}

fn replace_hour(pattern: &str, hour: char) -> String {
    let mut replaced = Vec::new();
    for piece in pieces(pattern) {
        match piece {
            Piece::Field(letter, length) if HOURS.contains(&letter) => {
                if matches!(replaced.last(), Some(Piece::Field('d', _))) {
                    replaced.push(Piece::Literal(" ".to_owned()));
                }
                replaced.push(Piece::Field(hour, length));
            }
            other => replaced.push(other),
        }
    }
    pattern_of(&replaced)
}
