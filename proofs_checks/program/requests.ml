(* What a request asks for: levels, conventions, algorithms and their parameters, as [Tgite.start] takes them. *)

module Zarith = Z
open Tgite
open Lines
module Z = Zarith

let two_to = Z.pow (Z.of_int 2)
let fuel = two_to 64 (* duels of a match, and epochs or phases of a policy: more than can be played *)

(* "1/10", "1" and "2^-64" *)
let rational name text =
  let above, below =
    match (String.split_on_char '/' text, String.split_on_char '^' text) with
    | [ above; below ], _ -> (digits name above, digits name below)
    | _, [ "2"; power ] when power <> "" && power.[0] = '-' ->
        let exponent = digits name (String.sub power 1 (String.length power - 1)) in
        unless (Z.leq exponent (Z.of_int 100_000)) (name ^ " is below 2^-100000");
        (Z.one, two_to (Z.to_int exponent))
    | _ -> (digits name text, Z.one)
  in
  if Z.sign below = 0 then unread name else { qnum = above; qden = below }

(* The same, and "1/40 * 6/pi^2" *)
let written_level name text =
  let factor = " * 6/pi^2" in
  let rest = String.length text - String.length factor in
  if rest > 0 && String.sub text rest (String.length factor) = factor then
    { rational = rational name (String.sub text 0 rest); basel = Z.one }
  else { rational = rational name text; basel = Z.zero }
let level name json = written_level name (text name json)

let choices json =
  known [ "pairing"; "bye"; "bye_place"; "arguments"; "candidates"; "screening"; "byes"; "first_arm" ] json;
  let choose name values = chosen name json values in
  let first name = choose name [ ("last", false); ("first", true) ] in
  { pairs_are = choose "pairing" [ ("consecutive", Consecutive); ("fold", Fold); ("halves", Halves) ];
    bye_is_first = first "bye";
    bye_stands_first = first "bye_place";
    later_first = choose "arguments" [ ("earlier-first", false); ("later-first", true) ];
    candidates_are = choose "candidates"
        [ ("incumbent-first", IncumbentFirst); ("incumbent-last", IncumbentLast); ("ascending", Ascending) ];
    screening_descends = choose "screening" [ ("ascending", false); ("descending", true) ];
    byes_are = choose "byes" [ ("last", ByesLast); ("first", ByesFirst); ("spread", Spread) ] }

(* The pairwise tests: the ending of what is played with them, their own names, and whether they take [g]. *)
let tests =
  let told test json = test (rational "g" (text "g" json)) in
  [ ("", "duel_test", [], fun _ -> Duel_test);
    ("_g", "budgeted_duel_test", [ "g" ], told (fun g -> Budgeted_test g));
    ("_mixture", "mixture_test", [], fun _ -> Mixture_test);
    ("_sprt", "sprt_test", [ "g" ], told (fun g -> Sprt_test g));
    ("_truncated_sprt", "truncated_sprt_test", [ "g" ], told (fun g -> Truncated_sprt_test g)) ]

(* The algorithms: the names of the parameters, how test and parameters are read. Arms count from [first]. *)
let algorithms =
  let arm_of first name json = Z.sub (whole name json) first in
  let arm first name json = arm_of first name (field name json) in
  let arms first json =
    let entrants = all "S" json in
    unless (List.compare_length_with entrants most_entrants <= 0) "S has more than 30,000 arms";
    List.map (arm_of first "S") entrants
  in
  let number_of_arms json =
    let n = integer "N" json in
    unless (Z.leq n (Z.of_int most_arms)) "N is above 500,000"; n
  in
  let pair first json = Pair (arm first "u" json, arm first "v" json, level "delta" json) in
  let pass main start eps = ([ "N"; start; eps ], fun first json ->
    Pass (main, number_of_arms json, arm first start json, level eps json)) in
  let of_arms names read = ("N" :: names, fun first json -> read (number_of_arms json) first json) in
  [ ("bkt", ([ "S"; "delta" ], fun first json -> Tournament (arms first json, level "delta" json)));
    ("tree_ascent", pass false "b" "epsilon"); ("tree_ascent_power_of_two", pass true "b" "epsilon");
    ("screen_and_replace", of_arms [ "c"; "rho"; "kappa" ] (fun n first json ->
        Epoch (n, arm first "c" json, level "rho" json, level "kappa" json)));
    ("tg_ite_bai", pass false "b_0" "delta");
    ("tg_ite_weak", of_arms [ "b_0"; "warm_start" ] (fun n first json ->
        let warm_start = Option.fold ~none:"1/4" ~some:(fun _ -> text "warm_start" json) (given "warm_start" json) in
        WeakPolicy (n, arm first "b_0" json, written_level "warm_start" warm_start)));
    ("tg_ite_strong_known_horizon", of_arms [ "b_0"; "H" ] (fun n first json ->
        KnownHorizon (n, arm first "b_0" json, integer "H" json)));
    ("tg_ite_strong_anytime", of_arms [ "b_0" ] (fun n first json -> Anytime (n, arm first "b_0" json))) ]
  |> List.concat_map (fun (name, (names, read)) ->
      List.map (fun (ending, _, told, test) -> (name ^ ending, (names @ told, test, read))) tests)
  |> List.append (List.map (fun (_, name, told, test) -> (name, ([ "u"; "v"; "delta" ] @ told, test, pair))) tests)

(* A request's program, and the number by which its first arm is called. *)
let program_of constants request =
  let json = field "parameters" request in
  let conventions = field "conventions" json in
  let names, test, read = chosen "algorithm" request algorithms in
  known ("conventions" :: names) json;
  let first = integer "first_arm" conventions in
  unless (Z.equal first Z.zero || Z.equal first Z.one) "cannot read first_arm";
  match start constants fuel (choices conventions) (test json) (read first json) with
  | None -> refuse "the paper does not admit this input"
  | Some program -> (first, program)
