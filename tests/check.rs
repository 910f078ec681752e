//! A check of several inputs goes on where one of them cannot be read, and says which one.

#![cfg(feature = "report")]

use turnproof::check::{Finding, Input, InputError, Options, Sink, check};

#[derive(Default)]
struct Told {
    unreadable: Vec<String>,
    bytes: u64,
}

impl Sink for Told {
    fn finding(&mut self, finding: &Finding<'_>) {
        panic!("{finding:?}");
    }

    fn unreadable(&mut self, error: &InputError) {
        self.unreadable.push(error.name.clone());
    }

    fn progress(&mut self, bytes: u64) {
        self.bytes += bytes;
    }
}

#[test]
#[cfg(unix)]
fn an_input_that_fails_while_it_is_read_is_named_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
    let line = "{\"type\":\"summary\",\"summary\":\"a\",\"leafUuid\":null}\n";
    std::fs::write(&paths[0], line).unwrap();
    // A folder can be opened, and fails when it is read.
    std::fs::create_dir(&paths[1]).unwrap();
    std::fs::write(&paths[2], line).unwrap();
    for threads in [0, 1, 2] {
        let mut told = Told::default();
        let options = Options { threads, ..Options::default() };
        check(&paths.clone().map(Input::file), &options, &mut told).unwrap();
        assert_eq!(told.unreadable, [paths[1].display().to_string()]);
        assert_eq!(told.bytes, 2 * line.len() as u64);
    }
}
