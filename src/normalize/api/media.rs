//! *Media* are images and documents: what the API refuses for its size or its form.

use crate::message::Block;

/// Types of media.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Media {
    pub(super) images: bool,
    pub(super) documents: bool,
}

impl Media {
    /// No media.
    pub(super) const NONE: Self = Self { images: false, documents: false };

    /// Whether the block is of one of the types.
    pub(super) fn has(self, block: &Block) -> bool {
        match block {
            Block::Image(_) => self.images,
            Block::Document(_) => self.documents,
            _ => false,
        }
    }

    /// The types of both.
    pub(super) fn or(self, other: Self) -> Self {
        Self { images: self.images | other.images, documents: self.documents | other.documents }
    }

    /// The types that both have.
    pub(super) fn and(self, other: Self) -> Self {
        Self { images: self.images & other.images, documents: self.documents & other.documents }
    }
}
