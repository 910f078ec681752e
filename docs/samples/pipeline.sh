#!/bin/sh
# A pipeline as one writes it first: what user and assistant said, in the order of the file, as turns of a request.
sed -nE 's/^\{"type":"(user|assistant)".*"message":(\{.*\})\}$/\2/p' "$1" |
  sed -E 's/"id":"msg_[^"]*",//; s/,?"model":"[^"]*"//; s/,"usage":\{[^}]*\}//' | paste -sd, - | sed 's/.*/[&]/'
