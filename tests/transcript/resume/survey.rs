//! The survey of a file: it knows every name, keeps what repeats once, and takes little memory.

use super::*;
use turnproof_reference::transcript::resume::Survey;

/// The survey of a file.
fn survey(file: &str) -> Survey {
    let mut survey = Survey::default();
    Transcript::from_bytes(file.as_bytes().to_vec()).records().for_each(|record| survey.note(&record));
    survey
}

/// The lines that come back of a conversation.
fn lines_of(survey: &Survey, agent: Option<&str>) -> Result<Vec<u64>, NotFound> {
    let options = ResumeOptions { agent: agent.map(str::to_owned) };
    Ok(survey.resume(&options)?.places.iter().map(|place| place.line).collect())
}

/// Lines of subagents, each of them a prompt that hangs on the last one of the same subagent.
fn of_agents(agents: &[u32]) -> String {
    let prompt = |(at, agent): (usize, &u32)| {
        let parent = agents[..at].iter().rposition(|other| other == agent);
        let parent = parent.map_or("null".to_owned(), |parent| format!("\"u{parent}\""));
        format!("{{\"type\":\"user\",\"uuid\":\"u{at}\",\"parentUuid\":{parent},\"agentId\":\"{agent}\"}}\n")
    };
    agents.iter().enumerate().map(prompt).collect()
}

#[test]
fn runs_give_the_values_back() {
    let file = of_agents(&[7, 7, 3, 3, 3, 7, 9]);
    let whole = survey(&file);
    // Two surveys of parts, joined, hand over the values of each record.
    let mut joined = vec![whole];
    for (at, _) in file.match_indices('\n') {
        let mut first = survey(&file[..=at]);
        first.append(survey(&file[at + 1..]), first.records());
        joined.push(first);
    }
    for survey in &joined {
        assert_eq!(lines_of(survey, Some("7")).unwrap(), [1, 2, 6]);
        assert_eq!(lines_of(survey, Some("3")).unwrap(), [3, 4, 5]);
        assert_eq!(lines_of(survey, Some("9")).unwrap(), [7]);
        assert!(lines_of(survey, Some("8")).is_err());
    }
    let mut none = Survey::default();
    none.append(Survey::default(), 0);
    assert!(lines_of(&none, Some("7")).is_err());
}

#[test]
fn a_value_that_repeats_from_record_to_record_takes_no_memory() {
    let memory = |agent_of: fn(u32) -> u32| {
        let prompt = |at: u32| format!("{{\"type\":\"user\",\"uuid\":\"u{at}\",\"agentId\":\"{}\"}}\n", agent_of(at));
        survey(&(0..10_000).map(prompt).collect::<String>()).memory()
    };
    let few = memory(|at| at / 5_000);
    assert_eq!(few, memory(|at| at / 2_500 % 2));
    assert!(memory(|at| at % 2) >= few + 9_900 * 8);
}

#[test]
fn the_same_text_has_the_same_name_however_many_there_are() {
    let count = 20_000_u32;
    // Each record hangs on the one with half its number, and is of a subagent of its own.
    let prompt = |number: u32, parent: &str, agent: &str| {
        format!("{{\"type\":\"user\",\"uuid\":\"{number}\",\"parentUuid\":{parent}{agent}}}\n")
    };
    let half = |number: u32| if number == 0 { "null".to_owned() } else { format!("\"{}\"", number / 2) };
    let halves = survey(&(0..count).map(|number| prompt(number, &half(number), "")).collect::<String>());
    let mut path: Vec<u64> = std::iter::successors(Some(count - 1), |&number| (number > 0).then_some(number / 2))
        .map(|number| u64::from(number) + 1)
        .collect();
    path.reverse();
    let resume = halves.resume(&ResumeOptions::default()).unwrap();
    assert_eq!(resume.places.iter().map(|place| place.line).collect::<Vec<_>>(), path);
    let explained = halves.explain(&ResumeOptions::default());
    for (number, record) in explained.records.iter().enumerate().skip(1) {
        assert_eq!(record.parent, Some(number as u32 / 2));
    }
    // Names that are there already take no memory.
    let roots = survey(&(0..count).map(|number| prompt(number, "null", "")).collect::<String>());
    assert_eq!(halves.memory(), roots.memory());

    let agent = |number: u32| prompt(number, "null", &format!(",\"agentId\":\"{number}\""));
    let agents = survey(&(0..count).map(agent).collect::<String>());
    assert_eq!(lines_of(&agents, Some("777")).unwrap(), [778]);
    assert!(lines_of(&agents, Some("20000")).is_err());
    assert!(lines_of(&Survey::default(), Some("0")).is_err());
}

#[test]
fn a_name_takes_about_24_bytes() {
    let count = 300_000;
    // One record names all of them. What is kept of it beside the names is the same when it names one.
    let memory = |name_of: fn(u32) -> u32| {
        let names: Vec<String> = (0..count).map(|number| format!("\"{}\"", name_of(number))).collect();
        survey(&format!("{{\"type\":\"assistant\",\"supersedesUuids\":[{}]}}\n", names.join(","))).memory()
    };
    // The few names of the other record take less than this.
    let few = 4_096;
    let names = memory(|number| number) - memory(|_| 0) + few;
    assert!(names < 26 * count as usize, "{names} bytes");
    assert!(names > 20 * count as usize, "{names} bytes: each name is kept");
}
