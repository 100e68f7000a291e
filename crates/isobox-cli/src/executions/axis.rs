//! Maps time to columns. A pause gets a few columns however long it was, because it may take days while calls take
//! milliseconds.

/// The mapping of moments to columns.
#[derive(Debug)]
pub(crate) struct Axis {
    begin: u64,
    end: u64,
    pauses: Vec<(u64, u64)>,
    pub(crate) columns: usize,
    /// The number of columns of each pause.
    pause: usize,
}

impl Axis {
    /// Creates an axis from `begin` to `end`. The pauses must be in order and must not overlap.
    pub(crate) fn new(begin: u64, end: u64, pauses: &[(u64, u64)], columns: usize) -> Self {
        let end = end.max(begin.saturating_add(1));
        let widest = [3, 1].into_iter().find(|width| pauses.len() * width * 2 <= columns);
        // With more pauses than columns, all time is drawn to scale.
        let (pause, pauses) = widest.map_or((0, Vec::new()), |width| (width, pauses.to_vec()));
        Self { begin, end, pauses, columns: columns.max(1), pause }
    }

    /// Returns the first and the last column of a span.
    pub(crate) fn columns(&self, from: u64, to: u64) -> (usize, usize) {
        let first = self.column(from);
        // A span that ends where another column begins is not in that column.
        let last = self.column(to.saturating_sub(1).max(from));
        (first, last.max(first))
    }

    /// Tells whether a column lies within a pause.
    pub(crate) fn is_pause(&self, column: usize) -> bool {
        self.pauses.iter().any(|(from, to)| {
            let (first, last) = self.columns(*from, *to);
            (first..=last).contains(&column)
        })
    }

    fn column(&self, moment: u64) -> usize {
        let moment = moment.clamp(self.begin, self.end);
        let paused: u64 = self.pauses.iter().map(|(from, to)| to - from).sum();
        let active = (self.end - self.begin).saturating_sub(paused).max(1);
        let room = self.columns - self.pause * self.pauses.len();
        let mut at_rest = 0;
        let mut passed = 0;
        for (from, to) in &self.pauses {
            if moment >= *to {
                at_rest += to - from;
                passed += self.pause;
            } else if moment > *from {
                at_rest += moment - from;
                passed += scaled(moment - from, to - from, self.pause);
            }
        }
        let worked = moment - self.begin - at_rest.min(moment - self.begin);
        (scaled(worked, active, room) + passed).min(self.columns - 1)
    }
}

/// Returns `room * part / whole`, at most `room`.
fn scaled(part: u64, whole: u64, room: usize) -> usize {
    let scaled = u128::from(part) * room as u128 / u128::from(whole.max(1));
    usize::try_from(scaled).unwrap_or(room).min(room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_spread_over_the_columns() {
        let axis = Axis::new(1000, 2000, &[], 10);
        assert_eq!(axis.columns(1000, 1100), (0, 0));
        assert_eq!(axis.columns(1050, 1250), (0, 2));
        assert_eq!(axis.columns(1900, 2000), (9, 9));
        assert_eq!(axis.columns(2000, 2000), (9, 9));
        assert_eq!(axis.columns(0, 9000), (0, 9), "what is outside is at the edge");
    }

    #[test]
    fn a_pause_takes_three_columns_however_long_it_was() {
        let day = 86_400_000;
        let axis = Axis::new(0, day + 140, &[(70, 70 + day)], 17);
        assert_eq!(axis.columns(0, 70), (0, 6));
        assert_eq!(axis.columns(70, 70 + day), (7, 9));
        assert_eq!(axis.columns(70 + day, day + 140), (10, 16));
        let pauses: Vec<bool> = (0..17).map(|column| axis.is_pause(column)).collect();
        assert_eq!(pauses.iter().filter(|is_pause| **is_pause).count(), 3);
    }

    #[test]
    fn there_may_be_more_pauses_than_room() {
        let pauses: Vec<(u64, u64)> = (0..50).map(|number| (number * 10, number * 10 + 5)).collect();
        let axis = Axis::new(0, 500, &pauses, 20);
        assert_eq!(axis.columns(0, 500), (0, 19));
        let axis = Axis::new(0, 0, &[], 0);
        assert_eq!(axis.columns(0, 5), (0, 0));
    }
}
