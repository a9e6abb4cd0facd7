(** * What the stages of find-then-certify cost, for any certificate (not in the paper)

    A stage's expected duels, a potential that pays for all that is still to come, and termination; put together in
    [stages_identify]. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest Limits.
From TGITE Require Import ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate FindThenCertify.
Open Scope R_scope.

(** ** Numbers *)

Lemma e_inv : exp (- (1)) <= 10/27.
Proof.
  rewrite exp_Ropp. replace (10/27) with (/ (27/10)) by field. apply Rinv_le_contravar; [lra|].
  replace (exp 1) with (exp (1 / 1)) by (f_equal; field). apply (exp_lower 1 1 27 10 128). vm_compute. reflexivity.
Qed.

Lemma exp_minus n : exp (- INR n) <= (10/27) ^ n.
Proof.
  replace (- INR n) with (INR n * - (1)) by ring. rewrite exp_pow. apply pow_incr. split; [left; apply exp_pos|apply e_inv].
Qed.

(** 1/g_s^2 *)
Definition scale (s : nat) : R := 4 ^ (s + 3) / 9.
Lemma scale_gap s : scale s * (gap s * gap s) = 1.
Proof.
  unfold scale, gap. replace 4 with (2 * 2) by ring. rewrite Rpow_mult_distr. pose proof (pow_lt 2 (s + 3) ltac:(lra)). field. lra.
Qed.
Lemma scale_pos s : 64/9 <= scale s.
Proof. unfold scale. rewrite pow_add. pose proof (pow_R1_Rle 4 s ltac:(lra)). lra. Qed.
Lemma scale_inv s : / (gap s * gap s) = scale s.
Proof. pose proof (scale_gap s). pose proof (gap_range s). field_simplify_eq; nra. Qed.
Lemma scale_S s : scale (S s) = 4 * scale s.
Proof. unfold scale. replace (S s + 3)%nat with (S (s + 3)) by lia. cbn [pow]. field. Qed.
Lemma gap_S s : gap (S s) = gap s / 2.
Proof. unfold gap. replace (S s + 3)%nat with (S (s + 3)) by lia. cbn [pow]. pose proof (pow_lt 2 (s + 3) ltac:(lra)). field. lra. Qed.
Lemma gap_le s t : (s <= t)%nat -> gap t <= gap s.
Proof. induction 1 as [|t _ IH]; [lra|]. rewrite gap_S. pose proof (gap_range t). lra. Qed.

Lemma INR_pow4 n : INR (4 ^ n) = 4 ^ n.
Proof. rewrite pow_INR. f_equal. simpl. lra. Qed.

Lemma ln_4_level delta k : 0 < delta < 1 ->
  ln (4 / certificate_level delta k) <= ln (/ delta) + 3 * ln 2 + 2 * ln (INR k + 1) /\ 2 * ln 2 <= ln (4 / certificate_level delta k).
Proof.
  intro Hd. pose proof (pos_INR k) as K. destruct (level_range delta k Hd) as [A0 A1].
  assert (0 < / delta) by (apply Rinv_0_lt_compat; lra).
  replace (2 * ln 2) with (ln (2 * 2)) by (rewrite ln_mult; lra).
  replace (3 * ln 2) with (ln (2 * (2 * 2))) by (rewrite !ln_mult; lra).
  replace (2 * ln (INR k + 1)) with (ln ((INR k + 1) * (INR k + 1))) by (rewrite ln_mult; lra).
  rewrite <- !ln_mult by nra. split; apply ln_le.
  - apply Rdiv_lt_0_compat; lra.
  - unfold certificate_level.
    replace (4 / (2 * delta / ((2 * INR k + 1) * (2 * INR k + 3)))) with (/ delta * (2 * ((2 * INR k + 1) * (2 * INR k + 3)))) by (field; nra).
    rewrite Rmult_assoc. apply Rmult_le_compat_l; nra.
  - lra.
  - apply Rmult_le_reg_r with (certificate_level delta k); [exact A0|].
    replace (4 / certificate_level delta k * certificate_level delta k) with 4 by (field; lra). lra.
Qed.

(** The budget of a certificate, from below and above. *)
Lemma budget_range N s a : 0 < a < 1 -> let B := INR (certificate_budget N s a) in
  INR (N - 1) * (2 * scale s * ln (4 / a)) + 9 * scale s <= B /\
  B <= INR (N - 1) * (2 * scale s * ln (4 / a) + 4) + 9 * scale s.
Proof.
  intros Ha B. unfold B, certificate_budget. rewrite plus_INR, !mult_INR, INR_pow4. replace (INR 4) with 4 by (simpl; lra).
  pose proof (gap_range s) as Hg. pose proof (scale_gap s) as SG. pose proof (pos_INR (N - 1)) as M.
  set (x := 1 / (2 * (gap s * gap s)) * ln (2 / (a / 2))).
  assert (x = scale s / 2 * ln (4 / a)) as X.
  { unfold x. rewrite <- scale_inv. replace (2 / (a / 2)) with (4 / a) by (field; lra). field. lra. }
  assert (0 < ln (4 / a)) as L0.
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with a; [lra|]. replace (4 / a * a) with 4 by (field; lra). lra. }
  pose proof (scale_pos s) as S0. assert (0 < x) as X0 by (rewrite X; apply Rmult_lt_0_compat; lra).
  destruct (ceil_spec x X0) as [C1 C2]. assert (4 ^ (s + 3) = 9 * scale s) as -> by (unfold scale; field).
  change (bbudget truncated_sprt (gap s) (a / 2)) with (ceil x). set (c := INR (ceil x)) in *. clearbody x.
  assert (INR (N - 1) * (scale s / 2 * ln (4 / a)) <= INR (N - 1) * c) by (apply Rmult_le_compat_l; lra).
  assert (INR (N - 1) * c <= INR (N - 1) * (scale s / 2 * ln (4 / a) + 1)) by (apply Rmult_le_compat_l; lra).
  split; lra.
Qed.

(** ** Levels and budgets are enough *)

Lemma loss_pos N : (2 <= N)%nat -> 0 < INR ((2 * N) ^ 6) /\ 0 <= certificate_loss N.
Proof.
  intro HN. assert (0 < INR ((2 * N) ^ 6)) as NP by (apply INR_pos; apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
  split; [exact NP|]. left. now apply Rinv_0_lt_compat.
Qed.
Lemma loss_small N : (2 <= N)%nat -> INR (N - 1) * certificate_loss N <= / 4096.
Proof.
  intro HN. destruct (loss_pos N HN) as [NP _].
  unfold certificate_loss. apply Rmult_le_reg_r with (INR ((2 * N) ^ 6)); [exact NP|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  rewrite pow_INR, mult_INR, minus_INR by lia. simpl (INR 2). simpl (INR 1).
  assert (2 <= INR N) as N2 by (apply (le_INR 2); lia). set (x := INR N) in *.
  replace (/ 4096 * ((1 + 1) * x) ^ 6) with (/ 64 * ((x * x) * ((x * x) * (x * x)))) by field.
  assert (4 * (x - 1) <= x * x) by nra. assert (16 <= (x * x) * (x * x)) by nra. nra.
Qed.

Lemma ln_half_level s a : 0 < a < 1 -> ln ((1 + 2 * gap s) / (a / 2)) <= ln (4 / a).
Proof.
  intro Ha. pose proof (gap_range s) as Hg. assert (0 < 4 / a) as A4 by (apply Rdiv_lt_0_compat; lra).
  apply ln_le; [apply Rdiv_lt_0_compat; lra|]. replace ((1 + 2 * gap s) / (a / 2)) with ((1 + 2 * gap s) / 2 * (4 / a)) by (field; lra). nra.
Qed.

(** The budget of the matches together. *)
Lemma budget_enough N s a : (2 <= N)%nat -> 0 < a <= 2/3 ->
  exp (INR (N - 1) * (ln ((1 + 2 * gap s) / (a / 2)) / 2) - INR (certificate_budget N s a) * (gap s * gap s / 2)) <= (10/27) ^ 5.
Proof.
  intros HN Ha. pose proof (gap_range s) as Hg. pose proof ln2_ge. pose proof (scale_gap s) as SG. pose proof (scale_pos s) as S0.
  assert (1 <= INR (N - 1)) as M1 by (apply (le_INR 1); lia). set (M := INR (N - 1)) in *.
  destruct (budget_range N s a ltac:(lra)) as [BL _]. fold M in BL. set (B := INR (certificate_budget N s a)) in *.
  pose proof (ln_half_level s a ltac:(lra)) as LA. assert (2 * ln 2 <= ln (4 / a)) as Low.
  { replace (2 * ln 2) with (ln (2 * 2)) by (rewrite ln_mult; lra). apply ln_le; [lra|].
    apply Rmult_le_reg_r with a; [lra|]. replace (4 / a * a) with 4 by (field; lra). lra. }
  eapply Rle_trans; [|apply (exp_minus 5)]. apply exp_le. simpl (INR 5).
  assert ((M * (2 * scale s * ln (4 / a)) + 9 * scale s) * (gap s * gap s / 2) <= B * (gap s * gap s / 2)) as Q by (apply Rmult_le_compat_r; nra).
  replace ((M * (2 * scale s * ln (4 / a)) + 9 * scale s) * (gap s * gap s / 2))
    with ((M * ln (4 / a) + 9 / 2) * (scale s * (gap s * gap s))) in Q by field. rewrite SG in Q.
  assert (M * (ln ((1 + 2 * gap s) / (a / 2)) / 2) <= M * (ln (4 / a) / 2)) by (apply Rmult_le_compat_l; lra).
  assert (1 * (2 * ln 2) <= M * ln (4 / a)) by (apply Rmult_le_compat; lra). lra.
Qed.

Lemma L_time_scale s a : 0 < a < 1 -> L_time (gap s) (a / 2) <= ln (4 / a) / 2 * scale s.
Proof.
  intro Ha. pose proof (gap_range s) as Hg. pose proof (scale_pos s). pose proof (ln_half_level s a Ha). unfold L_time.
  rewrite <- ln_mult by (try apply Rinv_0_lt_compat; lra). replace (/ (a / 2) * (1 + 2 * gap s)) with ((1 + 2 * gap s) / (a / 2)) by (field; lra).
  replace (ln ((1 + 2 * gap s) / (a / 2)) / (2 * (gap s * gap s))) with (ln ((1 + 2 * gap s) / (a / 2)) / 2 * scale s)
    by (rewrite <- scale_inv; field; lra).
  apply Rmult_le_compat_r; lra.
Qed.

Lemma Pr_not {T A} P (m : program T A) (ev : A -> bool) : expect P m (fun a => if ev a then 0 else 1) = 1 - Pr P m ev.
Proof. unfold Pr. induction m as [a|t u v k IH]; cbn [expect]; [destruct (ev a); lra|]. rewrite !IH. ring. Qed.
Lemma ln_S_nonneg n : 0 <= ln (INR n + 1).
Proof. rewrite <- ln_1. apply ln_le; [lra|]. pose proof (pos_INR n). lra. Qed.
Lemma ln_S_mono k s : (k <= s)%nat -> ln (INR k + 1) <= ln (INR s + 1).
Proof. intro H. apply le_INR in H. pose proof (pos_INR k). apply ln_le; lra. Qed.

Lemma first_stage Delta : 0 < Delta -> exists s0, gap s0 <= Delta /\ (s0 = 0%nat \/ Delta < gap (pred s0)).
Proof.
  intro HD. assert (exists n, gap n <= Delta) as [n Hn].
  { destruct (archimed_cor1 Delta HD) as (n & H1 & H2). exists n. left. eapply Rle_lt_trans; [|exact H1].
    unfold gap. rewrite pow_add. assert (INR n <= 2 ^ n) as Q.
    { clear. induction n as [|n IH]; [simpl; lra|]. rewrite S_INR. cbn [pow]. pose proof (pow_R1_Rle 2 n ltac:(lra)). lra. }
    apply lt_INR in H2. simpl (INR 0) in H2. apply Rmult_le_reg_r with (INR n * 2 ^ n); [apply Rmult_lt_0_compat; lra|].
    replace (3 / (2 ^ n * 2 ^ 3) * (INR n * 2 ^ n)) with (3/8 * INR n) by (field; lra).
    replace (/ INR n * (INR n * 2 ^ n)) with (2 ^ n) by (field; lra). lra. }
  induction n as [|n IH]; [exists 0%nat; auto|]. destruct (Rle_lt_dec (gap n) Delta) as [H|H]; [now apply IH|].
  exists (S n). cbn [pred]. auto.
Qed.

Lemma loglog Delta s0 : 0 < Delta <= 1/2 -> s0 = 0%nat \/ Delta < gap (pred s0) ->
  scale s0 <= 4 / (Delta * Delta) /\ ln (INR s0 + 1) <= ln (ln (/ Delta) + 1) + 368/1000.
Proof.
  intros HD H. pose proof (ln_inv_gap Delta HD) as LD. pose proof ln2_le. pose proof ln2_ge.
  assert (0 < Delta * Delta) as D2 by nra.
  assert (0 <= ln (ln (/ Delta) + 1)) as LL by (rewrite <- ln_1; apply ln_le; lra).
  destruct s0 as [|s]; [|destruct H as [H|H]; [discriminate|]; cbn [pred] in H].
  - split; [|simpl (INR 0); rewrite Rplus_0_l, ln_1; lra]. unfold scale. simpl.
    apply Rmult_le_reg_r with (Delta * Delta); [exact D2|]. replace (4 / (Delta * Delta) * (Delta * Delta)) with 4 by (field; lra). nra.
  - pose proof (gap_range s) as Hg. split.
    + rewrite scale_S, <- scale_inv. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; nra.
    + assert (2 ^ (s + 3) * Delta < 3) as P2.
      { unfold gap in H. pose proof (pow_lt 2 (s + 3) ltac:(lra)) as P0. apply (Rmult_lt_compat_r (2 ^ (s + 3))) in H; [|exact P0].
        replace (3 / 2 ^ (s + 3) * 2 ^ (s + 3)) with 3 in H by (field; lra). lra. }
      replace (s + 3)%nat with (S (S s) + 1)%nat in P2 by lia. rewrite pow_add, pow_1 in P2.
      assert (2 ^ S (S s) <= 3/2 * / Delta) as P3.
      { apply Rmult_le_reg_r with Delta; [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      apply ln_le in P3; [|apply pow_lt; lra]. rewrite ln_pow, ln_mult in P3 by (try apply Rinv_0_lt_compat; lra).
      assert (ln (3/2) <= 1/2) as L32.
      { pose proof (ln_tangent (3/2) 1 ltac:(lra) ltac:(lra)) as T. rewrite ln_1 in T. lra. }
      set (x := INR (S s) + 1). assert (INR (S (S s)) = x) as X by (unfold x; rewrite (S_INR (S s)); reflexivity). rewrite X in P3.
      assert (0 < x) as X0 by (unfold x; pose proof (pos_INR (S s)); lra).
      assert (x * (693/1000) <= ln (/ Delta) + 1) as P4.
      { assert (x * (693/1000) <= x * ln 2) by (apply Rmult_le_compat_l; lra). lra. }
      apply ln_le in P4; [|apply Rmult_lt_0_compat; lra]. rewrite ln_mult in P4 by lra.
      assert (- (368/1000) <= ln (693/1000)) as L; [|lra].
      assert (ln (1000/693 * (1000/693)) <= 736/1000) as Q.
      { pose proof (ln_tangent (1000/693 * (1000/693)) 2 ltac:(lra) ltac:(lra)). lra. }
      rewrite ln_mult in Q by lra. replace (1000/693) with (/ (693/1000)) in Q by field. rewrite ln_Rinv in Q by lra. lra.
Qed.

Lemma refines_bind {T A B} (m : program T A) (k k' : A -> program T (option B)) :
  (forall a, refines (k a) (k' a)) -> refines (bind m k) (bind m k').
Proof. intro H. induction m as [a|t u v f IH]; cbn [bind]; [apply H|]. constructor. exact IH. Qed.

Section Endless.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variable certificate : nat -> nat -> arm -> list (arm * arm) -> prog (option bool).

Lemma stages_refine n : forall s k, refines (stages find screen certificate n s k) (stages find screen certificate (S n) s k).
Proof.
  induction n as [|n IH]; intros s k; [constructor|]. cbn [stages]. apply refines_bind. intros [begun [c|]]; [destruct begun; constructor|].
  specialize (IH (S s) (if begun then S k else k)). cbn [stages] in IH. destruct begun; exact IH.
Qed.

Hypothesis find_starts : forall s, starts (find s).
Lemma stages_agree T : forall n n' s k, (T <= n)%nat -> (T <= n')%nat ->
  agree T (stages find screen certificate n s k) (stages find screen certificate n' s k).
Proof.
  induction T as [|T IH]; intros [|n] [|n'] s k H H'; try lia; try exact Logic.I. cbn [stages].
  apply agree_bind_later; [|apply agree_refl|].
  - unfold attempt. specialize (find_starts s). destruct (find s); [destruct find_starts|exact Logic.I].
  - intros [begun [c|]]; [destruct begun; apply agree_refl|].
    specialize (IH n n' (S s) (if begun then S k else k) ltac:(lia) ltac:(lia)). destruct begun; exact IH.
Qed.

End Endless.

(** ** Stages, for any certificate

    A certificate takes at most (a_l, a_c), and for the winner typically (t_l, t_c), or (u_l, t_c) once its gap is twice what
    is tried, as is said in [cap], [right] and [later]; [ready] are matches that the winner's certificate can be trusted with. *)

Section Stage.
Variable P : arm -> arm -> R.
Hypothesis HP : valid P.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variable certificate : nat -> nat -> arm -> list (arm * arm) -> prog (option bool).
Variables (N : nat) (w : arm) (Delta delta : R).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hd : 0 < delta < 1.

Let P01 := valid_01 P HP.
Let M := INR (N - 1).
Let lam := ln (/ delta).

Lemma M_ge1 : 1 <= M.
Proof. unfold M. apply (le_INR 1). lia. Qed.
Lemma lam_pos : 0 < lam.
Proof. apply ln_inv_pos. exact Hd. Qed.

(** M (x (ln(1/delta) + 2 ln(s+1)) + z) *)
Definition form (x z : R) (s : nat) : R := M * (x * (lam + 2 * ln (INR s + 1)) + z).
Lemma form_nonneg x z s : 0 <= x -> 0 <= z -> 0 <= form x z s.
Proof.
  intros Hx Hz. unfold form. pose proof M_ge1. pose proof lam_pos. pose proof (ln_S_nonneg s).
  apply Rmult_le_pos; [lra|]. assert (0 <= x * (lam + 2 * ln (INR s + 1))) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma form_mono x z k s : 0 <= x -> (k <= s)%nat -> form x z k <= form x z s.
Proof.
  intros Hx Hk. unfold form. pose proof M_ge1. pose proof (ln_S_mono k s Hk).
  apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra.
Qed.

Variables a_l a_c t_l u_l t_c : R.
Hypothesis coefficients : 0 <= a_l /\ 0 <= a_c /\ 0 <= t_l /\ 0 <= u_l /\ 0 <= t_c.
Hypothesis cap : forall s k c pairs, (k <= s)%nat -> INR (maxT (certificate s k c pairs)) <= scale s * (form a_l a_c s + 9).
Variable ready : list (arm * arm) -> Prop.
Hypothesis ready_screen : forall pairs u v, ready pairs -> In (u, v) (firstn 1 pairs) -> u <> v /\ 1/2 + Delta <= P u v.
Hypothesis right : forall s k pairs, (k <= s)%nat -> gap s <= Delta -> ready pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate s k w pairs) certified /\
  ET P (certificate s k w pairs) <= scale s * form t_l t_c s.
Hypothesis later : forall s k pairs, (k <= s)%nat -> 2 * gap s <= Delta -> ready pairs ->
  ET P (certificate s k w pairs) <= scale s * form u_l t_c s.
Definition ready_if_winner (o : option (arm * list (arm * arm))) : Prop :=
  match o with None => True | Some (c, pairs) => c = w -> ready pairs end.
Hypothesis find_ready : forall s, leaves ready_if_winner (find s).
Hypothesis find_cost : forall s, ET P (find s) <= C_find * INR (N - 1) / (gap s * gap s).
Hypothesis find_right : forall s, gap s <= Delta -> 7/8 <= Pr P (find s) (found w).

Lemma find_scale s : ET P (find s) <= scale s * (M * (241/100)).
Proof.
  eapply Rle_trans; [apply find_cost|]. unfold Rdiv at 1. rewrite scale_inv. unfold M, C_find. right. ring.
Qed.

Lemma screen_admissible g : complete_rule g (/ 256) (/ 32) (screen_rule g).
Proof.
  intros n s _. unfold screen_rule. split; [destruct (reaches _ _ _ _); [discriminate|reflexivity]|].
  destruct (reaches _ _ _ _); [discriminate|]. destruct (sinks _ _ _ _); [reflexivity|discriminate].
Qed.

Lemma screen_right s pairs : gap s <= Delta -> ready pairs ->
  1 - (/ 32 + (10/27) ^ 14) <= Pr P (screen s pairs) certified /\ ET P (screen s pairs) <= 31232/10000 * scale s.
Proof.
  intros Hs Ho. pose proof (gap_range s) as Hg. pose proof ln2_le as L2. pose proof (scale_gap s) as SG. pose proof (scale_pos s) as S0.
  set (few := firstn 1 pairs). assert (INR (length few) <= 1) as Len by (apply (le_INR _ 1); apply firstn_le_length).
  pose proof (pos_INR (length few)) as Len0.
  destruct (certificate_complete P (gap s) (/ 256) (/ 32) (screen_rule (gap s)) (screen_budget s) (screen_budget s) few) as [A B]; auto; try lra.
  { apply screen_admissible. }
  { intros u v Hin. destruct (ready_screen pairs u v Ho Hin) as [X Y]. split; [exact X|lra]. }
  assert (ln (1 + 2 * gap s) <= ln 2) as LG by (apply ln_le; lra).
  assert (ln 256 = 8 * ln 2) as L256 by (replace 256 with (2 ^ 8) by ring; rewrite ln_pow by lra; simpl (INR 8); ring).
  split.
  - eapply Rle_trans; [|exact A]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat; [lra|].
    eapply Rle_trans; [|apply (exp_minus 14)].
    assert (INR (screen_budget s) * (gap s * gap s / 2) = 18) as ->.
    { unfold screen_budget. rewrite INR_pow4. replace (s + 4)%nat with (S (s + 3)) by lia. cbn [pow]. unfold scale in SG. lra. }
    replace ((1 + 2 * gap s) / / 256) with ((1 + 2 * gap s) * 256) by field. rewrite ln_mult by lra.
    apply exp_le. simpl (INR 14). nra.
  - eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|]. eapply Rle_trans; [exact B|].
    unfold L_time. rewrite Rinv_inv. rewrite L256.
    replace ((8 * ln 2 + ln (1 + 2 * gap s)) / (2 * (gap s * gap s))) with ((8 * ln 2 + ln (1 + 2 * gap s)) / 2 * scale s)
      by (rewrite <- scale_inv; field; lra).
    assert (0 <= ln (1 + 2 * gap s)) by (rewrite <- ln_1; apply ln_le; lra). pose proof ln2_ge.
    apply Rle_trans with (1 * ((8 * ln 2 + ln (1 + 2 * gap s)) / 2 * scale s)).
    + apply Rmult_le_compat_r; [|exact Len]. apply Rmult_le_pos; lra.
    + rewrite Rmult_1_l. apply Rmult_le_compat_r; lra.
Qed.

Lemma ready_leaf o : ready_if_winner o -> found w o = true -> exists pairs, o = Some (w, pairs) /\ ready pairs.
Proof.
  destruct o as [[c pairs]|]; [|discriminate]. intros H Hw. cbn in Hw. apply Nat.eqb_eq in Hw. subst c.
  exists pairs. split; [reflexivity|]. now apply H.
Qed.

(** Nobody was certified. *)
Definition failed (r : bool * option arm) : bool := match r with (_, Some _) => false | _ => true end.

Lemma attempt_right s k : (k <= s)%nat -> gap s <= Delta -> Pr P (attempt find screen certificate s k) failed <= 1/6.
Proof.
  intros Hk Hs. pose proof (find_right s Hs) as Right.
  set (q := / 32 + (10/27) ^ 14 + (/ 4096 + (10/27) ^ 5)). assert (q <= 1/6 - 1/8) as Hq by (unfold q; lra).
  unfold attempt, Pr. rewrite E_bind.
  apply Rle_trans with (expect P (find s) (fun o => (if found w o then 0 else 1) + q)).
  2:{ rewrite E_plus, E_const, Pr_not. lra. }
  eapply (E_mono_leaves P P01); [apply find_ready|]. intros o Ho. assert (0 <= q) as Q0 by (unfold q; lra). destruct (found w o) eqn:Fo.
  - destruct (ready_leaf o Ho Fo) as (pairs & -> & Own). cbn [judge]. rewrite E_bind.
    destruct (screen_right s pairs Hs Own) as [SR _]. destruct (right s k pairs Hk Hs Own) as [CR _].
    apply Rle_trans with (expect P (screen s pairs) (fun x => (if certified x then 0 else 1) + (/ 4096 + (10/27) ^ 5))).
    2:{ rewrite E_plus, E_const, Pr_not. unfold q. lra. }
    apply E_mono; auto. intro x. destruct (certified x); [|cbn; lra]. rewrite E_bind.
    apply Rle_trans with (expect P (certificate s k w pairs) (fun y => if certified y then 0 else 1)).
    + apply E_mono; auto. intro y. cbn. destruct (certified y); lra.
    + rewrite Pr_not. lra.
  - apply Rle_trans with 1; [|lra]. destruct o as [[c pairs]|]; [|cbn; lra].
    apply (Pr_le1 P P01 _ failed).
Qed.

(** What a stage costs: at most, and typically, once the gap is reached. *)
Definition stage_at_most (s : nat) : R := scale s * (form a_l (a_c + 241/100) s + 45).
Definition typical (x : R) (s : nat) : R := scale s * (form (x + a_l / 8) (t_c + a_c / 8 + 241/100) s + 875/100).

(** Whoever the champion is. *)
Lemma after_find s k o : (k <= s)%nat -> ET P (judge screen certificate s k o) <= scale s * (form a_l a_c s + 45).
Proof.
  intro Hk. pose proof (scale_pos s) as S0. destruct coefficients as (C1 & C2 & _). pose proof (form_nonneg a_l a_c s C1 C2) as F0.
  destruct o as [[c pairs]|]; cbn [judge]; [|cbn [ET]; apply Rmult_le_pos; lra]. rewrite ET_bind.
  assert (ET P (screen s pairs) <= 36 * scale s) as SC.
  { eapply Rle_trans; [apply ET_le_max; auto|]. eapply Rle_trans; [apply le_INR, within_budget|].
    unfold screen_budget. rewrite INR_pow4. replace (s + 4)%nat with (S (s + 3)) by lia. cbn [pow]. unfold scale. lra. }
  assert (ET P (certificate s k c pairs) <= scale s * (form a_l a_c s + 9)) as CC.
  { eapply Rle_trans; [apply ET_le_max; auto|]. now apply cap. }
  apply Rle_trans with (36 * scale s + scale s * (form a_l a_c s + 9)); [|lra].
  apply Rplus_le_compat; [exact SC|]. rewrite <- (E_const P (screen s pairs) (scale s * (form a_l a_c s + 9))).
  apply E_mono; auto. intro x. destruct (certified x); [|cbn [ET]; apply Rmult_le_pos; lra].
  rewrite ET_bind. cbn [ET]. rewrite E_const. lra.
Qed.

Lemma attempt_at_most s k : (k <= s)%nat -> ET P (attempt find screen certificate s k) <= stage_at_most s.
Proof.
  intro Hk. pose proof (find_scale s) as FC. unfold attempt. rewrite ET_bind.
  apply Rle_trans with (scale s * (M * (241/100)) + scale s * (form a_l a_c s + 45)).
  - apply Rplus_le_compat; [exact FC|]. rewrite <- (E_const P (find s) (scale s * (form a_l a_c s + 45))). apply E_mono; auto.
    intro o. now apply after_find.
  - unfold stage_at_most, form. right. ring.
Qed.

Lemma attempt_typical x s k : 0 <= x -> gap s <= Delta -> (k <= s)%nat ->
  (forall pairs, ready pairs -> ET P (certificate s k w pairs) <= scale s * form x t_c s) ->
  ET P (attempt find screen certificate s k) <= typical x s.
Proof.
  intros C3 Hs Hk HT. pose proof (scale_pos s) as S0. destruct coefficients as (C1 & C2 & _ & _ & C4). pose proof (find_scale s) as FC.
  pose proof (form_nonneg a_l a_c s C1 C2) as F0. pose proof (form_nonneg x t_c s C3 C4) as F1. pose proof (find_right s Hs) as Right.
  set (X := scale s * (form a_l a_c s + 45)). assert (0 <= X) as X0 by (apply Rmult_le_pos; lra).
  set (C := 31232/10000 * scale s + scale s * form x t_c s).
  assert (0 <= scale s * form x t_c s) as T0 by (apply Rmult_le_pos; lra).
  unfold attempt. rewrite ET_bind. apply Rle_trans with (scale s * (M * (241/100)) + (1/8 * X + C)).
  - apply Rplus_le_compat; [exact FC|].
    apply Rle_trans with (expect P (find s) (fun o => X * (if found w o then 0 else 1) + C)).
    2:{ rewrite E_plus, E_const, E_scal, Pr_not. assert (X * (1 - Pr P (find s) (found w)) <= X * (1/8)) by (apply Rmult_le_compat_l; lra). lra. }
    eapply (E_mono_leaves P P01); [apply find_ready|]. intros o Ho. destruct (found w o) eqn:Fo.
    + destruct (ready_leaf o Ho Fo) as (pairs & -> & Own). cbn [judge]. rewrite ET_bind.
      destruct (screen_right s pairs Hs Own) as [_ SC]. pose proof (HT pairs Own) as CC.
      rewrite Rmult_0_r, Rplus_0_l. unfold C. apply Rplus_le_compat; [exact SC|].
      rewrite <- (E_const P (screen s pairs) (scale s * form x t_c s)). apply E_mono; auto.
      intro o. destruct (certified o); [|cbn [ET]; exact T0]. rewrite ET_bind. cbn [ET]. rewrite E_const, Rplus_0_r. exact CC.
    + eapply Rle_trans; [apply (after_find s k o Hk)|]. fold X. unfold C. lra.
  - unfold X, C, typical, form. set (l := lam + 2 * ln (INR s + 1)).
    replace (scale s * (M * (241 / 100)) + (1 / 8 * (scale s * (M * (a_l * l + a_c) + 45)) +
      (31232 / 10000 * scale s + scale s * (M * (x * l + t_c)))))
      with (scale s * (M * ((x + a_l / 8) * l + (t_c + a_c / 8 + 241 / 100)) + (31232/10000 + 45/8))) by field.
    apply Rmult_le_compat_l; lra.
Qed.

(** ** What is still to be paid from stage [s] on, [s0] being the first one whose gap is reached *)

Let y := t_l + a_l / 8.
Let v := u_l + a_l / 8.
Let z := t_c + a_c / 8 + 241/100.
Lemma y_nonneg : 0 <= y /\ 0 <= v /\ 0 <= z.
Proof. destruct coefficients as (C1 & C2 & C3 & C4 & C5). unfold y, v, z. repeat split; lra. Qed.

Section From.
Variable s0 : nat.
Hypothesis Hs0 : gap s0 <= Delta.
Definition to_come (s : nat) : R := scale s * (form (3 * v) (3 * z + 12 * v * ln 2) s + 2625/100).
Definition from_s0 : R := scale s0 * (form (y + 2 * v) (3 * z + 12 * v * ln 2) s0 + 2625/100).
Definition before (s : nat) : R := (scale s0 - scale s) / 3 * (form a_l (a_c + 241/100) s0 + 45).
Definition potential (s : nat) : R := if Nat.ltb s0 s then to_come s else from_s0 + before s.

(** [x]: what the winner's certificate takes in this stage. *)
Lemma to_come_step x s : typical x s + 1/6 * to_come (S s) <= scale s * (form (x + a_l / 8 + 2 * v) (3 * z + 12 * v * ln 2) s + 2625/100).
Proof.
  destruct y_nonneg as (_ & Y & Z). unfold typical, to_come, form. fold z. rewrite scale_S. pose proof (scale_pos s) as S0. pose proof M_ge1 as M1.
  assert (ln (INR (S s) + 1) <= ln (INR s + 1) + ln 2) as Q.
  { pose proof (pos_INR s). rewrite <- ln_mult by lra. apply ln_le; rewrite S_INR; lra. }
  set (l := ln (INR s + 1)) in *. set (l' := ln (INR (S s) + 1)) in *.
  apply Rle_trans with (scale s * (M * ((x + a_l / 8) * (lam + 2 * l) + z) + 875/100) +
    1/6 * (4 * scale s * (M * (3 * v * (lam + 2 * (l + ln 2)) + (3 * z + 12 * v * ln 2)) + 2625/100))).
  - apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r.
    apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra.
  - right. field.
Qed.

Lemma potential_step s : match Nat.compare s s0 with
    | Lt => stage_at_most s + potential (S s) | Eq => typical t_l s + 1/6 * potential (S s) | Gt => typical u_l s + 1/6 * potential (S s)
    end <= potential s.
Proof.
  unfold potential. destruct (Nat.compare_spec s s0) as [H|H|H].
  - subst s. rewrite Nat.ltb_irrefl. destruct (Nat.ltb_spec s0 (S s0)); [|lia]. eapply Rle_trans; [apply to_come_step|].
    unfold from_s0, before. fold y. right. field.
  - destruct (Nat.ltb_spec s0 s); [lia|]. destruct (Nat.ltb_spec s0 (S s)); [lia|].
    assert (stage_at_most s <= scale s * (form a_l (a_c + 241/100) s0 + 45)) as A.
    { unfold stage_at_most. pose proof (scale_pos s) as S0. destruct coefficients as (C1 & _).
      apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply form_mono; [exact C1|lia]. }
    assert (before (S s) + scale s * (form a_l (a_c + 241/100) s0 + 45) = before s) as B; [|lra].
    unfold before. rewrite scale_S. field.
  - destruct (Nat.ltb_spec s0 s); [|lia]. destruct (Nat.ltb_spec s0 (S s)); [|lia]. eapply Rle_trans; [apply to_come_step|].
    unfold to_come. fold v. replace (v + 2 * v) with (3 * v) by ring. apply Rle_refl.
Qed.

Lemma potential_nonneg s : 0 <= potential s.
Proof.
  destruct y_nonneg as (Y & V & Z). destruct coefficients as (C1 & C2 & _). pose proof ln2_ge as L2.
  assert (0 <= 12 * v * ln 2) as Y2 by (apply Rmult_le_pos; lra).
  assert (forall x t, 0 <= x -> 0 <= scale t * (form x (3 * z + 12 * v * ln 2) t + 2625/100)) as T.
  { intros x t Hx. pose proof (scale_pos t). pose proof (form_nonneg x (3 * z + 12 * v * ln 2) t Hx ltac:(lra)).
    apply Rmult_le_pos; lra. }
  unfold potential. destruct (Nat.ltb_spec s0 s) as [H0|H0]; [apply T; lra|]. specialize (T (y + 2 * v) s0 ltac:(lra)). fold from_s0 in T.
  assert (scale s <= scale s0) as Sc.
  { clear - H0. induction H0 as [|t _ IH]; [lra|]. rewrite scale_S. pose proof (scale_pos t). lra. }
  pose proof (form_nonneg a_l (a_c + 241/100) s0 C1 ltac:(lra)).
  assert (0 <= before s); [|lra]. unfold before. apply Rmult_le_pos; lra.
Qed.

Lemma stages_cost n : forall s k, (k <= s)%nat -> ET P (stages find screen certificate n s k) <= potential s.
Proof.
  induction n as [|n IH]; intros s k Hk; [cbn [stages ET]; apply potential_nonneg|].
  pose proof (potential_nonneg (S s)) as P0. pose proof (potential_step s) as Step. cbn [stages]. rewrite ET_bind.
  assert (expect P (attempt find screen certificate s k) (fun r => ET P (match r return prog (option arm) with (_, Some c) => Ret (Some c)
            | (begun, None) => stages find screen certificate n (S s) (if begun then S k else k) end))
          <= potential (S s) * Pr P (attempt find screen certificate s k) failed) as K.
  { unfold Pr. rewrite <- E_scal. apply E_mono; auto. intros [begun [c|]]; cbn [failed ET].
    - destruct begun; cbn; lra.
    - specialize (IH (S s) (if begun then S k else k) ltac:(destruct begun; lia)). destruct begun; cbn [failed]; lra. }
  eapply Rle_trans; [apply Rplus_le_compat_l; exact K|]. eapply Rle_trans; [|exact Step].
  assert (forall x, gap s <= Delta -> ET P (attempt find screen certificate s k) <= typical x s ->
    ET P (attempt find screen certificate s k) + potential (S s) * Pr P
      (attempt find screen certificate s k) failed <= typical x s + 1/6 * potential (S s)) as Late.
  { intros x G T. pose proof (attempt_right s k Hk G) as Q. apply (Rmult_le_compat_l (potential (S s))) in Q; lra. }
  destruct coefficients as (_ & _ & C3 & C4 & _). destruct (Nat.compare_spec s s0) as [H|H|H].
  - subst s. apply Late; [exact Hs0|]. apply attempt_typical; auto. intros pairs Own. now apply right.
  - pose proof (attempt_at_most s k Hk). pose proof (Pr_le1 P P01 (attempt find screen certificate s k) failed) as Q.
    apply (Rmult_le_compat_l (potential (S s))) in Q; lra.
  - assert (2 * gap s <= Delta) as G.
    { destruct s as [|s]; [lia|]. rewrite gap_S. pose proof (gap_le s0 s ltac:(lia)). lra. }
    pose proof (gap_range s). assert (gap s <= Delta) as G1 by lra. apply Late; [exact G1|].
    apply attempt_typical; auto.
Qed.

(** ** Termination *)

Lemma stages_run_out n : forall s k, (k <= s)%nat -> (s0 <= s)%nat -> Pr P (stages find screen certificate n s k) ran_out <= (1/6) ^ n.
Proof.
  induction n as [|n IH]; intros s k Hk H; [unfold Pr; cbn; lra|]. cbn [stages pow]. unfold Pr. rewrite E_bind.
  assert (gap s <= Delta) as G by (eapply Rle_trans; [apply gap_le; exact H|exact Hs0]).
  pose proof (attempt_right s k Hk G) as Q. assert (0 <= (1/6) ^ n) as Pn by (apply pow_le; lra).
  apply Rle_trans with (expect P (attempt find screen certificate s k) (fun r => (1/6) ^ n * (if failed r then 1 else 0))).
  - apply E_mono; auto. intros [begun [c|]]; [destruct begun; cbn; lra|].
    specialize (IH (S s) (if begun then S k else k) ltac:(destruct begun; lia) ltac:(lia)). unfold Pr in IH. destruct begun; cbn [failed]; lra.
  - rewrite E_scal. fold (Pr P (attempt find screen certificate s k) failed). apply (Rmult_le_compat_r ((1/6) ^ n)) in Q; lra.
Qed.

Lemma stages_run_out_later j n : forall s k, (k <= s)%nat -> (s0 <= s + j)%nat ->
  Pr P (stages find screen certificate (j + n) s k) ran_out <= (1/6) ^ n.
Proof.
  induction j as [|j IH]; intros s k Hk H; [apply stages_run_out; lia|]. cbn [Nat.add stages]. unfold Pr. rewrite E_bind.
  assert (0 <= (1/6) ^ n) as Pn by (apply pow_le; lra). rewrite <- (E_const P (attempt find screen certificate s k) ((1/6) ^ n)).
  apply E_mono; auto. intros [begun [c|]]; [destruct begun; cbn; lra|].
  specialize (IH (S s) (if begun then S k else k) ltac:(destruct begun; lia) ltac:(lia)). unfold Pr in IH. destruct begun; exact IH.
Qed.
End From.

(** All that was said of the stages, put together. *)
Lemma stages_identify C_l C_c : 0 < Delta <= 1/2 -> (forall s, starts (find s)) ->
  (forall n, Pr P (stages find screen certificate n 0 0) (wrong w) <= delta) ->
  4 * (y + 2 * v + a_l / 3) <= C_l -> 4 * (3 * z + 12 * v * (347/500) + (a_c + 241/100) / 3) + 736/1000 * C_l <= C_c ->
  identifies P w (fun n => stages find screen certificate n 0 0) delta (duels_at_most C_l C_c N Delta delta).
Proof.
  intros HD Starts Err HCl HCc. destruct (first_stage Delta ltac:(lra)) as (s0 & G0 & First).
  assert (Cost : forall n, ET P (stages find screen certificate n 0 0) <= duels_at_most C_l C_c N Delta delta).
  { intro n. eapply Rle_trans; [apply (stages_cost s0 G0 n 0 0 (le_n 0))|].
    destruct (loglog Delta s0 HD First) as [Sc LL]. pose proof (scale_pos s0) as S0. pose proof lam_pos as L0. pose proof M_ge1 as M1.
    pose proof (ln_S_nonneg s0) as LS. pose proof ln2_le. pose proof ln2_ge. destruct coefficients as (C1 & C2 & C3 & C4 & C5).
    destruct y_nonneg as (Y & V & Z).
    unfold potential. destruct (Nat.ltb_spec s0 0) as [E|_]; [lia|]. unfold from_s0, before, form.
    set (l := ln (INR s0 + 1)) in *. set (ll := ln (ln (/ Delta) + 1)) in *.
    set (D := M * (a_l * (lam + 2 * l) + (a_c + 241/100)) + 45). assert (0 <= D) as D0.
    { unfold D. assert (0 <= a_l * (lam + 2 * l)) by (apply Rmult_le_pos; lra).
      assert (0 <= M * (a_l * (lam + 2 * l) + (a_c + 241/100))) by (apply Rmult_le_pos; lra). lra. }
    set (T := M * ((y + 2 * v) * (lam + 2 * l) + (3 * z + 12 * v * ln 2)) + 2625/100).
    apply Rle_trans with (scale s0 * (T + D / 3)).
    { pose proof (scale_pos 0) as Z0. assert (0 <= scale 0 * (D / 3)) by (apply Rmult_le_pos; lra).
      replace ((scale s0 - scale 0) / 3 * D) with (scale s0 * (D / 3) - scale 0 * (D / 3)) by field. lra. }
    set (c := y + 2 * v + a_l / 3) in *. set (e := 3 * z + 12 * v * (347/500) + (a_c + 241/100) / 3) in *.
    assert (0 <= c) as C0 by (unfold c; lra). assert (0 <= e) as E0 by (unfold e; lra).
    assert (T + D / 3 <= M * (c * (lam + 2 * l) + e) + 4125/100) as TD.
    { assert (12 * v * ln 2 <= 12 * v * (347/500)) as Y2 by (apply Rmult_le_compat_l; lra).
      apply (Rmult_le_compat_l M) in Y2; [|lra]. unfold T, D, c, e. lra. }
    assert (0 < Delta * Delta) as D2 by nra. assert (0 <= ll) as LL0.
    { unfold ll. pose proof (ln_inv_gap Delta HD). rewrite <- ln_1. apply ln_le; lra. }
    assert (0 <= c * (lam + 2 * l)) as CL0 by (apply Rmult_le_pos; lra).
    assert (0 <= M * (c * (lam + 2 * l) + e)) as ME by (apply Rmult_le_pos; lra).
    apply Rle_trans with (4 / (Delta * Delta) * (M * (c * (lam + 2 * l) + e) + 4125/100)).
    { apply Rle_trans with (scale s0 * (M * (c * (lam + 2 * l) + e) + 4125/100)); [apply Rmult_le_compat_l; lra|apply Rmult_le_compat_r; lra]. }
    unfold duels_at_most, C_once. fold M lam ll.
    replace (4 / (Delta * Delta) * (M * (c * (lam + 2 * l) + e) + 4125/100))
      with ((M * (4 * c * (lam + 2 * l) + 4 * e) + 165) / (Delta * Delta)) by (field; lra).
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|].
    assert (4 * c * (lam + 2 * l) <= C_l * (lam + 2 * (ll + 368/1000))) by (apply Rmult_le_compat; lra). lra. }
  assert (Ends : is_lim_seq (fun n => Pr P (stages find screen certificate n 0 0) ran_out) 0).
  { apply (is_lim_seq_incr_n _ s0). apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => (1/6) ^ n)).
    - intro n. split; [apply Pr_nonneg; auto|]. rewrite Nat.add_comm.
      eapply stages_run_out_later; eauto; lia.
    - apply is_lim_seq_const.
    - apply is_lim_seq_geom. rewrite Rabs_right; lra. }
  assert (Ref : forall n, refines (stages find screen certificate n 0 0) (stages find screen certificate (S n) 0 0)) by (intro; apply stages_refine).
  split; [exact Err|]. split; [split; [exact Cost|now apply limit_ET]|].
  split; [intros T F F' H H'; now apply stages_agree|]. split; [exact Ends|]. now apply limit_right.
Qed.
End Stage.
