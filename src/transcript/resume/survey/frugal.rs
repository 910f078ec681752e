//! *Frugal* tables grow by a sixteenth, not to their double, and keep what repeats from record to record only once.

/// Appends an item; where there is no room left, makes room for a sixteenth more.
pub(crate) fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        items.reserve_exact((items.len() / 16).max(64));
    }
    items.push(item);
}

/// A value for each record, kept where it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    /// The first record of each run, and its value.
    starts: Vec<(u32, u32)>,
}

impl Runs {
    /// Sets the value of the next record, whose index is `record`; true where it changes.
    pub(crate) fn push(&mut self, record: usize, value: u32) -> bool {
        let changes = self.starts.last().is_none_or(|&(_, last)| last != value);
        if changes {
            push(&mut self.starts, (record as u32, value));
        }
        changes
    }

    /// The values of the records, from the first on.
    pub(crate) fn values(&self) -> impl Iterator<Item = u32> + '_ {
        let mut next = 0;
        (0_u32..).map_while(move |record| {
            if self.starts.get(next).is_some_and(|&(start, _)| start == record) {
                next += 1;
            }
            self.starts.get(next.checked_sub(1)?).map(|&(_, value)| value)
        })
    }

    /// The bytes of memory that are held.
    pub(crate) fn memory(&self) -> usize {
        self.starts.capacity() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_give_the_values_back() {
        let values = [7, 7, 3, 3, 3, 7, 9];
        let mut runs = Runs::default();
        let changes: Vec<bool> = values.iter().enumerate().map(|(record, &value)| runs.push(record, value)).collect();
        assert_eq!(changes, [true, false, true, false, false, true, true]);
        assert_eq!(runs.values().take(values.len()).collect::<Vec<_>>(), values);
        assert_eq!(runs.starts.len(), 4);
        assert_eq!(Runs::default().values().next(), None);
    }
}
