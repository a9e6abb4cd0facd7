(** * Certificates in rounds are right in time (not in the paper)

    A stage's certificate from whatever is known: the winner's fails with a small probability once the gap is reached,
    and its duels are few.  With [stages_identify] the search ends, within an expected number of duels in which no other
    gap occurs than the winner's. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith ZArith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate.
From TGITE Require Import Rounds RoundsRun RoundsStages.
Open Scope R_scope.

(** * Proofs *)

(** ** Sums over arms *)

Fixpoint sum_over (f : arm -> R) (l : list arm) : R := match l with [] => 0 | i :: l' => f i + sum_over f l' end.

Lemma sum_over_ext f f' l : (forall i, f i = f' i) -> sum_over f l = sum_over f' l.
Proof. intro H. induction l as [|i l IH]; cbn [sum_over]; [reflexivity|]. now rewrite H, IH. Qed.
Lemma sum_over_le f l x : (forall i, In i l -> f i <= x) -> sum_over f l <= INR (length l) * x.
Proof.
  induction l as [|i l IH]; intro H; cbn [sum_over length]; [simpl; lra|]. rewrite S_INR.
  assert (f i <= x) by (apply H; simpl; auto). assert (sum_over f l <= INR (length l) * x) by (apply IH; simpl in *; auto).
  lra.
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
  destruct x as [n k]. unfold L, factor, sensible. cbn [one_more fst snd]. intro H. destruct b; cbn [b2n Nat.add].
  - now rewrite L_win.
  - now rewrite L_loss.
Qed.
Lemma L_plus g n k n' k' : (k <= n)%nat -> (k' <= n')%nat ->
  likelihood g (n + n') (k + k') = likelihood g n k * likelihood g n' k'.
Proof.
  intros H H'. unfold likelihood. replace (n + n' - (k + k'))%nat with ((n - k) + (n' - k'))%nat by lia.
  rewrite !pow_add. ring.
Qed.
Lemma L_nothing g : L g nothing = 1.
Proof. apply L_start. Qed.

(** The root of the likelihood shrinks a little faster than by g^2/2 a duel. *)
Definition rate (g : R) : R := g * g / 2 * (1 + g * g).
Lemma rate_drift g p : 0 < g < 1/2 -> 1/2 + g <= p <= 1 ->
  p * exp (- (ln (factor g true) / 2)) + (1 - p) * exp (- (ln (factor g false) / 2)) <= exp (- rate g).
Proof.
  intros Hg Hp. cbn [factor]. rewrite (exp_Ropp (ln (1 + 2 * g) / 2)), (exp_Ropp (ln (1 - 2 * g) / 2)). set (a := exp (ln (1 + 2 * g) / 2)).
  set (b := exp (ln (1 - 2 * g) / 2)).
  assert (a * a = 1 + 2 * g) as A.
  { transitivity (exp (ln (1 + 2 * g))); [unfold a; rewrite <- exp_plus; f_equal; field|apply exp_ln; lra]. }
  assert (b * b = 1 - 2 * g) as B.
  { transitivity (exp (ln (1 - 2 * g))); [unfold b; rewrite <- exp_plus; f_equal; field|apply exp_ln; lra]. }
  assert (0 < a) as A0 by apply exp_pos. assert (0 < b) as B0 by apply exp_pos. assert (b < a) as AB by nra.
  assert (/ a <= / b) by (apply Rinv_le_contravar; lra). assert (0 < g * g < 1/4) as G by nra.
  assert (a * b <= 1 - 2 * (g * g) - 2 * (g * g * (g * g))) as Q.
  { apply Rsqr_incr_0_var; [unfold Rsqr|nra]. replace (a * b * (a * b)) with ((a * a) * (b * b)) by ring.
    rewrite A, B. set (x := g * g) in *. replace ((1 + 2 * g) * (1 - 2 * g)) with (1 - 4 * x) by (unfold x; ring).
    assert (0 <= x * x * x) by positive. assert (0 <= x * x * x * x) by positive. lra. }
  assert ((a + b) / 2 <= 1 - rate g) as Mean.
  { unfold rate. apply Rsqr_incr_0_var; [unfold Rsqr|nra]. set (x := g * g) in *.
    assert (0 <= (x / 2 * (1 + x)) * (x / 2 * (1 + x))) by apply Rle_0_sqr. lra. }
  pose proof (exp_ineq1_le (- rate g)).
  apply Rle_trans with ((1/2 + g) * / a + (1/2 - g) * / b); [nra|].
  replace ((1/2 + g) * / a + (1/2 - g) * / b) with ((a + b) / 2); [lra|].
  replace (1/2 + g) with (a * a / 2) by lra. replace (1/2 - g) with (b * b / 2) by lra. field. lra.
Qed.

(** A gap of twice [g] takes a third of the time. *)
Lemma double_drift g p : 0 < g <= 1/4 -> 1/2 + 2 * g <= p <= 1 ->
  6 * (g * g) <= p * ln (1 + 2 * g) + (1 - p) * ln (1 - 2 * g).
Proof.
  intros Hg Hp. pose proof (ln_L_drift g (p - g) ltac:(lra) ltac:(lra)) as D. pose proof (ln_odds g ltac:(lra)) as O.
  unfold odds in O. rewrite ln_div in O by lra. apply (Rmult_le_compat_l g) in O; lra.
Qed.

(** ** Levels and budgets *)

Lemma part_range k : 0 < part k <= 4/5.
Proof. unfold part. pose proof (pos_INR k). split; [positive|]. apply Rle_div_l; nra. Qed.
Lemma part_inv k : / part k <= 4 * ((INR k + 3/4) * (INR k + 3/4)).
Proof. unfold part. pose proof (pos_INR k). rewrite Rinv_div. lra. Qed.

Lemma level_range a r : 0 < a < 1 -> a <= level_in_round a r < 1.
Proof.
  intro Ha. unfold level_in_round. split; [apply Rmax_l|]. apply Rmax_lub_lt; [lra|].
  rewrite <- Rinv_1. apply Rinv_lt_contravar; [|].
  - rewrite Rmult_1_l. apply pow_lt. lra.
  - apply Rlt_pow_R1; [lra|]. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia.
Qed.
Lemma level_falls a r : level_in_round a (S r) <= level_in_round a r.
Proof.
  unfold level_in_round. apply Rmax_lub; [apply Rmax_l|]. eapply Rle_trans; [|apply Rmax_r].
  apply Rinv_le_contravar; [apply pow_lt; lra|]. apply Rle_pow; [lra|]. apply Nat.pow_le_mono_r; lia.
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
    rewrite pow_INR. simpl (INR 2). right. f_equal; lra.
Qed.

(** The budget of a match. *)
Lemma match_budget s a : 0 < a < 1 -> let b := INR (bbudget truncated_sprt (gap s) a) in
  scale s / 2 * ln (2 / a) <= b <= scale s / 2 * ln (2 / a) + 1.
Proof.
  intros Ha b. pose proof (gap_range s). pose proof (scale_pos s).
  assert (0 < ln (2 / a)) by (apply ln_pos, Rlt_div_r; lra).
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
  intros Ha Hd. unfold stage_budget. apply Nat.add_le_mono_r, Nat.mul_le_mono_l. now apply match_budget_falls.
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

Lemma loss_nonneg N : 0 <= certificate_loss N.
Proof. unfold certificate_loss. destruct N; [simpl; rewrite Rinv_0; lra|].
assert (0 < INR ((2 * S N) ^ 6)); [|positive].
  apply lt_0_INR, Nat.neq_0_lt_0, Nat.pow_nonzero. lia. Qed.
Lemma loss_small N : (2 <= N)%nat -> INR (N - 1) * certificate_loss N <= / 4096.
Proof.
  intro HN. assert (2 <= INR N) as N2 by (apply (le_INR 2); lia). unfold certificate_loss. apply Rle_div_l.
  - rewrite pow_INR, mult_INR. simpl (INR 2). positive.
  - rewrite pow_INR, mult_INR, minus_INR by lia. simpl (INR 2). simpl (INR 1). set (x := INR N) in *.
    replace (/ 4096 * ((1 + 1) * x) ^ 6) with (/ 64 * ((x * x) * ((x * x) * (x * x)))) by field.
    assert (4 * (x - 1) <= x * x) by nra. assert (16 <= (x * x) * (x * x)) by nra. nra.
Qed.
