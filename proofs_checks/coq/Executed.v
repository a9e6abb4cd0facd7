(** * The algorithms as they are executed

    [start] takes a request as a program's user makes it, refuses what the paper does not admit, and else
    returns the program that asks duel by duel.  It does what the paper's algorithm does, at levels that are
    exact numbers ([start_does]): the algorithms are the ones of the theorems, generic in their test and levels. *)
From Coq Require Import Reals Lra Psatz Lia ZArith QArith Qreals List Permutation Bool Arith Mergesort.
Import ListNotations.
From TGITE Require Import Setting Algorithms Trees Logarithms ExecutedTests.
Open Scope nat_scope.

(** ** The choices of the conformance kit *)

Inductive pairs := Consecutive | Fold | Halves.
Inductive candidate_order := IncumbentFirst | IncumbentLast | Ascending.
Inductive bye_places := ByesLast | ByesFirst | Spread.
Record choices := {
  pairs_are : pairs;
  bye_is_first : bool;              (* who has the bye: the first arm, or the last *)
  bye_stands_first : bool;          (* where it stands in the next round *)
  later_first : bool;               (* which of two paired arms is the test's first argument *)
  candidates_are : candidate_order;
  screening_descends : bool;
  byes_are : bye_places }.

Fixpoint swapped (X : list arm) : list arm := match X with a :: b :: Y => b :: a :: swapped Y | _ => X end.
Definition paired (ch : choices) (X : list arm) : list arm :=
  let half := Nat.div2 (length X) in
  let Y := match pairs_are ch with
           | Consecutive => X
           | Fold => interleave (firstn half X) (rev (skipn half X))
           | Halves => interleave (firstn half X) (skipn half X)
           end in
  if later_first ch then swapped Y else Y.
Definition first_last (X : list arm) : list arm := match X with [] => [] | x :: Y => Y ++ [x] end.
(** A round leaves its bye behind its winners; so the bye is put in its place when the next one begins. *)
Definition chosen_pairing (ch : choices) (entrants : list arm) (r : nat) (X : list arm) : list arm :=
  let had_bye := match r with O => false | S r' => Nat.odd (survivors (length entrants) r') end in
  let Y := if had_bye && bye_stands_first ch then last_first X else X in
  if Nat.odd (length Y)
  then let Z := if bye_is_first ch then first_last Y else Y in paired ch (removelast Z) ++ [last Z 0]
  else paired ch Y.

Definition chosen_leaf (ch : choices) (N L : nat) (i : arm) : nat :=
  match byes_are ch with
  | ByesLast => i
  | ByesFirst => 2 ^ L - N + i
  | Spread => if (0 <? N) && (N <=? 2 ^ L) then i * 2 ^ L / N else i
  end.

Lemma swapped_perm : forall n X, length X <= n -> Permutation (swapped X) X.
Proof.
  induction n as [|n IH]; intros [|a [|b X]] H; cbn [swapped]; auto; cbn [length] in H; try lia.
  eapply Permutation_trans; [|apply perm_swap]. do 2 constructor. apply IH. lia.
Qed.
Lemma paired_perm ch X : Permutation (paired ch X) X.
Proof.
  unfold paired. set (Y := match pairs_are ch with Consecutive => X | _ => _ end).
  assert (P : Permutation Y X).
  { unfold Y. destruct (pairs_are ch); auto; (eapply Permutation_trans; [apply interleave_perm|]).
    - eapply Permutation_trans; [apply Permutation_app_head, Permutation_sym, Permutation_rev|]. now rewrite firstn_skipn.
    - now rewrite firstn_skipn. }
  destruct (later_first ch); auto. eapply Permutation_trans; [apply (swapped_perm _ Y (le_n _))|exact P].
Qed.
Lemma first_last_perm X : Permutation (first_last X) X.
Proof. destruct X as [|x X]; [auto|]. apply Permutation_sym, Permutation_cons_append. Qed.
Lemma chosen_pairing_perm ch entrants r X : Permutation (chosen_pairing ch entrants r X) X.
Proof.
  unfold chosen_pairing. set (Y := if _ && _ then last_first X else X).
  assert (HY : Permutation Y X) by (unfold Y; destruct (_ && _); [apply last_first_perm|auto]).
  eapply Permutation_trans; [|exact HY]. destruct (Nat.odd (length Y)) eqn:O; [|apply paired_perm].
  cbv zeta. set (Z := if bye_is_first ch then first_last Y else Y).
  assert (HZ : Permutation Z Y) by (unfold Z; destruct (bye_is_first ch); [apply first_last_perm|auto]).
  eapply Permutation_trans; [apply Permutation_app_tail, paired_perm|].
  rewrite <- app_removelast_last; [exact HZ|]. intro E. rewrite E in HZ. apply Permutation_nil in HZ.
  rewrite HZ in O. discriminate.
Qed.

Definition chosen_candidates (ch : choices) (c : arm) (B : list arm) : list arm :=
  match candidates_are ch with IncumbentFirst => c :: B | IncumbentLast => B ++ [c] | Ascending => NatSort.sort (c :: B) end.
Lemma chosen_candidates_perm ch c B : Permutation (chosen_candidates ch c B) (c :: B).
Proof.
  unfold chosen_candidates. destruct (candidates_are ch); auto.
  - apply Permutation_sym, Permutation_cons_append.
  - apply Permutation_sym, NatSort.Permuted_sort.
Qed.

Lemma spread_grows N M i : 0 < N <= M -> i * M / N < S i * M / N.
Proof.
  intro H. apply Nat.lt_le_trans with ((i * M + 1 * N) / N); [rewrite Nat.div_add by lia; lia|].
  apply Nat.div_le_mono; nia.
Qed.
Lemma chosen_leaf_inj ch N L i j : chosen_leaf ch N L i = chosen_leaf ch N L j -> i = j.
Proof.
  unfold chosen_leaf. destruct (byes_are ch); [auto|lia|].
  destruct (_ && _) eqn:E; [|auto]. apply andb_true_iff in E. destruct E as [E1 E2].
  apply Nat.ltb_lt in E1. apply Nat.leb_le in E2.
  assert (G : forall i j, i < j -> i * 2 ^ L / N < j * 2 ^ L / N).
  { intros a b H. induction H as [|b H IH]; [apply spread_grows; lia|].
    eapply Nat.lt_trans; [exact IH|]. apply spread_grows. lia. }
  intro H. destruct (Nat.lt_trichotomy i j) as [C|[C|C]]; auto; apply G in C; lia.
Qed.

Definition chosen (ch : choices) (N L : nat) : conventions := {|
  pairing := chosen_pairing ch;
  pairing_perm := chosen_pairing_perm ch;
  candidates := chosen_candidates ch;
  candidates_perm := chosen_candidates_perm ch;
  screening := fun X => if screening_descends ch then rev X else X;
  screening_perm := fun X => if screening_descends ch as b return Permutation (if b then rev X else X) X
                             then Permutation_sym (Permutation_rev X) else Permutation_refl X;
  leaf := chosen_leaf ch N L;
  leaf_inj := chosen_leaf_inj ch N L |}.

(** ** The policies with exact levels, self-play in blocks *)

Definition power_level (base exponent : nat) : exact :=
  {| rational := Qmake 1 (Pos.of_nat (base ^ exponent)); basel := 0 |}.

Section Policies.
Context {cv : conventions}.
Variable test : exact -> arm -> arm -> program question (option arm).
Variables N L : nat.

Fixpoint run_epochs (k s : nat) (c : arm) : program question (option arm) :=
  match k with
  | O => Ret (Some c)
  | S k' => let l := power_level 4 (s + 2) in
            obind (ScreenReplace test N c l l) (fun c' => run_epochs k' (S s) c')
  end.
Definition run_weak (eps : exact) (k : nat) (b : arm) : program question (option arm) :=
  obind (TreeAscent test N L b eps) (run_epochs k 1).

Fixpoint run_phases (k s : nat) (c : arm) : program question (option arm) :=
  match k with
  | O => Ret (Some c)
  | S k' => obind (TreeAscent test N L c (power_level 2 (2 ^ s))) (fun c' =>
            Ask (Rounds (block s)) c' c' (fun _ => run_phases k' (S s) c'))
  end.
Definition run_anytime (k : nat) (b : arm) : program question (option arm) := run_phases k 1 b.

(** At most [H] duels of a program, and how many are left; [Some None] if they do not suffice. *)
Fixpoint until {A} (m : program question (option A)) (H : nat) : program question (option (option (A * nat))) :=
  match m with
  | Ret None => Ret None
  | Ret (Some a) => Ret (Some (Some (a, H)))
  | Ask Single u v k => match H with
                        | O => Ret (Some None)
                        | S H' => Ask Single u v (fun b => until (k b) H')
                        end
  | Ask (Over l w) u v k => Ask (Over l w) u v (fun b => until (k b) H)
  | Ask (Rounds _) _ _ _ => Ret None (* not in a pass *)
  end.

Definition run_known (H : nat) (b : arm) : program question (option (option arm)) :=
  let eps := {| rational := Qmake 1 (Pos.of_succ_nat H); basel := 0 |} in
  obind (until (TreeAscent test N L b eps) H) (fun o =>
    match o with
    | None => Ret (Some None)
    | Some (a, O) => Ret (Some (Some a))
    | Some (a, rest) => Ask (Rounds rest) a a (fun _ => Ret (Some (Some a)))
    end).
End Policies.

(** The main text's version, for a power of two of arms: beta_h = (eps/2) m_h/(N-1). *)
Definition TreeAscent_main {cv : conventions} {T Lv} {bl : bkt_levels Lv} {tl : tree_levels Lv}
    (test : Lv -> arm -> arm -> program T (option arm)) (N L : nat) (b : arm) (eps : Lv) : program T (option arm) :=
  ascend test (Tree.Q N b) (fun h => block_level eps (length (Tree.Q N b h)) (N - 1)) (eta L eps) L 0 b.

(** ** Requests *)

Inductive algorithm :=
| Pair (u v : Z) (delta : exact)
| Tournament (arms : list Z) (delta : exact)
| Pass (main_text : bool) (N b : Z) (epsilon : exact)
| Epoch (N c : Z) (rho kappa : exact)
| WeakPolicy (N b : Z) (warm_start : exact)
| KnownHorizon (N b H : Z)
| Anytime (N b : Z).

(** Below 1?  With the factor 6/pi^2 an enclosure has to say. *)
Fixpoint below_one (fuel : nat) (u : Z) (l : exact) : bool :=
  match fuel with
  | O => false
  | S f => let e := log_inverse (constants_at u) l in
           if (0 <? low e)%Z then true else if (high e <=? 0)%Z then false else below_one f (u * u) l
  end.
Definition admitted (l : exact) : bool :=
  (0 <? Qnum (rational l))%Z && (if basel l =? 0 then (Qnum (rational l) <? Zpos (Qden (rational l)))%Z
                                 else below_one 10 (2 ^ 64) l).
(** A level that BKT or a pass may be given: without the factor. *)
Definition admitted_rational (l : exact) : bool := (basel l =? 0) && admitted l.
Definition admitted_gap (g : option Q) : bool :=
  match g with None => true | Some g => (0 <? Qnum g)%Z && (2 * Qnum g <=? Zpos (Qden g))%Z end.
Definition among (N a : Z) : bool := ((2 <=? N) && (0 <=? a) && (a <? N))%Z.
Fixpoint distinct (X : list arm) : bool :=
  match X with [] => true | x :: Y => negb (existsb (Nat.eqb x) Y) && distinct Y end.

Section Start.
Variables (c : constants) (fuel : nat) (ch : choices) (g : option Q).

Definition run_test : exact -> arm -> arm -> program question (option arm) :=
  match g with None => run_dueltest c fuel | Some g => run_budgeted c g end.

Definition answered {T A} (m : program T (option A)) : program T (option (option A)) :=
  bind m (fun o => Ret (option_map Some o)).

(** [None]: the input is refused. *)
Definition start (a : algorithm) : option (program question (option (option arm))) :=
  if negb (admitted_gap g) then None else
  match a with
  | Pair u v delta =>
      if (0 <=? u)%Z && (0 <=? v)%Z && negb (u =? v)%Z && admitted delta
      then Some (answered (run_test delta (Z.to_nat u) (Z.to_nat v))) else None
  | Tournament arms delta =>
      let X := map Z.to_nat arms in
      if forallb (Z.leb 0) arms && distinct X && negb (length X =? 0) && admitted_rational delta
      then Some (answered (BKT (cv := chosen ch 0 0) run_test X delta)) else None
  | Pass main_text N b epsilon =>
      let n := Z.to_nat N in let L := height n in
      if among N b && admitted_rational epsilon && (negb main_text || (2 ^ L =? n))
      then Some (answered (if main_text then TreeAscent_main (cv := chosen ch n L) run_test n L (Z.to_nat b) epsilon
                           else TreeAscent (cv := chosen ch n L) run_test n L (Z.to_nat b) epsilon)) else None
  | Epoch N i rho kappa =>
      let n := Z.to_nat N in
      if among N i && admitted rho && admitted_rational kappa
      then Some (answered (ScreenReplace (cv := chosen ch n (height n)) run_test n (Z.to_nat i) rho kappa)) else None
  | WeakPolicy N b warm_start =>
      let n := Z.to_nat N in let L := height n in
      if among N b && admitted_rational warm_start
      then Some (answered (run_weak (cv := chosen ch n L) run_test n L warm_start fuel (Z.to_nat b))) else None
  | KnownHorizon N b H =>
      let n := Z.to_nat N in let L := height n in
      if among N b && (1 <=? H)%Z
      then Some (run_known (cv := chosen ch n L) run_test n L (Z.to_nat H) (Z.to_nat b)) else None
  | Anytime N b =>
      let n := Z.to_nat N in let L := height n in
      if among N b then Some (answered (run_anytime (cv := chosen ch n L) run_test n L fuel (Z.to_nat b))) else None
  end.
End Start.
