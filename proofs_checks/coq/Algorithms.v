(** * The algorithms

    This is the second of the three files that a reader must check ([Setting], [Algorithms],
    [Statements]).

    _Here,_ throughout: an algorithm takes its pairwise test as an argument, and is generic in the type
    of confidence levels ([Lv]: real numbers in the theorems; exact rationals where the same definition
    is run, see Trees.v) and in what a question carries ([tag]).  [obind m k] runs [m] and, unless it
    ran out, continues with [k] of its answer. *)
From Coq Require Import Reals List Bool Arith ZArith.
Import ListNotations.
From TGITE Require Import Setting.
Open Scope R_scope.

(** ** DuelTest (alg:dueltest)

    _Paper:_ c(n, delta) = sqrt(log(2n(n+1)/delta) / (2n)). *)
Definition log_term (n : nat) (d : R) : R := ln (2 * INR n * (INR n + 1) / d).
Definition c_radius (n : nat) (d : R) : R := sqrt (log_term n d / (2 * INR n)).

Definition b2n (b : bool) : nat := if b then 1%nat else 0%nat.
Definition pick (u v : arm) (o : option bool) : option arm :=
  match o with None => None | Some true => Some u | Some false => Some v end.

(** _Paper:_ repeat: n <- n+1, observe Y_n, S <- S + Y_n; until the rule says so.  _Here:_ there are at
    most [fuel] repetitions, after which [fin] answers.  DuelTest has no such end, so its [fin] is
    [never], which answers [None], "ran out".  The paper's test is the limit as the horizon grows.  The
    theorems are about all horizons and the limit. The program asks for duels of one pair after [n]
    duels with [s] wins, at most [fuel] more; [fin] decides at the horizon. *)
Fixpoint seqtest (stop fin : nat -> nat -> option bool) (fuel n s : nat) (u v : arm) : prog (option arm) :=
  match fuel with
  | O => Ret (pick u v (fin n s))
  | S f => Duel u v (fun b =>
      let n' := S n in let s' := (b2n b + s)%nat in
      match stop n' s' with
      | Some a => Ret (pick u v (Some a))
      | None => seqtest stop fin f n' s' u v
      end)
  end.

Definition never (n s : nat) : option bool := None.

(** A stopping rule, for every level. *)
Definition rule := R -> nat -> nat -> option bool.

Definition DT (stop : rule) (horizon : nat) (d : R) (u v : arm) : prog (option arm) :=
  seqtest (stop d) never horizon 0 0 u v.

(** _Paper:_ until |mean - 1/2| > c(n, delta); if mean > 1/2 return u, else v. *)
Definition paper_rule : rule := fun d n s =>
  if Rlt_dec (c_radius n d) (Rabs (INR s / INR n - 1/2))
  then Some (if Rlt_dec (1/2) (INR s / INR n) then true else false) else None.

(** ** BKT (alg:bkt)

    _Paper:_ delta_r = 6 delta/(pi^2 r^2), rounds counted from 1.  _Here:_ [r] counts from 0, and the
    level is the paper's for r+1.  The set is a list.  [pairing] orders the survivors, neighbours meet,
    an odd last arm has the bye, and survivors keep their order.  The number of arms bounds the number
    of rounds ([fuel]). [round_level d r] is the level of round [r], counted from 0, of a tournament at
    level [d]. *)
Class bkt_levels (Lv : Type) := round_level : Lv -> nat -> Lv.

Section Algorithm.
Context {cv : conventions} {tag Lv : Type} {lv : bkt_levels Lv}.
Variable test : Lv -> arm -> arm -> program tag (option arm).

(** One round: neighbours meet, an odd last arm has the bye. *)
Fixpoint round (d : Lv) (X : list arm) : program tag (option (list arm)) :=
  match X with
  | u :: v :: Y => obind (test d u v) (fun x => obind (round d Y) (fun Z => Ret (Some (x :: Z))))
  | _ => Ret (Some X)
  end.

(** Rounds from [r] on, at the levels [dr], of a tournament of [entrants]; [fuel] bounds the number of rounds. *)
Fixpoint bkt (entrants : list arm) (fuel : nat) (dr : nat -> Lv) (r : nat) (X : list arm) : program tag (option arm) :=
  match X with
  | [] => Ret None
  | [x] => Ret (Some x)
  | _ => match fuel with
         | O => Ret None
         | S f => obind (round (dr r) (pairing entrants r X)) (fun Y => bkt entrants f dr (S r) Y)
         end
  end.

Definition BKT (X : list arm) (d : Lv) : program tag (option arm) := bkt X (length X) (round_level d) 0 X.
End Algorithm.

(** Levels as real numbers: 6 d / (pi^2 r^2) for the round that the paper calls r. *)
#[global] Instance real_bkt_levels : bkt_levels R := fun d r => 6 * d / (PI * PI * (INR (S r) * INR (S r))).

(** ** Sibling blocks (def:app-winner-entry-level, lem:app-sibling-partition)

    _Paper:_ v_h(b) is the ancestor of b at height h; Q_h(b) are the arms, and Qbar_h(b) the leaves,
    under the sibling of v_{h-1}(b) below v_h(b).  _Here:_ two leaves have the same ancestor at height h
    if they are equal after division by 2^h. *)
Module Tree.
Local Open Scope nat_scope.
Section Blocks.
Context {cv : conventions}.
Variables (N L : nat) (b : arm).

(** Leaf [i] lies under the height-[h] ancestor of [b]; leaf [i] lies under that ancestor's other child. *)
Definition anc (h i : nat) : bool := Nat.eqb (i / 2 ^ h) (leaf b / 2 ^ h).
Definition sib (h i : nat) : bool := anc h i && negb (anc (h - 1) i).

Definition siblings (h : nat) : list arm := filter (fun i => sib h (leaf i)) (seq 0 N).
Definition sibling_leaves (h : nat) : list nat := filter (sib h) (seq 0 (2 ^ L)).
End Blocks.
End Tree.

(** ** TreeAscent (alg:app-plr)

    _Paper:_ beta_h = (eps/2) mbar_h/(M-1), eta_h = eps/(2L); an empty block is skipped; g_h is BKT of
    the block, c_h the answer of the test of c_{h-1} against g_h.  (The main text's alg:plr-pass is the
    case N = 2^L, where mbar_h = m_h and M = N.) *)
Class tree_levels (Lv : Type) := {
  block_level : Lv -> nat -> nat -> Lv;      (* pass level, mbar_h, M-1 *)
  merge_level : Lv -> nat -> Lv }.           (* pass level, L *)

Section Algorithm.
Context {cv : conventions} {tag Lv : Type} {bl : bkt_levels Lv} {tl : tree_levels Lv}.
Variable test : Lv -> arm -> arm -> program tag (option arm).

(** The next [k] heights, from [h+1] on, with champion [c]. *)
Fixpoint ascend (Q : nat -> list arm) (beta eta : nat -> Lv) (k h : nat) (c : arm) : program tag (option arm) :=
  match k with
  | O => Ret (Some c)
  | S k' => match Q (S h) with
            | [] => ascend Q beta eta k' (S h) c
            | _ => obind (BKT test (Q (S h)) (beta (S h))) (fun g =>
                   obind (test (eta (S h)) c g) (fun c' => ascend Q beta eta k' (S h) c'))
            end
  end.

Definition beta (L : nat) (b : arm) (eps : Lv) (h : nat) : Lv :=
  block_level eps (length (Tree.sibling_leaves L b h)) (2 ^ L - 1).
Definition eta (L : nat) (eps : Lv) (h : nat) : Lv := merge_level eps L.
Definition TreeAscent (N L : nat) (b : arm) (eps : Lv) : program tag (option arm) :=
  ascend (Tree.siblings N b) (beta L b eps) (eta L eps) L 0 b.

(** The main text's version, for N = 2^L arms, uses the number of arms of a block, and N - 1. *)
Definition main_beta (N : nat) (b : arm) (eps : Lv) (h : nat) : Lv :=
  block_level eps (length (Tree.siblings N b h)) (N - 1).
Definition TreeAscent_main (N L : nat) (b : arm) (eps : Lv) : program tag (option arm) :=
  ascend (Tree.siblings N b) (main_beta N b eps) (eta L eps) L 0 b.
End Algorithm.

#[global] Instance real_tree_levels : tree_levels R := {|
  block_level := fun eps mbar M1 => eps / 2 * (INR mbar / INR M1);
  merge_level := fun eps L => eps / (2 * INR L) |}.

Section Algorithm.
Context {cv : conventions} {tag Lv : Type} {bl : bkt_levels Lv}.
Variable test : Lv -> arm -> arm -> program tag (option arm).
Variable N : nat.

(** ** ScreenAndReplace (alg:screen-and-replace)

    _Paper:_ for each j <> c in a fixed order w <- DuelTest(c, j, rho), and j joins B if w = j; return c if B is
    empty, else BKT(B + {c}, kappa).
    The beaters of [c] among the challengers [l]. *)
Fixpoint screen (rho : Lv) (c : arm) (l : list arm) : program tag (option (list arm)) :=
  match l with
  | [] => Ret (Some [])
  | j :: l' => obind (test rho c j) (fun x => obind (screen rho c l') (fun B =>
                 Ret (Some (if Nat.eqb x j then j :: B else B))))
  end.
Definition others (c : arm) : list arm := screening (filter (fun j => negb (Nat.eqb j c)) (seq 0 N)).
Definition replace_by (c : arm) (kappa : Lv) (B : list arm) : program tag (option arm) :=
  match B with [] => Ret (Some c) | _ => BKT test (candidates c B) kappa end.
Definition ScreenReplace (c : arm) (rho kappa : Lv) : program tag (option arm) :=
  obind (screen rho c (others c)) (replace_by c kappa).
End Algorithm.

(** ** BudgetedDuelTest (alg:budgeted-dueltest)

    _Paper:_ M = ceil(log(4/delta)/(2 g^2)), b_n = sqrt(log(8n^2/delta)/(2n)); at n <= M stop if |mean - 1/2| > b_n - g;
    there, and after M duels, return u if mean >= 1/2, else v. *)
Record budgeted_rule := {
  bstop : R -> R -> nat -> nat -> option bool;     (* g, level, duels, wins of the first arm *)
  bvote : nat -> nat -> bool;                      (* duels, wins: is the first arm returned at the end? *)
  bbudget : R -> R -> nat }.                       (* g, level *)

Definition BDT (r : budgeted_rule) (g d : R) (u v : arm) : prog (option arm) :=
  seqtest (bstop r g d) (fun n s => Some (bvote r n s)) (bbudget r g d) 0 0 u v.

(** The least integer that is at least [x], and 0 for negative [x]. ([up x] is the least integer above
    [x].) *)
Definition ceil (x : R) : nat := Z.to_nat (1 - up (- x)).
Definition b_term (n : nat) (d : R) : R := ln (8 * (INR n * INR n) / d).
Definition b_radius (n : nat) (d : R) : R := sqrt (b_term n d / (2 * INR n)).
Definition budget_real (g d : R) : R := 1 / (2 * (g * g)) * ln (4 / d).
Definition ahead (n s : nat) : bool := if Rle_dec (1/2) (INR s / INR n) then true else false.
Definition paper_budgeted : budgeted_rule := {|
  bstop := fun g d n s => if Rlt_dec (b_radius n d - g) (Rabs (INR s / INR n - 1/2)) then Some (ahead n s) else None;
  bvote := ahead;
  bbudget := fun g d => ceil (budget_real g d) |}.

(** ** Policies (cor:tlcr-bai, alg:tlcr-weak, alg:tlcr-strong-known, alg:tlcr-strong-anytime)

    _Paper:_ epochs and phases without end.  _Here:_ the first [k] of them, for every k.  The policies
    are also generic in the levels of the schedules and in the form of a block of self-play. *)
Class policy_levels (Lv : Type) := {
  epoch_level : nat -> Lv;                   (* epoch s, counted from 1: rho_s and kappa_s *)
  horizon_level : nat -> Lv;                 (* known horizon H *)
  phase_level : nat -> Lv }.                 (* phase s, counted from 1 *)
#[global] Instance real_policy_levels : policy_levels R := {|
  epoch_level := fun s => / 4 ^ (s + 2);
  horizon_level := fun H => / (INR H + 1);
  phase_level := fun s => / 2 ^ (2 ^ s) |}.

(** [self_play n c next] plays (c, c) for n rounds and continues with [next].  The number is binary, so
    that programs can be run. *)
Definition rounds := BinNums.N.
Class self_playing (tag : Type) := plays_itself : forall A, rounds -> arm -> program tag A -> program tag A.
Arguments plays_itself {tag _ A}.

(** Duel by duel; the outcome, a fair coin, is ignored. *)
Fixpoint self_play {A} (n : nat) (c : arm) (next : prog A) : prog A :=
  match n with O => next | S n' => Duel c c (fun _ => self_play n' c next) end.
#[global] Instance self_play_by_duels : self_playing unit := fun A n => self_play (N.to_nat n).

(** B_s = 2^(2^s) *)
Definition block (s : nat) : rounds := (2 ^ 2 ^ N.of_nat s)%N.

Section Policies.
Context {cv : conventions} {tag Lv : Type} {bl : bkt_levels Lv} {tl : tree_levels Lv}.
Context {pl : policy_levels Lv} {sp : self_playing tag}.
Variable test : Lv -> arm -> arm -> program tag (option arm).
Variables N L : nat.

(** One pass of TreeAscent, then stop. *)
Definition TG_ITE_BAI (b : arm) (delta : Lv) : program tag (option arm) := TreeAscent test N L b delta.

(** The epochs [s] to [s+k-1] from incumbent [c]. *)
Fixpoint epochs (k s : nat) (c : arm) : program tag (option arm) :=
  match k with
  | O => Ret (Some c)
  | S k' => obind (ScreenReplace test N c (epoch_level s) (epoch_level s)) (fun c' => epochs k' (S s) c')
  end.

(** The tail: the epochs 1 to [k]. *)
Definition online_tail (k : nat) (c : arm) : program tag (option arm) := epochs k 1 c.

(** A warm start at level [eps] (1/4 in the paper's algorithm), then the epochs 1 to [k]. *)
Definition TG_ITE_Weak (eps : Lv) (k : nat) (b : arm) : program tag (option arm) :=
  obind (TG_ITE_BAI b eps) (online_tail k).

(** Known horizon [H]: a pass at level 1/(H+1), then self-play of its answer.  The policy is the first [H]
    rounds of this program. *)
Definition TG_ITE_Strong_KnownHorizon (H : nat) (b : arm) : program tag (option arm) :=
  obind (TG_ITE_BAI b (horizon_level H)) (fun a => plays_itself (N.of_nat H) a (Ret (Some a))).

(** Phase [s]: a pass at level 2^-(2^s) from the last answer, then B_s rounds of self-play. *)
Fixpoint phases (k s : nat) (c : arm) : program tag (option arm) :=
  match k with
  | O => Ret (Some c)
  | S k' => obind (TG_ITE_BAI c (phase_level s)) (fun c' => plays_itself (block s) c' (phases k' (S s) c'))
  end.

(** The phases 1 to [k]. *)
Definition TG_ITE_Strong_Anytime (k : nat) (b : arm) : program tag (option arm) := phases k 1 b.
End Policies.
