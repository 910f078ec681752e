//! The *packages* in which the program is installed: one version, written once, and a way that says what is missing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn the_version_is_written_once_and_all_manifests_take_it_from_there() {
    let manifest = read("Cargo.toml");
    assert!(manifest.contains(&format!("[workspace.package]\nversion = \"{VERSION}\"")), "{VERSION} is the one");
    for name in ["Cargo.toml", "crates/turnproof-rules/Cargo.toml"] {
        assert!(read(name).contains("\nversion.workspace = true\n"), "{name}");
    }
    // Cargo wants to know which version of the rules a release of the program needs.
    let rules = format!("turnproof-rules = {{ path = \"crates/turnproof-rules\", version = \"{VERSION}\" }}");
    assert!(manifest.contains(&rules), "Cargo.toml should have {rules}");
    let python = read("pyproject.toml");
    assert!(python.contains("dynamic = [\"version\"]") && !python.contains("\nversion"), "{python}");
    let node: Value = serde_json::from_str(&read("packaging/npm/package.json")).unwrap();
    assert_eq!(node.get("version"), None, "packaging/npm/pack.mjs adds it");
    let description = |line: &str| manifest.contains(line.trim_end_matches(','));
    let of_python = python.lines().find(|line| line.starts_with("description = ")).unwrap();
    assert!(description(of_python), "{of_python}");
    assert!(description(&format!("description = {}", node["description"])), "{node}");
}

/// The output of a program of the path; `None` where it is not there.
fn output(command: &mut Command) -> Option<Output> {
    let output = command.current_dir(root()).output().ok();
    if output.is_none() {
        eprintln!("{command:?} is not here: skipped");
    }
    output
}

/// Packs a program for this platform; gives the folder. `None` without node.
fn packed(program: &Path) -> Option<(TempDir, String)> {
    let out = TempDir::new().unwrap();
    let platform = output(Command::new("node").args(["-p", "process.platform + '-' + process.arch"]))?;
    let platform = String::from_utf8(platform.stdout).unwrap().trim().to_owned();
    let mut pack = Command::new("node");
    pack.arg("packaging/npm/pack.mjs").arg(out.path()).arg(format!("{platform}={}", program.display()));
    let packed = output(&mut pack)?;
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    Some((out, format!("turnproof-{platform}")))
}

#[cfg(unix)]
#[test]
fn npm_packages_have_one_version_and_the_shim_starts_the_program_or_says_what_is_missing() {
    use std::os::unix::fs::PermissionsExt;

    let folder = TempDir::new().unwrap();
    let program = folder.path().join("program");
    fs::write(&program, "#!/bin/sh\nread line\necho \"$line $*\"\nexit 7\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let Some((out, name)) = packed(&program) else { return };
    let manifest = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(out.path().join(name).join("package.json")).unwrap()).unwrap()
    };
    let (main, platform) = (manifest("turnproof"), manifest(&name));
    assert_eq!((&main["version"], &platform["version"]), (&VERSION.into(), &VERSION.into()));
    let known: Value = serde_json::from_str(&read("packaging/npm/platforms.json")).unwrap();
    let wanted = main["optionalDependencies"].as_object().unwrap();
    assert_eq!(wanted.len(), known.as_object().unwrap().len());
    assert!(wanted.values().all(|version| version == VERSION), "exactly the same version: {wanted:?}");

    let modules = folder.path().join("node_modules");
    fs::create_dir(&modules).unwrap();
    fs::rename(out.path().join("turnproof"), modules.join("turnproof")).unwrap();
    let shim = || {
        let script = format!("echo given | node '{}' a 'b c'", modules.join("turnproof/bin/turnproof.js").display());
        let output = output(Command::new("sh").args(["-c", &script])).unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, _, errors) = shim();
    assert_eq!(code, Some(2));
    assert!(errors.starts_with(&format!("turnproof: the package {name} is not installed")), "{errors}");
    assert!(errors.contains(&format!("npm install {name}@{VERSION}")), "{errors}");
    fs::rename(out.path().join(&name), modules.join(&name)).unwrap();
    assert_eq!(shim(), (Some(7), "given a b c\n".to_owned(), String::new()));

    let other = fs::read_to_string(modules.join(&name).join("package.json")).unwrap().replace(VERSION, "9.9.9");
    fs::write(modules.join(&name).join("package.json"), other).unwrap();
    let (code, _, errors) = shim();
    assert_eq!((code, errors.contains("has version 9.9.9")), (Some(2), true), "{errors}");
}

#[test]
fn the_release_builds_each_platform_that_the_npm_package_names() {
    let known: Value = serde_json::from_str(&read("packaging/npm/platforms.json")).unwrap();
    let workflow = read(".github/workflows/release.yml");
    for (platform, about) in known.as_object().unwrap() {
        let target = about["target"].as_str().unwrap();
        assert!(workflow.contains(&format!("platform: {platform}\n")), "{platform}");
        assert!(workflow.contains(&format!("target: {target}\n")), "{target}");
    }
}
