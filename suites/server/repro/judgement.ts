/**
 * The program by which a script tells, with jq, whether every call was answered as in the run. It goes through both answers
 * side by side: what is made anew each time (identifiers, keys, cursors, pins) may be another text, and has to be the same
 * other one wherever it stands; instants may lie as far from the call as they did; all else that the document gives has to be
 * the same. A fault is gone only where all was the same up to the call that showed it, and that one is answered as was due:
 * what differs before it may be why the fault isn't seen.
 *
 * It reads the run's answers from `$run`, what the failure says from `$finding` (see `Finding`) and today's answers from the
 * files that `call` and `move` have kept, and prints one line.
 */
export const JUDGEMENT = String.raw`
# Text for a terminal: whatever would act on it is replaced, and what is too long is cut.
def plain: .[0:2000] | gsub("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}]"; "\ufffd");
def secret: . == "client_secret" or . == "access_token" or . == "secret" or . == "pairing_code";
def hidden($key): if ($key | secret) and type == "string" then "[redacted]"
  elif type == "object" then with_entries(.key as $key | .value |= hidden($key))
  elif type == "array" then map(hidden($key))
  else . end;
def shown: tojson | plain | if length > 120 then .[0:120] + "…" else . end;
def id: "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
def instant: "^(?<day>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?<part>\\.[0-9]+)?(?<zone>Z|[+-][0-9]{2}:?[0-9]{2})$";
# Seconds since 1970.
def seconds: capture(instant)
  | (.day + "Z" | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime) + ("0" + (.part // "") | tonumber)
  - (if .zone == "Z" then 0 else (.zone | (.[1:3] | tonumber) * 3600 + (.[-2:] | tonumber) * 60) * (if .zone[0:1] == "-" then -1 else 1 end) end);
def ids: [match(id; "g").string];
def around_ids: [splits(id)];
def segments: [splits("[/?#=&, ]+")];
# Keys, cursors and the like: nobody would write them by hand.
def made: test("^[!-~]{8,}$") and test("[A-Za-z]") and (test("[0-9]") or (length >= 16 and test("[a-z]") and test("[A-Z]")));

# Members that the document doesn't give are the target's own, and may count what others do; unless the failure is about one.
def is_given: . as $name | $finding[0].members[$name] == true or ($finding[0].told | contains($name));
# Whether a text that wasn't due stands somewhere in a value.
def has_undue: [.. | strings] as $texts | any($finding[0].undue[]; . as $undue | any($texts[]; contains($undue)));
# Where two values differ, each with its place, and with the record that it is of, by its id in the run.
def pairs($at; $key; $of; $was; $now):
  if ($was | type) == "object" and ($now | type) == "object" then
    (if ($was.id | type) == "string" then $was.id else $of end) as $own
    | (($was + $now) | keys[] | . as $name | select(is_given or ($was[$name] | has_undue))) as $name
    | ($at + (if $name | test("^[A-Za-z_][A-Za-z0-9_]*$") then "." + $name else "[" + ($name | tojson) + "]" end)) as $place
    | if ($now | has($name) | not) then {at: $place, name: $name, is: "lacking", was: ($was[$name] | hidden($name))}
      elif ($was | has($name) | not) then {at: $place, name: $name, is: "new", now: ($now[$name] | hidden($name))}
      else pairs($place; $name; $own; $was[$name]; $now[$name]) end
  elif ($was | type) == "array" and ($now | type) == "array" then
    if ($was | length) != ($now | length) then {at: $at, is: "longer", was: ($was | length), now: ($now | length)}
    else range($was | length) as $i | pairs("\($at)[\($i)]"; $key; $of; $was[$i]; $now[$i]) end
  else {at: $at, name: $key, key: $key, of: $of, is: "value", was: $was, now: $now} end;

def otherwise($what; $is_due): .hard += [{call: .call, what: $what, is_due: $is_due}];
def doubtful($what): if .soft == null then .soft = {call: .call, what: $what} else . end;
# Whether a status is one that the failure asks for; where it names none, one that doesn't say that the call went wrong.
def is_status_due: if ($finding[0].statuses | length) > 0 then . as $status | any($finding[0].statuses[]; . == $status)
  else ($finding[0].is_found | not) and . != 0 and . != 401 and . != 429 and . < 500 end;
# Whether a call breaks a rule on purpose as the one to blame does, and was let through as that was.
def is_like_blamed: . as $call | ($run[] | select(.n == $finding[0].blamed)) as $blamed
  | $call.wrong == true and $blamed.wrong == true and ($finding[0].statuses | length) > 0 and $call.status == $blamed.status;
def number: if type == "number" then . elif type == "string" then (tonumber? // null) else null end;
def bound: $finding[0].expected | capture("^(?<than>at most|less than|at least|more than) (?<bound>-?[0-9.]+)$")? // null;
# Whether what is there now is what was due, as far as the failure says so in one value.
def fits: . as $now
  | if bound != null then (bound | .bound |= tonumber) as $due | (number) as $here
      | $here != null and (if $due.than == "at most" then $here <= $due.bound elif $due.than == "less than" then $here < $due.bound
        elif $due.than == "at least" then $here >= $due.bound else $here > $due.bound end)
    elif type == "number" or type == "boolean" or . == null then tojson == $finding[0].expected
    else true end;
# Whether a difference is what the failure is about: the value that it names, where an answer has it; or else a member that it
# names, or which entries a list has. Where a text that wasn't due is gone, or a call that broke the same rule is refused, it
# may be so before the call that showed it too.
def is_due($pair):
  if ($finding[0].statuses | length) > 0 then false
  elif $finding[0].is_found then ($pair.is == "value" or $pair.is == "lacking") and ($pair.was | if type == "string" then . else tojson end) == $finding[0].actual and ($pair.now | fits)
  elif ($pair.was | has_undue) and ($pair.now | has_undue | not) then "gone"
  else ($pair.at | test("\\[")) or $pair.is == "longer" or $pair.at == "its text"
    or ($pair.name as $name | ($name // "") != "" and ($finding[0].told | contains($name))) end;
# Both texts are new each time: whoever was the one is the other from now on.
def same($was; $now; $pair):
  if $was == $now and (.forth[$was] == null) and (.back[$now] == null) then .forth[$was] = $now | .back[$now] = $was
  elif (.forth[$was] // $now) == $now and (.back[$now] // $was) == $was then .forth[$was] = $now | .back[$now] = $was
  else otherwise("has another one in \($pair.at | plain) than was due by the run, \($pair.now | shown)"; is_due($pair)) end;
def differs($pair): otherwise("has \($pair.now | shown) in \($pair.at | plain), in the run \($pair.was | shown)"; is_due($pair));

# Calls that begin within so many seconds of each other may be done in one millisecond.
def at_once: 0.05;

# How often a record was changed before, by how much at a time, and whether by the target itself meanwhile, is the target's
# own; that it rises with a change, and never falls, is not.
def is_count($pair): $pair.key == "version" and ($pair.was | type) == "number" and ($pair.now | type) == "number"
  and ($finding[0].told | contains("version") | not);
def counted($pair):
  .versions[$pair.of // ""] as $before | .versions[$pair.of // ""] = {was: $pair.was, now: $pair.now}
  | if $before == null or $pair.now > $before.now or ($pair.now == $before.now and $pair.was <= $before.was)
      or ($pair.now < $before.now and $pair.was < $before.was) then .
    else otherwise("has \($pair.now) in \($pair.at | plain) after \($before.now), in the run \($pair.was) after \($before.was)"; is_due($pair)) end;
# When a courier will be there is the target's guess.
def is_guess: . as $name | startswith("eta_") and ($finding[0].told | contains($name) | not);

# A courier company is another one wherever others' pairing codes are used.
def is_company: endswith(".courier_company.name");

# What a pin looks like is the target's own, unless the failure is about it.
def is_another_pin($was; $now): if $finding[0].told | contains("delivery_pin")
  then ($was | test("^[0-9]+$")) and ($now | test("^[0-9]+$")) and ($was | length) == ($now | length)
  else all($was, $now; test("[^ ]")) end;

def origin: "^https?://[^/?#]+";
def texts($pair):
  $pair.was as $was | $pair.now as $now
  | if $pair.at | is_company then same($was; $now; $pair)
    elif ($was | test(origin)) and ($now | test(origin)) then
      same($was | match(origin).string; $now | match(origin).string; $pair)
      | texts($pair + {was: ($was | sub(origin; "")), now: ($now | sub(origin; ""))})
    elif ($was | contains("[redacted]")) then .
    elif $pair.key == "message" and $was != "" and $now != "" then .
    elif ($was | test(instant)) and ($now | test(instant)) then
      if ($was | capture(instant).zone) != ($now | capture(instant).zone) then differs($pair)
      else
        if $pair.key | is_guess then . else .times += [{call: .call, pair: $pair, off: (($was | seconds) - .began.was - ($now | seconds) + .began.now)}] end
        | if $pair.key | test("^(created|updated|assigned|picked_up|delivered|cancelled|returned)_at$") then
            # Two records may be of one instant by chance, and one record too that is changed twice at once.
            "\($pair.of) \($pair.key) \($was)" as $one | "\($pair.of) \($pair.key) \($now)" as $other
            | (.began.was - (.seen[$one] // .began.was) >= at_once) as $is_apart
            | if ((.forth[$one] // $other) != $other and $is_apart) or (.back[$other] // $one) != $one
              then doubtful("has the same time as before in \($pair.at | plain), in the run another one, or the other way round") else . end
            | .forth[$one] = $other | .back[$other] = $one | .seen[$one] = .began.was
          else . end
      end
    elif $pair.key == "delivery_pin" and is_another_pin($was; $now) then .
    else
      ($was | ids) as $one | ($now | ids) as $other
      | ($was | around_ids) as $plain | ($now | around_ids) as $plainly
      | if ($one | length) != ($other | length) or ($plain | length) != ($plainly | length) then differs($pair)
        else
          reduce range($one | length) as $i (.;
            if ($one[$i] | ascii_downcase) == $one[$i] and ($other[$i] | ascii_downcase) != $other[$i] then differs($pair)
            elif ($one[$i] | ascii_downcase) != $one[$i] and ($other[$i] | ascii_downcase) == $other[$i] then differs($pair)
            else same($one[$i] | ascii_downcase; $other[$i] | ascii_downcase; $pair) end)
          | reduce range($plain | length) as $i (.;
              if $plain[$i] == $plainly[$i] then .
              else
                ($plain[$i] | segments) as $some | ($plainly[$i] | segments) as $others
                | if ($some | length) != ($others | length) then differs($pair)
                  else reduce range($some | length) as $j (.;
                    if $some[$j] == $others[$j] then .
                    elif ($some[$j] | made) and ($others[$j] | made) then same($some[$j]; $others[$j]; $pair)
                    else differs($pair) end)
                  end
              end)
        end
    end;

def compared($all):
  ($all | if .is == "value" then .was |= hidden($all.key) | .now |= hidden($all.key) else . end) as $pair |
  if $pair.is == "lacking" then otherwise("has no \($pair.at | plain), in the run \($pair.was | shown)"; is_due($pair))
  elif $pair.is == "new" then otherwise("has \($pair.now | shown) in \($pair.at | plain), in the run it had none"; is_due($pair))
  elif $pair.is == "longer" then otherwise("has \($pair.now) entries in \($pair.at | if . == "" then "its list" else plain end), in the run \($pair.was)"; is_due($pair))
  elif is_count($pair) then counted($pair)
  elif ($pair.was | type) == "string" and ($pair.now | type) == "string" then
    if $pair.was == $pair.now and ($pair.was | test(id) | not) and ($pair.was | test(instant) | not) and ($pair.was | test(origin) | not) and ($pair.at | is_company | not) then . else texts($pair) end
  elif $pair.was == $pair.now then .
  elif $pair.key == "couriers_on_shift" and ($pair.was | type) == ($pair.now | type) and .is_set == false then .
  else differs($pair) end;

# Of lists that hold all of an integrator what others have made in it is no matter; known is what the sequence had before.
def known($texts): [.id // .store_id, (.external_ref // .external_store_id)] | map(select(type == "string") | ids[] | ascii_downcase) | any($texts[.] != null);
def is_list: .method == "GET" and (.path | test("/v1/(deliveries|stores|webhooks|delivery-areas)([?].*)?$"));
# Of which records the run had more than the calls make, where an answer may hang on their number.
def crowd: if is_list or (.method == "POST" and (.path | test("/v1/webhooks$")))
  then (.path | capture("/v1/(?<kind>deliveries|webhooks)([?].*)?$")? // null | .kind?) as $kind
    | if any($finding[0].crowded[]; . == $kind) then $kind else null end
  else null end;
def has_others: type == "object" and .others == true;
def without_others($texts): map(select((type != "object") or (.id // .store_id | type) != "string" or known($texts)));
def only_own($texts):
  if type == "array" then without_others($texts)
  elif type == "object" then
    reduce keys[] as $name (.; if .[$name] | type == "array" then
      (.[$name] | without_others($texts)) as $own
      | if ($own | length) < (.[$name] | length) then .others = true | .[$name] = $own else . end else . end)
  else . end;

# Which records stand on one page of several is also the others' doing. A last page may have a cursor too.
def is_part: type == "object" and (if (.has_more | type) == "boolean" then .has_more else .next_cursor != null end);
def goes_on: .path | test("[?&]since=");

# Whether what is one's own in a list shows the failure already, whatever others have made: it has what wasn't due, or lacks what was.
def leaves: [paths(type != "object" and type != "array") as $path
  | {name: ([$path[] | strings] | last // ""), text: (getpath($path) | if type == "string" then . else tojson end)}];
def shows($forth): leaves as $own
  | ($finding[0].is_found and any($own[]; .name as $name | .text == $finding[0].actual and ($finding[0].told | contains($name))))
    or any($finding[0].undue[]; . as $undue | any($own[]; .text == $undue))
    or any($finding[0].lacking[]; . as $lacking | $forth[ascii_downcase] != null and all($own[]; .text != $lacking));

# Of records that were made while others were being made it is chance which stands where in a list, or on which page.
def is_chance($one; $other; $spells; $back):
  ($one | type) == "object" and ($other | type) == "object" and ($one.id | type) == "string" and ($other.id | type) == "string"
  and (($one.id | ascii_downcase) as $was | $back[$other.id | ascii_downcase] as $now
    | $now != null and $was != $now and $spells[$was] != null and $spells[$was] == $spells[$now]);
def without_chance($spells; $back):
  . as [$one, $other]
  | if ($one | type) == "array" and ($other | type) == "array" and ($one | length) == ($other | length) then
      [range($one | length) | select(is_chance($one[.]; $other[.]; $spells; $back) | not)] as $kept
      | [[$kept[] | $one[.]], [$kept[] | $other[.]]]
    elif ($one | type) == "object" and ($other | type) == "object" then
      reduce ($one | keys[]) as $name (.; [.[0][$name], .[1][$name]] as $members
        | if ($members | map(type)) == ["array", "array"] then ($members | without_chance($spells; $back)) as $left
            | .[0][$name] = $left[0] | .[1][$name] = $left[1]
          else . end)
    else . end;

# Of a page that is too long to be kept: which records there are.
def with_ids_alone: if type == "object" then map_values(if type == "array"
  then map(if type == "object" and (.id | type) == "string" then {id} else . end) else . end) else . end;

def headers: gsub("\r"; "") | rtrimstr("\n") | split("\n\n") | map(select(. != "")) | (last // "") | split("\n")[1:]
  | map(capture("^(?<name>[^:]+):[ \t]*(?<value>.*)$") | {(.name | ascii_downcase): .value}) | add // {};
def body: (try (fromjson | select(type == "object" or type == "array") | {json: .}) catch null) // {text: .};
def kind: if . == null then "none" elif test("^[0-9]+$") then "a number" else . end;
def media: if . == null then null else ascii_downcase | gsub(" "; "") end;

def answers($was; $now):
  if $was.status != $now.status then
    otherwise(if $now.status == 0 then "was not answered, in the run \($was.status)"
      elif $was.status == 0 then "was answered \($now.status), in the run not at all"
      else "was answered \($now.status), in the run \($was.status)" end; if $now.status | is_status_due | not then null elif .call | is_like_blamed then "gone" else true end)
  elif $was.loose or $was.status == 0 then .
  else
    reduce ("retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "content-type") as $name (.;
      ($was.headers[$name]) as $one | ($now.headers[$name]) as $other
      | if $name == "content-type" and ($one | media) == ($other | media) then .
        elif $name != "content-type" and $name != "x-ratelimit-limit" and ($one | kind) == ($other | kind) then .
        elif $one == $other then .
        else otherwise("has \($other // "no" | plain) as \($name), in the run \($one // "none" | plain)";
            $name == "content-type" or ($finding[0].told | ascii_downcase | contains($name))) end)
    | ($now.json | if $was.ids_alone then with_ids_alone else . end) as $json
    | if $was.ids_alone then .is_partly = true else . end
    | if $was.cut then .cut = (.cut // .call)
      elif $was.json != null and $json != null then
        (if .call | is_list then
          .forth as $forth | .back as $back | .spells as $spells
          | [($was.json | only_own($forth)), ($json | only_own($back))]
          | any(.[]; has_others) as $is_mixed
          | (if $is_mixed then map(if type == "object" then del(.others, .next_cursor, .has_more) else . end) else . end
            | without_chance($spells; $back)) + [$is_mixed]
        else [$was.json, $json, false] end) as [$one, $other, $is_mixed]
        | .forth as $forth | if $is_mixed and ($one | shows($forth) | not) then .mixed = .call else . end
        | if .call.method == "POST" and ($one | type) == "object" and ($one.id | type) == "string" then .spells[$one.id | ascii_downcase] = .call.spell else . end
        | if $is_mixed and (any($was.json, $json; is_part) or (.call | goes_on)) then otherwise("is a page with what others had made too"; false)
          else reduce pairs(""; ""; ""; $one; $other) as $pair (.; compared($pair)) end
      elif $was.json != null then otherwise("has no JSON, in the run it had"; true)
      elif $now.json != null then otherwise("has JSON, in the run it had none"; true)
      elif $was.text != null then compared({at: "its text", key: "", is: "value", was: $was.text, now: $now.text})
      elif $was.size != $now.size then otherwise("has \($now.size) bytes, in the run \($was.size)"; true)
      else . end
  end;

def name: if .control then "the control interface" else "call \(.n) (\(.method) \(.path | gsub(id; "…") | plain))" end;
# Milliseconds are chance, and seconds may be.
def sure: 120;
def median: sort | .[length / 2 | floor];

$ARGS.named as $files
| ($run[] | select(.n == $finding[0].blamed) | .group) as $last
| [$run[] | . + {now: (.n as $n
    # From 1.8 on jq takes no number with white space around it.
    | ($files["status_\($n)"] | rtrimstr("\n") | split(" ")) as $status
    | {status: ($status[0] // "0" | tonumber? // 0), size: ($status[1] // "0" | tonumber? // 0), began: ($status[2] // "0" | tonumber? // 0)}
      + {headers: ($files["headers_\($n)"] | headers)} + ($files["body_\($n)"] | body))}]
# Side by side it is chance who is first.
| [group_by(.group)[] | if length > 1 and map(.status) != map(.now.status) and (map(.status) | sort) == (map(.now.status) | sort)
    then [., (sort_by(.status) | map(.status)), (map(.now) | sort_by(.status))] as [$all, $one, $other]
      | range(length) | $all[.] + {status: $one[.], now: $other[.], loose: true}
    else .[] end] as $calls
| reduce $calls[] as $one ({hard: [], forth: {}, back: {}, spells: {}, seen: {}, versions: {}, times: [], is_set: any($run[]; .control and (.path | startswith("/stores/")))}
    | reduce range(0; $ARGS.positional | length; 2) as $i (.;
        .forth[$ARGS.positional[$i] | ascii_downcase] = ($ARGS.positional[$i + 1] | ascii_downcase)
        | .back[$ARGS.positional[$i + 1] | ascii_downcase] = ($ARGS.positional[$i] | ascii_downcase));
    if any(.hard[]; .call.group < $last and .is_due != "gone") then .
    else
      .call = $one | .began = {was: $one.began, now: $one.now.began}
      | if $one.control then
          if $one.refused == ($one.now.status >= 400) then .
          else otherwise((if $one.refused then "took" else "refused" end) + " \($one.method) \($one.path | gsub(id; "…") | plain), in the run it did not"; false) end
        else answers($one; $one.now) end
    end)
| (if (.times | length) > 2 then .times | map(.off) | median else 0 end) as $skew
| reduce (.times[] | .off -= $skew) as $time (.;
    ($time.off | fabs) as $off | .call = $time.call
    | if $off > sure then otherwise("has a time in \($time.pair.at | plain) that lies \($off | floor) s elsewhere than in the run, \($time.pair.now | shown)"; is_due($time.pair))
      elif $off > 5 then doubtful("has a time in \($time.pair.at | plain) that lies \($off | floor) s elsewhere than in the run")
      else . end)
| [.hard[] | select(.call.group < $last and .is_due != "gone")][0] as $before
| [.hard[] | select(.call.group >= $last)] as $here
| ([$here[] | select(.is_due == null)] + [$here[] | select(.is_due)] + $here)[0] as $shown
| [$calls[] | select(.group == $last and .now.status >= 200 and .now.status < 300)] as $taken
| if $before != null then "CAN'T BE TOLD HERE: already \($before.call | name) \($before.what)"
  elif $finding[0].most != null then
    if ($taken | length) > $finding[0].most then "REPEATED: \($taken | length) of the requests that were sent at once were taken, at most \($finding[0].most) was due"
    else "NOT REPEATED: \($taken | length) of the requests that were sent at once were taken" end
  elif $shown.is_due and ($shown.call | crowd) != null then "CAN'T BE TOLD HERE: \($shown.call | name) \($shown.what); in the run the integrator had more \($shown.call | crowd) than these, without which the fault may not show"
  elif $shown.is_due then "NOT REPEATED: \($shown.call | name) \($shown.what)"
  elif $shown != null then "CAN'T BE TOLD HERE: \($shown.call | name) \($shown.what), which isn't what the failure is about"
  elif .soft != null then "CAN'T BE TOLD HERE: \(.soft.call | name) \(.soft.what)"
  elif .cut != null then "CAN'T BE TOLD HERE: all was answered with the same statuses, but the answer to \(.cut | name) is too long to be compared"
  # What isn't a list may be about a record of others that was listed before.
  elif .mixed != null and (.mixed.group == $last or all($calls[] | select(.group == $last); is_list | not)) then "CAN'T BE TOLD HERE: \(.mixed | name) gives what others had made too, and of that nothing is compared"
  elif $finding[0].veiled != null then "CAN'T BE TOLD HERE: \($finding[0].veiled)"
  else "REPEATED: every call was answered as in the run" + (if .is_partly then "; of the longest pages it was compared which records they hold" else "" end) end
`.trim();

/** What is shown of an answer: no secrets, nothing that acts on a terminal, and not all of a long one. */
export const HARMLESS = String.raw`.[0:20000] | gsub("(?<key>\"(client_secret|access_token|secret|pairing_code)\"\\s*:\\s*)\"([^\"\\\\]|\\\\.)*(\"|$)"; .key + "\"[redacted]\"") | gsub("[\n\t]"; " ") | gsub("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}]"; "\ufffd") | .[0:2000]`;
