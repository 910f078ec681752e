//! A *screen* is where people read a report: with colours or without, and so many columns wide.

use turnproof_rules::rules::Severity;

/// Where people read a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Whether it takes colours.
    pub colour: bool,
    /// How many characters a line takes; `None` where lines have no end.
    pub columns: Option<usize>,
}

impl Screen {
    /// The lines of a text, broken between words where they are longer than the screen. Lines after the first begin with
    /// `indent` spaces. A word that is longer than a line, such as a path, stays whole.
    pub fn wrap(&self, text: &str, indent: usize) -> String {
        let Some(columns) = self.columns else { return format!("{text}\n") };
        let mut wrapped = String::new();
        let mut used = 0;
        // Spaces at the beginning stay: they are the text's own indent.
        let own = text.len() - text.trim_start_matches(' ').len();
        wrapped.push_str(&text[..own]);
        used += own;
        let mut is_first = true;
        for word in text[own..].split(' ') {
            let length = word.chars().count();
            let gap = usize::from(!is_first);
            if !is_first && used + gap + length > columns {
                wrapped.push('\n');
                wrapped.push_str(&" ".repeat(indent));
                used = indent;
            } else {
                wrapped.push_str(&" ".repeat(gap));
                used += gap;
            }
            wrapped.push_str(word);
            used += length;
            is_first = false;
        }
        wrapped + "\n"
    }

    /// A line that is cut where the screen ends.
    pub fn cut(&self, line: &str) -> String {
        match self.columns {
            Some(columns) if line.chars().count() > columns => {
                line.chars().take(columns.saturating_sub(1)).chain(['…']).collect()
            }
            _ => line.to_owned(),
        }
    }

    /// Whether a line of so many characters fits.
    pub fn fits(&self, length: usize) -> bool {
        self.columns.is_none_or(|columns| length <= columns)
    }

    /// A text in the colour of a severity.
    pub(super) fn styled(&self, text: &str, severity: Severity) -> String {
        let colour = match severity {
            Severity::Error => "31",
            Severity::Warning => "33",
            Severity::Info => "36",
        };
        if self.colour { format!("\u{1b}[1;{colour}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
