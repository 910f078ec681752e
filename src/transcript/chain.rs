//! The *chain* is how records hang together by `parentUuid`: a forest in sound files, anything in
//! files from the field.

use std::borrow::Cow;
use std::collections::HashMap;

use super::head::Link;
use super::record::Record;

/// Where a record's link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainLink {
    /// Not a link of the chain: a side record, a live-only or unknown kind.
    Outside,
    /// It starts a segment: `parentUuid` is null or absent.
    Root,
    /// To the record with this index.
    To(usize),
    /// To a uuid that no record of the file has.
    Dangling,
}

/// How the records of a file hang together. Records are named by their index.
///
/// Old progress records take part, since records of their time hang on them. Of a repeated uuid
/// the last record stands, as in the readers that clients use.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    links: Vec<ChainLink>,
    /// The children of all records, grouped by parent.
    children: Vec<u32>,
    /// Where each record's children begin; one more at the end.
    first_child: Vec<u32>,
}

impl Chain {
    pub(super) fn of<'a>(records: impl Iterator<Item = Record<'a>>) -> Self {
        let mut by_uuid: HashMap<Cow<'a, str>, usize> = HashMap::new();
        let mut parents: Vec<Option<Link<Cow<'a, str>>>> = Vec::new();
        for (index, record) in records.enumerate() {
            let takes_part = record.head.is_chain_participant()
                || record.head.kind == Some(crate::message::Kind::Progress);
            parents.push(takes_part.then(|| record.parent()));
            if let (true, Some(uuid)) = (takes_part, record.uuid()) {
                by_uuid.insert(uuid, index);
            }
        }
        let link = |parent: &Option<Link<Cow<'a, str>>>| match parent {
            None => ChainLink::Outside,
            Some(Link::Null | Link::Absent) => ChainLink::Root,
            Some(Link::To(uuid)) => by_uuid.get(uuid).map_or(ChainLink::Dangling, |&at| ChainLink::To(at)),
        };
        Self::from_links(parents.iter().map(link).collect())
    }

    fn from_links(links: Vec<ChainLink>) -> Self {
        let mut first_child = vec![0; links.len() + 1];
        for link in &links {
            if let ChainLink::To(parent) = link {
                first_child[parent + 1] += 1;
            }
        }
        for index in 0..links.len() {
            first_child[index + 1] += first_child[index];
        }
        let mut next = first_child.clone();
        let mut children = vec![0; first_child[links.len()] as usize];
        for (index, link) in links.iter().enumerate() {
            if let ChainLink::To(parent) = link {
                children[next[*parent] as usize] = index as u32;
                next[*parent] += 1;
            }
        }
        Self { links, children, first_child }
    }

    /// Where the link of each record leads, in file order.
    pub fn links(&self) -> &[ChainLink] {
        &self.links
    }

    /// The records that hang on a record, in file order.
    pub fn children(&self, index: usize) -> impl ExactSizeIterator<Item = usize> {
        let range = self.first_child[index] as usize..self.first_child[index + 1] as usize;
        self.children[range].iter().map(|&child| child as usize)
    }

    /// The records that start a segment, in file order; those whose parent is missing not among them.
    pub fn roots(&self) -> impl Iterator<Item = usize> {
        self.with_link(ChainLink::Root)
    }

    /// The records whose parent is missing, in file order.
    pub fn dangling(&self) -> impl Iterator<Item = usize> {
        self.with_link(ChainLink::Dangling)
    }

    fn with_link(&self, wanted: ChainLink) -> impl Iterator<Item = usize> {
        let links = self.links.iter().enumerate();
        links.filter(move |(_, link)| **link == wanted).map(|(index, _)| index)
    }

    /// The links on which nothing hangs, in file order.
    pub fn leaves(&self) -> impl Iterator<Item = usize> {
        let is_leaf =
            |&index: &usize| self.links[index] != ChainLink::Outside && self.children(index).len() == 0;
        (0..self.links.len()).filter(is_leaf)
    }

    /// A record, its parent, and so on to a root, a missing parent, or the first record of a cycle
    /// that has been passed already.
    pub fn walk(&self, index: usize) -> impl Iterator<Item = usize> {
        let mut seen = vec![false; self.links.len()];
        let mut next = Some(index).filter(|&index| index < self.links.len());
        std::iter::from_fn(move || {
            let index = next?;
            seen[index] = true;
            next = match self.links[index] {
                ChainLink::To(parent) if !seen[parent] => Some(parent),
                _ => None,
            };
            Some(index)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Transcript;

    fn chain(lines: &str) -> Chain {
        Transcript::from_bytes(lines.as_bytes().to_vec()).chain()
    }

    #[test]
    fn a_walk_over_a_cycle_ends() {
        let chain = chain(
            r#"{"type":"user","uuid":"a","parentUuid":"b"}
            {"type":"user","uuid":"b","parentUuid":"a"}
            {"type":"user","uuid":"c","parentUuid":"b"}"#,
        );
        assert_eq!(chain.walk(2).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(chain.leaves().collect::<Vec<_>>(), [2]);
        assert_eq!(chain.roots().count(), 0);
    }

    #[test]
    fn forks_missing_parents_and_side_records_are_told_apart() {
        let chain = chain(
            r#"{"type":"user","uuid":"a","parentUuid":null}
            {"type":"progress","uuid":"p","parentUuid":"a"}
            {"type":"assistant","uuid":"b","parentUuid":"p"}
            {"type":"assistant","uuid":"c","parentUuid":"a"}
            {"type":"user","uuid":"d","parentUuid":"never written"}
            {"type":"summary","leafUuid":"b"}"#,
        );
        assert_eq!(chain.children(0).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(chain.dangling().collect::<Vec<_>>(), [4]);
        assert_eq!(chain.links()[5], ChainLink::Outside);
        assert_eq!(chain.leaves().collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(chain.walk(2).collect::<Vec<_>>(), [2, 1, 0]);
    }

    #[test]
    fn of_a_repeated_uuid_the_last_record_stands() {
        let chain = chain(
            r#"{"type":"user","uuid":"a","parentUuid":null}
            {"type":"user","uuid":"a","parentUuid":null}
            {"type":"user","uuid":"b","parentUuid":"a"}"#,
        );
        assert_eq!(chain.walk(2).collect::<Vec<_>>(), [2, 1]);
    }
}
