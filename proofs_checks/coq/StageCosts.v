(** * What the stages of find-then-certify cost, for any certificate (not in the paper)

    A stage's expected duels, a potential that pays for all that is still to come, and termination; put together in
    [stages_identify]. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate.
From TGITE Require Import FindThenCertify.
Open Scope R_scope.

(** ** Numbers *)

Lemma exp_minus n : exp (- INR n) <= (10/27) ^ n.
Proof.
  replace (- INR n) with (INR n * - (1)) by ring. rewrite exp_pow. apply pow_incr. split; [left; apply exp_pos|].
  rewrite exp_Ropp. replace (10/27) with (/ (27/10)) by field. apply Rinv_le_contravar; [lra|].
  replace (exp 1) with (exp (1 / 1)) by (f_equal; field). apply (exp_lower 1 1 27 10 128). vm_compute. reflexivity.
Qed.

(** 1/g_s^2 *)
Definition scale (s : nat) : R := 4 ^ (s + 3) / 9.
Lemma scale_gap s : scale s * (gap s * gap s) = 1.
Proof.
  unfold scale, gap. replace 4 with (2 * 2) by ring. rewrite Rpow_mult_distr.
  pose proof (pow_lt 2 (s + 3) ltac:(lra)). field. lra.
Qed.
Lemma scale_pos s : 64/9 <= scale s.
Proof. unfold scale. rewrite pow_add. pose proof (pow_R1_Rle 4 s ltac:(lra)). lra. Qed.
Lemma scale_inv s : / (gap s * gap s) = scale s.
Proof. pose proof (scale_gap s). pose proof (gap_range s). field_simplify_eq; nra. Qed.
Lemma scale_S s : scale (S s) = 4 * scale s.
Proof. unfold scale. cbn [Nat.add pow]. field. Qed.
Lemma gap_S s : gap (S s) = gap s / 2.
Proof. unfold gap. cbn [Nat.add pow]. pose proof (pow_lt 2 (s + 3) ltac:(lra)). field. lra. Qed.
Lemma gap_le s t : (s <= t)%nat -> gap t <= gap s.
Proof. induction 1 as [|t _ IH]; [lra|]. rewrite gap_S. pose proof (gap_range t). lra. Qed.
Lemma INR_pow4 n : INR (4 ^ n) = 4 ^ n.
Proof. rewrite pow_INR. f_equal. simpl. lra. Qed.

Lemma ln_S_nonneg n : 0 <= ln (INR n + 1).
Proof. rewrite <- ln_1. apply ln_le; [lra|]. pose proof (pos_INR n). lra. Qed.
Lemma ln_S_mono k s : (k <= s)%nat -> ln (INR k + 1) <= ln (INR s + 1).
Proof. intro H. apply le_INR in H. pose proof (pos_INR k). apply ln_le; lra. Qed.
Lemma ln_level c delta k s : 0 < c -> 0 < delta < 1 -> (k <= s)%nat ->
  ln (c / certificate_level delta k) <= ln (/ delta) + 2 * ln (INR s + 1) + (ln c + ln 2).
Proof.
  intros Hc Hd Hk. pose proof (pos_INR k) as K. pose proof (ln_S_mono k s Hk).
  destruct (level_range delta k Hd) as [A _].
  apply Rle_trans with (ln (/ delta * ((INR k + 1) * (INR k + 1)) * (c * 2))); [apply ln_le; [positive|]|].
  - unfold certificate_level. replace (c / (2 * delta / ((2 * INR k + 1) * (2 * INR k + 3))))
      with (/ delta * ((2 * INR k + 1) * (2 * INR k + 3) / 4) * (c * 2)) by (field; lra).
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [positive|lra].
  - rewrite !ln_mult by positive. lra.
Qed.

(** The budget of a match, and of a certificate. *)
Lemma match_budget s a : 0 < a < 1 -> let b := INR (bbudget truncated_sprt (gap s) a) in
  scale s / 2 * ln (2 / a) <= b <= scale s / 2 * ln (2 / a) + 1.
Proof.
  intros Ha b. pose proof (gap_range s). pose proof (scale_pos s).
  assert (0 < ln (2 / a)) by (apply ln_pos, Rlt_div_r; lra).
  replace (scale s / 2 * ln (2 / a)) with (1 / (2 * (gap s * gap s)) * ln (2 / a))
    by (rewrite <- scale_inv; field; lra).
  unfold b. cbn [bbudget truncated_sprt]. destruct (ceil_spec (1 / (2 * (gap s * gap s)) * ln (2 / a))); [positive|lra].
Qed.
Lemma budget_range N s a : 0 < a < 1 -> let B := INR (certificate_budget N s a) in
  INR (N - 1) * (2 * scale s * ln (4 / a)) + 9 * scale s <= B /\
  B <= INR (N - 1) * (2 * scale s * ln (4 / a) + 4) + 9 * scale s.
Proof.
  intros Ha B. unfold B, certificate_budget. rewrite plus_INR, !mult_INR, INR_pow4.
  replace (INR 4) with 4 by (simpl; lra).
  replace (4 ^ (s + 3)) with (9 * scale s) by (unfold scale; field). pose proof (pos_INR (N - 1)) as M.
  destruct (match_budget s (a / 2) ltac:(lra)) as [L U]. replace (2 / (a / 2)) with (4 / a) in * by (field; lra).
  apply (Rmult_le_compat_l (INR (N - 1))) in L, U; lra.
Qed.

(** ** Levels and budgets are enough *)

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

Lemma ln_half_level s a : 0 < a < 1 -> ln ((1 + 2 * gap s) / (a / 2)) <= ln (4 / a).
Proof.
  intro Ha. pose proof (gap_range s). apply ln_le; [positive|].
  replace ((1 + 2 * gap s) / (a / 2)) with ((2 + 4 * gap s) / a) by (field; lra).
  apply Rmult_le_compat_r; [positive|lra].
Qed.

Lemma budget_enough N s a : (2 <= N)%nat -> 0 < a <= 2/3 ->
  exp (INR (N - 1) * (ln ((1 + 2 * gap s) / (a / 2)) / 2) - INR (certificate_budget N s a) * (gap s * gap s / 2))
    <= (10/27) ^ 5.
Proof.
  intros HN Ha. pose proof ln2_ge. pose proof (scale_gap s) as SG. pose proof (gap_range s).
  assert (1 <= INR (N - 1)) as M1 by (apply (le_INR 1); lia). set (M := INR (N - 1)) in *.
  destruct (budget_range N s a ltac:(lra)) as [BL _]. fold M in BL. pose proof (ln_half_level s a ltac:(lra)) as LA.
  assert (2 * ln 2 <= ln (4 / a)) as Low.
  { replace (2 * ln 2) with (ln (2 * 2)) by (rewrite ln_mult; lra). apply ln_le; [lra|]. apply (Rle_div_r (2 * 2)); lra.
    }
  eapply Rle_trans; [|apply (exp_minus 5)]. apply exp_le. simpl (INR 5).
  apply (Rmult_le_compat_r (gap s * gap s / 2)) in BL; [|positive].
  replace ((M * (2 * scale s * ln (4 / a)) + 9 * scale s) * (gap s * gap s / 2))
    with ((M * ln (4 / a) + 9 / 2) * (scale s * (gap s * gap s))) in BL by field. rewrite SG in BL.
  apply (Rmult_le_compat_l M) in LA; [|lra]. assert (1 * (2 * ln 2) <= M * ln (4 / a)) by (apply Rmult_le_compat; lra).
  lra.
Qed.

Lemma L_time_scale s a : 0 < a < 1 -> L_time (gap s) (a / 2) <= ln (4 / a) / 2 * scale s.
Proof.
  intro Ha. pose proof (gap_range s). pose proof (scale_pos s). pose proof (ln_half_level s a Ha). unfold L_time.
  rewrite <- ln_mult by positive.
  replace (/ (a / 2) * (1 + 2 * gap s)) with ((1 + 2 * gap s) / (a / 2)) by (field; lra).
  unfold Rdiv at 1. rewrite Rinv_mult, scale_inv, <- Rmult_assoc. apply Rmult_le_compat_r; lra.
Qed.

Lemma first_stage Delta : 0 < Delta -> exists s0, gap s0 <= Delta /\ (s0 = 0%nat \/ Delta < gap (pred s0)).
Proof.
  intro HD. destruct (archimed_cor1 Delta HD) as (n & H1 & H2). assert (gap n <= Delta) as Hn.
  { left. eapply Rle_lt_trans; [|exact H1]. apply lt_0_INR in H2. unfold gap. rewrite pow_add.
    assert (INR n <= 2 ^ n) by (rewrite <- (pow_INR 2); apply le_INR, Nat.lt_le_incl, Nat.pow_gt_lin_r; lia).
    replace (3 / (2 ^ n * 2 ^ 3)) with (3/8 * / 2 ^ n) by (field; lra).
    assert (/ 2 ^ n <= / INR n) by (apply Rinv_le_contravar; lra). assert (0 < / 2 ^ n) by positive. lra. }
  clear H1 H2. induction n as [|n IH]; [exists 0%nat; auto|].
  destruct (Rle_lt_dec (gap n) Delta) as [H|H]; [now apply IH|]. exists (S n). auto.
Qed.

Lemma loglog Delta s0 : 0 < Delta <= 1/2 -> s0 = 0%nat \/ Delta < gap (pred s0) ->
  scale s0 <= 4 / (Delta * Delta) /\ ln (INR s0 + 1) <= ln (ln (/ Delta) + 1) + 368/1000.
Proof.
  intros HD H. pose proof (ln_inv_gap Delta HD) as LD. pose proof ln2_ge as L2.
  destruct s0 as [|s]; [|destruct H as [H|H]; [discriminate|]; cbn [pred] in H].
  - assert (Delta * Delta <= 1/4) by nra. simpl (INR 0). rewrite Rplus_0_l, ln_1.
    split; [apply (Rle_div_r (scale 0)); [positive|]; unfold scale; simpl; lra|].
    assert (0 <= ln (ln (/ Delta) + 1)); [|lra]. rewrite <- ln_1. apply ln_le; lra.
  - split.
    { rewrite scale_S, <- scale_inv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [positive|nra]. }
    (* (s + 2) ln 2 <= ln(3/2) + ln(1/Delta), where ln(3/2) <= 1/2 *)
    assert (2 ^ S (S s) <= 3/2 * / Delta) as P.
    { unfold gap in H. pose proof (pow_lt 2 s ltac:(lra)). rewrite pow_add in H. apply Rlt_div_r in H; [|lra].
      apply (Rle_div_r (2 ^ S (S s))); [lra|]. cbn [pow] in *. lra. }
    apply ln_le in P; [|positive]. rewrite ln_pow, ln_mult in P by positive. pose proof (pos_INR (S s)).
    pose proof (ln_tangent (3/2) 1 ltac:(lra) ltac:(lra)) as T. rewrite ln_1 in T. rewrite (S_INR (S s)) in P.
    assert ((INR (S s) + 1) * ln 2 <= ln (/ Delta) + 1) as P4 by lra.
    apply ln_le in P4; [|positive]. rewrite ln_mult in P4 by lra. pose proof ln_ln2. lra.
Qed.

Lemma refines_bind {T A B} (m : program T A) (k k' : A -> program T (option B)) :
  (forall a, refines (k a) (k' a)) -> refines (bind m k) (bind m k').
Proof. intro H. induction m as [a|t u v f IH]; cbn [bind]; [apply H|]. constructor. exact IH. Qed.

Section Endless.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variable certificate : nat -> nat -> arm -> list (arm * arm) -> prog (option bool).

Lemma stages_refine n : forall s k,
  refines (stages find screen certificate n s k) (stages find screen certificate (S n) s k).
Proof.
  induction n as [|n IH]; intros s k; [constructor|]. cbn [stages]. apply refines_bind.
  intros [begun [c|]]; [destruct begun; constructor|].
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

    A certificate takes at most (a_l, a_c) ([cap]), and for the winner typically (t_l, t_c), or (u_l, t_c) once
    its gap is twice what is tried ([time]); [ready] are matches that it can be trusted with ([right]). *)

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
Hypothesis cap : forall s k c pairs, (k <= s)%nat ->
  INR (maxT (certificate s k c pairs)) <= scale s * (form a_l a_c s + 9).
Variable ready : list (arm * arm) -> Prop.
Hypothesis ready_screen : forall pairs u v, ready pairs -> In (u, v) (firstn 1 pairs) -> u <> v /\ 1/2 + Delta <= P u v.
Hypothesis right : forall s k pairs, (k <= s)%nat -> gap s <= Delta -> ready pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate s k w pairs) certified.
Hypothesis time : forall (twice : bool) s k pairs, (k <= s)%nat ->
  (if twice then 2 else 1) * gap s <= Delta -> ready pairs ->
  ET P (certificate s k w pairs) <= scale s * form (if twice then u_l else t_l) t_c s.
Definition ready_if_winner (o : option (arm * list (arm * arm))) : Prop :=
  match o with None => True | Some (c, pairs) => c = w -> ready pairs end.
Hypothesis find_ready : forall s, leaves ready_if_winner (find s).
Hypothesis find_cost : forall s, ET P (find s) <= C_find * INR (N - 1) / (gap s * gap s).
Hypothesis find_right : forall s, gap s <= Delta -> 7/8 <= Pr P (find s) (found w).

Lemma find_scale s : ET P (find s) <= scale s * (M * (241/100)).
Proof. eapply Rle_trans; [apply find_cost|]. unfold Rdiv at 1. rewrite scale_inv. unfold M, C_find. right. ring. Qed.

Lemma screen_admissible g : complete_rule g (/ 256) (/ 32) (screen_rule g).
Proof.
  intros n s _. unfold screen_rule. split; [destruct (reaches _ _ _ _); [discriminate|reflexivity]|].
  destruct (reaches _ _ _ _); [discriminate|]. destruct (sinks _ _ _ _); [reflexivity|discriminate].
Qed.

Lemma screen_duels s : INR (screen_budget s) = 36 * scale s.
Proof. unfold screen_budget. rewrite INR_pow4, <- plus_n_Sm. unfold scale. cbn [pow]. field. Qed.

Lemma screen_right s pairs : gap s <= Delta -> ready pairs ->
  1 - (/ 32 + (10/27) ^ 14) <= Pr P (screen s pairs) certified /\ ET P (screen s pairs) <= 31232/10000 * scale s.
Proof.
  intros Hs Ho. pose proof (gap_range s) as Hg. pose proof ln2_le as L2. pose proof (scale_gap s) as SG.
  pose proof (scale_pos s) as S0. set (few := firstn 1 pairs).
  assert (0 <= INR (length few) <= 1) as Len by (split; [apply pos_INR|apply (le_INR _ 1), firstn_le_length]).
  destruct (certificate_complete P (gap s) (/ 256) (/ 32) (screen_rule (gap s)) (screen_budget s) (screen_budget s) few)
    as [A B]; auto using screen_admissible; try lra.
  { intros u v Hin. destruct (ready_screen pairs u v Ho Hin). split; [assumption|lra]. }
  assert (0 <= ln (1 + 2 * gap s) <= ln 2) as LG by (rewrite <- ln_1 at 1; split; apply ln_le; lra).
  assert (ln 256 = 8 * ln 2) as L256 by (replace 256 with (2 ^ 8) by ring; rewrite ln_pow by lra; simpl (INR 8); ring).
  split.
  - eapply Rle_trans; [|exact A]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat; [lra|].
    eapply Rle_trans; [|apply (exp_minus 14)]. rewrite screen_duels. apply exp_le. simpl (INR 14).
    replace ((1 + 2 * gap s) / / 256) with ((1 + 2 * gap s) * 256) by field. rewrite ln_mult by lra. nra.
  - eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|]. eapply Rle_trans; [exact B|].
    unfold L_time, Rdiv. rewrite Rinv_inv, L256, Rinv_mult, scale_inv. pose proof ln2_ge.
    apply Rle_trans with (1 * ((8 * ln 2 + ln (1 + 2 * gap s)) * (/ 2 * scale s))).
    + apply Rmult_le_compat_r; [|lra]. positive.
    + rewrite Rmult_1_l, <- Rmult_assoc. apply Rmult_le_compat_r; lra.
Qed.

Lemma ready_leaf o : ready_if_winner o -> found w o = true -> exists pairs, o = Some (w, pairs) /\ ready pairs.
Proof.
  destruct o as [[c pairs]|]; [|discriminate]. intros H Hw. apply Nat.eqb_eq in Hw. subst c. exists pairs. auto.
Qed.

Definition failed (r : bool * option arm) : bool := match r with (_, Some _) => false | _ => true end.

Lemma attempt_right s k : (k <= s)%nat -> gap s <= Delta -> Pr P (attempt find screen certificate s k) failed <= 1/6.
Proof.
  intros Hk Hs. unfold attempt. rewrite Pr_bind. set (c := / 4096 + (10/27) ^ 5).
  set (q := / 32 + (10/27) ^ 14). apply Rle_trans with (c + q * 1 + 1/8 * 1); [|unfold c, q; lra].
  apply (E_unless P P01 _ _ (found w) _ _ _ _ (find_ready s)); [lra|specialize (find_right s Hs); lra|].
  intros o Ho. assert (0 <= c + q * 1) by (unfold c, q; lra). destruct (found w o) eqn:Fo;
    [|pose proof (Pr_le1 P P01 (judge screen certificate s k o) failed); lra].
  destruct (ready_leaf o Ho Fo) as (pairs & -> & Own). destruct (screen_right s pairs Hs Own) as [SR _].
  rewrite Rplus_0_r. cbn [judge]. rewrite Pr_bind.
  apply (E_unless P P01 _ _ certified _ _ _ _ (leaves_true _)); [lra|exact SR|]. intros x _.
  destruct (certified x); [|unfold Pr; cbn; unfold c; lra]. specialize (right s k pairs Hk Hs Own).
  rewrite Rplus_0_r, Pr_bind.
  eapply Rle_trans with (expect P (certificate s k w pairs) (fun y => if certified y then 0 else 1)).
  - apply E_mono; [exact P01|]. intro y. unfold Pr. cbn. destruct (certified y); cbn; lra.
  - rewrite Pr_not. unfold c. lra.
Qed.

(** What a stage costs: at most, and typically, once the gap is reached. *)
Definition stage_at_most (s : nat) : R := scale s * (form a_l (a_c + 241/100) s + 45).
Definition typical (x : R) (s : nat) : R := scale s * (form (x + a_l / 8) (t_c + a_c / 8 + 241/100) s + 875/100).

(** The duels after the finder's, of the screen and of the certificate. *)
Lemma judge_time s k c pairs x y : 0 <= y -> ET P (screen s pairs) <= x -> ET P (certificate s k c pairs) <= y ->
  ET P (judge screen certificate s k (Some (c, pairs))) <= x + y.
Proof.
  intros Hy Hx H. cbn [judge]. apply ET_bind_le; [exact P01|exact Hx|]. intro r. destruct (certified r); [|exact Hy].
  rewrite <- (Rplus_0_r y). apply ET_bind_le; [exact P01|exact H|]. intro. apply Rle_refl.
Qed.

Lemma after_find s k o : (k <= s)%nat -> ET P (judge screen certificate s k o) <= scale s * (form a_l a_c s + 45).
Proof.
  intro Hk. pose proof (scale_pos s) as S0. destruct coefficients as (C1 & C2 & _).
  pose proof (form_nonneg a_l a_c s C1 C2).
  destruct o as [[c pairs]|]; [|cbn; positive].
  apply Rle_trans with (36 * scale s + scale s * (form a_l a_c s + 9)); [|lra].
  apply judge_time; [positive| |]; (eapply Rle_trans; [apply ET_le_max, P01|]); [|now apply cap].
  rewrite <- screen_duels. apply le_INR, within_budget.
Qed.

Lemma attempt_at_most s k : (k <= s)%nat -> ET P (attempt find screen certificate s k) <= stage_at_most s.
Proof.
  intro Hk. eapply Rle_trans; [apply ET_bind_le; [exact P01|apply find_scale|intro; now apply after_find]|].
  unfold stage_at_most, form. right. ring.
Qed.

Lemma attempt_typical (twice : bool) s k : (if twice then 2 else 1) * gap s <= Delta -> (k <= s)%nat ->
  ET P (attempt find screen certificate s k) <= typical (if twice then u_l else t_l) s.
Proof.
  intros Hs Hk. pose proof (scale_pos s) as S0. destruct coefficients as (C1 & C2 & C3 & C4 & C5).
  assert (gap s <= Delta) as G by (pose proof (gap_range s); destruct twice; lra).
  set (x := if twice then u_l else t_l). assert (0 <= x) as X0 by (unfold x; destruct twice; lra).
  pose proof (form_nonneg a_l a_c s C1 C2) as F0. pose proof (form_nonneg x t_c s X0 C5) as F1.
  unfold attempt. rewrite ET_bind. eapply Rle_trans; [apply Rplus_le_compat; [apply find_scale|]|].
  - apply (E_unless P P01 _ _ (found w) _ (31232/10000 * scale s + scale s * form x t_c s)
      (scale s * (form a_l a_c s + 45)) (1/8) (find_ready s)); [positive|specialize (find_right s G); lra|].
    intros o Ho.
    destruct (found w o) eqn:Fo; [|pose proof (after_find s k o Hk); assert (0 <= scale s * form x t_c s) by positive;
      lra].
    destruct (ready_leaf o Ho Fo) as (pairs & -> & Own). rewrite Rplus_0_r.
    apply judge_time; [positive|now apply screen_right|now apply time].
  - unfold typical, form. fold x. set (l := lam + 2 * ln (INR s + 1)). lra.
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
Definition rest (x : R) (s : nat) : R := scale s * (form x (3 * z + 12 * v * ln 2) s + 2625/100).
Definition before (s : nat) : R := (scale s0 - scale s) / 3 * (form a_l (a_c + 241/100) s0 + 45).
Definition potential (s : nat) : R := if Nat.ltb s0 s then rest (3 * v) s else rest (y + 2 * v) s0 + before s.

(** [x]: what the winner's certificate takes in this stage. *)
Lemma rest_step x s : typical x s + 1/6 * rest (3 * v) (S s) <= rest (x + a_l / 8 + 2 * v) s.
Proof.
  destruct y_nonneg as (_ & Y & Z). unfold typical, rest, form. fold z. rewrite scale_S. pose proof (scale_pos s) as S0.
  pose proof M_ge1 as M1. assert (ln (INR (S s) + 1) <= ln (INR s + 1) + ln 2) as Q.
  { pose proof (pos_INR s). rewrite <- ln_mult by lra. apply ln_le; rewrite S_INR; lra. }
  apply (Rmult_le_compat_l (scale s * (M * v))) in Q; [lra|positive].
Qed.

Lemma potential_step s : match Nat.compare s s0 with
    | Lt => stage_at_most s + potential (S s)
    | Eq => typical t_l s + 1/6 * potential (S s)
    | Gt => typical u_l s + 1/6 * potential (S s)
    end <= potential s.
Proof.
  unfold potential. destruct (Nat.compare_spec s s0) as [H|H|H].
  - subst s. rewrite Nat.ltb_irrefl, (proj2 (Nat.ltb_lt s0 (S s0))) by lia. eapply Rle_trans; [apply rest_step|].
    unfold before. fold y. right. field.
  - destruct (Nat.ltb_spec s0 s); [lia|]. destruct (Nat.ltb_spec s0 (S s)); [lia|].
    assert (stage_at_most s <= scale s * (form a_l (a_c + 241/100) s0 + 45)) as A.
    { pose proof (scale_pos s). apply Rmult_le_compat_l; [lra|].
      apply Rplus_le_compat_r, form_mono; [apply coefficients|lia]. }
    unfold before. rewrite scale_S. lra.
  - destruct (Nat.ltb_spec s0 s); [|lia]. destruct (Nat.ltb_spec s0 (S s)); [|lia].
    eapply Rle_trans; [apply rest_step|]. fold v. right. f_equal. ring.
Qed.

Lemma rest_nonneg x s : 0 <= x -> 0 <= rest x s.
Proof.
  intro Hx. destruct y_nonneg as (Y & V & Z). pose proof ln2_ge. pose proof (scale_pos s).
  assert (0 <= 12 * v * ln 2) by positive. pose proof (form_nonneg x (3 * z + 12 * v * ln 2) s Hx ltac:(lra)).
  unfold rest. positive.
Qed.
Lemma potential_nonneg s : 0 <= potential s.
Proof.
  destruct y_nonneg as (Y & V & Z). destruct coefficients as (C1 & C2 & _).
  unfold potential. destruct (Nat.ltb_spec s0 s) as [H0|H0]; [apply rest_nonneg; lra|].
  pose proof (rest_nonneg (y + 2 * v) s0 ltac:(lra)). assert (scale s <= scale s0) as Sc.
  { clear - H0. induction H0 as [|t _ IH]; [lra|]. rewrite scale_S. pose proof (scale_pos t). lra. }
  pose proof (form_nonneg a_l (a_c + 241/100) s0 C1 ltac:(lra)). assert (0 <= before s) by (unfold before; positive).
  lra.
Qed.

Lemma stages_cost n : forall s k, (k <= s)%nat -> ET P (stages find screen certificate n s k) <= potential s.
Proof.
  induction n as [|n IH]; intros s k Hk; [apply potential_nonneg|]. pose proof (potential_nonneg (S s)) as P0.
  pose proof (potential_step s) as Step. cbn [stages]. rewrite ET_bind. set (m := attempt find screen certificate s k).
  apply Rle_trans with (ET P m + potential (S s) * Pr P m failed).
  { apply Rplus_le_compat_l. unfold Pr. rewrite <- E_scal. apply E_mono; auto. intros [begun [c|]]; cbn [failed].
    - destruct begun; cbn; lra.
    - specialize (IH (S s) (if begun then S k else k) ltac:(destruct begun; lia)). destruct begun; lra. }
  eapply Rle_trans; [|exact Step]. destruct (Nat.compare_spec s s0) as [H|H|H].
  2:{ pose proof (attempt_at_most s k Hk) as A. pose proof (Pr_le1 P P01 m failed) as Q.
      apply (Rmult_le_compat_l (potential (S s))) in Q; fold m in A; lra. }
  all: assert (gap s <= Delta) as G by (eapply Rle_trans; [apply (gap_le s0); lia|exact Hs0]);
    pose proof (attempt_right s k Hk G) as Q; fold m in Q; apply (Rmult_le_compat_l (potential (S s))) in Q;
      [|exact P0].
  - pose proof (attempt_typical false s k ltac:(lra) Hk) as A. fold m in A. lra.
  - destruct s as [|s]; [lia|]. pose proof (gap_le s0 s ltac:(lia)).
    pose proof (attempt_typical true (S s) k ltac:(rewrite gap_S; lra) Hk) as A. fold m in A. lra.
Qed.

(** ** Termination *)

Lemma stages_run_out n : forall s k, (k <= s)%nat ->
  Pr P (stages find screen certificate n s k) ran_out <= (1/6) ^ (n - (s0 - s)).
Proof.
  induction n as [|n IH]; intros s k Hk; [unfold Pr; cbn; lra|]. cbn [stages]. rewrite Pr_bind.
  assert (0 <= (1/6) ^ (n - (s0 - S s))) as Pn by positive.
  assert (Next : forall r : bool * option arm, Pr P (match r with
    | (_, Some c) => Ret (Some c)
    | (begun, None) => stages find screen certificate n (S s) (if begun then S k else k)
    end) ran_out <= (1/6) ^ (n - (s0 - S s)) * if failed r then 1 else 0).
  { intros [begun [c|]]; [destruct begun; unfold Pr; cbn; lra|]. cbn [failed]. rewrite Rmult_1_r.
    destruct begun; apply IH; lia. }
  eapply Rle_trans; [apply (E_mono P P01), Next|]. rewrite E_scal.
  fold (Pr P (attempt find screen certificate s k) failed). destruct (le_lt_dec s0 s) as [H|H].
  - pose proof (attempt_right s k Hk (Rle_trans _ _ _ (gap_le _ _ H) Hs0)) as Q.
    replace (S n - (s0 - s))%nat with (S (n - (s0 - S s))) by lia. apply (Rmult_le_compat_l _ _ _ Pn) in Q. cbn [pow].
    lra.
  - replace (S n - (s0 - s))%nat with (n - (s0 - S s))%nat by lia. rewrite <- (Rmult_1_r (_ ^ _)) at 2.
    apply Rmult_le_compat_l; [exact Pn|apply Pr_le1, P01].
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
    destruct (loglog Delta s0 HD First) as [Sc LL]. pose proof (scale_pos s0) as S0. pose proof lam_pos as L0.
    pose proof M_ge1 as M1. pose proof (ln_S_nonneg s0) as LS. pose proof ln2_le as L2.
    destruct coefficients as (C1 & C2 & C3 & C4 & C5), y_nonneg as (Y & V & Z).
    unfold potential, rest, before. cbn [Nat.ltb Nat.leb].
    pose proof (form_nonneg a_l (a_c + 241/100) s0 C1 ltac:(lra)) as F0.
    set (c := y + 2 * v + a_l / 3) in *. set (e := 3 * z + 12 * v * (347/500) + (a_c + 241/100) / 3) in *.
    set (l := lam + 2 * ln (INR s0 + 1)). set (l' := lam + 2 * ln (ln (/ Delta) + 1)).
    assert (0 <= c) as C0 by (unfold c; lra). assert (0 <= e) as E0 by (unfold e; lra).
    assert (0 <= l) as L1 by (unfold l; lra). assert (0 <= c * l) as CL by positive.
    apply Rle_trans with (scale s0 * (M * (c * l + e) + 4125/100)).
    { pose proof (scale_pos 0). assert (0 <= scale 0 * (form a_l (a_c + 241/100) s0 + 45)) as H0 by positive.
      apply (Rmult_le_compat_l (12 * v)) in L2; [|lra]. apply (Rmult_le_compat_l (scale s0 * M)) in L2; [|positive].
      unfold form, c, e. fold l. unfold form in H0. fold l in H0. lra. }
    apply Rle_trans with (4 / (Delta * Delta) * (M * (c * l + e) + 4125/100)).
    { apply Rmult_le_compat_r; [|exact Sc]. assert (0 <= M * (c * l + e)) by (apply Rmult_le_pos; lra). lra. }
    unfold duels_at_most, C_once. fold M lam l'.
    replace (4 / (Delta * Delta) * (M * (c * l + e) + 4125/100))
      with ((M * (4 * c * l + 4 * e) + 165) / (Delta * Delta))
      by (field; lra).
    apply Rmult_le_compat_r; [positive|]. apply Rplus_le_compat_r, Rmult_le_compat_l; [lra|].
    assert (4 * c * l <= C_l * (l' + 736/1000)) by (apply Rmult_le_compat; unfold l, l' in *; lra). lra. }
  assert (Ends : is_lim_seq (fun n => Pr P (stages find screen certificate n 0 0) ran_out) 0).
  { apply (is_lim_seq_incr_n _ s0). apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => (1/6) ^ n)).
    - intro n. split; [apply Pr_nonneg; auto|]. replace n with (n + s0 - (s0 - 0))%nat at 2 by lia.
      now apply stages_run_out.
    - apply is_lim_seq_const.
    - apply is_lim_seq_geom. rewrite Rabs_right; lra. }
  assert (Ref : forall n, refines (stages find screen certificate n 0 0) (stages find screen certificate (S n) 0 0))
    by (intro; apply stages_refine).
  split; [exact Err|]. split; [now apply at_most_ET|].
  split; [intros T F F' H H'; now apply stages_agree|]. split; [exact Ends|]. now apply limit_right.
Qed.
End Stage.
