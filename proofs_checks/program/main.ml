(* The shell around the extracted program: it speaks the conformance kit's protocol, a JSON object a line.
   It reads requests, asks the questions of the program that [Tgite.start] returns, and writes what was played.
   Which questions those are, and what is refused, the extracted program decides. *)

module Json = Yojson.Safe
module Zarith = Z
open Tgite
module Z = Zarith

exception Refused of string (* a request that cannot be read as what [start] takes *)

let fuel = Z.pow (Z.of_int 2) 64 (* duels of a match and epochs or phases of a policy: more than can be played *)
let constants = constants_at (Z.pow (Z.of_int 2) 64)

(* Reading *)

let refuse name = raise (Refused ("cannot read " ^ name))
let field name json = match Json.Util.member name json with `Null -> refuse name | value -> value

let whole name = function `Int n -> Z.of_int n | `Intlit text -> Z.of_string text | _ -> refuse name
let integer name json = whole name (field name json)
let integers name json = match field name json with `List all -> List.map (whole name) all | _ -> refuse name
let text name json = match field name json with `String text -> text | _ -> refuse name

let digits name text =
  let decimal = String.length text > 0 && String.for_all (fun c -> c >= '0' && c <= '9') text in
  if decimal then Z.of_string text else refuse name

(* "1/10" and "2^-64": numerator and denominator *)
let rational name text =
  let between mark =
    match String.index_opt text mark with
    | None -> (digits name text, Z.one)
    | Some at -> (digits name (String.sub text 0 at), digits name (String.sub text (at + 1) (String.length text - at - 1)))
  in
  let above, below =
    match String.index_opt text '^' with
    | Some at when at + 1 < String.length text && text.[at + 1] = '-' ->
        let exponent = digits name (String.sub text (at + 2) (String.length text - at - 2)) in
        (Z.one, Z.pow (digits name (String.sub text 0 at)) (Z.to_int exponent))
    | _ -> between '/'
  in
  if Z.sign below = 0 then refuse name else { qnum = above; qden = below }

(* The same, and "1/40 * 6/pi^2" *)
let level name json =
  let text = text name json and factor = " * 6/pi^2" in
  let rest = String.length text - String.length factor in
  if rest > 0 && String.sub text rest (String.length factor) = factor then
    { rational = rational name (String.sub text 0 rest); basel = Z.one }
  else { rational = rational name text; basel = Z.zero }

let choose name values json =
  match List.assoc_opt (text name json) values with Some value -> value | None -> refuse name

let choices json =
  let last_or_first = [ ("last", false); ("first", true) ] in
  {
    pairs_are = choose "pairing" [ ("consecutive", Consecutive); ("fold", Fold); ("halves", Halves) ] json;
    bye_is_first = choose "bye" last_or_first json;
    bye_stands_first = choose "bye_place" last_or_first json;
    later_first = choose "arguments" [ ("earlier-first", false); ("later-first", true) ] json;
    candidates_are =
      choose "candidates"
        [ ("incumbent-first", IncumbentFirst); ("incumbent-last", IncumbentLast); ("ascending", Ascending) ]
        json;
    screening_descends = choose "screening" [ ("ascending", false); ("descending", true) ] json;
    byes_are = choose "byes" [ ("last", ByesLast); ("first", ByesFirst); ("spread", Spread) ] json;
  }

let quarter = { rational = { qnum = Z.one; qden = Z.of_int 4 }; basel = Z.zero }

(* The algorithms by name, and how their parameters are read; arms count from [first]. *)
let algorithms =
  let arm first name json = Z.sub (integer name json) first in
  let pass main_text start epsilon first json =
    Pass (main_text, integer "N" json, arm first start json, level epsilon json)
  and pair first json = Pair (arm first "u" json, arm first "v" json, level "delta" json) in
  [
    ("bkt", fun first json ->
        Tournament (List.map (fun a -> Z.sub a first) (integers "S" json), level "delta" json));
    ("tree_ascent", pass false "b" "epsilon");
    ("tree_ascent_power_of_two", pass true "b" "epsilon");
    ("screen_and_replace", fun first json ->
        Epoch (integer "N" json, arm first "c" json, level "rho" json, level "kappa" json));
    ("tg_ite_bai", pass false "b_0" "delta");
    ("tg_ite_weak", fun first json ->
        let given = Json.Util.member "warm_start" json <> `Null in
        WeakPolicy (integer "N" json, arm first "b_0" json, if given then level "warm_start" json else quarter));
    ("tg_ite_strong_known_horizon", fun first json ->
        KnownHorizon (integer "N" json, arm first "b_0" json, integer "H" json));
    ("tg_ite_strong_anytime", fun first json -> Anytime (integer "N" json, arm first "b_0" json));
  ]
  |> List.concat_map (fun (name, read) -> [ (name, (false, read)); (name ^ "_g", (true, read)) ])
  |> List.append [ ("duel_test", (false, pair)); ("budgeted_duel_test", (true, pair)) ]

(* A request's program, and the number by which the first arm is called. *)
let program_of request =
  let json = field "parameters" request in
  let first = integer "first_arm" (field "conventions" json) in
  let known_gap, read =
    match List.assoc_opt (text "algorithm" request) algorithms with Some row -> row | None -> refuse "algorithm"
  in
  let gap = if known_gap then Some (rational "g" (text "g" json)) else None in
  match start constants fuel (choices (field "conventions" json)) gap (read first json) with
  | None -> raise (Refused "not an input that the paper admits")
  | Some program -> (program, first)

(* Writing *)

let number z : Json.t = if Z.fits_int z then `Int (Z.to_int z) else `Intlit (Z.to_string z)
let say kind fields = print_endline (Json.to_string (`Assoc (("type", `String kind) :: fields)))

let written { rational = { qnum; qden }; basel } =
  Printf.sprintf "%s/%s%s" (Z.format "%#x" qnum) (Z.format "%#x" qden) (if Z.sign basel > 0 then " * 6/pi^2" else "")

let undecided () =
  prerr_endline "undecided: no precision tried decides whether a match is over";
  exit 3

(* Duel by duel: ask the next question, and return the program that waits for its answer. *)
let rec ask first program =
  let arm a = number (Z.add a first) in
  match program with
  | Ask (Over _, _, _, next) -> ask first (next true)
  | Ask (Single, u, v, _) -> say "duel" [ ("arms", `List [ arm u; arm v ]) ]; program
  | Ask (Rounds n, a, _, _) -> say "self_play" [ ("arm", arm a); ("rounds", number n) ]; program
  | Ret (Some answer) -> say "result" [ ("arm", match answer with Some a -> arm a | None -> `Null) ]; program
  | Ret None -> undecided ()

let told first answer = function Ask (_, _, _, next) -> ask first (next answer) | Ret _ -> refuse "an answer"

(* A whole tape: the outcomes of a pair's matches, packed, and where to stop *)
let play first horizon tape program =
  let arm a = number (Z.add a first) and matches = ref [] and self_play = ref [] in
  let write u v length winner rest = matches := `List ([ arm u; arm v; `Int length; winner ] @ rest) :: !matches in
  let played answer rest =
    say "played"
      ([ ("matches", `List (List.rev !matches)); ("self_play", `List (List.rev !self_play)); ("result", answer) ] @ rest)
  in
  let at_horizon rounds = match horizon with Some h -> Z.geq rounds h | None -> false in
  (* The match that is being played: its arms, its outcomes, and how many of them have been taken. *)
  let rec go rounds current program =
    let cut answer rest =
      Option.iter (fun (u, v, _, k) -> write u v k `Null []) current;
      played answer rest
    in
    match (program, current) with
    | Ret None, _ -> undecided ()
    | Ret (Some answer), _ -> cut (match answer with Some a -> arm a | None -> `Null) []
    | Ask (Over (level, winner), _, _, next), Some (u, v, _, k) ->
        write u v k (arm winner) [ `String (written level) ];
        go rounds None (next true)
    | Ask (Over _, _, _, _), None -> failwith "a match of no duels"
    | Ask (_, _, _, _), _ when at_horizon rounds -> cut `Null []
    | Ask (Rounds n, a, _, next), _ ->
        let n = match horizon with Some h -> Z.min n (Z.sub h rounds) | None -> n in
        self_play := `List [ arm a; number n ] :: !self_play;
        go (Z.add rounds n) None (next true)
    | Ask (Single, u, v, next), _ ->
        let low = Z.min u v in
        let outcomes, k = match current with Some (_, _, text, k) -> (text, k) | None -> (next_match low (Z.max u v), 0) in
        if k / 4 >= String.length outcomes then cut `Null [ ("wanted", `List [ arm u; arm v ]) ]
        else
          let digit = Char.code outcomes.[k / 4] in
          let low_wins = ((digit - if digit < 58 then 48 else 87) lsr (3 - (k mod 4))) land 1 = 1 in
          go (Z.succ rounds) (Some (u, v, outcomes, k + 1)) (next (low_wins = Z.equal u low))
  and next_match low high =
    match Hashtbl.find_opt tape (Z.add low first, Z.add high first) with
    | Some (outcomes :: rest) -> Hashtbl.replace tape (Z.add low first, Z.add high first) rest; outcomes
    | _ -> ""
  in
  go Z.zero None program

let tape_of request =
  let tape = Hashtbl.create 64 in
  let row = function
    | `List (low :: high :: outcomes) ->
        let key = (whole "tape" low, whole "tape" high) in
        Hashtbl.replace tape key (List.map (function `String text -> text | _ -> refuse "tape") outcomes)
    | _ -> refuse "tape"
  in
  (match field "tape" request with `List rows -> List.iter row rows | _ -> refuse "tape");
  tape

let hello () =
  say "hello"
    [
      ("protocol", `Int 1);
      ("name", `String "tgite, extracted from Coq");
      ("algorithms", `List (List.map (fun (name, _) -> `String name) algorithms));
      ("modes", `List [ `String "duel"; `String "batch" ]);
    ]

(* [running]: the program that waits for an answer, if there is one *)
let rec serve running =
  match input_line stdin with
  | exception End_of_file -> ()
  | line -> (
      let request = Json.from_string line in
      match (text "type" request, running) with
      | "bye", _ -> ()
      | "hello", _ -> hello (); serve None
      | "stop", _ -> serve None
      | "start", _ -> serve (guarded (fun () -> let program, first = program_of request in (first, ask first program)))
      | "play", _ ->
          ignore (guarded (fun () ->
              let program, first = program_of request in
              let horizon = if Json.Util.member "horizon" request = `Null then None else Some (integer "horizon" request) in
              play first horizon (tape_of request) program));
          serve None
      | "outcome", Some (first, program) ->
          serve (Some (first, told first (field "first_wins" request = `Bool true) program))
      | "noted", Some (first, program) -> serve (Some (first, told first true program))
      | kind, _ -> failwith ("out of turn: " ^ kind))

and guarded : 'a. (unit -> 'a) -> 'a option = fun run ->
  try Some (run ()) with Refused why -> say "refusal" [ ("message", `String why) ]; None

let () = serve None
