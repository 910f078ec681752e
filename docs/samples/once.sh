#!/bin/sh
# A subject of one question: the first six characters of an id as the short one.
read -r question
uuid=$(printf '%s' "$question" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')
echo "{\"output\":{\"short_id\":\"$(printf '%s' "$uuid" | cut -c 1-6)\"}}"
