(** * The certificates of find-then-certify are right in time (not in the paper)

    The champion's own certificate, and the one where a winner is known to exist, meet what [stages_identify] asks. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate.
From TGITE Require Import FindThenCertify StageCosts.
Open Scope R_scope.

(** A gap of twice [g] takes a third of the time. *)
Lemma double_drift g p : 0 < g <= 1/4 -> 1/2 + 2 * g <= p <= 1 ->
  6 * (g * g) <= p * ln (1 + 2 * g) + (1 - p) * ln (1 - 2 * g).
Proof.
  intros Hg Hp. pose proof (ln_L_drift g (p - g) ltac:(lra) ltac:(lra)) as D. pose proof (ln_odds g ltac:(lra)) as O.
  unfold odds in O. rewrite ln_div in O by lra. apply (Rmult_le_compat_l g) in O; lra.
Qed.

Lemma exp_time_bind {A B} P (P01 : forall u v, 0 <= P u v <= 1) h (m : prog A) (k : A -> prog B) K : 0 <= h -> 0 <= K ->
  (forall a, exp_time P h (k a) <= K) -> exp_time P h (bind m k) <= exp (INR (maxT m) * h) * K.
Proof.
  intros Hh HK H. induction m as [a|t u v f IH]; cbn [bind exp_time maxT].
  - simpl (INR 0). rewrite Rmult_0_l, exp_0, Rmult_1_l. apply H.
  - set (d := Nat.max _ _). replace (INR (S d) * h) with (h + INR d * h) by (rewrite S_INR; ring).
    rewrite exp_plus, Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos|].
    apply conv_le; [apply P01| |]; (eapply Rle_trans; [apply IH|]); (apply Rmult_le_compat_r; [exact HK|]);
      apply exp_le, Rmult_le_compat_r; auto; apply le_INR; unfold d; lia.
Qed.

Lemma uncut_bind {A B} T (m : prog A) (k : A -> prog (option B)) :
  (forall a, uncut T (k a) = true) -> uncut T (bind m k) = true.
Proof.
  intro H. enough (forall T', (T' <= T)%nat -> uncut T' (bind m k) = true) by auto.
  induction m as [a|t u v f IH]; intros T' HT; cbn [bind]; [apply (uncut_le T); auto|].
  destruct T' as [|T']; [reflexivity|]. cbn [uncut]. rewrite !IH by lia. reflexivity.
Qed.

Section Certificates.
Variable P : arm -> arm -> R.
Hypothesis HP : valid P.
Variables (N : nat) (w : arm) (Delta delta : R).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hd : 0 < delta < 1.
Let P01 := valid_01 P HP.

(** Twice as large a gap as is tried, or just as large: the share of the time, and how much larger. *)
Let share (twice : bool) : R := if twice then 1/3 else 1.
Let times (twice : bool) : R := if twice then 2 else 1.

(** ** One match, at level [a] *)

Section Matches.
Variables (s : nat) (a : R).
Hypothesis Ha : 0 < a <= 2/3.
Let h := gap s * gap s / 2.
Let K := sqrt ((1 + 2 * gap s) / (a / 2)).
Let own B u v := one_sided (gap s) a (certificate_loss N) B u v.

Lemma own_rule : complete_rule (gap s) (a / 2) (certificate_loss N) (match_rule (gap s) a (certificate_loss N)).
Proof. apply match_rule_admissible, gap_range. Qed.

Lemma own_match B u v : gap s <= Delta -> u <> v -> 1/2 + Delta <= P u v ->
  Pr P (own B u v) (wrong u) <= certificate_loss N /\ exp_time P h (own B u v) <= K.
Proof.
  intros Hs Huv Hp. pose proof (gap_range s). split.
  - eapply Rle_trans; [apply (wrong_loser P P01) with (y := v); [exact Huv|apply seqtest_leaves]|].
    apply (one_sided_loss (gap s)); auto using loss_nonneg; [lra|]. intros n x Hx. apply own_rule, Hx.
  - apply one_sided_exp_time; auto; [lra|lra|]. intros n x Hx. apply own_rule, Hx.
Qed.

Lemma own_time (twice : bool) B u v : times twice * gap s <= Delta -> 1/2 + Delta <= P u v ->
  ET P (own B u v) <= share twice * L_time (gap s) (a / 2).
Proof.
  intros Hs Hp. pose proof (gap_range s). pose proof (P01 u v). assert (0 < gap s * gap s) by positive.
  assert (Going : forall n x, (x <= n)%nat -> match_rule (gap s) a (certificate_loss N) n x = None ->
    reaches (likelihood (gap s)) (a / 2) n x = false) by (intros n x Hx; apply own_rule, Hx).
  unfold share, times in *. destruct twice; [|rewrite Rmult_1_l; apply one_sided_time; auto; lra].
  replace (1/3 * L_time (gap s) (a / 2)) with ((ln (/ (a / 2)) + ln (1 + 2 * gap s)) / (6 * (gap s * gap s)))
    by (unfold L_time; field; lra).
  apply (likelihood_time true); auto; [lra|lra|]. apply double_drift; lra.
Qed.

(** Matches of which each may begin with [b] other duels are won within the budget. *)
Lemma matches_right test b B pairs : B = (certificate_budget N s a + (N - 1) * b)%nat -> length pairs = (N - 1)%nat ->
  (forall u v, uncut B (test u v) = true) ->
  (forall u v, In (u, v) pairs ->
    Pr P (test u v) (wrong u) <= certificate_loss N /\ exp_time P h (test u v) <= exp (INR b * h) * K) ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (within B (certify test pairs)) certified.
Proof.
  intros HB HL U H. pose proof (gap_range s) as Hg. destruct (root_level (gap s) (a / 2) Hg ltac:(lra)) as [K1 LK].
  fold K in K1, LK. assert (0 <= h) as Hh by (unfold h; positive). assert (1 <= exp (INR b * h)) as E1.
  { pose proof (exp_ineq1_le (INR b * h)). assert (0 <= INR b * h) by positive. lra. }
  pose proof (Rmult_le_compat 1 (exp (INR b * h)) 1 K ltac:(lra) ltac:(lra) E1 K1) as E.
  eapply Rle_trans; [|apply (certify_complete P P01 test h (exp (INR b * h) * K) (certificate_loss N) B pairs);
    auto using loss_nonneg; lra].
  apply Rplus_le_compat_l, Ropp_le_contravar. rewrite HL. apply Rplus_le_compat; [now apply loss_small|].
  rewrite ln_mult, ln_exp, LK, HB, plus_INR, mult_INR by (apply exp_pos || lra).
  eapply Rle_trans; [|apply (budget_enough N s a HN Ha)]. apply exp_le. fold h. lra.
Qed.

(** The duels of the matches together, within any budget. *)
Lemma matches_time B (test : arm -> arm -> prog (option arm)) pairs t x z : length pairs = (N - 1)%nat -> 0 <= t ->
  (forall u v, In (u, v) pairs -> ET P (test u v) <= t) ->
  t <= scale s * (x * (ln (/ delta) + 2 * ln (INR s + 1)) + z) ->
  ET P (within B (certify test pairs)) <= scale s * form N delta x z s.
Proof.
  intros HL T0 T H. eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|].
  eapply Rle_trans; [apply (certify_cost _ (ET_additive P P01)) with (t := t); auto|]. rewrite HL. unfold form.
  apply (Rmult_le_compat_l (INR (N - 1))) in H; [lra|apply pos_INR].
Qed.

(** ** A match of [u], which is the champion [w] or another arm, that [w] may win instead *)

Let b := bold_budget s a.

Lemma either_match B u v : gap s <= Delta -> u <> v -> v <> w -> 1/2 + Delta <= P w v ->
  Pr P (either N s a B w u v) (wrong u) <= certificate_loss N /\
  exp_time P h (either N s a B w u v) <= exp (INR b * h) * K.
Proof.
  intros Hs Huv Hv Hp. destruct (own_match B w v Hs (not_eq_sym Hv) Hp) as [O1 O2]. pose proof (gap_range s) as Hg.
  destruct (root_level (gap s) (a / 2) Hg ltac:(lra)) as [K1 _]. fold K in K1. pose proof (loss_nonneg N).
  assert (0 <= h) as Hh by (unfold h; positive). assert (1 <= exp (INR b * h)) as E1.
  { pose proof (exp_ineq1_le (INR b * h)). assert (0 <= INR b * h) by positive. lra. }
  unfold either. fold (own B w v). destruct (Nat.eqb_spec u w) as [->|Huw].
  { split; [exact O1|]. apply Rle_trans with (1 * K); [lra|apply Rmult_le_compat_r; lra]. }
  split.
  - rewrite Pr_bind. apply E_le; [exact P01|]. intro o. destruct (is_arm u o).
    + unfold Pr. cbn. rewrite Nat.eqb_refl. cbn. lra.
    + eapply Rle_trans; [|exact O1]. unfold Pr, obind. rewrite E_bind. apply E_mono; auto. intros [x|]; cbn; [|lra].
      destruct (Nat.eqb x w); cbn; [rewrite Nat.eqb_refl; cbn; lra|]. destruct (Nat.eqb v u); cbn; lra.
  - eapply Rle_trans; [apply exp_time_bind with (K := K); auto; [lra|]|].
    + intro o. destruct (is_arm u o); [cbn; lra|]. apply Rle_trans with (K * 1); [|lra].
      eapply Rle_trans; [apply exp_time_obind with (K := 1); auto; [lra|intro; cbn; lra]|apply Rmult_le_compat_r; lra].
    + apply Rmult_le_compat_r; [lra|]. apply exp_le, Rmult_le_compat_r; [exact Hh|]. apply le_INR, seqtest_maxT.
Qed.

Lemma either_uncut B u v : uncut B (either N s a B w u v) = true.
Proof.
  unfold either. assert (Own : uncut B (own B w v) = true) by (apply seqtest_uncut; lia).
  destruct (Nat.eqb u w); [exact Own|]. apply uncut_bind. intro o. destruct (is_arm u o); [destruct B; reflexivity|].
  apply uncut_obind with (Q := fun _ => True); auto using leaves_true. intros; destruct B; reflexivity.
Qed.

Lemma either_time B u v t : 0 <= t -> ET P (own B w v) <= t -> ET P (either N s a B w u v) <= INR b + t.
Proof.
  intros Ht H. unfold either. fold (own B w v). pose proof (pos_INR b). destruct (Nat.eqb u w); [lra|].
  apply ET_bind_le; [exact P01| |].
  - eapply Rle_trans; [apply ET_le_max; auto|]. apply le_INR, seqtest_maxT.
  - intro o. destruct (is_arm u o); [exact Ht|]. rewrite <- (Rplus_0_r t). apply ET_bind_le; [exact P01|exact H|].
    intros [x|]; cbn; lra.
Qed.
End Matches.

(** ** The logarithms of the levels *)

Lemma level_logs k s : (k <= s)%nat ->
  let a := certificate_level delta k in let l := ln (/ delta) + 2 * ln (INR s + 1) in
  0 < a <= 2/3 /\ ln (4 / a) <= l + 3 * (347/500) /\ ln (2 / (a / 2)) <= l + 3 * (347/500) /\
  ln (4 / (a / 2)) <= l + 4 * (347/500).
Proof.
  intros Hk a l. pose proof (level_range delta k Hd) as A. fold a in A. pose proof ln2_le.
  pose proof (ln_level 4 delta k s ltac:(lra) Hd Hk) as L4. pose proof (ln_level 8 delta k s ltac:(lra) Hd Hk) as L8.
  replace (ln 4) with (2 * ln 2) in L4 by (replace 4 with (2 * 2) by ring; rewrite ln_mult; lra).
  replace (ln 8) with (3 * ln 2) in L8 by (replace 8 with (2 * (2 * 2)) by ring; rewrite !ln_mult; lra).
  replace (2 / (a / 2)) with (4 / a) by (field; lra). replace (4 / (a / 2)) with (8 / a) by (field; lra).
  fold a l in L4, L8. lra.
Qed.

(** ** The champion's own certificate *)

Lemma own_cap s k c pairs : (k <= s)%nat ->
  INR (maxT (certificate N delta s k c pairs)) <= scale s * (form N delta 2 (473/100) s + 9).
Proof.
  intro Hk. eapply Rle_trans; [apply le_INR, within_budget|]. destruct (level_logs k s Hk) as (A & U & _).
  destruct (budget_range N s (certificate_level delta k) ltac:(lra)) as [_ BU]. eapply Rle_trans; [exact BU|].
  pose proof (scale_pos s) as S0. pose proof (M_ge1 N HN). apply (Rmult_le_compat_l (INR (N - 1))) in S0; [|lra].
  apply (Rmult_le_compat_l (INR (N - 1) * scale s)) in U; [unfold form; lra|positive].
Qed.

(** Matches that the winner [w] has to win. *)
Definition own_ready (pairs : list (arm * arm)) : Prop :=
  length pairs = (N - 1)%nat /\ forall u v, In (u, v) pairs -> u <> v /\ 1/2 + Delta <= P u v.

Lemma own_right s k pairs : (k <= s)%nat -> gap s <= Delta -> own_ready pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate N delta s k w pairs) certified.
Proof.
  intros Hk Hs [HL Ho]. destruct (level_logs k s Hk) as (A & _). apply matches_right with (s := s)
    (a := certificate_level delta k) (b := 0%nat); auto; [lia|intros; apply seqtest_uncut; lia|].
  intros u v Hin. destruct (Ho u v Hin) as [X Y]. simpl (INR 0). rewrite Rmult_0_l, exp_0, Rmult_1_l.
  now apply own_match.
Qed.

Lemma own_certificate_time (twice : bool) s k pairs : (k <= s)%nat -> times twice * gap s <= Delta -> own_ready pairs ->
  ET P (certificate N delta s k w pairs) <= scale s * form N delta (share twice / 2) (1041/1000) s.
Proof.
  intros Hk Hs [HL Ho]. destruct (level_logs k s Hk) as (A & U & _). set (a := certificate_level delta k) in *.
  pose proof (scale_pos s) as S0. pose proof (L_time_scale s a ltac:(lra)) as LT.
  pose proof (L_time_nonneg (gap s) (a / 2) (gap_range s) ltac:(lra)) as L0.
  assert (0 < share twice <= 1) as C by (unfold share; destruct twice; lra).
  apply matches_time with (t := share twice * L_time (gap s) (a / 2)); auto; [positive| |].
  - intros u v Hin. apply own_time; auto. now apply Ho.
  - apply (Rmult_le_compat_l (share twice)) in LT; [|lra].
    apply (Rmult_le_compat_l (share twice / 2 * scale s)) in U; [|positive].
    assert (share twice * scale s <= 1 * scale s) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** ** Where a winner is known to exist *)

Lemma winner_cap s k c pairs : (k <= s)%nat ->
  INR (maxT (certificate_of_winner N delta s k c pairs)) <= scale s * (form N delta (5/2) (73/10) s + 9).
Proof.
  intro Hk. eapply Rle_trans; [apply le_INR, within_budget|]. rewrite plus_INR, mult_INR.
  destruct (level_logs k s Hk) as (A & _ & U2 & U4). set (a := certificate_level delta k / 2) in *.
  destruct (budget_range N s a ltac:(unfold a; lra)) as [_ BU], (match_budget s a ltac:(unfold a; lra)) as [_ BB].
  pose proof (scale_pos s) as S0. pose proof (M_ge1 N HN).
  apply (Rmult_le_compat_l (INR (N - 1))) in S0, BB; [|lra|lra].
  fold (bold_budget s a) in BB.
  apply (Rmult_le_compat_l (INR (N - 1) * scale s)) in U2, U4; [unfold form; lra|positive|positive].
Qed.

Definition winner_ready (pairs : list (arm * arm)) : Prop :=
  length pairs = (N - 1)%nat /\ (forall u v, In (u, v) pairs -> u <> v /\ v <> w /\ 1/2 + Delta <= P w v) /\
  (forall u v, In (u, v) (firstn 1 pairs) -> u = w).

Lemma winner_right s k pairs : (k <= s)%nat -> gap s <= Delta -> winner_ready pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate_of_winner N delta s k w pairs) certified.
Proof.
  intros Hk Hs (HL & Ho & _). destruct (level_logs k s Hk) as (A & _). set (a := certificate_level delta k) in *.
  apply matches_right with (s := s) (a := a / 2) (b := bold_budget s (a / 2)); auto; [lra|intros; apply either_uncut|].
  intros u v Hin. destruct (Ho u v Hin) as (X & Y & Z). apply either_match; auto. lra.
Qed.

Lemma winner_certificate_time (twice : bool) s k pairs : (k <= s)%nat -> times twice * gap s <= Delta ->
  winner_ready pairs ->
  ET P (certificate_of_winner N delta s k w pairs) <= scale s * form N delta (1/2 + share twice / 2) (257/100) s.
Proof.
  intros Hk Hs (HL & Ho & _). destruct (level_logs k s Hk) as (A & _ & U2 & U4).
  set (a := certificate_level delta k / 2) in *.
  assert (0 < a <= 2/3) as Ha by (unfold a; lra). pose proof (scale_pos s) as S0.
  pose proof (L_time_scale s a ltac:(lra)) as LT. destruct (match_budget s a ltac:(lra)) as [_ BB].
  fold (bold_budget s a) in BB. pose proof (L_time_nonneg (gap s) (a / 2) (gap_range s) ltac:(lra)) as L0.
  assert (0 < share twice <= 1) as C by (unfold share; destruct twice; lra).
  pose proof (pos_INR (bold_budget s a)) as B0. assert (0 <= share twice * L_time (gap s) (a / 2)) as T0 by positive.
  apply matches_time with (t := INR (bold_budget s a) + share twice * L_time (gap s) (a / 2)); auto; [lra| |].
  - intros u v Hin. destruct (Ho u v Hin) as (_ & _ & Y). apply either_time; auto. now apply own_time.
  - apply (Rmult_le_compat_l (share twice)) in LT; [|lra].
    apply (Rmult_le_compat_l (share twice / 2 * scale s)) in U4; [|positive].
    apply (Rmult_le_compat_l (scale s)) in U2; [|lra].
    assert (share twice * scale s <= 1 * scale s) by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Certificates.

Lemma firstn_in {A} n (x : A) l : In x (firstn n l) -> In x l.
Proof. rewrite <- (firstn_skipn n l) at 2. rewrite in_app_iff. auto. Qed.

Theorem find_then_certify_identifies : find_then_certify_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd (Leaf & Starts & FCost & FRight). destruct HC as [P01 PA Hw Win].
  assert (valid P) as HP by (split; assumption).
  apply (stages_identify P HP find (certificate N delta) N w Delta delta HN Hd 2 (473/100) (1/2) (1/6) (1041/1000))
    with (ready := own_ready P N Delta); auto; try lra.
  - intros; now apply own_cap.
  - intros pairs u v [_ Ho] Hin. now apply Ho, (firstn_in 1).
  - intros s k pairs. now apply own_right.
  - intros twice s k pairs Hk Hs Own.
    eapply Rle_trans; [now apply (own_certificate_time P HP N w Delta delta Hd twice)|].
    right. do 2 f_equal. destruct twice; field.
  - intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto].
    intros (Hc & order & -> & HL & HI) ->. split; [unfold against; now rewrite map_length|].
    intros u v Hin. apply in_map_iff in Hin. destruct Hin as (j & [= <- <-] & Hj). apply HI in Hj. destruct Hj.
    split; [congruence|now apply Win].
  - intro n. apply (stages_error P find (certificate N delta) (fun c => negb (Nat.eqb c w)) delta n P01 Hd).
    intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto].
    intros (Hc & order & -> & _ & HI) Hb k. apply negb_true_iff, Nat.eqb_neq in Hb. specialize (Win c Hc Hb).
    apply (certificate_wrong P N delta s k c c w); auto; [rewrite PA; lra|]. apply in_map, HI. auto.
  - unfold C_level. lra.
  - unfold C_level, C_arm. lra.
Qed.

Theorem find_then_certify_winner_identifies : find_then_certify_winner_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd (Leaf & Starts & FCost & FRight). destruct HC as [P01 PA Hw Win].
  assert (valid P) as HP by (split; assumption).
  apply (stages_identify P HP find (certificate_of_winner N delta) N w Delta delta HN Hd (5/2) (73/10) 1 (2/3)
    (257/100))
    with (ready := winner_ready P N w Delta); auto; try lra.
  - intros; now apply winner_cap.
  - intros pairs u v (_ & Ho & Hf) Hin. rewrite <- (Hf u v Hin) in Ho.
    destruct (Ho u v (firstn_in 1 _ _ Hin)) as (X & _ & Y). auto.
  - intros s k pairs. now apply winner_right.
  - intros twice s k pairs Hk Hs Own.
    eapply Rle_trans; [now apply (winner_certificate_time P HP N w Delta delta Hd twice)|].
    right. do 2 f_equal. destruct twice; field.
  - intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto]. intros (Hc & HL & Hp & _ & Hf) ->.
    split; [exact HL|]. split; [|exact Hf]. intros u v Hin. destruct (Hp u v Hin) as (_ & Hv & Huv & Hvw). auto.
  - intro n. apply (find_then_certify_winner_error P N w find delta n); auto.
    intros j Hj Hjw. specialize (Win j Hj Hjw). lra.
  - unfold C_winner_level. lra.
  - unfold C_winner_level, C_winner_arm. lra.
Qed.
