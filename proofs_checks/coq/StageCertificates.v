(** * The certificates of find-then-certify are right in time (not in the paper)

    The champion's own certificate, and the one where a winner is known to exist, meet what [stages_identify] asks. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest Limits.
From TGITE Require Import ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate FindThenCertify StageCosts.
Open Scope R_scope.

(** ** The champion's own certificate *)

Lemma own_cap N delta s k c pairs : (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat ->
  INR (maxT (certificate N delta s k c pairs)) <= scale s * (form N delta 2 (473/100) s + 9).
Proof.
  intros HN Hd Hk. eapply Rle_trans; [apply le_INR, within_budget|]. cbv zeta.
  pose proof (scale_pos s) as S0. pose proof (M_ge1 N HN) as M1. pose proof ln2_le.
  set (a := certificate_level delta k). destruct (level_range delta k Hd) as [A0 A1]. fold a in A0, A1.
  destruct (ln_4_level delta k Hd) as [U _]. fold a in U. destruct (budget_range N s a ltac:(lra)) as [_ BU].
  pose proof (ln_S_mono k s Hk) as LK. eapply Rle_trans; [exact BU|]. unfold form.
  set (M := INR (N - 1)) in *. set (l := ln (/ delta) + 2 * ln (INR s + 1)).
  assert (M * (2 * scale s * ln (4 / a) + 4) <= M * (scale s * (2 * l + 473/100))); [|lra].
  apply Rmult_le_compat_l; [lra|].
  assert (scale s * ln (4 / a) <= scale s * (l + 3 * (347/500))) by (unfold l; apply Rmult_le_compat_l; lra). lra.
Qed.

(** The duels of the matches together, within any budget. *)
Lemma matches_time P (P01 : forall u v, 0 <= P u v <= 1) N delta s B (test : arm -> arm ->
  prog (option arm)) pairs t x z : length pairs = (N - 1)%nat -> 0 <= t ->
  (forall u v, In (u, v) pairs -> ET P (test u v) <= t) -> t <= scale s * (x * (ln (/ delta) + 2 * ln (INR s + 1)) + z) ->
  ET P (within B (certify test pairs)) <= scale s * form N delta x z s.
Proof.
  intros HL T0 T H. eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|].
  eapply Rle_trans; [apply certify_time with (t := t); auto|]. rewrite HL. unfold form.
  apply (Rmult_le_compat_l (INR (N - 1))) in H; [lra|apply pos_INR].
Qed.

(** Matches that the winner [w] has to win. *)
Definition own (P : arm -> arm -> R) (N : nat) (Delta : R) (pairs : list (arm * arm)) : Prop :=
  length pairs = (N - 1)%nat /\ forall u v, In (u, v) pairs -> u <> v /\ 1/2 + Delta <= P u v.

Lemma own_right P N w Delta delta s k pairs : valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat -> gap s <= Delta -> own P N Delta pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate N delta s k w pairs) certified /\
  ET P (certificate N delta s k w pairs) <= scale s * form N delta (1/2) (1041/1000) s.
Proof.
  intros HP HN Hd Hk Hs [HL Ho]. pose proof (valid_01 P HP) as P01. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0.
  pose proof (M_ge1 N HN) as M1. pose proof ln2_le. set (a := certificate_level delta k).
  destruct (level_range delta k Hd) as [A0 A1]. fold a in A0, A1.
  destruct (ln_4_level delta k Hd) as [U _]. fold a in U. pose proof (ln_S_mono k s Hk) as LK.
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _). destruct (loss_pos N HN) as [_ E0].
  unfold certificate. fold a. cbv zeta. set (B := certificate_budget N s a).
  destruct (certificate_complete P (gap s) (a / 2) (certificate_loss N) (match_rule (gap s) a
    (certificate_loss N)) B B pairs) as [C _]; auto; try lra.
  { intros u v Hin. destruct (Ho u v Hin) as [X Y]. split; [exact X|lra]. }
  rewrite HL in C. split.
  - eapply Rle_trans; [|exact C]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat; [now apply loss_small|].
    apply budget_enough; [exact HN|lra].
  - apply matches_time with (t := L_time (gap s) (a / 2)); auto; [apply L_time_nonneg; lra| |].
    + intros u v Hin. destruct (Ho u v Hin) as [_ Y]. apply one_sided_time; auto; [lra|lra|]. intros n x Hx. apply Rule, Hx.
    + pose proof (L_time_scale s a ltac:(lra)).
      assert (scale s * ln (4 / a) <= scale s * (ln (/ delta) + 2 * ln (INR s + 1) + 3 * (347/500))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** A gap of twice [g] takes a third of the time. *)
Lemma double_drift g p : 0 < g <= 1/4 -> 1/2 + 2 * g <= p <= 1 -> 6 * (g * g) <= p * ln (1 + 2 * g) + (1 - p) * ln (1 - 2 * g).
Proof.
  intros Hg Hp. pose proof (ln_L_drift g (p - g) ltac:(lra) ltac:(lra)) as D. pose proof (ln_odds g ltac:(lra)) as O.
  unfold odds, Rdiv in O. rewrite ln_mult, ln_Rinv in O by (try apply Rinv_0_lt_compat; lra).
  apply (Rmult_le_compat_l g) in O; lra.
Qed.
Lemma one_sided_later g P d u v stop fin F : valid P -> 0 < g < 1/2 -> 0 < d <= 1 -> 1/2 + 2 * g <= P u v ->
  (forall n s, (s <= n)%nat -> stop n s = None -> reaches (likelihood g) d n s = false) ->
  ET P (seqtest stop fin F 0 0 u v) <= L_time g d / 3.
Proof.
  intros HP Hg Hd Hp Hs. pose proof (valid_01 P HP u v) as P1. assert (0 < g * g) by nra.
  replace (L_time g d / 3) with ((ln (/ d) + ln (1 + 2 * g)) / (6 * (g * g))) by (unfold L_time; field; lra).
  apply likelihood_time; auto; [lra|]. apply double_drift; lra.
Qed.

Lemma own_later P N w Delta delta s k pairs : valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat -> 2 * gap s <= Delta -> own P N Delta pairs ->
  ET P (certificate N delta s k w pairs) <= scale s * form N delta (1/6) (1041/1000) s.
Proof.
  intros HP HN Hd Hk Hs [HL Ho]. pose proof (valid_01 P HP) as P01. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0.
  pose proof (M_ge1 N HN) as M1. pose proof ln2_le. set (a := certificate_level delta k).
  destruct (level_range delta k Hd) as [A0 A1]. fold a in A0, A1.
  destruct (ln_4_level delta k Hd) as [U _]. fold a in U. pose proof (ln_S_mono k s Hk) as LK.
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _).
  unfold certificate. fold a. cbv zeta. set (B := certificate_budget N s a).
  pose proof (L_time_scale s a ltac:(lra)) as LT. pose proof (L_time_nonneg (gap s) (a / 2) Hg ltac:(lra)) as L0.
  apply matches_time with (t := L_time (gap s) (a / 2) / 3); auto; [lra| |].
  - intros u v Hin. destruct (Ho u v Hin) as [_ Y]. apply one_sided_later; auto; [lra|lra|]. intros n x Hx. apply Rule, Hx.
  - assert (scale s * ln (4 / a) <= scale s * (ln (/ delta) + 2 * ln (INR s + 1) + 3 * (347/500))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem find_then_certify_identifies : find_then_certify_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd (Leaf & Starts & FCost & FRight). destruct HC as [P01 PA Hw Win].
  assert (valid P) as HP by (split; assumption). unfold find_then_certify.
  apply (stages_identify P HP find (certificate N delta) N w Delta delta HN Hd 2 (473/100) (1/2) (1/6) (1041/1000)) with (ready := own P N Delta);
    auto; try lra.
  - intros; now apply own_cap.
  - intros pairs u v [_ Ho] Hin. apply Ho. destruct pairs as [|p l]; [destruct Hin|]. cbn in Hin. destruct Hin as [->|[]]. left; reflexivity.
  - intros; now apply (own_right P N w Delta).
  - intros; now apply (own_later P N w Delta).
  - intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto]. intros (Hc & order & -> & HL & HI) ->. split.
    + unfold against. now rewrite map_length.
    + intros u v Hin. apply in_map_iff in Hin. destruct Hin as (j & [= <- <-] & Hj). apply HI in Hj. destruct Hj. split; [congruence|now apply Win].
  - intro n. eapply Rle_trans; [|apply (stages_error P find (certificate N delta) (fun c => negb (Nat.eqb c w)) delta n P01 Hd)].
    { right. apply E_ext. intros [c|]; reflexivity. }
    intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto]. intros (Hc & order & -> & _ & HI) Hb k.
    apply negb_true_iff, Nat.eqb_neq in Hb. specialize (Win c Hc Hb).
    apply (certificate_wrong P N delta s k c c w); auto; [rewrite PA; lra|].
    apply in_map_iff. exists w. split; [reflexivity|]. apply HI. auto.
  - unfold C_level. lra.
  - unfold C_level, C_arm. lra.
Qed.

(** ** Where a winner is known to exist *)

Lemma exp_time_bind {A B} P (P01 : forall u v, 0 <= P u v <= 1) h (m : prog A) (k : A -> prog B) K : 0 <= h -> 0 <= K ->
  (forall a, exp_time P h (k a) <= K) -> exp_time P h (bind m k) <= exp (INR (maxT m) * h) * K.
Proof.
  intros Hh HK H. induction m as [a|t u v f IH]; cbn [bind exp_time maxT].
  - simpl (INR 0). rewrite Rmult_0_l, exp_0, Rmult_1_l. apply H.
  - rewrite S_INR. replace ((INR (Nat.max (maxT (f true)) (maxT (f false))) + 1) * h)
      with (h + INR (Nat.max (maxT (f true)) (maxT (f false))) * h) by ring.
    rewrite exp_plus, Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos|].
    apply conv_le; [apply P01|eapply Rle_trans; [apply IH|]|eapply Rle_trans; [apply IH|]]; (apply Rmult_le_compat_r; [exact HK|]);
      apply exp_le, Rmult_le_compat_r; auto; apply le_INR; lia.
Qed.

Lemma uncut_bind {A B} T (m : prog A) (k : A -> prog (option B)) : (forall a, uncut T (k a) = true) -> uncut T (bind m k) = true.
Proof.
  intro H. assert (forall T', (T' <= T)%nat -> uncut T' (bind m k) = true) as G; [|now apply G].
  induction m as [a|t u v f IH]; intros T' HT; cbn [bind].
  - apply (uncut_le T); auto.
  - destruct T' as [|T']; [reflexivity|]. cbn [uncut]. rewrite !IH by lia. reflexivity.
Qed.

Lemma bold_range s a : 0 < a < 1 -> INR (bold_budget s a) <= scale s / 2 * ln (2 / a) + 1.
Proof.
  intro Ha. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0. set (x := 1 / (2 * (gap s * gap s)) * ln (2 / a)).
  assert (x = scale s / 2 * ln (2 / a)) as X by (unfold x; rewrite <- scale_inv; field; lra).
  assert (0 < ln (2 / a)) as L0.
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with a; [lra|]. replace (2 / a * a) with 2 by (field; lra). lra. }
  assert (0 < x) as X0 by (rewrite X; apply Rmult_lt_0_compat; lra). destruct (ceil_spec x X0) as [_ C2].
  unfold bold_budget. change (bbudget truncated_sprt (gap s) a) with (ceil x). lra.
Qed.

(** Its level is half of the other one's. *)
Lemma half_levels delta k s : 0 < delta < 1 -> (k <= s)%nat -> let a := certificate_level delta k / 2 in let l := ln (/ delta) + 2 * ln (INR s + 1) in
  0 < a <= 1/3 /\ ln (4 / a) <= l + 4 * (347/500) /\ ln (2 / a) <= l + 3 * (347/500).
Proof.
  intros Hd Hk a l. destruct (level_range delta k Hd) as [A0 A1]. destruct (ln_4_level delta k Hd) as [U _].
  pose proof (ln_S_mono k s Hk). pose proof ln2_le.
  assert (0 < 4 / certificate_level delta k) by (apply Rdiv_lt_0_compat; lra).
  split; [unfold a; lra|]. split.
  - replace (4 / a) with (2 * (4 / certificate_level delta k)) by (unfold a; field; lra). rewrite ln_mult by lra. unfold l. lra.
  - replace (2 / a) with (4 / certificate_level delta k) by (unfold a; field; lra). unfold l. lra.
Qed.

Lemma winner_cap N delta s k c pairs : (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat ->
  INR (maxT (certificate_of_winner N delta s k c pairs)) <= scale s * (form N delta (5/2) (73/10) s + 9).
Proof.
  intros HN Hd Hk. eapply Rle_trans; [apply le_INR, within_budget|]. rewrite plus_INR, mult_INR.
  pose proof (scale_pos s) as S0. pose proof (M_ge1 N HN) as M1.
  destruct (half_levels delta k s Hd Hk) as (A & U4 & U2). set (a := certificate_level delta k / 2) in *.
  destruct (budget_range N s a ltac:(lra)) as [_ BU]. pose proof (bold_range s a ltac:(lra)) as BB. unfold form.
  set (M := INR (N - 1)) in *. set (l := ln (/ delta) + 2 * ln (INR s + 1)) in *.
  assert (M * INR (bold_budget s a) <= M * (scale s / 2 * (l + 3 * (347/500)) + 1)) as Q1.
  { apply Rmult_le_compat_l; [lra|]. assert (scale s / 2 * ln (2 / a) <= scale s / 2 * (l + 3 * (347/500))) by (apply Rmult_le_compat_l; lra). lra. }
  assert (M * (2 * scale s * ln (4 / a) + 4) <= M * (2 * scale s * (l + 4 * (347/500)) + 4)) as Q2.
  { apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra. }
  assert (M * (scale s / 2 * (l + 3 * (347/500)) + 1 + (2 * scale s * (l + 4 * (347/500)) + 4)) <= M * (scale s * (5 / 2 * l + 73/10))) as Q3; [|lra].
  apply Rmult_le_compat_l; lra.
Qed.

Lemma either_time P (P01 : forall u v, 0 <= P u v <= 1) N s a F w u v t : 0 <= t ->
  ET P (one_sided (gap s) a (certificate_loss N) F w v) <= t -> ET P (either N s a F w u v) <= INR (bold_budget s a) + t.
Proof.
  intros Ht H. unfold either. pose proof (pos_INR (bold_budget s a)). destruct (Nat.eqb u w); [lra|]. rewrite ET_bind.
  set (bold := seqtest _ _ _ _ _ _ _). apply Rplus_le_compat.
  - eapply Rle_trans; [apply ET_le_max; auto|]. apply le_INR, seqtest_maxT.
  - rewrite <- (E_const P bold t). apply E_mono; auto. intro o. destruct (is_arm u o); [exact Ht|].
    eapply Rle_trans; [apply (ET_obind P P01) with (Q := fun _ => True) (c := 0); [lra|apply leaves_true|intros; cbn; lra]|]. lra.
Qed.

Definition winner_ready (P : arm -> arm -> R) (N : nat) (w : arm) (Delta : R) (pairs : list (arm * arm)) : Prop :=
  length pairs = (N - 1)%nat /\ (forall u v, In (u, v) pairs -> u <> v /\ v <> w /\ 1/2 + Delta <= P w v) /\
  (forall u v, In (u, v) (firstn 1 pairs) -> u = w).

Lemma winner_right P N w Delta delta s k pairs : valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat -> gap s <= Delta ->
  winner_ready P N w Delta pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate_of_winner N delta s k w pairs) certified /\
  ET P (certificate_of_winner N delta s k w pairs) <= scale s * form N delta 1 (257/100) s.
Proof.
  intros HP HN Hd Hk Hs (HL & Ho & _). pose proof (valid_01 P HP) as P01. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0.
  pose proof (M_ge1 N HN) as M1. destruct (half_levels delta k s Hd Hk) as (A & U4 & U2). unfold certificate_of_winner. cbv zeta.
  set (a := certificate_level delta k / 2) in *.
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _). destruct (loss_pos N HN) as [_ E0].
  set (b := bold_budget s a). set (B := (certificate_budget N s a + (N - 1) * b)%nat). set (h := gap s * gap s / 2).
  assert (0 <= h) as Hh by (unfold h; nra). set (K := sqrt ((1 + 2 * gap s) / (a / 2))).
  destruct (root_level (gap s) (a / 2) Hg ltac:(lra)) as [K1 LK]. fold K in K1, LK.
  set (K' := exp (INR b * h) * K). assert (1 <= exp (INR b * h)) as EB.
  { pose proof (exp_ineq1_le (INR b * h)). assert (0 <= INR b * h) by (apply Rmult_le_pos; [apply pos_INR|exact Hh]). lra. }
  assert (K <= K') as KK by (unfold K'; rewrite <- (Rmult_1_l K) at 1; apply Rmult_le_compat_r; lra).
  assert (ln K' = INR b * h + ln K) as LK' by (unfold K'; rewrite ln_mult, ln_exp; [reflexivity|apply exp_pos|lra]).
  (* one match *)
  set (mine := fun v => one_sided (gap s) a (certificate_loss N) B w v).
  assert (Own : forall v, v <> w -> 1/2 + Delta <= P w v ->
    Pr P (mine v) (wrong w) <= certificate_loss N /\ exp_time P h (mine v) <= K).
  { intros v Hv Hp. split.
    - eapply Rle_trans; [apply (wrong_loser P P01) with (y := v); [congruence|apply seqtest_leaves]|].
      apply (one_sided_loss (gap s)); auto; [lra|]. intros n x Hx. apply Rule, Hx.
    - apply one_sided_exp_time; auto; [lra|lra|]. intros n x Hx. apply Rule, Hx. }
  assert (OwnUncut : forall v, uncut B (mine v) = true) by (intro; apply seqtest_uncut; lia).
  assert (One : forall u v, In (u, v) pairs -> Pr P (either N s a B w u v) (wrong u) <= certificate_loss N /\
            exp_time P h (either N s a B w u v) <= K').
  { intros u v Hin. destruct (Ho u v Hin) as (Huv & Hv & Hp). destruct (Own v Hv Hp) as [O1 O2]. unfold either. fold (mine v).
    destruct (Nat.eqb_spec u w) as [->|Huw]; [split; [exact O1|lra]|].
    set (bold := seqtest (bold_rule s a) never (bold_budget s a) 0 0 u v).
    set (after := fun o => if is_arm u o then Ret (Some u) else obind (mine v) (fun x => Ret (Some (if Nat.eqb x w then u else v)))).
    assert (Mb : (maxT bold <= b)%nat) by (apply seqtest_maxT).
    assert (Af : forall o, Pr P (after o) (wrong u) <= certificate_loss N /\ exp_time P h (after o) <= K).
    { intro o. unfold after. destruct (is_arm u o).
      - split; [unfold Pr; cbn; rewrite Nat.eqb_refl; cbn; exact E0|]. cbn. lra.
      - split.
        + eapply Rle_trans; [|exact O1]. unfold Pr, obind. rewrite E_bind. apply E_mono; auto. intros [x|]; cbn; [|lra].
          destruct (Nat.eqb x w); cbn; [rewrite Nat.eqb_refl; cbn; lra|]. destruct (Nat.eqb v u); cbn; lra.
        + rewrite <- (Rmult_1_r K). eapply Rle_trans; [apply exp_time_obind with (K := 1); auto; [lra|intro; cbn; lra]|]. lra. }
    split.
    - unfold Pr. rewrite E_bind. rewrite <- (E_const P bold (certificate_loss N)). apply E_mono; auto. intro o. apply Af.
    - eapply Rle_trans; [apply exp_time_bind with (K := K); auto; [lra|intro; apply Af]|]. unfold K'. apply Rmult_le_compat_r; [lra|].
      apply exp_le, Rmult_le_compat_r; [exact Hh|]. now apply le_INR. }
  assert (Uncut : forall u v, uncut B (either N s a B w u v) = true).
  { intros u v. unfold either. fold (mine v). destruct (Nat.eqb u w); [apply OwnUncut|]. apply uncut_bind. intro o.
    destruct (is_arm u o); [destruct B; reflexivity|]. apply uncut_obind with (Q := fun _ => True); auto using leaves_true.
    intros; destruct B; reflexivity. }
  split.
  - eapply Rle_trans; [|apply (certify_complete P P01 (either N s a B w) h K' (certificate_loss N) B pairs Hh ltac:(lra) E0 Uncut)].
    2: exact One.
    apply Rplus_le_compat_l, Ropp_le_contravar. rewrite HL. apply Rplus_le_compat; [now apply loss_small|].
    assert (INR (N - 1) * ln K' - INR B * h = INR (N - 1) * (ln ((1 + 2 * gap s) / (a / 2)) / 2) - INR (certificate_budget N s a) * h) as ->.
    { rewrite LK', LK. unfold B. rewrite plus_INR, mult_INR. ring. }
    apply budget_enough; [exact HN|lra].
  - pose proof (L_time_nonneg (gap s) (a / 2) Hg ltac:(lra)) as L0. pose proof (pos_INR b).
    apply matches_time with (t := INR b + L_time (gap s) (a / 2)); auto; [lra| |].
    + intros u v Hin. destruct (Ho u v Hin) as (_ & _ & Y). apply either_time; [exact P01|lra|]. apply one_sided_time; auto; [lra|lra|].
      intros n x Hx. apply Rule, Hx.
    + pose proof (L_time_scale s a ltac:(lra)) as LT. pose proof (bold_range s a ltac:(lra)) as BB. fold b in BB.
      apply (Rmult_le_compat_l (scale s)) in U4, U2; lra.
Qed.

Lemma winner_later P N w Delta delta s k pairs : valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat -> 2 * gap s <= Delta ->
  winner_ready P N w Delta pairs -> ET P (certificate_of_winner N delta s k w pairs) <= scale s * form N delta (2/3) (257/100) s.
Proof.
  intros HP HN Hd Hk Hs (HL & Ho & _). pose proof (valid_01 P HP) as P01. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0.
  pose proof (M_ge1 N HN) as M1. destruct (half_levels delta k s Hd Hk) as (A & U4 & U2). unfold certificate_of_winner. cbv zeta.
  set (a := certificate_level delta k / 2) in *. set (B := (certificate_budget N s a + (N - 1) * bold_budget s a)%nat).
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _).
  pose proof (L_time_scale s a ltac:(lra)) as LT. pose proof (bold_range s a ltac:(lra)) as BB.
  pose proof (L_time_nonneg (gap s) (a / 2) Hg ltac:(lra)) as L0. pose proof (pos_INR (bold_budget s a)) as B0.
  apply matches_time with (t := INR (bold_budget s a) + L_time (gap s) (a / 2) / 3); auto; [lra| |].
  - intros u v Hin. destruct (Ho u v Hin) as (_ & _ & Y). apply either_time; [exact P01|lra|]. apply one_sided_later; auto; [lra|lra|].
    intros n x Hx. apply Rule, Hx.
  - apply (Rmult_le_compat_l (scale s)) in U4, U2; lra.
Qed.

Theorem find_then_certify_winner_identifies : find_then_certify_winner_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd (Leaf & Starts & FCost & FRight). destruct HC as [P01 PA Hw Win].
  assert (valid P) as HP by (split; assumption).
  apply (stages_identify P HP find (certificate_of_winner N delta) N w Delta delta HN Hd (5/2) (73/10) 1 (2/3) (257/100))
    with (ready := winner_ready P N w Delta); auto; try lra.
  - intros; now apply winner_cap.
  - intros pairs u v (_ & Ho & Hf) Hin. rewrite <- (Hf u v Hin) in Ho.
    destruct (Ho u v) as (X & _ & Y); [|split; auto]. destruct pairs as [|p l]; [destruct Hin|]. cbn in Hin.
    destruct Hin as [->|[]]. left; reflexivity.
  - intros; now apply (winner_right P N w Delta).
  - intros; now apply (winner_later P N w Delta).
  - intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto]. intros (Hc & HL & Hp & _ & Hf) ->.
    split; [exact HL|]. split; [|exact Hf].
    intros u v Hin. destruct (Hp u v Hin) as (_ & Hv & Huv & Hvw). split; [exact Huv|]. split; [exact Hvw|now apply Win].
  - intro n. apply (find_then_certify_winner_error P N w find delta n); auto. intros j Hj Hjw. specialize (Win j Hj Hjw). lra.
  - unfold C_winner_level. lra.
  - unfold C_winner_level, C_winner_arm. lra.
Qed.
