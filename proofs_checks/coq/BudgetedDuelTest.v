(** * BudgetedDuelTest: one pair under a known lower bound of the gap, and what is built on it

    A budgeted rule has a stopping rule, a majority vote for the end of the budget, and the budget.
    As for DuelTest the theorems leave room for rules computed in floating point; the paper's rule is
    an instance.  Nothing is assumed of pairs that do not involve the winner: they may even be tied. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List ZArith.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest Basel BKT Limits.
From TGITE Require Import TreeAscent ScreenAndReplace.
From TGITE Require Tree.
Open Scope R_scope.

(** As for DuelTest, a rule computed in floating point is covered if its budget is at most 2^52. (For
    larger budgets, a quotient just below 1/2 is rounded to 1/2.) The budget and the leader must be
    exact; the radius may have a relative error of 2^-40, and the mean and the gap together an absolute
    error of 2^-53. *)
Definition counted_52 (n s : nat) : Prop := (0 < n)%nat /\ (s <= n)%nat /\ INR n <= 2 ^ 52.
Definition same_at (r r' : budgeted_rule) (g d : R) (n s : nat) : Prop :=
  bstop r g d n s = bstop r' g d n s /\ bvote r n s = bvote r' n s /\ bbudget r g d = bbudget r' g d.
Definition rounded_budgeted_admissible_statement : Prop := forall r : budgeted_rule,
  (forall g d, 0 < g <= 1/2 -> held d -> bbudget r g d = ceil (budget_real g d)) ->
  (forall n s, counted_52 n s -> bvote r n s = ahead n s) ->
  (forall g d n s, 0 < g <= 1/2 -> held d -> counted_52 n s ->
     (bstop r g d n s = Some true ->
        ahead n s = true /\ (1 - / 2 ^ 40) * b_radius n d - g - / 2 ^ 53 <= INR s / INR n - 1/2) /\
     (bstop r g d n s = Some false ->
        ahead n s = false /\ (1 - / 2 ^ 40) * b_radius n d - g - / 2 ^ 53 <= 1/2 - INR s / INR n)) ->
  exists ideal : budgeted_rule, admissible ideal /\
  (forall g d n s, 0 < g <= 1/2 -> held d -> counted_52 n s -> same_at r ideal g d n s) /\
  forall g d u v, 0 < g <= 1/2 -> held d -> INR (bbudget r g d) <= 2 ^ 52 -> BDT r g d u v = BDT ideal g d u v.

(** * Proofs *)

(** ** The paper's rule *)

Lemma ceil_spec x : 0 < x -> x <= INR (ceil x) < x + 1.
Proof.
  intro Hx. unfold ceil. destruct (archimed (- x)) as [A1 A2].
  assert (0 < 1 - up (- x))%Z as Z0 by (apply lt_IZR; rewrite minus_IZR; lra).
  rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR by lia. lra.
Qed.

Lemma ln_over_d k d : 1 <= k -> 0 < d < 1 -> ln (k / d) = ln k + ln (/ d) /\ 0 < ln (k / d).
Proof.
  intros Hk Hd. assert (0 < / d) by positive. split; [unfold Rdiv; apply ln_mult; lra|].
  apply ln_pos, (Rlt_div_r 1 k d); lra.
Qed.

Lemma budget_real_pos g d : 0 < g -> 0 < d < 1 -> 0 < budget_real g d.
Proof. intros Hg Hd. pose proof (proj2 (ln_over_d 4 d ltac:(lra) Hd)). unfold budget_real. positive. Qed.

Lemma ahead_spec n s : (ahead n s = true -> 1/2 <= INR s / INR n) /\ (ahead n s = false -> INR s / INR n <= 1/2).
Proof. unfold ahead. destruct (Rle_dec _ _); split; intro; try discriminate; lra. Qed.

Theorem paper_budgeted_admissible : paper_budgeted_admissible_statement.
Proof.
  assert (E : forall n d, (0 < n)%nat -> b_early n d <= b_radius n d).
  { intros n d Hn. apply radius_mono; [exact Hn|unfold slack; lra]. }
  constructor; cbn [bstop bvote bbudget paper_budgeted].
  1-2: intros g d n s Hg Hd Hn H; specialize (E n d Hn); destruct (Rlt_dec _ _) as [h|h]; [|discriminate].
  1-2: injection H as H; apply (ahead_spec n s) in H.
  1-2: first [rewrite Rabs_right in h by lra|rewrite Rabs_left1 in h by lra]; lra.
  - intros n s _. apply ahead_spec.
  - intros g d Hg Hd. destruct (ceil_spec _ (budget_real_pos g d ltac:(lra) Hd)) as [A _].
    pose proof (budget_real_pos g d ltac:(lra) Hd). split.
    + apply INR_lt. simpl. lra.
    + assert (0 < slack / (2 * (g * g))) by (unfold slack; positive). lra.
  - intros g d Hg Hd. destruct (ceil_spec _ (budget_real_pos g d ltac:(lra) Hd)). lra.
Qed.

(** ** A rounded rule *)

Lemma b_term_gt_1 n d : (0 < n)%nat -> 0 < d < 1 -> 1 < b_term n d.
Proof. intros Hn Hd. assert (1 <= INR n) by (apply (le_INR 1); lia). apply over_level; [nra|exact Hd]. Qed.

Lemma b_rounding n d : (0 < n)%nat -> INR n <= 2 ^ 52 -> held d ->
  b_early n d <= (1 - / 2 ^ 40) * b_radius n d - / 2 ^ 53.
Proof.
  intros Hn HN Hh. pose proof (b_term_gt_1 n d Hn (proj1 Hh)) as L1. assert (1 <= INR n) by (apply (le_INR 1); lia).
  assert (b_term n d <= 2 ^ 33).
  { apply held_log; [|exact Hh]. split; [nra|]. apply Rle_trans with (8 * (2 ^ 52 * 2 ^ 52)); [|lra].
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra. }
  assert (INR n * b_term n d <= 2 ^ 52 * 2 ^ 33) by (apply Rmult_le_compat; lra).
  apply (rounded_root n (b_term n d) (/ 2 ^ 53) (2 ^ 42)); auto; lra.
Qed.

Lemma BDT_ext r r' g d u v : (0 < bbudget r g d)%nat -> INR (bbudget r g d) <= 2 ^ 52 ->
  (forall n s, counted_52 n s -> same_at r r' g d n s) -> BDT r g d u v = BDT r' g d u v.
Proof.
  intros H0 HB H. assert (K : forall n s, (0 < n <= bbudget r g d)%nat -> (s <= n)%nat -> counted_52 n s).
  { intros n s Hn Hs. split; [lia|]. split; [lia|].
    apply Rle_trans with (INR (bbudget r g d)); [apply le_INR; lia|exact HB]. }
  unfold BDT. destruct (H _ 0%nat (K _ 0%nat (conj H0 (le_n _)) ltac:(lia))) as (_ & _ & <-).
  apply seqtest_ext; [intros n s Hn Hs; apply H, K; lia|]. intros s Hs. f_equal. apply H, K; lia.
Qed.

Theorem rounded_budgeted_admissible : rounded_budgeted_admissible_statement.
Proof.
  intros r HM HV HS. destruct paper_budgeted_admissible as [P1 P2 P3 P4 P5].
  assert (C : forall n s, {counted_52 n s} + {~ counted_52 n s}).
  { intros n s. unfold counted_52.
    destruct (lt_dec 0 n), (le_dec s n), (Rle_dec (INR n) (2 ^ 52)); try (right; tauto); left; tauto. }
  assert (D : forall g d, {0 < g <= 1/2 /\ held d} + {~ (0 < g <= 1/2 /\ held d)}).
  { intros g d. unfold held. destruct (Rlt_dec 0 g), (Rle_dec g (1/2)), (Rlt_dec 0 d), (Rlt_dec d 1),
      (Rle_dec (ln (/ d)) (2 ^ 32)); try (right; tauto); left; tauto. }
  set (ideal := {|
    bstop := fun g d n s => bstop (if C n s then if D g d then r else paper_budgeted else paper_budgeted) g d n s;
    bvote := ahead; bbudget := bbudget paper_budgeted |}).
  assert (Same : forall g d n s, 0 < g <= 1/2 -> held d -> counted_52 n s -> same_at r ideal g d n s).
  { intros g d n s Hg Hh Hc. unfold same_at. cbn [ideal bstop bvote bbudget]. rewrite HM, HV by auto.
    destruct (C n s); [destruct (D g d)|]; tauto. }
  exists ideal. split; [constructor; cbn [ideal bstop bvote bbudget]; auto|split; [exact Same|]].
  1-2: intros g d n s Hg Hd Hn; destruct (C n s) as [Hc|_]; [destruct (D g d) as [[_ Hh]|_]|].
  2-3: apply P1; auto.
  3-4: apply P2; auto.
  1-2: intro H; assert (b_early n d <= _) as L by (apply b_rounding; auto; apply Hc).
  - destruct (proj1 (HS g d n s Hg Hh Hc) H) as [A B]. apply (ahead_spec n s) in A. lra.
  - destruct (proj2 (HS g d n s Hg Hh Hc) H) as [A B]. apply (ahead_spec n s) in A. lra.
  - intros g d u v Hg Hh HB. apply BDT_ext; auto. rewrite HM by auto. apply (P4 g d Hg (proj1 Hh)).
Qed.

(** ** The test *)

Lemma b_early_exp n d : (0 < n)%nat -> 0 < d < 1 ->
  exp (- (2 * INR n * (b_early n d * b_early n d))) <= 2 / 15 * d * / (INR n * INR n).
Proof.
  intros Hn Hd. pose proof (INR_pos n Hn). pose proof (b_term_gt_1 n d Hn Hd).
  replace (2 / 15 * d * / (INR n * INR n)) with (16 / 15 * / (8 * (INR n * INR n) / d)) by (field; lra).
  apply early_exp; [exact Hn|positive|]. unfold b_term, slack in *. lra.
Qed.

Lemma last_exp g d M : 0 < g -> 0 < d < 1 -> budget_real g d - slack / (2 * (g * g)) <= INR M ->
  exp (- (2 * INR M * (g * g))) <= 4 / 15 * d.
Proof.
  intros Hg Hd HM. assert (0 < g * g) by nra. apply Rle_trans with (exp (slack + - ln (4 / d))).
  - apply exp_le. apply Rmult_le_compat_r with (r := 2 * (g * g)) in HM; [|lra].
    replace ((budget_real g d - slack / (2 * (g * g))) * (2 * (g * g))) with (ln (4 / d) - slack) in HM
      by (unfold budget_real; field; lra). lra.
  - rewrite exp_plus, exp_Ropp, exp_ln by positive. replace (4 / 15 * d) with (16 / 15 * / (4 / d)) by (field; lra).
    apply Rmult_le_compat_r; [positive|apply exp_slack].
Qed.

Lemma seqtest_maxT stop fin u v fuel : forall n s, (maxT (seqtest stop fin fuel n s u v) <= fuel)%nat.
Proof.
  induction fuel as [|f IH]; intros; cbn [seqtest maxT]; [lia|].
  apply le_n_S, Nat.max_lub; (destruct (stop _ _); simpl; [lia|apply IH]).
Qed.

Section Budgeted.
Variable r : budgeted_rule.
Hypothesis Hr : admissible r.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variables g : R.
Hypothesis Hg : 0 < g <= 1/2.

Lemma BDT_leaves d u v : leaves (one_of u v) (BDT r g d u v).
Proof. apply seqtest_leaves. Qed.

Lemma BDT_always d u v : leaves (fun o => ran_out o = false) (BDT r g d u v).
Proof. apply seqtest_answers; [now intros []|]. intros n s. now destruct (bvote r n s). Qed.
Lemma BDT_answers d u v : Pr P (BDT r g d u v) ran_out = 0.
Proof.
  unfold Pr. pose proof (BDT_always d u v) as H.
  induction (BDT r g d u v) as [o|t x y k IH]; cbn in *; [now rewrite H|]. rewrite !IH by apply H. ring.
Qed.

Lemma BDT_budget d u v : 0 < d < 1 -> INR (maxT (BDT r g d u v)) <= bd_base g + bd_slope g * ln (/ d).
Proof.
  intro Hd. apply Rle_trans with (INR (bbudget r g d)); [apply le_INR, seqtest_maxT|].
  eapply Rle_trans; [apply (ad_most r Hr g d Hg Hd)|]. unfold budget_real, bd_base, bd_slope.
  destruct (ln_over_d 4 d ltac:(lra) Hd) as [-> _].
  assert (ln 4 = 2 * ln 2) as -> by (replace 4 with (2 * 2) by ring; rewrite ln_mult by lra; ring).
  pose proof ln2_le. assert (0 < g * g <= 1/4) by nra.
  assert (4 <= / (g * g)) by (rewrite <- (Rinv_inv 4); apply Rinv_le_contravar; lra).
  replace (1 / (2 * (g * g)) * (2 * ln 2 + ln (/ d))) with (/ (g * g) * ln 2 + 1 / 2 / (g * g) * ln (/ d))
    by (field; lra).
  assert (/ (g * g) * ln 2 <= / (g * g) * (7/10)) by (apply Rmult_le_compat_l; lra).
  unfold Rdiv at 3. lra.
Qed.

(** [a]: the worse arm. *)
Lemma BDT_wrong (a : bool) d u v : 0 < d < 1 -> u <> v -> (if a then P u v <= 1/2 - g else 1/2 + g <= P u v) ->
  Pr P (BDT r g d u v) (is_arm (if a then u else v)) <= 8 / 15 * d.
Proof.
  intros Hd Huv Hp. destruct (ad_enough r Hr g d Hg Hd) as [M0 HM]. set (M := bbudget r g d) in *.
  eapply Rle_trans; [apply (seqtest_err P P01 u v Huv a (bstop r g d) (fun n s => Some (bvote r n s)))|].
  replace (8 / 15 * d) with (4 / 15 * d + 4 / 15 * d) by field. apply Rplus_le_compat.
  - apply Rle_trans with (sm (fun j => 2 / 15 * d * / (INR (S j) * INR (S j))) M).
    2:{ rewrite sm_scal. pose proof (basel_partial M). pose proof PI_square. nra. }
    apply sm_le. intros j _.
    apply (tail a (P u v) (b_early (S j) d) _ (S j) (fun m t => is_ans a (bstop r g d m t)));
      [auto|lia|apply sqrt_pos|apply b_early_exp; [lia|auto]|].
    intros s H. destruct (bstop r g d (S j) s) as [b|] eqn:Es; [|discriminate]. apply eqb_prop in H. subst b.
    destruct a; [apply (ad_first r Hr) in Es|apply (ad_second r Hr) in Es]; auto; cbn [beyond]; lra || lia.
  - fold M. apply (tail a (P u v) g _ M (fun m t => is_ans a (Some (bvote r m t)))); auto;
      [lra|apply last_exp; auto; lra|].
    intros s H. apply eqb_prop in H. destruct a; symmetry in H; apply (ad_vote r Hr M s M0) in H; cbn [beyond]; lra.
Qed.

Lemma BDT_good w j d : (forall u v, P v u = 1 - P u v) -> 0 < d < 1 -> j <> w -> 1/2 + g <= P w j ->
  good P (BDT r g) w (8/15) d j.
Proof.
  intros PA Hd Hjw Hp. pose proof (PA w j).
  apply good_of; auto using BDT_leaves; [apply (BDT_wrong false)|apply (BDT_wrong true)]; auto; lra.
Qed.
End Budgeted.

(** The budget is at most 4/3 of what is rounded up if it is at least 4, and else small for any gap. *)
Lemma budget_small g d : 0 < g <= 1/2 -> 0 < d < 1 ->
  INR (ceil (budget_real g d)) <= C_budget / (g * g) * (ln (/ d) + 1).
Proof.
  intros Hg Hd. destruct (ceil_spec _ (budget_real_pos g d ltac:(lra) Hd)) as [_ B]. unfold budget_real in B at 2.
  destruct (ln_over_d 4 d ltac:(lra) Hd) as [E _]. rewrite E in B.
  assert (ln 4 = 2 * ln 2) as E4 by (replace 4 with (2 * 2) by ring; rewrite ln_mult by lra; ring). rewrite E4 in B.
  pose proof ln2_le. pose proof (ln_inv_pos d Hd). assert (0 < g * g <= 1/4) by nra.
  assert (4 <= / (g * g)) by (rewrite <- (Rinv_inv 4); apply Rinv_le_contravar; lra).
  set (l := ln (/ d)) in *. set (c := / (g * g)) in *.
  replace (1 / (2 * (g * g)) * (2 * ln 2 + l)) with (c * (ln 2 + 1/2 * l)) in B by (unfold c; field; lra).
  replace (C_budget / (g * g) * (l + 1)) with (c * (14/15 * (l + 1))) by (unfold C_budget, c; field; lra).
  assert (c * (4/3 * (ln 2 + 1/2 * l)) <= c * (14/15 * (l + 1))) by (apply Rmult_le_compat_l; lra).
  assert (4 * (14/15 * (l + 1)) <= c * (14/15 * (l + 1))) by (apply Rmult_le_compat_r; lra).
  set (M := ceil (budget_real g d)) in *. destruct (le_lt_dec M 3) as [h|h]; apply le_INR in h; simpl (INR _) in h; lra.
Qed.

Theorem lem_budgeted_dueltest_main : lem_budgeted_dueltest_main_statement.
Proof.
  intros P g d u v HP Hg Hd Huv. pose proof (valid_01 P HP) as P01.
  split; [apply seqtest_maxT|]. split; [apply budget_small; auto|].
  intros r Hr. repeat apply conj.
  - apply BDT_budget; auto.
  - apply BDT_answers.
  - intro Hgap. assert (W : Pr P (BDT r g d u v) (wrong (better P u v)) <= 8 / 15 * d).
    { apply better_loser; auto; [apply BDT_leaves| |]; intro H; unfold Rabs in Hgap; destruct (Rcase_abs _); try lra.
      - apply (BDT_wrong r Hr P P01 g Hg false); auto; lra.
      - apply (BDT_wrong r Hr P P01 g Hg true); auto; lra. }
    split; [exact W|]. rewrite Pr_total, BDT_answers. lra.
Qed.

(** ** The tournament, the pass, the epoch *)

Lemma bd_nonneg g : 0 < g -> 0 <= bd_base g /\ 0 <= bd_slope g.
Proof. intro Hg. unfold bd_base, bd_slope. split; positive. Qed.

Section Budgets.
Context {cv : conventions}.
Variable r : budgeted_rule.
Hypothesis Hr : admissible r.
Variable P : arm -> arm -> R.
Variables g : R.
Hypothesis Hg : 0 < g <= 1/2.

(** A test that always answers does not run out, and nor does what is made of it. *)
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Let free d u v : Pr P (BDT r g d u v) ran_out <= 0 + 0 * ln (/ d).
Proof. rewrite BDT_answers. lra. Qed.
Ltac without_cost := apply Rle_antisym; [eapply Rle_trans|apply Pr_nonneg; exact P01].

Lemma BKT_answers X d : 0 < d < 1 -> NoDup X -> (1 <= length X)%nat -> Pr P (BKT (BDT r g) X d) ran_out = 0.
Proof.
  intros Hd ND HL. without_cost.
  - apply (BKT_cost (fun A m => Pr P m ran_out)) with (ok := fun _ => True) (base := 0) (slope := 0);
      auto using ran_out_additive, BDT_leaves, Rle_refl.
  - right. ring.
Qed.

Lemma TreeAscent_answers N L b eps : balanced_tree N L -> (b < N)%nat -> 0 < eps < 1 ->
  Pr P (TreeAscent (BDT r g) N L b eps) ran_out = 0.
Proof.
  intros HB Hb He. without_cost.
  - apply (TreeAscent_cost (fun A m => Pr P m ran_out)) with (base := 0) (slope := 0);
      auto using ran_out_additive, BDT_leaves, Rle_refl.
  - right. ring.
Qed.

Lemma epoch_answers N c rho kappa : (c < N)%nat -> 0 < rho < 1 -> 0 < kappa < 1 ->
  Pr P (ScreenReplace (BDT r g) N c rho kappa) ran_out = 0.
Proof.
  intros Hc H1 H2. without_cost.
  - apply (epoch_total (BDT r g) (BDT_leaves r g) N (fun A m => Pr P m ran_out)) with (base := 0) (slope := 0);
      auto using ran_out_additive, Rle_refl.
  - unfold screen_cost, replace_cost. right. ring.
Qed.
End Budgets.

Theorem lem_app_budgeted_bkt : lem_app_budgeted_bkt_statement.
Proof.
  intros cv P r g X d HP Hr Hg Hd ND HL. pose proof (valid_01 P HP) as P01. split.
  - destruct (bd_nonneg g ltac:(lra)).
    eapply Rle_trans; [apply (BKT_cost (fun A m => INR (maxT m))) with (ok := fun _ => True)
      (base := bd_base g) (slope := bd_slope g); auto using maxT_additive, BDT_leaves, BDT_budget|].
    apply (in_units _ g (19/20) (1/2)); [lra|apply pos_INR|].
    unfold C_budgeted_bkt, bkt_extra. pose proof (ln_inv_pos d Hd). lra.
  - intros w Hin Hw. rewrite Pr_total, (BKT_answers r P g P01 X d Hd ND HL).
    assert (Pr P (BKT (BDT r g) X d) (wrong w) <= 8/15 * d); [|lra].
    apply BKT_correct; auto; [apply BDT_leaves|lra|]. intros d' j Hd' Hj Hjw. apply BDT_good; auto. apply HP.
Qed.

Theorem lem_app_budgeted_tree_ascent : lem_app_budgeted_tree_ascent_statement.
Proof.
  intros cv P r N L w g b eps HC Hr Hg HB Hb He bound. pose proof HC as [P01 PA Hw Hwin].
  assert (B : INR (maxT (TreeAscent (BDT r g) N L b eps)) <= bound).
  { destruct (bd_nonneg g ltac:(lra)).
    eapply Rle_trans; [apply (TreeAscent_cost (fun A m => INR (maxT m))) with (base := bd_base g) (slope := bd_slope g);
      auto using maxT_additive, BDT_leaves, BDT_budget|].
    apply (in_units _ g (19/20) (1/2)); [lra|apply pos_INR|].
    unfold C_budgeted_ta, ta_extra. pose proof (ln_inv_pos eps He). lra. }
  split; [|split; [exact B|]].
  - rewrite Pr_total, (TreeAscent_answers r P g P01 N L b eps HB Hb He).
    assert (Pr P (TreeAscent (BDT r g) N L b eps) (wrong w) <= 8/15 * eps); [|lra].
    apply TreeAscent_correct; auto; [apply BDT_leaves|lra|]. intros d j Hd Hj Hjw. apply BDT_good; auto.
  - intro q. eapply Rle_trans; [apply ER_le_ET; auto|]. eapply Rle_trans; [apply ET_le_max; auto|exact B].
Qed.

Theorem lem_app_budgeted_screen_epoch : lem_app_budgeted_screen_epoch_statement.
Proof.
  intros cv P r N w g c rho kappa HC Hr Hg Hc H1 H2. pose proof HC as [P01 PA Hw Hwin].
  assert (G : forall d j, 0 < d < 1 -> (j < N)%nat -> j <> w -> good P (BDT r g) w (8/15) d j)
    by (intros; apply BDT_good; auto).
  split.
  - rewrite Pr_total, (epoch_answers r P g P01 N c rho kappa Hc H1 H2).
    pose proof (ScreenReplace_one_step (BDT r g) (BDT_leaves r g) N P P01 w Hw (8/15) ltac:(lra) G
      c rho kappa H1 H2 Hc).
    destruct (Nat.eqb c w); lra.
  - destruct (bd_nonneg g ltac:(lra)).
    eapply Rle_trans; [apply (epoch_regret (BDT r g)) with (base := bd_base g) (slope := bd_slope g) (share := 8/15)|];
      auto using BDT_leaves.
    + lra.
    + intros d j. apply duels_free with (u := w) (v := j); [|apply seqtest_duels].
      unfold weak_regretful. now rewrite Nat.eqb_refl.
    + intros d u v Hd _ _ _. eapply Rle_trans; [apply ET_le_max; auto|apply BDT_budget; auto].
    + unfold screen_cost, replace_cost, C_budgeted_epoch, bkt_extra, bd_base, bd_slope.
      pose proof (ln_inv_pos rho H1). pose proof (ln_inv_pos kappa H2).
      set (n := INR (N - 1)). assert (0 <= n * / (g * g)) by (unfold n; positive).
      set (a := ln (/ rho)) in *. set (b := ln (/ kappa)) in *. destruct (Nat.eqb c w).
      * apply Rle_trans with (n * / (g * g) * (rho * (8 / 15 * (19 / 20 + 1 / 2 * (b + 153 / 100))))).
        { right. field. lra. }
        apply Rle_trans with (n * / (g * g) * (rho * (8 / 5 * (b + 1)))); [|right; field; lra].
        apply Rmult_le_compat_l; [auto|]. apply Rmult_le_compat_l; lra.
      * apply Rle_trans with (n * / (g * g) * (1 / 2 * a + 1 / 2 * b + 533 / 200)); [right; field; lra|].
        apply Rle_trans with (n * / (g * g) * (8 / 5 * (a + b + 1 + rho * (b + 1)))); [|right; field; lra].
        (* rho is at least 1 - ln (1/rho) *)
        pose proof (ln_tangent rho 1 ltac:(lra) ltac:(lra)) as RA. rewrite ln_1, Rdiv_1 in RA.
        assert (a = - ln rho) by (apply ln_Rinv; lra).
        assert (0 <= rho * b) by positive. apply Rmult_le_compat_l; lra.
Qed.
