# A validator that only looks at who speaks first.
while read -r line; do
    seq=$(expr "$line" : '.*"cmd":"run","seq":\([0-9]*\)')
    case $line in
        *'"cmd":"start"'*) echo '{"name":"first-speaker","operations":["check_request"]}' ;;
        *'"cmd":"stop"'*) exit 0 ;;
        *'"request":[{"role":"assistant"'*)
            echo "{\"seq\":$seq,\"output\":{\"errors\":[{\"turn\":0,\"error\":\"the assistant speaks first\"}]}}" ;;
        *) echo "{\"seq\":$seq,\"output\":{\"errors\":[]}}" ;;
    esac
done
