(** * certify and find-then-certify as they are executed (not in the paper)

    The rules of one-sided matches are decided in integers at rational levels, and budgets by enclosed
    logarithms.  With them the definitions of the theorems are run along given replies: the knockout's matches
    are asked for as a whole, with the gap that they are told; all else goes duel by duel.  What is run is what
    the theorems speak of, every whole match played by the truncated SprtTest ([play_find_then_certify],
    [runs_certify]). *)
From Coq Require Import FunctionalExtensionality Reals Lra Psatz Lia ZArith NArith QArith Qreals List Bool Arith.
Import ListNotations.
From TGITE Require Import Setting Algorithms Program DuelTest BudgetedDuelTest Trees Limits MixtureTest SprtTest.
From TGITE Require Import Logarithms ExecutedTests ExecutedBeyond Executed Paths.
From TGITE Require Import Likelihood Certificate CertifyAlone FindThenCertify.
Open Scope nat_scope.

(** ** The rules, in integers *)

Definition L_at_least (g d : Q) : nat -> nat -> bool := L_reaches (Qnum g) (Zpos (Qden g)) (Qnum d) (Zpos (Qden d)).
Definition L_at_most (g e : Q) : nat -> nat -> bool := L_sinks (Qnum g) (Zpos (Qden g)) (Qnum e) (Zpos (Qden e)).
Definition W_at_least (d : Q) (n s : nat) : bool :=
  let (term, total) := binomials s (Z.of_nat n + 1) 0 1 1 in
  (Zpos (Qden d) * (term * (Z.of_nat n + 1 - Z.of_nat s)) <=? Qnum d * total)%Z.

Definition gap_at (s : nat) : Q := Qmake 3 (Z.to_pos (2 ^ Z.of_nat (s + 3))).
Definition half_of (d : Q) : Q := Qmake (Qnum d) (2 * Qden d).
Definition level_at (delta : Q) (k : nat) : Q :=
  Qmake (2 * Qnum delta) (Qden delta * Pos.of_nat ((2 * k + 1) * (2 * k + 3))).
Definition loss_at (N : nat) : Q := Qmake 1 (Z.to_pos ((2 * Z.of_nat N) ^ 6)).

Definition screen_rule_at (s n x : nat) : option bool :=
  if L_at_least (gap_at s) (1 # 256) n x then Some true
  else if L_at_most (gap_at s) (1 # 32) n x then Some false else None.
Definition match_rule_at (s : nat) (d e : Q) (n x : nat) : option bool :=
  if L_at_least (gap_at s) (half_of d) n x || W_at_least (half_of d) n x then Some true
  else if L_at_most (gap_at s) e n x then Some false else None.
Definition bold_rule_at (s : nat) (a : Q) (n x : nat) : option bool :=
  if L_at_least (gap_at (pred s)) a n x then Some true
  else if L_at_most (gap_at (pred s)) (1 # 8) n x then Some false else None.
Definition evidence_rule_at (d a : Q) (n s : nat) : option bool :=
  if W_at_least d n s then Some true else if W_at_least a n (n - s) then Some false else None.
Definition margin_rule_at (m d a : Q) (n s : nat) : option bool :=
  match evidence_rule_at (half_of d) (half_of a) n s with
  | Some b => Some b
  | None => if L_at_most m (half_of a) n s && L_at_most m (half_of d) n (n - s) then Some true else None
  end.

(** ** Budgets *)

Definition units : constants := constants_at (2 ^ 64).
Definition rational_level (d : Q) : exact := {| rational := d; basel := 0 |}.
Definition enclosed_budget (s : nat) (d : Q) : option nat := budget_from 2 units (gap_at s) (rational_level d).
Definition duels_at (s : nat) (d : Q) : nat := match enclosed_budget s d with Some b => b | None => O end.
(** That enclosures tell all of them that may be needed in [n] stages. *)
Definition budgets_known (n : nat) (delta : Q) : bool :=
  forallb (fun s => forallb (fun k => let a := half_of (level_at delta k) in
    negb (ran_out (enclosed_budget s a)) && negb (ran_out (enclosed_budget s (half_of a)))) (seq 0 (S s))) (seq 0 n).

Definition certificate_budget_at (N s : nat) (a : Q) : nat := 4 * (N - 1) * duels_at s (half_of a) + 4 ^ (s + 3).

(** ** What is run *)

(** A whole match of the knockout, which is told a gap; or one duel. *)
Inductive tried := Told (g : Q) (l : exact) | Once.
Definition ask_told (g : Q) (l : exact) (u v : arm) : program tried (option arm) :=
  Ask (Told g l) u v (fun b => Ret (Some (if b then u else v))).
Fixpoint by_duels {A} (m : prog A) : program tried A :=
  match m with Ret a => Ret a | Ask _ u v k => Ask Once u v (fun b => by_duels (k b)) end.

Definition screen_at (s : nat) (pairs : list (arm * arm)) : prog (option bool) :=
  let B := screen_budget s in within B (certify (seqtest (screen_rule_at s) never B 0 0) (firstn 1 pairs)).
Definition certificate_at (N : nat) (delta : Q) (s k : nat) (c : arm) (pairs : list (arm * arm)) : prog (option bool) :=
  let a := level_at delta k in let B := certificate_budget_at N s a in
  within B (certify (seqtest (match_rule_at s a (loss_at N)) never B 0 0) pairs).
Definition either_at (N s : nat) (a : Q) (horizon : nat) (c u v : arm) : prog (option arm) :=
  let own := seqtest (match_rule_at s a (loss_at N)) never horizon 0 0 c v in
  if Nat.eqb u c then own
  else bind (seqtest (bold_rule_at s a) never (duels_at s a) 0 0 u v) (fun o =>
         if is_arm u o then Ret (Some u) else obind own (fun x => Ret (Some (if Nat.eqb x c then u else v)))).
Definition certificate_of_winner_at (N : nat) (delta : Q) (s k : nat) (c : arm) (pairs : list (arm * arm))
    : prog (option bool) :=
  let a := half_of (level_at delta k) in
  let B := certificate_budget_at N s a + (N - 1) * duels_at s a in
  within B (certify (either_at N s a B c) pairs).

Definition run_find_then_certify {cv : conventions} (winner_exists : bool) (N : nat) (delta : Q) (n : nat)
    : program tried (option arm) :=
  stages (fun s => tournament (ask_told (gap_at s)) (if winner_exists then suspects else its_own) N)
    (fun s pairs => by_duels (screen_at s pairs))
    (fun s k c pairs =>
       by_duels ((if winner_exists then certificate_of_winner_at else certificate_at) N delta s k c pairs)) n 0 0.

(** With a margin or without. *)
Definition run_certify (margin : option Q) (d a : Q) (c : arm) (order : list arm) (budget : nat) : prog (option bool) :=
  let rule := match margin with None => evidence_rule_at d a | Some m => margin_rule_at m d a end in
  within budget (certify (seqtest rule never budget 0 0) (against c order)).

(** Every whole match played by the test of the theorems. *)
Fixpoint play_told {A} (m : program tried A) : prog A :=
  match m with
  | Ret a => Ret a
  | Ask (Told g l) u v k => bind (BDT truncated_sprt (Q2R g) (value l) u v) (fun o => play_told (k (is_arm u o)))
  | Ask Once u v k => Duel u v (fun b => play_told (k b))
  end.

Definition play_find_then_certify_statement : Prop := forall (cv : conventions) N delta n,
  (2 <= N)%nat -> (0 < Q2R delta < 1)%R -> budgets_known n delta = true ->
  find_then_certify (knockout its_own N) N (Q2R delta) n = play_told (run_find_then_certify false N delta n) /\
  find_then_certify_winner (knockout suspects N) N (Q2R delta) n = play_told (run_find_then_certify true N delta n).

Definition runs_certify_statement : Prop := forall m d a c order budget,
  run_certify None d a c order budget =
    within budget (certify (seqtest (evidence_rule (Q2R d) (Q2R a)) never budget 0 0) (against c order)) /\
  run_certify (Some m) d a c order budget =
    within budget (certify (seqtest (margin_rule (Q2R m) (Q2R d) (Q2R a)) never budget 0 0) (against c order)).

(** ** Following *)

Definition one_more (u v : arm) (later : list event) : list event :=
  match later with
  | Dueled u' v' n :: later =>
      if (u =? u') && (v =? v') then Dueled u v (N.succ n) :: later else Dueled u v 1 :: Dueled u' v' n :: later
  | later => Dueled u v 1 :: later
  end.
(** [true]: the first arm wins the match, or the duel. *)
Fixpoint follow_stages (m : program tried (option arm)) (replies : list bool) : list event :=
  match m with
  | Ret o => [Answered o]
  | Ask t u v k =>
      match replies with
      | [] => [Cut]
      | b :: replies => let later := follow_stages (k b) replies in
          match t with Told g l => Tried g :: Asked l u v :: later | Once => one_more u v later end
      end
  end.
Definition follow_find_then_certify (ch : choices) (winner_exists : bool) (N : nat) (delta : Q) (n : nat)
    (replies : list bool) : list event :=
  if budgets_known n delta
  then follow_stages (run_find_then_certify (cv := chosen ch 0 0) winner_exists N delta n) replies else [].
(** Its answer: [Some 1] for certified, [Some 0] for lost. *)
Definition follow_certify (margin : option Q) (d a : Q) (c : arm) (order : list arm) (budget : nat)
    (replies : list bool) : list event :=
  follow_stages (by_duels (bind (run_certify margin d a c order budget) (fun o => Ret (option_map Nat.b2n o)))) replies.

(** * Proofs *)

Open Scope R_scope.

(** ** The rules *)

Lemma L_at_least_right g d n s : (s <= n)%nat -> L_at_least g d n s = reaches (likelihood (Q2R g)) (Q2R d) n s.
Proof. intro. symmetry. now apply likelihood_in_integers. Qed.
Lemma L_at_most_right g e n s : (s <= n)%nat -> L_at_most g e n s = sinks (likelihood (Q2R g)) (Q2R e) n s.
Proof. intro. symmetry. now apply likelihood_in_integers. Qed.

Lemma W_at_least_right d n s : (s <= n)%nat -> W_at_least d n s = reaches mixture (Q2R d) n s.
Proof.
  intro Hs. unfold W_at_least. destruct (binomials_total n s Hs) as [-> ->]. pose proof (binom_INR n s Hs).
  pose proof (lt_0_INR (S n) ltac:(lia)). assert (0 < IZR (Zpos (Qden d))) by (now apply IZR_lt).
  unfold reaches, mixture, Q2R. symmetry.
  apply Rle_in_integers with (IZR (Zpos (Qden d)) * (INR (S n) * INR (binom n s))); [positive| |];
    rewrite mult_IZR, <- INR_IZR_INZ, ?mult_INR; field; lra.
Qed.

Lemma Q2R_pos_den a b : (0 < b)%Z -> Q2R (Qmake a (Z.to_pos b)) = IZR a / IZR b.
Proof. intro H. unfold Q2R. cbn [Qnum Qden]. now rewrite Z2Pos.id. Qed.
Lemma gap_at_right s : Q2R (gap_at s) = gap s.
Proof. unfold gap_at. rewrite Q2R_pos_den by (apply Z.pow_pos_nonneg; lia). unfold gap. now rewrite <- pow_IZR. Qed.
Lemma half_of_right d : Q2R (half_of d) = Q2R d / 2.
Proof.
  unfold half_of, Q2R. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul, mult_IZR.
  assert (0 < IZR (Zpos (Qden d))) by (now apply IZR_lt). field. lra.
Qed.
Lemma level_at_right delta k : Q2R (level_at delta k) = certificate_level (Q2R delta) k.
Proof.
  unfold level_at, certificate_level, Q2R. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul, !mult_IZR, pos_of_nat_real by lia.
  rewrite mult_INR, !plus_INR, !mult_INR. simpl (INR 2). simpl (INR 1). simpl (INR 3). pose proof (pos_INR k).
  assert (0 < IZR (Zpos (Qden delta))) by (now apply IZR_lt). field. lra.
Qed.
Lemma loss_at_right N : (1 <= N)%nat -> Q2R (loss_at N) = certificate_loss N.
Proof.
  intro HN. unfold loss_at. rewrite Q2R_pos_den by (apply Z.pow_pos_nonneg; lia). unfold certificate_loss.
  rewrite INR_IZR_INZ, Nat2Z.inj_pow, Nat2Z.inj_mul. unfold Rdiv. now rewrite Rmult_1_l.
Qed.
Lemma small_right (b : BinNums.positive) : Q2R (1 # b) = / IZR (Zpos b).
Proof. unfold Q2R. cbn [Qnum Qden]. ring. Qed.

Lemma same_test stop stop' F u v : (forall n s, (s <= n)%nat -> stop n s = stop' n s) ->
  seqtest stop never F 0 0 u v = seqtest stop' never F 0 0 u v.
Proof. intro H. apply seqtest_ext; [intros n s _ Hs; apply H; lia|reflexivity]. Qed.

Ltac in_reals := rewrite ?L_at_least_right, ?W_at_least_right, ?L_at_most_right, ?gap_at_right, ?half_of_right,
  ?small_right
  by (assumption || lia); reflexivity.
Lemma screen_rule_right s n x : (x <= n)%nat -> screen_rule_at s n x = screen_rule (gap s) n x.
Proof. intro. unfold screen_rule_at, screen_rule. in_reals. Qed.
Lemma match_rule_right s d e n x : (x <= n)%nat -> match_rule_at s d e n x = match_rule (gap s) (Q2R d) (Q2R e) n x.
Proof. intro. unfold match_rule_at, match_rule. in_reals. Qed.
Lemma bold_rule_right s a n x : (x <= n)%nat -> bold_rule_at s a n x = bold_rule s (Q2R a) n x.
Proof. intro. unfold bold_rule_at, bold_rule. in_reals. Qed.
Lemma evidence_rule_right d a n s : (s <= n)%nat -> evidence_rule_at d a n s = evidence_rule (Q2R d) (Q2R a) n s.
Proof. intro. unfold evidence_rule_at, evidence_rule. in_reals. Qed.
Lemma margin_rule_right m d a n s : (s <= n)%nat -> margin_rule_at m d a n s = margin_rule (Q2R m) (Q2R d) (Q2R a) n s.
Proof. intro. unfold margin_rule_at, margin_rule, equivalent. rewrite evidence_rule_right by assumption. in_reals. Qed.

Lemma certify_ext {T} (test test' : arm -> arm -> program T (option arm)) pairs :
  (forall u v, test u v = test' u v) -> certify test pairs = certify test' pairs.
Proof.
  intro H. induction pairs as [|[x y] rest IH]; [reflexivity|]. cbn [certify]. now rewrite H, IH.
Qed.

Theorem runs_certify : runs_certify_statement.
Proof.
  intros m d a c order budget. unfold run_certify.
  split; f_equal; apply certify_ext; intros u v; apply same_test; [apply evidence_rule_right|apply margin_rule_right].
Qed.

(** ** Budgets *)

Lemma duels_at_right s d : 0 < Q2R d < 1 -> ran_out (enclosed_budget s d) = false ->
  duels_at s d = bbudget truncated_sprt (gap s) (Q2R d).
Proof.
  intro Hd. unfold duels_at, enclosed_budget.
  assert (value (rational_level d) = Q2R d) as V by (unfold value; cbn; ring).
  assert (made units) as Made by (apply made_at; discriminate).
  assert (level_ok (rational_level d)) as Ok by (apply level_ok_of; unfold is_level; now rewrite V).
  pose proof (fun m => budget_from_right 2 units (gap_at s) (rational_level d) m ltac:(lia) Made Ok eq_refl) as R.
  destruct (budget_from 2 units (gap_at s) (rational_level d)) as [m|]; [|discriminate]. intros _.
  rewrite (R m eq_refl), V, gap_at_right. reflexivity.
Qed.

Lemma known_at n delta s k : budgets_known n delta = true -> (s < n)%nat -> (k <= s)%nat ->
  let a := half_of (level_at delta k) in
  ran_out (enclosed_budget s a) = false /\ ran_out (enclosed_budget s (half_of a)) = false.
Proof.
  intros H Hs Hk a. unfold budgets_known in H. rewrite forallb_forall in H. specialize (H s ltac:(apply in_seq; lia)).
  rewrite forallb_forall in H. specialize (H k ltac:(apply in_seq; lia)). cbv zeta in H. fold a in H.
  apply andb_true_iff in H. rewrite !negb_true_iff in H. exact H.
Qed.

(** ** The parts *)

Lemma screen_at_right s pairs : screen_at s pairs = screen s pairs.
Proof. unfold screen_at, screen. cbv zeta. f_equal. apply certify_ext. intros u v. apply same_test, screen_rule_right.
Qed.

Section Parts.
Variables (N n : nat) (delta : Q).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hd : 0 < Q2R delta < 1.
Hypothesis Known : budgets_known n delta = true.
Variables s k : nat.
Hypothesis Hs : (s < n)%nat.
Hypothesis Hk : (k <= s)%nat.

Lemma level_at_range : 0 < Q2R (level_at delta k) < 1.
Proof. rewrite level_at_right. pose proof (level_range (Q2R delta) k Hd). lra. Qed.

Lemma budget_at_right a : 0 < Q2R a < 1 -> ran_out (enclosed_budget s (half_of a)) = false ->
  certificate_budget_at N s a = certificate_budget N s (Q2R a).
Proof.
  intros Ha K. unfold certificate_budget_at, certificate_budget.
  rewrite duels_at_right; rewrite ?half_of_right; [reflexivity|lra|exact K].
Qed.
Lemma match_at_right a F u v : seqtest (match_rule_at s a (loss_at N)) never F 0 0 u v =
  one_sided (gap s) (Q2R a) (certificate_loss N) F u v.
Proof. apply same_test. intros m x Hx. rewrite match_rule_right, loss_at_right by (exact Hx || lia). reflexivity. Qed.

Lemma certificate_at_right c pairs : certificate_at N delta s k c pairs = certificate N (Q2R delta) s k c pairs.
Proof.
  pose proof level_at_range. destruct (known_at n delta s k Known Hs Hk) as [K _].
  unfold certificate_at, certificate. cbv zeta. rewrite <- level_at_right, budget_at_right by assumption.
  f_equal. apply certify_ext. intros. apply match_at_right.
Qed.

Lemma certificate_of_winner_at_right c pairs :
  certificate_of_winner_at N delta s k c pairs = certificate_of_winner N (Q2R delta) s k c pairs.
Proof.
  pose proof level_at_range. destruct (known_at n delta s k Known Hs Hk) as [K K'].
  unfold certificate_of_winner_at, certificate_of_winner. cbv zeta. set (a := half_of (level_at delta k)) in *.
  replace (certificate_level (Q2R delta) k / 2) with (Q2R a) by (unfold a; now rewrite half_of_right, level_at_right).
  assert (0 < Q2R a < 1) by (unfold a; rewrite half_of_right; lra).
  assert (Bold : duels_at s a = bold_budget s (Q2R a)) by (now apply duels_at_right).
  rewrite budget_at_right, Bold by assumption. f_equal. apply certify_ext. intros u v. unfold either_at, either.
  cbv zeta. rewrite Bold, match_at_right.
  now rewrite (same_test (bold_rule_at s a) (bold_rule s (Q2R a))) by apply bold_rule_right.
Qed.
End Parts.

(** ** Playing *)

Ltac pointwise := f_equal; apply functional_extensionality; intro.

Lemma bind_assoc {T A B C} (m : program T A) (f : A -> program T B) (g : B -> program T C) :
  bind (bind m f) g = bind m (fun a => bind (f a) g).
Proof. induction m as [a|t u v k IH]; cbn [bind]; [reflexivity|]. pointwise. apply IH. Qed.

Lemma play_told_bind {A B} (m : program tried A) (f : A -> program tried B) :
  play_told (bind m f) = bind (play_told m) (fun a => play_told (f a)).
Proof.
  induction m as [a|[g l|] u v k IH]; cbn [bind play_told]; [reflexivity| |]; rewrite ?bind_assoc; pointwise; apply IH.
Qed.

Lemma play_by_duels {A} (m : prog A) : play_told (by_duels m) = m.
Proof. induction m as [a|[] u v k IH]; cbn [by_duels play_told]; [reflexivity|]. pointwise. apply IH. Qed.

Lemma BDT_says r g d u v : leaves (fun o => o = Some u \/ o = Some v) (BDT r g d u v).
Proof.
  eapply leaves_impl; [exact (leaves_and _ _ _ (BDT_leaves r g d u v) (BDT_always r g d u v))|].
  intros [x|] [A B]; [destruct A as [->| ->]; auto|discriminate].
Qed.

Lemma bind_says {A B} (Q : A -> Prop) (m : prog A) (f f' : A -> prog B) :
  leaves Q m -> (forall a, Q a -> f a = f' a) -> bind m f = bind m f'.
Proof.
  intros HQ H. induction m as [a|t u v k IH]; cbn in *; auto. pointwise. apply IH. destruct x; tauto.
Qed.

Lemma play_noting {A} g (m : program asked (option A)) : forall noted,
  play_told (noting (ask_told g) noted m) = noting (fun l => BDT truncated_sprt (Q2R g) (value l)) noted m.
Proof.
  induction m as [[a|]|[l|b] u v k IH]; intro noted; try reflexivity; [|apply IH].
  cbn [noting]. unfold ask_told at 1, obind. cbn [bind play_told]. eapply bind_says; [apply BDT_says|].
  intros o [->| ->]; cbn [is_arm]; rewrite ?Nat.eqb_refl; [apply IH|].
  destruct (Nat.eqb_spec v u) as [->|Ne]; [rewrite Nat.eqb_refl; apply IH|].
  destruct (Nat.eqb_spec v u); [congruence|apply IH].
Qed.

Lemma play_knockout {cv : conventions} matches N s : play_told (tournament (ask_told (gap_at s)) matches N) = knockout
  matches N s.
Proof. unfold knockout, tournament. rewrite play_told_bind, play_noting, gap_at_right. f_equal. Qed.

Lemma play_stages find screen cert find' screen' cert' n :
  (forall s, play_told (find s) = find' s) -> (forall s pairs, play_told (screen s pairs) = screen' s pairs) ->
  (forall s k c pairs, (s < n)%nat -> (k <= s)%nat -> play_told (cert s k c pairs) = cert' s k c pairs) ->
  forall f s k, (s + f <= n)%nat -> (k <= s)%nat ->
  play_told (stages find screen cert f s k) = stages find' screen' cert' f s k.
Proof.
  intros HF HS HC. induction f as [|f IH]; intros s k Hf Hk; [reflexivity|]. cbn [stages]. rewrite play_told_bind.
  unfold attempt. rewrite play_told_bind, HF.
  assert (forall o, play_told (judge screen cert s k o) = judge screen' cert' s k o) as J.
  { intros [[c pairs]|]; [|reflexivity]. cbn [judge]. rewrite play_told_bind, HS. pointwise.
    destruct (certified x); [|reflexivity]. rewrite play_told_bind, HC by lia. reflexivity. }
  rewrite (functional_extensionality _ _ J). pointwise. destruct x as [begun [c|]]; [destruct begun; reflexivity|].
  destruct begun; apply IH; lia.
Qed.

Theorem play_find_then_certify : play_find_then_certify_statement.
Proof.
  intros cv N delta n HN Hd Known. unfold find_then_certify, find_then_certify_winner, run_find_then_certify.
  split; symmetry.
  all: apply play_stages with (n := n); auto; [intro; apply play_knockout|intros; rewrite play_by_duels;
    apply screen_at_right|].
  all: intros s k c pairs Hs Hk; rewrite play_by_duels.
  - now apply certificate_at_right with (n := n).
  - now apply certificate_of_winner_at_right with (n := n).
Qed.
