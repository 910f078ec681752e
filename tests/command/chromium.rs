//! The pages of a run and of a session in a real browser: they are drawn, what they tell is in them, and no script in
//! them would run.
//!
//! Without Chromium or Chrome on the path the test says that it is skipped. `TURNPROOF_CHROMIUM` names another browser.

#![cfg(feature = "report")]

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;
use turnproof::report::run::{Exhibit, Replay, RunReport, html};
use turnproof_faults as faults;
use turnproof_rules::rules::matching;
use turnproof_suite::suite::{Options, run};

/// The browser, if there is one that starts.
pub(crate) fn browser() -> Option<PathBuf> {
    let named = env::var_os("TURNPROOF_CHROMIUM").map(PathBuf::from);
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let browser = named.or_else(|| found.into_iter().find(|path| path.is_file()));
    let starts = |browser: &PathBuf| {
        let version = Command::new(browser).arg("--version").timeout(Duration::from_secs(60)).output();
        version.is_ok_and(|output| output.status.success())
    };
    let browser = browser.filter(starts);
    if browser.is_none() {
        eprintln!("skipped: there is no chromium, chromium-browser or google-chrome that starts");
    }
    browser
}

/// The page of a reader that loses members whose value is null, in a folder; and the rules that it breaks.
fn page() -> (TempDir, PathBuf, Vec<String>) {
    let fault = faults::find("parse/drops-nulls").unwrap();
    let options = Options { seed: 3, cases: 150, rules: matching("wire/*"), ..Options::default() };
    let report = run(fault, &options, &[], &mut |_| {}).unwrap();
    let exhibits: Vec<Exhibit> = report.failures.iter().map(|failure| Exhibit::of(fault, failure)).collect();
    let text = html::page(&RunReport {
        version: "1.2.3",
        replay: Replay::Command("turnproof test"),
        options: &options,
        report: &report,
        exhibits: &exhibits,
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, text).unwrap();
    let rules: Vec<String> = report.failures.into_iter().map(|failure| failure.regression.rule).collect();
    assert!(!rules.is_empty());
    (folder, file, rules)
}

/// Runs the browser on a page, with its own profile in a folder; gives what it prints.
pub(crate) fn browse(browser: &Path, folder: &Path, arguments: &[String], file: &Path) -> String {
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    command.args(["--disable-dev-shm-usage", "--no-first-run"]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command.args(arguments).arg(format!("file://{}", file.display()));
    let output = command.timeout(Duration::from_secs(180)).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Width, height, and how often each colour occurs.
fn picture(path: &Path) -> (u32, u32, BTreeMap<Vec<u8>, u32>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let mut colours = BTreeMap::new();
    for colour in bytes.chunks(info.color_type.samples()) {
        *colours.entry(colour.to_vec()).or_default() += 1;
    }
    (info.width, info.height, colours)
}

/// The browser draws a page wide and narrow, light and dark.
fn draws(browser: &Path, folder: &Path, file: &Path) {
    for (width, height, scheme) in [(1200, 1600, 1), (1200, 1600, 0), (500, 1000, 1)] {
        let picture_file = folder.join(format!("{width}-{scheme}.png"));
        let arguments = [
            format!("--screenshot={}", picture_file.display()),
            format!("--window-size={width},{height}"),
            format!("--blink-settings=preferredColorScheme={scheme}"),
        ];
        browse(browser, folder, &arguments, file);
        let (found_width, found_height, colours) = picture(&picture_file);
        assert_eq!((found_width, found_height), (width, height));
        assert!(colours.len() > 20, "{} colours are a blank page", colours.len());
        let (paper, _) = colours.into_iter().max_by_key(|(_, times)| *times).unwrap();
        let is_light = paper.iter().all(|&value| value > 0xE0);
        assert_eq!(is_light, scheme == 1, "the paper is {paper:?}");
    }
}

#[test]
fn a_browser_draws_the_page_wide_and_narrow_light_and_dark_and_runs_no_script() {
    let Some(browser) = browser() else { return };
    let (folder, file, rules) = page();
    draws(&browser, folder.path(), &file);

    // A script that is in the page all the same.
    let planted = "<script>document.body.textContent = \"\"</script></body>";
    let text = std::fs::read_to_string(&file).unwrap().replace("</body>", planted);
    assert!(text.contains(planted));
    std::fs::write(&file, text).unwrap();
    let dom = browse(&browser, folder.path(), &["--dump-dom".to_owned()], &file);
    for rule in rules {
        let anchor = format!("id=\"broken-{}\"", rule.replace('/', "-"));
        assert_eq!(dom.matches(&anchor).count(), 1, "{rule}");
    }
    assert!(dom.contains("class=\"note\"") && dom.trim_end().ends_with("</html>"));
}

#[test]
fn a_browser_draws_the_page_of_a_session_and_its_links_lead_to_rows() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let mut command = crate::call::turnproof(&["view", "docs/samples/session.jsonl", "-o", file.to_str().unwrap()]);
    assert!(command.output().unwrap().status.success());
    draws(&browser, folder.path(), &file);
    let dom = browse(&browser, folder.path(), &["--dump-dom".to_owned()], &file);
    for part in ["href=\"#L4\"", "id=\"L4\"", "id=\"conversation\"", "id=\"repair\""] {
        assert!(dom.contains(part), "{part}");
    }
}
