//! A finding *drawn*: its title, its place, and an excerpt of the line with what is wrong marked.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::check::Finding;
use turnproof_rules::rules::{Rule, Severity};

use super::excerpt::Excerpt;
use super::screen::Screen;

/// What is to be drawn of a finding.
pub(super) struct Drawn {
    rule: &'static Rule,
    title: String,
    label: String,
    pub(super) place: String,
    path: String,
    line: usize,
    excerpt: Excerpt,
}

impl Drawn {
    pub(super) fn of(finding: &Finding<'_>, screen: Screen) -> Self {
        // The number of the line stands before the excerpt.
        let before = finding.line.to_string().len() + " | ".len();
        Self {
            rule: finding.rule,
            title: finding.found.to_string(),
            label: format!("expected {}", finding.expected),
            // The renderer would count the column within the excerpt.
            place: format!("{}:{}:{}", finding.file, finding.line, finding.column()),
            path: finding.path.clone(),
            line: finding.line as usize,
            excerpt: Excerpt::of(finding, screen.columns.map(|columns| columns.saturating_sub(before))),
        }
    }

    /// The lines of the drawing, without an empty line behind them.
    pub(super) fn draw(&self, screen: Screen) -> String {
        let level = match self.rule.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        // Excerpts are cut to fit already.
        let renderer = if screen.colour { Renderer::styled() } else { Renderer::plain() }.term_width(1000);
        let beside = self.label_fits(screen).then_some(self.label.as_str());
        let title = level.primary_title(self.title.as_str()).id(self.rule.id);
        let group = match self.excerpt.text.is_empty() {
            true => title.element(Level::NOTE.message(self.label.as_str())),
            false => title.element(
                Snippet::source(self.excerpt.text.as_str())
                    .line_start(self.line)
                    .annotation(AnnotationKind::Primary.span(self.excerpt.marked.clone()).label(beside)),
            ),
        };
        let rendered = renderer.render(&[group]);
        let (head, rest) = rendered.split_once('\n').unwrap_or((&rendered, ""));
        let indent = " ".repeat(self.line.to_string().len());
        let mut text = self.head(head, screen);
        let path = if self.path.is_empty() { String::new() } else { format!("in {}", self.path) };
        text += &screen.wrap(format!("{indent}--> {} {path}", self.place).trim_end(), indent.len() + 4);
        text += rest;
        if !rest.is_empty() {
            text.push('\n');
        }
        if beside.is_none() && !self.excerpt.text.is_empty() {
            text += &screen.wrap(&format!("{indent} = {}", self.label), self.line.to_string().len() + 3);
        }
        text
    }

    /// The first line: as the renderer made it, or in several where it is too long.
    fn head(&self, rendered: &str, screen: Screen) -> String {
        let name = format!("{}[{}]", self.rule.severity.name(), self.rule.id);
        if screen.fits(name.chars().count() + 2 + self.title.chars().count()) {
            return format!("{rendered}\n");
        }
        let plain = screen.wrap(&format!("{name}: {}", self.title), 2);
        plain.replacen(&name, &screen.styled(&name, self.rule.severity), 1)
    }

    /// Whether what was expected fits behind the marks.
    fn label_fits(&self, screen: Screen) -> bool {
        let marked = self.excerpt.text[..self.excerpt.marked.end].chars().count();
        screen.fits(self.line.to_string().len() + 3 + marked + 1 + self.label.chars().count())
    }
}
