//! Writes the fields of a pattern.

use super::DateTimeFormat;
use super::civil::{Calendar, Fields};
use super::skeleton::Piece;
use super::zone::Width;
use crate::archive::common;
use crate::parts::Part;

const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

impl DateTimeFormat {
    pub(super) fn fields_of(&self, pattern: &[Piece], milliseconds: i64) -> Vec<Part> {
        let fields = Fields::new(milliseconds, self.zone.offset(milliseconds), self.calendar);
        pattern
            .iter()
            .map(|piece| match piece {
                Piece::Literal(text) => Part::literal(text),
                Piece::Field(letter, length) => self.field(*letter, *length, &fields, milliseconds),
            })
            .collect()
    }

    fn field(&self, letter: char, length: usize, fields: &Fields, milliseconds: i64) -> Part {
        let number = |value: i64, minimum: usize| self.symbols.integer(value, minimum);
        let width = |length: usize| if length >= 4 { Width::Long } else { Width::Short };
        match letter {
            'G' => Part::new("era", self.era(fields, length)),
            'y' | 'Y' | 'u' | 'r' => {
                let year = if length == 2 { number(fields.year % 100, 2) } else { number(fields.year, length) };
                Part::new("year", year)
            }
            'M' | 'L' => Part::new("month", self.month(letter, length, fields.month)),
            'd' => Part::new("day", number(fields.day, length)),
            'E' | 'c' | 'e' => Part::new("weekday", self.weekday(letter, length, fields.weekday)),
            'Q' | 'q' => Part::new("quarter", number((fields.month + 2) / 3, 1)),
            'a' | 'b' | 'B' => Part::new("dayPeriod", self.day_period(letter, length, fields)),
            'h' => Part::new("hour", number((fields.hour + 11) % 12 + 1, length)),
            'K' => Part::new("hour", number(fields.hour % 12, length)),
            'H' => Part::new("hour", number(fields.hour, length)),
            'k' => Part::new("hour", number((fields.hour + 23) % 24 + 1, length)),
            'm' => Part::new("minute", number(fields.minute, length)),
            's' => Part::new("second", number(fields.second, length)),
            'S' => {
                let divisor = match length {
                    1 => 100,
                    2 => 10,
                    _ => 1,
                };
                Part::new("fractionalSecond", number(fields.millisecond / divisor, length.min(3)))
            }
            'z' => Part::new(
                "timeZoneName",
                self.zone_names.specific(&self.zone, milliseconds, width(length), &self.symbols),
            ),
            'v' | 'V' => Part::new(
                "timeZoneName",
                self.zone_names.generic(&self.zone, milliseconds, width(length), &self.symbols),
            ),
            'O' | 'Z' => {
                let offset = self.zone.offset(milliseconds);
                Part::new("timeZoneName", self.zone_names.gmt(offset, width(length), &self.symbols))
            }
            _ => Part::literal(""),
        }
    }

    fn era(&self, fields: &Fields, length: usize) -> String {
        let width = match length {
            5 => "eraNarrow",
            4 => "eraNames",
            _ => "eraAbbr",
        };
        let (calendar, era) = match (self.calendar, fields.era) {
            (Calendar::Buddhist, _) => ("buddhist", 0),
            (Calendar::Persian, _) => ("persian", 0),
            (Calendar::Japanese, era) if era > 0 => ("japanese", era),
            (Calendar::Japanese, era) => ("gregorian", era + 2),
            (Calendar::Gregory, era) => ("gregorian", era),
        };
        self.dates.get(&format!("{calendar}/eras/{width}/{era}")).unwrap_or_default().to_owned()
    }

    fn month(&self, letter: char, length: usize, month: i64) -> String {
        let width = match length {
            1 | 2 => return self.symbols.integer(month, length),
            3 => "abbreviated",
            4 => "wide",
            _ => "narrow",
        };
        let context = if letter == 'L' { "stand-alone" } else { "format" };
        let calendar = if self.calendar == Calendar::Persian { "persian" } else { "gregorian" };
        self.dates.get(&format!("{calendar}/months/{context}/{width}/{month}")).unwrap_or_default().to_owned()
    }

    fn weekday(&self, letter: char, length: usize, weekday: usize) -> String {
        let width = match length {
            4 => "wide",
            5 => "narrow",
            6 => "short",
            _ => "abbreviated",
        };
        let context = if letter == 'c' { "stand-alone" } else { "format" };
        self.dates.get(&format!("gregorian/days/{context}/{width}/{}", DAYS[weekday])).unwrap_or_default().to_owned()
    }

    fn day_period(&self, letter: char, length: usize, fields: &Fields) -> String {
        let width = match length {
            5 => "narrow",
            4 => "wide",
            _ => "abbreviated",
        };
        let name = |period: &str| {
            let key = format!("gregorian/dayPeriods/format/{width}/{period}");
            self.dates.get(&key).map(str::to_owned)
        };
        let half = if fields.hour < 12 { "am" } else { "pm" };
        let half = || name(half).unwrap_or_default();
        let has = |wanted: char| {
            self.pattern.iter().any(|piece| matches!(piece, Piece::Field(letter, _) if *letter == wanted))
        };
        let is_full_hour = (!has('m') || fields.minute == 0) && (!has('s') || fields.second == 0);
        let rules = self.locale.chain.iter().map(String::as_str).chain([self.locale.language()]);
        let rules = rules.filter(|name| *name != "und").find_map(|name| common().get(&format!("periods/{name}")));
        let Some(rules) = rules.filter(|_| letter != 'a') else { return half() };
        let exact = match fields.hour {
            // `B` has no midnight, as in ICU: 12 in the morning.
            0 if is_full_hour && letter == 'b' => rule(rules, "midnight").and_then(|_| name("midnight")),
            12 if is_full_hour => rule(rules, "noon").and_then(|_| name("noon")),
            _ => None,
        };
        if let Some(exact) = exact {
            return exact;
        }
        if letter == 'b' {
            return half();
        }
        flexible(rules, fields.hour).and_then(name).unwrap_or_else(half)
    }
}

fn rule<'a>(rules: &'a str, wanted: &str) -> Option<&'a str> {
    rules.split(';').find(|rule| rule.split(' ').next() == Some(wanted))
}

/// Finds the part of the day that an hour belongs to.
fn flexible(rules: &str, hour: i64) -> Option<&str> {
    rules.split(';').find_map(|rule| {
        let mut words = rule.split(' ');
        let (name, from, before) = (words.next()?, words.next()?, words.next()?);
        let hour_of = |text: &str| text.get(..2)?.parse::<i64>().ok();
        let (from, before) = (hour_of(from)?, hour_of(before)?);
        let is_within = if from < before {
            (from..before).contains(&hour)
        } else {
            from != before && (hour >= from || hour < before)
        };
        is_within.then_some(name)
    })
}
