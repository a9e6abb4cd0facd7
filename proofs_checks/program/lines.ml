(* What a line of input may be: strict JSON of limited size, with the fields that are known. *)

module Json = Yojson.Safe

exception Refused of string

let most_characters, most_values, most_digits, most_arms, most_entrants = (1 lsl 26, 1 lsl 22, 4300, 500_000, 30_000)

let refuse why = raise (Refused why)
let unless right why = if not right then refuse why

let line () =
  let taken = Buffer.create 256 in
  let rec go () = match input_char stdin with
    | '\n' -> ()
    | c -> if Buffer.length taken <= most_characters then Buffer.add_char taken c; go ()
    | exception End_of_file when Buffer.length taken > 0 -> ()
  in
  go ();
  unless (Buffer.length taken <= most_characters) "the line is too long";
  Buffer.contents taken

(* Yojson reads more than JSON, by recursion, and duplicate fields. *)
let parsed text =
  let depth = ref 0 and values = ref 0 and quoted = ref false and escaped = ref false in
  let mark c =
    unless (c <= '~' && (c >= ' ' || ((c = '\t' || c = '\r') && not !quoted))) "the line is not plain ASCII";
    if !escaped then escaped := false
    else if c = '"' then quoted := not !quoted
    else if !quoted then escaped := c = '\\'
    else if c = '[' || c = '{' then (incr depth; unless (!depth <= 8) "the values are too deeply nested")
    else if c = ']' || c = '}' then decr depth
    else if c = ',' then (incr values; unless (!values <= most_values) "the line has too many values")
    else unless (String.contains "\t\r :-+.eE0123456789truefalsn" c) "the line is not JSON"
  in
  String.iter mark text;
  try Json.from_string text with Yojson.Json_error _ -> refuse "the line is not JSON"

let fields (json : Json.t) = match json with `Assoc fields -> fields | _ -> refuse "an object is missing"
let known names json =
  let rec check seen = function
    | [] -> ()
    | (name, _) :: rest ->
        unless (List.mem name names && not (List.mem name seen)) "a field is unknown, or there twice";
        check (name :: seen) rest
  in
  check [] (fields json)

let unread name = refuse ("cannot read " ^ name)
let given name json = match List.assoc_opt name (fields json) with Some `Null -> None | value -> value
let field name json = match given name json with None -> unread name | Some value -> value
let text name json = match field name json with `String text -> text | _ -> unread name
let number name text = unless (String.length text <= most_digits) (name ^ " has too many digits"); Z.of_string text
let whole name = function `Int n -> Z.of_int n | `Intlit text -> number name text | _ -> unread name
let integer name json = whole name (field name json)
let all name json = match field name json with `List values -> values | _ -> unread name
let chosen name json values = try List.assoc (text name json) values with Not_found -> unread name

let digits name text =
  let decimal c = c >= '0' && c <= '9' in
  if text <> "" && String.for_all decimal text then number name text else unread name
