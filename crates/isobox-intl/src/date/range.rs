//! Ranges of dates: what both ends share is written once.

use super::DateTimeFormat;
use super::civil::{Calendar, Fields};
use super::generator::HourLength;
use super::skeleton::{Piece, pieces};
use crate::parts::{Part, tidy};

pub(super) fn format(format: &DateTimeFormat, start: i64, end: i64) -> Vec<Part> {
    let (first, second) = (fields(format, start), fields(format, end));
    let Some(letter) = largest_difference(format, &first, &second) else {
        return noted(format.format_to_parts(start), "shared");
    };
    tidy(interval(format, letter, start, end))
}

fn fields(format: &DateTimeFormat, milliseconds: i64) -> Fields {
    Fields::new(milliseconds, format.zone.offset(milliseconds), format.calendar)
}

/// The fields of a skeleton: each letter, and how often it is repeated.
type Letters = Vec<(char, usize)>;

/// Returns the letter of the largest field in which two dates differ; `None` where the pattern shows no difference.
fn largest_difference(format: &DateTimeFormat, first: &Fields, second: &Fields) -> Option<char> {
    let is_afternoon = |fields: &Fields| i64::from(fields.hour >= 12);
    let levels = [
        ('G', first.era, second.era),
        ('y', first.year, second.year),
        ('M', first.month, second.month),
        ('d', first.day, second.day),
        ('a', is_afternoon(first), is_afternoon(second)),
        ('h', first.hour, second.hour),
        ('m', first.minute, second.minute),
        ('s', first.second, second.second),
        ('S', first.millisecond, second.millisecond),
    ];
    let at = levels.iter().position(|(_, first, second)| first != second)?;
    let level = |letter: char| match letter {
        'G' => 0,
        'y' => 1,
        'M' | 'L' => 2,
        'd' | 'E' | 'c' => 3,
        'a' | 'b' | 'B' => 4,
        'h' | 'H' | 'K' | 'k' => 5,
        'm' => 6,
        's' => 7,
        'S' => 8,
        _ => 0,
    };
    let smallest = format.pattern.iter().filter_map(|piece| match piece {
        Piece::Field(letter, _) => Some(level(*letter)),
        Piece::Literal(_) => None,
    });
    (at <= smallest.max().unwrap_or(0)).then_some(levels[at].0)
}

fn is_date(letter: char) -> bool {
    matches!(letter, 'G' | 'y' | 'M' | 'L' | 'd' | 'E' | 'c')
}

/// Uses the pattern that the data has for intervals, where it has one.
fn interval(format: &DateTimeFormat, letter: char, start: i64, end: i64) -> Vec<Part> {
    let all: Vec<(char, usize)> = format
        .pattern
        .iter()
        .filter_map(|piece| match piece {
            Piece::Field(letter, length) => Some((normal(*letter), *length)),
            Piece::Literal(_) => None,
        })
        .collect();
    let zone = |letter: char| matches!(letter, 'z' | 'v' | 'O');
    let dates: Vec<_> = all.iter().copied().filter(|(letter, _)| is_date(*letter)).map(plain_length).collect();
    let times = all.iter().copied().filter(|(letter, _)| !is_date(*letter) && *letter != 'O');
    let times: Vec<_> = times.map(|(letter, length)| (letter, if zone(letter) { 1 } else { length })).collect();
    let has_time = times.iter().any(|(letter, _)| !zone(*letter));
    if !has_time || (dates.is_empty() && !is_date(letter)) {
        let wanted = if has_time { &times } else { &dates };
        return match interval_pattern(format, letter, wanted) {
            Some(pattern) => write_interval(format, &pattern, start, end),
            None => fallback(format, &format.pattern, start, end),
        };
    }
    if is_date(letter) {
        // Both ends are on different days: each is written with everything that differs.
        let mut wanted = all.clone();
        let needed = match letter {
            _ if dates.is_empty() => "yMd",
            'd' => "d",
            'M' => "Md",
            _ => "yMd",
        };
        wanted.extend(
            needed.chars().filter(|field| !all.iter().any(|(letter, _)| letter == field)).map(|field| (field, 1)),
        );
        return fallback(format, &best(format, &wanted), start, end);
    }
    // Both ends are on the same day: the date is written once.
    let intervals = interval_pattern(format, letter, &times);
    let date_pattern = best(format, &dates);
    let glue = format.dates.get("gregorian/dateTimeFormats/medium").unwrap_or("{1}, {0}");
    let mut parts = Vec::new();
    for piece in pieces(&glue.replace("{0}", "\u{1}").replace("{1}", "\u{2}")) {
        let Piece::Literal(text) = piece else { continue };
        for character in text.chars() {
            match character {
                '\u{1}' => parts.extend(match &intervals {
                    Some(pattern) => write_interval(format, pattern, start, end),
                    None => fallback(format, &best(format, &times), start, end),
                }),
                '\u{2}' => parts.extend(noted(format.fields_of(&date_pattern, start), "shared")),
                other => parts.extend(noted(vec![Part::literal(other.to_string())], "shared")),
            }
        }
    }
    parts
}

/// Returns the pattern for some fields, with hours as long as the locale has them.
fn best(format: &DateTimeFormat, fields: &[(char, usize)]) -> Vec<Piece> {
    let letters = fields.iter().filter(|(letter, _)| *letter != 'a');
    let skeleton: String = letters.flat_map(|(letter, length)| std::iter::repeat_n(*letter, *length)).collect();
    pieces(&format.generator.best(&skeleton, HourLength::OfLocale))
}

/// Returns the letter of a field in skeletons.
fn normal(letter: char) -> char {
    match letter {
        'L' => 'M',
        'c' | 'e' => 'E',
        other => other,
    }
}

/// Resets the length of days and months: numbers in intervals are as long as the locale has them.
fn plain_length((letter, length): (char, usize)) -> (char, usize) {
    match (letter, length) {
        ('d', _) | ('M', 2) => (letter, 1),
        other => other,
    }
}

/// Finds the interval pattern whose fields are those that are asked for, and gives it their lengths.
fn interval_pattern(format: &DateTimeFormat, letter: char, wanted: &[(char, usize)]) -> Option<Vec<Piece>> {
    let hour = wanted.iter().map(|(letter, _)| *letter).find(|letter| matches!(letter, 'h' | 'H' | 'K' | 'k'));
    let alike = |letter: char| match letter {
        'K' => 'h',
        'k' => 'H',
        'z' => 'v',
        other => normal(other),
    };
    let letter = match letter {
        'a' | 'h' if matches!(hour, Some('H' | 'k')) => 'H',
        'a' if wanted.iter().any(|(letter, _)| *letter == 'B') => 'B',
        other => other,
    };
    let width = |fields: &[(char, usize)], letter: char| {
        fields.iter().filter(|(other, _)| alike(*other) == letter).map(|(_, length)| *length).next().unwrap_or(0)
    };
    let wanted: Vec<(char, usize)> = wanted.iter().copied().filter(|(letter, _)| *letter != 'a').collect();
    let calendar = interval_calendar(format);
    let mut best: Option<(usize, Letters, &str)> = None;
    for (key, pattern) in format.dates.under(&format!("{calendar}/dateTimeFormats/intervalFormats/")) {
        let Some((skeleton, differing)) = key.split_once('/') else { continue };
        if !differing.starts_with(letter) {
            continue;
        }
        let fields: Vec<(char, usize)> = pieces(skeleton)
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Field(letter, length) => Some((letter, length)),
                Piece::Literal(_) => None,
            })
            .collect();
        let all: Vec<char> = wanted.iter().chain(&fields).map(|(letter, _)| alike(*letter)).collect();
        let mut distance = 0;
        for letter in all {
            let (mine, theirs) = (width(&wanted, letter), width(&fields, letter));
            distance += match (mine, theirs) {
                (0, _) | (_, 0) => 0x1000,
                _ if letter == 'M' && (mine < 3) != (theirs < 3) => 0x100,
                _ => mine.abs_diff(theirs),
            };
        }
        if distance < 0x1000 && best.as_ref().is_none_or(|(other, ..)| distance < *other) {
            best = Some((distance, fields, pattern));
        }
    }
    let (_, fields, pattern) = best?;
    let adjusted = pieces(pattern).into_iter().map(|piece| match piece {
        Piece::Field(letter, length) => {
            let (mine, theirs) = (width(&wanted, alike(letter)), width(&fields, alike(letter)));
            let is_text = matches!(alike(letter), 'M' | 'E' | 'y' | 'G');
            let letter = match letter {
                'h' | 'H' | 'K' | 'k' => hour.unwrap_or(letter),
                'v' if wanted.iter().any(|(other, _)| *other == 'z') => 'z',
                other => other,
            };
            Piece::Field(letter, if theirs == length && mine > length && is_text { mine } else { length })
        }
        literal => literal,
    });
    Some(adjusted.collect())
}

/// Returns the calendar whose intervals are used.
fn interval_calendar(format: &DateTimeFormat) -> &'static str {
    if format.calendar == Calendar::Gregory { "gregorian" } else { "generic" }
}

/// Splits an interval pattern where its first field comes again, and writes both halves.
fn write_interval(format: &DateTimeFormat, pattern: &[Piece], start: i64, end: i64) -> Vec<Part> {
    let mut seen = Vec::new();
    let split = pattern.iter().position(|piece| match piece {
        Piece::Field(letter, _) => {
            let is_again = seen.contains(letter);
            seen.push(*letter);
            is_again
        }
        Piece::Literal(_) => false,
    });
    let split = split.unwrap_or(pattern.len());
    let mut parts = noted(format.fields_of(&pattern[..split], start), "startRange");
    parts.extend(noted(format.fields_of(&pattern[split..], end), "endRange"));
    for part in parts.iter_mut().filter(|part| part.kind == "literal") {
        part.note = Some("shared");
    }
    parts
}

fn fallback(format: &DateTimeFormat, pattern: &[Piece], start: i64, end: i64) -> Vec<Part> {
    let glue =
        format.dates.get("gregorian/dateTimeFormats/intervalFormats/intervalFormatFallback").unwrap_or("{0} – {1}");
    let (before, rest) = glue.split_once("{0}").unwrap_or(("", " – {1}"));
    let (between, after) = rest.split_once("{1}").unwrap_or((" – ", ""));
    let mut parts = noted(vec![Part::literal(before)], "shared");
    parts.extend(noted(format.fields_of(pattern, start), "startRange"));
    parts.extend(noted(vec![Part::literal(between)], "shared"));
    parts.extend(noted(format.fields_of(pattern, end), "endRange"));
    parts.extend(noted(vec![Part::literal(after)], "shared"));
    parts
}

fn noted(parts: Vec<Part>, note: &'static str) -> Vec<Part> {
    parts.into_iter().map(|part| Part { note: Some(note), ..part }).collect()
}
