//! A *group* as others may have put it into a list: calls and results that a UI shows as one line (SPEC 7.6).

use super::forms;

forms! {
    /// The members of a group, by the id of a call.
    GroupForm {
        OfNothing r#""toolName":"Bash","messages":[],"results":[],"#
        OfACall r#""toolName":"Bash","messages":[{"type":"assistant","uuid":"g1","message":{"id":"msg_g","role":"assistant","content":[{"type":"tool_use","id":$,"name":"Bash","input":{}}]}}],"results":[],"#
        OfACallAndItsResult r#""toolName":"Read","messages":[{"type":"assistant","uuid":"g1","message":{"id":"msg_g","role":"assistant","content":[{"type":"tool_use","id":$,"name":"Read","input":{}}]}}],"results":[{"type":"user","uuid":"g2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":$,"content":"a"}]}}],"#
        WithMeta r#""toolName":"Bash","messages":[{"type":"user","uuid":"g3","isMeta":true,"message":{"role":"user","content":"a"}},{"type":"system","uuid":"g4","subtype":"informational","content":"a"}],"#
        OfAGroup r#""toolName":"Bash","messages":[{"type":"grouped_tool_use","uuid":"g5","toolName":"Bash","messages":[{"type":"user","uuid":"g6","message":{"role":"user","content":"a"}}],"results":null}],"results":[{"type":"user","uuid":"g7","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":$,"content":"a"}]}}],"#
        WithAStranger r#""toolName":"Bash","messages":[{"type":"user","uuid":"g8","message":{"role":"user","content":"a"}},{"type":"a-kind-of-tomorrow"}],"results":[],"#
        WithATombstone r#""toolName":"Bash","messages":[{"type":"tombstone","message":{"type":"assistant","uuid":"g9"}}],"results":[],"#
        WithNoMessage r#""toolName":"Bash","messages":[{"type":"user","uuid":"ga","message":{"role":"user","content":"a"}},{"uuid":"gb"},"a"],"results":[],"#
        WithoutLists r#""toolName":"Bash","#
    }
}
