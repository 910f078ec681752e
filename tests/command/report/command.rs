//! `turnproof test --report` as a user meets it.

use crate::call::turnproof;

#[test]
fn the_three_files_are_written_and_named_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a/b");
    let run = |threads: &str| {
        let arguments = ["test", "--cases", "60", "--rules", "wire/*", "--threads", threads, "--report"];
        let output = turnproof(&arguments).arg(&inner).current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let names = ["report.jsonl", "junit.xml", "report.html"];
        let files = names.map(|name| std::fs::read_to_string(inner.join(name)).unwrap());
        (String::from_utf8(output.stdout).unwrap(), files)
    };
    let (out, files) = run("1");
    let last = out.lines().last().unwrap();
    assert!(last.starts_with("report: ") && last.ends_with("report.html"), "{last}");
    assert!(files[2].contains("<h1 class=\"is-held\">"), "{}", &files[2][..200]);
    assert_eq!((out, files), run("3"));
}

#[test]
fn a_folder_that_cannot_be_made_is_exit_code_2_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let arguments = ["test", "--cases", "1", "--rules", "wire/*", "--report"];
    let output = turnproof(&arguments).arg(file.join("x")).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("turnproof: cannot write the report: "), "{error}");
}

#[test]
fn the_help_names_the_report() {
    let output = turnproof(&["test", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.contains("turnproof test --report ") && help.contains("--report <DIR>"), "{help}");
}
