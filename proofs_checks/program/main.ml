(* The shell around the extracted program: it speaks the conformance kit's protocol, a JSON object a line.

   It reads requests, asks the questions of the program that [Tgite.start] returns, and writes what was
   played. Which questions those are and what is refused, the extracted program decides.

   [tgite-proved BITS] begins with enclosures in units of 2^-BITS, 2^-64 if nothing is said. *)

module Json = Yojson.Safe
module Zarith = Z
open Tgite
module Z = Zarith

exception Refused of string (* a request that cannot be read as what [start] takes *)

let two_to = Z.pow (Z.of_int 2)
let fuel = two_to 64 (* duels of a match, and epochs or phases of a policy: more than can be played *)
let bits = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 64
let constants = constants_at (two_to bits)

(* Reading *)

let refuse name = raise (Refused ("cannot read " ^ name))
let field name json = match Json.Util.member name json with `Null -> refuse name | value -> value
let given name json = Json.Util.member name json <> `Null
let text name json = match field name json with `String text -> text | _ -> refuse name
let whole name = function `Int n -> Z.of_int n | `Intlit text -> Z.of_string text | _ -> refuse name
let integer name json = whole name (field name json)
let all name json = match field name json with `List values -> values | _ -> refuse name

let digits name text =
  let decimal c = c >= '0' && c <= '9' in
  if text <> "" && String.for_all decimal text then Z.of_string text else refuse name

(* "1/10", "1" and "2^-64" *)
let rational name text =
  let above, below =
    match (String.split_on_char '/' text, String.split_on_char '^' text) with
    | [ above; below ], _ -> (digits name above, digits name below)
    | _, [ base; power ] when power <> "" && power.[0] = '-' ->
        let exponent = digits name (String.sub power 1 (String.length power - 1)) in
        (Z.one, Z.pow (digits name base) (Z.to_int exponent))
    | _ -> (digits name text, Z.one)
  in
  if Z.sign below = 0 then refuse name else { qnum = above; qden = below }

(* The same, and "1/40 * 6/pi^2" *)
let written_level name text =
  let factor = " * 6/pi^2" in
  let rest = String.length text - String.length factor in
  if rest > 0 && String.sub text rest (String.length factor) = factor then
    { rational = rational name (String.sub text 0 rest); basel = Z.one }
  else { rational = rational name text; basel = Z.zero }
let level name json = written_level name (text name json)

let choices json =
  let choose name values = try List.assoc (text name json) values with Not_found -> refuse name in
  let first name = choose name [ ("last", false); ("first", true) ] in
  { pairs_are = choose "pairing" [ ("consecutive", Consecutive); ("fold", Fold); ("halves", Halves) ];
    bye_is_first = first "bye";
    bye_stands_first = first "bye_place";
    later_first = choose "arguments" [ ("earlier-first", false); ("later-first", true) ];
    candidates_are = choose "candidates"
        [ ("incumbent-first", IncumbentFirst); ("incumbent-last", IncumbentLast); ("ascending", Ascending) ];
    screening_descends = choose "screening" [ ("ascending", false); ("descending", true) ];
    byes_are = choose "byes" [ ("last", ByesLast); ("first", ByesFirst); ("spread", Spread) ] }

(* The pairwise tests: the ending of what is played with them, and their own names. *)
let tests =
  let told test json = test (rational "g" (text "g" json)) in
  [ ("", "duel_test", fun _ -> Duel_test);
    ("_g", "budgeted_duel_test", told (fun g -> Budgeted_test g));
    ("_mixture", "mixture_test", fun _ -> Mixture_test);
    ("_sprt", "sprt_test", told (fun g -> Sprt_test g));
    ("_truncated_sprt", "truncated_sprt_test", told (fun g -> Truncated_sprt_test g)) ]

(* The algorithms: how the test and the other parameters are read. Arms count from [first]. *)
let algorithms =
  let arm_of first name json = Z.sub (whole name json) first in
  let arm first name json = arm_of first name (field name json) in
  let pair first json = Pair (arm first "u" json, arm first "v" json, level "delta" json) in
  let pass main start eps first json = Pass (main, integer "N" json, arm first start json, level eps json) in
  [ ("bkt", fun first json -> Tournament (List.map (arm_of first "S") (all "S" json), level "delta" json));
    ("tree_ascent", pass false "b" "epsilon"); ("tree_ascent_power_of_two", pass true "b" "epsilon");
    ("screen_and_replace", fun first json ->
        Epoch (integer "N" json, arm first "c" json, level "rho" json, level "kappa" json));
    ("tg_ite_bai", pass false "b_0" "delta");
    ("tg_ite_weak", fun first json ->
        let warm_start = if given "warm_start" json then level "warm_start" json else written_level "warm_start" "1/4" in
        WeakPolicy (integer "N" json, arm first "b_0" json, warm_start));
    ("tg_ite_strong_known_horizon", fun first json ->
        KnownHorizon (integer "N" json, arm first "b_0" json, integer "H" json));
    ("tg_ite_strong_anytime", fun first json -> Anytime (integer "N" json, arm first "b_0" json)) ]
  |> List.concat_map (fun (name, read) -> List.map (fun (ending, _, test) -> (name ^ ending, (test, read))) tests)
  |> List.append (List.map (fun (_, name, test) -> (name, (test, pair))) tests)

(* A request's program, and the number by which its first arm is called. *)
let program_of request =
  let json = field "parameters" request in
  let first = integer "first_arm" (field "conventions" json) in
  let test, read = try List.assoc (text "algorithm" request) algorithms with Not_found -> refuse "algorithm" in
  match start constants fuel (choices (field "conventions" json)) (test json) (read first json) with
  | None -> raise (Refused "the paper does not admit this input")
  | Some program -> (first, program)

(* Writing *)

let say kind fields = print_endline (Json.to_string (`Assoc (("type", `String kind) :: fields)))
let number z = `Intlit (Z.to_string z)
let arm first a = number (Z.add a first)
let answer first = function None -> `Null | Some a -> arm first a

let written { rational = { qnum; qden }; basel } =
  Z.format "%#x" qnum ^ "/" ^ Z.format "%#x" qden ^ if Z.sign basel > 0 then " * 6/pi^2" else ""

let undecided () =
  prerr_endline "undecided: the enclosures that were tried do not tell whether a match is over"; exit 3

(* Duel by duel: ask the next question, and return the program that waits for its answer. *)
let rec ask (first, program) =
  match program with
  | Ask (Over _, _, _, next) -> ask (first, next true)
  | _ -> (match program with
      | Ask (Rounds n, a, _, _) -> say "self_play" [ ("arm", arm first a); ("rounds", number n) ]
      | Ask (_, u, v, _) -> say "duel" [ ("arms", `List [ arm first u; arm first v ]) ]
      | Ret (Some result) -> say "result" [ ("arm", answer first result) ]
      | Ret None -> undecided ());
      (first, program)

let told reply (first, program) =
  match program with Ask (_, _, _, next) -> ask (first, next reply) | Ret _ -> failwith "nothing was asked"

(* A whole tape: for each pair the packed outcomes of its matches *)
let play horizon tape (first, program) =
  let arm = arm first and matches = ref [] and blocks = ref [] in
  let note u v k winner rest = matches := `List ([ arm u; arm v; `Int k; winner ] @ rest) :: !matches in
  (* [current]: the match that is being played, its outcomes, and how many of them have been taken *)
  let rec go rounds current program =
    let ended result rest =
      Option.iter (fun (u, v, _, k) -> note u v k `Null []) current;
      let fields = [ ("matches", `List (List.rev !matches)); ("self_play", `List (List.rev !blocks)) ] in
      say "played" (fields @ (("result", result) :: rest))
    in
    let left = Option.map (fun h -> Z.sub h rounds) horizon in
    match (program, current) with
    | Ret None, _ -> undecided ()
    | Ret (Some result), _ -> ended (answer first result) []
    | Ask (Over (level, winner), _, _, next), Some (u, v, _, k) ->
        note u v k (arm winner) [ `String (written level) ];
        go rounds None (next true)
    | Ask (Over _, _, _, _), None -> failwith "a match of no duels"
    | _ when left = Some Z.zero -> ended `Null []
    | Ask (Rounds n, a, _, next), _ ->
        let played = Option.fold ~none:n ~some:(Z.min n) left in
        blocks := `List [ arm a; number played ] :: !blocks;
        if Z.lt played n then ended `Null [] else go (Z.add rounds n) None (next true)
    | Ask (Single, u, v, next), _ ->
        let low, high = (Z.min u v, Z.max u v) in
        let outcomes, k = match current with Some (_, _, o, k) -> (o, k) | None -> (next_match low high, 0) in
        if k / 4 >= String.length outcomes then ended `Null [ ("wanted", `List [ arm u; arm v ]) ]
        else
          let digit = int_of_string ("0x" ^ String.make 1 outcomes.[k / 4]) in
          let low_wins = (digit lsr (3 - (k mod 4))) land 1 = 1 in
          go (Z.succ rounds) (Some (u, v, outcomes, k + 1)) (next (low_wins = Z.equal u low))
  and next_match low high =
    let pair = (arm low, arm high) in
    match Hashtbl.find_opt tape pair with
    | Some (outcomes :: rest) -> Hashtbl.replace tape pair rest; outcomes
    | _ -> ""
  in
  go Z.zero None program

let tape_of request =
  let arm one = number (whole "tape" one) and outcomes = function `String text -> text | _ -> refuse "tape" in
  let row = function `List (u :: v :: rest) -> ((arm u, arm v), List.map outcomes rest) | _ -> refuse "tape" in
  Hashtbl.of_seq (List.to_seq (List.map row (all "tape" request)))

let hello () =
  let strings = List.map (fun name -> `String name) in
  say "hello"
    [ ("protocol", `Int 1); ("name", `String "tgite, extracted from its proofs");
      ("algorithms", `List (strings (List.map fst algorithms))); ("modes", `List (strings [ "duel"; "batch" ])) ]

let rec serve running =
  let guarded run = try Some (run ()) with Refused why -> say "refusal" [ ("message", `String why) ]; None in
  let request = Json.from_string (read_line ()) in
  match (text "type" request, running) with
  | "bye", _ -> ()
  | "hello", _ -> hello (); serve None
  | "stop", _ -> serve None
  | "start", _ -> serve (guarded (fun () -> ask (program_of request)))
  | "play", _ ->
      let horizon = if given "horizon" request then Some (integer "horizon" request) else None in
      ignore (guarded (fun () -> play horizon (tape_of request) (program_of request)));
      serve None
  | "outcome", Some program -> serve (Some (told (field "first_wins" request = `Bool true) program))
  | "noted", Some program -> serve (Some (told true program))
  | kind, _ -> failwith ("out of turn: " ^ kind)

let () = try serve None with End_of_file -> ()
