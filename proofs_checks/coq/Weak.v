(** * TG-ITE-Weak: a warm start, then epochs of ScreenAndReplace

    Weak regret of the endless policy, after any warm start. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT.
From TGITE Require Import TreeAscent ScreenAndReplace Limits BAI.
Open Scope R_scope.

Lemma epoch_level_range s : 0 < epoch_level s < 1.
Proof.
  unfold epoch_level, real_policy_levels. assert (1 < 4 ^ (s + 2)) by (apply Rlt_pow_R1; [lra|lia]).
  split; [positive|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.
Lemma epoch_level_S s : epoch_level (S s) = epoch_level s / 4.
Proof.
  unfold epoch_level, real_policy_levels. replace (S s + 2)%nat with (S (s + 2)) by lia.
  rewrite <- tech_pow_Rmult. field. apply pow_nonzero; lra.
Qed.
Lemma ln_epoch_level s : ln (/ epoch_level s) = (INR s + 2) * ln 4.
Proof. unfold epoch_level, real_policy_levels. rewrite Rinv_inv, ln_pow, plus_INR by lra. reflexivity. Qed.
Lemma ln4_range : 1386/1000 <= ln 4 <= 1388/1000.
Proof. pose proof ln2_le. pose proof ln2_ge. replace 4 with (2 * 2) by ring. rewrite ln_mult by lra. lra. Qed.

(** ** The epochs, with any pairwise test *)

(** The regret of all epochs from [s] on is at most [drift s] when the incumbent is the winner, and
    [detour s + drift s] when it is not: [detour s] is the cost of an epoch, and the drift pays for false
    beaters and for the winner's being lost, which a test does with a share p of its level:
    drift s = p rho n R(rho) + 2 p rho detour (s+1) + drift (s+1). *)
Section Potential.
Variables (N : nat) (share base slope : R).
Definition detour (s : nat) : R :=
  INR (N - 1) * (screen_cost base slope (epoch_level s) + replace_cost base slope (epoch_level s)).
Definition drift (s : nat) : R := share * (epoch_level s * (INR (N - 1) *
  (20/3 * base + slope * (20/3 * ln (/ epoch_level s) + 4 * bkt_extra + 68/9 * ln 4)))).
Definition tail_bound : R := detour 1 + drift 1.

Lemma drift_step s : INR (N - 1) * (share * epoch_level s * replace_cost base slope (epoch_level s)) +
  (detour (S s) * (share * (2 * epoch_level s)) + drift (S s)) = drift s.
Proof. unfold drift, detour, screen_cost, replace_cost. rewrite !ln_epoch_level, !S_INR, !epoch_level_S. field. Qed.

Hypothesis share0 : 0 <= share.
Hypothesis base0 : 0 <= base.
Hypothesis slope0 : 0 <= slope.

Lemma detour_nonneg s : 0 <= detour s.
Proof.
  pose proof (epoch_level_range s) as Hs. pose proof (screen_cost_nonneg base slope base0 slope0 _ Hs).
  pose proof (replace_cost_nonneg base slope base0 slope0 _ Hs). apply Rmult_le_pos; [apply pos_INR|lra].
Qed.
Lemma drift_nonneg s : 0 <= drift s.
Proof.
  pose proof (epoch_level_range s) as Hs. pose proof ln4_range. pose proof (ln_inv_pos _ Hs).
  unfold drift, bkt_extra. positive.
Qed.
Lemma detours_nonneg k s : 0 <= sumfrom detour s k.
Proof. apply sumfrom_nonneg. intros; apply detour_nonneg. Qed.
End Potential.

Section Epochs.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N : nat) (w : arm).
Variable test : nat -> R -> arm -> arm -> prog (option arm).
Variables share base slope : R.
Hypothesis Test : pairwise_test P N w test share base slope.
Hypothesis HN : (2 <= N)%nat.

Let P01 := pt_P01 _ _ _ _ _ _ _ Test.
Let base0 := pt_base _ _ _ _ _ _ _ Test.
Let slope0 := pt_slope _ _ _ _ _ _ _ Test.
Let share0 : 0 <= share := proj1 (pt_share _ _ _ _ _ _ _ Test).
Let answers F := pt_answers _ _ _ _ _ _ _ Test F.
Let range F c d d' : (c < N)%nat -> leaves (in_range N) (ScreenReplace (test F) N c d d') :=
  ScreenReplace_range (test F) (answers F) N c d d'.
Local Notation detour := (detour N base slope).
Local Notation drift := (drift N share base slope).
Let detour0 s : 0 <= detour s := detour_nonneg N base slope base0 slope0 s.
Let drift0 s : 0 <= drift s := drift_nonneg N share base slope share0 base0 slope0 s.

(** What is still to come after a pass or an epoch that is wrong with probability at most [e]. *)
Lemma rest_regret (m : prog (option arm)) (k : arm -> prog (option arm)) e s :
  leaves (in_range N) m -> Pr P m (wrong w) <= e ->
  (forall c, (c < N)%nat ->
    expected_regret P (weak_regretful w) (k c) <= (if Nat.eqb c w then 0 else detour s) + drift s) ->
  expect P m (fun o => expected_regret P (weak_regretful w) match o with Some c => k c | None => Ret None end)
    <= detour s * e + drift s.
Proof.
  intros Range Wrong K. set (lost := fun o => if wrong w o then 1 else 0).
  apply Rle_trans with (expect P m (fun o => detour s * lost o + drift s)).
  - eapply (E_mono_leaves P P01); [exact Range|]. intros [c|] Hc; unfold lost; cbn [wrong].
    + specialize (K c Hc). destruct (Nat.eqb c w); cbn [negb]; lra.
    + cbn [expected_regret]. pose proof (drift0 s). lra.
  - rewrite E_plus, E_const, E_scal. apply Rplus_le_compat_r, Rmult_le_compat_l; [apply detour0|exact Wrong].
Qed.

Theorem epochs_regret F k : forall s c, (c < N)%nat ->
  expected_regret P (weak_regretful w) (epochs (test F) N k s c) <=
    (if Nat.eqb c w then 0 else detour s) + drift s.
Proof.
  induction k as [|k IH]; intros s c Hc; cbn [epochs].
  - cbn [expected_regret]. pose proof (detour0 s). pose proof (drift0 s). destruct (Nat.eqb c w); lra.
  - pose proof (epoch_level_range s) as Rs. unfold obind. rewrite ER_bind.
    pose proof (tested_epoch_regret P N w test share base slope Test F c _ _ Hc Rs Rs) as Now.
    set (r := epoch_level s) in *. assert (Pr P (ScreenReplace (test F) N c r r) (wrong w) <= share * (2 * r)) as W.
    { eapply Rle_trans; [eapply epoch_wrong; eauto|].
      apply Rmult_le_compat_l; [exact share0|]. destruct (Nat.eqb c w); lra. }
    pose proof (rest_regret _ _ _ (S s) (range F c _ _ Hc) W (IH (S s))) as Later.
    pose proof (drift_step N share base slope s) as Step. pose proof (replace_cost_nonneg base slope base0 slope0 _ Rs).
    assert (0 <= INR (N - 1) * (share * r * replace_cost base slope r)) by positive.
    fold r in Step. destruct (Nat.eqb c w); [lra|]. change (INR (N - 1) * (_ + _)) with (detour s) in Now. lra.
Qed.

Lemma epochs_cut F k : forall s c, (c < N)%nat ->
  INR F * Pr P (epochs (test F) N k s c) ran_out <= sumfrom detour s k.
Proof.
  induction k as [|k IH]; intros s c Hc; cbn [epochs sumfrom]; [unfold Pr; cbn; lra|].
  pose proof (epoch_level_range s). eapply (cut_obind P P01); [now apply detours_nonneg|now apply range| |].
  - eapply epoch_cut; eauto.
  - intros a Ha. apply IH; auto.
Qed.

Lemma epochs_agree T : forall F k F' k' s c, (T <= F)%nat -> (T <= k)%nat -> (T <= F')%nat -> (T <= k')%nat ->
  agree T (epochs (test F) N k s c) (epochs (test F') N k' s c).
Proof.
  induction T as [|T IH]; intros F k F' k' s c H1 H2 H3 H4; [exact Logic.I|].
  destruct k as [|k]; [lia|]. destruct k' as [|k']; [lia|]. cbn [epochs]. pose proof (epoch_level_range s).
  apply agree_obind_later; [eapply epoch_starts; eauto; lia| |intros; apply IH; lia].
  apply (ScreenReplace_alike _ (agree_sequential (S T)) eq); try easy. intros d ? u v <-. eapply pt_agree; eauto.
Qed.

Lemma epochs_plays T : forall F k s c, (T <= F)%nat -> (T <= k)%nat -> (c < N)%nat -> plays T (epochs (test F) N k s c).
Proof.
  induction T as [|T IH]; intros F k s c H1 H2 Hc; [exact Logic.I|].
  destruct k as [|k]; [lia|]. cbn [epochs]. pose proof (epoch_level_range s).
  eapply plays_obind_later; [now apply range|eapply epoch_starts; eauto; lia|eapply epoch_uncut; eauto|].
  intros a Ha. apply IH; auto; lia.
Qed.

Lemma endless_of (run : nat -> nat -> prog (option arm)) bound (K : nat -> R) :
  (forall F k, expected_regret P (weak_regretful w) (run F k) <= bound) ->
  (forall T F k F' k', (T <= F)%nat -> (T <= k)%nat -> (T <= F')%nat -> (T <= k')%nat ->
     agree T (run F k) (run F' k')) ->
  (forall T F k, (T <= F)%nat -> (T <= k)%nat -> plays T (run F k)) ->
  (forall k F, INR F * Pr P (run F k) ran_out <= K k) ->
  endless_regret_at_most P (weak_regretful w) run bound.
Proof.
  intros B Ag Pl Cut. split; [exact B|]. split; [exact Ag|]. split; [exact Pl|]. split; [|split].
  - apply (regret_limit P (weak_regretful w) _ (fun n => run n n)); auto.
  - intros T n. eapply Rle_trans; [apply regret_markov; auto|]. eapply Rle_trans; [apply regret_until_le; auto|apply B].
  - intro k. apply (cut_vanishes P P01 _ (K k)). exact (Cut k).
Qed.

Theorem endless_tail c bound : (c < N)%nat -> tail_bound N share base slope <= bound ->
  endless_regret_at_most P (weak_regretful w) (fun F k => online_tail (test F) N k c) bound.
Proof.
  intros Hc Hbound. apply endless_of with (K := fun k => sumfrom detour 1 k).
  - intros F k. eapply Rle_trans; [apply (epochs_regret F k 1 c Hc)|]. unfold tail_bound in Hbound.
    pose proof (detour0 1). destruct (Nat.eqb c w); lra.
  - intros. now apply epochs_agree.
  - intros. now apply epochs_plays.
  - intros. now apply epochs_cut.
Qed.

(** A warm start at level [eps] leaves another arm than the winner with a share of [eps] as its probability. *)
Definition weak_bound (eps : R) : R := pass_cost N base slope eps + (detour 1 * (share * eps) + drift 1).

Theorem endless_weak L b eps bound : balanced_tree N L -> (b < N)%nat -> 0 < eps < 1 -> weak_bound eps <= bound ->
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (test F) N L eps k b) bound.
Proof.
  intros HB Hb He Hbound. apply endless_of with (K := fun k => pass_cost N base slope eps + sumfrom detour 1 k).
  - intros F k. eapply Rle_trans; [|exact Hbound]. unfold TG_ITE_Weak, obind, weak_bound.
    rewrite ER_bind. apply Rplus_le_compat.
    + eapply Rle_trans; [apply ER_le_ET; auto|eapply pass_ET; eauto].
    + apply rest_regret; [eapply pass_range; eauto|eapply pass_wrong; eauto|]. intros c Hc. now apply epochs_regret.
  - intros. apply agree_obind; [eapply pass_agree; eauto|intro; now apply epochs_agree].
  - intros T F k H1 H2. eapply plays_obind; [eapply pass_range; eauto|eapply pass_uncut; eauto|].
    intros c Hc. now apply epochs_plays.
  - intros k F. eapply (cut_obind P P01); [apply detours_nonneg; auto|eapply pass_range; eauto|eapply pass_cut; eauto|].
    intros c Hc. now apply epochs_cut.
Qed.
End Epochs.

(** ** In units of (N-1)/g^2 *)

Section Units.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N : nat) (w : arm).
Variable test : nat -> R -> arm -> arm -> prog (option arm).
Variables share g B S : R.
Hypothesis Test : pairwise_test P N w test share (B / (g * g)) (S / (g * g)).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hg : 0 < g.

(** The first epoch, and the drift of all of them; 347/250 is for ln 4. *)
Let detour_units : R := 2 * B + S * (6 * (347/250) + 153/100).
Let drift_units : R := share / 64 * (20/3 * B + S * (612/100 + 248/9 * (347/250))).

Lemma tail_units : 0 <= detour_units /\
  detour N (B / (g * g)) (S / (g * g)) 1 <= INR (N - 1) * / (g * g) * detour_units /\
  drift N share (B / (g * g)) (S / (g * g)) 1 <= INR (N - 1) * / (g * g) * drift_units.
Proof.
  pose proof ln4_range. pose proof (pt_share _ _ _ _ _ _ _ Test). assert (0 < g * g) by nra.
  assert (forall x, 0 <= x / (g * g) -> 0 <= x) as Up by (intros x Hx; apply (Rle_div_r 0 x) in Hx; nra).
  pose proof (Up B (pt_base _ _ _ _ _ _ _ Test)). pose proof (Up S (pt_slope _ _ _ _ _ _ _ Test)).
  assert (S * ln 4 <= S * (347/250)) by (apply Rmult_le_compat_l; lra). unfold detour_units, drift_units. split; [lra|].
  unfold detour, drift, screen_cost, replace_cost. rewrite ln_epoch_level.
  unfold epoch_level, real_policy_levels, bkt_extra.
  simpl (INR 1). replace (4 ^ (1 + 2)) with 64 by (simpl; ring). split.
  - apply Rle_trans with (INR (N - 1) * / (g * g) * (2 * B + S * (6 * ln 4 + 153/100))); [right; field; lra|].
    apply Rmult_le_compat_l; [now apply unit_nonneg|lra].
  - apply Rle_trans with (INR (N - 1) * / (g * g) * (share / 64 * (20/3 * B + S * (612/100 + 248/9 * ln 4)))).
    + right. field. lra.
    + apply Rmult_le_compat_l; [now apply unit_nonneg|]. apply Rmult_le_compat_l; lra.
Qed.

Theorem tail_in_units c C x : (c < N)%nat -> detour_units + drift_units <= C * x ->
  endless_regret_at_most P (weak_regretful w) (fun F k => online_tail (test F) N k c) (C * INR (N - 1) / (g * g) * x).
Proof.
  intros Hc H. eapply endless_tail; eauto. destruct tail_units as (_ & U & V). unfold tail_bound.
  apply (Rmult_le_compat_l _ _ _ (unit_nonneg N g Hg)) in H. rewrite unit_in. lra.
Qed.

Theorem weak_in_units L b eps e C x : balanced_tree N L -> (b < N)%nat -> 0 < eps < 1 -> eps <= e ->
  B + S * (ln (/ eps) + 431/100) + share * e * detour_units + drift_units <= C * x ->
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (test F) N L eps k b)
    (C * INR (N - 1) / (g * g) * x).
Proof.
  intros HB Hb He Hee H. eapply endless_weak; eauto. destruct tail_units as (D & U & V).
  pose proof (unit_nonneg N g Hg) as Un. pose proof (pt_share _ _ _ _ _ _ _ Test).
  assert (0 <= share * eps) by positive.
  apply (Rmult_le_compat_r (share * eps)) in U; [|lra]. apply (Rmult_le_compat_l _ _ _ Un) in H.
  assert (share * eps * detour_units <= share * e * detour_units) as E
    by (apply Rmult_le_compat_r; [|apply Rmult_le_compat_l]; lra).
  apply (Rmult_le_compat_l _ _ _ Un) in E. unfold weak_bound. rewrite pass_units, unit_in by exact Hg. lra.
Qed.
End Units.

(** ** With DuelTest *)

Theorem thm_app_online_weak : thm_app_online_weak_statement.
Proof.
  intros cv P stop N w g c HA Hs Hpr Hc. pose proof (a_gap _ _ _ _ HA) as Hg. pose proof (ln_inv_gap g Hg).
  eapply tail_in_units; eauto using dueltest_in_units; [apply (a_N _ _ _ _ HA)|lra|]. unfold C_tail. lra.
Qed.

Theorem cor_app_weak_warm_start : cor_app_weak_warm_start_statement.
Proof.
  intros cv P stop N L w g b HA Hs Hpr HB Hb. pose proof (a_gap _ _ _ _ HA) as Hg.
  pose proof (ln_inv_gap g Hg). pose proof ln4_range.
  eapply weak_in_units with (e := 1/4); eauto using dueltest_in_units; try lra; [apply (a_N _ _ _ _ HA)|].
  replace (/ (1/4)) with 4 by field. unfold C_weak. lra.
Qed.

Theorem cor_app_weak_high_confidence_warm_start : cor_app_weak_high_confidence_warm_start_statement.
Proof.
  intros cv P stop N L w g b delta HA Hs Hpr HB Hb Hd. pose proof (a_gap _ _ _ _ HA) as Hg.
  split; [apply cor_tlcr_bai; auto|].
  pose proof (ln_inv_gap g Hg). pose proof (ln_inv_pos delta Hd).
  eapply weak_in_units with (e := 1); eauto using dueltest_in_units; try lra; [apply (a_N _ _ _ _ HA)|].
  unfold C_weak_delta. lra.
Qed.
