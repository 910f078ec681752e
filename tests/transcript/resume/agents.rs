//! Subagents: their conversations are apart.

use super::*;

fn agent_uuids(agent: &str, lines: &[Line]) -> Result<String, NotFound> {
    let options = ResumeOptions { agent: Some(agent.to_owned()) };
    resumed(&file(lines), &options).map(|(uuids, _)| uuids)
}

const SESSION: &str = "user u1 -; user x1 u1 agent=x; user y1 - agent=y; assistant x2 x1 m1 agent=x; \
                       assistant y2 lost m2 agent=y; assistant a1 u1 m3; user x3 x2 agentId=x";

#[test]
fn each_subagent_is_read_alone() {
    // What names a subagent and is no sidechain belongs to both.
    assert_eq!(uuids(&session(SESSION)), "u1 a1 x3");
    assert_eq!(agent_uuids("x", &session(SESSION)).unwrap(), "x1 x2 x3");
    // A gap is bridged to a record of the same subagent.
    assert_eq!(agent_uuids("y", &session(SESSION)).unwrap(), "y1 y2");
}

#[test]
fn an_unknown_subagent_is_reported_with_those_that_exist() {
    let why = agent_uuids("z", &session(SESSION)).unwrap_err();
    assert_eq!(why, NotFound::NoSuchAgent { wanted: "z".into(), agents: vec!["x".into(), "y".into()] });
    assert_eq!(agent_uuids("s1", &session(SESSION)).unwrap_err().to_string(), why.to_string().replace(" z;", " s1;"));
}

#[test]
fn a_teams_records_belong_to_the_subagent_that_they_name() {
    let lines = session("user x1 - agent=x teamName=blue");
    assert_eq!(agent_uuids("x", &lines).unwrap(), "x1");
}
