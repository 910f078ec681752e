//! Subagents: their conversations are apart.

use super::*;

fn of(agent: &str, line: Line) -> Line {
    line.with("agentId", agent).with("isSidechain", true)
}

fn agent_uuids(agent: &str, lines: &[Line]) -> Result<String, NotFound> {
    let options = ResumeOptions { agent: Some(agent.to_owned()) };
    resumed(&file(lines), &options).map(|(uuids, _)| uuids)
}

fn session() -> Vec<Line> {
    vec![
        user("u1", "-"),
        of("x", user("x1", "u1")),
        of("y", user("y1", "-")),
        of("x", assistant("x2", "x1", "m1")),
        of("y", assistant("y2", "lost", "m2")),
        assistant("a1", "u1", "m3"),
        user("x3", "x2").with("agentId", "x"),
    ]
}

#[test]
fn each_subagent_is_read_alone() {
    // What names a subagent and is no sidechain belongs to both.
    assert_eq!(uuids(&session()), "u1 a1 x3");
    assert_eq!(agent_uuids("x", &session()).unwrap(), "x1 x2 x3");
    // A gap is bridged to a record of the same subagent.
    assert_eq!(agent_uuids("y", &session()).unwrap(), "y1 y2");
}

#[test]
fn an_unknown_subagent_is_told_with_those_that_there_are() {
    let why = agent_uuids("z", &session()).unwrap_err();
    assert_eq!(why, NotFound::NoSuchAgent { wanted: "z".into(), agents: vec!["x".into(), "y".into()] });
    assert_eq!(agent_uuids("s1", &session()).unwrap_err().to_string(), why.to_string().replace(" z;", " s1;"));
}

#[test]
fn a_teams_records_belong_to_the_subagent_that_they_name() {
    let lines = [of("x", user("x1", "-")).with("teamName", "blue")];
    assert_eq!(agent_uuids("x", &lines).unwrap(), "x1");
}
