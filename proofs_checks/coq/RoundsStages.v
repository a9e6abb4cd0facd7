(** * What the stages of a search cost, for any certificate and memory (not in the paper)

    A stage's expected duels, a potential that pays for all that is still to come, and termination; put together in
    [stages_identify]. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate Rounds.
Open Scope R_scope.

(** The number of duels: no other gap than the winner's in it. *)
Definition C_once : R := 153.
Definition duels_at_most (C_level loglogs C_arm : R) (N : nat) (Delta delta : R) : R :=
  (INR (N - 1) * (C_level * (ln (/ delta) + loglogs * ln (ln (/ Delta) + 1)) + C_arm) + C_once) / (Delta * Delta).

(** * Proofs *)

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
Proof. pose proof (scale_gap s). field_simplify_eq; nra. Qed.
Lemma scale_S s : scale (S s) = 4 * scale s.
Proof. unfold scale. cbn [Nat.add pow]. field. Qed.
Lemma gap_S s : gap (S s) = gap s / 2.
Proof. unfold gap. cbn [Nat.add pow]. pose proof (pow_lt 2 (s + 3) ltac:(lra)). field. lra. Qed.
Lemma gap_le s t : (s <= t)%nat -> gap t <= gap s.
Proof. induction 1 as [|t _ IH]; [lra|]. rewrite gap_S. pose proof (gap_range t). lra. Qed.
Lemma INR_pow4 n : INR (4 ^ n) = 4 ^ n.
Proof. rewrite pow_INR. f_equal. simpl. lra. Qed.

Lemma ln_stage_nonneg s : 0 <= ln (INR s + 3/2).
Proof. rewrite <- ln_1. apply ln_le; [lra|]. pose proof (pos_INR s). lra. Qed.
Lemma ln_stage_mono k s : (k <= s)%nat -> ln (INR k + 3/2) <= ln (INR s + 3/2).
Proof. intro H. apply le_INR in H. pose proof (pos_INR k). apply ln_le; lra. Qed.
Lemma ln_stage_S s : ln (INR (S s) + 3/2) <= ln (INR s + 3/2) + 512/1000.
Proof.
  pose proof (pos_INR s). rewrite S_INR. apply Rle_trans with (ln ((INR s + 3/2) * (5/3))).
  - apply ln_le; lra.
  - rewrite ln_mult by lra. apply Rplus_le_compat_l. pose proof ln2_le.
    (* (5/3)^4 is below 2^3 *)
    pose proof (ln_tangent ((5/3) ^ 4) (2 ^ 3) ltac:(lra) ltac:(lra)) as T. rewrite !ln_pow in T by lra.
    simpl (INR 4) in T. simpl (INR 3) in T. lra.
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
  scale s0 <= 4 / (Delta * Delta) /\ ln (INR s0 + 3/2) <= ln (ln (/ Delta) + 1) + 368/1000.
Proof.
  intros HD H. pose proof (ln_inv_gap Delta HD) as LD. pose proof ln2_ge as L2.
  destruct s0 as [|s]; [|destruct H as [H|H]; [discriminate|]; cbn [pred] in H].
  - assert (Delta * Delta <= 1/4) by nra. rewrite Rplus_0_l.
    split; [apply (Rle_div_r (scale 0)); [positive|]; unfold scale; simpl; lra|].
    assert (ln (3/2) <= ln (ln (/ Delta) + 1)) by (apply ln_le; lra). lra.
  - split.
    { rewrite scale_S, <- scale_inv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [positive|nra]. }
    (* (s + 2) ln 2 <= ln(3/2) + ln(1/Delta), where ln(3/2) <= 1/2 *)
    assert (2 ^ S (S s) <= 3/2 * / Delta) as P.
    { unfold gap in H. pose proof (pow_lt 2 s ltac:(lra)). rewrite pow_add in H. apply Rlt_div_r in H; [|lra].
      apply (Rle_div_r (2 ^ S (S s))); [lra|]. cbn [pow] in *. lra. }
    apply ln_le in P; [|positive]. rewrite ln_pow, ln_mult in P by positive. pose proof (pos_INR (S s)).
    pose proof (ln_tangent (3/2) 1 ltac:(lra) ltac:(lra)) as T. rewrite ln_1 in T. rewrite (S_INR (S s)) in P.
    pose proof ln2_le. assert ((INR (S s) + 3/2) * ln 2 <= ln (/ Delta) + 1) as P4 by lra.
    apply ln_le in P4; [|positive]. rewrite ln_mult in P4 by lra. pose proof ln_ln2. lra.
Qed.

(** ** Arms and answers *)

Definition rivals (N : nat) (c : arm) : list arm := @Algorithms.others standard N c.

(** Only arms are returned. *)
Definition an_arm (N : nat) (o : option arm) : Prop := match o with Some i => (i < N)%nat | None => True end.
Lemma answer_arm N c x : (c < N)%nat -> an_arm N (answer N c x).
Proof.
  intros Hc. unfold answer. destruct (filter _ _) as [|j [|? ?]] eqn:E; [exact Hc| |exact Logic.I].
  assert (In j (filter (fun j => negb (gone x j)) (seq 0 N))) as H by (rewrite E; simpl; auto).
  apply filter_In in H. destruct H as [H _]. apply in_seq in H. cbn. lia.
Qed.
Lemma winner_rivals P N w Delta : condorcet P N w Delta -> forall j, In j (rivals N w) -> 1/2 + Delta <= P w j.
Proof. intros HC j Hj. apply others_in in Hj. now apply (c_win _ _ _ _ HC). Qed.

(** An arm that is not the winner does not beat every other one. *)
Lemma wrong_is_wrong P N w Delta o : condorcet P N w Delta -> 0 < Delta -> an_arm N o ->
  wrong w o = true -> wrongly_returned P N o = true.
Proof.
  intros [_ PA Hw Win] HD. destruct o as [i|]; [|discriminate]. intros Hi H. apply negb_true_iff, Nat.eqb_neq in H.
  apply negb_true_iff. destruct (beats_all P N i) eqn:B; [|reflexivity]. unfold beats_all in B.
  rewrite forallb_forall in B. specialize (B w ltac:(apply in_seq; lia)). destruct (Nat.eqb_spec w i); [congruence|].
  destruct (Rlt_dec _ _) as [h|]; [|discriminate]. specialize (Win i Hi H). rewrite PA in h. lra.
Qed.

(** ** Stages *)

Definition unanswered (memory : Type) (r : option (memory * option arm)) : bool :=
  match r with Some (_, Some _) => false | _ => true end.

Lemma refines_bind {T A B} (m : program T A) (k k' : A -> program T (option B)) :
  (forall a, refines (k a) (k' a)) -> refines (bind m k) (bind m k').
Proof. intro H. induction m as [a|t u v f IH]; cbn [bind]; [apply H|]. constructor. exact IH. Qed.

Section Stages.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variable memory : Type.
Variable stage : nat -> memory -> arm -> list (arm * arm) -> prog (option (memory * option arm)).
Let run := stages find stage.

Lemma stages_refine n : forall s mem, refines (run n s mem) (run (S n) s mem).
Proof.
  induction n as [|n IH]; intros s mem; [constructor|]. apply refines_bind. intros [cp|]; [|constructor].
  apply refines_bind. intros [[mem' [i|]]|]; try constructor. specialize (IH (S s) mem'). exact IH.
Qed.

Lemma stages_agree (find_starts : forall s, starts (find s)) T : forall n n' s mem, (T <= n)%nat -> (T <= n')%nat ->
  agree T (run n s mem) (run n' s mem).
Proof.
  induction T as [|T IH]; intros [|n] [|n'] s mem H H'; try lia; try exact Logic.I.
  apply agree_obind_later; [apply find_starts|apply agree_refl|]. intro cp. apply agree_obind; [apply agree_refl|].
  intros [mem' [i|]]; [apply agree_refl|]. apply IH; lia.
Qed.

Variables (P : arm -> arm -> R) (N : nat) (w : arm) (Delta delta : R).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hd : 0 < delta < 1.

Let M := INR (N - 1).
Let lam := ln (/ delta).

Lemma M_ge1 : 1 <= M.
Proof. apply (le_INR 1). lia. Qed.
Lemma lam_pos : 0 < lam.
Proof. apply ln_inv_pos. exact Hd. Qed.

(** M (x (ln(1/delta) + loglogs ln(s+3/2)) + z) *)
Variable loglogs : R.
Hypothesis loglogs_nonneg : 0 <= loglogs.
Definition logs (s : nat) : R := lam + loglogs * ln (INR s + 3/2).
Definition form (x z : R) (s : nat) : R := M * (x * logs s + z).
Lemma logs_nonneg s : 0 <= logs s.
Proof. unfold logs. pose proof lam_pos. pose proof (ln_stage_nonneg s). positive. Qed.
Lemma form_nonneg x z s : 0 <= x -> 0 <= z -> 0 <= form x z s.
Proof. intros Hx Hz. unfold form. pose proof M_ge1. pose proof (logs_nonneg s). positive. Qed.
Lemma form_mono x z k s : 0 <= x -> (k <= s)%nat -> form x z k <= form x z s.
Proof.
  intros Hx Hk. pose proof M_ge1. pose proof (ln_stage_mono k s Hk). apply Rmult_le_compat_l; [lra|].
  apply Rplus_le_compat_r, Rmult_le_compat_l; [exact Hx|]. apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
Qed.
Lemma form_le x z x' z' s : x <= x' -> z <= z' -> form x z s <= form x' z' s.
Proof.
  intros Hx Hz. pose proof M_ge1. pose proof (logs_nonneg s). apply Rmult_le_compat_l; [lra|].
  apply Rplus_le_compat; [apply Rmult_le_compat_r|]; lra.
Qed.

(** What is needed of a stage [m] with the champion [c]: [keep] of what is known after it and of the answer; at most
    (a_l, a_c) and [x] duels; and for a better arm (t_l, t_c), or (u_l, u_c) once its gap is twice what is tried, and
    [z] duels, and no answer with probability at most [q].  The first stage may take [extra] duels more. *)
Variables a_l a_c t_l t_c u_l u_c extra : R.
Definition only_first (s : nat) : R := match s with O => extra | _ => 0 end.
Definition stage_facts s c x z q {A} (keep : A -> option arm -> Prop) (m : prog (option (A * option arm))) : Prop :=
  leaves (fun r => match r with Some (y, o) => keep y o | None => False end) m /\
  ET P m <= scale s * (form a_l a_c s + x) + only_first s /\
  forall Delta, gap s <= Delta -> (forall j, In j (rivals N c) -> 1/2 + Delta <= P c j) ->
    Pr P m (unanswered A) <= q /\
    forall twice : bool, (if twice then 2 else 1) * gap s <= Delta -> ET P m <=
      scale s * (form (if twice then u_l else t_l) (if twice then u_c else t_c) s + z) + only_first s.

Hypothesis coefficients : 0 <= u_l <= t_l /\ 0 <= u_c <= t_c /\ t_l <= a_l /\ t_c <= a_c.
Hypothesis extra_small : 0 <= extra <= scale 0 / 3 * form a_l (a_c + 241/100) 0.
Variable known : nat -> memory -> Prop.
Variable matches : option (arm * list (arm * arm)) -> Prop.
Hypothesis HC : condorcet P N w Delta.
Hypothesis Finds : finds matches P N w Delta find.
Hypothesis facts : forall s mem c pairs, known s mem -> matches (Some (c, pairs)) ->
  stage_facts s c 45 (3123/1000) (1/25) (fun mem' o => known (S s) mem' /\ an_arm N o) (stage s mem c pairs).

Let P01 := c_01 _ _ _ _ HC.
Let find_matches := proj1 Finds.
Let find_right := proj1 (proj2 (proj2 (proj2 Finds))).
Let keeps s mem c pairs Hk Hm := proj1 (facts s mem c pairs Hk Hm).
Let cap s mem c pairs Hk Hm := proj1 (proj2 (facts s mem c pairs Hk Hm)).
Let good_case s mem pairs Hk Hm Hs := proj2 (proj2 (facts s mem w pairs Hk Hm)) Delta Hs (winner_rivals P N w Delta HC).

Lemma find_scale s : ET P (find s) <= scale s * (M * (241/100)).
Proof.
  eapply Rle_trans; [apply Finds|]. unfold Rdiv at 1. rewrite scale_inv. unfold M, C_find. right. ring.
Qed.

(** After the finder: what a stage takes, and [z] if it leaves the question unanswered. *)
Definition after_find (T : arm -> list (arm * arm) -> R) (z : R) s mem (o : option (arm * list (arm * arm))) : R :=
  match o with None => 0 | Some (c, pairs) => T c pairs + z * Pr P (stage s mem c pairs) (unanswered _) end.

Lemma after_find_at_most T z s mem x : 0 <= z -> 0 <= x ->
  (forall c pairs, matches (Some (c, pairs)) -> T c pairs <= x) ->
  forall o, matches o -> after_find T z s mem o <= x + z.
Proof.
  intros Hz Hx HT [[c pairs]|] Hm; cbn [after_find]; [|lra]. specialize (HT c pairs Hm).
  pose proof (Pr_le1 P P01 (stage s mem c pairs) (unanswered _)) as Q. apply (Rmult_le_compat_l z) in Q; lra.
Qed.

Lemma after_find_typical T z s mem x y : gap s <= Delta -> known s mem -> 0 <= z -> 0 <= y <= x ->
  (forall c pairs, matches (Some (c, pairs)) -> T c pairs <= x) ->
  (forall pairs, matches (Some (w, pairs)) -> T w pairs <= y) ->
  expect P (find s) (after_find T z s mem) <= 7/8 * y + x / 8 + 4/25 * z.
Proof.
  intros Hs Hk Hz Hy HT HTw. apply Rle_trans with ((y + z / 25) + 1/8 * (x - y + 24/25 * z)); [|lra].
  apply (E_unless P P01 _ _ (found w) _ _ _ _ (find_matches s)); [lra|specialize (find_right s Hs); lra|].
  intros o Ho. destruct (found w o) eqn:F.
  - destruct o as [[c pairs]|]; [|discriminate]. apply Nat.eqb_eq in F. subst c. cbn [after_find].
    specialize (HTw pairs Ho). pose proof (proj1 (good_case s mem pairs Hk Ho Hs)) as Q.
    apply (Rmult_le_compat_l z) in Q; lra.
  - pose proof (after_find_at_most T z s mem x Hz ltac:(lra) HT o Ho). lra.
Qed.

(** What a stage costs: at most, and typically, once the gap is reached. *)
Definition stage_at_most (s : nat) : R := scale s * (form a_l (a_c + 241/100) s + 45).
Definition typical (x z : R) (s : nat) : R :=
  scale s * (form (7/8 * x + a_l / 8) (7/8 * z + a_c / 8 + 241/100) s + 8358/1000).

Definition stage_cost z s mem : R :=
  ET P (find s) + expect P (find s) (after_find (fun c pairs => ET P (stage s mem c pairs)) z s mem).

Lemma cost_at_most z s mem : known s mem -> 0 <= z -> stage_cost z s mem <= stage_at_most s + only_first s + z.
Proof.
  intros Hk Hz. unfold stage_cost. pose proof (find_scale s) as F. pose proof (scale_pos s) as S0.
  pose proof (form_nonneg a_l a_c s ltac:(lra) ltac:(lra)).
  assert (0 <= only_first s) as X by (unfold only_first; destruct s; lra). set (x := scale s * (form a_l a_c s + 45)).
  assert (0 <= x) by (unfold x; positive).
  assert (expect P (find s) (after_find (fun c pairs => ET P (stage s mem c pairs)) z s mem)
    <= x + only_first s + z) as E.
  { apply (E_le_leaves P P01 matches); [apply find_matches|]. apply after_find_at_most; [exact Hz|lra|].
    intros c pairs. now apply cap. }
  unfold stage_at_most, x, form in *. lra.
Qed.

Lemma cost_typical (twice : bool) z s mem : (if twice then 2 else 1) * gap s <= Delta -> known s mem -> 0 <= z ->
  stage_cost z s mem <=
    typical (if twice then u_l else t_l) (if twice then u_c else t_c) s + only_first s + 4/25 * z.
Proof.
  intros Hs Hk Hz. unfold stage_cost. pose proof (find_scale s) as F. pose proof (scale_pos s) as S0.
  assert (gap s <= Delta) as G by (pose proof (gap_range s); destruct twice; lra).
  assert (0 <= only_first s) as X by (unfold only_first; destruct s; lra).
  pose proof (fun pairs Hm => proj2 (good_case s mem pairs Hk Hm G) twice Hs) as Time.
  set (tl := if twice then u_l else t_l) in *. set (tc := if twice then u_c else t_c) in *.
  assert (0 <= tl <= a_l) as T1 by (unfold tl; destruct twice; lra).
  assert (0 <= tc <= a_c) as T2 by (unfold tc; destruct twice; lra).
  pose proof (form_nonneg tl tc s ltac:(lra) ltac:(lra)). pose proof (form_le tl tc a_l a_c s ltac:(lra) ltac:(lra)).
  set (x := scale s * (form a_l a_c s + 45)). set (y := scale s * (form tl tc s + 3123/1000)) in *.
  assert (0 <= y <= x) as Y by (unfold x, y; split; [positive|apply Rmult_le_compat_l; lra]).
  assert (expect P (find s) (after_find (fun c pairs => ET P (stage s mem c pairs)) z s mem) <=
    7/8 * (y + only_first s) + (x + only_first s) / 8 + 4/25 * z) as E.
  { apply after_find_typical; auto; [lra|]. intros c pairs. now apply cap. }
  unfold typical, x, y, form in *. lra.
Qed.

(** ** What is still to be paid from stage [s] on, [s0] being the first one whose gap is reached *)

Let y := 7/8 * t_l + a_l / 8.
Let v := 7/8 * u_l + a_l / 8.
Let z := 7/8 * t_c + a_c / 8 + 241/100.
Let z' := 7/8 * u_c + a_c / 8 + 241/100.
Let growth := loglogs * (512/1000).
Lemma coefficients_nonneg : 0 <= y /\ 0 <= v /\ 0 <= z /\ 0 <= z' /\ 0 <= growth /\ 0 <= v * growth.
Proof.
  assert (0 <= growth) by (unfold growth; positive). assert (0 <= v) by (unfold v; lra). unfold y, z, z'.
  repeat split; try lra. positive.
Qed.

Section From.
Variable s0 : nat.
Hypothesis Hs0 : gap s0 <= Delta.
Definition later (s : nat) : R := scale s * (form (25/9 * v) (25/9 * z' + 400/81 * (v * growth)) s + 2322/100).
Definition first : R := scale s0 * (form (y + 16/9 * v) (z + 16/9 * z' + 400/81 * (v * growth)) s0 + 2322/100).
Definition before (s : nat) : R := (scale s0 - scale s) / 3 * (form a_l (a_c + 241/100) s0 + 45).
Definition potential (s : nat) : R := if Nat.ltb s0 s then later s else first + before s.

Lemma later_step x c s : typical x c s + 4/25 * later (S s) <=
  scale s * (form (7/8 * x + a_l / 8 + 16/9 * v)
                  (7/8 * c + a_c / 8 + 241/100 + 16/9 * z' + 400/81 * (v * growth)) s + 2322/100).
Proof.
  destruct coefficients_nonneg as (_ & V & _ & Z & Gr & VG). unfold typical, later, form. rewrite scale_S.
  pose proof (scale_pos s) as S0. pose proof M_ge1 as M1.
  assert (logs (S s) <= logs s + growth) as Q.
  { unfold logs, growth. pose proof (Rmult_le_compat_l _ _ _ loglogs_nonneg (ln_stage_S s)). lra. }
  apply (Rmult_le_compat_l (scale s * (M * v))) in Q; [lra|positive].
Qed.

Lemma potential_step s : match Nat.compare s s0 with
    | Lt => stage_at_most s + potential (S s)
    | Eq => typical t_l t_c s + 4/25 * potential (S s)
    | Gt => typical u_l u_c s + 4/25 * potential (S s)
    end <= potential s.
Proof.
  unfold potential. destruct (Nat.compare_spec s s0) as [H|H|H].
  - subst s. rewrite Nat.ltb_irrefl, (proj2 (Nat.ltb_lt s0 (S s0))) by lia. eapply Rle_trans; [apply later_step|].
    unfold before, first, y, z. right. field.
  - destruct (Nat.ltb_spec s0 s); [lia|]. destruct (Nat.ltb_spec s0 (S s)); [lia|].
    assert (stage_at_most s <= scale s * (form a_l (a_c + 241/100) s0 + 45)) as A.
    { pose proof (scale_pos s). apply Rmult_le_compat_l; [lra|].
      apply Rplus_le_compat_r, form_mono; [destruct coefficients as (? & ? & ? & ?); lra|lia]. }
    unfold before. rewrite scale_S. lra.
  - destruct (Nat.ltb_spec s0 s); [|lia]. destruct (Nat.ltb_spec s0 (S s)); [|lia].
    eapply Rle_trans; [apply later_step|]. unfold later. fold v z'. right. f_equal. f_equal. f_equal; field.
Qed.

Lemma potential_nonneg s : 0 <= potential s.
Proof.
  destruct coefficients_nonneg as (Y & V & Z & Z' & Gr & VG). pose proof (scale_pos s). unfold potential.
  destruct (Nat.ltb_spec s0 s) as [_|Le].
  - unfold later. pose proof (form_nonneg (25/9 * v) (25/9 * z' + 400/81 * (v * growth)) s ltac:(lra) ltac:(lra)).
    positive.
  - assert (scale s <= scale s0) as Sc.
    { clear - Le. induction Le as [|t _ IH]; [lra|]. rewrite scale_S. pose proof (scale_pos t). lra. }
    pose proof (form_nonneg a_l (a_c + 241/100) s0 ltac:(lra) ltac:(lra)).
    assert (0 <= before s) by (unfold before; positive).
    pose proof (form_nonneg (y + 16/9 * v) (z + 16/9 * z' + 400/81 * (v * growth)) s0 ltac:(lra) ltac:(lra)).
    assert (0 <= first) by (unfold first; positive). lra.
Qed.

Lemma stages_cost n : forall s mem, known s mem -> ET P (run n s mem) <= potential s + only_first s.
Proof.
  induction n as [|n IH]; intros s mem Hk; pose proof (potential_nonneg s) as Q0.
  { assert (0 <= only_first s) by (unfold only_first; destruct s; lra). cbn. lra. }
  pose proof (potential_nonneg (S s)) as P0. pose proof (potential_step s) as Step.
  apply Rle_trans with (stage_cost (potential (S s)) s mem).
  { unfold run, stage_cost. cbn [stages]. unfold obind at 1. rewrite ET_bind. apply Rplus_le_compat_l.
    apply (E_mono_leaves P P01 matches); [apply find_matches|].
    intros [[c pairs]|] Hm; cbn [after_find fst snd ET]; [|lra].
    unfold obind. rewrite ET_bind. apply Rplus_le_compat_l. unfold Pr. rewrite <- E_scal.
    apply (E_mono_leaves P P01 _ _ _ _ (keeps s mem c pairs Hk Hm)). intros [[mem' [i|]]|] H; cbn; try lra.
    specialize (IH (S s) mem' (proj1 H)). cbn [only_first] in IH. unfold run in IH. lra. }
  destruct (Nat.compare_spec s s0) as [H|H|H].
  2:{ pose proof (cost_at_most (potential (S s)) s mem Hk P0). lra. }
  - pose proof (cost_typical false (potential (S s)) s mem) as A. subst s. cbv iota in A.
    specialize (A ltac:(lra) Hk P0). lra.
  - destruct s as [|s]; [lia|]. pose proof (gap_le s0 s ltac:(lia)).
    pose proof (cost_typical true (potential (S (S s))) (S s) mem) as A. cbv iota in A.
    specialize (A ltac:(rewrite gap_S; lra) Hk P0). lra.
Qed.

(** ** Termination *)

Lemma stages_run_out n : forall s mem, known s mem -> Pr P (run n s mem) ran_out <= (4/25) ^ (n - (s0 - s)).
Proof.
  induction n as [|n IH]; intros s mem Hk; [unfold Pr; cbn; lra|].
  set (q := (4/25) ^ (n - (s0 - S s))). assert (0 <= q) as Q0 by (unfold q; positive).
  apply Rle_trans with (expect P (find s) (after_find (fun _ _ => 0) q s mem)).
  { unfold run. cbn [stages]. unfold obind at 1. rewrite Pr_bind.
    apply Rle_trans with (Pr P (find s) ran_out + expect P (find s) (after_find (fun _ _ => 0) q s mem));
      [|rewrite (proj2 (proj2 (proj2 (proj2 Finds)))); lra].
    unfold Pr at 2. rewrite <- E_plus. apply (E_mono_leaves P P01 matches); [apply find_matches|].
    intros [[c pairs]|] Hm; cbn [after_find fst snd ran_out]; [|unfold Pr; cbn; lra].
    unfold obind. rewrite Pr_bind. rewrite !Rplus_0_l. unfold Pr at 2. rewrite <- E_scal.
    apply (E_mono_leaves P P01 _ _ _ _ (keeps s mem c pairs Hk Hm)). intros [[mem' [i|]]|] H; cbn; try lra.
    specialize (IH (S s) mem' (proj1 H)). unfold run in IH. fold q in IH. lra. }
  destruct (le_lt_dec s0 s) as [H|H].
  - pose proof (after_find_typical (fun _ _ => 0) q s mem 0 0) as A.
    specialize (A (Rle_trans _ _ _ (gap_le _ _ H) Hs0) Hk Q0 ltac:(lra) ltac:(intros; lra) ltac:(intros; lra)).
    replace (S n - (s0 - s))%nat with (S (n - (s0 - S s))) by lia. cbn [pow]. fold q. lra.
  - replace (S n - (s0 - s))%nat with (n - (s0 - S s))%nat by lia. fold q.
    apply (E_le_leaves P P01 matches); [apply find_matches|]. intros o Ho.
    pose proof (after_find_at_most (fun _ _ => 0) q s mem 0 Q0 (Rle_refl 0) ltac:(intros; lra) o Ho). lra.
Qed.
End From.

Lemma stages_arms n : forall s mem, known s mem -> leaves (an_arm N) (run n s mem).
Proof.
  induction n as [|n IH]; intros s mem Hk; [exact Logic.I|]. eapply leaves_bind; [apply find_matches|].
  intros [[c pairs]|] Hm; [|exact Logic.I]. eapply leaves_bind; [exact (keeps s mem c pairs Hk Hm)|].
  intros [[mem' [i|]]|] H; [apply H|apply IH, H|exact Logic.I].
Qed.

(** All that was said of the stages, put together. *)
Lemma stages_identify bad start C_l C_c : 0 < Delta <= 1/2 -> known 0 start ->
  (forall o, an_arm N o -> wrong w o = true -> bad o = true) -> (forall n, Pr P (run n 0 start) bad <= delta) ->
  4 * (y + 16/9 * v + a_l / 3) <= C_l ->
  4 * (z + 16/9 * z' + 400/81 * (v * growth) + (a_c + 241/100) / 3) + 368/1000 * loglogs * C_l <= C_c ->
  identifies P w (fun n => run n 0 start) delta (duels_at_most C_l loglogs C_c N Delta delta).
Proof.
  intros HD Hk Bad Err HCl HCc. destruct (first_stage Delta ltac:(lra)) as (s0 & G0 & First).
  assert (Cost : forall n, ET P (run n 0 start) <= duels_at_most C_l loglogs C_c N Delta delta).
  { intro n. eapply Rle_trans; [apply (stages_cost s0 G0 n 0 start Hk)|].
    destruct (loglog Delta s0 HD First) as [Sc LL]. pose proof (scale_pos s0) as S0. pose proof M_ge1 as M1.
    pose proof (logs_nonneg s0) as LS. destruct coefficients_nonneg as (Y & V & Z & Z' & Gr & VG).
    destruct coefficients as (C1 & C2 & C3 & C4), extra_small as [_ X].
    unfold potential, first, before, only_first. cbn [Nat.ltb Nat.leb].
    pose proof (form_nonneg a_l (a_c + 241/100) s0 ltac:(lra) ltac:(lra)) as F0.
    pose proof (form_mono a_l (a_c + 241/100) 0 s0 ltac:(lra) (Nat.le_0_l s0)) as FM. pose proof (scale_pos 0) as S00.
    apply (Rmult_le_compat_l (scale 0 / 3)) in FM; [|lra].
    set (c := y + 16/9 * v + a_l / 3) in *.
    set (e := z + 16/9 * z' + 400/81 * (v * growth) + (a_c + 241/100) / 3) in *.
    assert (0 <= c) as C0 by (unfold c; lra). assert (0 <= e) as E0 by (unfold e; lra).
    apply Rle_trans with (scale s0 * (M * (c * logs s0 + e) + 3822/100)).
    { unfold form, c, e in *. lra. }
    apply Rle_trans with (4 / (Delta * Delta) * (M * (c * logs s0 + e) + 3822/100)).
    { apply Rmult_le_compat_r; [|exact Sc]. assert (0 <= M * (c * logs s0 + e)) by positive. lra. }
    unfold duels_at_most, C_once. fold M lam. set (l' := lam + loglogs * ln (ln (/ Delta) + 1)).
    apply Rle_trans with ((M * (4 * c * logs s0 + 4 * e) + 153) / (Delta * Delta)).
    { replace (4 / (Delta * Delta) * (M * (c * logs s0 + e) + 3822/100))
        with ((M * (4 * c * logs s0 + 4 * e) + 4 * (3822/100)) / (Delta * Delta)) by (field; lra).
      apply Rmult_le_compat_r; [positive|lra]. }
    apply Rmult_le_compat_r; [positive|]. apply Rplus_le_compat_r, Rmult_le_compat_l; [lra|].
    assert (logs s0 <= l' + 368/1000 * loglogs) as L.
    { unfold logs, l'. pose proof (Rmult_le_compat_l _ _ _ loglogs_nonneg LL). lra. }
    assert (4 * c * logs s0 <= C_l * (l' + 368/1000 * loglogs)) by (apply Rmult_le_compat; lra). lra. }
  assert (Ends : is_lim_seq (fun n => Pr P (run n 0 start) ran_out) 0).
  { apply (is_lim_seq_incr_n _ s0). apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => (4/25) ^ n)).
    - intro n. split; [apply Pr_nonneg; auto|]. replace n with (n + s0 - (s0 - 0))%nat at 2 by lia.
      now apply stages_run_out.
    - apply is_lim_seq_const.
    - apply is_lim_seq_geom. rewrite Rabs_right; lra. }
  assert (Ref : forall n, refines (run n 0 start) (run (S n) 0 start)) by (intro; apply stages_refine).
  assert (Err' : forall n, Pr P (run n 0 start) (wrong w) <= delta).
  { intro n. eapply Rle_trans; [|apply Err]. apply (E_mono_leaves P P01 _ _ _ _ (stages_arms n 0%nat start Hk)).
    intros o Ho. specialize (Bad o Ho). destruct (wrong w o); [rewrite Bad by reflexivity|destruct (bad o)]; lra. }
  split; [exact Err'|]. split; [now apply at_most_ET|].
  split; [intros T F F' H H'; apply stages_agree; auto; apply Finds|]. split; [exact Ends|]. now apply limit_right.
Qed.
End Stages.
