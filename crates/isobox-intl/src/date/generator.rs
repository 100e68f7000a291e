//! Finds the pattern of a locale that fits the fields that are asked for, and adjusts it.

use super::skeleton::{DATE_MASK, Distance, FIELDS, Piece, Skeleton, TIME_MASK, field, pattern_of, pieces, row_of};
use crate::archive::Section;

/// The patterns of one locale and calendar.
pub(super) struct Generator {
    entries: Vec<Entry>,
    append: [String; FIELDS],
    names: [String; FIELDS],
    glue: [String; 4],
    decimal: String,
    default_hour: char,
}

struct Entry {
    skeleton: Skeleton,
    pattern: String,
    /// Whether the data names the skeleton; otherwise it is that of the pattern.
    is_named: bool,
}

const STYLES: [&str; 4] = ["full", "long", "medium", "short"];

impl Generator {
    pub(super) fn load(dates: &Section, fields: &Section, calendar: &str, decimal: &str, default_hour: char) -> Self {
        let mut generator = Self {
            entries: Vec::new(),
            append: Default::default(),
            names: Default::default(),
            glue: Default::default(),
            decimal: decimal.to_owned(),
            default_hour,
        };
        for letter in "GyQMwWEdDFaHmsSv".chars() {
            generator.add(&letter.to_string(), None);
        }
        for style in STYLES {
            for kind in ["dateFormats", "timeFormats"] {
                if let Some(pattern) = style_pattern(dates, calendar, kind, style) {
                    generator.add(pattern, None);
                }
            }
        }
        for (skeleton, pattern) in dates.under(&format!("{calendar}/dateTimeFormats/availableFormats/")) {
            generator.add(pattern, Some(skeleton));
        }
        generator.entries.sort_by_key(|entry| {
            let first = entry.skeleton.base().chars().next().unwrap_or('z');
            (first.is_ascii_lowercase(), first)
        });
        const APPEND: [&str; FIELDS] = [
            "Era",
            "Year",
            "Quarter",
            "Month",
            "Week",
            "",
            "Day-Of-Week",
            "",
            "",
            "Day",
            "",
            "Hour",
            "Minute",
            "Second",
            "",
            "Timezone",
        ];
        const NAMES: [&str; FIELDS] = [
            "era",
            "year",
            "quarter",
            "month",
            "week",
            "weekOfMonth",
            "weekday",
            "dayOfYear",
            "weekdayOfMonth",
            "day",
            "dayperiod",
            "hour",
            "minute",
            "second",
            "",
            "zone",
        ];
        for at in 0..FIELDS {
            let key = format!("{calendar}/dateTimeFormats/appendItems/{}", APPEND[at]);
            generator.append[at] = dates.get(&key).unwrap_or("{0} ├{2}: {1}┤").to_owned();
            let name = fields.get(&format!("{}/displayName", NAMES[at]));
            generator.names[at] = name.map_or_else(|| format!("F{at}"), str::to_owned);
        }
        for (at, style) in STYLES.iter().enumerate() {
            generator.glue[at] = glue(dates, style);
        }
        generator
    }

    fn add(&mut self, pattern: &str, named: Option<&str>) {
        let skeleton = Skeleton::parse(named.unwrap_or(pattern));
        let entry = Entry { skeleton, pattern: pattern.to_owned(), is_named: named.is_some() };
        if let Some(same) = self.entries.iter_mut().find(|other| other.skeleton.text() == entry.skeleton.text()) {
            if named.is_some() && !same.is_named {
                *same = entry;
            }
            return;
        }
        let base = entry.skeleton.base();
        if named.is_none() && self.entries.iter().any(|other| !other.is_named && other.skeleton.base() == base) {
            return;
        }
        self.entries.push(entry);
    }

    pub(super) fn glue(&self, style: &str) -> &str {
        let at = STYLES.iter().position(|known| *known == style).unwrap_or(3);
        &self.glue[at]
    }

    /// Returns the pattern for a skeleton.
    pub(super) fn best(&self, skeleton: &str, hour: HourLength) -> String {
        let wanted = Wanted { skeleton: Skeleton::parse(skeleton), hour };
        let (entry, distance) = self.nearest(&wanted.skeleton, u32::MAX);
        if distance.missing == 0 && distance.extra == 0 {
            return self.adjust(&wanted, &entry.pattern, entry, Fraction::Keep);
        }
        let mask = wanted.skeleton.mask();
        let date = self.appended(&wanted, mask & DATE_MASK);
        let time = self.appended(&wanted, mask & TIME_MASK);
        if date.is_empty() || time.is_empty() {
            return if date.is_empty() { time } else { date };
        }
        let style = match wanted.skeleton.base_length(field::MONTH) {
            4 if wanted.skeleton.base_length(field::WEEKDAY) > 0 => 0,
            4 => 1,
            3 => 2,
            _ => 3,
        };
        self.glue[style].replace("{1}", &date).replace("{0}", &time)
    }

    fn nearest(&self, wanted: &Skeleton, mask: u32) -> (&Entry, Distance) {
        let mut best: Option<(&Entry, Distance)> = None;
        for entry in &self.entries {
            let distance = wanted.distance(&entry.skeleton, mask);
            let is_better = best.as_ref().is_none_or(|(_, other)| {
                distance.value < other.value || (distance.value == other.value && other.missing < distance.missing)
            });
            if is_better {
                best = Some((entry, distance));
            }
        }
        best.expect("every locale has the patterns of single fields")
    }

    /// Finds the best pattern for some of the fields, and appends those that it lacks.
    fn appended(&self, wanted: &Wanted, mask: u32) -> String {
        if mask == 0 {
            return String::new();
        }
        const FRACTION: u32 = 1 << field::FRACTION;
        const BOTH: u32 = FRACTION | 1 << field::SECOND;
        let (mut entry, mut distance) = self.nearest(&wanted.skeleton, mask);
        let mut result = self.adjust(wanted, &entry.pattern, entry, Fraction::Keep);
        let mut last = 0;
        while distance.missing != 0 && distance.missing != last {
            if distance.missing & BOTH == FRACTION && mask & BOTH == BOTH {
                result = self.adjust(wanted, &result, entry, Fraction::Append);
                distance.missing &= !FRACTION;
                continue;
            }
            let before = distance.missing;
            last = before;
            (entry, distance) = self.nearest(&wanted.skeleton, before);
            let next = self.adjust(wanted, &entry.pattern, entry, Fraction::Keep);
            let found = before & !distance.missing;
            let top = (0..FIELDS).rev().find(|at| found & (1 << at) != 0).unwrap_or(0);
            let name = format!("'{}'", self.names[top]);
            result = self.append[top].replace("{0}", &result).replace("{1}", &next).replace("{2}", &name);
        }
        result
    }

    /// Changes the lengths of the fields to those that are asked for.
    fn adjust(&self, wanted: &Wanted, pattern: &str, entry: &Entry, fraction: Fraction) -> String {
        let Wanted { skeleton: wanted, hour } = wanted;
        let mut adjusted = Vec::new();
        for piece in pieces(pattern) {
            let Piece::Field(letter, length) = piece else {
                adjusted.push(piece);
                continue;
            };
            let Some(row) = row_of(letter, length) else {
                adjusted.push(piece);
                continue;
            };
            if fraction == Fraction::Append && row.field == field::SECOND {
                adjusted.push(piece);
                adjusted.push(Piece::Literal(self.decimal.clone()));
                if let Some((letter, length)) = wanted.original[field::FRACTION] {
                    adjusted.push(Piece::Field(letter, length));
                }
                continue;
            }
            let Some((asked, asked_length)) = wanted.original[row.field].filter(|_| wanted.kinds[row.field] != 0)
            else {
                adjusted.push(piece);
                continue;
            };
            let asked_length = if asked == 'E' && asked_length < 3 { 3 } else { asked_length };
            let mut new_length = asked_length;
            let keeps_hour = row.field == field::HOUR && *hour == HourLength::OfLocale;
            if matches!(row.field, field::MINUTE | field::SECOND) || keeps_hour {
                new_length = length;
            } else if entry.is_named && !matches!(asked, 'c' | 'e') {
                let named_length = entry.skeleton.original[row.field].map_or(0, |(_, length)| length);
                let (is_numeric, wants_numeric) = (row.kind > 0, wanted.kinds[row.field] > 0);
                if named_length == asked_length || is_numeric != wants_numeric {
                    new_length = length;
                }
            }
            let keeps_letter = matches!(row.field, field::HOUR | field::MONTH | field::WEEKDAY)
                || (row.field == field::YEAR && asked != 'Y');
            let mut new_letter = if keeps_letter { letter } else { asked };
            if new_letter == 'E' && new_length < 3 {
                new_letter = 'e';
            }
            if row.field == field::HOUR {
                new_letter = match (asked, self.default_hour) {
                    (asked, default) if asked == default => default,
                    ('h', 'K') => 'K',
                    ('H', 'k') => 'k',
                    ('k', 'H') => 'H',
                    ('K', 'h') => 'h',
                    _ => new_letter,
                };
            }
            adjusted.push(Piece::Field(new_letter, new_length));
        }
        pattern_of(&adjusted)
    }
}

/// The fields that are asked for.
struct Wanted {
    skeleton: Skeleton,
    hour: HourLength,
}

/// The number of digits of hours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HourLength {
    /// As many as the skeleton asks for.
    Asked,
    /// As many as the pattern of the locale has.
    OfLocale,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fraction {
    Keep,
    /// Fractions of seconds follow the seconds.
    Append,
}

/// Returns the pattern of `dateStyle` or `timeStyle`.
pub(super) fn style_pattern<'a>(dates: &'a Section, calendar: &str, kind: &str, style: &str) -> Option<&'a str> {
    // Times do not depend on the calendar.
    let calendar = if kind == "timeFormats" { "gregorian" } else { calendar };
    dates.get(&format!("{calendar}/{kind}/{style}"))
}

/// Returns the pattern that joins a date and a time. It does not depend on the calendar.
fn glue(dates: &Section, style: &str) -> String {
    let at_time = dates.get(&format!("gregorian/dateTimeFormats-atTime/standard/{style}"));
    let plain = || dates.get(&format!("gregorian/dateTimeFormats/{style}"));
    at_time.or_else(plain).unwrap_or("{1} {0}").to_owned()
}

/// Returns the skeleton of a pattern.
pub(super) fn skeleton_of(pattern: &str) -> String {
    let letters = pieces(pattern).into_iter().filter(|piece| matches!(piece, Piece::Field(..)));
    pattern_of(&letters.collect::<Vec<_>>())
}
