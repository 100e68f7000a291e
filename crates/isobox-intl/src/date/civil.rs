//! Instants as dates and times of a calendar.

use super::days::civil_from_days;
use super::zone::Offset;

/// A calendar that dates can be shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calendar {
    Gregory,
    Buddhist,
    Japanese,
    Persian,
}

impl Calendar {
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "gregory" | "gregorian" => Some(Self::Gregory),
            "buddhist" => Some(Self::Buddhist),
            "japanese" => Some(Self::Japanese),
            "persian" => Some(Self::Persian),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gregory => "gregory",
            Self::Buddhist => "buddhist",
            Self::Japanese => "japanese",
            Self::Persian => "persian",
        }
    }
}

/// A date and a time of day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fields {
    /// The number of the era in the data of the calendar.
    pub(super) era: i64,
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
    /// 0 is Sunday.
    pub(super) weekday: usize,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    pub(super) millisecond: i64,
}

impl Fields {
    pub(super) fn new(milliseconds: i64, offset: Offset, calendar: Calendar) -> Self {
        let local = milliseconds + offset.seconds * 1000;
        let (days, rest) = (local.div_euclid(86_400_000), local.rem_euclid(86_400_000));
        let (year, month, day) = civil_from_days(days);
        let ((era, year), month, day) = match calendar {
            Calendar::Gregory if year < 1 => ((0, 1 - year), month, day),
            Calendar::Gregory => ((1, year), month, day),
            Calendar::Buddhist => ((0, year + 543), month, day),
            Calendar::Japanese => (japanese(year, month, day), month, day),
            Calendar::Persian => persian(days),
        };
        Self {
            era,
            year,
            month,
            day,
            weekday: usize::try_from((days + 4).rem_euclid(7)).unwrap_or(0),
            hour: rest / 3_600_000,
            minute: rest / 60_000 % 60,
            second: rest / 1000 % 60,
            millisecond: rest % 1000,
        }
    }
}

/// Returns era and year: eras since Meiji with the numbers that the data gives them, and Gregorian years before.
fn japanese(year: i64, month: i64, day: i64) -> (i64, i64) {
    const ERAS: [(i64, (i64, i64, i64)); 5] =
        [(236, (2019, 5, 1)), (235, (1989, 1, 8)), (234, (1926, 12, 25)), (233, (1912, 7, 30)), (232, (1868, 9, 8))];
    let found = ERAS.iter().find(|(_, start)| (year, month, day) >= *start);
    found.map_or((if year < 1 { -2 } else { -1 }, if year < 1 { 1 - year } else { year }), |(era, start)| {
        (*era, year - start.0 + 1)
    })
}

/// Converts to the Persian calendar with a cycle of 33 years, which agrees with the observed one from 1799 to 2256.
fn persian(days: i64) -> ((i64, i64), i64, i64) {
    const DAYS_BEFORE_1970: i64 = 2_440_588 - 1_948_320;
    let days = days + DAYS_BEFORE_1970;
    let year = 1 + (33 * days + 3).div_euclid(12_053);
    let new_year = 365 * (year - 1) + (8 * year + 21).div_euclid(33);
    let day_of_year = days - new_year;
    let month = if day_of_year < 216 { day_of_year / 31 } else { (day_of_year - 6) / 30 };
    let before = if month <= 6 { month * 31 } else { month * 30 + 6 };
    ((0, year), month + 1, day_of_year - before + 1)
}

#[cfg(test)]
mod tests {
    use super::super::days::days_from_civil;
    use super::*;

    #[test]
    fn persian_years_begin_in_spring() {
        assert_eq!(persian(0), ((0, 1348), 10, 11));
        assert_eq!(persian(days_from_civil(2024, 3, 20)), ((0, 1403), 1, 1));
        assert_eq!(persian(days_from_civil(2025, 3, 20)), ((0, 1403), 12, 30));
        assert_eq!(persian(days_from_civil(2025, 3, 21)), ((0, 1404), 1, 1));
    }
}
