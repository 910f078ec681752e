#!/bin/sh
# A subject that tells standard output what it thinks.
read -r start
echo '{"name":"chatty","operations":["short_id"]}'
while read -r question; do
  case $question in *stop*) exit 0 ;; esac
  echo 'thinking about it'
done
