(** * Certificates in rounds, with evidence that is kept (not in the paper)

    Stage s tries the gap g_s = 3/2^(s+3).  A finder names a champion c, and for every other arm j an arm that
    beat it.  Then the other arms are to be thrown out, in rounds r = 0, 1, ..., for each of which evidence of
    2^(2^(r+2)) against every one is asked, at most 1/a for a level a; who reaches 1/a is gone.  What is known
    against an arm is kept in a [cell] for all stages: MixtureTest's evidence of all duels so far, with weight
    [omega], and the likelihood of g_s of the stage's duels, with weight [share omega m] in the stage that is the
    m-th of the cell.
    - Nothing assumed: every champion has its own cell, of its own duels, the k-th at level [champion_level delta k].
    - A winner assumed: one cell, at level delta, of all duels in which an arm is exposed, to whomever. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith ZArith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate.
Open Scope R_scope.

Definition gap (s : nat) : R := 3 / 2 ^ (s + 3).

(** Duels, and how many of them the arm that is exposed has lost. *)
Definition counts : Type := (nat * nat)%type.
Definition nothing : counts := (0%nat, 0%nat).
Definition one_more (b : bool) (x : counts) : counts := (S (fst x), (b2n b + snd x)%nat).
Definition change {A} (j : arm) (a : A) (f : arm -> A) : arm -> A := fun i => if Nat.eqb i j then a else f i.

(** What is known against the arms, and how often it was added to. *)
Record cell : Type := { visits : nat; life : arm -> counts; gone : arm -> bool }.
Definition empty : cell := {| visits := 0; life := fun _ => nothing; gone := fun _ => false |}.

(** In a stage: the duels so far, those of the stage, those among them with the champion, how many these are, and who is
    out. *)
Record state : Type :=
  { all : arm -> counts; now : arm -> counts; own : arm -> counts; spent : nat; out : arm -> bool }.
Definition opened (x : cell) : state :=
  {| all := life x; now := fun _ => nothing; own := fun _ => nothing; spent := 0; out := gone x |}.
Definition closed (m : nat) (x : state) : cell := {| visits := m; life := all x; gone := out x |}.

(** [j] was exposed to another arm than the champion, or to the champion; [j] is out. *)
Definition exposed (j : arm) (b : bool) (x : state) : state :=
  {| all := change j (one_more b (all x j)) (all x); now := change j (one_more b (now x j)) (now x); own := own x;
     spent := spent x; out := out x |}.
Definition dueled (j : arm) (b : bool) (x : state) : state :=
  {| all := change j (one_more b (all x j)) (all x); now := change j (one_more b (now x j)) (now x);
     own := change j (one_more b (own x j)) (own x); spent := S (spent x); out := out x |}.
Definition throw_out (j : arm) (x : state) : state :=
  {| all := all x; now := now x; own := own x; spent := spent x; out := change j true (out x) |}.

(** Duels of [u] and [v] until enough is known, or the match is lost, or there were [most] of them. *)
Fixpoint go_on {X} (enough lost : X -> bool) (add : bool -> X -> X) (u v : arm) (most : nat) (x : X)
    : prog (option bool * X) :=
  if enough x then Ret (Some true, x) else if lost x then Ret (Some false, x) else
  match most with
  | O => Ret (None, x)
  | S most' => Duel u v (fun b => go_on enough lost add u v most' (add b x))
  end.

(** The levels of the rounds and of the champions; the weight of a cell's m-th stage; all of these weights and
    [omega] add up to 1. *)
Definition level_in_round (a : R) (r : nat) : R := Rmax a (/ 2 ^ (2 ^ (r + 2))).
Definition is_last (a : R) (r : nat) : bool := if Rle_dec (/ 2 ^ (2 ^ (r + 2))) a then true else false.
Definition part (k : nat) : R := 4 / ((4 * INR k + 1) * (4 * INR k + 5)).
Definition champion_level (delta : R) (k : nat) : R := delta * part k.
Definition share (omega : R) (m : nat) : R := (1 - omega) * part m.

Definition certificate_loss (N : nat) : R := / INR ((2 * N) ^ 6).
Definition stage_budget (N s : nat) (d : R) : nat := 4 * (N - 1) * bbudget truncated_sprt (gap s) d + 4 ^ (s + 3).
Definition bold_budget (s : nat) (d : R) : nat := bbudget truncated_sprt (gap (pred s)) d.

Section Certificate.
(** A stage [s] of a cell, its [m]-th, with weight [omega] for MixtureTest's evidence; the level is [a]; after
    every round the champion [c] plays itself [pause r] times. *)
Variables (N s m : nat) (omega a : R) (pause : nat -> nat) (c : arm).

Definition enough (d : R) (j : arm) (x : state) : bool :=
  reaches mixture (omega * d) (fst (all x j)) (snd (all x j)) ||
  reaches (likelihood (gap s)) (share omega m * d) (fst (now x j)) (snd (now x j)).
Definition beaten (j : arm) (x : state) : bool :=
  sinks (likelihood (gap s)) (certificate_loss N) (fst (own x j)) (snd (own x j)).

(** The champion's match. *)
Definition own_match (d : R) (j : arm) (x : state) : prog (option bool * state) :=
  go_on (enough d j) (beaten j) (dueled j) c j (stage_budget N s (share omega m * d) - spent x) x.

(** The match of the arm [u] that beat [j], given up when the likelihood of the gap of the stage before has fallen
    to 1/8. *)
Definition others (j : arm) (x : state) : counts :=
  ((fst (now x j) - fst (own x j))%nat, (snd (now x j) - snd (own x j))%nat).
Definition hopeless (j : arm) (x : state) : bool :=
  sinks (likelihood (gap (pred s))) (/ 8) (fst (others j x)) (snd (others j x)).
Definition bold_match (d : R) (u j : arm) (x : state) : prog (option bool * state) :=
  go_on (enough d j) (hopeless j) (exposed j) u j (bold_budget s d - fst (others j x)) x.

(** One arm, in a round: [Some true] if enough is known against it. *)
Definition one_arm (r : nat) (u j : arm) (x : state) : prog (option bool * state) :=
  let d := level_in_round a r in
  if out x j then Ret (Some true, x) else
  bind (bind (if Nat.eqb u c then Ret (None, x) else bold_match d u j x)
             (fun o => match o with (Some true, y) => Ret (Some true, y) | (_, y) => own_match d j y end))
       (fun o => match o with
         | (Some true, y) => Ret (Some true, if is_last a r then throw_out j y else y)
         | _ => Ret o
         end).

Fixpoint one_round (r : nat) (pairs : list (arm * arm)) (x : state) : prog (bool * state) :=
  match pairs with
  | [] => Ret (true, x)
  | (u, j) :: rest => bind (one_arm r u j x) (fun o => match o with
      | (Some true, y) => one_round r rest y
      | (_, y) => Ret (false, y)
      end)
  end.

(** Rounds from [r] on, at most [F] more, until one is not won, or after the last. *)
Fixpoint rounds (F r : nat) (pairs : list (arm * arm)) (x : state) : prog (option state) :=
  match F with
  | O => Ret None
  | S F' => bind (one_round r pairs x) (fun o => match o with
      | (true, y) => if is_last a r then Ret (Some y) else self_play (pause r) c (rounds F' (S r) pairs y)
      | (false, y) => Ret (Some y)
      end)
  end.
End Certificate.

(** Who is left, if at most one is: that arm, or else the champion. *)
Definition answer (N : nat) (c : arm) (x : cell) : option arm :=
  match filter (fun j => negb (gone x j)) (seq 0 N) with [] => Some c | [j] => Some j | _ => None end.

(** A stage of a cell: what is known after it. *)
Definition visit (N : nat) (omega a : R) (pause : nat -> nat) (F s : nat) (c : arm) (pairs : list (arm * arm))
    (x : cell) : prog (option cell) :=
  obind (rounds N s (visits x) omega a pause c F 0 pairs (opened x)) (fun y => Ret (Some (closed (S (visits x)) y))).

(** A short match of a new champion, the first of its pairs. *)
Definition screen_rule (g : R) (n s : nat) : option bool :=
  if reaches (likelihood g) (/ 256) n s then Some true
  else if sinks (likelihood g) (/ 32) n s then Some false else None.
Definition screen_budget (s : nat) : nat := 4 ^ (s + 4).
Definition screen (s : nat) (pairs : list (arm * arm)) : prog (option bool) :=
  let B := screen_budget s in within B (certify (seqtest (screen_rule (gap s)) never B 0 0) (firstn 1 pairs)).

Section Search.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variable N : nat.

(** Stages from [s] on, at most [n] more, each with at most [F] rounds; what is known is [mem]. *)
Fixpoint stages {M} (stage : nat -> M -> arm -> list (arm * arm) -> prog (option (M * option arm))) (n s : nat)
    (mem : M) : prog (option arm) :=
  match n with
  | O => Ret None
  | S n' => obind (find s) (fun cp => obind (stage s mem (fst cp) (snd cp)) (fun r => match r with
      | (_, Some i) => Ret (Some i)
      | (mem', None) => stages stage n' (S s) mem'
      end))
  end.

(** Nothing assumed. *)
Definition cells : Type := list (arm * cell).
Fixpoint position (c : arm) (l : cells) : option nat :=
  match l with
  | [] => None
  | (i, _) :: l' => if Nat.eqb i c then Some O else option_map S (position c l')
  end.
Definition cell_at (k : nat) (l : cells) : cell := snd (nth k l (0%nat, empty)).
Fixpoint put (k : nat) (x : cell) (l : cells) : cells :=
  match l, k with
  | [], _ => []
  | (i, _) :: l', O => (i, x) :: l'
  | y :: l', S k' => y :: put k' x l'
  end.
Definition omega_own : R := 1/2.
(** [F a] bounds the rounds of a stage at level [a]. *)
Definition visit_own (delta : R) (pause : nat -> nat) (F : R -> nat) (s : nat) (l : cells) (k : nat) (c : arm)
    (pairs : list (arm * arm)) : prog (option (cells * option arm)) :=
  let a := champion_level delta k in
  obind (visit N omega_own a pause (F a) s c pairs (cell_at k l)) (fun x => Ret (Some (put k x l, answer N c x))).
Definition own_stage (delta : R) (pause : nat -> nat) (F : R -> nat) (s : nat) (l : cells) (c : arm)
    (pairs : list (arm * arm)) : prog (option (cells * option arm)) :=
  match position c l with
  | Some k => visit_own delta pause F s l k c pairs
  | None => bind (screen s pairs) (fun o =>
      if certified o then visit_own delta pause F s (l ++ [(c, empty)]) (length l) c pairs else Ret (Some (l, None)))
  end.
Definition search (delta : R) (pause : nat -> nat) (F : R -> nat) (n : nat) : prog (option arm) :=
  stages (own_stage delta pause F) n 0 [].
(** More rounds than there are up to the last. *)
Definition enough_rounds (a : R) : nat := S (Z.to_nat (up (/ a))).
Definition find_then_certify (delta : R) (n : nat) : prog (option arm) := search delta (fun _ => 0%nat) enough_rounds n.

(** A winner assumed. *)
Definition omega_life : R := 9/10.
Definition life_stage (delta : R) (s : nat) (x : cell) (c : arm) (pairs : list (arm * arm))
    : prog (option (cell * option arm)) :=
  obind (visit N omega_life delta (fun _ => 0%nat) (enough_rounds delta) s c pairs x) (fun x' =>
    Ret (Some (x', answer N c x'))).
Definition find_then_certify_winner (delta : R) (n : nat) : prog (option arm) := stages (life_stage delta) n 0 empty.

(** Without an end, nothing assumed: no level is ever reached, and after round r the champion plays itself
    2^(2^(r+2) - 2r) times.  [n] bounds stages and rounds. *)
Definition self_plays (r : nat) : nat := 2 ^ (2 ^ (r + 2) - 2 * r).
Definition endless (n : nat) : prog (option arm) := search 0 self_plays (fun _ => n) n.
End Search.

(** ** Finders *)

(** The champion's own certificate: a match against every other arm. *)
Definition own_matches (N : nat) (found : option (arm * list (arm * arm))) : Prop :=
  match found with
  | None => True
  | Some (c, pairs) => (c < N)%nat /\ exists order, pairs = against c order /\ length order = (N - 1)%nat /\
                         forall j, In j order <-> (j < N)%nat /\ j <> c
  end.
(** Every other arm has one arm to lose to, and the first of them the champion. *)
Definition designated_matches (N : nat) (found : option (arm * list (arm * arm))) : Prop :=
  match found with
  | None => True
  | Some (c, pairs) => (c < N)%nat /\ length pairs = (N - 1)%nat /\
      (forall u v, In (u, v) pairs -> (u < N)%nat /\ (v < N)%nat /\ u <> v /\ v <> c) /\
      (forall j, (j < N)%nat -> j <> c -> exists u, In (u, j) pairs) /\
      (forall u v, In (u, v) (firstn 1 pairs) -> u = c)
  end.

(** Where there is a winner. *)
Definition found (w : arm) (o : option (arm * list (arm * arm))) : bool :=
  match o with Some (c, _) => Nat.eqb c w | None => false end.

(** What is asked of a finder: in every stage a champion with its matches, for few duels; and the winner, with
    probability at least 7/8, once the gap that is tried is not above [Delta]. *)
Definition C_find : R := 241/100.
Definition finds (matches : option (arm * list (arm * arm)) -> Prop) (P : arm -> arm -> R) (N : nat) (w : arm)
    (Delta : R) (find : nat -> prog (option (arm * list (arm * arm)))) : Prop :=
  (forall s, leaves matches (find s)) /\
  (forall s, starts (find s)) /\
  (forall s, ET P (find s) <= C_find * INR (N - 1) / (gap s * gap s)) /\
  (forall s, gap s <= Delta -> 7/8 <= Pr P (find s) (found w)) /\
  (forall s, Pr P (find s) ran_out = 0).

(** A knockout whose matches are the truncated test's, told the gap that is tried, at level 1/8. It notes who
    threw whom out, the latest first. Of that come the matches of the certificate: first the champion's own
    victims, the latest first, then all others, who was out last before the others. *)
Fixpoint noting {tag A} (test : exact -> arm -> arm -> program tag (option arm)) (noted : list (arm * arm))
    (m : program asked (option A)) : program tag (option (A * list (arm * arm))) :=
  match m with
  | Ret None => Ret None
  | Ret (Some a) => Ret (Some (a, noted))
  | Ask (Match l) u v k => obind (test l u v) (fun x =>
      if Nat.eqb x u then noting test ((u, v) :: noted) (k true) else noting test ((v, u) :: noted) (k false))
  | Ask (Block _) _ _ k => noting test noted (k true) (* not in a tournament *)
  end.
Definition suspects (c : arm) (noted : list (arm * arm)) : list (arm * arm) :=
  filter (fun m => Nat.eqb (fst m) c) noted ++ filter (fun m => negb (Nat.eqb (fst m) c)) noted.
Definition its_own (c : arm) (noted : list (arm * arm)) : list (arm * arm) := against c (map snd (suspects c noted)).
Definition tournament {cv : conventions} {tag} (test : exact -> arm -> arm -> program tag (option arm))
    (matches : arm -> list (arm * arm) -> list (arm * arm)) (N : nat) : program tag (option (arm * list (arm * arm))) :=
  bind (noting test [] (BKT ask (seq 0 N) (level 1 8))) (fun o =>
    Ret (match o with Some (c, noted) => Some (c, matches c noted) | None => None end)).
Definition knockout {cv : conventions} matches (N s : nat) : prog (option (arm * list (arm * arm))) :=
  tournament (fun l => BDT truncated_sprt (gap s) (value l)) matches N.
Definition knockout_finds_statement : Prop := forall (cv : conventions) P N w Delta,
  condorcet P N w Delta -> (2 <= N)%nat ->
  finds (own_matches N) P N w Delta (knockout its_own N) /\
  finds (designated_matches N) P N w Delta (knockout suspects N).


(** ** What is wrong *)

Definition beats_all (P : arm -> arm -> R) (N : nat) (c : arm) : bool :=
  forallb (fun j => Nat.eqb j c || if Rlt_dec (1/2) (P c j) then true else false) (seq 0 N).

Definition wrongly_returned (P : arm -> arm -> R) (N : nat) (o : option arm) : bool :=
  match o with Some c => negb (beats_all P N c) | None => false end.


(** * Proofs *)

Lemma gap_range s : 0 < gap s < 1/2.
Proof.
  unfold gap. rewrite pow_add. pose proof (pow_R1_Rle 2 s ltac:(lra)) as H.
  split; [positive|]. apply Rlt_div_l; lra.
Qed.
