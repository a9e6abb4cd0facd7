(* The shell around the extracted program: it speaks the conformance kit's protocol, a JSON object a line.

   It reads requests, asks the questions of the program that [Tgite.start] returns, and writes what was
   played. Which questions those are and what is refused, the extracted program decides.

   [tgite-proved BITS] begins with enclosures in units of 2^-BITS, 2^-64 if nothing is said.

   A line that is no right message gets a refusal, and ends the run. The limits are those of docs/program.md. *)

module Json = Yojson.Safe
module Zarith = Z
open Tgite
open Lines
open Requests
module Z = Zarith

external stack_of : int -> bool = "tgite_stack_of"

let stack, heap = (100_000_000, 700_000_000) (* bytes *)

let bits =
  match Array.map int_of_string_opt Sys.argv with
  | [| _ |] -> 64
  | [| _; Some bits |] when bits >= 0 && bits <= 1024 -> bits
  | _ -> prerr_endline "usage: tgite-proved [BITS], with BITS from 0 to 1024"; exit 2

let program_of = program_of (constants_at (two_to bits))

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
    | Ask (Over _, _, _, _), None -> refuse "a match of no duels"
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
  let tape = Hashtbl.create 64 in
  let outcomes = function
    | `String text when String.for_all (String.contains "0123456789abcdefABCDEF") text -> text
    | _ -> refuse "the tape is not hexadecimal"
  in
  let row = function
    | `List (u :: v :: rest) ->
        let low, high = (whole "tape" u, whole "tape" v) in
        let pair = (number low, number high) in
        unless (Z.lt low high && not (Hashtbl.mem tape pair)) "the tape's pairs are not in order, or there twice";
        Hashtbl.add tape pair (List.map outcomes rest)
    | _ -> unread "tape"
  in
  List.iter row (all "tape" request); tape

let hello () =
  let strings = List.map (fun name -> `String name) in
  say "hello"
    [ ("protocol", `Int 1); ("name", `String "tgite, extracted from its proofs");
      ("algorithms", `List (strings (List.map fst algorithms))); ("modes", `List (strings [ "duel"; "batch" ])); ("most_arms", `Int 4096) ]

(* Answer a line; return the run that goes on. *)
let answered running line =
  let request = parsed line in
  let kind = text "type" request in
  let only names = known ("type" :: names) request and case = [ "case"; "algorithm"; "parameters" ] in
  match (kind, running) with
  | "bye", _ -> only []; exit 0
  | "hello", _ -> only [ "protocol" ]; unless (integer "protocol" request = Z.one) "the protocol is not 1"; hello (); None
  | "stop", _ -> only []; None
  | "start", _ -> only case; Some (ask (program_of request))
  | "play", _ ->
      only ("horizon" :: "tape" :: case);
      let horizon = Option.map (whole "horizon") (given "horizon" request) in
      unless (Option.fold ~none:true ~some:(Z.lt Z.zero) horizon) "the horizon is below 1";
      play horizon (tape_of request) (program_of request); None
  | "outcome", Some (first, Ask (Single, _, _, next)) ->
      only [ "first_wins" ];
      (match field "first_wins" request with
        | `Bool first_wins -> Some (ask (first, next first_wins))
        | _ -> unread "first_wins")
  | "noted", Some (first, Ask (Rounds _, _, _, next)) -> only []; Some (ask (first, next true))
  | _ -> refuse "the message is unknown, or out of turn"

(* Whether the heap is watched, so that no line is left half read *)
let watched = ref false
let takes bytes = (Gc.quick_stat ()).heap_words > bytes / 8

let rec serve running =
  let line = try Ok (line ()) with Refused why -> Error why in
  if takes (heap / 4) then Gc.compact ();
  let refused why = watched := false; say "refusal" [ ("message", `String why) ]; None in
  let next =
    match line with
    | Error why -> refused why
    | Ok line ->
      try watched := true; let next = answered running line in watched := false; next with
      | Refused why -> refused why
      | Out_of_memory | Stack_overflow | Numbers.Too_large -> refused "this takes too much memory"
  in
  serve next

let () =
  let failed why = close_out_noerr stdout; prerr_endline ("tgite-proved: " ^ why); exit 2 in
  if not (stack_of stack) then failed "the system does not allow a stack of 100 MB";
  ignore (Gc.create_alarm (fun () -> if !watched && takes heap then raise Out_of_memory));
  Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
  try serve None with End_of_file -> () | Sys_error why -> failed why
