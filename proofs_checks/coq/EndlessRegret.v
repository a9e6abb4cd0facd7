(** * The search that never ends, and its regret (not in the paper)

    Nothing is assumed but a winner, and no gap is told.  Evidence is kept for ever, so that an arm that is not the
      winner
    passes a round r only with a probability of 2^-(2^(r+2)), and its duels and the rounds in which it plays itself are
    few.  Once the gap is reached, the winner's stage goes on for ever with probability at least 191/200.  So the weak
    regret is finite, and the strong regret logarithmic. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate.
From TGITE Require Import Rounds RoundsRun Knockout RoundsError RoundsStages RoundsCost.
Open Scope R_scope.

(** Policies that go on for ever, of which [run n] has at least the first [n] rounds: as [endless_regret_at_most] has
    it, but without epochs that end. *)
Definition unending_regret_at_most (P : arm -> arm -> R) (regretful : arm -> arm -> bool)
    (run : nat -> prog (option arm)) (bound : R) : Prop :=
  (forall n, expected_regret P regretful (run n) <= bound) /\
  (forall T n n', (T <= n)%nat -> (T <= n')%nat -> agree T (run n) (run n')) /\
  (forall T n, (T <= n)%nat -> plays T (run n)) /\
  (exists R_oo : R, is_lim_seq (fun T => regret_until P regretful T (run T)) R_oo /\ R_oo <= bound /\
     forall T, regret_until P regretful T (run T) <= R_oo) /\
  (forall T n, INR n * regret_at_least P regretful (first_rounds T (run T)) n <= bound).

Definition C_endless_weak_loglog : R := 34/3.
Definition C_endless_weak_arm : R := 206.
Definition C_endless_weak : R := 126.
Definition endless_search_weak_statement : Prop := forall P N w Delta find,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> finds (own_matches N) P N w Delta find ->
  (forall s, leaves (fun o => ran_out o = false) (find s)) ->
  let bound := INR (N - 1) / (Delta * Delta) * (C_endless_weak_loglog * ln (ln (/ Delta) + 1) + C_endless_weak_arm) in
  unending_regret_at_most P (weak_regretful w) (endless find N) bound /\
  bound <= C_endless_weak * INR (N - 1) / (Delta * Delta) * (ln (/ Delta) + 1).

Definition C_endless_strong : R := 12.
Definition C_endless_strong_loglog : R := 18.
Definition C_endless_strong_arm : R := 251.
Definition endless_search_strong_statement : Prop := forall P N w Delta find T,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> finds (own_matches N) P N w Delta find ->
  (forall s, leaves (fun o => ran_out o = false) (find s)) -> (2 <= T)%nat ->
  horizon_regret_at_most P (strong_regretful w) T (endless find N)
    (INR (N - 1) / (Delta * Delta) * (C_endless_strong * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1)) +
       C_endless_strong_loglog * ln (ln (/ Delta) + 1) + C_endless_strong_arm)).

(** With the knockout. *)
Definition endless_knockout_statement : Prop := forall (cv : conventions) P N w Delta,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> let run := endless (knockout its_own N) N in
  unending_regret_at_most P (weak_regretful w) run
    (INR (N - 1) / (Delta * Delta) * (C_endless_weak_loglog * ln (ln (/ Delta) + 1) + C_endless_weak_arm)) /\
  forall T, (2 <= T)%nat -> horizon_regret_at_most P (strong_regretful w) T run
    (INR (N - 1) / (Delta * Delta) * (C_endless_strong * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1)) +
       C_endless_strong_loglog * ln (ln (/ Delta) + 1) + C_endless_strong_arm)).

(** * Proofs *)

(** ** Programs *)

Lemma tally_bind {A B} P price (m : prog A) (k : A -> prog B) f :
  tally P price 1 (bind m k) f = tally P price 1 m (fun a => tally P price 1 (k a) f).
Proof. induction m as [a|t u v g IH]; cbn [bind tally]; [reflexivity|]. now rewrite !IH. Qed.
Lemma tally_self_play {A} P price n c (m : prog A) f :
  tally P price 1 (self_play n c m) f = INR n * price c c + tally P price 1 m f.
Proof. induction n as [|n IH]; cbn [self_play tally]; [simpl (INR 0)|rewrite IH, S_INR]; ring. Qed.
Lemma ER_tally {A} P r (m : prog A) : expected_regret P r m = tally P (fun u v => ind (r u v)) 1 m (fun _ => 0).
Proof.
  induction m as [a|t u v k IH]; cbn [tally expected_regret]; [reflexivity|]. rewrite !IH. unfold ind.
  destruct (r u v); ring.
Qed.
Lemma E_swap P {A B} (m : prog A) (m' : prog B) (f : A -> B -> R) :
  expect P m (fun a => expect P m' (f a)) = expect P m' (fun b => expect P m (fun a => f a b)).
Proof. induction m as [a|t u v k IH]; cbn [expect]; [reflexivity|]. now rewrite !IH, E_plus, !E_scal. Qed.
Lemma never_leaves {A} (m : prog A) ev : Pr (fun _ _ => 1/2) m ev = 0 -> leaves (fun a => ev a = false) m.
Proof.
  unfold Pr. induction m as [a|t u v k IH]; cbn [expect leaves]; [destruct (ev a); [lra|auto]|].
  pose proof (fun b => Pr_nonneg (fun _ _ => 1/2) ltac:(intros; lra) (k b) ev) as Q. unfold Pr in Q.
  pose proof (Q true). pose proof (Q false). split; apply IH; lra.
Qed.

Lemma self_play_agree {A} n c (m m' : prog A) : forall T,
  agree (T - n) m m' -> agree T (self_play n c m) (self_play n c m').
Proof.
  induction n as [|n IH]; intros T H; cbn [self_play]; [now rewrite Nat.sub_0_r in H|].
  destruct T as [|T]; [exact Logic.I|]. repeat split. intro. apply IH, H.
Qed.
Lemma self_play_uncut {A} n c (m : prog (option A)) : forall T,
  uncut (T - n) m = true -> uncut T (self_play n c m) = true.
Proof.
  induction n as [|n IH]; intros T H; cbn [self_play]; [now rewrite Nat.sub_0_r in H|].
  destruct T as [|T]; [reflexivity|]. cbn [uncut]. now rewrite IH.
Qed.
Lemma uncut_bind {A B} (p : prog A) (k : A -> prog (option B)) : forall T,
  (forall T' a, (T' <= T)%nat -> uncut T' (k a) = true) -> uncut T (bind p k) = true.
Proof.
  induction p as [a|t u v f IH]; intros T H; cbn [bind]; [now apply H|]. destruct T as [|T]; [reflexivity|].
  cbn [uncut]. now rewrite !IH by (intros; apply H; lia).
Qed.
Lemma uncut_answered {A B} (g : option A -> B) T : forall m : prog (option A),
  uncut T m = true -> uncut T (obind m (fun a => Ret (Some (g (Some a))))) = true.
Proof.
  unfold obind. induction T as [|T IH]; intros m U; [now destruct (bind m _)|]. destruct m as [[a|]|t u v k]; cbn in *;
    [reflexivity|discriminate|]. apply andb_prop in U. now rewrite !IH.
Qed.

(** ** Rounds at level 0, of the champion's own matches *)

(** The evidence that is asked for in round [r]. *)
Definition asked (r : nat) : R := 2 ^ (2 ^ (r + 2)).
Lemma asked_pos r : 1 < asked r.
Proof. apply Rlt_pow_R1; [lra|]. pose proof (Nat.pow_nonzero 2 (r + 2)). lia. Qed.
Lemma asked_S r : asked (S r) = asked r * asked r.
Proof. unfold asked. rewrite <- pow_add. f_equal. cbn [Nat.add Nat.pow]. lia. Qed.
Lemma level_0 r : level_in_round 0 r = / asked r.
Proof.
  pose proof (asked_pos r) as A. apply Rmax_right. left. apply Rinv_0_lt_compat. lra.
Qed.
Lemma never_last r : is_last 0 r = false.
Proof.
  unfold is_last. fold (asked r). pose proof (asked_pos r) as A. apply Rlt_trans with (r1 := 0) in A; [|lra].
  apply Rinv_0_lt_compat in A. destruct (Rle_dec _ _); [lra|reflexivity].
Qed.
Lemma self_plays_pos r : (1 <= self_plays r)%nat.
Proof. unfold self_plays. pose proof (Nat.pow_nonzero 2 (2 ^ (r + 2) - 2 * r)). lia. Qed.

Section Level0.
Variables (N s m : nat) (c : arm) (order : list arm).
Hypothesis ND : NoDup order.
Let g := gap s.
Let sh := share omega_own m.
Let Hg : 0 < g < 1/2 := gap_range s.
Let run F r x := rounds N s m omega_own 0 self_plays c F r (against c order) x.

Lemma omega_range : 0 <= omega_own <= 1.
Proof. unfold omega_own. lra. Qed.
Lemma share_range : 0 < sh <= 2/5.
Proof. unfold sh, share, omega_own. pose proof (part_range m). lra. Qed.
Lemma fine_range r : 0 < sh * / asked r < 1.
Proof.
  pose proof (asked_pos r). pose proof share_range. split; [positive|]. apply Rlt_div_l; lra.
Qed.
Definition most (r : nat) : nat := stage_budget N s (sh * / asked r).
Definition against_it (j : arm) (x : state) : R := worth_now s m omega_own 1 j x.

(** What holds up to the end of round [r]; a match in it; how it is lost. *)
Record fit (r : nat) (x : state) : Prop := {
  f_sound : sound x;
  f_own : forall j, own x j = now x j;
  f_out : forall j, out x j = false;
  f_spent : (spent x <= most r)%nat;
  f_L : forall j, L g (own x j) <= 2 * (asked r / sh) }.
Definition own_duel (r : nat) (x : state) (u v : arm) (add : bool -> state -> state) : Prop :=
  u = c /\ In v order /\ add = dueled v /\ fit r x /\ (spent x < most r)%nat.
Definition lost_in (r : nat) (x : state) : Prop :=
  (exists j, In j order /\ beaten N s j x = true) \/ (most r <= spent x)%nat.
Let may r {A} := @steps state A (own_duel r) (fun _ _ => False).

Lemma fit_S r x : fit r x -> fit (S r) x.
Proof.
  intros [A B C D E]. pose proof (asked_pos r). pose proof share_range.
  assert (asked r <= asked (S r)) as Up by (rewrite asked_S; nra). split; auto.
  - eapply Nat.le_trans; [exact D|]. apply (stage_budget_falls N s (sh * / asked (S r)) (sh * / asked r));
      [split; [exact (proj1 (fine_range (S r)))|]|exact (proj2 (fine_range r))].
    apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
  - intro j. eapply Rle_trans; [apply E|]. apply Rmult_le_compat_l; [lra|].
  apply Rmult_le_compat_r; [positive|exact Up].
Qed.
Lemma fit_dueled r j b x : fit r x -> enough s m omega_own (level_in_round 0 r) j x = false -> (spent x < most r)%nat ->
  fit r (dueled j b x).
Proof.
  intros [A B C D E] En Sp. split; [now apply sound_dueled| |exact C|exact Sp|];
    intro i; cbn [dueled own now]; unfold change; (destruct (Nat.eqb i j) eqn:Ei; [|auto]).
  - now rewrite B.
  - apply orb_false_iff, proj2, not_reached in En; [|rewrite level_0; apply fine_range]. rewrite level_0 in En.
    fold g sh in En. rewrite Rinv_mult, Rinv_inv, Rmult_comm, <- B in En. fold (L g (own x j)) in En.
    assert (0 < L g (own x j)) by (now apply L_pos). rewrite L_one_more by (specialize (A j); unfold sensible; lia).
    apply Rmult_le_compat; destruct b; cbn [factor]; lra.
Qed.
Lemma against_other i j b x : i <> j -> against_it i (dueled j b x) = against_it i x.
Proof.
  intro H. unfold against_it, worth_now. cbn [dueled all now out]. unfold change.
  now rewrite (proj2 (Nat.eqb_neq i j) H).
Qed.
Lemma against_enough r j x : fit r x -> enough s m omega_own (level_in_round 0 r) j x = true -> asked r <= against_it
  j x.
Proof.
  intros F. rewrite level_0. unfold enough, reaches, against_it, worth_now. rewrite f_out with (r := r) by exact F.
  fold g sh.
  pose proof (asked_pos r) as A. pose proof (f_sound r x F j) as So.
  pose proof (known_nonneg omega_own omega_range (all x j) ltac:(lia)) as K. unfold known in K.
  pose proof (likely_nonneg s m omega_own omega_range (now x j) ltac:(lia)) as Q. fold g sh in Q.
  pose proof (rest_nonneg omega_own omega_range (S m)). unfold known.
  assert (Up : forall y, 1 <= y * / asked r -> asked r <= y) by (intros y Hy; apply Rle_div_r in Hy; lra).
  intro H0. set (W := mixture _ _) in *. set (V := likelihood g _ _) in *.
  destruct (Rle_dec 1 (omega_own * / asked r * W)) as [D|_]; [pose proof (Up (omega_own * W)); lra|].
  destruct (Rle_dec 1 (sh * / asked r * V)) as [D|]; [pose proof (Up (sh * V)); lra|discriminate].
Qed.

Lemma arm_run r j x : In j order -> fit r x -> may r (fun y o => snd o = y /\ fit r y /\
    (forall i, i <> j -> against_it i y = against_it i x) /\
    match fst o with Some true => asked r <= against_it j y | _ => lost_in r y end) x
  (one_arm N s m omega_own 0 c r c j x).
Proof.
  intros Hj F. unfold one_arm. rewrite (f_out r x F), Nat.eqb_refl, never_last. cbn [bind].
  eapply steps_bind with (Q := fun y o => snd o = y /\ fit r y /\ (forall i, i <> j -> against_it i y = against_it i
    x) /\
    match fst o with Some true => asked r <= against_it j y | _ => lost_in r y end).
  2:{ intros y [[[|]|] z] (E & H); cbn in E; subst z; now apply steps_done. }
  unfold own_match. fold sh. rewrite level_0. fold (most r). rewrite <- level_0.
  remember (most r - spent x)%nat as k eqn:Ek. revert x F Ek.
  induction k as [|k IH]; intros x F Ek; cbn [go_on]; pose proof (f_spent r x F) as Sp;
    (destruct (enough _ _ _ _ _ _) eqn:En; [apply steps_done; cbn [fst snd]; auto using against_enough|]);
    (destruct (beaten _ _ _ _) eqn:Be; [apply steps_done; cbn [fst snd]; unfold lost_in; eauto 8|]).
  - apply steps_done. repeat (split; [auto|]). right. lia.
  - apply steps_duel with (dueled j); [do 4 (split; [now auto|]); lia|]. intro b.
    eapply steps_weaken; [apply IH; [apply fit_dueled; auto; lia|cbn [dueled spent]; lia]|]. cbv beta.
    intros y o (E & F' & H & H'). repeat (split; [assumption|]). split; [|exact H']. intros i Hi.
    now rewrite H, against_other.
Qed.
Lemma round_run r l : NoDup l -> incl l order -> forall x, fit r x -> may r (fun y o => snd o = y /\ fit r y /\
    (fst o = true -> forall i, ~ In i l -> against_it i y = against_it i x) /\
    if fst o then forall i, In i l -> asked r <= against_it i y else lost_in r y) x
  (one_round N s m omega_own 0 c r (against c l) x).
Proof.
  induction 1 as [|j l Nj _ IH]; intros Hl x F; cbn [against map one_round].
  { apply steps_done. do 3 (split; [now auto|]). intros i []. }
  eapply steps_bind; [apply arm_run; [apply Hl; simpl; auto|exact F]|].
  intros y [[[|]|] z] (E & F' & H & H'); cbn [fst snd] in *; subst z;
    try (apply steps_done; cbn [fst snd]; do 2 (split; [now auto|]); split; [discriminate|exact H']).
  eapply steps_weaken; [apply IH; [intros i Hi; apply Hl; simpl; auto|exact F']|]. cbv beta.
  intros y' [b z] (E & F2 & K & K'). do 2 (split; [assumption|]). destruct b; [|split; [discriminate|exact K']].
  split; [intros _ i Hi; simpl in Hi; rewrite K, H by (auto; intros ->; tauto); reflexivity|].
  intros i [<-|Hi]; [|auto]. now rewrite K.
Qed.

(** What is summed up over rounds, bounded by potentials. *)
Lemma rounds_tally P price Phi f : (forall u v, 0 <= P u v <= 1) ->
  (forall F r x v b, In v order -> fit r x -> (spent x < most r)%nat -> b = (fun b => dueled v b x) ->
     price c v + (P c v * Phi (S F) r (b true) + (1 - P c v) * Phi (S F) r (b false)) <= Phi (S F) r x) ->
  (forall F r y, fit r y -> (forall i, In i order -> asked r <= against_it i y) ->
     INR (self_plays r) * price c c + Phi F (S r) y <= Phi (S F) r y) ->
  (forall F r y, fit r y -> lost_in r y -> f (Some y) <= Phi (S F) r y) -> (forall r y, fit r y -> f None <= Phi 0%nat
    r y) ->
  forall F r x, fit r x -> tally P price 1 (run F r x) f <= Phi F r x.
Proof.
  intros P01 D Pass Lost Out. induction F as [|F IH]; intros r x Hx; unfold run; cbn [rounds]; [now apply Out|].
  rewrite tally_bind. eapply (steps_tally (own_duel r) (fun _ _ => False) P P01 price 1 (Phi (S F) r));
    [lra| |contradiction| |apply (round_run r order ND (incl_refl _) x Hx)].
  - intros y u v add (-> & Hv & -> & Fy & Sp). rewrite Rmult_1_l. now apply (D F r y v (fun b => dueled v b y)).
  - intros y [b z] (E & Fy & _ & K). cbn [fst snd] in *. subst z. destruct b; [|now apply Lost].
    rewrite never_last, tally_self_play. eapply Rle_trans; [|now apply Pass]. apply Rplus_le_compat_l, IH.
    now apply fit_S.
Qed.
Lemma rounds_leaves F : forall r x, fit r x ->
  leaves (fun o => match o with Some y => exists r', fit r' y | None => True end) (run F r x).
Proof.
  induction F as [|F IH]; intros r x Hx; unfold run; cbn [rounds]; [exact Logic.I|].
  eapply leaves_bind; [eapply steps_leaves, (round_run r order ND (incl_refl _) x Hx)|]. intros [b z] (y & E & Fy & _).
  cbn [snd] in E. subst z. destruct b; [|cbn; eauto]. rewrite never_last. specialize (IH (S r) y (fit_S r y Fy)).
  induction (self_plays r); cbn; auto.
Qed.

(** Within [T] duels no run notices that there are at most [F] rounds. *)
Definition lasts (T F r : nat) : Prop := (T <= F)%nat \/ exists r', (r <= r' < r + F)%nat /\ (T <= self_plays r')%nat.
Lemma rounds_agree pairs : forall F F' T r x, lasts T F r -> lasts T F' r ->
  agree T (rounds N s m omega_own 0 self_plays c F r pairs x) (rounds N s m omega_own 0 self_plays c F' r pairs x).
Proof.
  assert (Next : forall T F r, lasts T (S F) r -> lasts (T - self_plays r) F (S r)).
  { intros T F r [H|(r' & H & H')]; [left; pose proof (self_plays_pos r); lia|].
    destruct (Nat.eq_dec r' r) as [->|]; [left; lia|]. right. exists r'. lia. }
  induction F as [|F IH]; intros [|F'] T r x H H'; cbn [rounds]; [apply agree_refl| | |];
    try (assert (T = 0)%nat as -> by (destruct H as [H|(? & H & _)]; destruct H' as [H'|(? & H' & _)]; lia);
      exact Logic.I).
  apply agree_bind; [apply agree_refl|]. intros [[|] y]; [|apply agree_refl]. rewrite never_last.
  apply self_play_agree, IH; now apply Next.
Qed.
Lemma rounds_uncut pairs : forall F T r x, (T <= F)%nat ->
  uncut T (rounds N s m omega_own 0 self_plays c F r pairs x) = true.
Proof.
  induction F as [|F IH]; intros T r x H; cbn [rounds]; [now replace T with 0%nat by lia|]. apply uncut_bind.
  intros T' [[|] y] H'; [|now destruct T']. rewrite never_last. pose proof (self_plays_pos r).
  apply self_play_uncut, IH. lia.
Qed.
End Level0.

(** ** What a stage costs *)

Lemma rounds_exponent r : (3 * r + 4 <= 2 ^ (r + 2))%nat.
Proof. induction r as [|r IH]; [cbn; lia|]. cbn [Nat.add Nat.pow]. lia. Qed.
Lemma ln_asked r : ln (asked r) = INR (2 ^ (r + 2)) * ln 2.
Proof. apply ln_pow. lra. Qed.
Lemma self_plays_asked r : INR (self_plays r) * 4 ^ r = asked r.
Proof.
  unfold self_plays, asked. rewrite pow_INR. pose proof (rounds_exponent r).
  replace (4 ^ r) with (2 ^ (2 * r)) by (rewrite pow_mult; f_equal; lra). rewrite <- pow_add. f_equal. lia.
Qed.
Lemma asked_le r r' : (r <= r')%nat -> asked r <= asked r'.
Proof. induction 1 as [|r' _ IH]; [lra|]. pose proof (asked_pos r'). rewrite asked_S. nra. Qed.

Definition sane (s : nat) (x : cell) : Prop := (visits x <= s)%nat /\ sound_cell x /\ forall j, gone x j = false.

Section Opened.
Variable P : arm -> arm -> R.
Variables (N s : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HD : 0 < Delta.
Hypothesis HN : (2 <= N)%nat.
Let P01 := c_01 _ _ _ _ HC.
Let M := INR (N - 1).
Let M1 : 1 <= M := M_ge1 N HN.
Let S0 := scale_pos s.
Let g := gap s.
Let Hg : 0 < g < 1/2 := gap_range s.
Let unit_range : 64/9 <= M * scale s.
Proof. assert (1 * (64/9) <= M * scale s); [apply Rmult_le_compat|]; lra. Qed.

Variables (x : cell) (c : arm) (order : list arm).
Hypothesis Hx : sane s x.
Hypothesis Hc : (c < N)%nat.
Hypothesis HL : length order = (N - 1)%nat.
Hypothesis HI : forall j, In j order <-> (j < N)%nat /\ j <> c.
Let m := visits x.
Let sh := share omega_own m.
Let Sh := share_range m.
Let run F := rounds N s m omega_own 0 self_plays c F 0 (against c order) (opened x).
Let Fit := fit N s m.
Let bud := most N s m.

Lemma order_once : NoDup order.
Proof.
  assert (NoDup (c :: order)) as H; [|now inversion H].
  apply NoDup_incl_NoDup with (l := seq 0 N); [apply seq_NoDup|rewrite seq_length;
    change (S (@length arm order) <= N)%nat; lia|].
  intros j Hj. apply in_seq in Hj. destruct (Nat.eq_dec j c) as [->|Ne]; [now left|right; apply HI; lia].
Qed.
Lemma fit_opened : Fit 0%nat (opened x).
Proof.
  destruct Hx as (_ & A & G). pose proof (asked_pos 0). pose proof Sh.
  split; auto; [now apply sound_opened|apply Nat.le_0_l|]. intro j. rewrite L_nothing. fold sh.
  assert (1 <= asked 0 / sh) by (apply Rle_div_r; fold sh in H0; lra). lra.
Qed.

(** The logarithm that a match may take, and the budgets. *)
Definition lam (r : nat) : R := ln (2 / (sh * / asked r)).
Lemma lam_range r : ln (asked r) <= lam r <= 2 * ln (INR s + 3/2) + 278/100 + ln (asked r).
Proof.
  pose proof (asked_pos r) as A. pose proof Sh as Sr. fold sh in Sr. pose proof (pos_INR m).
  pose proof (le_INR _ _ (proj1 Hx)) as Hm. fold m in Hm.
  assert (lam r = ln (2 / sh) + ln (asked r)) as -> by (unfold lam; rewrite <- ln_mult by positive; f_equal; field;
    lra).
  assert (0 < ln (2 / sh)) by (apply ln_pos, Rlt_div_r; lra).
  assert (2 / sh <= (INR s + 3/2) * (INR s + 3/2) * 2 ^ 4) as U.
  { unfold sh, share, omega_own. pose proof (part_inv m) as Pi. pose proof (part_range m).
    replace (2 / ((1 - 1/2) * part m)) with (4 * / part m) by (field; lra). nra. }
  apply ln_le in U; [|positive]. rewrite !ln_mult, ln_pow in U by positive. pose proof ln2_le.
  simpl (INR 4) in U. lra.
Qed.
Lemma bud_range r : M * scale s * (2 * lam r) + 9 * scale s <= INR (bud r) <=
  M * scale s * (2 * lam r) + 9/16 * (M * scale s) + 9 * scale s.
Proof. destruct (budget_range N s _ (fine_range s m r)) as [A B]. fold sh (lam r) (bud r) M in A, B.
unfold bud, most, sh in *. lra. Qed.
Lemma bud_top r : INR (bud r) <= M * scale s * (4 * ln (INR s + 3/2) + 2 * ln (asked r) + 1513/100).
Proof.
  pose proof (bud_range r) as [_ B]. pose proof (lam_range r) as [_ L].
  assert (9 * scale s <= 9 * (M * scale s)) by nra.
  apply (Rmult_le_compat_l (2 * (M * scale s))) in L; [|lra]. lra.
Qed.
Definition wrong_rate : R := 7/10 * (M * scale s).
Lemma bud_step r : INR (self_plays r) + (INR (bud (S r)) - INR (bud r)) <= 3/4 * (wrong_rate / 4 ^ r) * asked r.
Proof.
  pose proof (bud_range r) as [A _]. pose proof (bud_range (S r)) as [_ B]. pose proof (asked_pos r). pose proof ln2_le.
  pose proof ln2_ge. pose proof (pow_lt 4 r ltac:(lra)) as P4. set (b := INR (self_plays r)).
  set (e := INR (2 ^ (r + 2))).
  assert (lam (S r) = lam r + e * ln 2) as E.
  { unfold lam. pose proof Sh as Sr. fold sh in Sr. unfold e. rewrite <- ln_asked, <- ln_mult, asked_S by positive.
  f_equal. field. lra. }
  assert (16 <= b /\ 4 * e <= b) as [E1 E2].
  { unfold b, e, self_plays. pose proof (rounds_exponent r) as X. replace 16 with (INR (2 ^ 4)) by (simpl; lra).
    replace 4 with (INR (2 ^ 2)) by (simpl; lra). rewrite <- mult_INR, <- Nat.pow_add_r.
    split; apply le_INR, Nat.pow_le_mono_r; lia. }
  rewrite E in B. replace (3/4 * (wrong_rate / 4 ^ r) * asked r) with (21/40 * (M * scale s) * b)
    by (rewrite <- self_plays_asked; unfold wrong_rate, b; field; lra).
  assert (64/9 * b <= M * scale s * b) by (apply Rmult_le_compat_r; lra).
  apply (Rmult_le_compat_l (M * scale s)) in E1; [|lra].
  assert (M * scale s * (2 * (e * ln 2)) <= M * scale s * (b * (347/1000))); [|lra].
  apply Rmult_le_compat_l; [lra|]. replace (2 * (e * ln 2)) with ((4 * e) * (ln 2 / 2)) by field.
  apply Rmult_le_compat; try lra. unfold e. positive.
Qed.

(** An arm that is not the winner: what is known against it pays. *)
Let known_fair r y v : c <> w -> In v order -> Fit r y ->
  P c v * against_it s m w (dueled v true y) + (1 - P c v) * against_it s m w (dueled v false y) <= against_it s m w y.
Proof.
  intros Ne Hv F. apply (worth_fair P s m omega_own 1 c w []) with (y := fun b => dueled v b y);
    [split; [exact P01|apply (c_anti _ _ _ _ HC)]|apply omega_range|lra| |apply F|now left|now intro].
  intros u [->|[]]. pose proof (c_win _ _ _ _ HC c Hc Ne). rewrite (c_anti _ _ _ _ HC w c). lra.
Qed.
Let known_pos r y : Fit r y -> 0 <= against_it s m w y.
Proof.
  intro F. unfold against_it, worth_now. rewrite (f_out _ _ _ _ _ F). pose proof (f_sound _ _ _ _ _ F w) as So.
  pose proof (known_nonneg _ omega_range (all y w) ltac:(lia)). pose proof (rest_nonneg _ omega_range (S m)).
  pose proof (likely_nonneg s m _ omega_range (now y w) ltac:(lia)). lra.
Qed.
Let known_opened : against_it s m w (opened x) = worth omega_own 1 w x.
Proof. apply worth_opened. reflexivity. Qed.
Let spent_fits r y : Fit r y -> INR (spent y) <= INR (bud r).
Proof. intro F. apply le_INR, F. Qed.
Let spent_S j b y : INR (spent (dueled j b y)) = INR (spent y) + 1.
Proof. apply S_INR. Qed.
Let price (rg : arm -> arm -> bool) u v := ind (rg u v). Let price_range rg u v : 0 <= price rg u v <= 1.
Proof. unfold price, ind. destruct (rg u v); lra. Qed.

Lemma wrong_rounds rg F : c <> w -> expected_regret P rg (run F) <= INR (bud 0) + wrong_rate * worth omega_own 1 w x.
Proof.
  intro Ne. assert (In w order) as Hin by (apply HI; split; [apply (c_in _ _ _ _ HC)|auto]).
  set (q := fun r => wrong_rate / 4 ^ r). assert (Q : forall r, 0 <= q r).
  { intro r. unfold q, wrong_rate. positive. }
  assert (QS : forall r, q r = 4 * q (S r)) by (intro r; unfold q; cbn [pow]; field; apply pow_nonzero; lra).
  rewrite ER_tally. eapply Rle_trans; [apply (rounds_tally N s m c order order_once P (price rg)
    (fun _ r y => INR (bud r) - INR (spent y) + q r * against_it s m w y) (fun _ => 0) P01);
      [| | | |exact fit_opened]|].
  - intros F' r y v b Hv Hy _ ->. rewrite !spent_S. pose proof (known_fair r y v Ne Hv Hy) as K.
    apply (Rmult_le_compat_l _ _ _ (Q r)) in K. pose proof (price_range rg c v). lra.
  - intros F' r y Hy Pass. specialize (Pass w Hin). pose proof (bud_step r) as B. fold (q r) in B. pose proof (QS r).
    apply (Rmult_le_compat_l (3/4 * q r)) in Pass; [|specialize (Q r); lra].
    pose proof (proj2 (price_range rg c c)) as U.
    apply (Rmult_le_compat_l (INR (self_plays r))) in U; [|apply pos_INR]. replace (q (S r)) with (q r / 4) by lra. lra.
  - intros F' r y Hy _. pose proof (spent_fits r y Hy). pose proof (Rmult_le_pos _ _ (Q r) (known_pos r y Hy)). lra.
  - intros r y Hy. pose proof (spent_fits r y Hy). pose proof (Rmult_le_pos _ _ (Q r) (known_pos r y Hy)). lra.
  - rewrite known_opened. unfold q. cbn [opened spent INR pow]. lra.
Qed.
Lemma wrong_worth F : c <> w ->
  expect P (run F) (fun o => match o with Some y => against_it s m w y | None => 0 end) <= worth omega_own 1 w x.
Proof.
  intro Ne. rewrite <- known_opened, <- tally_expect. apply (rounds_tally N s m c order order_once P (fun _ _ => 0)
    (fun _ _ => against_it s m w)); try exact P01; try exact fit_opened; try (intros; lra).
  - intros F' r y v b Hv Hy _ ->. pose proof (known_fair r y v Ne Hv Hy). lra.
  - exact known_pos.
Qed.

(** The winner: its duels are free, or within the budget of the last of [F] rounds, ... *)
Lemma free_rounds rg F : (forall j, In j order -> rg c j = false) -> rg c c = false -> expected_regret P rg (run F) <=
  0.
Proof.
  intros Free Free'. rewrite ER_tally. apply (rounds_tally N s m c order order_once P _ (fun _ _ _ => 0));
    try exact P01; try exact fit_opened; try (intros; lra).
  - intros F' r y v b Hv _ _ _. rewrite Free by exact Hv. cbn. lra.
  - intros. rewrite Free'. cbn. lra.
Qed.
Let bud_le r r' : (r <= r')%nat -> INR (bud r) <= INR (bud r').
Proof.
  induction 1 as [|r' _ IH]; [lra|]. eapply Rle_trans; [exact IH|]. apply le_INR. pose proof (asked_pos r').
  apply (stage_budget_falls N s (share omega_own m * / asked (S r')) (share omega_own m * / asked r'));
    [split; [exact (proj1 (fine_range s m (S r')))|]|exact (proj2 (fine_range s m r'))].
  apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [lra|]. rewrite asked_S. nra.
Qed.
Lemma capped_rounds rg F R : (F <= S R)%nat -> rg c c = false -> expected_regret P rg (run F) <= INR (bud R).
Proof.
  intros HF Free. rewrite ER_tally. eapply Rle_trans; [apply (rounds_tally N s m c order order_once P (price rg)
    (fun n r y => match n with O => 0 | S _ => INR (bud (r + n - 1)) - INR (spent y) end) (fun _ => 0) P01);
    [| | | |exact fit_opened]|].
  - intros n r y v b Hv Hy Sp ->. rewrite !spent_S. pose proof (price_range rg c v). lra.
  - intros n r y Hy _. unfold price. rewrite Free. cbn [ind]. destruct n as [|n].
    + pose proof (spent_fits r y Hy). replace (r + 1 - 1)%nat with r by lia. lra.
    + replace (S r + S n - 1)%nat with (r + S (S n) - 1)%nat by lia. lra.
  - intros n r y Hy _. pose proof (spent_fits r y Hy). pose proof (bud_le r (r + S n - 1) ltac:(lia)). lra.
  - intros. lra.
  - destruct F as [|F]; [apply pos_INR|]. pose proof (bud_le (0 + S F - 1) R ltac:(lia)). cbn [opened spent INR]. lra.
Qed.

(** ... and, where its gap is large enough, few: Wald's identity. *)
Let logs (y : state) : R := sum_over (fun j => ln (L g (own y j))) order.
Let logs_dueled r j b y : In j order -> Fit r y -> logs (dueled j b y) = logs y + ln (factor g b).
Proof.
  intros Hj F. unfold logs. cbn [dueled own].
  rewrite (sum_over_change (fun z => ln (L g z)) (own y) j _ order order_once Hj). pose proof (f_sound _ _ _ _ _ F j).
  rewrite L_one_more, ln_mult by (unfold sensible; try lia; try (destruct b; cbn [factor]; lra); now apply L_pos). ring.
Qed.
Let logs_opened : logs (opened x) = 0.
Proof.
  unfold logs. rewrite (sum_over_ext _ (fun _ => 0)), sum_over_const; [ring|]. intro. rewrite L_nothing. apply ln_1.
Qed.
Let logs_le r y : Fit r y -> logs y <= M * lam r.
Proof.
  intro F. unfold logs, M. rewrite <- HL. apply sum_over_le. intros j _. apply ln_le; [now apply L_pos|].
  eapply Rle_trans; [apply F|]. fold sh. pose proof (asked_pos r). pose proof Sh. fold sh in H0. right. field. lra.
Qed.
Lemma timed_rounds rg F R rate : (F <= S R)%nat -> 0 < rate ->
  (forall j, In j order -> rate * (g * g) <= P c j * ln (1 + 2 * g) + (1 - P c j) * ln (1 - 2 * g)) ->
  rg c c = false -> expected_regret P rg (run F) <= M * scale s * (lam R / rate).
Proof.
  intros HF Hr Rate Free. assert (Le : forall r r', (r <= r')%nat -> M * lam r <= M * lam r').
  { intros r r' H. apply Rmult_le_compat_l; [lra|]. apply asked_le in H. pose proof (asked_pos r). pose proof Sh.
  fold sh in H1.
    apply ln_le; [positive|]. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [positive|].
    apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
  set (k := / (rate * (g * g))). assert (0 < k) as K0 by (unfold k; positive).
  assert (K1 : k * (rate * (g * g)) = 1) by (unfold k; field; lra).
  rewrite ER_tally. eapply Rle_trans; [apply (rounds_tally N s m c order order_once P (price rg)
    (fun n r y => match n with O => 0 | S _ => k * (M * lam (r + n - 1) - logs y) end) (fun _ => 0) P01);
    [| | | |exact fit_opened]|].
  - intros n r y v b Hv Hy _ ->. rewrite !(logs_dueled r) by assumption. specialize (Rate v Hv). cbn [factor].
    apply (Rmult_le_compat_l k) in Rate; [|lra]. pose proof (price_range rg c v). lra.
  - intros n r y Hy _. unfold price. rewrite Free. cbn [ind]. destruct n as [|n].
    + pose proof (logs_le r y Hy). replace (r + 1 - 1)%nat with r by lia.
      assert (0 <= k * (M * lam r - logs y)) by positive. lra.
    + replace (S r + S n - 1)%nat with (r + S (S n) - 1)%nat by lia. lra.
  - intros n r y Hy _. pose proof (logs_le r y Hy). pose proof (Le r (r + S n - 1)%nat ltac:(lia)). positive.
  - intros. lra.
  - apply Rle_trans with (k * (M * lam R)); [|right; unfold k, g; rewrite Rinv_mult, scale_inv; field; lra].
    pose proof (proj1 (lam_range R)). pose proof (asked_pos R). pose proof (ln_pos (asked R)).
    destruct F as [|F]; [assert (0 <= lam R) by lra; positive|]. apply Rmult_le_compat_l; [lra|].
    pose proof (Le (0 + S F - 1)%nat R ltac:(lia)). lra.
Qed.

(** It is seldom given up. *)
Hypothesis Win : forall j, In j order -> 1/2 + g <= P c j.
Let used_up (r : nat) : R := exp (M * lam r / 2 - root_rate g * INR (bud r)).
Let used_up_small r : 0 <= used_up r <= (10/27) ^ 4 * (/ 2) ^ (r + 2).
Proof.
  split; [left; apply exp_pos|]. pose proof (bud_range r) as [A _]. pose proof (scale_gap s) as SG. fold g in SG.
  pose proof (proj1 (lam_range r)) as La. rewrite ln_asked in La. pose proof ln2_ge.
  apply Rle_trans with (exp (- INR 4) * exp (INR (r + 2) * - ln 2)).
  - rewrite <- exp_plus. apply exp_le. assert (g * g / 2 <= root_rate g) as Rt by (unfold root_rate; nra).
    apply (Rmult_le_compat_r (INR (bud r))) in Rt; [|apply pos_INR]. apply (Rmult_le_compat_l (g * g / 2)) in A;
      [|positive].
    replace (g * g / 2 * (M * scale s * (2 * lam r) + 9 * scale s)) with ((M * lam r + 9 / 2) * (scale s * (g * g)))
      in A by field.
    rewrite SG in A. assert (2 * INR (r + 2) <= INR (2 ^ (r + 2))) as E
      by (rewrite <- (mult_INR 2); apply le_INR; pose proof (rounds_exponent r); lia).
    apply (Rmult_le_compat_r (ln 2)) in E; [|lra].
    assert (1 * lam r <= M * lam r).
    { apply Rmult_le_compat_r; [|lra]. pose proof (pos_INR (2 ^ (r + 2))). nra. }
    simpl (INR 4). lra.
  - apply Rmult_le_compat; try (left; apply exp_pos); [apply exp_minus|]. rewrite exp_pow, exp_Ropp, exp_ln by lra. lra.
Qed.
Fixpoint used_up_from (n r : nat) : R := match n with O => 0 | S n' => used_up r + used_up_from n' (S r) end.
Let used_up_all n : forall r, 0 <= used_up_from n r <= (10/27) ^ 4 * (/ 2) ^ (r + 1).
Proof.
  induction n as [|n IH]; intro r; cbn [used_up_from]; [split; [lra|positive]|]. specialize (IH (S r)).
  pose proof (used_up_small r) as U. replace (S r + 1)%nat with (S (r + 1)) in IH by lia.
  replace (r + 2)%nat with (S (r + 1)) in U by lia. cbn [pow] in *. lra.
Qed.
Lemma seldom_lost F : expect P (run F) (fun o => match o with Some _ => 1 | None => 0 end) <= / 4096 + (10/27) ^ 4 / 2.
Proof.
  set (e := certificate_loss N). pose proof (loss_nonneg N) as E0. fold e in E0.
  set (S1 := fun y => sum_over (fun j => / L g (own y j)) order). set (S2 := fun y => exp (root_rate g * INR (spent y)
    - logs y / 2)).
  assert (Pos : forall y j, 0 < / L g (own y j)) by (intros; apply Rinv_0_lt_compat, L_pos, Hg).
  assert (S1p : forall y, 0 <= S1 y) by (intro y; apply sum_over_nonneg; intros j _; left; apply Pos).
  assert (S2p : forall y, 0 <= S2 y) by (intro y; left; apply exp_pos).
  rewrite <- tally_expect. eapply Rle_trans; [apply (rounds_tally N s m c order order_once P (fun _ _ => 0)
    (fun n r y => e * S1 y + used_up_from n r * S2 y) _ P01); [| | | |exact fit_opened]|].
  - intros n r y v b Hv Hy _ ->. pose proof (used_up_all (S n) r) as U.
  pose proof (conj (Win v Hv) (proj2 (P01 c v))) as Hp.
    assert (P c v * S1 (dueled v true y) + (1 - P c v) * S1 (dueled v false y) <= S1 y) as D1.
    { unfold S1. cbn [dueled own]. rewrite !(sum_over_change (fun z => / L g z) (own y) v _ order order_once Hv).
      pose proof (f_sound _ _ _ _ _ Hy v) as So. rewrite !L_one_more, !Rinv_mult by (unfold sensible; lia).
      cbn [factor].
      pose proof (inverse_L g (P c v) 0 0 Hg Hp (le_n _)) as Q. rewrite L_win, L_loss, L_start, !Rmult_1_r, Rinv_1 in
        Q by lia.
      apply (Rmult_le_compat_r (/ L g (own y v))) in Q; [lra|left; apply Pos]. }
    assert (P c v * S2 (dueled v true y) + (1 - P c v) * S2 (dueled v false y) <= S2 y) as D2.
    { unfold S2. rewrite !spent_S, !(logs_dueled r) by assumption. set (z := root_rate g * INR (spent y) - logs y / 2).
      assert (Z : forall f, root_rate g * (INR (spent y) + 1) - (logs y + f) / 2 = (z + root_rate g) + - (f / 2)) by
        (intro; unfold z; field).
      rewrite !Z, !(exp_plus (z + root_rate g)). pose proof (sharp_root_drift g (P c v) Hg Hp) as Q.
      cbn [factor]. rewrite !exp_half_ln by lra.
      apply (Rmult_le_compat_l (exp (z + root_rate g))) in Q; [|left; apply exp_pos]. rewrite <- exp_plus in Q.
      replace (z + root_rate g + - root_rate g) with z in Q by ring. lra. }
    apply (Rmult_le_compat_l e) in D1; [|exact E0]. apply (Rmult_le_compat_l (used_up_from (S n) r)) in D2;
      [lra|apply U].
  - intros n r y _ _. cbn [used_up_from]. pose proof (Rmult_le_pos _ _ (proj1 (used_up_small r)) (S2p y)). lra.
  - intros n r y Hy [(j & Hj & Be)|Sp]; pose proof (used_up_all n (S r)) as U; cbn [used_up_from];
      pose proof (Rmult_le_pos _ _ (proj1 U) (S2p y)); pose proof (Rmult_le_pos _ _ E0 (S1p y));
      pose proof (Rmult_le_pos _ _ (proj1 (used_up_small r)) (S2p y)).
    + assert (1 <= e * S1 y); [|lra]. unfold beaten, sinks in Be. destruct (Rle_dec _ _) as [Q|]; [|discriminate].
      fold g e (L g (own y j)) in Q. apply Rle_trans with (e * / L g (own y j)); [apply (Rle_div_r 1 e);
        [now apply L_pos|lra]|].
      apply Rmult_le_compat_l; [exact E0|]. apply (sum_over_at_least (fun j => / L g (own y j))); [|exact Hj]. intro.
      left. apply Pos.
    + assert (1 <= used_up r * S2 y); [|lra]. unfold used_up, S2. rewrite <- exp_plus, <- exp_0. apply exp_le.
      pose proof (logs_le r y Hy). apply le_INR, (Rmult_le_compat_l (root_rate g)) in Sp; [fold (bud r) in Sp;
        lra|unfold root_rate; positive].
  - intros r y _. cbn [used_up_from]. pose proof (Rmult_le_pos _ _ E0 (S1p y)). lra.
  - unfold S2, S1. rewrite logs_opened. cbn [opened spent own INR]. rewrite Rmult_0_r.
  replace (0 - 0 / 2) with 0 by field.
    rewrite exp_0, sum_over_const, L_nothing, Rinv_1, HL. fold M. pose proof (loss_small N HN) as E1. fold e M in E1.
    pose proof (proj2 (used_up_all F 0)) as Q. cbn [Nat.add pow] in Q. lra.
Qed.
End Opened.

(** ** The memory, and a stage *)

Definition lookup (i : arm) (l : cells) : cell := match position i l with Some k => cell_at k l | None => empty end.

Lemma position_name c l : forall k, position c l = Some k -> fst (nth k l (0%nat, empty)) = c.
Proof.
  induction l as [|[i x] l IH]; intros k H; cbn [position] in H; [discriminate|].
  destruct (Nat.eqb_spec i c) as [->|Ne]; [now injection H as <-|].
  destruct (position c l) as [k'|]; [|discriminate]. injection H as <-. now apply IH.
Qed.
Lemma position_put i x l : forall k, position i (put k x l) = position i l.
Proof. induction l as [|[j y] l IH]; intros [|k]; cbn [put position]; auto. now rewrite IH. Qed.
Lemma lookup_put c k x l i : position c l = Some k -> lookup i (put k x l) = if Nat.eqb i c then x else lookup i l.
Proof.
  intro H. pose proof (position_lt c l k H) as Hk. unfold lookup. rewrite position_put.
  destruct (Nat.eqb_spec i c) as [->|Ne]; [rewrite H, cell_at_put, Nat.eqb_refl; auto|].
  destruct (position i l) as [k'|] eqn:E; [|reflexivity]. rewrite cell_at_put by exact Hk.
  destruct (Nat.eqb_spec k' k) as [->|]; [|reflexivity]. apply position_name in E, H. congruence.
Qed.
Lemma lookup_new c l : position c l = None ->
  position c (l ++ [(c, empty)]) = Some (length l) /\ forall i, lookup i (l ++ [(c, empty)]) = lookup i l.
Proof.
  assert (App : forall i l', position i (l ++ l') =
    match position i l with Some k => Some k | None => option_map (Nat.add (length l)) (position i l') end).
  { intros i l'. induction l as [|[j y] l IH]; cbn [app position length]; [now destruct (position i l')|].
    destruct (Nat.eqb j i); [reflexivity|]. rewrite IH. destruct (position i l); [reflexivity|].
    now destruct (position i l'). }
  intro H. split; [rewrite App, H; cbn; rewrite Nat.eqb_refl; cbn; now rewrite Nat.add_0_r|].
  intro i. unfold lookup, cell_at. rewrite App. destruct (position i l) as [k|] eqn:E.
  - now rewrite app_nth1 by now apply position_lt with i.
  - cbn [position]. destruct (Nat.eqb c i); [|reflexivity]. cbn [option_map].
    now rewrite app_nth2, Nat.add_0_r, Nat.sub_diag by lia.
Qed.

Lemma no_answer N c y : (2 <= N)%nat -> (forall j, gone y j = false) -> answer N c y = None.
Proof. intros HN G. unfold answer. destruct N as [|[|n]]; [lia|lia|]. cbn [seq filter]. now rewrite !G. Qed.

Section OneStage.
Variable P : arm -> arm -> R.
Variables (N s : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HD : 0 < Delta.
Hypothesis HN : (2 <= N)%nat.
Let P01 := c_01 _ _ _ _ HC.
Variables (F : nat) (l : cells) (c : arm) (order : list arm).
Hypothesis Hl : forall i, sane s (lookup i l).
Hypothesis Hc : (c < N)%nat.
Hypothesis HL : length order = (N - 1)%nat.
Hypothesis HI : forall j, In j order <-> (j < N)%nat /\ j <> c.
Let x := lookup c l.
Let m := visits x.
Let stage := own_stage N 0 self_plays (fun _ => F) s l c (against c order).
Let run := rounds N s m omega_own 0 self_plays c F 0 (against c order) (opened x).

(** With a cell that is there, and after a screen if it is new. *)
Definition visiting (l0 : cells) (k : nat) : prog (option (cells * option arm)) :=
  obind run (fun y => Ret (Some (put k (closed (S m) y) l0, answer N c (closed (S m) y)))).
Lemma stage_is : exists l0 k, position c l0 = Some k /\ (forall i, lookup i l0 = lookup i l) /\
  (stage = visiting l0 k \/
   stage = bind (screen s (against c order)) (fun o => if certified o then visiting l0 k else Ret (Some (l, None)))).
Proof.
  assert (V : forall l0 k, cell_at k l0 = x -> visit_own N 0 self_plays (fun _ => F) s l0 k c (against c order) =
    visiting l0 k).
  { intros l0 k Hk. unfold visit_own, visiting, visit, obind, champion_level. rewrite Hk, Rmult_0_l. unfold run, m.
    generalize (rounds N s (visits x) omega_own 0 self_plays c F 0 (against c order) (opened x)). intro p.
    induction p as [[y|]|t u v f IH]; cbn [bind]; try reflexivity. f_equal.
    apply FunctionalExtensionality.functional_extensionality. exact IH. }
  unfold stage, own_stage. destruct (position c l) as [k|] eqn:E.
  - exists l, k. split; [exact E|]. split; [auto|]. left. apply V. unfold x, lookup. now rewrite E.
  - destruct (lookup_new c l E) as [A B]. exists (l ++ [(c, empty)]), (length l). split; [exact A|]. split; [exact B|].
    right. f_equal. apply FunctionalExtensionality.functional_extensionality. intro o.
    destruct (certified o); [|reflexivity].
    apply V. specialize (B c). unfold lookup in B at 1. rewrite A in B. exact B.
Qed.

Definition next (o : option (cells * option arm)) : Prop := match o with
  | Some (l', a) => a = None /\ (forall i, sane (S s) (lookup i l')) /\ (forall i, i <> c -> lookup i l' = lookup i l)
  | None => True
  end.
Let After : leaves (fun o => match o with Some y => sane (S s) (closed (S m) y) /\
    worth omega_own 1 w (closed (S m) y) <= against_it s m w y | None => True end) run.
Proof.
  eapply leaves_impl; [apply (rounds_leaves N s m c order (order_once N HN x c order Hc HL HI)), fit_opened, Hl|].
  intros [y|]; [|auto]. intros [r' I].
  pose proof (f_sound _ _ _ _ _ I). split; [|apply worth_closed; [apply omega_range|lra|assumption]].
  split; [pose proof (proj1 (Hl c)); cbn; unfold m, x; lia|]. split; [now apply sound_closed|intro j; apply I].
Qed.
Lemma stage_next : leaves next stage.
Proof.
  assert (Sane : forall i, sane (S s) (lookup i l)) by (intro i; destruct (Hl i) as [A B]; split; [lia|exact B]).
  destruct stage_is as (l0 & k & Hk & H & E). assert (leaves next (visiting l0 k)) as V.
  { eapply leaves_bind; [exact After|]. intros [y|] Hy; [|exact Logic.I]. destruct Hy as [Sy _].
    split; [|split; intro i; rewrite (lookup_put c) by exact Hk; rewrite H; destruct (Nat.eqb_spec i c); auto;
      contradiction].
    apply no_answer; [exact HN|apply Sy]. }
  destruct E as [->| ->]; [exact V|]. eapply leaves_bind; [apply leaves_true|]. intros o _.
  destruct (certified o); [exact V|]. cbn. auto.
Qed.
Lemma stage_worth : c <> w ->
  expect P stage (fun o => match o with Some (l', _) => worth omega_own 1 w (lookup c l') | None => 0 end) <=
  worth omega_own 1 w x.
Proof.
  intro Ne. destruct stage_is as (l0 & k & Hk & H & E).
  assert (expect P (visiting l0 k) (fun o => match o with Some (l', _) => worth omega_own 1 w (lookup c l') | None =>
    0 end)
    <= worth omega_own 1 w x) as V.
  { unfold visiting, obind. rewrite E_bind. eapply Rle_trans;
      [|apply (wrong_worth P N s w Delta HC HD HN x c order (Hl c) Hc HL HI F Ne)].
    eapply (E_mono_leaves P P01); [exact After|]. intros [y|] Hy; cbn [expect]; [|lra].
    rewrite (lookup_put c), Nat.eqb_refl by exact Hk. apply Hy. }
  destruct E as [->| ->]; [exact V|]. rewrite E_bind. apply E_le; [exact P01|]. intro o.
  destruct (certified o); [exact V|]. apply Rle_refl.
Qed.
Lemma stage_cost rg a b : 0 <= a -> expected_regret P rg (screen s (against c order)) <= a ->
  0 <= b -> expected_regret P rg run <= b -> expected_regret P rg stage <= a + b.
Proof.
  intros A0 A B0 B. assert (V : forall l0 k, expected_regret P rg (visiting l0 k) <= b).
  { intros l0 k. unfold visiting, obind. rewrite ER_bind, (E_ext _ _ _ (fun _ => 0)), E_const; [lra|].
  now intros [y|]. }
  destruct stage_is as (l0 & k & _ & _ & [->| ->]); [apply Rle_trans with b; [apply V|lra]|].
  rewrite ER_bind. apply Rplus_le_compat; [exact A|]. apply E_le; [exact P01|]. intro o.
  destruct (certified o); [apply V|exact B0].
Qed.
Lemma screen_cap rg : expected_regret P rg (screen s (against c order)) <= 36 * scale s.
Proof.
  eapply Rle_trans; [apply ER_le_ET, P01|]. eapply Rle_trans; [apply ET_le_max, P01|]. rewrite <- screen_duels.
  apply le_INR, within_budget.
Qed.

(** The winner's goes on. *)
Hypothesis Hw : c = w.
Hypothesis Hs : gap s <= Delta.
Lemma own_win : forall j, In j order -> 1/2 + gap s <= P c j.
Proof.
  intros j Hj. apply HI in Hj. destruct Hj as [A B]. rewrite Hw. pose proof (c_win _ _ _ _ HC j A ltac:(congruence)).
  lra.
Qed.
Lemma own_screen : 1 - (/ 32 + (10/27) ^ 14) <= Pr P (screen s (against c order)) certified /\
  ET P (screen s (against c order)) <= 3123/1000 * scale s.
Proof.
  apply screen_right; [split; [exact P01|apply (c_anti _ _ _ _ HC)]|]. intros u v H. apply in_map_iff in H.
  destruct H as (j & [= <- <-] & Hj). split; [apply HI in Hj; intuition auto|now apply own_win].
Qed.
Lemma stage_goes_on : expect P stage (fun o => match o with Some _ => 1 | None => 0 end) <= 9/200.
Proof.
  set (q := / 4096 + (10/27) ^ 4 / 2). set (q' := / 32 + (10/27) ^ 14). assert (q + q' <= 9/200) by (unfold q, q'; lra).
  assert (V : forall l0 k, expect P (visiting l0 k) (fun o => match o with Some _ => 1 | None => 0 end) <= q).
  { intros l0 k. unfold visiting, obind. rewrite E_bind.
    eapply Rle_trans; [|apply (seldom_lost P N s w Delta HC HN x c order (Hl c) Hc HL HI own_win F)].
    apply E_mono; [exact P01|]. intros [y|]; cbn; lra. }
  destruct stage_is as (l0 & k & _ & _ & [->| ->]); [specialize (V l0 k); unfold q, q' in *; lra|].
  rewrite E_bind. apply Rle_trans with (q + q' * 1); [|lra].
  apply (E_unless P P01 _ _ certified _ _ _ _ (leaves_true _)); [lra|apply own_screen|]. intros o _.
  destruct (certified o); [rewrite Rplus_0_r; apply V|]. cbn. unfold q. lra.
Qed.
End OneStage.

(** ** All stages *)

Lemma scale_le s t : (s <= t)%nat -> scale s <= scale t.
Proof. induction 1 as [|t _ IH]; [lra|]. rewrite scale_S. pose proof (scale_pos t). lra. Qed.

Section Search.
Variable P : arm -> arm -> R.
Variables (N : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HD : 0 < Delta.
Hypothesis HN : (2 <= N)%nat.
Let P01 := c_01 _ _ _ _ HC.
Let M := INR (N - 1).
Variable find : nat -> prog (option (arm * list (arm * arm))).
Hypothesis Finds : finds (own_matches N) P N w Delta find.
Let F_own := proj1 Finds.
Let F_starts := proj1 (proj2 Finds).
Let F_cost := proj1 (proj2 (proj2 Finds)).
Let F_right := proj1 (proj2 (proj2 (proj2 Finds))).

Variables (rg : arm -> arm -> bool) (F : nat) (won : nat -> R).
Hypothesis won_nonneg : forall s, 0 <= won s.
Hypothesis won_cost : forall s l order, (forall i, sane s (lookup i l)) -> length order = (N - 1)%nat ->
  (forall j, In j order <-> (j < N)%nat /\ j <> w) ->
  expected_regret P rg (own_stage N 0 self_plays (fun _ => F) s l w (against w order)) <= won s.

Definition lost (s : nat) : R := M * scale s * (4 * ln (INR s + 3/2) + 2 * ln (asked 0) + 5113/100).
Definition worths (l : cells) (i : arm) : R := if Nat.eqb i w then 0 else worth omega_own 1 w (lookup i l).
Definition goes_on (s : nat) : R := if Rle_dec (gap s) Delta then 1/6 else 1.
Definition of_champion (s : nat) (v : arm -> R) (o : option (arm * list (arm * arm))) : R :=
  match o with Some (c, _) => if Nat.eqb c w then won s else lost s + wrong_rate N s * v c | None => 0 end.
(** What [n] stages from [s] on cost, if [v i] is what is known of the cell of [i]. *)
Fixpoint price (n s : nat) (v : arm -> R) : R :=
  match n with
  | O => 0
  | S n' => C_find * M * scale s + expect P (find s) (of_champion s v) + goes_on s * price n' (S s) v
  end.

Let M_pos : 1 <= M := M_ge1 N HN.
Let worth_sane s x : sane s x -> 0 <= worth omega_own 1 w x.
Proof. intros (_ & H & _). apply worth_nonneg; [apply omega_range|lra|exact H]. Qed.
Lemma lost_nonneg s : 0 <= lost s.
Proof.
  unfold lost. pose proof M_pos. pose proof (scale_pos s). pose proof (ln_stage_nonneg s). pose proof (asked_pos 0).
  pose proof (ln_pos (asked 0) H2). positive.
Qed.
Lemma rate_nonneg s : 0 <= wrong_rate N s.
Proof. unfold wrong_rate. pose proof (scale_pos s). positive. Qed.
Lemma goes_on_range s : 1/6 <= goes_on s <= 1.
Proof. unfold goes_on. destruct (Rle_dec _ _); lra. Qed.
Lemma price_mono n : forall s v v', (forall i, i <> w -> v i <= v' i) -> price n s v <= price n s v'.
Proof.
  induction n as [|n IH]; intros s v v' H; cbn [price]; [lra|]. pose proof (goes_on_range s).
  specialize (IH (S s) v v' H).
  apply Rplus_le_compat; [apply Rplus_le_compat_l, E_mono; [exact P01|]|apply Rmult_le_compat_l; lra].
  intros [[c ps]|]; cbn; [|lra]. destruct (Nat.eqb_spec c w); [lra|]. apply Rplus_le_compat_l, Rmult_le_compat_l; auto.
  apply rate_nonneg.
Qed.
Lemma price_nonneg n : forall s v, (forall i, 0 <= v i) -> 0 <= price n s v.
Proof.
  induction n as [|n IH]; intros s v H; cbn [price]; [lra|]. pose proof (goes_on_range s). specialize (IH (S s) v H).
  pose proof (scale_pos s). assert (0 <= C_find * M * scale s) by (unfold C_find; positive).
  assert (0 <= expect P (find s) (of_champion s v)); [|assert (0 <= goes_on s * price n (S s) v) by positive; lra].
  rewrite <- (E_const P (find s) 0). apply E_mono; [exact P01|]. intros [[c ps]|]; cbn; [|lra].
  destruct (Nat.eqb c w); [apply won_nonneg|]. pose proof (lost_nonneg s). pose proof (rate_nonneg s). specialize (H c).
  assert (0 <= wrong_rate N s * v c) by positive. lra.
Qed.
Lemma price_expect {A} (m : prog A) (V : A -> arm -> R) n : forall s,
  expect P m (fun a => price n s (V a)) = price n s (fun i => expect P m (fun a => V a i)).
Proof.
  induction n as [|n IH]; intro s; cbn [price]; [apply E_const|]. rewrite !E_plus, E_const, E_scal, IH. do 2 f_equal.
  rewrite E_swap. apply E_ext. intros [[c ps]|]; cbn; [|apply E_const]. destruct (Nat.eqb c w); [apply E_const|].
  now rewrite E_plus, E_const, E_scal.
Qed.

Lemma worths_nonneg s l i : (forall i, sane s (lookup i l)) -> 0 <= worths l i.
Proof. intro H. unfold worths. destruct (Nat.eqb i w); [lra|]. now apply (worth_sane s). Qed.

Lemma stages_cost n : forall s l, (forall i, sane s (lookup i l)) ->
  expected_regret P rg (stages find (own_stage N 0 self_plays (fun _ => F)) n s l) <= price n s (worths l).
Proof.
  induction n as [|n IH]; intros s l Hl; cbn [stages price]; [cbn; lra|]. unfold obind at 1.
  rewrite ER_bind, Rplus_assoc. apply Rplus_le_compat.
  { eapply Rle_trans; [apply ER_le_ET, P01|]. eapply Rle_trans; [apply F_cost|]. unfold Rdiv. rewrite scale_inv.
    apply Rle_refl. }
  set (B := price n (S s) (worths l)).
  assert (0 <= B) as B0 by (apply price_nonneg; intro i; now apply (worths_nonneg s)).
  set (q := if Rle_dec (gap s) Delta then 9/200 else 1).
  apply Rle_trans with (expect P (find s) (fun o => of_champion s (worths l) o + B * if found w o then q else 1)).
  - eapply (E_mono_leaves P P01); [apply F_own|]. intros [[c ps]|] Hm; [|cbn; lra].
    destruct Hm as (Hc & order & -> & HL & HI). cbn [fst snd found of_champion]. unfold obind at 1. rewrite ER_bind.
    set (stage := own_stage N 0 self_plays (fun _ => F) s l c (against c order)).
    pose proof (stage_next N s w HN F l c order Hl Hc HL HI) as Next.
    set (V := fun (o : option (cells * option arm)) => match o with Some (l', _) => worths l' | None => fun _ => 0 end).
    apply Rplus_le_compat.
    + destruct (Nat.eqb_spec c w) as [->|Ne]; [now apply won_cost|].
      pose proof (scale_pos s) as S0. pose proof (rate_nonneg s) as R0. pose proof (worth_sane s _ (Hl c)) as W0.
      unfold worths. destruct (Nat.eqb_spec c w); [contradiction|]. pose proof (Rmult_le_pos _ _ R0 W0).
      pose proof (pos_INR (most N s (visits (lookup c l)) 0)).
      pose proof (bud_top N s HN (lookup c l) (Hl c) 0) as B1. fold M in B1.
      eapply Rle_trans; [apply (stage_cost P N s w Delta HC F l c order rg (36 * scale s)
        (INR (most N s (visits (lookup c l)) 0) + wrong_rate N s * worth omega_own 1 w (lookup c l)));
        [lra|now apply (screen_cap P N s w Delta HC)|lra|now apply (wrong_rounds P N s w Delta HC HD HN)]|].
      assert (36 * scale s <= 36 * (M * scale s)) by nra. unfold lost. lra.
    + apply Rle_trans with (expect P stage (fun o => (if o then 1 else 0) * price n (S s) (V o))).
      { eapply (E_mono_leaves P P01); [exact Next|]. intros [[l' a]|] Ho; [|cbn; lra]. destruct Ho as (-> & Hl' & _).
        rewrite Rmult_1_l. now apply IH. }
      destruct (Nat.eqb_spec c w) as [->|Ne].
      * apply Rle_trans with (expect P stage (fun o => B * if o then 1 else 0)).
        -- eapply (E_mono_leaves P P01); [exact Next|]. intros [[l' a]|] Ho; [|lra].
           destruct Ho as (_ & _ & Same). rewrite Rmult_1_l, Rmult_1_r. apply price_mono. intros i Hi. cbn [V].
           unfold worths.
           rewrite Same by exact Hi. lra.
        -- rewrite E_scal. apply Rmult_le_compat_l; [exact B0|]. unfold q. destruct (Rle_dec (gap s) Delta) as [G|G].
           ++ eapply Rle_trans; [|apply (stage_goes_on P N s w Delta HC HN F l w order Hl Hc HL HI eq_refl G)].
              apply E_mono; [exact P01|]. intros [o|]; lra.
           ++ apply E_le; [exact P01|]. intros [o|]; lra.
      * rewrite Rmult_1_r. apply Rle_trans with (expect P stage (fun o => price n (S s) (V o))).
        -- eapply (E_mono_leaves P P01); [exact Next|]. intros [[l' a]|] Ho; cbn [V]; [lra|].
           pose proof (price_nonneg n (S s) (fun _ => 0) (fun _ => Rle_refl 0)). lra.
        -- rewrite price_expect. apply price_mono. intros i Hi. unfold worths.
        destruct (Nat.eqb_spec i w); [contradiction|].
           destruct (Nat.eq_dec i c) as [->|Nc].
           ++ eapply Rle_trans; [|apply (stage_worth P N s w Delta HC HD HN F l c order Hl Hc HL HI Ne)].
              apply E_mono; [exact P01|]. intros [[l' a]|]; cbn [V]; [|lra]. unfold worths.
              destruct (Nat.eqb_spec c w); [contradiction|lra].
           ++ eapply (E_le_leaves P P01); [exact Next|]. intros [[l' a]|] Ho; cbn [V]; [|now apply (worth_sane s)].
              destruct Ho as (_ & _ & Same). unfold worths. destruct (Nat.eqb_spec i w); [contradiction|].
              rewrite Same by exact Nc. lra.
  - rewrite E_plus, E_scal, (Rmult_comm (goes_on s)). apply Rplus_le_compat_l, Rmult_le_compat_l; [exact B0|].
    unfold goes_on, q. destruct (Rle_dec (gap s) Delta) as [G|G].
    + rewrite (E_ext P (find s) _ (fun o => 9/200 + 191/200 * (if found w o then 0 else 1)))
        by (intro o; destruct (found w o); lra).
      rewrite E_plus, E_const, E_scal, Pr_not. specialize (F_right s G). lra.
    + apply E_le; [exact P01|]. intro o. destruct (found w o); lra.
Qed.

(** In sum: (a_1, c_1) for every stage, (a_2, c_2) for one that tries at most the gap, (a_3, c_3) for at most half of
  it. *)
Variables a_1 c_1 a_2 c_2 a_3 c_3 : R.
Hypothesis coefficients : 0 <= a_1 /\ 0 <= c_1 /\ 0 <= a_2 /\ 0 <= c_2 /\ 0 <= a_3 /\ 0 <= c_3.
Let form (a z : R) (s : nat) : R := M * scale s * (a * ln (INR s + 3/2) + z).
Hypothesis early : forall s, C_find * M * scale s + Rmax (won s) (lost s + wrong_rate N s) <= form a_1 c_1 s.
Hypothesis late : forall s, gap s <= Delta ->
  C_find * M * scale s + won s + (lost s + wrong_rate N s) / 8 <= form a_2 c_2 s.
Hypothesis later : forall s, 2 * gap s <= Delta ->
  C_find * M * scale s + won s + (lost s + wrong_rate N s) / 8 <= form a_3 c_3 s.

Lemma form_nonneg a z s : 0 <= a -> 0 <= z -> 0 <= form a z s.
Proof. intros. unfold form. pose proof (scale_pos s). pose proof (ln_stage_nonneg s). positive. Qed.
Lemma champion_cost s v : (forall i, 0 <= v i <= 1) ->
  let cost := C_find * M * scale s + expect P (find s) (of_champion s v) in
  cost <= form a_1 c_1 s /\ (gap s <= Delta -> cost <= form a_2 c_2 s) /\ (2 * gap s <= Delta -> cost <= form a_3 c_3
    s).
Proof.
  intros Hv cost. pose proof (lost_nonneg s) as L0. pose proof (rate_nonneg s) as R0. pose proof (won_nonneg s) as W0.
  assert (Wrong : forall i, wrong_rate N s * v i <= wrong_rate N s).
  { intro i. specialize (Hv i). rewrite <- (Rmult_1_r (wrong_rate N s)) at 2. apply Rmult_le_compat_l; lra. }
  assert (U : gap s <= Delta -> cost <= C_find * M * scale s + won s + (lost s + wrong_rate N s) / 8).
  { intro G. rewrite Rplus_assoc. apply Rplus_le_compat_l.
    apply Rle_trans with (won s + 1/8 * (lost s + wrong_rate N s)); [|lra].
    apply (E_unless P P01 _ _ (found w) _ _ _ _ (leaves_true _)); [lra|specialize (F_right s G); lra|].
    intros [[c ps]|] _; cbn [of_champion found]; [|lra]. specialize (Wrong c). destruct (Nat.eqb c w); lra. }
  split; [|split; intro G; (eapply Rle_trans; [apply U; lra|auto])]. eapply Rle_trans; [|apply early].
  apply Rplus_le_compat_l, E_le; [exact P01|]. pose proof (Rmax_l (won s) (lost s + wrong_rate N s)).
  pose proof (Rmax_r (won s) (lost s + wrong_rate N s)). intros [[c ps]|]; cbn [of_champion]; [|lra].
  specialize (Wrong c). destruct (Nat.eqb c w); lra.
Qed.

Variable s0 : nat.
Hypothesis Hs0 : gap s0 <= Delta.
Let then_on (a z : R) : nat -> R := form (a + 2 * a_3) (z + 2 * c_3 + 77/25 * a_3).
Let before_s0 (s : nat) : R := M * ((scale s0 - scale s) / 3) * (a_1 * ln (INR s0 + 3/2) + c_1).
Definition potential (s : nat) : R := if Nat.ltb s0 s then then_on a_3 c_3 s else then_on a_2 c_2 s0 + before_s0 s.

Lemma then_on_step a z s : form a z s + 1/6 * then_on a_3 c_3 (S s) <= then_on a z s.
Proof.
  unfold then_on, form. rewrite scale_S. pose proof (scale_pos s). pose proof (ln_stage_S s) as L.
  apply (Rmult_le_compat_l (2 * a_3)) in L; [|lra]. assert (0 <= M * scale s) as Q by positive.
  apply Rle_trans with (M * scale s * (a * ln (INR s + 3/2) + z +
    2/3 * ((a_3 + 2 * a_3) * ln (INR (S s) + 3/2) + (c_3 + 2 * c_3 + 77/25 * a_3)))).
  - right. field.
  - apply Rmult_le_compat_l; [exact Q|]. lra.
Qed.

Lemma price_bound v : (forall i, 0 <= v i <= 1) -> forall n s, price n s v <= potential s.
Proof.
  intro Hv. destruct coefficients as (A1 & C1 & A2 & C2 & A3 & C3).
  assert (Pos : forall a z s, 0 <= a -> 0 <= z -> 0 <= then_on a z s) by (intros; apply form_nonneg; lra).
  pose proof (ln_stage_nonneg s0) as L0. assert (Bef : forall s, (s <= s0)%nat -> 0 <= before_s0 s).
  { intros s H. apply scale_le in H. unfold before_s0. positive. }
  induction n as [|n IH]; intro s; cbn [price].
  - unfold potential. destruct (Nat.ltb_spec s0 s) as [H|H]; [now apply Pos|]. specialize (Bef s H).
    specialize (Pos a_2 c_2 s0 A2 C2). lra.
  - destruct (champion_cost s v Hv) as (Early & Late & Later). specialize (IH (S s)).
  pose proof (goes_on_range s) as Go.
    assert (0 <= price n (S s) v) as P0 by (apply price_nonneg; intro; apply Hv).
    destruct (Nat.lt_ge_cases s s0) as [H|H].
    + assert (goes_on s * price n (S s) v <= potential (S s)) as Q.
      { apply Rle_trans with (1 * price n (S s) v); [apply Rmult_le_compat_r; lra|lra]. }
      eapply Rle_trans; [apply Rplus_le_compat; [exact Early|exact Q]|]. unfold potential.
      destruct (Nat.ltb_spec s0 s); [lia|]. destruct (Nat.ltb_spec s0 (S s)); [lia|].
      assert (form a_1 c_1 s <= M * scale s * (a_1 * ln (INR s0 + 3/2) + c_1)) as U.
      { pose proof (scale_pos s). apply Rmult_le_compat_l; [positive|].
        apply Rplus_le_compat_r, Rmult_le_compat_l; [lra|]. apply ln_stage_mono. lia. }
      unfold before_s0. rewrite scale_S. lra.
    + pose proof (gap_le s0 s H) as G. unfold goes_on in *. destruct (Rle_dec (gap s) Delta); [|lra].
      assert (potential (S s) = then_on a_3 c_3 (S s)) as E
        by (unfold potential; destruct (Nat.ltb_spec s0 (S s)); [auto|lia]).
      rewrite E in IH. apply (Rmult_le_compat_l (1/6)) in IH; [|lra]. unfold potential.
      destruct (Nat.ltb_spec s0 s) as [H'|H'].
      * assert (2 * gap s <= Delta) as G2 by (pose proof (gap_le (S s0) s H') as G'; rewrite gap_S in G'; lra).
        eapply Rle_trans; [apply Rplus_le_compat; [exact (Later G2)|exact IH]|]. apply then_on_step.
      * replace s with s0 in * by lia. pose proof (then_on_step a_2 c_2 s0) as St. unfold before_s0. lra.
Qed.
End Search.

(** ** Rounds are played *)

Section Played.
Variables (N : nat) (w : arm).
Variable find : nat -> prog (option (arm * list (arm * arm))).
Hypothesis Starts : forall s, starts (find s).
Let stage F := own_stage N 0 self_plays (fun _ => F).

Lemma stage_agree T F F' s l c pairs : lasts T F 0 -> lasts T F' 0 -> agree T (stage F s l c pairs) (stage F' s l c
  pairs).
Proof.
  intros H H'. assert (V : forall l k, agree T (visit_own N 0 self_plays (fun _ => F) s l k c pairs)
    (visit_own N 0 self_plays (fun _ => F') s l k c pairs)).
  { intros l0 k. unfold visit_own, visit, champion_level. rewrite Rmult_0_l.
    repeat (apply agree_obind; [|intro; apply agree_refl]). now apply rounds_agree. }
  unfold stage, own_stage. destruct (position c l); [apply V|]. apply agree_bind; [apply agree_refl|]. intro o.
  destruct (certified o); [apply V|apply agree_refl].
Qed.
Lemma endless_agree F F' T : forall n n' s l, lasts T F 0 -> lasts T F' 0 -> (n = n' \/ T <= n /\ T <= n')%nat ->
  agree T (stages find (stage F) n s l) (stages find (stage F') n' s l).
Proof.
  induction T as [|T IH]; intros n n' s l H H' Hn; [exact Logic.I|].
  assert (Less : forall F, lasts (S T) F 0 -> lasts T F 0) by (intros F0 [L|(r & L & L')]; [left|right; exists r]; lia).
  destruct n as [|n], n' as [|n']; try lia; [apply agree_refl|].
  apply agree_obind_later; [apply Starts|apply agree_refl|]. intro cp. apply agree_obind; [apply stage_agree; auto|].
  intros [l' [i|]]; [apply agree_refl|]. apply IH; auto. lia.
Qed.

Hypothesis HN : (2 <= N)%nat.
Hypothesis Own : forall s, leaves (own_matches N) (find s).
Hypothesis Answers : forall s, leaves (fun o => ran_out o = false) (find s).
Lemma endless_plays T : forall F n s l, (T <= F)%nat -> (T <= n)%nat -> (forall i, sane s (lookup i l)) ->
  plays T (stages find (stage F) n s l).
Proof.
  induction T as [|T IH]; intros F [|n] s l; intros HF Hn Hl; try lia; try exact Logic.I.
  apply (plays_obind_later (own_matches N)); [apply Own|apply Starts|apply leaves_uncut, Answers|].
  intros [c ps] (Hc & order & -> & HL & HI). cbn [fst snd].
  apply (plays_obind (next s l c)); [apply (stage_next N s w HN F l c order Hl Hc HL HI)| |].
  - assert (V : forall T' l0 k, (T' <= T)%nat -> uncut T' (visiting N s F l c order l0 k) = true).
    { intros T' l0 k H. apply (uncut_answered (fun o => match o with
        | Some y => (put k (closed (S (visits (lookup c l))) y) l0, answer N c (closed (S (visits (lookup c l))) y))
        | None => (l0, None) end)), rounds_uncut. lia. }
    destruct (stage_is N s F l c order) as (l0 & k & _ & _ & [E|E]); fold (stage F) in E; rewrite E; [now apply V|].
    apply uncut_bind. intros T' o H. destruct (certified o); [now apply V|now destruct T'].
  - intros [l' a] (-> & Hl' & _). apply IH; auto; lia.
Qed.
End Played.

(** ** The bounds *)

Lemma lasts_le T n : (T <= n)%nat -> lasts T n 0.
Proof. now left. Qed.
Lemma sane_nothing i : sane 0 (lookup i []).
Proof. split; [apply le_n|]. split; [exact sound_empty|reflexivity]. Qed.

Section Bounds.
Variable P : arm -> arm -> R.
Variables (N : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HD : 0 < Delta <= 1/2.
Hypothesis HN : (2 <= N)%nat.
Let P01 := c_01 _ _ _ _ HC.
Let M := INR (N - 1).
Variable find : nat -> prog (option (arm * list (arm * arm))).
Hypothesis Finds : finds (own_matches N) P N w Delta find.

Lemma ln_asked_0 : 4 * (693/1000) <= ln (asked 0) <= 4 * (347/500).
Proof. rewrite ln_asked. cbn [Nat.add Nat.pow Nat.mul]. simpl (INR 4). pose proof ln2_le. pose proof ln2_ge. lra. Qed.

(** Of the stages' bounds, in units of (N-1)/Delta^2. *)
Lemma regret_bound rg F won n a_1 c_1 a_2 c_2 a_3 c_3 x :
  (forall s, 0 <= won s) ->
  (forall s l order, (forall i, sane s (lookup i l)) -> length order = (N - 1)%nat ->
    (forall j, In j order <-> (j < N)%nat /\ j <> w) ->
    expected_regret P rg (own_stage N 0 self_plays (fun _ => F) s l w (against w order)) <= M * scale s * won s) ->
  0 <= a_1 /\ 0 <= c_1 /\ 0 <= a_2 /\ 0 <= c_2 /\ 0 <= a_3 /\ 0 <= c_3 ->
  (forall s, let l := ln (INR s + 3/2) in
    Rmax (won s) (4 * l + 57383/1000) + 241/100 <= a_1 * l + c_1 /\
    (gap s <= Delta -> won s + l / 2 + 9583/1000 <= a_2 * l + c_2) /\
    (2 * gap s <= Delta -> won s + l / 2 + 9583/1000 <= a_3 * l + c_3)) ->
  4 * ((a_2 + 2 * a_3 + a_1 / 3) * (ln (ln (/ Delta) + 1) + 368/1000) + (c_2 + 2 * c_3 + 77/25 * a_3 + c_1 / 3)) <= x ->
  expected_regret P rg (stages find (own_stage N 0 self_plays (fun _ => F)) n 0 []) <= M / (Delta * Delta) * x.
Proof.
  intros W0 Cost Co Forms Hx. pose proof (M_ge1 N HN) as M1. fold M in M1. pose proof ln_asked_0 as LA.
  destruct (first_stage Delta ltac:(lra)) as (s0 & G0 & First). destruct (loglog Delta s0 HD First) as [Sc LL].
  assert (Unit : forall s, 0 < M * scale s) by (intro s; pose proof (scale_pos s); positive).
  assert (Lost : forall s, lost N s + wrong_rate N s <= M * scale s * (4 * ln (INR s + 3/2) + 57383/1000)).
  { intro s. unfold lost, wrong_rate. fold M. specialize (Unit s).
    replace (M * scale s * (4 * ln (INR s + 3/2) + 2 * ln (asked 0) + 5113/100) + 7/10 * (M * scale s))
      with (M * scale s * (4 * ln (INR s + 3/2) + 2 * ln (asked 0) + 5183/100)) by field.
    apply Rmult_le_compat_l; lra. }
  assert (W0' : forall s, 0 <= M * scale s * won s) by (intro s; specialize (Unit s); specialize (W0 s); positive).
  assert (Late : forall s a c, won s + ln (INR s + 3/2) / 2 + 9583/1000 <= a * ln (INR s + 3/2) + c ->
    C_find * M * scale s + M * scale s * won s + (lost N s + wrong_rate N s) / 8 <= M * scale s * (a * ln (INR s +
      3/2) + c)).
  { intros s a c H. specialize (Lost s). specialize (Unit s). apply (Rmult_le_compat_l (M * scale s)) in H; [|lra].
    unfold C_find. lra. }
  eapply Rle_trans; [apply (stages_cost P N w Delta HC (proj1 HD) HN find Finds rg F
    (fun s => M * scale s * won s) W0' Cost n 0 []); exact sane_nothing|].
  eapply Rle_trans; [apply (price_bound P N w Delta HC (proj1 HD) HN find Finds (fun s => M * scale s * won s) W0'
    a_1 c_1 a_2 c_2 a_3 c_3 Co) with (s0 := s0); auto|].
  - intro s. cbv beta. fold M. destruct (Forms s) as [E _]. specialize (Lost s). specialize (Unit s).
    apply (Rmult_le_compat_l (M * scale s)) in E; [|lra].
    set (y := Rmax (won s) _) in *. unfold C_find.
    assert (Rmax (M * scale s * won s) (lost N s + wrong_rate N s) <= M * scale s * y); [|lra]. apply Rmax_lub.
    + apply Rmult_le_compat_l; [lra|apply Rmax_l].
    + eapply Rle_trans; [exact Lost|]. apply Rmult_le_compat_l; [lra|apply Rmax_r].
  - intros s G. cbv beta. apply Late, Forms, G.
  - intros s G. cbv beta. apply Late, Forms, G.
  - intro i. unfold worths. destruct (Nat.eqb i w); [lra|]. split; [apply worth_nonneg|apply worth_empty];
    try apply omega_range; try apply sound_empty; lra.
  - unfold potential. cbn [Nat.ltb Nat.leb]. fold M. pose proof (scale_pos s0) as S0. pose proof (scale_pos 0) as S00.
    pose proof (ln_stage_nonneg s0) as L0. set (l := ln (INR s0 + 3/2)) in *. set (a := a_2 + 2 * a_3 + a_1 / 3) in *.
    set (z := c_2 + 2 * c_3 + 77/25 * a_3 + c_1 / 3) in *. assert (0 <= a /\ 0 <= z) as [A0 Z0] by (unfold a, z; lra).
    apply Rle_trans with (M * (scale s0 * (a * l + z))).
    { assert (0 <= M * (scale 0 / 3) * (a_1 * l + c_1)) by positive. unfold a, z. lra. }
    unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    apply Rle_trans with (4 / (Delta * Delta) * (a * l + z)).
    { apply Rmult_le_compat_r; [|exact Sc]. assert (0 <= a * l) by positive. lra. }
    apply (Rmult_le_compat_l a) in LL; [|exact A0].
    apply Rle_trans with (/ (Delta * Delta) * (4 * (a * l + z))); [right; field; lra|]. apply Rmult_le_compat_l; lra.
Qed.

(** The winner's screen is free of weak regret. *)
Lemma screen_free s order rg : (forall j, rg w j = false) -> expected_regret P rg (screen s (against w order)) <= 0.
Proof.
  intro Free. eapply Rle_trans; [apply refines_ER; [exact P01|apply within_refines]|].
  destruct order as [|j order]; [cbn; lra|]. cbn [against map firstn certify]. unfold obind. rewrite ER_bind.
  rewrite (duels_free P rg w j) by (apply seqtest_duels || apply Free).
  rewrite (E_ext _ _ _ (fun _ => 0)), E_const; [lra|]. intros [y|]; [destruct (Nat.eqb y w)|]; reflexivity.
Qed.
Lemma weak_bound n : expected_regret P (weak_regretful w) (endless find N n) <=
  M / (Delta * Delta) * (C_endless_weak_loglog * ln (ln (/ Delta) + 1) + C_endless_weak_arm).
Proof.
  pose proof (ln_inv_gap Delta HD) as LD.
  assert (0 <= ln (ln (/ Delta) + 1)) by (rewrite <- ln_1; apply ln_le; lra).
  apply (regret_bound _ n (fun _ => 0) n 4 (5980/100) (1/2) (959/100) (1/2) (959/100)); try lra.
  - intro. lra.
  - intros s l order Hl HL HI.
    assert (Free : forall j, weak_regretful w w j = false) by (intro j; apply regretful_spec; auto).
    eapply Rle_trans; [apply (stage_cost P N s w Delta HC n l w order _ 0 0); try lra; [now apply screen_free|]|lra].
    apply (free_rounds P N s w Delta HC HN (lookup w l) w order (Hl w)); auto. apply (c_in _ _ _ _ HC).
  - intros s l. pose proof (ln_stage_nonneg s). fold l in H0. rewrite Rmax_right by lra. repeat split; intros; lra.
  - unfold C_endless_weak_loglog, C_endless_weak_arm. lra.
Qed.

(** The first round after which [T] duels are over. *)
Lemma last_needed T : exists R, (T <= self_plays R)%nat /\ (R = 0%nat \/ (self_plays (pred R) < T)%nat).
Proof.
  assert (T <= self_plays T)%nat as H.
  { pose proof (rounds_exponent T). apply Nat.le_trans with (2 ^ T)%nat;
      [apply Nat.lt_le_incl, Nat.pow_gt_lin_r; lia|apply Nat.pow_le_mono_r; lia]. }
  enough (K : forall n, (T <= self_plays n)%nat -> exists R, (T <= self_plays R)%nat /\
    (R = 0%nat \/ (self_plays (pred R) < T)%nat)) by exact (K T H). clear H.
    induction n as [|n IH]; intro H; [exists 0%nat; auto|].
  destruct (Nat.lt_ge_cases (self_plays n) T); [exists (S n); auto|now apply IH].
Qed.
Lemma last_asked T R : (2 <= T)%nat -> R = 0%nat \/ (self_plays (pred R) < T)%nat -> let L := 2 * (ln (INR T + 1) + 2
  * ln (ln (INR T + 2) + 1)) in
  ln (asked R) <= L /\ ln (asked 0) <= L.
Proof.
  intros HT B L. pose proof ln2_ge as L2. pose proof ln_asked_0 as LA. apply (le_INR 2) in HT. simpl (INR 2) in HT.
  assert (ln 2 <= ln (INR T + 1)) as L3 by (apply ln_le; lra). assert (2 * ln 2 <= ln (INR T + 2)) as L4.
  { replace (2 * ln 2) with (ln (2 * 2)) by (rewrite ln_mult; lra). apply ln_le; lra. }
  assert (ln 2 <= ln (ln (INR T + 2) + 1)) as L5 by (apply ln_le; lra).
  assert (ln (asked 0) <= L) as Q by (unfold L; lra). split; [|exact Q].
  destruct B as [->|B]; [exact Q|]. destruct R as [|q]; [exact Q|]. cbn [pred] in B. apply lt_INR in B.
  rewrite ln_asked. set (e := (2 ^ (q + 2))%nat). assert (2 * q <= e)%nat as E by (unfold e;
    pose proof (rounds_exponent q); lia).
  assert (ln (INR (self_plays q)) = (INR e - 2 * INR q) * ln 2) as LS.
  { unfold self_plays. rewrite pow_INR, ln_pow, minus_INR, mult_INR by (simpl; lra || lia). reflexivity. }
  assert (INR (2 ^ (S q + 2)) = 2 * INR e) as -> by (unfold e; cbn [Nat.add]; rewrite <- (mult_INR 2); f_equal; cbn;
    lia).
  pose proof (self_plays_pos q) as SP. apply (le_INR 1) in SP. simpl (INR 1) in SP.
  assert ((INR e - 2 * INR q) * ln 2 <= ln (INR T + 1)) as U by (rewrite <- LS; apply ln_le; lra).
  assert (INR q * ln 2 <= ln (ln (INR T + 2) + 1)) as V; [|unfold L; lra].
  rewrite <- ln_pow by lra. apply ln_le; [positive|].
  assert (2 * 2 ^ q + 2 <= INR e - 2 * INR q) as W.
  { unfold e. rewrite pow_INR, pow_add. simpl (INR 2). replace (1 + 1) with 2 by ring. clear. induction q as [|q IH].
    - simpl. lra.
    - rewrite S_INR. cbn [pow] in *. pose proof (pow_R1_Rle 2 q ltac:(lra)). lra. }
  assert (ln (INR T + 1) <= ln (INR T + 2)) by (apply ln_le; lra). pose proof (pow_R1_Rle 2 q ltac:(lra)).
  apply (Rmult_le_compat_r (ln 2)) in W; [|lra].
  assert (2 ^ q * 1 <= 2 ^ q * (2 * ln 2)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma strong_bound T n : (2 <= T)%nat -> regret_until P (strong_regretful w) T (endless find N n) <=
  M / (Delta * Delta) * (C_endless_strong * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1)) +
    C_endless_strong_loglog * ln (ln (/ Delta) + 1) + C_endless_strong_arm).
Proof.
  intro HT. destruct (last_needed T) as (R & End & Last). destruct (last_asked T R HT Last) as [LR L0].
  set (L := 2 * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1))) in *. pose proof ln_asked_0 as LA.
  set (la := fun s => 2 * ln (INR s + 3/2) + 278/100 + L). pose proof (M_ge1 N HN) as M1. fold M in M1.
  assert (Lam : forall s, 0 <= ln (INR s + 3/2) /\ 0 <= la s) by (intro s; pose proof (ln_stage_nonneg s); unfold la;
    lra).
  assert (Free : strong_regretful w w w = false) by (apply regretful_spec; auto).
  set (won := fun s => if Rle_dec (2 * gap s) Delta then 3123/1000 + la s / 6
    else if Rle_dec (gap s) Delta then 3123/1000 + la s / 2 else 45 + 9/16 + 2 * la s).
  set (F := Nat.min n (S R)). assert (HF : (F <= S R)%nat) by (unfold F; lia).
  apply Rle_trans with (expected_regret P (strong_regretful w) (stages find (own_stage N 0 self_plays (fun _ => F)) n
    0 [])).
  { destruct (Nat.le_gt_cases n (S R)) as [H|H]; [unfold F; rewrite Nat.min_l by exact H; apply regret_until_le, P01|].
    rewrite (regret_until_agree P _ T _ (stages find (own_stage N 0 self_plays (fun _ => F)) n 0 [])).
    - apply regret_until_le, P01.
    - apply endless_agree; [apply Finds| | |now left]; right; exists R; unfold F; lia. }
  apply (regret_bound _ F won n 4 (5425/100 + 2 * L) (3/2) (1410/100 + L / 2) (5/6) (1317/100 + L / 6)); try lra.
  - intro s. unfold won. specialize (Lam s). destruct (Rle_dec _ _); [|destruct (Rle_dec _ _)]; lra.
  - intros s l order Hl HL HI. pose proof (scale_pos s) as S0. pose proof (gap_range s) as Hg.
    assert (0 <= (M - 1) * scale s) as U' by positive. set (x := lookup w l).
    assert (lam x R <= la s /\ 0 <= lam x R) as [LL L1].
    { pose proof (lam_range s x (Hl w) R). pose proof (asked_pos R). pose proof (ln_pos (asked R)). unfold la. lra. }
    assert (Timed : forall rate, 0 < rate -> gap s <= Delta -> (forall p, 1/2 + Delta <= p <= 1 ->
        rate * (gap s * gap s) <= p * ln (1 + 2 * gap s) + (1 - p) * ln (1 - 2 * gap s)) ->
      expected_regret P (strong_regretful w) (own_stage N 0 self_plays (fun _ => F) s l w (against w order)) <=
        M * scale s * (3123/1000 + la s / rate)).
    { intros rate Hr G Rate. eapply Rle_trans; [apply (stage_cost P N s w Delta HC F l w order (strong_regretful w)
        (3123/1000 * scale s) (M * scale s * (lam x R / rate)))|].
      - lra.
      - eapply Rle_trans; [apply ER_le_ET, P01|].
        eapply Rle_trans; [apply (own_screen P N s w Delta HC w order HI eq_refl G)|lra].
      - positive.
      - apply (timed_rounds P N s w Delta HC HN x w order (Hl w) (c_in _ _ _ _ HC) HL HI); auto.
        intros j Hj. apply Rate. apply HI in Hj. split; [now apply (c_win _ _ _ _ HC)|apply P01].
      - assert (lam x R / rate <= la s / rate) as D by (apply Rmult_le_compat_r; [positive|exact LL]).
        apply (Rmult_le_compat_l (M * scale s)) in D; lra. }
    unfold won. destruct (Rle_dec _ _) as [G|_]; [|destruct (Rle_dec _ _) as [G|_]].
    + apply Timed; [lra|lra|]. intros p Hp. apply double_drift; lra.
    + apply Timed; [lra|exact G|]. intros p Hp. apply ln_L_drift; lra.
    + pose proof (proj2 (bud_range N s x R)) as B. fold M in B.
      eapply Rle_trans; [apply (stage_cost P N s w Delta HC F l w order (strong_regretful w) (36 * scale s)
        (INR (most N s (visits x) R)))|].
      * lra.
      * now apply (screen_cap P N s w Delta HC).
      * apply pos_INR.
      * now apply (capped_rounds P N s w Delta HC HN x w order (Hl w) (c_in _ _ _ _ HC) HL HI).
      * apply (Rmult_le_compat_l (2 * (M * scale s))) in LL; lra.
  - intros s l. destruct (Lam s) as [P0 P1]. unfold won, la in *. fold l in P1 |- *.
    destruct (Rle_dec _ _); [|destruct (Rle_dec _ _)]; (split; [apply Rle_trans with (4 * l + (5184/100 + 2 * L) +
      241/100);
      [apply Rplus_le_compat_r, Rmax_lub; lra|lra]|split; intro; lra]).
  - unfold C_endless_strong, C_endless_strong_loglog, C_endless_strong_arm, L. lra.
Qed.
End Bounds.

Theorem endless_search_weak : endless_search_weak_statement.
Proof.
  intros P N w Delta find HC HD HN Finds Answers bound. pose proof (c_01 _ _ _ _ HC) as P01.
  assert (B : forall n, expected_regret P (weak_regretful w) (endless find N n) <= bound) by (intro;
    now apply weak_bound).
  assert (Ag : forall T n n', (T <= n)%nat -> (T <= n')%nat -> agree T (endless find N n) (endless find N n'))
    by (intros; apply endless_agree; auto using lasts_le; apply Finds).
  split; [split; [exact B|]; split; [exact Ag|]; split; [|split]|].
  - intros T n Hn. apply (endless_plays N w find); auto using sane_nothing; apply Finds.
  - apply (regret_limit P (weak_regretful w) _ (endless find N)); auto.
  - intros T n. eapply Rle_trans; [apply regret_markov; auto|]. eapply Rle_trans; [apply regret_until_le, P01|apply B].
  - pose proof (ln_inv_gap Delta HD) as LD. set (x := ln (/ Delta) + 1) in *. assert (0 < x) by (unfold x; lra).
    pose proof (ln_tangent x 2 H ltac:(lra)) as T. pose proof ln2_le. unfold bound, C_endless_weak.
    replace (126 * INR (N - 1) / (Delta * Delta) * x) with (INR (N - 1) / (Delta * Delta) * (126 * x)) by (field; lra).
    apply Rmult_le_compat_l; [positive|]. unfold C_endless_weak_loglog, C_endless_weak_arm. unfold x in *. lra.
Qed.

Theorem endless_search_strong : endless_search_strong_statement.
Proof.
  intros P N w Delta find T HC HD HN Finds Answers HT. split; [intro; now apply strong_bound|]. split.
  - intros n n' H H'. apply endless_agree; auto using lasts_le; apply Finds.
  - intros n Hn. apply (endless_plays N w find); auto using sane_nothing; apply Finds.
Qed.

Theorem endless_knockout : endless_knockout_statement.
Proof.
  intros cv P N w Delta HC HD HN run. pose proof (proj1 (knockout_finds cv P N w Delta HC HN)) as Finds.
  assert (Answers : forall s, leaves (fun o => ran_out o = false) (knockout its_own N s)).
  { intro s. apply never_leaves, knockout_answers; [exact HN|intros; lra]. }
  split; [now apply endless_search_weak|]. intros T HT. now apply endless_search_strong.
Qed.
