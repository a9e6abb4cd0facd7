(** * The algorithms as they are executed

    [start] takes a request as a program's user makes it, refuses what the paper does not admit, and else
    returns the program that asks duel by duel.  It does what the paper's algorithm does, at levels that are
    exact numbers ([start_does]): the algorithms are the ones of the theorems, generic in their test and levels. *)
From Coq Require Import FunctionalExtensionality Reals Lra Psatz Lia ZArith NArith QArith Qreals.
From Coq Require Import List Permutation Bool Arith Mergesort.
From Coquelicot Require Import Rcomplements.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent.
From TGITE Require Import ScreenAndReplace BudgetedDuelTest BAI Weak Strong Trees Limits KnownGap.
From TGITE Require Import MixtureTest SprtTest Logarithms ExecutedTests ExecutedBeyond.
From TGITE Require Tree.
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
  unfold paired. set (Y := match pairs_are ch with Consecutive => X | _ => _ end). assert (P : Permutation Y X).
  { destruct (pairs_are ch); auto; (eapply Permutation_trans; [apply interleave_perm|]).
    - eapply Permutation_trans; [apply Permutation_app_head, Permutation_sym, Permutation_rev|].
      now rewrite firstn_skipn.
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
  match candidates_are ch with
  | IncumbentFirst => c :: B
  | IncumbentLast => B ++ [c]
  | Ascending => NatSort.sort (c :: B)
  end.
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

(** ** The policies, with exact levels and self-play in blocks *)

Definition one_over (n : positive) : exact := {| rational := Qmake 1 n; basel := 0 |}.
#[global] Instance exact_policy_levels : policy_levels exact := {|
  epoch_level := fun s => one_over (Z.to_pos (4 ^ Z.of_nat (s + 2)));
  horizon_level := fun H => one_over (Pos.of_succ_nat H);
  phase_level := fun s => one_over (Z.to_pos (2 ^ 2 ^ Z.of_nat s)) |}.
#[global] Instance self_play_by_blocks : self_playing question := fun A n c next => Ask (Rounds n) c c (fun _ => next).

(** At most [H] duels of a pass, and how many are left; [Some None] if they do not suffice. *)
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

(** The first [H] rounds of TG-ITE-Strong-KnownHorizon; [Some None] if the horizon expires in the pass. *)
Definition run_known {cv : conventions} (test : exact -> arm -> arm -> program question (option arm))
    (N L H : nat) (b : arm) : program question (option (option arm)) :=
  obind (until (TG_ITE_BAI test N L b (horizon_level H)) H) (fun o =>
    match o with
    | None => Ret (Some None)
    | Some (a, O) => Ret (Some (Some a))
    | Some (a, rest) => plays_itself (N.of_nat rest) a (Ret (Some (Some a)))
    end).

(** ** Requests *)

(** The paper's two tests, and three others that are played in their place. *)
Inductive chosen_test :=
| Duel_test | Budgeted_test (g : Q) | Mixture_test | Sprt_test (g : Q) | Truncated_sprt_test (g : Q).

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
Definition admitted_test (t : chosen_test) : bool :=
  match t with
  | Duel_test | Mixture_test => true
  | Budgeted_test g => (0 <? Qnum g)%Z && (2 * Qnum g <=? Zpos (Qden g))%Z
  | Sprt_test g | Truncated_sprt_test g => (0 <? Qnum g)%Z && (2 * Qnum g <? Zpos (Qden g))%Z
  end.
Definition among (N a : Z) : bool := ((2 <=? N) && (0 <=? a) && (a <? N))%Z.
Fixpoint distinct (X : list arm) : bool :=
  match X with [] => true | x :: Y => negb (existsb (Nat.eqb x) Y) && distinct Y end.

Section Start.
Variables (c : constants) (fuel : nat) (ch : choices) (t : chosen_test).

Definition run_test : exact -> arm -> arm -> program question (option arm) :=
  match t with
  | Duel_test => run_dueltest c fuel
  | Budgeted_test g => run_budgeted c g
  | Mixture_test => run_mixture c fuel
  | Sprt_test g => run_sprt c fuel g
  | Truncated_sprt_test g => run_truncated_sprt c g
  end.

Definition answered {T A} (m : program T (option A)) : program T (option (option A)) :=
  bind m (fun o => Ret (option_map Some o)).

(** [None]: the input is refused. *)
Definition start (a : algorithm) : option (program question (option (option arm))) :=
  if negb (admitted_test t) then None else
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
      then Some (answered (TG_ITE_Weak (cv := chosen ch n L) run_test n L warm_start fuel (Z.to_nat b))) else None
  | KnownHorizon N b H =>
      let n := Z.to_nat N in let L := height n in
      if among N b && (1 <=? H)%Z
      then Some (run_known (cv := chosen ch n L) run_test n L (Z.to_nat H) (Z.to_nat b)) else None
  | Anytime N b =>
      let n := Z.to_nat N in let L := height n in
      if among N b
      then Some (answered (TG_ITE_Strong_Anytime (cv := chosen ch n L) run_test n L fuel (Z.to_nat b))) else None
  end.
End Start.

(** ** What [start] promises *)

(** The test of the theorems. *)
Definition meant_test (fuel : nat) (t : chosen_test) : R -> arm -> arm -> prog (option arm) :=
  match t with
  | Duel_test => DT paper_rule fuel
  | Budgeted_test g => BDT paper_budgeted (Q2R g)
  | Mixture_test => DT mixture_rule fuel
  | Sprt_test g => SPRT (Q2R g) fuel
  | Truncated_sprt_test g => BDT truncated_sprt (Q2R g)
  end.

(** The gap that it is told is one that it admits. *)
Definition test_ok (t : chosen_test) : Prop :=
  match t with
  | Duel_test | Mixture_test => True
  | Budgeted_test g => (0 < Q2R g <= 1/2)%R
  | Sprt_test g | Truncated_sprt_test g => (0 < Q2R g < 1/2)%R
  end.

(** A program whose answer does not count. *)
Definition unanswered {T A} (m : program T (option A)) : program T (option unit) :=
  bind m (fun o => Ret (option_map (fun _ => tt) o)).

Definition is_level (l : exact) : Prop := (0 < value l < 1)%R.

(** For the tree over [N] arms with start [b], what [that] says. *)
Definition on_tree (ch : choices) (N b : Z) (that : conventions -> nat -> nat -> Prop) : Prop :=
  let n := Z.to_nat N in
  let L := height n in
  let cv := chosen ch n L in
  (2 <= n)%nat /\ (Z.to_nat b < n)%nat /\ balanced_tree n L /\ that cv n L.

(** The input is as the theorems suppose, and the program [m] does what the paper's algorithm does. *)
Definition promised (fuel : nat) (ch : choices) (t : chosen_test) (a : algorithm)
    (m : program question (option (option arm))) : Prop :=
  let test := meant_test fuel t in
  match a with
  | Pair u v delta =>
      u <> v /\ is_level delta /\ does m (answered (test (value delta) (Z.to_nat u) (Z.to_nat v)))
  | Tournament arms delta =>
      let X := map Z.to_nat arms in
      NoDup X /\ X <> [] /\ is_level delta /\ does m (answered (BKT (cv := chosen ch 0 0) test X (value delta)))
  | Pass main_text N b epsilon => on_tree ch N b (fun cv n L =>
      is_level epsilon /\ (main_text = true -> n = 2 ^ L)%nat /\
      does m (answered (TreeAscent test n L (Z.to_nat b) (value epsilon))))
  | Epoch N i rho kappa => on_tree ch N i (fun cv n L =>
      is_level rho /\ is_level kappa /\
      does m (answered (ScreenReplace test n (Z.to_nat i) (value rho) (value kappa))))
  | WeakPolicy N b warm_start => on_tree ch N b (fun cv n L =>
      is_level warm_start /\ does m (answered (TG_ITE_Weak test n L (value warm_start) fuel (Z.to_nat b))))
  | KnownHorizon N b horizon => on_tree ch N b (fun cv n L =>
      let H := Z.to_nat horizon in (1 <= H)%nat /\
      does (unanswered m)
        (bind (first_rounds H (TG_ITE_Strong_KnownHorizon test n L H (Z.to_nat b))) (fun u => Ret (Some u))))
  | Anytime N b => on_tree ch N b (fun cv n L =>
      does m (answered (TG_ITE_Strong_Anytime test n L fuel (Z.to_nat b))))
  end.

Definition start_does_statement : Prop := forall c fuel ch t a m, made c -> start c fuel ch t a = Some m ->
  test_ok t /\ promised fuel ch t a m.

(** So the program that runs errs with probability at most its level: a pass with any of the tests, given Assumption 1
    or, for a test that is told a gap, the winner's gap. *)
Definition wrong_answer (w : arm) (o : option (option arm)) : bool :=
  match o with Some (Some x) => negb (Nat.eqb x w) | _ => false end.
Definition executed_pass_errs_seldom_statement : Prop := forall P c fuel ch t main_text N b epsilon m w gap,
  made c -> start c fuel ch t (Pass main_text N b epsilon) = Some m ->
  match t with
  | Duel_test | Mixture_test => assump_condorcet_gap P (Z.to_nat N) w gap
  | Budgeted_test g | Sprt_test g | Truncated_sprt_test g => condorcet P (Z.to_nat N) w (Q2R g)
  end ->
  (Pr P m (wrong_answer w) <= value epsilon)%R.

(** * Proofs *)

(** ** Levels *)

Open Scope R_scope.

Lemma level_ok_of l : is_level l -> level_ok l.
Proof.
  intros [H0 H1]. split; auto. pose proof PI_RGT_0. unfold value, Q2R in H0. apply lt_IZR.
  apply (Rmult_lt_reg_r (/ IZR (Zpos (Qden (rational l))) * (6 / (PI * PI)) ^ basel l)); [positive|lra].
Qed.

Lemma value_one_over n : value (one_over n) = / IZR (Zpos n).
Proof. unfold value, one_over, Q2R. cbn [rational basel Qnum Qden pow]. ring. Qed.

Lemma pos_of_nat_real n : (0 < n)%nat -> IZR (Zpos (Pos.of_nat n)) = INR n.
Proof. intro H. rewrite INR_IZR_INZ. f_equal. rewrite <- positive_nat_Z, Nat2Pos.id; lia. Qed.

Lemma value_epoch s : value (epoch_level s) = epoch_level s.
Proof.
  cbn [epoch_level exact_policy_levels real_policy_levels]. rewrite value_one_over. f_equal.
  rewrite Z2Pos.id by (apply Z.pow_pos_nonneg; lia). rewrite <- pow_IZR. reflexivity.
Qed.
Lemma value_horizon H : value (horizon_level H) = horizon_level H.
Proof.
  cbn [horizon_level exact_policy_levels real_policy_levels].
  now rewrite value_one_over, Zpos_P_of_succ_nat, succ_IZR, <- INR_IZR_INZ.
Qed.
Lemma value_phase s : value (phase_level s) = phase_level s.
Proof.
  cbn [phase_level exact_policy_levels real_policy_levels]. rewrite value_one_over. f_equal.
  assert (2 ^ Z.of_nat s = Z.of_nat (2 ^ s))%Z as -> by (rewrite Nat2Z.inj_pow; reflexivity).
  rewrite Z2Pos.id by (apply Z.pow_pos_nonneg; lia). rewrite <- pow_IZR. reflexivity.
Qed.

Lemma below_one_right fuel l : (0 < Qnum (rational l))%Z ->
  forall u, (1 <= u)%Z -> below_one fuel u l = true -> value l < 1.
Proof.
  intro H0. induction fuel as [|f IH]; intros u Hu; cbn [below_one]; [discriminate|]. cbv zeta.
  destruct (log_inverse_encloses (constants_at u) l (made_at u Hu) H0) as [A _].
  change (scale (constants_at u)) with u in A. destruct (Z.ltb_spec 0 (low (log_inverse (constants_at u) l))) as [L|_].
  - apply IZR_lt in L. apply IZR_le in Hu. assert (0 < ln (/ value l)) as G by (apply Rmult_lt_reg_l with (IZR u); lra).
    destruct (Rlt_le_dec (value l) 1) as [|D]; auto. exfalso.
    assert (ln (/ value l) <= ln 1); [|rewrite ln_1 in *; lra]. apply ln_le; [positive|]. rewrite <- Rinv_1.
    apply Rinv_le_contravar; lra.
  - destruct (Z.leb_spec (high (log_inverse (constants_at u) l)) 0); [discriminate|]. apply IH. nia.
Qed.

Lemma admitted_right l : admitted l = true -> is_level l.
Proof.
  intro H. apply andb_true_iff in H. destruct H as [H0 H1]. apply Z.ltb_lt in H0. apply (level_pos l). split; auto.
  destruct (Nat.eqb_spec (basel l) 0) as [B|_].
  - apply Z.ltb_lt in H1. unfold value. rewrite B. rewrite Rmult_1_r. apply IZR_lt in H1.
    apply (Rlt_div_l (IZR (Qnum (rational l)))); [positive|lra].
  - revert H1. apply below_one_right; auto. vm_compute. discriminate.
Qed.
Lemma admitted_rational_right l : admitted_rational l = true -> is_level l.
Proof. intro H. apply andb_true_iff in H. now apply admitted_right. Qed.

Lemma admitted_test_right t : admitted_test t = true -> test_ok t.
Proof.
  assert (Q2R 0 = 0 /\ Q2R (1 # 2) = 1/2) as [Q0 Q1] by (unfold Q2R; cbn; lra).
  destruct t as [|g| |g|g]; cbn [admitted_test test_ok]; auto; intro H;
    apply andb_true_iff in H; rewrite ?Z.ltb_lt, ?Z.leb_le in H; rewrite <- Q0, <- Q1;
    (split; [apply Qlt_Rlt|first [apply Qle_Rle|apply Qlt_Rlt]]; unfold Qlt, Qle; cbn; lia).
Qed.

(** ** Sequencing *)

Lemma does_obind_leaves {A B} (Q : option A -> Prop) (m : program question (option A)) m'
    (k : A -> program question (option B)) k' :
  does m m' -> leaves Q m' -> (forall a, Q (Some a) -> does (k a) (k' a)) -> does (obind m k) (obind m' k').
Proof.
  intros D. induction D as [m|[a|]|u v f f' _ IH|n c f m D IH|l w u v f m D IH]; intros HQ K.
  - apply does_give_up.
  - apply K, HQ.
  - apply does_answer.
  - apply does_duel. intros []; apply IH; auto; apply HQ.
  - rewrite obind_self_play. apply does_rounds. intro b. apply IH; auto.
    revert HQ. generalize (N.to_nat n). intro j. induction j as [|j IJ]; [auto|]. intros [H _]. now apply IJ.
  - apply does_over. intro b. now apply IH.
Qed.

Lemma does_obind {A B} (m : program question (option A)) m' (k : A -> program question (option B)) k' :
  does m m' -> (forall a, does (k a) (k' a)) -> does (obind m k) (obind m' k').
Proof. intros. eapply does_obind_leaves; eauto using leaves_true. Qed.

Lemma does_sequential : sequential (@does).
Proof. split; [constructor|constructor|intros; now apply does_obind]. Qed.

Lemma answered_obind {T A} (m : program T (option A)) : answered m = obind m (fun a => Ret (Some (Some a))).
Proof.
  induction m as [[a|]|t u v k IH]; cbn; auto. f_equal. apply functional_extensionality, IH.
Qed.

Lemma does_answered {A} (m : program question (option A)) m' : does m m' -> does (answered m) (answered m').
Proof. intro D. rewrite !answered_obind. apply does_obind; auto. intro. apply does_answer. Qed.

(** ** The algorithms *)

Section Does.
Context {cv : conventions}.
Variable run : exact -> arm -> arm -> program question (option arm).
Variable test : R -> arm -> arm -> prog (option arm).
Hypothesis run_does : forall l u v, is_level l -> does (run l u v) (test (value l) u v).

Let same (l : exact) (d : R) : Prop := is_level l /\ d = value l.
Lemma same_round X l d : same l d -> rounds_alike same X l d.
Proof.
  intros [Hl ->] r _. split; [unfold is_level|]; rewrite value_round; [now apply round_level_range|reflexivity].
Qed.
Lemma same_does l d u v : same l d -> does (run l u v) (test d u v).
Proof. intros [Hl ->]. now apply run_does. Qed.

Lemma BKT_does X l : is_level l -> does (BKT run X l) (BKT test X (value l)).
Proof. intro. now apply (BKT_alike _ does_sequential same _ _ same_does), same_round. Qed.

Variables N L : nat.
Hypothesis HB : balanced_tree N L.

Lemma pass_levels b eps h X : (b < N)%nat -> is_level eps -> (h < L)%nat ->
  rounds_alike same X (beta L b eps (S h)) (beta L b (value eps) (S h)) /\
  same (eta L eps (S h)) (eta L (value eps) (S h)).
Proof.
  intros Hb He Hh. assert (2 <= 2 ^ L)%nat by (change 2%nat with (2 ^ 1)%nat at 1; apply Nat.pow_le_mono_r; lia).
  assert (V1 : value (beta L b eps (S h)) = beta L b (value eps) (S h)) by (apply value_block; lia).
  assert (V2 : value (eta L eps (S h)) = eta L (value eps) (S h)) by (apply value_merge; lia).
  pose proof (beta_range N L b HB Hb (value eps) h He Hh). pose proof (eta_range N L HB (value eps) (S h) He).
  split; [apply same_round|]; (split; [|symmetry; assumption]); unfold is_level in *; [rewrite V1|rewrite V2]; lra.
Qed.

Lemma TreeAscent_does b eps : (b < N)%nat -> is_level eps ->
  does (TreeAscent run N L b eps) (TreeAscent test N L b (value eps)).
Proof.
  intros Hb He. apply (ascend_alike _ does_sequential same _ _ same_does) with (H := L); [|lia].
  intros h Hh _. now apply pass_levels.
Qed.

(** For a power of two of arms the main text's shares are the appendix's. *)
Lemma TreeAscent_main_does b eps : (b < N)%nat -> is_level eps -> N = (2 ^ L)%nat ->
  does (TreeAscent_main run N L b eps) (TreeAscent test N L b (value eps)).
Proof.
  intros Hb He EN. apply (ascend_alike _ does_sequential same _ _ same_does) with (H := L); [|lia]. intros h Hh _.
  destruct (Tree.lem_app_sibling_partition cv N L b HB Hb) as (_ & _ & _ & _ & C1 & _ & C2).
  replace (main_beta N b eps (S h)) with (beta L b eps (S h)); [now apply pass_levels|].
  unfold beta, main_beta. rewrite C1, C2 by lia. now rewrite EN.
Qed.

Lemma ScreenReplace_does c rho kappa : is_level rho -> is_level kappa ->
  does (ScreenReplace run N c rho kappa) (ScreenReplace test N c (value rho) (value kappa)).
Proof.
  intros. apply (ScreenReplace_alike _ does_sequential same _ _ same_does); [|intro; apply same_round]; now split.
Qed.

Lemma epochs_does k : forall s c, does (epochs run N k s c) (epochs test N k s c).
Proof.
  induction k as [|k IH]; intros s c; cbn [epochs]; [apply does_answer|].
  assert (is_level (epoch_level s)) by (unfold is_level; rewrite value_epoch; apply epoch_level_range).
  rewrite <- value_epoch. apply does_obind; [now apply ScreenReplace_does|]. intro. apply IH.
Qed.

Lemma Weak_does eps k b : (b < N)%nat -> is_level eps ->
  does (TG_ITE_Weak run N L eps k b) (TG_ITE_Weak test N L (value eps) k b).
Proof. intros Hb He. apply does_obind; [now apply TreeAscent_does|]. intro. apply epochs_does. Qed.

(** The answer of a pass is an arm. *)
Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).

Lemma phases_does k : forall s c, (c < N)%nat -> does (phases run N L k s c) (phases test N L k s c).
Proof.
  induction k as [|k IH]; intros s c Hc; cbn [phases]; [apply does_answer|].
  rewrite <- value_phase. apply does_obind_leaves with (Q := in_range N).
  - apply TreeAscent_does; [exact Hc|]. unfold is_level. rewrite value_phase. apply phase_level_range.
  - apply TreeAscent_range; auto.
  - intros a Ha. apply does_rounds. intros _. now apply IH.
Qed.

Definition counted {A} (m : prog A) : prog (option A) := bind m (fun u => Ret (Some u)).

Lemma until_does {A B} (m : program question (option A)) m' :
  does m m' -> forall H (k : option (A * nat) -> program question (option unit)) (k' : A -> prog (option B)),
  (forall a h, (h <= H)%nat -> does (k (Some (a, h))) (counted (first_rounds h (k' a)))) ->
  k None = Ret (Some tt) ->
  does (obind (until m H) k) (counted (first_rounds H (obind m' k'))).
Proof.
  intro D. induction D as [m|[a|]|u v f f' _ IH|n c f m D IH|l w u v f m D IH]; intros H k k' K K0; cbn [until].
  - apply does_give_up.
  - apply K. lia.
  - apply does_give_up.
  - destruct H as [|H].
    + unfold obind at 1. cbn [bind]. rewrite K0. apply does_answer.
    + apply does_duel. intro b. apply IH; auto.
  - apply does_give_up.
  - apply does_over. intro b. now apply IH.
Qed.

Lemma first_rounds_self_play {A} n : forall H c (m : prog A), (n <= H)%nat ->
  counted (first_rounds n (self_play H c m)) = self_play n c (Ret (Some tt)).
Proof.
  induction n as [|n IH]; intros [|H] c m HH; try reflexivity; [lia|].
  cbn [self_play first_rounds]. unfold counted. cbn [bind]. f_equal.
  apply functional_extensionality. intros _. apply IH. lia.
Qed.

Lemma unanswered_obind {A B} (m : program question (option A)) (k : A -> program question (option B)) :
  unanswered (obind m k) = obind m (fun a => unanswered (k a)).
Proof.
  induction m as [[a|]|t u v f IH]; cbn; auto. f_equal. apply functional_extensionality, IH.
Qed.

Lemma known_does H b : (b < N)%nat -> (1 <= H)%nat ->
  does (unanswered (run_known run N L H b)) (counted (first_rounds H (TG_ITE_Strong_KnownHorizon test N L H b))).
Proof.
  intros Hb HH. unfold run_known, TG_ITE_Strong_KnownHorizon. rewrite unanswered_obind. apply until_does.
  - rewrite <- value_horizon. apply TreeAscent_does; auto. unfold is_level. rewrite value_horizon.
    now apply horizon_level_range.
  - intros a h Hh. unfold plays_itself at 2, self_play_by_duels. rewrite Nat2N.id, first_rounds_self_play by auto.
    destruct h as [|h]; [apply does_answer|]. rewrite <- (Nat2N.id (S h)) at 2. apply does_rounds. intros _.
    apply does_answer.
  - reflexivity.
Qed.
End Does.

(** ** What is not refused *)

Lemma chosen_balanced ch N : (2 <= N)%nat -> @balanced_tree (chosen ch N (height N)) N (height N).
Proof.
  intro HN. destruct (conventions_balanced N HN) as [A B C _]. constructor; auto. intros i Hi. cbn [leaf chosen].
  unfold chosen_leaf. destruct (byes_are ch); [lia|lia|]. destruct (_ && _); [|lia]. apply Nat.div_lt_upper_bound; nia.
Qed.

Lemma run_test_does c fuel t l u v : made c -> test_ok t -> is_level l ->
  does (run_test c fuel t l u v) (meant_test fuel t (value l) u v).
Proof.
  intros Hc Ht Hl. apply level_ok_of in Hl. destruct t as [|g| |g|g]; cbn [run_test meant_test test_ok] in *.
  - now apply run_dueltest_does.
  - apply run_budgeted_does; auto. unfold Q2R in Ht.
    apply lt_IZR, (Rmult_lt_reg_r (/ IZR (Zpos (Qden g)))); [positive|lra].
  - now apply run_mixture_does.
  - now apply run_sprt_does.
  - now apply run_truncated_sprt_does.
Qed.

Lemma meant_test_leaves fuel t d u v : leaves (one_of u v) (meant_test fuel t d u v).
Proof. destruct t; apply seqtest_leaves. Qed.

Lemma distinct_right X : distinct X = true -> NoDup X.
Proof.
  induction X as [|x X IH]; cbn [distinct]; intro H; constructor; apply andb_true_iff in H; destruct H as [A B]; auto.
  intro I. apply negb_true_iff in A. assert (existsb (Nat.eqb x) X = true); [|congruence].
  apply existsb_exists. exists x. split; auto. apply Nat.eqb_refl.
Qed.

Lemma among_right ch N b (that : conventions -> nat -> nat -> Prop) : among N b = true ->
  (forall cv, cv = chosen ch (Z.to_nat N) (height (Z.to_nat N)) ->
   @balanced_tree cv (Z.to_nat N) (height (Z.to_nat N)) -> (Z.to_nat b < Z.to_nat N)%nat ->
    that cv (Z.to_nat N) (height (Z.to_nat N))) -> on_tree ch N b that.
Proof.
  unfold among. intros H T. assert (2 <= Z.to_nat N)%nat as N2 by lia. assert (Z.to_nat b < Z.to_nat N)%nat by lia.
  pose proof (chosen_balanced ch _ N2). unfold on_tree. auto.
Qed.

Theorem start_does : start_does_statement.
Proof.
  intros c fuel ch t a m Hc. unfold start. destruct (admitted_test t) eqn:Ht; [|discriminate]. cbn [negb].
  apply admitted_test_right in Ht.
  assert (RT : forall l u v, is_level l -> does (run_test c fuel t l u v) (meant_test fuel t (value l) u v))
    by (intros; now apply run_test_does).
  intro HS. split; [exact Ht|].
  destruct a; cbn [promised] in *; cbv zeta in *;
    match type of HS with (if ?b then _ else _) = _ => destruct b eqn:HC; [|discriminate] end; injection HS as <-;
    repeat match goal with H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H end.
  all: pose proof admitted_right as AR; pose proof admitted_rational_right as AQ.
  - split; [|split; auto using does_answered]. intros ->. rewrite Z.eqb_refl in *. discriminate.
  - split; [now apply distinct_right|]. split; [|split; [auto|now apply does_answered, BKT_does; auto]].
    intros E. rewrite E in *. discriminate.
  - apply among_right; auto. intros cv -> HB Hb. split; [auto|].
    assert (P : main_text = true -> Z.to_nat N = (2 ^ height (Z.to_nat N))%nat).
    { intros ->. symmetry. now apply Nat.eqb_eq. }
    split; [exact P|]. apply does_answered.
    destruct main_text; [apply TreeAscent_main_does|apply TreeAscent_does]; auto.
  - apply among_right; auto. intros cv -> HB Hb. split; [auto|split; [auto|]].
    apply does_answered, ScreenReplace_does; auto.
  - apply among_right; auto. intros cv -> HB Hb. split; [auto|]. apply does_answered, Weak_does; auto.
  - apply among_right; auto. intros cv -> HB Hb. match goal with H : (1 <=? _)%Z = true |- _ => apply Z.leb_le in H end.
    split; [lia|]. apply known_does; auto. lia.
  - apply among_right; auto. intros cv -> HB Hb. apply does_answered, phases_does; auto using meant_test_leaves.
Qed.

(** ** Probabilities *)

Lemma does_Pr P {A} (P01 : forall u v, 0 <= P u v <= 1) (m : program question (option A)) m' ev :
  does m m' -> ev None = false -> Pr P m ev <= Pr P m' ev.
Proof.
  intros D H0. induction D as [m|o|u v k k' _ IH|n c k m _ IH|l w u v k m _ IH].
  - unfold Pr at 1. cbn [expect]. rewrite H0. now apply Pr_nonneg.
  - apply Rle_refl.
  - unfold Pr in *. now apply conv_mono.
  - unfold Pr in *. rewrite E_self_play. now apply conv_le.
  - unfold Pr in *. now apply conv_le.
Qed.

Lemma Pr_answered P w (m : prog (option arm)) : Pr P (answered m) (wrong_answer w) = Pr P m (wrong w).
Proof. unfold Pr, answered. rewrite E_bind. apply E_ext. intros [x|]; reflexivity. Qed.

(** SprtTest loses the winner with probability at most its level. *)
Lemma sprt_good P N w g F d j : condorcet P N w g -> 0 < g < 1/2 -> 0 < d < 1 -> (j < N)%nat -> j <> w ->
  good P (SPRT g F) w 1 d j.
Proof.
  intros [P01 Anti _ Win] Hg Hd Hj Hjw. specialize (Win j Hj Hjw). unfold good. rewrite Rmult_1_l.
  assert (HP : valid P) by (split; auto).
  destruct (sprt_correct P g d w j HP Hg Hd ltac:(congruence)) as [_ A].
  destruct (sprt_correct P g d j w HP Hg Hd Hjw) as [_ B].
  pose proof (Anti w j). unfold better in A, B.
  destruct (Rlt_dec (1/2) (P w j)), (Rlt_dec (1/2) (P j w)); try lra.
  split; [apply A|apply B]; unfold Rabs; destruct (Rcase_abs _); lra.
Qed.

Theorem executed_pass_errs_seldom : executed_pass_errs_seldom_statement.
Proof.
  intros P c fuel ch t main_text N b epsilon m w gap Hc HS HP.
  destruct (start_does c fuel ch t _ m Hc HS) as [Ht (_ & Hb & HB & He & _ & D)]. cbv zeta in *.
  assert (P01 : forall u v, 0 <= P u v <= 1).
  { destruct t; try apply (c_01 _ _ _ _ HP); apply valid_01, (a_valid _ _ _ _ HP). }
  eapply Rle_trans; [apply (does_Pr P P01 _ _ _ D); reflexivity|]. rewrite Pr_answered.
  enough (exists share, 0 <= share <= 1 /\ (w < Z.to_nat N)%nat /\
    forall d j, 0 < d < 1 -> (j < Z.to_nat N)%nat -> j <> w -> good P (meant_test fuel t) w share d j)
    as (share & Hs & Hw & G).
  { apply Rle_trans with (share * value epsilon); [|destruct He; nra].
    apply TreeAscent_correct; auto; [intros; apply meant_test_leaves|apply Hs]. }
  destruct t as [|g| |g|g]; cbn [meant_test test_ok] in *;
    [exists (1/20)|exists (8/15)|exists 1|exists 1|exists 1];
    (split; [lra|split; [apply (a_in _ _ _ _ HP) || apply (c_in _ _ _ _ HP)|intros d j Hd Hj Hjw]]).
  - apply DT_good; auto; [apply (a_valid _ _ _ _ HP)|apply paper_rule_admissible|apply (a_win _ _ _ _ HP); auto].
  - apply (pt_correct _ _ _ _ _ _ _
      (budgeteddueltest_is_pairwise_test P _ _ w _ HP paper_budgeted_admissible Ht) 0%nat d j Hd Hj Hjw).
  - eapply pt_correct; eauto. eapply mixture_is_pairwise_test; eauto.
  - eapply sprt_good; eauto.
  - apply (pt_correct _ _ _ _ _ _ _ (truncated_sprt_is_pairwise_test P _ w (Q2R g) HP Ht) 0%nat d j Hd Hj Hjw).
Qed.
