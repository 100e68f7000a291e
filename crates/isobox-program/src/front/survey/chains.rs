//! Many short lists in one vector.

/// Many short lists in one vector.
pub(super) struct Chains<T>(Vec<(T, Option<u32>)>);

/// One list: its first and its last item.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Chain(Option<(u32, u32)>);

impl Chain {
    pub(super) fn is_empty(self) -> bool {
        self.0.is_none()
    }

    /// Checks whether the list has exactly one item.
    pub(super) fn is_single(self) -> bool {
        self.0.is_some_and(|(first, last)| first == last)
    }
}

impl<T> Chains<T> {
    pub(super) fn with_capacity(items: usize) -> Self {
        Self(Vec::with_capacity(items))
    }

    /// Returns the number of the items of all lists.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds an item to the end of a list. Returns its index.
    pub(super) fn push(&mut self, chain: &mut Chain, item: T) -> u32 {
        let index = u32::try_from(self.0.len()).expect("a file has fewer names");
        self.0.push((item, None));
        chain.0 = match chain.0 {
            Some((first, last)) => {
                self.0[last as usize].1 = Some(index);
                Some((first, index))
            }
            None => Some((index, index)),
        };
        index
    }

    /// Returns an item by its index.
    pub(super) fn at(&self, index: u32) -> &T {
        &self.0[index as usize].0
    }

    /// Returns the items of a list, each with its index.
    pub(super) fn of(&self, chain: Chain) -> impl Iterator<Item = (u32, &T)> {
        let mut next = chain.0.map(|(first, _)| first);
        std::iter::from_fn(move || {
            let index = next?;
            let (item, following) = &self.0[index as usize];
            next = *following;
            Some((index, item))
        })
    }

    /// Returns the index of the item with a key, if all items were added in the order of their keys.
    pub(super) fn find<K: Ord>(&self, key: &K, key_of: impl Fn(&T) -> K) -> Option<u32> {
        let found = self.0.binary_search_by_key(key, |(item, _)| key_of(item)).ok()?;
        u32::try_from(found).ok()
    }
}
