(** * Certificates in rounds are right in time (not in the paper)

    A stage's certificate from whatever is known: the winner's fails with a small probability once the gap is reached,
    and its duels are few.  With [stages_identify] the search ends, within an expected number of duels in which no other
    gap occurs than the winner's. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith ZArith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate.
From TGITE Require Import Rounds RoundsRun Knockout RoundsError RoundsStages.
Open Scope R_scope.

Definition C_level : R := 33/4.
Definition C_arm : R := 72.
Definition C_winner_level : R := 49/5.
Definition C_winner_arm : R := 91.

(** [condorcet P N w Delta]: [w] beats every other arm by [Delta] at least; all else is free, ties included.
    The stages end with probability 1, in the limit of many; the answer is [w] with probability at least [1 - delta]. *)
Definition find_then_certify_identifies_statement : Prop := forall P N w Delta find delta,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> 0 < delta < 1 ->
    finds (own_matches N) P N w Delta find ->
  identifies P w (find_then_certify find N delta) delta (duels_at_most C_level 4 C_arm N Delta delta).
(** One cell has fewer levels than a cell for every champion. *)
Definition find_then_certify_winner_identifies_statement : Prop := forall P N w Delta find delta,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> 0 < delta < 1 ->
    finds (designated_matches N) P N w Delta find ->
  identifies P w (find_then_certify_winner find N delta) delta
    (duels_at_most C_winner_level 2 C_winner_arm N Delta delta).

(** The whole, with the knockout: right under no assumption, and under one it ends. *)
Definition find_then_certify_knockout_statement : Prop := forall (cv : conventions) P N delta,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 -> let run := find_then_certify (knockout its_own N) N delta in
  (forall n, Pr P (run n) (wrongly_returned P N) <= delta) /\
  (forall w Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 ->
    identifies P w run delta (duels_at_most C_level 4 C_arm N Delta delta)).
(** And where a winner is known to exist, every arm losing to whom it lost in the knockout, or to the champion. *)
Definition find_then_certify_winner_knockout_statement : Prop := forall (cv : conventions) P N w delta,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) ->
  let run := find_then_certify_winner (knockout suspects N) N delta in
  (forall n, Pr P (run n) (wrong w) <= delta) /\
  (forall Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 ->
     identifies P w run delta (duels_at_most C_winner_level 2 C_winner_arm N Delta delta)).

(** With a budget for all duels together, they may be cut anywhere: what is then returned is wrong with
    probability at most [delta] all the same. Where there is a winner, the budget suffices but for a probability
    of the expected number of duels over it (a stage takes a duel at least, so that there are stages enough). *)
Definition find_then_certify_budget_statement : Prop := forall (cv : conventions) P N delta n budget,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 ->
  let run := within budget (find_then_certify (knockout its_own N) N delta n) in
  let run' := within budget (find_then_certify_winner (knockout suspects N) N delta n) in
  (maxT run <= budget)%nat /\ (maxT run' <= budget)%nat /\
  Pr P run (wrongly_returned P N) <= delta /\
  (forall w, (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) -> Pr P run' (wrong w) <= delta) /\
  (forall w Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 -> (budget < n)%nat ->
     INR budget * Pr P run ran_out <= duels_at_most C_level 4 C_arm N Delta delta /\
     INR budget * Pr P run' ran_out <= duels_at_most C_winner_level 2 C_winner_arm N Delta delta).

(** * Proofs *)

(** ** Sums over arms *)

Fixpoint sum_over (f : arm -> R) (l : list arm) : R := match l with [] => 0 | i :: l' => f i + sum_over f l' end.

Lemma sum_over_ext f f' l : (forall i, f i = f' i) -> sum_over f l = sum_over f' l.
Proof. intro H. induction l as [|i l IH]; cbn [sum_over]; [reflexivity|]. now rewrite H, IH. Qed.
Lemma sum_over_le f l x : (forall i, In i l -> f i <= x) -> sum_over f l <= INR (length l) * x.
Proof.
  induction l as [|i l IH]; intro H; cbn [sum_over length]; [simpl; lra|]. rewrite S_INR.
  pose proof (H i (or_introl eq_refl)). assert (sum_over f l <= INR (length l) * x); [|lra].
  apply IH. intros j Hj. apply H. now right.
Qed.
Lemma sum_over_const x l : sum_over (fun _ => x) l = INR (length l) * x.
Proof. induction l as [|i l IH]; cbn [sum_over length]; [simpl; ring|]. rewrite S_INR, IH. ring. Qed.
Lemma sum_over_nonneg f l : (forall i, In i l -> 0 <= f i) -> 0 <= sum_over f l.
Proof.
  induction l as [|i l IH]; cbn [sum_over]; intro H; [lra|]. pose proof (H i (or_introl eq_refl)).
  assert (0 <= sum_over f l); [apply IH; intros; apply H; now right|lra].
Qed.
Lemma sum_over_at_least f l j : (forall i, 0 <= f i) -> In j l -> f j <= sum_over f l.
Proof.
  intro H. induction l as [|i l IH]; [intros []|]. pose proof (sum_over_nonneg f l (fun i _ => H i)). specialize (H i).
  intros [->|Hj]; cbn [sum_over]; [lra|]. specialize (IH Hj). lra.
Qed.
Lemma sum_over_change (h : counts -> R) f j y l : NoDup l -> In j l ->
  sum_over (fun i => h (change j y f i)) l = sum_over (fun i => h (f i)) l + (h y - h (f j)).
Proof.
  intro ND. induction ND as [|i l Hi ND IH]; [intros []|]. cbn [sum_over]. intros [->|Hj].
  - assert (forall l, ~ In j l -> sum_over (fun i => h (change j y f i)) l = sum_over (fun i => h (f i)) l) as E.
    { induction l0 as [|k l' IH']; intro Hk; cbn [sum_over]; [reflexivity|]. simpl in Hk. rewrite IH' by tauto.
      unfold change. destruct (Nat.eqb_spec k j); [tauto|reflexivity]. }
    rewrite E by exact Hi. unfold change. rewrite Nat.eqb_refl. ring.
  - rewrite IH by exact Hj. unfold change at 1. destruct (Nat.eqb_spec i j) as [->|]; [contradiction|ring].
Qed.

(** ** The likelihood of counts *)

Definition L (g : R) (x : counts) : R := likelihood g (fst x) (snd x).
Definition sensible (x : counts) : Prop := (snd x <= fst x)%nat.
Definition factor (g : R) (b : bool) : R := if b then 1 + 2 * g else 1 - 2 * g.

Lemma L_one_more g b x : sensible x -> L g (one_more b x) = factor g b * L g x.
Proof.
  unfold L, factor, sensible. cbn [one_more fst snd]. intro H. destruct b; cbn [b2n Nat.add].
  - now rewrite L_win.
  - now rewrite L_loss.
Qed.
Lemma L_nothing g : L g nothing = 1.
Proof. apply L_start. Qed.

Lemma exp_half_ln x : 0 < x -> exp (- (ln x / 2)) = / sqrt x.
Proof. intro H. rewrite exp_Ropp, <- (Rpower_sqrt x H). unfold Rpower. do 2 f_equal. field. Qed.

(** A gap of twice [g] takes a third of the time. *)
Lemma double_drift g p : 0 < g <= 1/4 -> 1/2 + 2 * g <= p <= 1 ->
  6 * (g * g) <= p * ln (1 + 2 * g) + (1 - p) * ln (1 - 2 * g).
Proof.
  intros Hg Hp. pose proof (ln_L_drift g (p - g) ltac:(lra) ltac:(lra)) as D. pose proof (ln_odds g ltac:(lra)) as O.
  unfold odds in O. rewrite ln_div in O by lra. apply (Rmult_le_compat_l g) in O; lra.
Qed.

Lemma over_drift (twice : bool) s x :
  x / ((if twice then 6 else 2) * (gap s * gap s)) = (if twice then 1/6 else 1/2) * (scale s * x).
Proof. unfold Rdiv at 1. rewrite Rinv_mult, scale_inv. destruct twice; field. Qed.

(** ** Levels and budgets *)

Lemma part_range k : 0 < part k <= 4/5.
Proof. unfold part. pose proof (pos_INR k). split; [positive|]. apply Rle_div_l; nra. Qed.
Lemma part_inv k : / part k <= 4 * ((INR k + 3/4) * (INR k + 3/4)).
Proof. unfold part. rewrite Rinv_div. lra. Qed.

Lemma level_range a r : 0 < a < 1 -> a <= level_in_round a r < 1.
Proof.
  intro Ha. split; [apply Rmax_l|]. apply Rmax_lub_lt; [lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; [|].
  - rewrite Rmult_1_l. apply pow_lt. lra.
  - apply Rlt_pow_R1; [lra|]. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia.
Qed.
Lemma level_falls a r : level_in_round a (S r) <= level_in_round a r.
Proof.
  apply Rmax_lub; [apply Rmax_l|]. eapply Rle_trans; [|apply Rmax_r]. apply Rinv_le_contravar; [apply pow_lt; lra|].
  apply Rle_pow; [lra|]. apply Nat.pow_le_mono_r; lia.
Qed.
Lemma last_round a : 0 < a -> exists r, (0 <= r < 0 + enough_rounds a)%nat /\ is_last a r = true.
Proof.
  intro Ha. exists (Z.to_nat (up (/ a))). unfold enough_rounds. split; [lia|]. unfold is_last. set (r := Z.to_nat _).
  destruct (Rle_dec _ _) as [|h]; [reflexivity|exfalso; apply h]. rewrite <- (Rinv_inv a).
  apply Rinv_le_contravar; [positive|]. destruct (archimed (/ a)) as [U _].
  assert (0 < / a) by positive. assert (0 <= up (/ a))%Z by (apply le_IZR; lra).
  apply Rle_trans with (INR r); [unfold r; rewrite INR_IZR_INZ, Z2Nat.id by assumption; lra|].
  apply Rle_trans with (INR (2 ^ (r + 2))); [apply le_INR|].
  - apply Nat.le_trans with (2 ^ r)%nat; [apply Nat.lt_le_incl, Nat.pow_gt_lin_r; lia|apply Nat.pow_le_mono_r; lia].
  - apply Rle_trans with (INR (2 ^ (2 ^ (r + 2)))); [apply le_INR, Nat.lt_le_incl, Nat.pow_gt_lin_r; lia|].
    rewrite pow_INR. right. f_equal; lra.
Qed.

(** The budget of a match. *)
Lemma match_budget s a : 0 < a < 1 -> let b := INR (bbudget truncated_sprt (gap s) a) in
  scale s / 2 * ln (2 / a) <= b <= scale s / 2 * ln (2 / a) + 1.
Proof.
  intros Ha b. pose proof (gap_range s). assert (0 < ln (2 / a)) by (apply ln_pos, Rlt_div_r; lra).
  replace (scale s / 2 * ln (2 / a)) with (1 / (2 * (gap s * gap s)) * ln (2 / a))
    by (rewrite <- scale_inv; field; lra).
  unfold b. cbn [bbudget truncated_sprt]. destruct (ceil_spec (1 / (2 * (gap s * gap s)) * ln (2 / a))); [positive|lra].
Qed.
Lemma match_budget_falls s a d : 0 < a <= d -> d < 1 ->
  (bbudget truncated_sprt (gap s) d <= bbudget truncated_sprt (gap s) a)%nat.
Proof.
  intros Ha Hd. cbn [bbudget truncated_sprt]. pose proof (gap_range s).
  assert (0 < ln (2 / d)) by (apply ln_pos, Rlt_div_r; lra).
  assert (ln (2 / d) <= ln (2 / a)).
  { apply ln_le; [positive|]. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
  set (x := 1 / (2 * (gap s * gap s))). assert (0 < x) by (unfold x; positive).
  assert (x * ln (2 / d) <= x * ln (2 / a)) by (apply Rmult_le_compat_l; lra).
  destruct (ceil_spec (x * ln (2 / d))); [positive|]. destruct (ceil_spec (x * ln (2 / a))).
  { assert (0 < x * ln (2 / d)) by positive. lra. }
  apply Nat.lt_succ_r, INR_lt. rewrite S_INR. lra.
Qed.
Lemma stage_budget_falls N s a d : 0 < a <= d -> d < 1 -> (stage_budget N s d <= stage_budget N s a)%nat.
Proof.
  intros Ha Hd. apply Nat.add_le_mono_r, Nat.mul_le_mono_l. now apply match_budget_falls.
Qed.
Lemma budget_range N s a : 0 < a < 1 -> let B := INR (stage_budget N s a) in
  INR (N - 1) * (2 * scale s * ln (2 / a)) + 9 * scale s <= B /\
  B <= scale s * (INR (N - 1) * (2 * ln (2 / a) + 9/16) + 9).
Proof.
  intros Ha B. unfold B, stage_budget. rewrite plus_INR, !mult_INR, INR_pow4.
  replace (INR 4) with 4 by (simpl; lra).
  replace (4 ^ (s + 3)) with (9 * scale s) by (unfold scale; field). pose proof (pos_INR (N - 1)) as M.
  destruct (match_budget s a Ha) as [Lo U]. pose proof (scale_pos s) as S0.
  apply (Rmult_le_compat_l (INR (N - 1))) in Lo, U, S0; lra.
Qed.

Lemma ln_twice d : 0 < d -> ln (2 / d) = ln 2 + ln (/ d).
Proof. intro H. unfold Rdiv. rewrite ln_mult; [reflexivity|lra|positive]. Qed.

Lemma loss_nonneg N : 0 <= certificate_loss N.
Proof. unfold certificate_loss. destruct N; [simpl; rewrite Rinv_0; lra|].
assert (0 < INR ((2 * S N) ^ 6)); [|positive].
  apply lt_0_INR, Nat.neq_0_lt_0, Nat.pow_nonzero. lia. Qed.
Lemma loss_small N : (2 <= N)%nat -> INR (N - 1) * certificate_loss N <= / 4096.
Proof.
  intro HN. assert (2 <= INR N) as N2 by (apply (le_INR 2); lia). apply Rle_div_l.
  - rewrite pow_INR, mult_INR. positive.
  - rewrite pow_INR, mult_INR, minus_INR by lia. simpl (INR 2). simpl (INR 1). set (x := INR N) in *.
    assert (4 * (x - 1) <= x * x) by nra. assert (16 <= (x * x) * (x * x)) by nra. nra.
Qed.

(** ** A stage's certificate, from whatever is known

    [arms] are those that are exposed. Of their duels with others than the champion, at most [most_bold] an arm,
    [bolds] is known, so that they leave a likelihood of at least [low]. *)
Section Visit.
Variable P : arm -> arm -> R.
Hypothesis HP : valid P.
Let P01 := valid_01 P HP.
Variables (N s m : nat) (omega a : R) (pause : nat -> nat) (c : arm) (pairs : list (arm * arm)) (arms : list arm).
Hypothesis HN : (2 <= N)%nat.
Hypothesis no_pause : forall r, pause r = 0%nat.
Hypothesis Ha : 0 < a < 1.
Let g := gap s.
Let sh := share omega m.
Hypothesis Hsh : 0 < sh < 1.
Hypothesis arms_once : NoDup arms.
Hypothesis arms_all : length arms = (N - 1)%nat.
Hypothesis in_arms : forall u j, In (u, j) pairs -> In j arms.
Let M := INR (N - 1).
Let level r := level_in_round a r.

Variables (bolds : counts -> Prop) (most_bold : nat) (low : R).
Hypothesis Hlow : 0 < low <= 1.
Hypothesis bolds_nothing : bolds nothing.
Hypothesis bolds_more : forall u j b x, In (u, j) pairs -> u <> c -> sensible x ->
  sinks (likelihood (gap (pred s))) (/ 8) (fst x) (snd x) = false -> bolds (one_more b x).
Hypothesis bolds_low : forall x, bolds x -> sensible x -> low <= L g x.
Hypothesis bolds_few : forall u j, In (u, j) pairs -> u <> c -> (bold_budget s a <= most_bold)%nat.

(** Until the level [d] was asked for, this holds. *)
Record fits (d : R) (x : state) : Prop := {
  fits_own : forall j, In j arms -> L g (own x j) <= (1 + 2 * g) / (low * (sh * d));
  fits_others : forall j, In j arms -> bolds (others j x) }.

Let Hg : 0 < g < 1/2 := gap_range s.

Lemma own_sensible x j : sound x -> sensible (own x j).
Proof. intro H. specialize (H j). unfold sensible. lia. Qed.
Lemma others_sensible x j : sound x -> sensible (others j x).
Proof. intro H. specialize (H j). unfold sensible, others. cbn [fst snd]. lia. Qed.
Lemma L_now x j : sound x -> L g (now x j) = L g (own x j) * L g (others j x).
Proof.
  intro H. specialize (H j). unfold L, likelihood, others. cbn [fst snd]. set (n := fst (own x j)) in *.
  set (k := snd (own x j)) in *. set (n' := fst (now x j)) in *. set (k' := snd (now x j)) in *.
  replace k' with (k + (k' - k))%nat at 1 by lia.
  replace (n' - k')%nat with ((n - k) + (n' - n - (k' - k)))%nat by lia. rewrite !pow_add. ring.
Qed.
Lemma others_dueled j b x i : others i (dueled j b x) = others i x.
Proof. unfold others. cbn [dueled now own]. unfold change. destruct (Nat.eqb i j) eqn:E; [|reflexivity].
apply Nat.eqb_eq in E. subst. cbn. f_equal; lia. Qed.
Lemma others_change j b x i : sound x ->
  others i (exposed j b x) = change j (one_more b (others j x)) (fun i => others i x) i.
Proof.
  intro H. specialize (H j). unfold others. cbn [exposed now own]. unfold change.
  destruct (Nat.eqb_spec i j) as [->|]; [|reflexivity]. unfold one_more. cbn [fst snd]. f_equal; lia.
Qed.

Lemma fits_le d d' x : 0 < d <= d' -> fits d' x -> fits d x.
Proof.
  intros Hd [A B]. split; [|exact B]. intros j Hj. eapply Rle_trans; [now apply A|]. apply Rmult_le_compat_l; [lra|].
  apply Rinv_le_contravar; [positive|]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
Qed.

Lemma fits_opened d x : 0 < d < 1 -> fits d (opened x).
Proof.
  intro Hd. split; cbn [opened own].
  - intros j _. rewrite L_nothing. apply Rle_div_r; [positive|]. assert (low * (sh * d) <= 1 * (1 * 1)); [|lra].
    repeat apply Rmult_le_compat; try lra; positive.
  - intros j _. apply bolds_nothing.
Qed.

Lemma level_pos r : 0 < level r < 1.
Proof. pose proof (level_range a r Ha). unfold level. lra. Qed.

Lemma fits_move r x u v add b : fits (level r) x -> move N s m omega a pause c (eq r) pairs x u v add ->
  fits (level r) (add b x).
Proof.
  intros [A B] [r' u' j <- Hin Hx _ E _ _|r' u' j <- Hin Hx _ Hu _ Hop _|r' <- _ Pa].
  - pose proof (in_arms _ _ Hin) as Hj. destruct (level_pos r) as [D0 D1], Hlow, Hsh. split.
    + intros i Hi. cbn [dueled own]. unfold change. destruct (Nat.eqb_spec i j) as [->|]; [|now apply A].
      rewrite L_one_more by now apply own_sensible. apply orb_false_iff in E. destruct E as [_ E].
      apply not_reached in E; [|apply Rmult_lt_0_compat; [assumption|exact D0]]. fold g in E.
      change (likelihood g (fst (now x j)) (snd (now x j))) with (L g (now x j)) in E. rewrite L_now in E by exact Hx.
      pose proof (bolds_low _ (B j Hj) (others_sensible x j Hx)) as Lo.
      assert (0 < L g (own x j)) as L0 by now apply L_pos. assert (low * L g (own x j) <= / (sh * level r)) as Q.
      { left. eapply Rle_lt_trans; [|exact E]. rewrite Rmult_comm. apply Rmult_le_compat_l; lra. }
      assert (L g (own x j) <= / (low * (sh * level r))) as Q'.
      { rewrite Rinv_mult. apply Rmult_le_reg_l with low; [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra. }
      apply Rmult_le_compat; try lra; destruct b; cbn [factor]; lra.
    + intros i Hi. rewrite others_dueled. now apply B.
  - split; [exact A|]. intros i Hi. rewrite others_change by exact Hx. unfold change.
    destruct (Nat.eqb_spec i j) as [->|]; [|now apply B]. apply (bolds_more u' j); auto using others_sensible.
  - rewrite no_pause in Pa. lia.
Qed.

(** The steps of a stage; at its end what was asked for last. *)
Lemma rounds_fit F : forall r x, (exists r', (r <= r' < r + F)%nat /\ is_last a r' = true) -> sound x ->
  fits (level r) x ->
  steps (move N s m omega a pause c (fun _ => True) pairs) (thrown s m omega a pairs)
    (fun y o => o = Some y /\ sound y /\ exists r, fits (level r) y /\
       (out_of pairs y \/ failure N s m omega a (eq r) pairs y))
    x (rounds N s m omega a pause c F r pairs x).
Proof.
  induction F as [|F IH]; intros r x (r' & Hr & La) Hx Hf; [lia|]. eapply steps_bind.
  - eapply steps_impl.
    + apply steps_keep with (I := fits (level r));
        [| |exact Hf|apply (round_steps N s m omega a pause c pairs r pairs x (incl_refl _) Hx)].
      * intros. eapply fits_move; eauto.
      * intros y z [A B] [u j]. split; auto.
    + intros y u v add [_ [r1 u1 j1|r1 u1 j1|r1]];
        [apply own_move with r1 u1|apply bold_move with r1|apply pause_move with r1]; auto.
    + intros y z [_ T]. exact T.
    + intros y o Q. exact Q.
  - intros y [[|] z] (Fy & Hy & E & K); cbn [fst snd] in E, K; subst z.
    + destruct (is_last a r) eqn:Lr.
      { apply steps_done. split; [reflexivity|]. split; [exact Hy|]. exists r. split; [exact Fy|]. left.
        eapply last_won; eauto. }
      rewrite no_pause. apply IH; [exists r'; split; [|exact La]|exact Hy|].
      * assert (r' <> r) by (intros ->; congruence). lia.
      * apply fits_le with (level r); [|exact Fy]. split; [apply level_pos|apply level_falls].
    + apply steps_done. split; [reflexivity|]. split; [exact Hy|exists r; auto].
Qed.

Variable kept : cell.
Hypothesis Hkept : sound_cell kept.
Hypothesis Hm : m = visits kept.
Let run := visit N omega a pause (enough_rounds a) s c pairs kept.

Lemma visit_fit :
  steps (move N s m omega a pause c (fun _ => True) pairs) (thrown s m omega a pairs)
    (fun y o => o = Some (closed (S m) y) /\ sound y /\ exists r, fits (level r) y /\
       (out_of pairs y \/ failure N s m omega a (eq r) pairs y))
    (opened kept) run.
Proof.
  unfold run, visit, obind. rewrite <- Hm.
  eapply steps_bind; [apply (rounds_fit (enough_rounds a) 0)|].
  - now apply last_round.
  - now apply sound_opened.
  - apply fits_opened, level_pos.
  - intros y o (-> & Hy & K). apply steps_done. auto.
Qed.

Lemma visit_keeps : leaves (fun o => match o with Some y => sound_cell y /\ visits y = S m | None => False end) run.
Proof.
  eapply leaves_impl; [eapply steps_leaves, visit_fit|].
  intros o (y & -> & Hy & _). split; [now apply sound_closed|reflexivity].
Qed.

(** ** Duels *)

Lemma fits_all r x : fits (level r) x -> fits a x.
Proof. apply fits_le. split; [apply Ha|apply level_range, Ha]. Qed.

Let log_own (x : state) : R := sum_over (fun j => ln (L g (own x j))) arms.
Lemma log_own_dueled j b x : In j arms -> sound x -> log_own (dueled j b x) = log_own x + ln (factor g b).
Proof.
  intros Hj Hx. unfold log_own. cbn [dueled own].
  rewrite (sum_over_change (fun y => ln (L g y)) (own x) j _ arms arms_once Hj), L_one_more by now apply own_sensible.
  rewrite ln_mult; [ring|destruct b; cbn [factor]; lra|now apply L_pos].
Qed.
Lemma log_own_le d x : 0 < d < 1 -> fits d x -> log_own x <= M * ln ((1 + 2 * g) / (low * (sh * d))).
Proof.
  intros Hd [A _]. unfold log_own, M. rewrite <- arms_all. apply sum_over_le. intros j Hj.
  apply ln_le; [now apply L_pos|now apply A].
Qed.

(** How many more with others than the champion there may be. *)
Let bold_left (x : state) : R := sum_over (fun j => INR (most_bold - fst (others j x))) arms.
Lemma bold_left_dueled j b x : bold_left (dueled j b x) = bold_left x.
Proof. apply sum_over_ext. intro i. now rewrite others_dueled. Qed.
Lemma bold_left_exposed j b x : In j arms -> sound x -> (fst (others j x) < most_bold)%nat ->
  bold_left (exposed j b x) = bold_left x - 1.
Proof.
  intros Hj Hx Few. set (h := fun y : counts => INR (most_bold - fst y)).
  transitivity (sum_over (fun i => h (change j (one_more b (others j x)) (fun i => others i x) i)) arms).
  { apply sum_over_ext. intro i. now rewrite others_change. }
  rewrite (sum_over_change h (fun i => others i x) j _ arms arms_once Hj). unfold bold_left, h.
  cbn [one_more fst]. rewrite !minus_INR, S_INR by lia. ring.
Qed.
Lemma bold_left_nonneg x : 0 <= bold_left x.
Proof. apply sum_over_nonneg. intros. apply pos_INR. Qed.
Lemma bold_left_opened x : bold_left (opened x) = M * INR most_bold.
Proof. unfold bold_left. cbn. rewrite sum_over_const, arms_all, Nat.sub_0_r. reflexivity. Qed.

(** A potential that every duel lowers by one pays for all of them. *)
Lemma visit_ET psi :
  (forall y j, In j arms -> sound y -> (spent y < stage_budget N s (sh * a))%nat ->
    P c j * psi (dueled j true y) + (1 - P c j) * psi (dueled j false y) <= psi y - 1) ->
  (forall y j b, In j arms -> sound y -> (fst (others j y) < most_bold)%nat -> psi (exposed j b y) <= psi y - 1) ->
  (forall y j, psi (throw_out j y) = psi y) -> (forall y r, sound y -> fits (level r) y -> 0 <= psi y) ->
  ET P run <= psi (opened kept).
Proof.
  intros Own Others Out End.
  replace (ET P run) with (tally P (fun _ _ => 1) 1 run (fun _ => 0)) by (rewrite tally_ET, E_const; ring).
  refine (steps_tally _ _ P P01 _ 1 psi _ _ (opened kept) _ ltac:(lra) _ _ _ visit_fit).
  - intros y u v add [r u' j _ Hin Hy _ _ _ Sp|r u' j _ Hin Hy _ Hu _ _ Few|r _ _ Pa]; [| |rewrite no_pause in Pa; lia];
      pose proof (in_arms _ _ Hin) as Hj; pose proof (level_range a r Ha); destruct Hsh.
    + assert (spent y < stage_budget N s (sh * a))%nat as Sp'; [|specialize (Own y j Hj Hy Sp'); lra].
      eapply Nat.lt_le_trans; [exact Sp|].
      apply stage_budget_falls; fold sh; [split; [positive|apply Rmult_le_compat_l; lra]|nra].
    + assert (fst (others j y) < most_bold)%nat as Few'.
      { eapply Nat.lt_le_trans; [exact Few|]. eapply Nat.le_trans; [|now apply (bolds_few u' j)].
        apply match_budget_falls; lra. }
      pose proof (conv_le (P u' j) _ _ _ (P01 u' j) (Others y j true Hj Hy Few') (Others y j false Hj Hy Few')). lra.
  - intros y z [u j _ _ _ _]. rewrite Out. lra.
  - intros y o (_ & Hy & r & Fy & _). eauto.
Qed.

Lemma visit_cap : ET P run <= scale s * (M * (2 * ln (/ (sh * a)) + 1951/1000) + 9) + M * INR most_bold.
Proof.
  set (B := stage_budget N s (sh * a)). set (psi := fun y => INR (B - spent y) + bold_left y).
  apply Rle_trans with (psi (opened kept)).
  - apply visit_ET; auto; unfold psi.
    + intros y j _ _ Sp. rewrite !bold_left_dueled. cbn [dueled spent].
      replace (B - spent y)%nat with (S (B - S (spent y))) by lia. rewrite S_INR. lra.
    + intros y j b Hj Hy Few. rewrite bold_left_exposed by assumption. cbn [exposed spent]. lra.
    + intros y _ _ _. pose proof (bold_left_nonneg y). pose proof (pos_INR (B - spent y)). lra.
  - unfold psi. rewrite bold_left_opened. rewrite Nat.sub_0_r.
    destruct (budget_range N s (sh * a)) as [_ U]; [split; [positive|nra]|]. fold B M in U.
    rewrite ln_twice in U by positive. pose proof ln2_le as L2. pose proof (scale_pos s).
    assert (0 <= scale s * M) as SM by (apply Rmult_le_pos; [lra|apply pos_INR]).
    apply (Rmult_le_compat_l (scale s * M)) in L2; [lra|exact SM].
Qed.

Lemma visit_time (twice : bool) Delta : (if twice then 2 else 1) * g <= Delta ->
  (forall j, In j arms -> 1/2 + Delta <= P c j) -> ET P run <=
    (if twice then 1/6 else 1/2) * (scale s * (M * (ln ((1 + 2 * g) / low) + ln (/ (sh * a))))) + M * INR most_bold.
Proof.
  intros Hs Win. set (K := M * ln ((1 + 2 * g) / (low * (sh * a)))).
  assert (M * (ln ((1 + 2 * g) / low) + ln (/ (sh * a))) = K) as ->.
  { unfold K. rewrite <- ln_mult by positive. do 2 f_equal. field. lra. }
  rewrite <- over_drift. fold g. set (D := _ * (g * g)). assert (0 < g * g) by positive.
  assert (0 < D) as HD by (unfold D; destruct twice; lra).
  set (psi := fun y => (K - log_own y) / D + bold_left y).
  replace (K / D + M * INR most_bold) with (psi (opened kept)).
  2:{ unfold psi, log_own. rewrite bold_left_opened. cbn [opened own]. rewrite L_nothing, ln_1, sum_over_const.
      field. lra. }
  apply visit_ET; auto; unfold psi.
  - intros y j Hj Hy _. rewrite !bold_left_dueled, !log_own_dueled by assumption. cbn [factor].
    specialize (Win j Hj). pose proof (P01 c j).
    assert (1 <= (P c j * ln (1 + 2 * g) + (1 - P c j) * ln (1 - 2 * g)) / D) as Q; [|unfold Rdiv in *; lra].
    apply Rle_div_r; [exact HD|]. rewrite Rmult_1_l. destruct twice; [apply double_drift|apply ln_L_drift]; lra.
  - intros y j b Hj Hy Few. rewrite bold_left_exposed by assumption.
    change (log_own (exposed j b y)) with (log_own y). lra.
  - intros y r Hy Fy. pose proof (bold_left_nonneg y). pose proof (log_own_le a y Ha (fits_all r y Fy)) as LO.
    fold K in LO. assert (0 <= (K - log_own y) / D); [|lra]. apply Rmult_le_pos; [lra|left; positive].
Qed.

(** ** Failures *)

Let e := certificate_loss N.
Let lost (x : state) : R := sum_over (fun j => / L g (own x j)) arms.
Let late (x : state) : R := exp (root_rate g * INR (spent x) - log_own x / 2).

Lemma late_dueled p j b x : p = factor g b -> In j arms -> sound x ->
  late (dueled j b x) = late x * exp (root_rate g) * / sqrt p.
Proof.
  intros -> Hj Hx. unfold late. rewrite log_own_dueled by assumption. cbn [dueled spent].
  rewrite <- exp_half_ln, S_INR, <- !exp_plus by (destruct b; cbn [factor]; lra). f_equal. field.
Qed.
Lemma lost_dueled j b x : In j arms -> sound x ->
  lost (dueled j b x) = lost x + (/ factor g b - 1) * / L g (own x j).
Proof.
  intros Hj Hx. unfold lost. cbn [dueled own].
  rewrite (sum_over_change (fun y => / L g y) (own x) j _ arms arms_once Hj), L_one_more by now apply own_sensible.
  rewrite Rinv_mult. ring.
Qed.

(** A certificate that goes on to the end is answered. *)
Hypothesis all_pairs : forall j, (j < N)%nat -> j <> c -> exists u, In (u, j) pairs.
Lemma answered k x : out_of pairs x -> answer N c (closed k x) <> None.
Proof.
  intro Ho. unfold answer. cbn [closed gone]. set (f := fun j => negb (out x j)).
  assert (forall j, In j (filter f (seq 0 N)) -> j = c) as One.
  { intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Fj]. apply in_seq in Hj.
    destruct (Nat.eq_dec j c) as [|Hc]; [assumption|]. destruct (all_pairs j ltac:(lia) Hc) as (u & Hu).
    unfold f in Fj. rewrite (Ho u j Hu) in Fj. discriminate. }
  pose proof (NoDup_filter f (seq_NoDup N 0)) as ND.
  destruct (filter f (seq 0 N)) as [|i [|j l]]; try discriminate. exfalso. inversion ND as [|? ? Hi _]. apply Hi.
  rewrite (One i), (One j) by (simpl; auto). simpl; auto.
Qed.

(** In every round the budget is enough. *)
Let margin t : R := 2 * (1 + g * g) * (ln 2 + t) - t - ln ((1 + 2 * g) / low).
Hypothesis enough_margin : 0 <= margin (ln (/ sh)) /\ 10 - 9 * (1 + g * g) <= margin (ln (/ sh)).
Lemma enough_budget d : 0 < d < 1 ->
  5 <= root_rate g * INR (stage_budget N s (sh * d)) - M * ln ((1 + 2 * g) / (low * (sh * d))) / 2.
Proof.
  intro Hd. assert (0 < sh * d < sh) as SD by (split; [positive|nra]).
  destruct (budget_range N s (sh * d) ltac:(lra)) as [BL _]. assert (1 <= M) as M1 by (unfold M; apply (le_INR 1); lia).
  fold M in BL. rewrite ln_twice in BL by lra.
  assert (ln ((1 + 2 * g) / (low * (sh * d))) = ln ((1 + 2 * g) / low) + ln (/ (sh * d))) as ->.
  { rewrite <- ln_mult by positive. f_equal. field. lra. }
  assert (ln (/ sh) <= ln (/ (sh * d))) as T by (apply ln_le; [positive|apply Rinv_le_contravar; lra]).
  set (t := ln (/ (sh * d))) in *. assert (margin (ln (/ sh)) <= margin t) as Q by (unfold margin; nra).
  assert (0 <= root_rate g) as R0 by (unfold root_rate; positive).
  apply (Rmult_le_compat_l (root_rate g)) in BL; [|exact R0].
  replace (root_rate g * (M * (2 * scale s * (ln 2 + t)) + 9 * scale s))
    with ((scale s * (g * g)) * ((1 + g * g) * (M * (ln 2 + t) + 9 / 2))) in BL by (unfold root_rate; field).
  rewrite scale_gap, Rmult_1_l in BL. assert (margin t <= M * margin t) by nra. unfold margin in *. lra.
Qed.

Definition missed (o : option cell) : R :=
  match o with Some x => match answer N c x with Some _ => 0 | None => 1 end | None => 1 end.

Lemma visit_right : (forall j, In j arms -> 1/2 + g <= P c j) -> expect P run missed <= / 4096 + (10/27) ^ 5.
Proof.
  intro Win. set (psi := fun y => e * lost y + late y * exp (-5)).
  assert (E0 : 0 <= e) by apply loss_nonneg.
  assert (I0 : forall y j, 0 < / L g (own y j)) by (intros; apply Rinv_0_lt_compat, L_pos, Hg).
  assert (Lost0 : forall y, 0 <= lost y).
  { intro y. apply sum_over_nonneg. intros j _. left. apply I0. }
  assert (Late0 : forall y, 0 < late y) by (intro; apply exp_pos).
  apply Rle_trans with (psi (opened kept)).
  - refine (steps_expect _ _ P P01 psi _ missed (opened kept) _ _ _ _ visit_fit).
    + intros y u v add [r' u' j _ Hin Hy Ho En Bt Sp|r' u' j _ Hin Hy _ _ _ _ _|r' _ _ Pa].
      * pose proof (in_arms _ _ Hin) as Hj. specialize (Win j Hj). pose proof (P01 c j) as Pcj. unfold psi.
        rewrite !lost_dueled, (late_dueled (factor g true) j true), (late_dueled (factor g false) j false) by auto.
        pose proof (sharp_root_drift g (P c j) Hg ltac:(lra)) as D. set (p := P c j) in *.
        assert (p * / (1 + 2 * g) + (1 - p) * / (1 - 2 * g) <= 1) as D'.
        { pose proof (inverse_L g p 0 0 Hg ltac:(lra) (le_n _)) as Q. rewrite L_win, L_loss, L_start in Q by lia.
          rewrite !Rmult_1_r, Rinv_1 in Q. exact Q. }
        apply (Rmult_le_compat_l (late y * exp (root_rate g) * exp (-5))) in D;
          [|pose proof (exp_pos (root_rate g)); pose proof (exp_pos (-5)); specialize (Late0 y); positive].
        apply (Rmult_le_compat_l (e * / L g (own y j))) in D'; [|specialize (I0 y j); positive].
        replace (late y * exp (root_rate g) * exp (-5) * exp (- root_rate g)) with (late y * exp (-5)) in D
          by (rewrite exp_Ropp; field; pose proof (exp_pos (root_rate g)); lra).
        cbn [factor] in *. lra.
      * unfold psi. change (lost (exposed j true y)) with (lost y). change (lost (exposed j false y)) with (lost y).
        change (late (exposed j true y)) with (late y). change (late (exposed j false y)) with (late y). lra.
      * rewrite no_pause in Pa. lia.
    + intros y z [u j _ _ _ _]. apply Rle_refl.
    + intros y o (-> & Hy & r & Fy & K). unfold missed. pose proof (Lost0 y). pose proof (Late0 y).
      pose proof (exp_pos (-5)). assert (0 <= psi y) by (unfold psi; positive).
      assert (answer N c (closed (S m) y) = None -> 1 <= psi y); [|destruct (answer N c (closed (S m) y)); auto].
      intro An. destruct K as [O|(r' & u & j & <- & Hin & _ & _ & [Be|Sp])]; [destruct (answered (S m) y O An)| |].
      * unfold beaten, sinks in Be. destruct (Rle_dec _ _) as [Be'|]; [|discriminate].
        assert (/ L g (own y j) <= lost y) as Q.
        { apply (sum_over_at_least (fun i => / L g (own y i))); [intro i; left; apply I0|eauto]. }
        apply (Rmult_le_compat_l e) in Q; [|exact E0].
        assert (1 <= e * / L g (own y j)) by (apply Rle_div_r; [apply L_pos, Hg|rewrite Rmult_1_l; exact Be']).
        unfold psi. assert (0 <= late y * exp (-5)) by positive. lra.
      * unfold psi. assert (0 <= e * lost y) by positive. assert (1 <= late y * exp (-5)); [|lra].
        unfold late. rewrite <- exp_plus, <- exp_0. apply exp_le.
        pose proof (log_own_le (level r) y (level_pos r) Fy) as LO.
        pose proof (enough_budget (level r) (level_pos r)) as EB.
        apply le_INR in Sp. fold sh in Sp. change (level_in_round a r) with (level r) in Sp.
        apply (Rmult_le_compat_l (root_rate g)) in Sp; [lra|unfold root_rate; positive].
  - unfold psi, lost, late, log_own. cbn [opened own spent]. rewrite L_nothing, ln_1, !sum_over_const, arms_all. fold M.
    pose proof (loss_small N HN) as S1. fold e M in S1. pose proof (exp_minus 5) as S5.
    replace (- INR 5) with (-5) in S5 by (simpl; lra).
    simpl (INR 0). replace (root_rate g * 0 - M * 0 / 2) with 0 by field. rewrite exp_0.
    lra.
Qed.

Lemma visit_facts :
  leaves (fun o => match o with Some y => sound_cell y /\ visits y = S m | None => False end) run /\
  ET P run <= scale s * (M * (2 * ln (/ (sh * a)) + 1951/1000) + 9) + M * INR most_bold /\
  forall Delta, g <= Delta -> (forall j, In j arms -> 1/2 + Delta <= P c j) ->
    expect P run missed <= / 4096 + (10/27) ^ 5 /\
    forall twice : bool, (if twice then 2 else 1) * g <= Delta -> ET P run <=
      (if twice then 1/6 else 1/2) * (scale s * (M * (ln ((1 + 2 * g) / low) + ln (/ (sh * a))))) + M * INR most_bold.
Proof.
  split; [exact visit_keeps|]. split; [exact visit_cap|]. intros Delta HD Win. split.
  - apply visit_right. intros j Hj. specialize (Win j Hj). lra.
  - intros twice Hs. now apply visit_time with Delta.
Qed.
End Visit.

(** ** The screen *)

Lemma screen_admissible g : complete_rule g (/ 256) (/ 32) (screen_rule g).
Proof.
  intros n s _. unfold screen_rule. split; [destruct (reaches _ _ _ _); [discriminate|reflexivity]|].
  destruct (reaches _ _ _ _); [discriminate|]. destruct (sinks _ _ _ _); [reflexivity|discriminate].
Qed.

Lemma screen_duels s : INR (screen_budget s) = 36 * scale s.
Proof. unfold screen_budget. rewrite INR_pow4, <- plus_n_Sm. unfold scale. cbn [pow]. field. Qed.

Lemma screen_right P s pairs : valid P -> (forall u v, In (u, v) pairs -> u <> v /\ 1/2 + gap s <= P u v) ->
  1 - (/ 32 + (10/27) ^ 14) <= Pr P (screen s pairs) certified /\ ET P (screen s pairs) <= 3123/1000 * scale s.
Proof.
  intros HP Ho. pose proof (valid_01 P HP) as P01.
  pose proof (gap_range s) as Hg. pose proof ln2_le as L2. pose proof (scale_gap s) as SG.
  pose proof (scale_pos s) as S0. set (few := firstn 1 pairs).
  assert (0 <= INR (length few) <= 1) as Len by (split; [apply pos_INR|apply (le_INR _ 1), firstn_le_length]).
  destruct (certificate_complete P (gap s) (/ 256) (/ 32) (screen_rule (gap s)) (screen_budget s) (screen_budget s) few)
    as [A B]; auto using screen_admissible; try lra.
  { intros u v Hin. apply Ho. rewrite <- (firstn_skipn 1 pairs). apply in_or_app. auto. }
  assert (0 <= ln (1 + 2 * gap s) <= ln 2) as LG by (rewrite <- ln_1 at 1; split; apply ln_le; lra).
  assert (ln 256 = 8 * ln 2) as L256 by (replace 256 with (2 ^ 8) by ring; rewrite ln_pow by lra; simpl (INR 8); ring).
  split.
  - eapply Rle_trans; [|exact A]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat; [lra|].
    eapply Rle_trans; [|apply (exp_minus 14)]. rewrite screen_duels. apply exp_le. simpl (INR 14).
    replace ((1 + 2 * gap s) / / 256) with ((1 + 2 * gap s) * 256) by field. rewrite ln_mult by lra. nra.
  - eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|]. eapply Rle_trans; [exact B|].
    unfold L_time, Rdiv. rewrite Rinv_inv, L256, Rinv_mult, scale_inv.
    apply Rle_trans with (1 * ((8 * ln 2 + ln (1 + 2 * gap s)) * (/ 2 * scale s))).
    + apply Rmult_le_compat_r; [|lra]. positive.
    + rewrite Rmult_1_l, <- Rmult_assoc. apply Rmult_le_compat_r; lra.
Qed.

(** The answer of a stage is that of its certificate. *)
Lemma Pr_unanswered {A} P N c (m : prog (option cell)) (mem : cell -> A) :
  Pr P (obind m (fun x => Ret (Some (mem x, answer N c x)))) (unanswered A) = expect P m (missed N c).
Proof.
  unfold obind. rewrite Pr_bind. apply E_ext. intros [x|]; unfold Pr; cbn; [|reflexivity].
  now destruct (answer N c x).
Qed.
Lemma ET_after P (P01 : forall u v, 0 <= P u v <= 1) {A B} (m : prog (option A)) (f : A -> B) t :
  ET P m <= t -> ET P (obind m (fun x => Ret (Some (f x)))) <= t.
Proof.
  intro H. rewrite <- (Rplus_0_r t). apply ET_bind_le; [exact P01|exact H|]. intros [x|]; cbn; lra.
Qed.

(** ** Nothing assumed *)

Lemma own_pairs N c pairs u j : own_matches N (Some (c, pairs)) -> In (u, j) pairs -> u = c /\ In j (rivals N c).
Proof.
  intros (Hc & order & -> & _ & Ord) I. apply in_map_iff in I. destruct I as (i & [= <- <-] & I).
  split; [reflexivity|]. now apply others_in, Ord.
Qed.

(** ** The cells *)

(** After [s] stages: the k-th champion has been visited at most s - k times. *)
Definition good (s : nat) (l : cells) : Prop :=
  forall k, (k < length l)%nat -> (k + visits (cell_at k l) <= s)%nat /\ sound_cell (cell_at k l).
Definition own_known (s : nat) (l : cells) : Prop := (length l <= s)%nat /\ good s l.

Lemma put_length k y l : length (put k y l) = length l.
Proof. revert k. induction l as [|[i x] l IH]; intros [|k]; cbn [put length]; auto. Qed.
Lemma cell_at_put y l : forall k i, (k < length l)%nat ->
  cell_at i (put k y l) = if Nat.eqb i k then y else cell_at i l.
Proof.
  induction l as [|[j x] l IH]; intros [|k] [|i] H; cbn [put length nth snd Nat.eqb] in *; try lia; auto. apply IH. lia.
Qed.
Lemma position_lt c l : forall k, position c l = Some k -> (k < length l)%nat.
Proof.
  induction l as [|[i x] l IH]; intros k; cbn [position length]; [discriminate|].
  destruct (Nat.eqb i c); [intros [= <-]; lia|]. destruct (position c l) as [k'|]; [|discriminate].
  intros [= <-]. specialize (IH k' eq_refl). lia.
Qed.
Lemma position_same i x l : forall k, position i (put k x l) = position i l.
Proof. induction l as [|[j y] l IH]; intros [|k]; cbn [put position]; auto. now rewrite IH. Qed.
Lemma position_once c i l : forall k, position c l = Some k -> position i l = Some k -> i = c.
Proof.
  induction l as [|[j y] l IH]; intros k; cbn [position]; [discriminate|].
  destruct (Nat.eqb_spec j c) as [E|], (Nat.eqb_spec j i) as [E'|]; [congruence| | |];
    destruct (position c l) as [q|], (position i l) as [q'|]; try discriminate; try (intros [= <-]; discriminate).
  intros [= <-] [= ->]. now apply (IH q).
Qed.
Lemma position_other i c l : i <> c -> position i (l ++ [(c, empty)]) = position i l.
Proof.
  intro H. induction l as [|[j y] l IH]; cbn [position app]; [|now rewrite IH].
  destruct (Nat.eqb_spec c i); [congruence|reflexivity].
Qed.
Lemma cell_at_app k c l : cell_at k (l ++ [(c, empty)]) = cell_at k l.
Proof.
  unfold cell_at. destruct (Nat.lt_ge_cases k (length l)) as [H|H]; [now rewrite app_nth1|].
  rewrite (nth_overflow l), app_nth2 by exact H. now destruct (k - length l)%nat as [|[|q]].
Qed.
Lemma good_new s c l : own_known s l -> good s (l ++ [(c, empty)]).
Proof.
  intros [Hl H] k Hk. rewrite app_length in Hk. cbn [length] in Hk. rewrite cell_at_app.
  destruct (Nat.eq_dec k (length l)) as [->|Ne]; [|apply H; lia]. unfold cell_at. rewrite nth_overflow by apply le_n.
  split; [cbn; lia|exact sound_empty].
Qed.

Section Own.
Variable P : arm -> arm -> R.
Hypothesis HP : valid P.
Variables (N : nat) (delta : R).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hd : 0 < delta < 1.
Let P01 := valid_01 P HP.
Let M := INR (N - 1).
Let form := form N delta 4.

(** The level of the k-th champion in the m-th stage of its cell. *)
Lemma own_level k m s : (k + m <= s)%nat -> let a := champion_level delta k in let d := share omega_own m in
  0 < a < 1 /\ 0 < d <= 2/5 /\ ln (/ (d * a)) <= logs delta 4 s + 694/1000.
Proof.
  intros H a d. apply le_INR in H. rewrite plus_INR in H.
  pose proof (part_range k) as Pk. pose proof (part_range m) as Pm.
  assert (0 < a < 1) as A by (unfold a, champion_level; split; [positive|nra]).
  assert (0 < d <= 2/5) as D by (unfold d, share, omega_own; lra). split; [exact A|]. split; [exact D|].
  pose proof (pos_INR k). pose proof (pos_INR m). set (x := INR k + 3/4). set (y := INR m + 3/4).
  set (z := INR s + 3/2). assert (0 < x) by (unfold x; lra). assert (0 < y) by (unfold y; lra).
  assert (x + y <= z) as XY by (unfold x, y, z; lra).
  apply Rle_trans with (ln (2 * / delta * z ^ 4)).
  - apply ln_le; [positive|]. unfold a, d, share, champion_level, omega_own.
    replace (/ ((1 - 1 / 2) * part m * (delta * part k))) with (2 * / delta * (/ part k * / part m)) by (field; lra).
    apply Rmult_le_compat_l; [positive|]. apply Rle_trans with ((4 * (x * x)) * (4 * (y * y))).
    + apply Rmult_le_compat; try apply part_inv; left; positive.
    + pose proof (Rle_0_sqr (x - y)) as Sq. unfold Rsqr in Sq. assert (0 < x * y) by positive.
      pose proof (Rmult_le_compat (x + y) z (x + y) z ltac:(lra) ltac:(lra) XY XY) as Z.
      pose proof (Rmult_le_compat (4 * (x * y)) (z * z) (4 * (x * y)) (z * z) ltac:(lra) ltac:(lra) ltac:(lra)
        ltac:(lra)). lra.
  - rewrite !ln_mult, ln_pow by positive. unfold logs. fold z. simpl (INR 4). pose proof ln2_le. lra.
Qed.

Definition own_facts s c x z q {A} (keep : A -> option arm -> Prop) (m : prog (option (A * option arm))) : Prop :=
  stage_facts P N delta 4 2 (3339/1000) (1/2) (694/1000) (1/6) (232/1000) 0 s c x z q keep m.
Lemma none_extra s : only_first 0 s = 0.
Proof. now destruct s. Qed.

Section OwnStage.
Variables (s : nat) (c : arm) (pairs : list (arm * arm)).
Hypothesis Hp : own_matches N (Some (c, pairs)).

Lemma own_visit l k : good s l -> (k < length l)%nat ->
  own_facts s c 9 0 (/ 4096 + (10/27) ^ 5) (fun l' o => length l' = length l /\ good (S s) l' /\ an_arm N o)
    (visit_own N delta (fun _ => 0%nat) enough_rounds s l k c pairs).
Proof.
  intros G Hk. destruct (G k Hk) as [K Hx]. set (x := cell_at k l) in *.
  destruct (own_level k (visits x) s K) as (A & D & U). pose proof Hp as (Hc & order & E & _ & Ord).
  destruct (visit_facts P HP N s (visits x) omega_own (champion_level delta k) (fun _ => 0%nat) c pairs (rivals N c))
    with (bolds := fun y => y = nothing) (most_bold := 0%nat) (low := 1) (kept := x) as (Keep & Cap & Right);
    auto; try lra; try apply others_NoDup; try (now apply others_len).
  { intros u j I. now apply (own_pairs N c pairs u j Hp) in I. }
  { intros u j b y I. apply (own_pairs N c pairs u j Hp) in I. tauto. }
  { intros y -> _. rewrite L_nothing. lra. }
  { intros u j I. apply (own_pairs N c pairs u j Hp) in I. tauto. }
  { intros j Hj Hjc. exists c. rewrite E. apply in_map, Ord. auto. }
  { pose proof (gap_range s) as Hg. pose proof ln2_ge. set (d := share omega_own (visits x)) in *.
    assert (3/5 <= ln (/ d)) as T.
    { rewrite ln_Rinv by lra. pose proof (ln_tangent d 1 ltac:(lra) ltac:(lra)) as Q. rewrite ln_1 in Q. lra. }
    assert (ln ((1 + 2 * gap s) / 1) <= ln 2) by (apply ln_le; lra). assert (0 < gap s * gap s) as G2 by nra.
    assert (0 <= gap s * gap s * (ln 2 + ln (/ d))) by positive. lra. }
  pose proof (scale_pos s) as S0. assert (0 <= scale s * M) as SM by (apply Rmult_le_pos; [lra|apply pos_INR]).
  apply (Rmult_le_compat_l (scale s * M)) in U; [|exact SM]. fold M in Cap, Right. simpl (INR 0) in *.
  pose proof (none_extra s) as Z. unfold own_facts, stage_facts, RoundsStages.form, visit_own. fold M x.
  split; [|split].
  - eapply leaves_bind; [exact Keep|]. intros [y|] Hy; [|exact Hy]. destruct Hy as [Hy Vy]. split; [apply put_length|].
    split.
    + intros i Hi. rewrite put_length in Hi. rewrite cell_at_put by exact Hk. destruct (G i Hi).
      destruct (Nat.eqb_spec i k) as [->|]; [rewrite Vy; split; [lia|exact Hy]|]. split; [lia|assumption].
    + now apply answer_arm.
  - apply (ET_after P P01). lra.
  - intros Delta HD Win. destruct (Right Delta HD Win) as [R T]. split; [now rewrite Pr_unanswered|].
    intros twice Hs. apply (ET_after P P01). specialize (T twice Hs). pose proof (gap_range s). pose proof ln2_le as L2.
    assert (ln ((1 + 2 * gap s) / 1) <= ln 2) as L1 by (apply ln_le; lra).
    apply (Rmult_le_compat_l (scale s * M)) in L1, L2; [|exact SM|exact SM]. destruct twice; lra.
Qed.

(** A new champion is screened. *)
Lemma own_stage_facts l : own_known s l ->
  own_facts s c 45 (3123/1000) (1/25) (fun l' o => own_known (S s) l' /\ an_arm N o)
    (own_stage N delta (fun _ => 0%nat) enough_rounds s l c pairs).
Proof.
  intros [Hl G]. pose proof (scale_pos s) as S0. pose proof (none_extra s) as Z. unfold own_stage.
  destruct (position c l) as [k|] eqn:E.
  - destruct (own_visit l k G (position_lt c l k E)) as (A & B & C).
    split; [|split; [eapply Rle_trans; [exact B|lra]|]].
    + eapply leaves_impl; [exact A|]. intros [[l' o]|] H; [|exact H]. destruct H as (H & G' & H').
      split; [split; [lia|exact G']|exact H'].
    + intros Delta HD Win. destruct (C Delta HD Win) as [R T]. split; [eapply Rle_trans; [exact R|lra]|].
      intros twice Hs. eapply Rle_trans; [exact (T twice Hs)|lra].
  - destruct (own_visit (l ++ [(c, empty)]) (length l)) as (A & B & C);
      [apply good_new; split; assumption|rewrite app_length; cbn; lia|]. split; [|split].
    + eapply leaves_bind; [apply leaves_true|]. intros o _. destruct (certified o).
      * eapply leaves_impl; [exact A|]. intros [[l' i]|] H; [|exact H]. rewrite app_length in H. cbn [length] in H.
        destruct H as (H & G' & H'). split; [split; [lia|exact G']|exact H'].
      * split; [split; [lia|]|exact Logic.I]. intros k Hk. destruct (G k Hk). split; [lia|assumption].
    + pose proof (form_nonneg N delta HN Hd 4 ltac:(lra) 2 (3339/1000) s ltac:(lra) ltac:(lra)) as F. fold form in F.
      apply Rle_trans with (36 * scale s + (scale s * (form 2 (3339/1000) s + 9) + only_first 0 s));
        [|unfold form in *; lra].
      apply ET_bind_le; [exact P01| |].
      * rewrite <- screen_duels. eapply Rle_trans; [apply ET_le_max, P01|]. apply le_INR, within_budget.
      * intro o. destruct (certified o); [exact B|]. rewrite Z. cbn [ET]. positive.
    + intros Delta HD Win. destruct (C Delta HD Win) as [R T]. destruct (screen_right P s pairs HP) as [SR ST].
      { intros u v I. destruct (own_pairs N c pairs u v Hp I) as [-> J]. specialize (Win v J). apply others_in in J.
        split; [|lra]. intros ->. now destruct J. }
      split.
      * apply Rle_trans with ((/ 32 + (10/27) ^ 14) + (/ 4096 + (10/27) ^ 5)); [|lra].
        apply (Pr_bind_le P P01 _ _ (fun o => negb (certified o))); [lra| |].
        { assert (Pr P (screen s pairs) (fun o => negb (certified o)) = 1 - Pr P (screen s pairs) certified) as ->;
            [|lra].
          rewrite <- Pr_not. unfold Pr. apply E_ext. intro o. now destruct (certified o). }
        intros o Ho. apply negb_false_iff in Ho. rewrite Ho. exact R.
      * intros twice Hs. specialize (T twice Hs). set (x := if twice then 1/6 else 1/2) in *.
        set (y := if twice then 232/1000 else 694/1000) in *.
        assert (0 <= x /\ 0 <= y) as [X Y] by (unfold x, y; destruct twice; lra).
        pose proof (form_nonneg N delta HN Hd 4 ltac:(lra) x y s X Y) as F. fold form in F.
        apply Rle_trans with (3123/1000 * scale s + (scale s * (form x y s + 0) + only_first 0 s));
          [|unfold form in *; lra].
        apply ET_bind_le; [exact P01|exact ST|]. intro o. destruct (certified o); [exact T|]. rewrite Z. cbn. positive.
Qed.
End OwnStage.
End Own.

Theorem find_then_certify_identifies : find_then_certify_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd Finds. assert (valid P) as HP by (split; apply HC).
  apply (stages_identify find cells (own_stage N delta (fun _ => 0%nat) enough_rounds) P N w Delta delta HN Hd 4)
    with (a_l := 2) (a_c := 3339/1000) (t_l := 1/2) (t_c := 694/1000) (u_l := 1/6) (u_c := 232/1000) (extra := 0)
      (known := own_known) (matches := own_matches N) (bad := wrongly_returned P N); auto; try lra.
  - pose proof (form_nonneg N delta HN Hd 4 ltac:(lra) 2 (3339/1000 + 241/100) 0 ltac:(lra) ltac:(lra)).
    pose proof (scale_pos 0). split; [lra|positive].
  - intros s l c pairs Hl Hp. now apply own_stage_facts.
  - split; [apply le_n|intros k Hk; inversion Hk].
  - intros o Ho. apply (wrong_is_wrong P N w Delta o HC); [lra|exact Ho].
  - intro n. apply find_then_certify_error; auto. apply Finds.
  - unfold C_level. lra.
  - unfold C_level, C_arm. lra.
Qed.
(** ** A winner assumed *)

Lemma gap_first : gap 0 = 3/8.
Proof. unfold gap. simpl. field. Qed.

Lemma L_double g y : 0 < 2 * g < 1/2 -> L (2 * g) y <= L g y * L g y.
Proof.
  intro H. unfold L, likelihood. set (k := snd y). set (m := (fst y - k)%nat).
  replace ((1 + 2 * g) ^ k * (1 - 2 * g) ^ m * ((1 + 2 * g) ^ k * (1 - 2 * g) ^ m))
    with (((1 + 2 * g) * (1 + 2 * g)) ^ k * ((1 - 2 * g) * (1 - 2 * g)) ^ m) by (rewrite !Rpow_mult_distr; ring).
  apply Rmult_le_compat; try (apply pow_le; lra); apply pow_incr; nra.
Qed.

Section Life.
Variable P : arm -> arm -> R.
Hypothesis HP : valid P.
Variables (N : nat) (delta : R).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hd : 0 < delta < 1.
Let P01 := valid_01 P HP.
Let M := INR (N - 1).
Let lam := ln (/ delta).

(** The likelihood of the gap that is tried, after duels that were not hopeless for the gap of the stage before. *)
Definition low (s : nat) : R := match s with O => 1/32 | S _ => 7/40 end.
Definition bold_so (s : nat) (y : counts) : Prop := (1 - 2 * gap (pred s)) / 8 <= L (gap (pred s)) y.

Lemma bold_low s y : bold_so s y -> low s <= L (gap s) y.
Proof.
  intro H. unfold bold_so in H. assert (0 < L (gap s) y) as L0 by apply L_pos, gap_range.
  destruct s as [|s]; cbn [low pred] in *; [rewrite gap_first in *; lra|].
  pose proof (gap_range s). pose proof (gap_le 0 s (Nat.le_0_l s)) as G. rewrite gap_first in G.
  replace (gap s) with (2 * gap (S s)) in * by (rewrite gap_S; field). pose proof (L_double (gap (S s)) y ltac:(lra)).
  apply Rsqr_incr_0_var; [unfold Rsqr|]; lra.
Qed.

Lemma bold_one_more s b y : sensible y -> sinks (likelihood (gap (pred s))) (/ 8) (fst y) (snd y) = false ->
  bold_so s (one_more b y).
Proof.
  intros Hy Hop. pose proof (gap_range (pred s)) as G. unfold bold_so. rewrite L_one_more by exact Hy.
  unfold sinks in Hop. destruct (Rle_dec _ _) as [|h]; [discriminate|]. fold (L (gap (pred s)) y) in h.
  apply Rmult_le_compat; try lra. destruct b; cbn [factor]; lra.
Qed.

Lemma bold_most s : INR (bold_budget s delta) <=
  scale s * (lam / 8 + 122/1000) + only_first (scale 0 * (3/8 * lam + 37/100)) s.
Proof.
  assert (ln (2 / delta) = ln 2 + lam) as E by (unfold Rdiv; rewrite ln_mult; [reflexivity|lra|positive]).
  pose proof ln2_le. unfold bold_budget. destruct s as [|s]; cbn [pred only_first].
  - destruct (match_budget 0 delta Hd) as [_ B]. pose proof (scale_pos 0). nra.
  - destruct (match_budget s delta Hd) as [_ B]. pose proof (scale_pos s). rewrite scale_S. nra.
Qed.

Lemma low_log s : ln ((1 + 2 * gap s) / low s) <= 2082/1000 + only_first (2082/1000) s.
Proof.
  pose proof ln2_le. pose proof (gap_range s). destruct s as [|s]; cbn [low only_first].
  - apply Rle_trans with (ln (2 ^ 6)); [apply ln_le; rewrite gap_first in *; lra|]. rewrite ln_pow by lra.
    simpl (INR 6). lra.
  - apply Rle_trans with (ln (2 ^ 3)); [|rewrite ln_pow by lra; simpl (INR 3); lra].
    pose proof (gap_le 0 s (Nat.le_0_l s)) as G. rewrite gap_first in G. apply ln_le; [|rewrite gap_S]; lra.
Qed.

Lemma life_level m s : (m <= s)%nat -> let d := share omega_life m in
  0 < d <= 2/25 /\ ln (/ (d * delta)) <= logs delta 2 s + 3694/1000.
Proof.
  intros H d. apply le_INR in H. pose proof (part_range m) as Pm. pose proof (pos_INR m).
  assert (0 < d <= 2/25) as D by (unfold d, share, omega_life; lra). split; [exact D|]. set (z := INR s + 3/2).
  assert (0 < z) by (unfold z; lra). apply Rle_trans with (ln (40 * / delta * z ^ 2)).
  - apply ln_le; [positive|]. unfold d, share, omega_life.
    replace (/ ((1 - 9 / 10) * part m * delta)) with (10 * / delta * / part m) by (field; lra).
    pose proof (part_inv m) as I. assert (/ part m <= 4 * z ^ 2) as I' by (unfold z; nra).
    apply (Rmult_le_compat_l (10 * / delta)) in I'; [lra|positive].
  - rewrite !ln_mult, ln_pow by positive. unfold logs. fold z lam. simpl (INR 2). pose proof ln2_le.
    pose proof (ln_tangent (40 ^ 3) (2 ^ 16) ltac:(lra) ltac:(lra)) as T. rewrite !ln_pow in T by lra.
    replace (INR 3) with 3 in T by (simpl; lra). replace (INR 16) with 16 in T by (simpl; lra). lra.
Qed.

Definition life_known (s : nat) (x : cell) : Prop := (visits x <= s)%nat /\ sound_cell x.
Definition life_extra : R := scale 0 * (M * (3/8 * lam + 142/100)).

Lemma life_facts s x c pairs : life_known s x -> designated_matches N (Some (c, pairs)) ->
  stage_facts P N delta 2 (17/8) (9461/1000) (5/8) (3010/1000) (7/24) (1085/1000) life_extra s c 45 (3123/1000) (1/25)
    (fun y o => life_known (S s) y /\ an_arm N o) (life_stage N delta s x c pairs).
Proof.
  intros [Hk Hx] (Hc & _ & Pairs & All & _). destruct (life_level (visits x) s Hk) as (D & U).
  pose proof (low_log s) as LL. pose proof (gap_range s) as Hg. pose proof ln2_ge.
  destruct (visit_facts P HP N s (visits x) omega_life delta (fun _ => 0%nat) c pairs (rivals N c))
    with (bolds := bold_so s) (most_bold := bold_budget s delta) (low := low s) (kept := x) as (Keep & Cap & Right);
    auto; try lra; try apply others_NoDup; try (now apply others_len).
  { intros u j I. apply others_in. now destruct (Pairs u j I) as (_ & ? & _ & ?). }
  { unfold low. destruct s; lra. }
  { unfold bold_so. rewrite L_nothing. pose proof (gap_range (pred s)). lra. }
  { intros u j b y _ _. apply bold_one_more. }
  { intros y Hy _. now apply bold_low. }
  { set (d := share omega_life (visits x)) in *. assert (3 * ln 2 <= ln (/ d)) as T.
    { replace (3 * ln 2) with (ln (2 ^ 3)) by (rewrite ln_pow by lra; simpl (INR 3); ring). apply ln_le; [lra|].
      rewrite <- (Rinv_inv (2 ^ 3)). apply Rinv_le_contravar; lra. }
    assert (0 < gap s * gap s) by nra. assert (0 <= gap s * gap s * (ln 2 + ln (/ d))) by positive.
    destruct s; cbn [only_first] in LL; [rewrite gap_first in *|]; lra. }
  pose proof (scale_pos s) as S0. pose proof (M_ge1 N HN) as M1. pose proof (ln_stage_nonneg s) as LS.
  fold M in M1, Cap, Right. assert (0 <= scale s * M) as SM by positive.
  assert (lam <= logs delta 2 s) as L1 by (unfold logs; fold lam; lra). pose proof (bold_most s) as Q.
  apply (Rmult_le_compat_l (scale s * M)) in U, LL, L1; [|exact SM|exact SM|exact SM].
  apply (Rmult_le_compat_l M) in Q; [|lra]. unfold stage_facts, life_extra, form. fold M. split; [|split].
  - eapply leaves_bind; [exact Keep|]. intros [y|] Hy; [|exact Hy]. destruct Hy as [Hy Vy].
    split; [split; [lia|exact Hy]|now apply answer_arm].
  - apply (ET_after P P01). destruct s; cbn [only_first] in *; lra.
  - intros Delta HD Win. destruct (Right Delta HD Win) as [R T]. split.
    + unfold life_stage. rewrite Pr_unanswered. lra.
    + intros twice Hs. apply (ET_after P P01). specialize (T twice Hs).
      destruct s; cbn [only_first] in *; destruct twice; lra.
Qed.
End Life.

Theorem find_then_certify_winner_identifies : find_then_certify_winner_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd Finds. assert (valid P) as HP by (split; apply HC).
  apply (stages_identify find cell (life_stage N delta) P N w Delta delta HN Hd 2)
    with (a_l := 17/8) (a_c := 9461/1000) (t_l := 5/8) (t_c := 3010/1000) (u_l := 7/24) (u_c := 1085/1000)
      (extra := life_extra N delta) (known := life_known) (matches := designated_matches N) (bad := wrong w);
    auto; try lra.
  - unfold life_extra, form, logs. pose proof (scale_pos 0) as S0. pose proof (lam_pos delta Hd) as L0.
    pose proof (ln_stage_nonneg 0) as LS. set (l := ln (/ delta)) in *.
    assert (0 <= scale 0 * INR (N - 1)) as SM by positive. assert (0 <= scale 0 * INR (N - 1) * l) by positive.
    assert (0 <= scale 0 * INR (N - 1) * ln (INR 0 + 3/2)) by positive. split; [positive|lra].
  - intros s x c pairs Hx Hp. now apply life_facts.
  - split; [apply le_n|exact sound_empty].
  - intro n. apply (find_then_certify_winner_error P N w find delta n); auto; [apply HC| |apply Finds].
    intros j Hj Hjw. pose proof (c_win _ _ _ _ HC j Hj Hjw). lra.
  - unfold C_winner_level. lra.
  - unfold C_winner_level, C_winner_arm. lra.
Qed.

(** ** The knockout, and a budget *)

Theorem find_then_certify_knockout : find_then_certify_knockout_statement.
Proof.
  intros cv P N delta HP HN Hd run. split.
  - intro n. now apply (find_then_certify_knockout_error cv P N delta n 0%nat).
  - intros w Delta HC HD. apply find_then_certify_identifies; auto. now apply knockout_finds.
Qed.

Theorem find_then_certify_winner_knockout : find_then_certify_winner_knockout_statement.
Proof.
  intros cv P N w delta HP HN Hd Hw Win run. split.
  - intro n. now apply (find_then_certify_knockout_error cv P N delta n 0%nat).
  - intros Delta HC HD. apply find_then_certify_winner_identifies; auto. now apply knockout_finds.
Qed.

Lemma within_spent P (P01 : forall u v, 0 <= P u v <= 1) {A} (m : prog (option A)) : forall B,
  INR B * Pr P (within B m) ran_out <= ET P m + INR B * Pr P m ran_out.
Proof.
  induction m as [o|t u v k IH]; intro B; [cbn [within ET]; lra|].
  destruct B as [|B]; [simpl (INR 0); pose proof (ET_nonneg P P01 (Ask t u v k)); lra|].
  pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (IH true B) (IH false B)) as Q.
  pose proof (Pr_le1 P P01 (within (S B) (Ask t u v k)) ran_out) as One.
  pose proof (Pr_nonneg P P01 (Ask t u v k) ran_out) as Zero.
  unfold Pr in *. cbn [within expect ET] in *. rewrite S_INR. lra.
Qed.

(** The first duels and what follows them at once are the same, and so is a run that is cut off there. *)
Lemma agree_within P {A} ev B : forall m m' : prog (option A), agree (S B) m m' ->
  Pr P (within B m) ev = Pr P (within B m') ev.
Proof.
  induction B as [|B IH]; intros [a|t u v k] [a'|t' u' v' k'] H; try (destruct H; fail); try (cbn in H; now subst).
  destruct H as (-> & -> & H). unfold Pr in *. cbn [within expect].
  now rewrite (IH _ _ (H true)), (IH _ _ (H false)).
Qed.

Lemma identifies_within P w run delta bound n B : (forall u v, 0 <= P u v <= 1) ->
  identifies P w run delta bound -> (B < n)%nat -> INR B * Pr P (within B (run n)) ran_out <= bound.
Proof.
  intros P01 (_ & [Cost _] & Agree & Ends & _) Hn. set (q := INR B * Pr P (within B (run n)) ran_out).
  assert (forall k, q <= bound + INR B * Pr P (run (k + S B)%nat) ran_out) as H.
  { intro k. unfold q. rewrite (agree_within P ran_out B (run n) (run (k + S B)%nat)) by (apply Agree; lia).
    eapply Rle_trans; [now apply within_spent|]. specialize (Cost (k + S B)%nat). lra. }
  apply (is_lim_seq_incr_n _ (S B)) in Ends. apply (is_lim_seq_scal_l _ (INR B)) in Ends.
  pose proof (is_lim_seq_plus' _ _ _ _ (is_lim_seq_const bound) Ends) as Lim.
  pose proof (is_lim_seq_le _ _ _ _ H (is_lim_seq_const q) Lim) as Le. cbn in Le. lra.
Qed.

Theorem find_then_certify_budget : find_then_certify_budget_statement.
Proof.
  intros cv P N delta n B HP HN Hd run run'. pose proof (valid_01 P HP) as P01.
  destruct (find_then_certify_knockout_error cv P N delta n B HP HN Hd) as (_ & E & E').
  split; [apply within_budget|]. split; [apply within_budget|]. split; [exact E|].
  split; [intros w Hw Win; now apply E'|]. intros w Delta HC HD Hn. split.
  - apply (identifies_within P w _ delta); auto. now apply find_then_certify_knockout.
  - apply (identifies_within P w _ delta); auto.
    apply find_then_certify_winner_knockout; auto; [apply HC|]. intros j Hj Hjw.
    pose proof (c_win _ _ _ _ HC j Hj Hjw). lra.
Qed.
