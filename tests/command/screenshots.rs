//! The *screenshots* in `docs/screenshots/` show the pages as they are now: beside them lies the hash of each page.
//!
//! `TURNPROOF_WRITE_SCREENSHOTS=1 cargo test --locked --test command screenshots` takes them again, where there is a
//! browser.

#![cfg(feature = "cli")]

use std::env;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use turnproof::report::run::{Exhibit, Replay, RunReport, html};
use turnproof_suite::suite::{Options, run};

use crate::call::turnproof;
use crate::chromium::{browse, browser};

/// A picture: its name, its page, width and height in pixels, and whether it is dark.
const PICTURES: [(&str, &str, u32, u32, bool); 6] = [
    ("report-1200", "report.html", 1200, 1500, false),
    ("report-700-dark", "report.html", 700, 1200, true),
    ("report-380", "report.html", 380, 1000, false),
    ("view-1200", "page.html", 1200, 1500, false),
    ("view-700-dark", "page.html", 700, 1200, true),
    ("view-380", "page.html", 380, 1000, false),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/screenshots")
}

/// The pages in a folder: that of a run, and that of a session.
fn pages() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let fault = turnproof_faults::find("normalize_api/loses-one-of-parallel-results").unwrap();
    let options = Options { seed: 1, cases: 60, ..Options::default() };
    let report = run(fault, &options, &[], &mut |_| {}).unwrap();
    let exhibits: Vec<Exhibit> = report.failures.iter().map(|failure| Exhibit::of(fault, failure)).collect();
    let replay = Replay::Command("turnproof test");
    let text =
        html::page(&RunReport { version: "0.1.0", replay, options: &options, report: &report, exhibits: &exhibits });
    fs::write(folder.path().join("report.html"), text).unwrap();
    let file = folder.path().join("page.html");
    let mut command = turnproof(&["view", "docs/samples/session.jsonl", "-o", file.to_str().unwrap()]);
    assert!(command.output().unwrap().status.success());
    folder
}

/// A line for each page: its name, and a hash of its bytes.
fn hashes(pages: &Path) -> String {
    let mut text = String::new();
    for name in ["report.html", "page.html"] {
        // FNV-1a.
        let hash = fs::read(pages.join(name))
            .unwrap()
            .into_iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        writeln!(text, "{name} {hash:016x}").unwrap();
    }
    text
}

/// Keeps the left part of a picture.
fn cut(file: &Path, width: u32) {
    let mut reader = png::Decoder::new(BufReader::new(File::open(file).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let samples = frame.color_type.samples();
    let (row, kept) = (frame.width as usize * samples, width as usize * samples);
    let pixels: Vec<u8> = pixels.chunks(row).flat_map(|row| &row[..kept]).copied().collect();
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(file).unwrap()), width, frame.height);
    encoder.set_color(frame.color_type);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
}

#[test]
fn screenshots_are_of_the_pages_as_they_are() {
    let pages = pages();
    let (hashes, file) = (hashes(pages.path()), folder().join("pages.txt"));
    if env::var_os("TURNPROOF_WRITE_SCREENSHOTS").is_some() {
        let browser = browser().expect("a browser takes the screenshots");
        fs::create_dir_all(folder()).unwrap();
        for (name, page, width, height, is_dark) in PICTURES {
            // No window is narrower than 500 pixels; a frame is.
            let framed =
                format!("<body style='margin:0'><iframe src={page} style='border:0' width={width} height={height}>");
            fs::write(pages.path().join("framed.html"), framed).unwrap();
            let file = folder().join(format!("{name}.png"));
            let arguments = [
                format!("--screenshot={}", file.display()),
                format!("--window-size={},{height}", width.max(500)),
                format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark)),
            ];
            browse(&browser, pages.path(), &arguments, &pages.path().join("framed.html"));
            cut(&file, width);
        }
        fs::write(&file, &hashes).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(kept, hashes, "take them again: TURNPROOF_WRITE_SCREENSHOTS=1 cargo test --test command screenshots");
    for (name, ..) in PICTURES {
        assert!(folder().join(format!("{name}.png")).is_file(), "{name}");
    }
}
