(** * DuelTest: one pair until its empirical mean leaves the confidence radius

    The theorems hold for every rule that stops neither before the radius [c_early] nor after [c_late].  The
    paper's rule is an instance, and so is one that is computed in floating point ([rounded_rule_admissible]). *)
From Coq Require Import FunctionalExtensionality.
From Coq Require Import Reals Lra Psatz Lia Bool Arith.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence.
Open Scope R_scope.

(** With the paper's rule the probability of error is at most half of the level. *)
Definition dueltest_half_statement : Prop := forall P d u v F,
  valid P -> 0 < d < 1 -> u <> v -> P u v <> 1/2 ->
  Pr P (DT paper_rule F d u v) (wrong (better P u v)) <= d / 2.

(** A rule computed in floating point is covered for horizons up to 2^60, at every level down to exp (-
    2^32), if its radius has a relative error of at most 2^-40 and its mean an absolute error of at most
    2^-54.  Within these limits the rule and the test satisfy the theorems' hypotheses. *)
Definition held (d : R) : Prop := 0 < d < 1 /\ ln (/ d) <= 2 ^ 32.
Definition counted (n s : nat) : Prop := (0 < n)%nat /\ (s <= n)%nat /\ INR n <= 2 ^ 60.
Definition rounded_rule_admissible_statement : Prop := forall stop : rule,
  (forall d n s, held d -> counted n s ->
     (stop d n s = Some true -> (1 - / 2 ^ 40) * c_radius n d - / 2 ^ 54 <= INR s / INR n - 1/2) /\
     (stop d n s = Some false -> (1 - / 2 ^ 40) * c_radius n d - / 2 ^ 54 <= 1/2 - INR s / INR n) /\
     (stop d n s = None -> Rabs (INR s / INR n - 1/2) <= (1 + / 2 ^ 40) * c_radius n d + / 2 ^ 54)) ->
  exists ideal : rule, sound ideal /\ prompt ideal /\
  (forall d n s, held d -> counted n s -> ideal d n s = stop d n s) /\
  forall F d u v, INR F <= 2 ^ 60 -> held d -> DT stop F d u v = DT ideal F d u v.

(** * Proofs *)

Lemma paper_rule_at d n s :
  (paper_rule d n s = Some true -> c_radius n d <= INR s / INR n - 1/2) /\
  (paper_rule d n s = Some false -> c_radius n d <= 1/2 - INR s / INR n) /\
  (paper_rule d n s = None -> Rabs (INR s / INR n - 1/2) <= c_radius n d).
Proof.
  unfold paper_rule. pose proof (c_nonneg n d).
  destruct (Rlt_dec (c_radius n d) (Rabs _)) as [h|h]; [|repeat split; try discriminate; lra].
  unfold Rabs in h. destruct (Rcase_abs _);
  destruct (Rlt_dec (1/2) (INR s / INR n)); repeat split; intro; try discriminate; lra.
Qed.

Theorem paper_rule_admissible : paper_rule_admissible_statement.
Proof.
  split; intros d n s Hd Hn; destruct (paper_rule_at d n s) as (A & B & C).
  - assert (c_early n d <= c_radius n d) by (apply radius_mono; [exact Hn|unfold slack; lra]).
    split; intro H0; [specialize (A H0)|specialize (B H0)]; lra.
  - intro H0. eapply Rle_trans; [apply C, H0|]. apply radius_mono; [exact Hn|unfold slack; lra].
Qed.

Definition after (stop fin : nat -> nat -> option bool) (f n s : nat) (u v : arm) : prog (option arm) :=
  match stop n s with Some a => Ret (pick u v (Some a)) | None => seqtest stop fin f n s u v end.
Lemma seqtest_S stop fin f n s u v :
  seqtest stop fin (S f) n s u v = Duel u v (fun b => after stop fin f (S n) (b2n b + s) u v).
Proof. reflexivity. Qed.

Lemma seqtest_ext stop stop' fin fin' u v fuel : forall n s,
  (forall n' s', (n < n' <= n + fuel)%nat -> (s' <= n' - n + s)%nat -> stop n' s' = stop' n' s') ->
  (forall s', (s' <= fuel + s)%nat -> fin (n + fuel)%nat s' = fin' (n + fuel)%nat s') ->
  seqtest stop fin fuel n s u v = seqtest stop' fin' fuel n s u v.
Proof.
  induction fuel as [|f IH]; intros n s H H'; cbn [seqtest].
  { specialize (H' s). rewrite Nat.add_0_r in H'. rewrite H'; auto. }
  f_equal. apply functional_extensionality. intro b. rewrite H by (destruct b; cbn [b2n]; lia).
  destruct (stop' _ _); [reflexivity|]. apply IH.
  - intros n' s' Hn Hs. apply H; [lia|]. destruct b; cbn [b2n] in Hs; lia.
  - intros s' Hs. replace (S n + f)%nat with (n + S f)%nat by lia. apply H'. destruct b; cbn [b2n] in Hs; lia.
Qed.

(** Levels that are held leave room below the logarithm of 2^33. *)
Lemma held_log x d : 1 <= x <= 2 ^ 128 -> held d -> ln (x / d) <= 2 ^ 33.
Proof.
  intros Hx [Hd HL]. assert (0 < / d) by (apply Rinv_0_lt_compat; lra).
  unfold Rdiv. rewrite ln_mult by lra. pose proof (ln_le x (2 ^ 128) ltac:(lra) ltac:(lra)) as H1.
  rewrite ln_pow in H1 by lra. replace (INR 128) with 128 in H1 by (simpl; lra).
  pose proof (exp_ineq1_le 1). pose proof (ln_le 2 (exp 1) ltac:(lra) ltac:(lra)) as H2. rewrite ln_exp in H2. lra.
Qed.

Theorem rounded_rule_admissible : rounded_rule_admissible_statement.
Proof.
  intros stop Near. destruct paper_rule_admissible as [PS PP].
  assert (D : forall d n s, {held d /\ counted n s} + {~ (held d /\ counted n s)}).
  { intros d n s. unfold held, counted.
    destruct (Rlt_dec 0 d), (Rlt_dec d 1), (Rle_dec (ln (/ d)) (2 ^ 32)), (lt_dec 0 n), (le_dec s n),
      (Rle_dec (INR n) (2 ^ 60)); try (right; tauto); left; tauto. }
  set (ideal := fun d n s => if D d n s then stop d n s else paper_rule d n s).
  assert (Same : forall d n s, held d -> counted n s -> ideal d n s = stop d n s).
  { intros d n s Hd Hn. unfold ideal. destruct (D d n s); tauto. }
  exists ideal. repeat split; [| | |exact Same|].
  3: intros d n s Hd0 Hn0.
  1-3: unfold ideal; destruct (D d n s) as [[Hd Hn]|_]; [intro A|apply PS || apply PP; auto].
  1-3: destruct Hn as (N1 & Hn & HN); apply (rounding_slack n d); auto; [|apply (Near d n s Hd), A; now split].
  1-3: apply (le_INR 1) in N1; simpl (INR 1) in N1; apply held_log; [split; [nra|]|exact Hd].
  1-3: apply Rle_trans with (2 * 2 ^ 60 * (2 ^ 60 + 1)); [apply Rmult_le_compat; lra|lra].
  - intros F d u v HF Hd. apply seqtest_ext; [|reflexivity]. intros n s Hn Hs. symmetry. apply Same; auto.
    split; [lia|]. split; [lia|]. apply Rle_trans with (INR F); [apply le_INR; lia|exact HF].
Qed.

(** ** The error *)

Definition is_ans (a : bool) (o : option bool) : bool :=
  match o with Some b => Bool.eqb a b | None => false end.

Section Err.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variables u v : arm.
Hypothesis uv : u <> v.
Variable a : bool.                     (* the wrong decision *)
Let x := if a then u else v.

Lemma pick_arm o : ind (is_arm x (pick u v o)) = ind (is_ans a o).
Proof.
  unfold x. destruct a, o as [[|]|]; simpl; try reflexivity; rewrite ?Nat.eqb_refl; simpl; try reflexivity.
  - destruct (Nat.eqb_spec v u); [subst; congruence|reflexivity].
  - destruct (Nat.eqb_spec u v); [subst; congruence|reflexivity].
Qed.

Lemma seqtest_hits stop fuel : forall n s,
  Pr P (seqtest stop never fuel n s u v) (is_arm x) <= hit (P u v) (fun m t => is_ans a (stop m t)) fuel n s.
Proof.
  unfold Pr. induction fuel as [|f IH]; intros n s; [cbn; lra|]. rewrite seqtest_S. cbn [expect hit b2n Nat.add].
  set (ev := fun m t => is_ans a (stop m t)).
  assert (G : forall s', expect P (after stop never f (S n) s' u v) (fun o => if is_arm x o then 1 else 0)
              <= (if ev (S n) s' then 1 else hit (P u v) ev f (S n) s')).
  { intro s'. pose proof (hit_le1 (P u v) ev (P01 u v) f (S n) s') as B. unfold after, ev at 1.
    destruct (stop (S n) s') as [b|]; [|simpl (is_ans a None); apply IH]. cbn [expect].
    fold (ind (is_arm x (pick u v (Some b)))). rewrite pick_arm. destruct (is_ans a (Some b)); cbn; lra. }
  apply conv_mono; [apply P01|apply G|apply G].
Qed.

Lemma seqtest_shown stop ev fuel : (forall n s, (s <= n)%nat -> stop n s = Some a -> ev n s = true) ->
  Pr P (seqtest stop never fuel 0 0 u v) (is_arm x) <= hit (P u v) ev fuel 0 0.
Proof.
  intro H. eapply Rle_trans; [apply seqtest_hits|]. apply hit_within; auto. intros n s _ Hs E. apply H; auto.
  destruct (stop n s) as [b|]; [|discriminate]. apply eqb_prop in E. congruence.
Qed.

(** A test with a budget errs when it would without one, or at its end. *)
Lemma seqtest_last stop fin fuel : forall n s, Pr P (seqtest stop fin fuel n s u v) (is_arm x) <=
  Pr P (seqtest stop never fuel n s u v) (is_arm x) + walk (P u v) fuel n s (fun m t => ind (is_ans a (fin m t))).
Proof.
  unfold Pr. induction fuel as [|f IH]; intros n s; rewrite ?seqtest_S; cbn [seqtest expect walk].
  - fold (ind (is_arm x (pick u v (fin n s)))). rewrite pick_arm. cbn. lra.
  - set (g := fun o => if is_arm x o then 1 else 0). set (h := fun m t => ind (is_ans a (fin m t))).
    assert (G : forall s', expect P (after stop fin f (S n) s' u v) g <=
      expect P (after stop never f (S n) s' u v) g + walk (P u v) f (S n) s' h).
    { intro s'. unfold after. destruct (stop (S n) s'); [|apply IH].
      pose proof (walk_nonneg (P u v) (P01 u v) f (S n) s' h (fun m t => ind_nonneg _)). lra. }
    cbn [b2n Nat.add]. pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (G (S s)) (G s)). lra.
Qed.

Lemma seqtest_err stop fin fuel : Pr P (seqtest stop fin fuel 0 0 u v) (is_arm x)
  <= sm (fun j => walk (P u v) (S j) 0 0 (fun m t => ind (is_ans a (stop m t)))) fuel
     + walk (P u v) fuel 0 0 (fun m t => ind (is_ans a (fin m t))).
Proof.
  eapply Rle_trans; [apply seqtest_last|]. apply Rplus_le_compat_r. eapply Rle_trans; [apply seqtest_hits|].
  apply (hit_union (P u v) (P01 u v) (fun m t => is_ans a (stop m t))).
Qed.
End Err.

Lemma seqtest_answers (Q : option arm -> Prop) stop fin u v fuel : (forall c, Q (pick u v (Some c))) ->
  (forall n s, Q (pick u v (fin n s))) -> forall n s, leaves Q (seqtest stop fin fuel n s u v).
Proof.
  induction fuel as [|f IH]; intros; cbn [seqtest leaves]; auto. split; destruct (stop _ _); cbn [leaves]; auto.
Qed.
Lemma seqtest_leaves stop fin u v fuel n s : leaves (one_of u v) (seqtest stop fin fuel n s u v).
Proof. apply seqtest_answers; [intros []|intros k t; destruct (fin k t) as [[]|]]; cbn; auto. Qed.

Section Error.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.

(** [a]: the worse arm.  [r n] is a radius inside of which the rule does not return it, [y n] its Hoeffding
    bound, except where it cannot return it at all. *)
Lemma wrong_side (a : bool) (stop : nat -> nat -> option bool) (r y : nat -> R) fuel u v : u <> v ->
  (if a then P u v <= 1/2 else 1/2 <= P u v) ->
  (forall n, (0 < n)%nat -> 0 <= y n /\
     ((forall s, (s <= n)%nat -> stop n s <> Some a) \/ 0 <= r n /\ exp (- (2 * INR n * (r n * r n))) <= y n)) ->
  (forall n s, (0 < n)%nat -> stop n s = Some a -> r n <= beyond a (1/2) (INR s / INR n)) ->
  Pr P (seqtest stop never fuel 0 0 u v) (is_arm (if a then u else v)) <= sm (fun j => y (S j)) fuel.
Proof.
  intros Huv Hp Hr Hs. eapply Rle_trans; [apply (seqtest_err P P01 u v Huv a stop never)|].
  simpl (fun m t => ind (is_ans a (never m t))). rewrite walk_zero, Rplus_0_r. apply sm_le. intros j _.
  destruct (Hr (S j) ltac:(lia)) as [Y [No|[R0 R1]]].
  - eapply Rle_trans; [|exact Y]. rewrite <- (walk_zero (P u v) (S j) 0 0). apply walk_mono; auto. intros n s -> H.
    cbn [Nat.add]. specialize (No s ltac:(lia)). destruct (stop _ s) as [[]|]; destruct a; cbn; try lra; congruence.
  - apply (tail a (P u v) (r (S j)) (y (S j)) (S j) (fun m t => is_ans a (stop m t))); auto; [lia|].
    intros s H. destruct (stop (S j) s) as [b|] eqn:Es; [|discriminate]. apply eqb_prop in H. subst b.
    specialize (Hs (S j) s ltac:(lia) Es). destruct a; cbn [beyond] in *; lra.
Qed.

Lemma union_levels a fuel : 0 <= a -> sm (fun j => a * / (INR (S j) * (INR (S j) + 1))) fuel <= a.
Proof.
  intro Ha. rewrite sm_scal. rewrite <- (Rmult_1_r a) at 2. apply Rmult_le_compat_l; [exact Ha|].
  eapply Rle_trans; [apply sm_le; intros j _; rewrite <- (S_INR (S j)); apply Rle_refl|apply telescope_le1].
Qed.

(** No rule that is sound stops in the first ten duels: it would need a larger lead than there are duels. *)
Lemma exp_pow x n : exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n IH]; [cbn; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. cbn [pow]. ring.
Qed.

(** c/d <= (1 + a/(n b))^n <= exp(a/b), the first by integers. *)
Lemma exp_lower a b c d n : let m := (Z.of_nat n * b)%Z in
  ((0 <? b) && (0 <? d) && (0 <? Z.of_nat n) && (0 <? m + a) &&
   (c * m ^ Z.of_nat n <=? d * (m + a) ^ Z.of_nat n))%Z = true -> IZR c / IZR d <= exp (IZR a / IZR b).
Proof.
  intros m H. repeat (apply andb_true_iff in H; destruct H as [H ?H]). rewrite ?Z.ltb_lt, Z.leb_le in *.
  assert (0 < m)%Z as M by (unfold m; nia). apply IZR_lt in H, H1, H2, H3, M. apply IZR_le in H0.
  rewrite !mult_IZR, <- !pow_IZR, plus_IZR in *. rewrite <- INR_IZR_INZ in H2.
  assert (IZR m = INR n * IZR b) as E by (unfold m; rewrite mult_IZR, <- INR_IZR_INZ; reflexivity).
  replace (IZR a / IZR b) with (INR n * (IZR a / IZR m)) by (rewrite E; field; lra). rewrite exp_pow.
  assert (1 + IZR a / IZR m = (IZR m + IZR a) / IZR m) as Q by (field; lra).
  apply Rle_trans with ((1 + IZR a / IZR m) ^ n).
  - rewrite Q. unfold Rdiv at 2. rewrite Rpow_mult_distr, pow_inv. apply (Rle_div_r _ _ (IZR m ^ n)); [positive|].
    replace (IZR c / IZR d * IZR m ^ n) with (IZR c * IZR m ^ n / IZR d) by (field; lra). apply Rle_div_l; lra.
  - apply pow_incr. split; [rewrite Q; positive|apply exp_ineq1_le].
Qed.

Lemma exp_half_le : exp (1/2) <= 5/3.
Proof.
  replace (1/2) with (- (-1 / 2)) by field. rewrite exp_Ropp. replace (5/3) with (/ (3/5)) by field.
  apply Rinv_le_contravar; [lra|]. apply (exp_lower (-1) 2 3 5 16). vm_compute. reflexivity.
Qed.

Lemma c_early_large n d : (0 < n <= 10)%nat -> 0 < d < 1 -> 1/2 < c_early n d.
Proof.
  intros Hn Hd. apply Rnot_le_lt. intro H. assert (0 < INR n) as N0 by (apply INR_pos; lia).
  pose proof (c_early_exp n d ltac:(lia) Hd) as X. pose proof (c_early_nonneg n d) as C0.
  set (E := exp (INR n * (1/2))). set (Y := INR n * (INR n + 1)) in *. assert (0 < E) as E0 by apply exp_pos.
  assert (/ E <= 8 / 15 * d * / Y) as XE.
  { eapply Rle_trans; [|exact X]. unfold E. rewrite <- exp_Ropp. apply exp_le.
    assert (c_early n d * c_early n d <= 1/4) by nra. nra. }
  assert (0 < Y) as Y0 by (unfold Y; positive). apply (Rmult_le_compat_l (E * Y)) in XE; [|positive].
  replace (E * Y * / E) with Y in XE by (field; lra).
  replace (E * Y * (8 / 15 * d * / Y)) with (8 / 15 * (d * E)) in XE by (field; lra).
  assert (E <= (5/3) ^ n) as Z.
  { unfold E. rewrite exp_pow. apply pow_incr. split; [left; apply exp_pos|apply exp_half_le]. }
  assert (INR n * (INR n + 1) <= 8/15 * (5/3) ^ n) as W by (fold Y; nra).
  clear - Hn W. do 11 (destruct n as [|n]; [first [lia|simpl in W; lra]|]). lia.
Qed.

(** What is summed from the eleventh duel on. *)
Definition late (a : R) (n : nat) : R := if Nat.leb n 10 then 0 else a * / (INR n * (INR n + 1)).
Lemma late_levels a fuel : 0 <= a -> sm (fun j => late a (S j)) fuel <= a / 11.
Proof.
  intro Ha. assert (sm (fun j => late a (S j)) fuel <= a * (/ 11 - / INR (Nat.max (S fuel) 11))) as G.
  2:{ assert (0 < / INR (Nat.max (S fuel) 11)) by (apply Rinv_0_lt_compat, INR_pos; lia). unfold Rdiv. nra. }
  induction fuel as [|f IH]; cbn [sm].
  - replace (INR (Nat.max 1 11)) with 11 by (simpl; lra). lra.
  - unfold late at 2. destruct (Nat.leb_spec (S f) 10).
    + replace (Nat.max (S (S f)) 11) with 11%nat by lia. replace (Nat.max (S f) 11) with 11%nat in IH by lia. lra.
    + replace (Nat.max (S (S f)) 11) with (S (S f)) by lia. replace (Nat.max (S f) 11) with (S f) in IH by lia.
      assert (0 < INR (S f)) by (apply INR_pos; lia). rewrite (S_INR (S f)). set (x := INR (S f)) in *.
      replace (a * (/ 11 - / (x + 1))) with (a * (/ 11 - / x) + a * / (x * (x + 1))) by (field; lra). lra.
Qed.

Lemma DT_wrong (stop : rule) d F u v : 0 < d < 1 -> sound stop -> u <> v ->
  (1/2 <= P u v -> Pr P (DT stop F d u v) (is_arm v) <= d / 20) /\
  (P u v <= 1/2 -> Pr P (DT stop F d u v) (is_arm u) <= d / 20).
Proof.
  intros Hd Hs Huv.
  assert (None10 : forall n s, (0 < n <= 10)%nat -> (s <= n)%nat -> stop d n s = None).
  { intros n s Hn Hs'. pose proof (c_early_large n d Hn Hd) as CL. destruct (Hs d n s Hd ltac:(lia)) as [A B].
    assert (0 < INR n) by (apply INR_pos; lia). assert (0 <= INR s / INR n <= 1) as M.
    { apply le_INR in Hs'. split; [positive; apply pos_INR|apply Rle_div_l; lra]. }
    destruct (stop d n s) as [[|]|]; [specialize (A eq_refl); lra|specialize (B eq_refl); lra|reflexivity]. }
  assert (G : forall a : bool, (if a then P u v <= 1/2 else 1/2 <= P u v) ->
    Pr P (DT stop F d u v) (is_arm (if a then u else v)) <= d / 20).
  { intros a Hp. eapply Rle_trans; [|apply Rle_trans with (1 := late_levels (8 / 15 * d) F ltac:(lra)); lra].
    apply (wrong_side a (stop d) (fun n => c_early n d)); auto.
    - intros n Hn. unfold late. destruct (Nat.leb_spec n 10).
      + split; [lra|left]. intros s H'. rewrite None10 by (exact H' || lia). discriminate.
      + pose proof (INR_pos n Hn). split; [|right; split; [apply c_early_nonneg|now apply c_early_exp]].
        positive.
    - intros n s Hn. destruct (Hs d n s Hd Hn). destruct a; auto. }
  split; [apply (G false)|apply (G true)].
Qed.

Lemma wrong_loser x y (m : prog (option arm)) : x <> y -> leaves (one_of x y) m ->
  Pr P m (wrong x) <= Pr P m (is_arm y).
Proof.
  intros Hxy H. unfold Pr. eapply (E_mono_leaves P P01); [exact H|].
  intros [z|]; cbn; [|lra]. intros [->| ->]; rewrite ?Nat.eqb_refl; cbn.
  - destruct (Nat.eqb_spec x y); [congruence|lra].
  - destruct (negb _); lra.
Qed.

Lemma better_loser u v (m : prog (option arm)) b : u <> v -> leaves (one_of u v) m ->
  (1/2 <= P u v -> Pr P m (is_arm v) <= b) -> (P u v <= 1/2 -> Pr P m (is_arm u) <= b) ->
  Pr P m (wrong (better P u v)) <= b.
Proof.
  intros Huv L A B. unfold better. destruct (Rlt_dec (1/2) (P u v)) as [h|h].
  - eapply Rle_trans; [apply wrong_loser with (y := v); auto|apply A; lra].
  - eapply Rle_trans; [apply wrong_loser with (y := u); auto|apply B; lra].
    eapply leaves_impl; [exact L|]. intros [z|]; cbn; tauto.
Qed.
End Error.

Theorem dueltest_half : dueltest_half_statement.
Proof.
  intros P d u v F HP Hd Huv _. pose proof (valid_01 P HP) as P01.
  assert (G : forall a : bool, (if a then P u v <= 1/2 else 1/2 <= P u v) ->
    Pr P (DT paper_rule F d u v) (is_arm (if a then u else v)) <= d / 2).
  { intros a Hp. eapply Rle_trans; [|apply (union_levels (d / 2) F); lra].
    apply (wrong_side P P01 a (paper_rule d) (fun n => c_radius n d) (fun n => d / 2 * / (INR n * (INR n + 1)))); auto.
    - intros n Hn. pose proof (INR_pos n Hn). split; [|right; split; [apply c_nonneg|rewrite c_exp by auto; lra]].
      positive.
    - intros n s Hn. destruct (paper_rule_at d n s) as (X & Y & _). destruct a; auto. }
  apply better_loser; auto; [apply seqtest_leaves|apply (G false)|apply (G true)].
Qed.

(** ** The expected time, by Wald's identity

    With p = 1/2 + gap the process (2s - n) - 2 gap n has mean zero.  Before the test stops, 2s - n is
    below the boundary, which lies under a straight line in n (tangents of the square root and of the
    logarithm); so the time is at most the line's offset over the difference of the two slopes. *)

Lemma ln_tangent x a : 0 < x -> 0 < a -> ln x <= x / a + ln a - 1.
Proof.
  intros Hx Ha. pose proof (exp_ineq1_le (ln (x / a))) as H.
  assert (0 < x / a) by (apply Rdiv_lt_0_compat; lra).
  rewrite exp_ln in H by lra. unfold Rdiv in H at 1. rewrite ln_mult in H by (try apply Rinv_0_lt_compat; lra).
  rewrite ln_Rinv in H by lra. lra.
Qed.

Lemma ln_inv_pos x : 0 < x < 1 -> 0 < ln (/ x).
Proof. intro H. apply ln_pos. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. Qed.

Lemma ln2_le : ln 2 <= 347/500.
Proof.
  rewrite <- (ln_exp (347/500)). left. apply ln_increasing; [lra|]. apply Rlt_le_trans with (20001/10000); [lra|].
  apply (exp_lower 347 500 20001 10000 512). vm_compute. reflexivity.
Qed.

Lemma ln2_ge : 693/1000 <= ln 2.
Proof.
  rewrite <- (ln_exp (693/1000)). apply ln_le; [apply exp_pos|]. replace (693/1000) with (- (-693 / 1000)) by field.
  rewrite exp_Ropp, <- (Rinv_inv 2). apply Rinv_le_contravar; [lra|].
  apply Rle_trans with ((9892284733 / 10000000000) ^ 64); [lra|].
  replace (-693 / 1000) with (INR 64 * (-693 / 64000)) by (simpl; field).
  rewrite exp_pow. apply pow_incr. split; [lra|].
  apply (exp_lower (-693) 64000 9892284733 10000000000 32). vm_compute. reflexivity.
Qed.

Lemma ln_ln2 : - (368/1000) <= ln (ln 2).
Proof.
  pose proof ln2_ge. apply Rle_trans with (ln (693/1000)); [|apply ln_le; lra].
  (* 2 ln 0.693 = ln (0.960498 / 2) *)
  pose proof (ln_tangent (/ (2 * (693/1000 * (693/1000)))) 1 ltac:(lra) ltac:(lra)) as X. pose proof ln2_le.
  rewrite ln_Rinv, !ln_mult, ln_1 in X by lra. lra.
Qed.

Lemma ln_inv_gap g : 0 < g <= 1/2 -> 693/1000 <= ln (/ g).
Proof.
  intro Hg. eapply Rle_trans; [apply ln2_ge|]. apply ln_le; [lra|].
  rewrite <- (Rinv_inv 2). apply Rinv_le_contravar; lra.
Qed.

Lemma root_tangent g n x l : 0 < g -> 0 <= n -> 0 <= l -> 2 * n * (x * x) <= l -> 2 * n * x <= g * n + / (2 * g) * l.
Proof.
  intros Hg Hn Hl H. assert (0 <= / (2 * g)) by (left; apply Rinv_0_lt_compat; lra). set (y := / (2 * g) * l).
  assert (0 <= y) as Y0 by (unfold y; positive). assert (l = 2 * g * y) as E by (unfold y; field; lra). rewrite E in H.
  apply Rsqr_incr_0_var; [unfold Rsqr|nra]. pose proof (Rle_0_sqr (g * n - y)) as S. unfold Rsqr in S.
  apply (Rmult_le_compat_l (2 * n)) in H; lra.
Qed.

Definition horizon_of (g : R) : R := 8 / (g * g).            (* where the tangents touch *)
Definition offset (d g : R) : R :=
  1 + / (2 * g) * (ln (2 / d) + slack + 2 * ((1/2) / horizon_of g + ln (horizon_of g) - 1)).

Lemma boundary_line d g n : 0 < d < 1 -> 0 < g <= 1/2 -> (0 < n)%nat ->
  2 * INR n * c_late n d + 1 <= 9 / 8 * g * INR n + offset d g.
Proof.
  intros Hd Hg Hn. assert (1 <= INR n) as N1 by (apply (le_INR 1); lia).
  pose proof (log_term_ge1 n d Hn Hd) as L1. set (L := log_term n d + slack).
  assert (0 < L) as L0 by (unfold L, slack; lra).
  assert (2 * INR n * c_late n d <= g * INR n + / (2 * g) * L) as T1.
  { apply root_tangent; try lra. unfold c_late. fold L. rewrite sqrt_sqrt; [right; field; lra|positive]. }
  (* tangent of the logarithm at horizon_of g *)
  set (T := horizon_of g). assert (0 < g * g) by nra. assert (0 < T) as T0 by (apply Rdiv_lt_0_compat; lra).
  assert (log_term n d <= ln (2 / d) + 2 * ((INR n + 1/2) / T + ln T - 1)) as T2.
  { pose proof (ln_tangent (INR n + 1/2) T ltac:(lra) T0).
    assert (0 < 2 / d) by (apply Rdiv_lt_0_compat; lra).
    assert (log_term n d <= ln (2 / d) + 2 * ln (INR n + 1/2)); [|lra].
    replace (ln (2 / d) + 2 * ln (INR n + 1/2)) with (ln (2 / d * ((INR n + 1/2) * (INR n + 1/2)))).
    2:{ rewrite !ln_mult by nra. ring. }
    unfold log_term. left. apply ln_increasing.
    - apply Rdiv_lt_0_compat; nra.
    - replace (2 * INR n * (INR n + 1) / d) with (2 / d * (INR n * (INR n + 1))) by (field; lra).
      apply Rmult_lt_compat_l; nra. }
  unfold offset. fold T.
  assert (/ (2 * g) * L <= / (2 * g) * (ln (2 / d) + slack + 2 * ((INR n + 1/2) / T + ln T - 1))) as T3.
  { apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|]. unfold L. lra. }
  replace (/ (2 * g) * (ln (2 / d) + slack + 2 * ((INR n + 1/2) / T + ln T - 1)))
    with (/ (2 * g) * (ln (2 / d) + slack + 2 * ((1/2) / T + ln T - 1)) + g / 8 * INR n) in T3.
  2:{ unfold T, horizon_of. field. lra. }
  lra.
Qed.

(** Wald's identity, as a bound: a test that goes on only while neither arm leads by more than a line allows. *)
Section Wald.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variables stop fin : nat -> nat -> option bool.
Variables u v : arm.
Variables a b g : R.
Hypothesis Ha : 0 <= a.

(** [x n s] is the lead of the better arm. *)
Lemma wald (x : nat -> nat -> R) :
  (forall n s, (0 < n)%nat -> stop n s = None -> x n s + 1 <= a * INR n + b) ->
  (forall n s, x (S n) (S s) <= x n s + 1 /\ x (S n) s <= x n s + 1) ->
  (forall n s, x n s + 2 * g <= P u v * x (S n) (S s) + (1 - P u v) * x (S n) s) ->
  forall f n s, x n s + 1 <= a * INR n + b ->
  (2 * g - a) * ET P (seqtest stop fin f n s u v) <= a * INR n + b - x n s.
Proof.
  intros Hx H1 H2. induction f as [|f IH]; intros n s Hn; [cbn; lra|]. rewrite seqtest_S. cbn [ET].
  assert (G : forall s', x (S n) s' <= x n s + 1 ->
    (2 * g - a) * ET P (after stop fin f (S n) s' u v) <= a * INR (S n) + b - x (S n) s').
  { intros s' Hs'. unfold after. rewrite S_INR. destruct (stop (S n) s') as [c|] eqn:Es; [cbn [ET]; nra|].
    rewrite <- S_INR. apply IH. apply (Hx (S n) s' ltac:(lia) Es). }
  destruct (H1 n s) as [A B]. specialize (H2 n s).
  pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (G (b2n true + s)%nat A) (G (b2n false + s)%nat B)) as M.
  cbn [b2n Nat.add] in M |- *. rewrite S_INR in M. lra.
Qed.

Lemma seqtest_time F : 1 <= b -> g <= Rabs (P u v - 1/2) ->
  (forall n s, (0 < n)%nat -> stop n s = None -> Rabs (2 * INR s - INR n) + 1 <= a * INR n + b) ->
  (2 * g - a) * ET P (seqtest stop fin F 0 0 u v) <= b.
Proof.
  intros Hb Hp Hs. assert (exists e, (e = 1 \/ e = -1) /\ g <= e * (P u v - 1/2)) as (e & He & Hge).
  { unfold Rabs in Hp. destruct (Rcase_abs _); [exists (-1)|exists 1]; split; auto; lra. }
  replace b with (a * INR 0 + b - e * (2 * INR 0 - INR 0)) by (simpl; ring).
  apply (wald (fun n s => e * (2 * INR s - INR n))).
  - intros n s Hn Es. specialize (Hs n s Hn Es). unfold Rabs in Hs. destruct He as [->| ->], (Rcase_abs _); lra.
  - intros n s. rewrite !S_INR. destruct He as [->| ->]; lra.
  - intros n s. rewrite !S_INR. lra.
  - simpl. lra.
Qed.
End Wald.

Section Time.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variable stop : rule.
Hypothesis Hs : prompt stop.
Variables d g : R.
Hypothesis Hd : 0 < d < 1.
Hypothesis Hg : 0 < g <= 1/2.

Lemma ET_offset u v F : g <= Rabs (P u v - 1/2) -> 7 / 8 * g * ET P (DT stop F d u v) <= offset d g.
Proof.
  intro Hp. unfold DT. assert (O1 : 1 <= offset d g).
  { assert (0 < g * g <= 1/4) by nra. assert (32 <= horizon_of g) by (apply (Rle_div_r 32 8); lra).
    pose proof (ln_gt_1 (horizon_of g) ltac:(lra)). assert (0 < 1 / 2 / horizon_of g) by positive.
    assert (0 < ln (2 / d)) by (apply ln_pos, (Rlt_div_r 1 2 d); lra).
    assert (0 <= / (2 * g) * (ln (2 / d) + slack + 2 * (1 / 2 / horizon_of g + ln (horizon_of g) - 1)))
      by (unfold slack; positive). unfold offset. lra. }
  replace (7 / 8 * g) with (2 * g - 9 / 8 * g) by field. apply seqtest_time; auto; [lra|]. intros n s Hn Es.
  eapply Rle_trans; [|apply (boundary_line d g n Hd Hg Hn)]. apply Rplus_le_compat_r.
  specialize (Hs d n s Hd Hn Es). pose proof (INR_pos n Hn).
  replace (2 * INR s - INR n) with (2 * INR n * (INR s / INR n - 1/2)) by (field; lra).
  rewrite Rabs_mult, (Rabs_right (2 * INR n)) by lra. apply Rmult_le_compat_l; lra.
Qed.

Lemma DT_time u v F : g <= Rabs (P u v - 1/2) -> ET P (DT stop F d u v) <= dt_time d g.
Proof.
  intro Hp. pose proof (ET_offset u v F Hp) as H. assert (0 < g * g) as G2 by nra.
  assert (offset d g <= 7 / 8 * g * dt_time d g) as K; [|apply Rmult_le_reg_l with (7 / 8 * g); lra].
  unfold offset, dt_time, dt_base, dt_slope.
  assert (0 < / g) by (apply Rinv_0_lt_compat; lra). assert (0 < / d) by (apply Rinv_0_lt_compat; lra).
  assert (ln (2 / d) = ln 2 + ln (/ d)) as -> by (unfold Rdiv; apply ln_mult; lra).
  assert (ln (horizon_of g) = 3 * ln 2 + 2 * ln (/ g)) as ->.
  { unfold horizon_of. replace (8 / (g * g)) with (2 * 2 * 2 * (/ g * / g)) by (field; lra).
    rewrite !ln_mult by nra. ring. }
  replace (1 / 2 / horizon_of g) with (g * g / 16) by (unfold horizon_of; field; lra).
  pose proof ln2_le. unfold slack.
  set (lg := ln (/ g)) in *. set (ld := ln (/ d)) in *. set (l2 := ln 2) in *.
  apply Rmult_le_reg_l with (2 * g); [lra|].
  replace (2 * g * (1 + / (2 * g) * (l2 + ld + 1 / 16 + 2 * (g * g / 16 + (3 * l2 + 2 * lg) - 1))))
    with (2 * g + (l2 + ld + 1 / 16 + 2 * (g * g / 16 + (3 * l2 + 2 * lg) - 1))) by (field; lra).
  replace (2 * g * (7 / 8 * g * (16 / 7 / (g * g) * (lg + 1) + 4 / 7 / (g * g) * ld)))
    with (4 * (lg + 1) + ld) by (field; lra).
  nra.
Qed.
End Time.

(** ** The horizon goes to infinity *)

Lemma seqtest_refines stop u v f : forall n s,
  refines (seqtest stop never f n s u v) (seqtest stop never (S f) n s u v).
Proof.
  induction f as [|f IH]; intros n s; [constructor|]. rewrite !(seqtest_S stop never). constructor. intro b.
  unfold after. destruct (stop _ _); [apply refines_refl|apply IH].
Qed.

Lemma DT_refines stop F d u v : refines (DT stop F d u v) (DT stop (S F) d u v).
Proof. apply seqtest_refines. Qed.

(** Markov's inequality: a test that runs out has used its whole horizon. *)
Lemma seqtest_markov P (P01 : forall u v, 0 <= P u v <= 1) stop u v f : forall n s,
  INR f * Pr P (seqtest stop never f n s u v) ran_out <= ET P (seqtest stop never f n s u v).
Proof.
  induction f as [|f IH]; intros n s; [simpl; lra|].
  unfold Pr. rewrite seqtest_S. cbn [expect ET]. rewrite S_INR.
  assert (G : forall s', (INR f + 1) * expect P (after stop never f (S n) s' u v) (fun a => if ran_out a then 1 else 0)
    <= 1 + ET P (after stop never f (S n) s' u v)).
  { intro s'. unfold after. destruct (stop (S n) s') as [[|]|]; [cbn; lra|cbn; lra|]. specialize (IH (S n) s').
    pose proof (Pr_le1 P P01 (seqtest stop never f (S n) s' u v) ran_out). unfold Pr in *. lra. }
  pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (G (b2n true + s)%nat) (G (b2n false + s)%nat)). lra.
Qed.

(** A family of programs whose horizon grows: if it costs at most [cost], runs out with probability at
    most [cost' / F], and is wrong with probability at most [d], then so is its limit. *)
Section Limit.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variable m : nat -> prog (option arm).
Hypothesis Hm : forall F, refines (m F) (m (S F)).

Lemma at_most_ET cost : (forall F, ET P (m F) <= cost) -> at_most (fun F => ET P (m F)) cost.
Proof. apply at_most_incr. intro F. apply refines_ET; auto. Qed.
Lemma at_most_ER r cost : (forall F, expected_regret P r (m F) <= cost) ->
  at_most (fun F => expected_regret P r (m F)) cost.
Proof. apply at_most_incr. intro F. apply refines_ER; auto. Qed.

Lemma cut_vanishes K : (forall F, INR F * Pr P (m F) ran_out <= K) -> is_lim_seq (fun F => Pr P (m F) ran_out) 0.
Proof.
  intro H. assert (is_lim_seq (fun F => K * / INR F) (K * 0)) as L.
  { apply is_lim_seq_mult'; [apply is_lim_seq_const|].
    replace (Finite 0) with (Rbar_inv p_infty) by reflexivity.
    apply is_lim_seq_inv; [apply is_lim_seq_INR|discriminate]. }
  rewrite Rmult_0_r in L.
  apply (is_lim_seq_le_le_loc (fun _ => 0) _ (fun F => K * / INR F)) with (2 := is_lim_seq_const 0); [|exact L].
  exists 1%nat. intros F HF. split; [apply Pr_nonneg; auto|]. assert (0 < INR F) by (apply INR_pos; lia).
  apply Rmult_le_reg_l with (INR F); [lra|]. replace (INR F * (K * / INR F)) with K by (field; lra). apply H.
Qed.

Lemma limit_right w d : is_lim_seq (fun F => Pr P (m F) ran_out) 0 -> (forall F, Pr P (m F) (wrong w) <= d) ->
  exists p : R, is_lim_seq (fun F => Pr P (m F) (is_arm w)) p /\ 1 - d <= p.
Proof.
  intros H0 Hw. destruct (ex_finite_lim_seq_incr (fun F => Pr P (m F) (is_arm w)) 1) as [p Hp].
  { intro F. apply refines_Pr; auto. } { intro F. apply Pr_le1; auto. }
  exists p. split; auto. assert (is_lim_seq (fun F => 1 - d - Pr P (m F) ran_out) (1 - d - 0)) as L.
  { apply is_lim_seq_minus'; [apply is_lim_seq_const|exact H0]. }
  rewrite Rminus_0_r in L. refine (is_lim_seq_le _ _ _ _ _ L Hp).
  intro F. rewrite (Pr_total P w (m F)). specialize (Hw F). lra.
Qed.

(** Wrong seldom enough, and cut off ever less often: so it returns the right arm. *)
Lemma returns_of w d K : (forall F, Pr P (m F) (wrong w) <= d) -> (forall F, INR F * Pr P (m F) ran_out <= K) ->
  returns_with P w m (1 - d).
Proof. intros H HK. pose proof (cut_vanishes K HK) as L. split; [exact L|now apply limit_right]. Qed.
End Limit.

Lemma cut_obind P (P01 : forall u v, 0 <= P u v <= 1) F {A B} (Q : option A -> Prop) (m : prog (option A))
    (k : A -> prog (option B)) K K' :
  0 <= K' -> leaves Q m -> INR F * Pr P m ran_out <= K -> (forall a, Q (Some a) -> INR F * Pr P (k a) ran_out <= K') ->
  INR F * Pr P (obind m k) ran_out <= K + K'.
Proof.
  intros H0 L Hm Hk. destruct F as [|F]; [simpl (INR 0) in *; rewrite Rmult_0_l in *; lra|].
  assert (0 < INR (S F)) as HF by (apply INR_pos; lia).
  assert (Pr P (obind m k) ran_out <= Pr P m ran_out + K' / INR (S F)) as H.
  { eapply (cost_obind _ (ran_out_additive P P01)); eauto; [positive|]. intros a Ha. apply Rle_div_r; [lra|].
    rewrite Rmult_comm. auto. }
  apply (Rmult_le_compat_l (INR (S F))) in H; [|lra]. rewrite Rmult_plus_distr_l in H.
  replace (INR (S F) * (K' / INR (S F))) with K' in H by (field; lra). lra.
Qed.

Lemma cut_additive P (P01 : forall u v, 0 <= P u v <= 1) F : additive (fun A m => INR F * Pr P m ran_out).
Proof. split; [intros; unfold Pr; cbn; ring|intros; eapply cut_obind; eauto using Rle_refl]. Qed.

Lemma DT_cut P (P01 : forall u v, 0 <= P u v <= 1) stop d g u v F : prompt stop -> 0 < d < 1 -> 0 < g <= 1/2 ->
  g <= Rabs (P u v - 1/2) -> INR F * Pr P (DT stop F d u v) ran_out <= dt_time d g.
Proof. intros. eapply Rle_trans; [apply seqtest_markov; auto|now apply DT_time]. Qed.

Theorem lem_app_dueltest_correct : lem_app_dueltest_correct_statement.
Proof.
  intros P stop d u v HP Hs Hpr Hd Huv Hne. pose proof (valid_01 P HP) as P01.
  assert (W : forall F, Pr P (DT stop F d u v) (wrong (better P u v)) <= d / 20).
  { intro F. destruct (DT_wrong P P01 stop d F u v Hd Hs Huv) as [A B].
    apply better_loser; auto; apply seqtest_leaves. }
  split; [exact W|]. set (g := Rabs (P u v - 1/2)).
  assert (0 < g <= 1/2) as Hg by (unfold g; pose proof (P01 u v); split; [apply Rabs_pos_lt; lra|apply Rabs_le; lra]).
  apply (returns_of P P01 (fun F => DT stop F d u v) (fun F => DT_refines stop F d u v)) with (K := dt_time d g).
  - intro F. specialize (W F). lra.
  - intro F. apply DT_cut; auto. apply Rle_refl.
Qed.

Theorem lem_app_dueltest_time : lem_app_dueltest_time_statement.
Proof.
  intros P stop d g u v HP Hs Hd Hg Hp. pose proof (valid_01 P HP) as P01.
  split; [apply (at_most_ET P P01); auto using DT_refines, DT_time|].
  unfold dt_time, dt_base, dt_slope, C_dt. pose proof (ln_inv_pos d Hd).
  assert (0 < / (g * g)) by (apply Rinv_0_lt_compat; nra).
  assert (0 <= / (g * g) * ln (/ d)) by (apply Rmult_le_pos; lra). unfold Rdiv. nra.
Qed.
