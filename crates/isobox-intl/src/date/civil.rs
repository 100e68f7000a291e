//! Instants as dates and times of a calendar.

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

/// The eras since Meiji, with the numbers that the data gives them; years before are Gregorian.
fn japanese(year: i64, month: i64, day: i64) -> (i64, i64) {
    const ERAS: [(i64, (i64, i64, i64)); 5] =
        [(236, (2019, 5, 1)), (235, (1989, 1, 8)), (234, (1926, 12, 25)), (233, (1912, 7, 30)), (232, (1868, 9, 8))];
    let found = ERAS.iter().find(|(_, start)| (year, month, day) >= *start);
    found.map_or((if year < 1 { -2 } else { -1 }, if year < 1 { 1 - year } else { year }), |(era, start)| {
        (*era, year - start.0 + 1)
    })
}

/// The Persian calendar with its cycle of 33 years, which agrees with the observed one between 1799 and 2256.
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

/// Counts the days since 1970-01-01 in the Gregorian calendar.
pub(super) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day comes last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_inverse() {
        for days in (-800_000..800_000).step_by(97) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), days);
        }
        assert_eq!(civil_from_days(0), (1970, 1, 1));
        assert_eq!(civil_from_days(11_016), (2000, 2, 29));
        assert_eq!(civil_from_days(-100_000_000).0, -271_821);
    }

    #[test]
    fn persian_years_begin_in_spring() {
        assert_eq!(persian(0), ((0, 1348), 10, 11));
        assert_eq!(persian(days_from_civil(2024, 3, 20)), ((0, 1403), 1, 1));
        assert_eq!(persian(days_from_civil(2025, 3, 20)), ((0, 1403), 12, 30));
        assert_eq!(persian(days_from_civil(2025, 3, 21)), ((0, 1404), 1, 1));
    }
}
