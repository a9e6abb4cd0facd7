(** * The search that assumes nothing is asymptotically optimal (not in the paper)

    On every instance with a winner the expected number of duels, over ln(1/delta), tends to the sum over the other
    arms j of 1/kl(P w j, 1/2) as delta tends to 0, and no algorithm that is wrong with probability at most delta
    whatever the instance has a smaller limit.

    - The winner's cell.  While its pair with j is played, MixtureTest's evidence is below 1/(omega a), and it is at
      least the likelihood of P w j over n + 1.  The logarithm of this likelihood grows by kl in expectation.
    - All else.  Other champions play a round that asks for evidence of 1/eta with probability at most eta times what
      is known against one of their arms before; their budget is of the order of ln(1/delta) only after that.  A stage
      fails with probability at most 3/16 once its gap is small, and its budget is 4 times that of the stage before.
      So this is of the order of 1 + eta ln(1/delta), for every eta. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith ZArith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate Rounds.
From TGITE Require Import RoundsRun Knockout RoundsError RoundsStages RoundsCost.
Open Scope R_scope.

(** The sum of 1/kl(P w j, 1/2) over the arms j other than the winner [w]. *)
Definition duels_per_log (P : arm -> arm -> R) (N : nat) (w : arm) : R :=
  sm (fun j => if Nat.eqb j w then 0 else / KL (P w j) (1/2)) N.

(** Whatever the finder, in any number of stages: at small levels not more than 1 + eps times as many duels. *)
Definition asymptotic_cost_statement : Prop := forall P N w Delta find,
  has_winner P N w -> condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat ->
  finds (own_matches N) P N w Delta find ->
  forall eps, 0 < eps -> exists delta0, 0 < delta0 /\ forall delta n, 0 < delta < delta0 ->
    ET P (find_then_certify find N delta n) <= (1 + eps) * duels_per_log P N w * ln (/ delta).

(** No algorithm needs less: [run delta] finds the winner [w] within [bound delta], and where [w] ties with some arm it
    returns [w] with probability at most [delta]. *)
Definition no_algorithm_is_better_statement : Prop := forall P N w (run : R -> nat -> prog (option arm)) bound,
  has_winner P N w ->
  (forall delta, 0 < delta <= 1/2 -> finds_within P N w (run delta) delta (bound delta)) ->
  (forall delta j F, 0 < delta <= 1/2 -> (j < N)%nat -> j <> w ->
    Pr (tied_with P N w j) (run delta F) (is_arm w) <= delta) ->
  forall eps, 0 < eps -> exists delta0, 0 < delta0 /\ forall delta, 0 < delta < delta0 ->
    (1 - eps) * duels_per_log P N w * ln (/ delta) <= bound delta.

(** The expected number of duels of the search without a bound on its stages, and its limit over ln(1/delta). *)
Definition expected_duels find P N delta : R := real (Lim_seq (fun n => ET P (find_then_certify find N delta n))).
Definition limit_is_least (P : arm -> arm -> R) N w find : Prop :=
  (forall delta, 0 < delta < 1 ->
    is_lim_seq (fun n => ET P (find_then_certify find N delta n)) (expected_duels find P N delta)) /\
  filterlim (fun delta => expected_duels find P N delta / ln (/ delta)) (at_right 0) (locally (duels_per_log P N w)).
Definition asymptotically_optimal_statement : Prop := forall P N w Delta find,
  has_winner P N w -> condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat ->
  finds (own_matches N) P N w Delta find -> limit_is_least P N w find.
Definition knockout_asymptotically_optimal_statement : Prop := forall (cv : conventions) P N w,
  has_winner P N w -> (2 <= N)%nat -> limit_is_least P N w (knockout its_own N).

(** * Proofs *)

(** ** Sums over the other arms *)

Definition but (w : arm) (f : arm -> R) (n : nat) : R := sm (fun j => if Nat.eqb j w then 0 else f j) n.
Lemma sm_ext f g n : (forall j, (j < n)%nat -> f j = g j) -> sm f n = sm g n.
Proof. intro H. apply Rle_antisym; apply sm_le; intros j Hj; rewrite H by exact Hj; lra. Qed.
Lemma but_ext w f g n : (forall j, (j < n)%nat -> j <> w -> f j = g j) -> but w f n = but w g n.
Proof. intro H. apply sm_ext. intros j Hj. destruct (Nat.eqb_spec j w); auto. Qed.
Lemma but_linear w c f g n : but w (fun j => f j + c * g j) n = but w f n + c * but w g n.
Proof. unfold but. rewrite <- sm_scal, <- sm_plus. apply sm_ext. intros j _. destruct (Nat.eqb j w); ring. Qed.
Lemma but_nonneg w f n : (forall j, (j < n)%nat -> j <> w -> 0 <= f j) -> 0 <= but w f n.
Proof.
  intro H. rewrite <- (sm_zero n). apply sm_le. intros j Hj. destruct (Nat.eqb_spec j w); [lra|auto].
Qed.
Lemma but_pos w f n j : (forall i, (i < n)%nat -> i <> w -> 0 < f i) -> (j < n)%nat -> j <> w -> 0 < but w f n.
Proof.
  intros H Hj Hw. induction n as [|n IH]; [lia|].
  assert (0 <= but w f n) by (apply but_nonneg; intros; left; apply H; auto). unfold but in *. cbn [sm].
  destruct (Nat.eq_dec j n) as [<-|Ne]; [rewrite (proj2 (Nat.eqb_neq j w) Hw); specialize (H j Hj Hw); lra|].
  specialize (IH ltac:(auto) ltac:(lia)). destruct (Nat.eqb_spec n w) as [|Hn]; [|specialize (H n ltac:(lia) Hn)]; lra.
Qed.
Lemma but_change {A} w (F : arm -> A -> R) (x : arm -> A) j a n : (j < n)%nat -> j <> w ->
  but w (fun i => F i (change j a x i)) n = but w (fun i => F i (x i)) n + (F j a - F j (x j)).
Proof.
  intros Hj Hw. unfold change. induction n as [|n IH]; [lia|]. unfold but in *. cbn [sm].
  destruct (Nat.eq_dec j n) as [<-|Ne].
  - rewrite Nat.eqb_refl, (proj2 (Nat.eqb_neq j w) Hw), (sm_ext _ (fun i => if Nat.eqb i w then 0 else F i (x i)));
      [ring|]. intros i Hi. destruct (Nat.eqb_spec i j); [lia|reflexivity].
  - rewrite IH, (proj2 (Nat.eqb_neq n j)) by lia. ring.
Qed.

(** ** MixtureTest's evidence is at least every likelihood over n + 1 *)

(** The logarithm of the likelihood of [p], over that of 1/2. *)
Definition log_likelihood (p : R) (x : Rounds.counts) : R :=
  INR (snd x) * ln (2 * p) + INR (fst x - snd x) * ln (2 * (1 - p)).

Lemma likelihood_le_binoms p : 1/2 <= p <= 1 -> forall n s, (s <= n)%nat ->
  INR (binom n s) * ((2 * p) ^ s * (2 * (1 - p)) ^ (n - s)) <= INR (binoms (S n) s).
Proof.
  intro Hp. induction n as [|n IH]; intros s Hs; [replace s with 0%nat by lia; cbn; lra|].
  assert (0 <= 2 * (1 - p) <= 1) as Q by lra. destruct s as [|s].
  { rewrite binom_0, Nat.sub_0_r. cbn [binoms]. rewrite binom_0. simpl (INR 1).
    pose proof (pow_incr (2 * (1 - p)) 1 (S n) Q) as I. rewrite pow1 in I. lra. }
  assert (binoms (S (S n)) (S s) = binoms (S n) s + binoms (S n) (S s))%nat as ->.
  { rewrite (binoms_step (S n) s). change (binoms (S n) (S s)) with (binoms (S n) s + binom (S n) (S s))%nat. lia. }
  change (binom (S n) (S s)) with (binom n s + binom n (S s))%nat. rewrite !plus_INR.
  assert (INR (binoms (S n) s) <= INR (binoms (S n) (S s))) as M by (apply le_INR; cbn [binoms]; lia).
  pose proof (IH s ltac:(lia)) as A.
  assert (INR (binom n (S s)) * ((2 * p) ^ S s * (2 * (1 - p)) ^ (n - s))
    <= 2 * (1 - p) * INR (binoms (S n) (S s))) as B.
  { destruct (Nat.eq_dec s n) as [->|Ne].
    - assert (forall m k, (m < k)%nat -> binom m k = 0%nat) as Z.
      { induction m as [|m IHm]; intros [|k] H; cbn; try lia. rewrite !IHm by lia. reflexivity. }
      rewrite Z by lia. rewrite Rmult_0_l. apply Rmult_le_pos; [lra|apply pos_INR].
    - specialize (IH (S s) ltac:(lia)). apply (Rmult_le_compat_l (2 * (1 - p))) in IH; [|lra].
      replace (n - s)%nat with (S (n - S s)) by lia. cbn [pow] in *. lra. }
  cbn [Nat.sub pow] in *. nra.
Qed.
Lemma mixture_ge_likelihood p n s : 1/2 <= p < 1 -> (s <= n)%nat ->
  exp (log_likelihood p (n, s)) <= INR (S n) * mixture n s.
Proof.
  intros Hp Hs. unfold log_likelihood. cbn [fst snd]. rewrite exp_plus, !exp_pow, !exp_ln by lra.
  pose proof (likelihood_le_binoms p ltac:(lra) n s Hs) as L. pose proof (binom_INR n s Hs) as B.
  unfold mixture. replace (INR (S n) * (INR (binoms (S n) s) / (INR (S n) * INR (binom n s))))
    with (INR (binoms (S n) s) / INR (binom n s)) by (pose proof (lt_0_INR (S n) ltac:(lia)); field; lra).
  apply (Rle_div_r _ _ _ B). lra.
Qed.
Lemma log_likelihood_step p b x : (snd x <= fst x)%nat ->
  log_likelihood p (one_more b x) = log_likelihood p x + if b then ln (2 * p) else ln (2 * (1 - p)).
Proof.
  intro H. unfold log_likelihood, one_more. cbn [fst snd].
  destruct b; cbn [b2n Nat.add]; [rewrite S_INR, Nat.sub_succ|rewrite Nat.sub_succ_l, S_INR by exact H]; ring.
Qed.

(** ** One pair of the winner *)

Section Pair.
Variables p kappa : R.
Hypothesis Hp : 1/2 < p < 1.
Hypothesis Hk : 0 < kappa < 1.
Let D := KL p (1/2).

Lemma KL_half : D = p * ln (2 * p) + (1 - p) * ln (2 * (1 - p)).
Proof.
  unfold D, KL. replace (p / (1/2)) with (2 * p) by field.
  now replace ((1 - p) / (1 - 1/2)) with (2 * (1 - p)) by field.
Qed.
Lemma KL_half_range : 0 < D < 1.
Proof.
  split; [apply KL_pos; lra|]. rewrite KL_half. pose proof ln2_le.
  pose proof (ln_le (2 * p) 2 ltac:(lra) ltac:(lra)). pose proof (ln_le (2 * (1 - p)) 2 ltac:(lra) ltac:(lra)). nra.
Qed.

(** The duels that are still to come, in expectation, at the level exp(-z): ln(n + 1) is at most kappa D n + C. *)
Definition remaining (z : R) (x : Rounds.counts) : R :=
  (z + ln (2 / omega_own) - ln (kappa * D) - log_likelihood p x + kappa * D * INR (fst x)) / ((1 - kappa) * D).

Lemma remaining_start z : 0 <= z -> 0 <= remaining z nothing.
Proof.
  intro Hz. pose proof KL_half_range as HD. unfold remaining, log_likelihood. cbn.
  assert (ln (kappa * D) <= 0) by (rewrite <- ln_1; apply ln_le; [positive|nra]).
  assert (0 < ln (2 / omega_own)) by (rewrite <- ln_1; apply ln_increasing; unfold omega_own; lra).
  apply Rmult_le_pos; [lra|positive].
Qed.
Lemma remaining_step z x : (snd x <= fst x)%nat ->
  1 + (p * remaining z (one_more true x) + (1 - p) * remaining z (one_more false x)) = remaining z x.
Proof.
  intro H. pose proof KL_half_range as HD. unfold remaining. rewrite !log_likelihood_step by exact H.
  cbn [one_more fst]. rewrite S_INR. pose proof KL_half as E. assert (0 < (1 - kappa) * D) by positive.
  apply Rmult_eq_reg_r with ((1 - kappa) * D); [|lra]. field_simplify; [|lra|lra]. rewrite E. ring.
Qed.
Lemma remaining_nonneg z d b x : (snd x <= fst x)%nat -> 0 < d -> ln (/ d) <= z ->
  reaches mixture (omega_own * d) (fst x) (snd x) = false -> 0 <= remaining z (one_more b x).
Proof.
  intros H Hd Hz Hr. pose proof KL_half_range as HD. destruct x as [n s].
  apply not_reached in Hr; [|unfold omega_own; lra]. pose proof (lt_0_INR (S n) ltac:(lia)) as N0.
  pose proof (mixture_ge_likelihood p n s ltac:(lra) H) as L. apply (Rmult_lt_compat_l (INR (S n))) in Hr; [|exact N0].
  apply Rle_lt_trans with (2 := Hr), Rlt_le, ln_le in L; [|apply exp_pos]. rewrite ln_exp in L.
  assert (0 < omega_own) as Om by (unfold omega_own; lra). rewrite Rinv_mult, !ln_mult in L by positive.
  pose proof (ln_tangent (INR (S n)) (/ (kappa * D)) N0 ltac:(positive)) as T. rewrite ln_Rinv in T by positive.
  replace (INR (S n) / / (kappa * D)) with (kappa * D * INR (S n)) in T by (field; lra).
  assert (log_likelihood p (one_more b (n, s)) <= log_likelihood p (n, s) + ln 2) as S2.
  { rewrite log_likelihood_step by exact H. apply Rplus_le_compat_l. destruct b; apply ln_le; lra. }
  unfold remaining. replace (2 / omega_own) with (2 * / omega_own) by reflexivity. rewrite ln_mult by positive.
  change (fst (one_more b (n, s))) with (S n). apply Rmult_le_pos; [lra|]. left. positive.
Qed.
End Pair.

(** ** Visits of the winner's cell *)

Section Winner.
Variables (P : arm -> arm -> R) (N : nat) (w : arm) (kappa : R).
Hypothesis HW : has_winner P N w.
Hypothesis Hk : 0 < kappa < 1.
Let P01 := valid_01 P (proj1 HW).

Lemma winner_range j : (j < N)%nat -> j <> w -> 1/2 < P w j < 1 /\ 0 < KL (P w j) (1/2).
Proof.
  intros Hj Hw. destruct (proj2 HW) as (H & _ & W). pose proof (H w j). specialize (W j Hj Hw).
  split; [lra|]. apply KL_pos; lra.
Qed.

(** The duels of the cell that are still to come, at the level exp(-z). *)
Definition to_come (z : R) (f : arm -> Rounds.counts) : R := but w (fun j => remaining (P w j) kappa z (f j)) N.
Definition in_time (z : R) (f : arm -> Rounds.counts) : Prop :=
  forall j, (j < N)%nat -> j <> w -> 0 <= remaining (P w j) kappa z (f j).
Definition slope : R := but w (fun j => / ((1 - kappa) * KL (P w j) (1/2))) N.

Lemma slope_nonneg : 0 <= slope.
Proof. apply but_nonneg. intros j Hj Hw. destruct (winner_range j Hj Hw). positive. Qed.
Lemma to_come_later x h f : to_come (x + h) f = to_come x f + h * slope.
Proof.
  unfold to_come, slope. rewrite <- but_linear. apply but_ext. intros j Hj Hw.
  destruct (winner_range j Hj Hw). unfold remaining. field. lra.
Qed.
Lemma in_time_start z : 0 <= z -> in_time z (fun _ => nothing).
Proof. intros Hz j Hj Hw. destruct (winner_range j Hj Hw). now apply remaining_start. Qed.

(** What is known against [w] itself does not grow. *)
Lemma winner_visit s a F pairs x z : 0 < a -> ln (/ a) <= z ->
  (forall u j, In (u, j) pairs -> u = w /\ (j < N)%nat /\ j <> w) ->
  sound_cell x -> gone x w = false -> in_time z (life x) ->
  let v := visit N omega_own a (fun _ => 0%nat) F s w pairs x in
  ET P v + expect P v (fun o => match o with Some y => to_come z (life y) | None => 0 end) <= to_come z (life x) /\
  leaves (fun o => match o with
    | Some y => in_time z (life y) /\ sound_cell y /\ gone y w = false /\ worth omega_own a w y <= worth omega_own a w x
    | None => True
    end) v.
Proof.
  intros Ha Hz Hp Hx G Ht v. set (m := visits x). set (V := worth_now s m omega_own a w).
  pose proof (visit_steps N s m omega_own a (fun _ => 0%nat) w pairs F x Hx eq_refl) as H.
  apply steps_keep with (I := fun y => in_time z (all y) /\ out y w = false /\ V y = V (opened x)) in H; [| | |auto].
  - split.
    + rewrite <- tally_ET. change (life x) with (all (opened x)).
      eapply (steps_tally _ _ P P01 _ _ (fun y => to_come z (all y))); [lra| | | |exact H].
      * intros y u i add [_ M]. destruct M as [r u i _ Hi Sy _ _ _ _|r u i _ Hi|]; [|apply Hp in Hi; tauto|lia].
        apply Hp in Hi. destruct Hi as (_ & Hi & Hiw). unfold to_come. cbn [dueled all].
        rewrite !(but_change w (fun j => remaining (P w j) kappa z)) by assumption. specialize (Sy i).
        destruct (winner_range i Hi Hiw) as [R _].
        pose proof (remaining_step (P w i) kappa R Hk z (all y i) ltac:(lia)). lra.
      * intros y y' [_ []]. apply Rle_refl.
      * intros y [y'|] ((Hy & _) & _ & K); [destruct K as [-> _]; apply Rle_refl|]. apply but_nonneg. exact Hy.
    + eapply leaves_impl; [apply (steps_leaves _ _ _ _ _ H)|]. intros [y'|]; [|auto].
      intros (y & (Hy & Oy & Vy) & Sy & -> & _). do 3 (split; [auto using sound_closed|]).
      rewrite <- (worth_opened s m omega_own a w x eq_refl). fold V. rewrite <- Vy.
      apply worth_closed; [unfold omega_own; lra|lra|exact Sy].
  - intros y u i add b (Hy & Oy & Vy) M.
    destruct M as [r u i _ Hi Sy _ E _ _|r u i _ Hi|]; [|apply Hp in Hi; tauto|lia].
    apply Hp in Hi. destruct Hi as (_ & _ & Hiw%not_eq_sym). split; [|split; [exact Oy|]].
    + intros k Kn Kw. cbn [dueled all]. unfold change. destruct (Nat.eqb_spec k i) as [->|]; [|now apply Hy].
      assert (a <= level_in_round a r) as La by apply Rmax_l. specialize (Sy i).
      apply remaining_nonneg with (d := level_in_round a r); [now apply winner_range|exact Hk|lia|lra| |].
      * eapply Rle_trans; [|exact Hz]. apply ln_le; [positive|]. apply Rinv_le_contravar; lra.
      * now apply orb_false_iff in E.
    + unfold V, worth_now. cbn [dueled all now out]. unfold change. now rewrite (proj2 (Nat.eqb_neq w i) Hiw).
  - intros y y' (Hy & Oy & Vy) [u i Hi _ _ _]. apply Hp in Hi. destruct Hi as (_ & _ & Hiw%not_eq_sym).
    split; [exact Hy|]. unfold V, worth_now. cbn [throw_out all now out]. unfold change.
    now rewrite (proj2 (Nat.eqb_neq w i) Hiw).
Qed.
Lemma rival_winner : rival P N w = w.
Proof.
  unfold rival. destruct (List.find _ _) as [j|] eqn:E; [|reflexivity]. apply find_some in E. destruct E as [I E].
  apply in_seq in I. apply negb_true_iff, orb_false_iff in E. destruct E as [E1 E2]. apply Nat.eqb_neq in E1.
  destruct (winner_range j ltac:(lia) E1). destruct (Rlt_dec _ _); [discriminate|lra].
Qed.
End Winner.

(** ** Visits of other cells *)

Lemma omega_range : 0 <= omega_own <= 1.
Proof. unfold omega_own. lra. Qed.
Lemma share_range n : 0 < share omega_own n < 1.
Proof. unfold share, omega_own. pose proof (part_range n). lra. Qed.

Section Wrong.
Variables (P : arm -> arm -> R) (N : nat) (c j0 : arm).
Hypothesis HP : valid P.
Hypothesis Hw : P c j0 <= 1/2.
Variables (s m : nat) (a : R) (pairs : list (arm * arm)) (R0 : nat).
Hypothesis Own : forall u j, In (u, j) pairs -> u = c.
Hypothesis Hj : In (c, j0) pairs.
Hypothesis Ha : 0 < a < 1.
Let P01 := valid_01 P HP.
Let eta := level_in_round a R0.
Let sh := share omega_own m.
Let near := INR (stage_budget N s (sh * eta)).
Let far := INR (stage_budget N s (sh * a)).
Let V := worth_now s m omega_own a j0.

Lemma known_against x : sound x -> 0 <= V x /\ (won s m omega_own a R0 j0 x -> a <= eta * V x).
Proof.
  intro Hx. specialize (Hx j0). pose proof omega_range as Ho. unfold V, worth_now, won, enough, reaches.
  pose proof (known_nonneg omega_own Ho (all x j0) ltac:(lia)) as K.
  pose proof (likely_nonneg s m omega_own Ho (now x j0) ltac:(lia)) as L. pose proof (rest_nonneg omega_own Ho (S m)).
  destruct (level_range a R0 Ha) as [E _]. destruct (out x j0); [split; [lra|intros _; fold eta in E; lra]|].
  split; [apply Rmult_le_pos; lra|]. intros [W|[_ W]]; [discriminate|]. fold eta in W, E.
  rewrite <- Rmult_assoc, (Rmult_comm eta a), Rmult_assoc. rewrite <- (Rmult_1_r a) at 1.
  apply Rmult_le_compat_l; [lra|]. unfold known in *. destruct (Rle_dec _ _); [nra|].
  destruct (Rle_dec _ _); [nra|discriminate].
Qed.

(** Up to round [R0] at most the budget of that round; that more are played is as improbable as the evidence for it. *)
Definition wrong_cost (r : nat) (x : state) : R :=
  (if Nat.leb r R0 then far * eta / a * V x + near else far) - INR (spent x).

Lemma level_falls_to r q : (r <= q)%nat -> level_in_round a q <= level_in_round a r.
Proof. induction 1 as [|q _ IH]; [lra|]. eapply Rle_trans; [apply level_falls|exact IH]. Qed.
Lemma within_budgets r x : (spent x <= stage_budget N s (sh * level_in_round a r))%nat ->
  sound x -> 0 <= wrong_cost r x.
Proof.
  intros H Hx. destruct (known_against x Hx) as [V0 _]. pose proof (share_range m) as S0. fold sh in S0.
  destruct (level_range a r Ha) as [L L1], (level_range a R0 Ha) as [E _]. fold eta in E.
  assert (forall d, 0 < d <= level_in_round a r -> INR (spent x) <= INR (stage_budget N s (sh * d))) as K.
  { intros d Hd. apply le_INR. eapply Nat.le_trans; [exact H|]. apply stage_budget_falls; [split; [positive|]|nra].
    apply Rmult_le_compat_l; lra. }
  pose proof (pos_INR (stage_budget N s (sh * a))) as F0. fold far in F0. unfold wrong_cost.
  destruct (Nat.leb_spec r R0) as [Hr|_]; [|specialize (K a ltac:(lra)); fold far in K; lra].
  pose proof (level_falls_to r R0 Hr) as Le. specialize (K eta ltac:(fold eta in Le; lra)). fold near in K.
  assert (0 <= far * eta / a * V x) by positive. lra.
Qed.

Lemma wrong_rounds F : forall r x, sound x -> (spent x <= stage_budget N s (sh * level_in_round a r))%nat ->
  ET P (rounds N s m omega_own a (fun _ => 0%nat) c F r pairs x) <= wrong_cost r x.
Proof.
  pose proof (pos_INR (stage_budget N s (sh * a))) as F0. fold far in F0.
  destruct (level_range a R0 Ha) as [E _]. fold eta in E.
  assert (0 <= far * eta / a) as K by positive.
  induction F as [|F IH]; intros r x Hx HB; cbn [rounds]; [now apply within_budgets|].
  rewrite ET_bind, <- tally_ET.
  pose proof (round_steps N s m omega_own a (fun _ => 0%nat) c pairs r pairs x (incl_refl _) Hx) as H.
  apply steps_keep with (I := fun y => (spent y <= stage_budget N s (sh * level_in_round a r))%nat) in H;
    [| | |exact HB].
  2: { intros y u v add b Hy [r' u' i <- _ _ _ _ _ Sp|r' u' i _ Hi _ _ Hu|];
       [exact Sp|apply Own in Hi; tauto|exact Hy]. }
  2: { intros y z Hy []. exact Hy. }
  eapply (steps_tally _ _ P P01 _ _ (wrong_cost r)); [lra| | | |exact H].
  - intros y u v add [_ M].
    destruct M as [r' u i Hr Hi Sy O En Bt Sp|r' u i _ Hi _ _ Hu|]; [|apply Own in Hi; tauto|lia].
    assert (forall u, u = c \/ In (u, j0) pairs -> P u j0 <= 1/2) as Loses.
    { intros u' [->|I]; [exact Hw|]. now rewrite (Own u' j0 I). }
    pose proof (worth_move P N s m omega_own a (fun _ => 0%nat) c j0 pairs HP omega_range ltac:(lra) Loses y c i
      (dueled i) (own_move _ _ _ _ _ _ _ _ _ _ r' u i Logic.I Hi Sy O En Bt Sp)) as St. fold V in St.
    apply (Rmult_le_compat_l _ _ _ K) in St. unfold wrong_cost. cbn [dueled spent]. rewrite S_INR, Rmult_1_l.
    destruct (Nat.leb r R0); lra.
  - intros y y' [_ T]. pose proof (worth_thrown s m omega_own a j0 pairs omega_range ltac:(lra) y y' T) as W.
    fold V in W. apply (Rmult_le_compat_l _ _ _ K) in W. destruct T. unfold wrong_cost.
    change (spent (throw_out j y)) with (spent y). destruct (Nat.leb r R0); lra.
  - intros y [won' z] (B & Sy & Ez & W). cbn [snd fst] in *. subst z. pose proof (within_budgets r y B Sy) as End.
    destruct won'; [|exact End]. destruct (is_last a r); [exact End|].
    destruct (level_range a r Ha) as [L1 L2], (level_range a (S r) Ha) as [L3 _]. pose proof (share_range m) as S0.
    fold sh in S0. eapply Rle_trans; [apply IH; [exact Sy|]|].
    { eapply Nat.le_trans; [exact B|]. apply stage_budget_falls; [split; [positive|]|nra].
      apply Rmult_le_compat_l; [lra|apply level_falls]. }
    unfold wrong_cost. destruct (Nat.leb_spec r R0), (Nat.leb_spec (S r) R0); try lra; try lia.
    assert (r = R0) by lia. subst r.
    destruct (known_against y Sy) as [_ Big]. specialize (Big (W c j0 Hj)).
    apply (Rmult_le_compat_l (far / a)) in Big; [|positive]. replace (far / a * a) with far in Big by (field; lra).
    pose proof (pos_INR (stage_budget N s (sh * eta))) as N0. fold near in N0. lra.
Qed.
End Wrong.

(** ** How much all else costs *)

Lemma ln_inverse_part k : ln (/ part k) <= 5 * INR k + 1.
Proof.
  pose proof (pos_INR k) as K. unfold part. rewrite Rinv_div.
  replace ((4 * INR k + 1) * (4 * INR k + 5) / 4) with ((4 * INR k + 1) * (INR k + 5/4)) by field.
  rewrite ln_mult by lra. pose proof (ln_tangent (4 * INR k + 1) 1 ltac:(lra) ltac:(lra)) as A.
  pose proof (ln_tangent (INR k + 5/4) 1 ltac:(lra) ltac:(lra)) as B. rewrite ln_1 in A, B. lra.
Qed.
Lemma power_below s : (1 + INR s) ^ 3 * 4 ^ s <= 2744 * 5 ^ s.
Proof.
  replace 5 with (5/4 * 4) by field. rewrite Rpow_mult_distr, <- Rmult_assoc. apply Rmult_le_compat_r; [positive|].
  pose proof (pos_INR s). apply Rle_trans with ((14 * (15/14) ^ s) ^ 3).
  - apply pow_incr. split; [lra|]. induction s as [|s IH]; [simpl; lra|]. rewrite S_INR in *. cbn [pow].
    pose proof (pow_R1_Rle (15/14) s ltac:(lra)). lra.
  - rewrite Rpow_mult_distr, <- pow_mult, Nat.mul_comm, pow_mult. replace (14 ^ 3) with 2744 by ring.
    apply Rmult_le_compat_l; [lra|]. apply pow_incr. lra.
Qed.
(** The budget of a stage with the level of the k-th champion at [d], in the m-th stage of its cell. *)
Lemma budget_le N s k m d : (k + m <= s)%nat -> 0 < d < 1 ->
  INR (stage_budget N s (share omega_own m * champion_level d k))
    <= (160 * INR N + 72) * ((1 + INR s) * 4 ^ s * (ln (/ d) + 1)).
Proof.
  intros H Hd. destruct (own_level d Hd k m s H) as (A & D & U). set (y := share omega_own m * champion_level d k) in *.
  assert (0 < y < 1) as Y by (unfold y; nra). destruct (budget_range N s y Y) as [_ B]. eapply Rle_trans; [exact B|].
  pose proof ln2_le. pose proof (ln_inv_pos d Hd). pose proof (pos_INR s). pose proof (le_INR (N - 1) N ltac:(lia)).
  pose proof (ln_tangent (INR s + 3/2) 1 ltac:(lra) ltac:(lra)) as T. rewrite ln_1 in T. unfold logs in U.
  unfold Rdiv at 1. rewrite ln_mult by positive. set (l := ln 2 + ln (/ y)) in *.
  set (x := (1 + INR s) * (ln (/ d) + 1)).
  assert (2 * l + 9/16 <= 20 * x) as L by (unfold l, x; nra). assert (1 <= x) as X by (unfold x; nra).
  pose proof (scale_pos s). pose proof (pow_lt 4 s ltac:(lra)).
  assert (scale s <= 8 * 4 ^ s) by (unfold scale; rewrite pow_add; lra).
  pose proof (Rmult_le_compat_l _ _ _ (pos_INR (N - 1)) L) as L'.
  assert (INR (N - 1) * (20 * x) <= INR N * (20 * x)) by (apply Rmult_le_compat_r; lra).
  apply Rle_trans with (8 * 4 ^ s * (INR N * (20 * x) + 9 * x)); [|right; unfold x; ring].
  assert (0 <= INR N * (20 * x)) by positive. apply Rle_trans with (scale s * (INR N * (20 * x) + 9 * x));
    [apply Rmult_le_compat_l|apply Rmult_le_compat_r]; lra.
Qed.

Section All.
Variables (P : arm -> arm -> R) (N : nat) (w : arm) (kappa delta : R) (R0 : nat).
Hypothesis HW : has_winner P N w.
Hypothesis Hk : 0 < kappa < 1.
Let eta := / 2 ^ (2 ^ (R0 + 2)).
Hypothesis Hd : 0 < delta <= eta.
Let HP : valid P := proj1 HW.
Let P01 := valid_01 P HP.
Let lam := ln (/ delta).

Lemma levels : 0 < eta < 1 /\ 0 < delta < 1 /\ 0 <= ln (/ eta) <= lam.
Proof.
  assert (0 < eta < 1) as E.
  { split; [positive|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; [rewrite Rmult_1_l; positive|].
    apply Rlt_pow_R1; [lra|]. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia. }
  split; [exact E|]. split; [lra|]. split; [rewrite <- ln_1|]; apply ln_le; try positive; try lra.
  - rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
  - apply Rinv_le_contravar; lra.
Qed.
Let zeta (k : nat) : R := lam + 1 + 5 * INR k.
Lemma level_of k : 0 < champion_level delta k < 1 /\ champion_level delta k <= eta /\
  ln (/ champion_level delta k) <= zeta k.
Proof.
  destruct levels as (E & D & L). pose proof (part_range k) as K. pose proof (ln_inverse_part k). unfold champion_level.
  assert (delta * part k <= delta * 1) by (apply Rmult_le_compat_l; lra). assert (0 < delta * part k) by positive.
  split; [lra|]. split; [lra|]. unfold zeta. rewrite Rinv_mult, ln_mult by positive. fold lam. lra.
Qed.

(** 1, and what is known against wrong champions. *)
Definition evidence_left (l : cells) : R := 1 + risk P N delta 0 l / delta.
Definition other_rate : R := 2744 * (160 * INR N + 72) * (ln (/ eta) + 1 + 4 * eta * (lam + 1)).
Lemma other_rate_nonneg : 0 <= other_rate.
Proof. destruct levels as (E & D & L). unfold other_rate. positive. Qed.
Lemma evidence_left_ge1 l : sound_cells l -> 1 <= evidence_left l.
Proof.
  intro Sl. pose proof (risk_nonneg P N delta ltac:(lra) l Sl 0). unfold evidence_left.
  assert (0 <= risk P N delta 0 l / delta); [|lra]. apply Rmult_le_pos; [lra|left; positive].
Qed.

Lemma wrong_visit s l k c pairs F : sound_cells l -> (k + visits (cell_at k l) <= s)%nat ->
  position c l = Some k -> own_matches N (Some (c, pairs)) -> c <> w ->
  ET P (visit N omega_own (champion_level delta k) (fun _ => 0%nat) F s c pairs (cell_at k l))
    <= other_rate * 5 ^ s * evidence_left l.
Proof.
  intros Sl Hs Hc (HcN & order & -> & _ & Ord) Ne. destruct levels as (E & D & L).
  destruct (level_of k) as (A & Ae & LA).
  destruct (position_put P N delta ltac:(lra) c l Sl k 0 Hc) as ((Sx & _) & base & Base & Risk & _).
  cbn [Nat.add] in Risk.
  set (a := champion_level delta k) in *. set (x := cell_at k l) in *. set (pairs := against c order).
  unfold cell_worth in Risk. fold a in Risk. set (j := rival P N c) in *.
  destruct (rival_spec P N HP c) as [Loses [Rv|Rv]]; fold j in Loses, Rv.
  { destruct (proj2 HW) as (_ & Hw & W). unfold beats_all in Rv. rewrite forallb_forall in Rv. specialize (W c HcN Ne).
    specialize (Rv w ltac:(apply in_seq; lia)). rewrite (proj2 (Nat.eqb_neq w c)) in Rv by auto.
    destruct (Rlt_dec _ _) as [h|]; [|discriminate]. rewrite (proj2 HP w c) in h. lra. }
  assert (forall u i, In (u, i) pairs -> u = c) as Own by (intros u i I; apply in_map_iff in I;
    now destruct I as (? & [= <- _] & _)).
  pose proof (wrong_rounds P N c j HP Loses s (visits x) a pairs R0 Own ltac:(apply in_map, Ord; tauto) A F 0
    (opened x) (sound_opened x Sx) (Nat.le_0_l _)) as W.
  unfold wrong_cost in W. cbn [Nat.leb] in W. rewrite (worth_opened s (visits x) omega_own a j x eq_refl) in W.
  change (INR (spent (opened x))) with 0 in W.
  replace (level_in_round a R0) with eta in W by (symmetry; now apply Rmax_right).
  set (C := 160 * INR N + 72) in *. set (v := worth omega_own a j x) in *. set (r := risk P N delta 0 l / delta).
  pose proof (part_range k) as Pk. pose proof (share_range (visits x)) as Sh. pose proof (pos_INR s) as s0.
  pose proof (pow_lt 4 s ltac:(lra)) as P4. set (X := (1 + INR s) ^ 3 * 4 ^ s).
  assert (0 <= v) as V0 by (apply worth_nonneg; [exact omega_range|lra|exact Sx]).
  assert (72 <= C) as C0 by (unfold C; pose proof (pos_INR N); lra). assert (0 < / delta) as Id by positive.
  assert (0 <= r) as r0 by (apply Rmult_le_pos; lra). set (far := INR _) in W. set (near := INR _) in W.
  assert (near <= C * X * (ln (/ eta) + 1)) as Near.
  { apply Rle_trans with (C * ((1 + INR s) * 4 ^ s * (ln (/ eta) + 1))).
    - eapply Rle_trans; [|apply (budget_le N s k (visits x) eta Hs E)]. apply le_INR, stage_budget_falls; [|nra].
      pose proof (Rmult_le_compat_l eta (part k) 1 ltac:(lra) ltac:(lra)). unfold champion_level.
      split; [positive|apply Rmult_le_compat_l; lra].
    - rewrite (Rmult_assoc C). apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [lra|].
      apply Rmult_le_compat_r; [lra|]. nra. }
  assert (far * eta / a * v <= C * X * (4 * eta * (lam + 1)) * r) as Far.
  { apply Rle_trans with (C * ((1 + INR s) * 4 ^ s * (lam + 1)) * (eta * (4 * (1 + INR s) ^ 2 * r)));
      [|right; unfold X; ring].
    replace (far * eta / a * v) with (far * (eta * (v / a))) by (field; lra).
    apply Rmult_le_compat; [apply pos_INR|apply Rmult_le_pos; [lra|positive]|now apply budget_le|].
    apply Rmult_le_compat_l; [lra|]. unfold r, a, champion_level, Rdiv. rewrite Rinv_mult. pose proof (part_inv k).
    pose proof (le_INR k s ltac:(lia)).
    replace (v * (/ delta * / part k)) with (/ part k * (v * / delta)) by ring. assert (0 < / part k) by positive.
    apply Rmult_le_compat; [lra|positive|simpl; pose proof (pos_INR k); nra|apply Rmult_le_compat_r; lra]. }
  unfold visit, obind. rewrite ET_bind. rewrite (E_ext P _ _ (fun _ => 0)) by (intros [|]; reflexivity).
  rewrite E_const, Rplus_0_r. unfold other_rate, evidence_left. fold C r. assert (0 <= X) as X0 by (unfold X; positive).
  apply Rle_trans with (C * X * ((ln (/ eta) + 1 + 4 * eta * (lam + 1)) * (1 + r))).
  - assert (0 <= C * X * (ln (/ eta) + 1) * r) by positive. assert (0 <= C * X * (eta * (lam + 1))) by positive. lra.
  - replace (2744 * C * (ln (/ eta) + 1 + 4 * eta * (lam + 1)) * 5 ^ s * (1 + r))
      with (C * (2744 * 5 ^ s) * ((ln (/ eta) + 1 + 4 * eta * (lam + 1)) * (1 + r))) by ring.
    apply Rmult_le_compat_r; [positive|]. apply Rmult_le_compat_l; [lra|]. apply power_below.
Qed.

(** ** The memory *)

(** The duels of the winner's cell that are still to come; the next cell will be its own if it has none. *)
Definition place (l : cells) : nat := match position w l with Some k => k | None => length l end.
Definition winner_part (l : cells) : R := to_come P N w kappa (zeta (place l)) (life (cell_at (place l) l)).
Definition on_time (l : cells) : Prop := in_time P N w kappa (zeta (place l)) (life (cell_at (place l) l)).

Lemma winner_part_nonneg l : on_time l -> 0 <= winner_part l.
Proof. apply but_nonneg. Qed.
Lemma put_other l c k x : position c l = Some k -> c <> w ->
  winner_part (put k x l) = winner_part l /\ (on_time l -> on_time (put k x l)).
Proof.
  intros Hc Ne. pose proof (position_lt c l k Hc) as Hl. unfold winner_part, on_time, place.
  rewrite position_same, put_length. set (h := match position w l with Some _ => _ | None => _ end).
  assert (cell_at h (put k x l) = cell_at h l) as ->; [|auto]. rewrite cell_at_put by exact Hl.
  destruct (Nat.eqb_spec h k) as [E|]; [exfalso|reflexivity]. unfold h in E.
  destruct (position w l) as [q|] eqn:Hw; [|lia].
  subst q. apply Ne. symmetry. exact (position_once c w l k Hc Hw).
Qed.
Lemma new_on_time l c : position c l = None -> on_time l -> on_time (l ++ [(c, empty)]) /\
  winner_part (l ++ [(c, empty)]) <= winner_part l + 5 * slope P N w kappa.
Proof.
  intros Hc T. pose proof (slope_nonneg P N w kappa HW Hk) as S0. destruct levels as (_ & _ & L).
  destruct (Nat.eq_dec (place (l ++ [(c, empty)])) (place l)) as [E|E].
  - unfold on_time, winner_part. rewrite E, cell_at_app. split; [exact T|lra].
  - assert (place l = length l /\ place (l ++ [(c, empty)]) = S (length l)) as [E1 E2].
    { revert E. unfold place. destruct (Nat.eq_dec w c) as [<-|Ne]; [rewrite (position_new w l Hc), Hc; tauto|].
      rewrite (position_other w c l Ne), app_length. destruct (position w l); [tauto|]. cbn. lia. }
    assert (forall k l, (length l <= k)%nat -> cell_at k l = empty) as End.
    { intros k l' H. unfold cell_at. now rewrite nth_overflow. }
    unfold on_time, winner_part. rewrite E1, E2, cell_at_app, !End by lia. cbn [empty life].
    assert (zeta (S (length l)) = zeta (length l) + 5) as -> by (unfold zeta; rewrite S_INR; ring).
    split; [apply in_time_start; auto; unfold zeta; pose proof (pos_INR (length l)); lra|].
    rewrite (to_come_later P N w kappa HW Hk). lra.
Qed.

(** ** A stage *)

Let visit_at := fun s l k c pairs => visit_own N delta (fun _ => 0%nat) enough_rounds s l k c pairs.
Let stage := own_stage N delta (fun _ => 0%nat) enough_rounds.
Definition went_on (f : cells -> R) (o : option (cells * option arm)) : R :=
  match o with Some (l, None) => f l | _ => 0 end.
Definition known_after (l : cells) (c : arm) (o : option (cells * option arm)) : Prop :=
  match o with Some (l', _) => on_time l' /\ (c = w -> risk P N delta 0 l' <= risk P N delta 0 l) | None => True end.

Lemma visit_part s l k c pairs : sound_cells l -> on_time l -> (k + visits (cell_at k l) <= s)%nat ->
  position c l = Some k -> own_matches N (Some (c, pairs)) ->
  leaves (known_after l c) (visit_at s l k c pairs) /\
  ET P (visit_at s l k c pairs) + expect P (visit_at s l k c pairs) (went_on winner_part)
    <= winner_part l + other_rate * 5 ^ s * evidence_left l.
Proof.
  intros Sl T Hs Hc Ho. pose proof Ho as (HcN & order & Eo & _ & Ord). destruct levels as (_ & D & _).
  destruct (position_put P N delta ltac:(lra) c l Sl k 0 Hc) as ((Sx & Gx) & base & _ & Base & Put).
  destruct (level_of k) as (A & _ & La). pose proof (evidence_left_ge1 l Sl) as Y.
  pose proof other_rate_nonneg as O0. pose proof (pow_lt 5 s ltac:(lra)) as P5.
  unfold visit_at, visit_own. set (a := champion_level delta k) in *. set (u := visit _ _ _ _ _ _ _ _ _).
  assert (forall f, ET P (obind u (fun x => Ret (Some (put k x l, answer N c x)))) +
      expect P (obind u (fun x => Ret (Some (put k x l, answer N c x)))) (went_on f) <=
    ET P u + expect P u (fun o => match o with Some x => went_on f (Some (put k x l, answer N c x)) | None => 0 end))
      as Eq.
  { intro f. unfold obind. rewrite ET_bind, E_bind, (E_ext P u _ (fun _ => 0)), E_const by (intros [x|]; reflexivity).
    rewrite Rplus_0_r. apply Rplus_le_compat_l. right. apply E_ext. intros [x|]; reflexivity. }
  destruct (Nat.eq_dec c w) as [->|Ne].
  - assert (forall u j, In (u, j) pairs -> u = w /\ (j < N)%nat /\ j <> w) as Pairs.
    { intros u' j I. rewrite Eo in I. apply in_map_iff in I. destruct I as (i & [= <- <-] & I). now apply Ord in I. }
    assert (forall l', position w l' = Some k -> place l' = k) as Pl by (intros l' E; unfold place; now rewrite E).
    unfold on_time in T. unfold winner_part at 2. rewrite (Pl l Hc) in *.
    destruct (winner_visit P N w kappa HW Hk s a (enough_rounds a) pairs (cell_at k l) (zeta k) ltac:(lra) La
      Pairs Sx Gx T) as [Cost L]. fold u in Cost, L.
    assert (forall x, place (put k x l) = k /\ cell_at k (put k x l) = x) as New.
    { intro x. rewrite (cell_at_put x l k k (position_lt w l k Hc)), Nat.eqb_refl. split; [|reflexivity]. apply Pl.
      now rewrite position_same. }
    split.
    + eapply leaves_bind; [exact L|]. intros [x|]; [|intro; exact Logic.I]. intros (Tx & Hx & Gy & V).
      destruct (New x) as [N1 N2]. cbn [leaves known_after]. unfold on_time. rewrite N1, N2.
      split; [exact Tx|]. intros _. destruct (Put x Hx Gy) as [_ ->]. rewrite Base. unfold cell_worth.
      rewrite (rival_winner P N w HW). apply Rplus_le_compat_l, V.
    + eapply Rle_trans; [apply Eq|]. assert (0 <= other_rate * 5 ^ s * evidence_left l) by positive.
      eapply Rle_trans; [|eapply Rle_trans; [exact Cost|lra]].
      apply Rplus_le_compat_l. eapply (E_mono_leaves P P01); [exact L|]. intros [x|]; [|lra]. intros (Tx & _).
      destruct (New x) as [N1 N2]. cbn [went_on]. destruct (answer N w x); [now apply but_nonneg|].
      unfold winner_part. rewrite N1, N2. lra.
  - split.
    + eapply leaves_bind; [apply leaves_true|]. intros [x|] _; [|exact Logic.I]. split; [|tauto].
      now apply (put_other l c k x Hc Ne).
    + eapply Rle_trans; [apply Eq|]. rewrite Rplus_comm. apply Rplus_le_compat; [|now apply wrong_visit].
      pose proof (winner_part_nonneg l T). apply (E_le P P01). intros [x|]; [|lra]. cbn [went_on].
      destruct (answer N c x); [lra|]. right. now apply (put_other l c k x Hc Ne).
Qed.

Lemma stage_part s l c pairs : sound_cells l -> own_known s l -> on_time l -> own_matches N (Some (c, pairs)) ->
  leaves (known_after l c) (stage s l c pairs) /\
  ET P (stage s l c pairs) + expect P (stage s l c pairs) (went_on winner_part)
    <= winner_part l + (other_rate + 256 + 5 * slope P N w kappa) * 5 ^ s * evidence_left l.
Proof.
  intros Sl Kn T Ho. destruct levels as (_ & D & _). pose proof other_rate_nonneg as O0.
  pose proof (pow_R1_Rle 5 s ltac:(lra)) as P5.
  pose proof (slope_nonneg P N w kappa HW Hk) as S0. pose proof (evidence_left_ge1 l Sl) as Y0.
  assert (1 <= 5 ^ s * evidence_left l) as Y1 by nra.
  assert (slope P N w kappa <= slope P N w kappa * (5 ^ s * evidence_left l)) as Y2 by nra.
  unfold stage, own_stage. destruct (position c l) as [k|] eqn:E.
  - destruct Kn as [_ G]. destruct (G k (position_lt c l k E)) as [Hs _].
    destruct (visit_part s l k c pairs Sl T Hs E Ho) as [L C]. split; [exact L|]. eapply Rle_trans; [exact C|]. lra.
  - destruct (new_on_time l c E T) as [T' W']. pose proof (good_new s c l Kn) as G. set (l' := l ++ [(c, empty)]) in *.
    assert (sound_cells l') as Sl' by (apply Forall_app; split; [exact Sl|repeat constructor]).
    pose proof (position_new c l E) as E'. fold l' in E'.
    pose proof (risk_new P N delta ltac:(lra) c l 0) as Rk. fold l' in Rk.
    destruct (visit_part s l' (length l) c pairs Sl' T' (proj1 (G _ (position_lt c l' _ E'))) E' Ho) as [L C]. split.
    + eapply leaves_bind; [apply leaves_true|]. intros o _. destruct (certified o).
      * eapply leaves_impl; [exact L|]. intros [[l'' r]|]; [|auto]. intros [A B]. split; [exact A|].
        intro Hcw. specialize (B Hcw). lra.
      * split; [exact T|intro; lra].
    + rewrite ET_bind, E_bind, Rplus_assoc, <- E_plus.
      assert (ET P (screen s pairs) <= 256 * 5 ^ s) as Sc.
      { eapply Rle_trans; [apply ET_le_max; exact P01|]. eapply Rle_trans; [apply le_INR, within_budget|].
        unfold screen_budget. rewrite INR_pow4, pow_add. pose proof (pow_incr 4 5 s ltac:(lra)). simpl (4 ^ 4). lra. }
      assert (evidence_left l' <= evidence_left l) as Y.
      { unfold evidence_left. apply Rplus_le_compat_l, Rmult_le_compat_r; [left; positive|exact Rk]. }
      apply (Rmult_le_compat_l (other_rate * 5 ^ s)) in Y; [|positive].
      apply Rle_trans
        with (256 * 5 ^ s + (winner_part l + 5 * slope P N w kappa + other_rate * 5 ^ s * evidence_left l)); [|nra].
      apply Rplus_le_compat; [exact Sc|]. apply (E_le P P01). intro o.
      destruct (certified o); [unfold visit_at in C; lra|].
      cbn [ET expect went_on]. assert (0 <= other_rate * 5 ^ s * evidence_left l) by positive. lra.
Qed.

(** ** All stages *)

Variables (Delta : R) (find : nat -> prog (option (arm * list (arm * arm)))) (s0 : nat).
Hypothesis Gap : condorcet P N w Delta.
Hypothesis Finds : finds (own_matches N) P N w Delta find.
Hypothesis Late : forall s, (s0 <= s)%nat -> gap s <= Delta.

(** What the stages from [s] on cost, relative to the first: each fails with probability 3/16 after [s0]. *)
Definition later (s : nat) : R := 5 ^ Nat.max s s0 * (16 + INR (s0 - s)).
Definition again (s : nat) : R := if Nat.leb s0 s then 3/16 else 1.
Lemma later_step s : 0 <= later s /\ 5 ^ s + again s * later (S s) <= later s.
Proof.
  assert (forall n, 0 < 5 ^ n) as B by (intro; apply pow_lt; lra). unfold later, again.
  split; [specialize (B (Nat.max s s0)); positive|]. destruct (Nat.leb_spec s0 s).
  - rewrite !Nat.max_l by lia. replace (s0 - s)%nat with 0%nat by lia. replace (s0 - S s)%nat with 0%nat by lia.
    cbn [pow INR]. specialize (B s). lra.
  - rewrite !Nat.max_r by lia. replace (s0 - s)%nat with (S (s0 - S s)) by lia. rewrite S_INR.
    pose proof (Rle_pow 5 s s0 ltac:(lra) ltac:(lia)). pose proof (pos_INR (s0 - S s)). specialize (B s0). lra.
Qed.

Hypothesis HN : (2 <= N)%nat.
Definition full_rate : R := other_rate + 256 + 5 * slope P N w kappa + 18 * INR N.
Lemma full_rate_nonneg : 0 <= full_rate.
Proof.
  pose proof other_rate_nonneg. pose proof (slope_nonneg P N w kappa HW Hk).
  pose proof (pos_INR N). unfold full_rate. lra.
Qed.
Lemma search_part n : forall s l, sound_cells l -> own_known s l -> on_time l ->
  ET P (stages find stage n s l) <= winner_part l + full_rate * later s * evidence_left l.
Proof.
  pose proof full_rate_nonneg as F0. destruct levels as (_ & D & _). destruct Finds as (F1 & _ & F3 & F4 & _).
  induction n as [|n IH]; intros s l Sl Kn T; destruct (later_step s) as [L0 L1];
    pose proof (evidence_left_ge1 l Sl) as Y; pose proof (winner_part_nonneg l T) as W0.
  { cbn [stages ET]. assert (0 <= full_rate * later s * evidence_left l) by positive. lra. }
  destruct (later_step (S s)) as [L0' _]. pose proof (pow_R1_Rle 5 s ltac:(lra)) as P5.
  set (h := full_rate * later (S s)).
  assert (0 <= h) as Hh by (unfold h; positive). cbn [stages]. unfold obind at 1. rewrite ET_bind.
  assert (ET P (find s) <= 18 * INR N * 5 ^ s) as F.
  { eapply Rle_trans; [apply F3|]. unfold Rdiv. rewrite scale_inv. unfold scale, C_find. rewrite pow_add.
    pose proof (pow_incr 4 5 s ltac:(lra)). pose proof (le_INR (N - 1) N ltac:(lia)). pose proof (pos_INR (N - 1)).
    pose proof (pow_lt 4 s ltac:(lra)). simpl (4 ^ 3). apply Rle_trans with (18 * (INR (N - 1) * 4 ^ s)); [nra|].
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra. }
  set (rate := other_rate + 256 + 5 * slope P N w kappa).
  assert (0 <= rate) as R3 by (unfold rate, full_rate in *; pose proof other_rate_nonneg;
    pose proof (slope_nonneg P N w kappa HW Hk); lra).
  set (q := if Nat.leb s0 s then 1/14 else 1).
  apply Rle_trans with (18 * INR N * 5 ^ s + expect P (find s) (fun o =>
    (winner_part l + rate * 5 ^ s * evidence_left l)
      + h * evidence_left l * (1 + (q - 1) * if found w o then 1 else 0))).
  - apply Rplus_le_compat; [exact F|]. eapply (E_mono_leaves P P01); [apply F1|]. intros [[c pairs]|] Ho.
    2: { cbn [ET found]. assert (0 <= rate * 5 ^ s * evidence_left l) by positive.
         assert (0 <= h * evidence_left l) by positive. lra. }
    cbn [fst snd found]. destruct (stage_part s l c pairs Sl Kn T Ho) as [L C].
    destruct (own_stage_risk P N delta HP ltac:(lra) (fun _ => 0%nat) enough_rounds s l c pairs Sl Ho) as [Ls Rk].
    destruct (own_stage_facts P HP N delta HN D s c pairs Ho l Kn) as (Lk & _ & Q). fold stage in Ls, Rk, Lk, Q.
    pose proof (leaves_and _ _ _ (leaves_and _ _ _ L Ls) Lk) as All. clear L Ls Lk. unfold obind. rewrite ET_bind.
    apply Rle_trans with ((ET P (stage s l c pairs) + expect P (stage s l c pairs) (went_on winner_part)) +
      h * expect P (stage s l c pairs) (went_on evidence_left)).
    + rewrite Rplus_assoc, <- E_scal, <- E_plus. apply Rplus_le_compat_l. eapply (E_mono_leaves P P01); [exact All|].
      intros [[l' [i|]]|] ((A & B) & K); cbn [ET went_on]; try lra. apply IH; [exact B|apply K|apply A].
    + apply Rplus_le_compat; [exact C|]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact Hh|].
      destruct (Nat.eqb_spec c w) as [->|Ne].
      * apply Rle_trans with (expect P (stage s l w pairs) (fun o => evidence_left l *
          if unanswered _ o then 1 else 0)).
        { eapply (E_mono_leaves P P01); [exact All|]. intros [[l' [i|]]|] ((A & B) & K);
            cbn [went_on unanswered]; try lra.
          destruct A as [_ A]. specialize (A eq_refl). unfold evidence_left. rewrite Rmult_1_r. apply Rplus_le_compat_l.
          apply Rmult_le_compat_r; [left; positive|exact A]. }
        rewrite E_scal. fold (Pr P (stage s l w pairs) (unanswered _)). apply Rmult_le_compat_l; [lra|]. unfold q.
        destruct (Nat.leb_spec s0 s) as [Hs|]; [|pose proof (Pr_le1 P P01 (stage s l w pairs) (unanswered _)); lra].
        destruct (Q Delta (Late s Hs) (winner_rivals P N w Delta Gap)) as [Q' _]. lra.
      * rewrite Rmult_0_r, Rplus_0_r, Rmult_1_r. unfold evidence_left at 2. eapply Rle_trans.
        { apply (E_mono P P01) with (g := fun o => 1 + / delta * after (wrongly_returned P N) (risk P N delta 0) o).
          intros [[l' [i|]]|]; cbn [went_on after]; [|unfold evidence_left; right; field; lra|lra].
          assert (0 <= / delta * ind (wrongly_returned P N (Some i))); [|lra]. apply Rmult_le_pos; [left; positive|].
          unfold ind. destruct (wrongly_returned _ _ _); lra. }
        rewrite E_plus, E_const, E_scal. apply Rplus_le_compat_l. unfold Rdiv. rewrite Rmult_comm.
        apply Rmult_le_compat_r; [left; positive|exact Rk].
  - rewrite E_plus, E_const, E_scal, E_plus, E_const, E_scal. fold (Pr P (find s) (found w)).
    assert (1 + (q - 1) * Pr P (find s) (found w) <= again s) as A.
    { unfold q, again. destruct (Nat.leb_spec s0 s) as [Hs|]; [specialize (F4 s (Late s Hs)); lra|lra]. }
    apply (Rmult_le_compat_l (h * evidence_left l)) in A; [|positive].
    apply Rle_trans with (winner_part l + full_rate * (5 ^ s + again s * later (S s)) * evidence_left l).
    + assert (18 * INR N * 5 ^ s * 1 <= 18 * INR N * 5 ^ s * evidence_left l)
        by (apply Rmult_le_compat_l; [pose proof (pos_INR N); positive|exact Y]).
      apply Rle_trans
        with (winner_part l + (rate + 18 * INR N) * 5 ^ s * evidence_left l + h * evidence_left l * again s);
        [lra|]. right. unfold h, rate, full_rate. ring.
    + apply Rplus_le_compat_l, Rmult_le_compat_r; [lra|]. now apply Rmult_le_compat_l.
Qed.
End All.

(** ** The theorems *)

Lemma duels_per_log_pos P N w : has_winner P N w -> (2 <= N)%nat -> 0 < duels_per_log P N w.
Proof.
  intros HW HN. assert (exists j, (j < N)%nat /\ j <> w) as (j & Hj & Hjw).
  { destruct (Nat.eq_dec w 0) as [->|Ne]; [exists 1%nat|exists 0%nat]; lia. }
  apply (but_pos w _ N j); auto. intros i Hi Hiw. destruct (winner_range P N w HW i Hi Hiw). positive.
Qed.
Lemma below_exp x delta : 0 < delta < exp (- x) -> x <= ln (/ delta).
Proof.
  intro H. rewrite ln_Rinv by lra. pose proof (ln_le delta (exp (- x)) ltac:(lra) ltac:(lra)) as L.
  rewrite ln_exp in L. lra.
Qed.

Theorem asymptotic_cost : asymptotic_cost_statement.
Proof.
  intros P N w Delta find HW HC HD HN Finds eps He. destruct (first_stage Delta ltac:(lra)) as (s0 & Hs0 & _).
  assert (forall s, (s0 <= s)%nat -> gap s <= Delta) as Late by (intros s Hs; pose proof (gap_le s0 s Hs); lra).
  pose proof (duels_per_log_pos P N w HW HN) as D0. set (D := duels_per_log P N w) in *.
  set (kappa := eps / (2 + eps)).
  assert (0 < kappa < 1) as Hk by (unfold kappa; split; [positive|]; apply Rlt_div_l; lra).
  assert (slope P N w kappa = (1 + eps / 2) * D) as Sl.
  { unfold slope, D, duels_per_log, but. rewrite <- sm_scal. apply sm_ext. intros j Hj.
    destruct (Nat.eqb_spec j w) as [|Hjw]; [ring|]. destruct (winner_range P N w HW j Hj Hjw). unfold kappa.
    field. lra. }
  set (B := 2744 * (160 * INR N + 72)). set (L := later s0 0 * 2). pose proof (pos_INR N) as N0.
  assert (0 < eps / 4 * D) as ED by positive.
  assert (0 <= L) as L0 by (unfold L; destruct (later_step s0 0); lra).
  set (Q := 4 * (B * L)). assert (0 <= Q) as Q0 by (unfold Q, B; positive).
  destruct (archimed_cor1 (eps / 4 * D / (Q + 1)) ltac:(positive)) as (R0 & H1 & H2). apply lt_0_INR in H2 as H3.
  set (eta := / 2 ^ (2 ^ (R0 + 2))). assert (Q * eta <= eps / 4 * D) as HR.
  { assert (eta <= / INR R0).
    { apply Rinv_le_contravar; [exact H3|]. rewrite <- (pow_INR 2). apply le_INR.
      pose proof (Nat.pow_gt_lin_r 2 (R0 + 2)). pose proof (Nat.pow_gt_lin_r 2 (2 ^ (R0 + 2))). lia. }
    apply Rle_trans with (Q * (eps / 4 * D / (Q + 1))); [apply Rmult_le_compat_l; lra|].
    apply Rle_trans with ((Q + 1) * (eps / 4 * D / (Q + 1))); [apply Rmult_le_compat_r; [left; positive|lra]|].
    right. field. lra. }
  set (C := to_come P N w kappa 1 (fun _ => nothing)
    + (B * (ln (/ eta) + 1 + 4 * eta) + 256 + 5 * slope P N w kappa + 18 * INR N) * L).
  assert (0 < eta) as E0 by (unfold eta; positive).
  exists (Rmin eta (exp (- (C / (eps / 4 * D))))). split; [apply Rmin_glb_lt; [lra|apply exp_pos]|]. intros delta n Hd.
  pose proof (Rmin_l eta (exp (- (C / (eps / 4 * D))))). pose proof (Rmin_r eta (exp (- (C / (eps / 4 * D))))).
  assert (0 < delta <= eta) as Hd' by lra. destruct (levels delta R0 Hd') as (_ & D1 & LD).
  pose proof (below_exp (C / (eps / 4 * D)) delta ltac:(lra)) as Far.
  apply (Rmult_le_compat_l (eps / 4 * D)) in Far; [|lra].
  replace (eps / 4 * D * (C / (eps / 4 * D))) with C in Far by (field; lra).
  pose proof (search_part P N w kappa delta R0 HW Hk Hd' Delta find s0 HC Finds Late HN n 0 []) as S.
  eapply Rle_trans; [apply S; [constructor|split; [apply le_n|intros k Hk'; inversion Hk']|]|].
  { apply in_time_start; auto. simpl (INR _). lra. }
  assert (winner_part P N w kappa delta []
    = to_come P N w kappa 1 (fun _ => nothing) + ln (/ delta) * slope P N w kappa) as -> by
    (rewrite <- (to_come_later P N w kappa HW Hk); unfold winner_part; cbn; f_equal; ring).
  assert (evidence_left P N delta [] = 2) as -> by (unfold evidence_left; cbn; field; lra).
  rewrite (Rmult_assoc (full_rate _ _ _ _ _ _)). fold L. unfold full_rate, other_rate. fold eta B.
  apply (Rmult_le_compat_r (ln (/ delta))) in HR; [|lra]. unfold Q in HR.
  unfold C in Far. rewrite Sl in *. lra.
Qed.

Lemma KL_of_level delta : 0 < delta <= 1/2 -> ln (/ delta) - 3 <= KL delta (1 - delta).
Proof.
  intro Hd. rewrite KL_ln by lra. replace (1 - (1 - delta)) with delta by ring. rewrite ln_Rinv by lra.
  assert (- 2 * delta <= ln (1 - delta)) as A.
  { pose proof (ln_tangent (/ (1 - delta)) 1 ltac:(positive) ltac:(lra)) as T. rewrite ln_Rinv, ln_1 in T by lra.
    assert (/ (1 - delta) <= 1 + 2 * delta); [|lra]. apply Rmult_le_reg_l with (1 - delta); [lra|].
    rewrite Rinv_r by lra. nra. }
  assert (- (delta * ln delta) <= 1) as B.
  { pose proof (ln_tangent (/ delta) 1 ltac:(positive) ltac:(lra)) as T. rewrite ln_Rinv, ln_1 in T by lra.
    apply (Rmult_le_compat_l delta) in T; [|lra].
    replace (delta * (/ delta / 1 + 0 - 1)) with (1 - delta) in T by (field; lra). lra. }
  nra.
Qed.

Theorem no_algorithm_is_better : no_algorithm_is_better_statement.
Proof.
  intros P N w run bound HW Finds Err eps He. exists (Rmin (1/2) (exp (- (3 / eps)))).
  split; [apply Rmin_glb_lt; [lra|apply exp_pos]|]. intros delta Hd.
  pose proof (Rmin_l (1/2) (exp (- (3 / eps)))). pose proof (Rmin_r (1/2) (exp (- (3 / eps)))).
  pose proof (below_exp (3 / eps) delta ltac:(lra)) as L. pose proof (KL_of_level delta ltac:(lra)) as K.
  eapply Rle_trans; [|apply (lower_bound_assuming_nothing P N w (run delta) delta (bound delta) HW ltac:(lra)
    (Finds delta ltac:(lra)) (fun j F => Err delta j F ltac:(lra)))].
  apply Rle_trans with (KL delta (1 - delta) * duels_per_log P N w).
  - rewrite (Rmult_comm (1 - eps)), Rmult_assoc, Rmult_comm. apply Rmult_le_compat_r.
    + apply but_nonneg. intros j Hj Hw. destruct (winner_range P N w HW j Hj Hw). positive.
    + apply (Rmult_le_compat_l eps) in L; [|lra]. replace (eps * (3 / eps)) with 3 in L by (field; lra). lra.
  - right. unfold duels_per_log. rewrite <- sm_scal. apply sm_ext. intros j _. now destruct (Nat.eqb j w); [ring|].
Qed.

Lemma expected_duels_limit P N w Delta find delta : condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat ->
  finds (own_matches N) P N w Delta find -> 0 < delta < 1 ->
  is_lim_seq (fun n => ET P (find_then_certify find N delta n)) (expected_duels find P N delta) /\
  identifies P w (find_then_certify find N delta) delta (expected_duels find P N delta).
Proof.
  intros HC HD HN Finds Hd.
  destruct (find_then_certify_identifies P N w Delta find delta HC HD HN Hd Finds) as (A & (_ & x & Lim & _) & B & C).
  assert (expected_duels find P N delta = x) as -> by (unfold expected_duels; now rewrite (is_lim_seq_unique _ _ Lim)).
  split; [exact Lim|]. split; [exact A|]. split; [|auto]. split; [|exists x; split; [exact Lim|lra]].
  apply is_lim_seq_incr_compare; [exact Lim|]. intro n. apply refines_ET; [apply HC|apply stages_refine].
Qed.
Lemma certify_ties P N w find delta j F : has_winner P N w -> (forall s, leaves (own_matches N) (find s)) ->
  0 < delta < 1 -> (j < N)%nat -> j <> w ->
  Pr (tied_with P N w j) (find_then_certify find N delta F) (is_arm w) <= delta.
Proof.
  intros HW Own Hd Hj Hjw. destruct (tied_is_instance P N w j HW Hj Hjw) as (HV & _ & Tie & _).
  eapply Rle_trans; [|apply (find_then_certify_error _ N find delta F HV Hd Own)].
  apply E_mono; [now apply valid_01|]. intros [x|]; cbn [is_arm wrongly_returned]; [|lra].
  destruct (Nat.eqb_spec x w) as [->|]; [|destruct (negb _); lra].
  assert (beats_all (tied_with P N w j) N w = false) as ->; [|cbn; lra]. apply not_true_is_false. unfold beats_all.
  rewrite forallb_forall. intro H. specialize (H j ltac:(apply in_seq; lia)).
  rewrite (proj2 (Nat.eqb_neq j w) Hjw), Tie in H. destruct (Rlt_dec _ _); [lra|discriminate].
Qed.

Theorem asymptotically_optimal : asymptotically_optimal_statement.
Proof.
  intros P N w Delta find HW HC HD HN Finds. pose proof (duels_per_log_pos P N w HW HN) as D0.
  split; [intros delta Hd; now apply (expected_duels_limit P N w Delta)|]. set (D := duels_per_log P N w) in *.
  apply filterlim_locally. intros [eps He]. assert (0 < eps / (2 * D)) as He' by positive.
  destruct (asymptotic_cost P N w Delta find HW HC HD HN Finds _ He') as (d1 & H1 & Up).
  destruct (no_algorithm_is_better P N w (find_then_certify find N) (expected_duels find P N) HW)
    with (eps := eps / (2 * D)) as (d2 & H2 & Low); [| |exact He'|].
  - intros delta Hd. apply identifies_finds; [apply HW|].
    apply (expected_duels_limit P N w Delta find delta); auto; lra.
  - intros delta j F Hd Hj Hjw. apply certify_ties; auto; [apply Finds|lra].
  - assert (0 < Rmin (Rmin d1 d2) (/ 2)) as M by (repeat apply Rmin_glb_lt; lra). exists (mkposreal _ M).
    intros delta Hb Hpos. unfold ball in Hb. cbn in Hb. unfold AbsRing_ball, abs, minus, plus, opp in Hb. cbn in Hb.
    rewrite Ropp_0, Rplus_0_r, Rabs_pos_eq in Hb by lra. pose proof (Rmin_l (Rmin d1 d2) (/ 2)).
    pose proof (Rmin_r (Rmin d1 d2) (/ 2)). pose proof (Rmin_l d1 d2). pose proof (Rmin_r d1 d2).
    specialize (Low delta ltac:(lra)). fold D in Low. set (E := expected_duels find P N delta) in *.
    assert (E <= (1 + eps / (2 * D)) * D * ln (/ delta)) as Up'.
    { refine (is_lim_seq_le _ (fun _ => _) (Finite E) (Finite _) (fun n => Up delta n _) _ (is_lim_seq_const _));
      [lra|].
      apply (expected_duels_limit P N w Delta find delta); auto. lra. }
    pose proof (ln_inv_pos delta ltac:(lra)) as L.
    replace ((1 + eps / (2 * D)) * D * ln (/ delta)) with ((D + eps / 2) * ln (/ delta)) in Up' by (field; lra).
    replace ((1 - eps / (2 * D)) * D * ln (/ delta)) with ((D - eps / 2) * ln (/ delta)) in Low by (field; lra).
    apply Rle_div_l in Up'; [|exact L]. apply Rle_div_r in Low; [|exact L]. apply Rabs_def1; cbn; lra.
Qed.

(** The gap of an instance with a winner. *)
Lemma winner_gap P N w : has_winner P N w -> exists g, 0 < g <= 1/2 /\ condorcet P N w g.
Proof.
  intros ((P01 & PA) & _ & Hw & W).
  set (f j := if Nat.ltb j N then if Nat.eqb j w then 1 else P w j - 1/2 else 1). set (g := Rmin (lowest f N) (1/2)).
  pose proof (Rmin_l (lowest f N) (1/2)). pose proof (Rmin_r (lowest f N) (1/2)). exists g. fold g in H, H0. split.
  - split; [|lra]. apply Rmin_glb_lt; [|lra]. apply lowest_pos. intro j. unfold f.
    destruct (Nat.ltb_spec j N) as [Hj|]; [|lra].
    destruct (Nat.eqb_spec j w) as [|Hjw]; [|specialize (W j Hj Hjw)]; lra.
  - split; auto. intros j Hj Hjw. pose proof (lowest_le f N j Hj) as L. unfold f in L at 2.
    rewrite (proj2 (Nat.ltb_lt j N) Hj), (proj2 (Nat.eqb_neq j w) Hjw) in L. lra.
Qed.
Theorem knockout_asymptotically_optimal : knockout_asymptotically_optimal_statement.
Proof.
  intros cv P N w HW HN. destruct (winner_gap P N w HW) as (g & Hg & HC).
  apply (asymptotically_optimal P N w g); auto. now apply knockout_finds.
Qed.
